"""A step and its numbers in words, as plain values: the command line and the web page print these and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from overrun.kernel import Chance, Decision, Dice, End, Exit, Ledger, Op, Position, Rules, Seat, Settled, Step
from overrun.play.session import Event, Said, Session
from overrun.play.wording import inline, needs, number, percent, read, words

HIDDEN = "not shown to this seat"
MOST_BANDS = 14
"""Bands of a roll that are still read at a glance."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a ledger: its figure as printed (`+2`, `×2`, `= 6`), why, by which rule, and the total after it."""

    figure: str
    reason: str
    cite: str
    total: str
    verified: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """A ledger in words. `total` is the figure that play uses."""

    name: str
    total: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """Where the rulebook has a step, what it is called, and our paraphrase of it."""

    step: str
    cite: str
    title: str
    text: str
    stage: str


@dataclass(frozen=True, slots=True)
class Option:
    """Something a seat may do. `number` counts from 1; `id` is what a log and a plan name it by."""

    number: int
    id: str
    label: str
    leads_to: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Something a seat might expect to do and may not: why, and by which rule."""

    id: str
    label: str
    reason: str
    cite: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """All results of a roll that do the same.

    `needs` is what the dice must show ("6 or less"), `final` the same after modifiers where the ruleset gives them a
    ledger ("Final DR 5 or less"). `ways` of `total` equally likely falls of the dice lead to what `result` says.
    """

    needs: str
    final: str
    ways: int
    total: int
    result: str
    leads_to: str

    @property
    def chance(self) -> Fraction:
        """The exact chance of this band."""
        return Fraction(self.ways, self.total)

    @property
    def odds(self) -> str:
        """The chance as a player reads it: out of all falls of two or three dice; a short fraction for more dice."""
        exact = f"{self.ways}/{self.total}" if self.total <= 6**3 else str(self.chance)
        rounded = percent(self.chance)
        return rounded if len(exact) > 13 else f"{exact}{', ' if rounded[0] in '<>' else ' = '}{rounded}"


@dataclass(frozen=True, slots=True)
class Die:
    """One die: what to call it, how many sides it has, and the face it shows once it was rolled."""

    label: str
    sides: int
    face: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What play waits for: a choice among `options`, or a roll of `dice` with what each of its `bands` does."""

    rule: Rule
    seat: str
    dice_name: str
    dice: tuple[Die, ...]
    options: tuple[Option, ...]
    refused: tuple[Refused, ...]
    bands: tuple[Band, ...]
    figures: tuple[Figure, ...]

    @property
    def rolls(self) -> bool:
        """Are dice asked for, not a choice?"""
        return bool(self.dice)


@dataclass(frozen=True, slots=True)
class Adjudication:
    """One step that was left: who answered what, the dice, the figures, and where it led.

    `asked` are the figures that were known before the answer, `answered` those that the answer brought; a figure all
    of whose lines the answer repeats is left out of `asked`.
    """

    rule: Rule
    seat: str
    said: str
    dice_name: str
    dice: tuple[Die, ...]
    reading: str
    result: str
    leads_to: str
    asked: tuple[Figure, ...]
    answered: tuple[Figure, ...]
    counted: tuple[tuple[str, int], ...]

    @property
    def brief(self) -> bool:
        """Did it happen by itself, with no figure to show?"""
        return not (self.seat or self.asked or self.answered)


@dataclass(frozen=True, slots=True)
class Ending:
    """How an overrun ended, what it counted, and where everything stands."""

    outcome: str
    rule: Rule
    counted: tuple[tuple[str, int], ...]
    state: tuple[str, ...]


