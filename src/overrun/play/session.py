"""The one driver of play: feed it answers, read its events. Replay is feeding the same answers again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
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
            for each in fields(old):
                one, two = getattr(old, each.name), getattr(new, each.name)
                if each.compare and one != two:
                    yield each.name, one, two


AUTOMATIC = Answer(Said.AUTOMATIC)


@dataclass(slots=True)
class Stop:
    """Where play waits: the question there, and the automatic events passed on the way to it.

    `onward` holds where each answer given here before led: the answer, its event and the next stop.
    """

    position: Position[Any]
    node: Settled
    passed: tuple[Event, ...]
    onward: dict[str | Face, tuple[Answer, Event, Stop]] = field(default_factory=dict)


class Walk:
    """The ways that sessions of one situation have gone: rules are pure, so what was asked once is not asked again.

    Share one among the sessions that play the same start over and over; at most `limit` stops are remembered.
    """

    def __init__(self, rules: Rules[Any], limit: int = 20_000) -> None:
        self.rules, self.limit = rules, limit
        self._stops: dict[Position[Any], Stop] = {}

    def stop(self, position: Position[Any]) -> Stop:
        """Where play next waits from a position on."""
        if self.limit == 0:
            return self._settled(position)
        stop = self._stops.get(position)
        if stop is None:
            stop = self._settled(position)
            if len(self._stops) < self.limit:
                self._stops[position] = stop
        return stop

    def after(self, stop: Stop, key: str | Face, answer: Answer, exit: Exit[Any]) -> tuple[Answer, Event, Stop]:
        """What an answer leads to, remembered under its key."""
        node, rules, before = stop.node, self.rules, stop.position
        assert not isinstance(node, End)
        dice = node.dice if isinstance(node, Chance) else None
        after = rules.follow(before, exit)
        event = Event(rules.steps[before.step], answer, node.seat, before, exit, after, dice, node.ledgers)
        led = answer, event, self.stop(after)
        if len(self._stops) < self.limit:
            stop.onward[key] = led
        return led

    def _settled(self, position: Position[Any]) -> Stop:
        rules, passed = self.rules, list[Event]()
        while True:
            node = rules.at(position)
            if isinstance(node, Exit):
                before, position = position, rules.follow(position, node)
                passed.append(Event(rules.steps[before.step], AUTOMATIC, None, before, node, position, None, ()))
            elif isinstance(node, (Call, Each)):
                position = rules.enter(position, node)
            else:
                return Stop(position, node, tuple(passed))


class Session:
    """One overrun in progress. `node` is the question that waits for an answer, or the end.

    Give sessions that play the same `start` many times one `walk` to share.
    """

    def __init__(self, rules: Rules[Any], start: Position[Any], walk: Walk | None = None) -> None:
        self.rules = rules
        self.answers: list[Answer] = []
        self._walk = walk or Walk(rules, limit=0)
        self._earlier: list[tuple[Stop, int]] = []
        self._stop = self._walk.stop(start)
        self.events: list[Event] = list(self._stop.passed)

    @property
    def position(self) -> Position[Any]:
        """Where play waits."""
        return self._stop.position

    @property
    def node(self) -> Settled:
        """The question that waits for an answer, or the end."""
        return self._stop.node

    @property
    def step(self) -> Step[Any]:
        """The step that waits for an answer, or the last one."""
        return self.rules.steps[self.position.step]

    @property
    def state(self) -> Any:
        """The state of the overrun; inside a called procedure, that of the outermost step that called it."""
        position = self.position
        while position.caller is not None:
            position = position.caller
        return position.state

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
        led = self._stop.onward.get(id)
        if led is None:
            led = self._walk.after(self._stop, id, Answer(Said.CHOICE, choice=id), self._option(id))
        self._go(led)

    def roll(self, face: Face) -> None:
        """Put real dice on the table. Raises `PlayError` when these dice cannot show those faces."""
        face = tuple(face)
        led = self._stop.onward.get(face)
        if led is None:
            node = self._stop.node
            if not isinstance(node, Chance):
                raise PlayError(f"{self.step.title}: nothing is rolled here. {self._waits_for()}")
            face = node.dice.checked(face)
            led = self._walk.after(self._stop, face, Answer(Said.ROLL, face=face), node.then(node.dice.read(face)))
        self._go(led)

    def undo(self) -> None:
        """Take back the last answer. The log keeps it, and that it was taken back. Raises `PlayError` at the start."""
        if not self._earlier:
            raise PlayError("There is nothing to undo: this is the start.")
        self._stop, length = self._earlier.pop()
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

    def _option(self, id: str) -> Exit[Any]:
        node = self._stop.node
        if not isinstance(node, Decision):
            raise PlayError(f"{self.step.title}: there is nothing to choose here. {self._waits_for()}")
        for option in node.options:
            if option.id == id:
                return option
        legal = ", ".join(option.id for option in node.options)
        for refusal in node.refused:
            if refusal.id == id:
                raise PlayError(f"Cannot choose {id}: {refusal.reason} ({refusal.cite}). Legal here: {legal}.", refusal)
        raise PlayError(f"Cannot choose {id!r}: there is no such option at {self.step.title!r}. Legal here: {legal}.")

    def _go(self, led: tuple[Answer, Event, Stop]) -> None:
        answer, event, stop = led
        self._earlier.append((self._stop, len(self.events)))
        self.answers.append(answer)
        self.events.append(event)
        if stop.passed:
            self.events.extend(stop.passed)
        self._stop = stop


def throw(dice: Dice[Any], random: Random) -> Face:
    """Generated dice: one fair throw."""
    return tuple(random.randint(1, side) for side in dice.sides)
