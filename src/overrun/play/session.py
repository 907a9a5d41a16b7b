"""The one driver of play: feed it answers, read its events. Replay is feeding the same answers again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from random import Random
from typing import Any

from overrun.kernel import (
    Call,
    Chance,
    Decision,
    Dice,
    Each,
    End,
    Exit,
    Face,
    Ledger,
    PlayError,
    Position,
    Rules,
    Seat,
    Settled,
    Step,
)
from overrun.kernel.frozen import quick


class Said(StrEnum):
    """What kind of answer moved the session on."""

    CHOICE = "choose"
    ROLL = "roll"
    UNDO = "undo"
    AUTOMATIC = "automatic"


@quick
@dataclass(frozen=True, slots=True)
class Answer:
    """One thing that a player told the session. Its log is the list of them, undone ones and undoings included."""

    said: Said
    choice: str = ""
    face: Face = ()


@quick
@dataclass(frozen=True, slots=True)
class Event:
    """One step left by one exit: everything an adjudication prints, kept as values and put into words by `explain`."""

    step: Step[Any]
    answer: Answer
    seat: Seat | None
    before: Position[Any]
    exit: Exit[Any]
    after: Position[Any]
    dice: Dice[Any] | None
    asked: tuple[Ledger, ...]

    @property
    def ledgers(self) -> tuple[Ledger, ...]:
        """The figures of the question, then those of its answer."""
        return (*self.asked, *self.exit.ledgers)

    @property
    def changes(self) -> Iterator[tuple[str, Any, Any]]:
        """The fields of the state that this step changed: name, old value, new value."""
        old, new = self.before.state, self.exit.state
        if is_dataclass(old) and type(old) is type(new):
            for field in fields(old):
                one, two = getattr(old, field.name), getattr(new, field.name)
                if field.compare and one != two:
                    yield field.name, one, two


AUTOMATIC = Answer(Said.AUTOMATIC)


class Session:
    """One overrun in progress. `node` is the question that waits for an answer, or the end."""

    def __init__(self, rules: Rules[Any], start: Position[Any]) -> None:
        self.rules = rules
        self.position = start
        self.events: list[Event] = []
        self.answers: list[Answer] = []
        self._earlier: list[tuple[Position[Any], Settled, int]] = []
        self.node: Settled = self._settle()

    @property
    def step(self) -> Step[Any]:
        """The step that waits for an answer, or the last one."""
        return self.rules.steps[self.position.step]

    @property
    def over(self) -> bool:
        """Has the overrun ended?"""
        return isinstance(self.node, End)

    def tally(self) -> dict[str, int]:
        """The measures counted so far."""
        counts: dict[str, int] = {}
        for event in self.events:
            for name, count in (event.exit.tally or {}).items():
                counts[name] = counts.get(name, 0) + count
        return counts

    def choose(self, id: str) -> None:
        """Take the option of that id. Raises `PlayError`, with the refusal and what is legal, when it is not one."""
        node = self.node
        if not isinstance(node, Decision):
            raise PlayError(f"{self.step.title}: there is nothing to choose here. {self._waits_for()}")
        for option in node.options:
            if option.id == id:
                self._answer(Answer(Said.CHOICE, choice=id), option, node.seat, None, node.ledgers)
                return
        legal = ", ".join(option.id for option in node.options)
        for refusal in node.refused:
            if refusal.id == id:
                raise PlayError(f"Cannot choose {id}: {refusal.reason} ({refusal.cite}). Legal here: {legal}.", refusal)
        raise PlayError(f"Cannot choose {id!r}: there is no such option at {self.step.title!r}. Legal here: {legal}.")

    def roll(self, face: Face) -> None:
        """Put real dice on the table. Raises `PlayError` when these dice cannot show those faces."""
        node = self.node
        if not isinstance(node, Chance):
            raise PlayError(f"{self.step.title}: nothing is rolled here. {self._waits_for()}")
        face = node.dice.checked(tuple(face))
        self._answer(Answer(Said.ROLL, face=face), node.then(node.dice.read(face)), node.seat, node.dice, node.ledgers)

    def undo(self) -> None:
        """Take back the last answer. The log keeps it, and that it was taken back. Raises `PlayError` at the start."""
        if not self._earlier:
            raise PlayError("There is nothing to undo: this is the start.")
        self.position, self.node, length = self._earlier.pop()
        del self.events[length:]
        self.answers.append(Answer(Said.UNDO))

    def take(self, answer: Answer) -> None:
        """Give any answer, as replay does."""
        if answer.said is Said.CHOICE:
            self.choose(answer.choice)
        elif answer.said is Said.ROLL:
            self.roll(answer.face)
        elif answer.said is Said.UNDO:
            self.undo()
        else:
            raise PlayError("An automatic step takes no answer.")

    def _waits_for(self) -> str:
        if isinstance(self.node, End):
            return "The overrun is over."
        return "Roll the dice." if isinstance(self.node, Chance) else "Choose an option."

    def _answer(
        self, answer: Answer, exit: Exit[Any], seat: Seat, dice: Dice[Any] | None, asked: tuple[Ledger, ...]
    ) -> None:
        self._earlier.append((self.position, self.node, len(self.events)))
        self.answers.append(answer)
        self._leave(answer, exit, seat, dice, asked)
        self.node = self._settle()

    def _leave(
        self,
        answer: Answer,
        exit: Exit[Any],
        seat: Seat | None = None,
        dice: Dice[Any] | None = None,
        asked: tuple[Ledger, ...] = (),
    ) -> None:
        before = self.position
        self.position = self.rules.follow(before, exit)
        self.events.append(Event(self.rules.steps[before.step], answer, seat, before, exit, self.position, dice, asked))

    def _settle(self) -> Settled:
        rules = self.rules
        while True:
            node = rules.at(self.position)
            if isinstance(node, Exit):
                self._leave(AUTOMATIC, node)
            elif isinstance(node, (Call, Each)):
                self.position = rules.enter(self.position, node)
            else:
                return node


def throw(dice: Dice[Any], random: Random) -> Face:
    """Generated dice: one fair throw."""
    return tuple(random.randint(1, side) for side in dice.sides)