class Explainer:
    """Puts the steps of one ruleset into words for one viewer: a seat, or None for who may see everything."""

    def __init__(self, rules: Rules[Any], seats: Mapping[Seat, str], viewer: Seat | None = None) -> None:
        self.rules, self.seats, self.viewer = rules, seats, viewer

    def question(self, session: Session) -> Question:
        """What the session waits for. Raises `ValueError` when it is over."""
        return self.ask(session.position, session.node)

    def ask(self, position: Position[Any], node: Settled) -> Question:
        """What a position asks. Raises `ValueError` for an end."""
        step = self.rules.steps[position.step]
        if isinstance(node, End):
            raise ValueError("an end asks nothing")
        figures = tuple(map(figure, node.ledgers))
        seat = self.seats[node.seat]
        if isinstance(node, Chance):
            dice = unrolled(node.dice)
            if not self._sees(node.seen_by):
                return Question(self.rule(step), seat, node.dice.name, dice, (), (), (), ())
            return Question(self.rule(step), seat, node.dice.name, dice, (), (), self.bands(step, node), figures)
        options = self.options(step, node)
        refused = tuple(
            Refused(r.id, r.label or words(r.id), r.reason, str(r.cite), tuple(map(figure, r.ledgers)))
            for r in node.refused
            if self._sees(r.seen_by)
        )
        return Question(self.rule(step), seat, "", (), options, refused, (), figures)

    def options(self, step: Step[Any], node: Decision[Any]) -> tuple[Option, ...]:
        """The options of a decision, numbered from 1; of those that another seat alone sees, the kind."""
        return tuple(
            Option(
                number,
                exit.id if self._sees(exit.seen_by) else exit.name,
                self.result(exit),
                self.leads_to(step, exit),
                self._figures(exit),
            )
            for number, exit in enumerate(node.options, 1)
        )

    def bands(self, step: Step[Any], node: Chance[Any]) -> tuple[Band, ...]:
        """What each result of a roll does, in the order of the dice; their chances sum to 1.

        Results that do the same stand together: those of one exit, apart by the figures that the roll brings (casualty
        points, say) unless that makes too many to read.
        """
        every = [(reading, weight, node.then(reading)) for reading, weight in node.dice.outcomes]
        groups: dict[tuple[str, str], list[tuple[Any, int, Exit[Any]]]] = {}
        for figures in (True, False):
            groups.clear()
            for row in every:
                told = self.result(row[2]) + (self._brought(row[2]) if figures else "")
                groups.setdefault((told, self.leads_to(step, row[2])), []).append(row)
            if len(groups) <= MOST_BANDS:
                break
        bands = [
            Band(
                needs([reading for reading, _, _ in rows], [reading for reading, _, _ in every]),
                self._final([exit for _, _, exit in rows], [exit for _, _, exit in every]),
                sum(weight for _, weight, _ in rows),
                node.dice.total,
                result,
                leads_to,
            )
            for (result, leads_to), rows in groups.items()
        ]
        return tuple(bands)

    def needed(self, event: Event) -> str:
        """What a roll had to show to come out as it did, with the chance of that; empty for an event without dice."""
        node = self.rules.at(event.before)
        if event.dice is None or not isinstance(node, Chance):
            return ""
        if not self._sees(node.seen_by):
            return ""
        came = self.result(event.exit), event.exit.name
        every = [(reading, weight, node.then(reading)) for reading, weight in node.dice.outcomes]
        alike = [(reading, weight) for reading, weight, exit in every if (self.result(exit), exit.name) == came]
        ways, total = sum(weight for _, weight in alike), node.dice.total
        shown = needs([reading for reading, _ in alike], [reading for reading, _, _ in every])
        return f"needed {shown} ({ways}/{total} = {percent(Fraction(ways, total))})"

    def adjudication(self, event: Event) -> Adjudication:
        """One step that was left, in words."""
        step, exit, dice = event.step, event.exit, event.dice
        choice = event.answer.said is Said.CHOICE
        shown = () if dice is None else unrolled(dice)
        rolled = tuple(Die(die.label, die.sides, face) for die, face in zip(shown, event.answer.face, strict=True))
        reading = "" if dice is None else read(dice.read(event.answer.face))
        result = self.result(exit)
        hidden = not self._sees(exit.seen_by)
        answered = self._figures(exit)
        told = {(line.figure, line.reason, line.cite) for figure in answered for line in figure.lines}
        node = None if self.viewer is None else self.rules.at(event.before)
        asked = event.asked if not isinstance(node, Chance) or self._sees(node.seen_by) else ()
        return Adjudication(
            self.rule(step),
            self.seats[event.seat] if event.seat else "",
            result if choice else "",
            dice.name if dice else "",
            rolled,
            HIDDEN if hidden and dice else reading,
            result,
            self.leads_to(step, exit),
            tuple(f for f in map(figure, asked) if not _repeats(f, told)),
            answered,
            tuple((exit.tally or {}).items()),
        )

    def ending(self, session: Session, state: Sequence[str] = ()) -> Ending:
        """How the session ended; `state` is the ruleset's description of the last state. Raises `ValueError`."""
        if not isinstance(session.node, End):
            raise ValueError("the overrun is not over")
        counted = tuple((name, count) for name, count in session.tally().items() if count)
        return Ending(words(session.node.outcome), self.rule(session.step), counted, tuple(state))

    def rule(self, step: Step[Any]) -> Rule:
        """The rule that a step carries out."""
        return Rule(step.id, str(step.cite), step.title, step.text, self.rules.procedures[step.procedure].title)

    def result(self, exit: Exit[Any]) -> str:
        """What an exit means: its label, or its name read as words."""
        if not self._sees(exit.seen_by):
            return words(exit.name)
        return exit.label or words(exit.id)

    def leads_to(self, step: Step[Any], exit: Exit[Any]) -> str:
        """The title of the step that an exit leads to; empty where a called procedure comes back."""
        target = self.rules.target(step.id, exit)
        return self.rules.steps[target].title if isinstance(target, str) else ""

    def _figures(self, exit: Exit[Any]) -> tuple[Figure, ...]:
        return tuple(map(figure, self._seen(exit)))

    def _seen(self, exit: Exit[Any]) -> tuple[Ledger, ...]:
        return exit.ledgers if self._sees(exit.seen_by) else ()

    def _brought(self, exit: Exit[Any]) -> str:
        """The figures that a roll brings, after the roll itself, which is the first."""
        return "".join(f", {inline(ledger.name)} {number(ledger.total)}" for ledger in self._seen(exit)[1:])

    def _final(self, exits: Sequence[Exit[Any]], every: Sequence[Exit[Any]]) -> str:
        """The band in terms of the one ledger that every result has, where totals tell the bands apart."""
        names = {exit.ledgers[0].name if exit.ledgers else "" for exit in every}
        if len(names) != 1 or names == {""} or not all(self._sees(exit.seen_by) for exit in every):
            return ""
        totals = [exit.ledgers[0].total for exit in exits]
        others = [exit.ledgers[0].total for exit in every if exit not in exits]
        if set(totals) & set(others):
            return ""
        return f"{next(iter(names))} {needs(totals, totals + others)}"

    def _sees(self, seen_by: Seat | None) -> bool:
        return seen_by is None or self.viewer is None or seen_by is self.viewer


def _repeats(figure: Figure, told: set[tuple[str, str, str]]) -> bool:
    return bool(figure.lines) and all((line.figure, line.reason, line.cite) in told for line in figure.lines)


def figure(ledger: Ledger) -> Figure:
    """A ledger with its running totals."""
    lines = []
    for count, line in enumerate(ledger.lines, 1):
        total = Ledger(ledger.name, ledger.lines[:count]).total
        lines.append(Line(_figure(line.op, line.value), line.reason, str(line.cite), number(total), line.verified))
    return Figure(ledger.name, number(ledger.total), tuple(lines))


def _figure(op: Op, value: int | Fraction) -> str:
    if op is Op.ADD:
        return number(value) if value < 0 else f"+{number(value)}"
    return f"{op} {number(value)}"


def unrolled(dice: Dice[Any]) -> tuple[Die, ...]:
    """The dice to be rolled, each with a label: the ruleset's, or its place in the row."""
    labels = dice.labels or tuple(f"die {place}" for place in range(1, len(dice.sides) + 1))
    return tuple(Die(label, sides) for label, sides in zip(labels, dice.sides, strict=True))
