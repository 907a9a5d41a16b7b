"""Playing at a terminal: one question at a time, dice generated or typed in, undo, and a log that loses nothing."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from random import Random

from rich.console import Console

from overrun.analysis.policy import matches
from overrun.cli import screen
from overrun.kernel import Chance, Decision, Dice, Face, InputError, PlayError, Problem
from overrun.play.explain import Explainer
from overrun.play.record import Source
from overrun.play.session import Session, throw
from overrun.store.logfile import LogFile
from overrun.store.opening import Opened

HELP = """\
    At a choice: its number or its id; Enter where there is only one.
    At a roll: Enter for generated dice, or the faces you rolled, such as 3 4.
    u  take back the last answer      s  where everything stands
    a  the adjudication so far        q  stop; a log can be taken up again
"""


def generated(seed: int, place: int, dice: Dice[object]) -> Face:
    """The dice of the roll number `place` under a seed: always the same, so taking a roll back changes no dice."""
    return throw(dice, Random(f"{seed}:{place}"))


class Player:
    """One session at one terminal. `ask` reads a line and raises `EOFError` when there are no more."""

    def __init__(
        self, opened: Opened, session: Session, log: LogFile, console: Console, ask: Callable[[str], str] = input
    ) -> None:
        self.opened, self.session, self.log, self.console, self.ask = opened, session, log, console, ask
        self.explainer = Explainer(opened.ruleset.rules, opened.ruleset.seats)
        self.shown = 0
        self._told = set[str]()
        self._brief = False

    # ------------------------------------------------------------------ without questions

    def scripted(self, *, questions: bool = False) -> None:
        """Play the stated choices and dice of the scenario. Raises `InputError` where they do not reach.

        Where stated dice run out, a log's seed generates the rest; where only one option is legal, it is taken. With
        `questions` each question is printed before its answer, with every option and refusal.
        """
        plan, dice = self.opened.situation.plan, deque(self.opened.situation.dice)
        asked = False
        while not self.session.over:
            self._show_new(answered=asked)
            if asked := questions:
                self._ask()
                self.console.print()
            node = self.session.node
            if isinstance(node, Decision):
                self._choose_stated(node, plan.get(self.session.step.id, ()))
            elif isinstance(node, Chance):
                self._roll_stated(node, dice)
        self._show_new(answered=asked)
        if dice:
            what = f"{len(dice)} stated rolls were left over when the overrun ended"
            raise InputError([Problem("dice", what, "exactly the rolls that are made")])

    def _choose_stated(self, node: Decision[object], preferred: object) -> None:
        assert isinstance(preferred, tuple | list)
        chosen = [exit.id for wish in preferred for exit in node.options if matches(wish, exit)]
        if not chosen and len(node.options) > 1:
            legal = ", ".join(exit.id for exit in node.options)
            what = f"no stated choice is legal at {self.session.step.title!r}"
            raise InputError([Problem(f"plan.{self.session.step.id}", what, legal)])
        self.session.choose(chosen[0] if chosen else node.options[0].id)
        self.log.add(self.session)

    def _roll_stated(self, node: Chance[object], dice: deque[Face]) -> None:
        if dice:
            try:
                self.session.roll(dice[0])
            except PlayError as error:
                place = len(self.opened.situation.dice) - len(dice) + 1
                raise InputError([Problem(f"dice, roll {place}", f"{self.session.step.title}: {error}")]) from error
            dice.popleft()
            self.log.add(self.session, Source.STATED)
        elif self.log.record.seed is None:
            what = f"the stated rolls end before {self.session.step.title!r} ({node.dice.name})"
            raise InputError([Problem("dice", what, "one more roll, or --seed to generate the rest")])
        else:
            self._generate(node)

    # ------------------------------------------------------------------ with questions

    def play(self) -> bool:
        """Ask until the overrun is over or the player stops; say which (True: it is over)."""
        answered = False
        while not self.session.over:
            self._show_new(answered=answered)
            self._ask()
            before = len(self.session.events)
            if not self._answered():
                return False
            answered = self.shown == before < len(self.session.events)
        self._show_new(answered=answered)
        return True

    def _answered(self) -> bool:
        """Ask until one answer counts. False when the player stops."""
        while True:
            node = self.session.node
            options = len(getattr(node, "options", ()))
            prompt = "Enter, or dice" if isinstance(node, Chance) else "Enter" if options == 1 else f"1-{options}"
            try:
                said = self.ask(f"[{prompt}; u undo, q quit, ? help] > ").strip()
            except EOFError:
                self.console.print()
                return False
            self.console.print()
            if said in {"q", "quit"}:
                return False
            try:
                if self._took(said):
                    return True
            except PlayError as error:
                self.console.print(f"    {error}")

    def _took(self, said: str) -> bool:
        """Act on what was typed; True when it answered the question or changed it."""
        node = self.session.node
        if said in {"?", "h", "help"}:
            self.console.print(f"    {self.session.step.text}\n{HELP}")
        elif said in {"s", "state"}:
            for line in self.opened.ruleset.describe(self.session.state):
                self.console.print(f"    {line}")
        elif said in {"a", "again"}:
            self.shown = 0
            self._told.clear()
            return True
        elif said in {"u", "undo"}:
            self.session.undo()
            self.log.add(self.session)
            self.shown = min(self.shown, len(self.session.events))
            self.console.print("    Taken back.\n")
            return True
        elif isinstance(node, Chance):
            self._roll_said(node, said)
            return True
        elif isinstance(node, Decision) and (said or len(node.options) == 1):
            number = int(said) if said.isascii() and said.isdecimal() else 1 - bool(said)
            self.session.choose(node.options[number - 1].id if 1 <= number <= len(node.options) else said)
            self.log.add(self.session)
            return True
        return False

    def _roll_said(self, node: Chance[object], said: str) -> None:
        if said:
            self.session.roll(faces_in(said, node.dice))
            self.log.add(self.session, Source.TYPED)
        else:
            self._generate(node)

    def _generate(self, node: Chance[object]) -> None:
        seed = self.log.record.seed
        assert seed is not None
        self.session.roll(generated(seed, self.log.record.rolls() + 1, node.dice))
        self.log.add(self.session, Source.GENERATED)

    def _ask(self) -> None:
        """Print the question that waits; the text of its rule only when it is new."""
        if self._brief:
            self.console.print()
        self._brief = False
        step = self.session.step.id
        screen.question(self.console, self.explainer.question(self.session), text=step not in self._told)
        self._told.add(step)

    def _show_new(self, *, answered: bool = False) -> None:
        """Print the steps not printed yet; the question of the first one stands above if it was just `answered`."""
        for number, event in enumerate(self.session.events, 1):
            if number > self.shown:
                asked = not (answered and number == self.shown + 1)
                told, new = self.explainer.adjudication(event), event.step.id not in self._told
                full = not told.brief
                if full and self._brief:
                    self.console.print()
                screen.adjudication(self.console, number, told, asked=asked, text=new)
                self._brief = not full
                if full:
                    self._told.add(event.step.id)
        self.shown = len(self.session.events)

    def end(self) -> None:
        """Print how it ended."""
        state = self.opened.ruleset.describe(self.session.position.state)
        screen.ending(self.console, self.explainer.ending(self.session, state))


def faces_in(said: str, dice: Dice[object]) -> Face:
    """The faces that were typed: numbers apart, or digits together where every die is small. Raises `PlayError`."""
    text = said.replace(",", " ").replace("+", " ")
    if not re.fullmatch(r"[0-9 ]+", text, re.ASCII):
        raise PlayError(f"{said!r} is neither dice nor a command. Type the faces, such as {example(dice)}, or ?.")
    parts = text.split()
    if len(parts) == 1 and len(dice.sides) > 1 and max(dice.sides) <= 9:
        parts = list(parts[0])
    if any(len(part) > 4 for part in parts):
        raise PlayError(f"{said!r} cannot be dice. Type the faces, such as {example(dice)}.")
    return tuple(map(int, parts))


def example(dice: Dice[object]) -> str:
    """Dice as a player may type them."""
    return " ".join(str(1 + place % side) for place, side in zip((2, 3, 0, 4, 1, 5) * 4, dice.sides, strict=False))
