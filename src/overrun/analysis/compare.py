"""Ways to play compared: best play, the stated plan, the best reply to it, and the choices that a log holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from overrun.analysis.advice import judged_option
from overrun.analysis.algebra import Key
from overrun.analysis.answer import Pricing, exact
from overrun.analysis.errors import TooLarge
from overrun.analysis.policy import Style, told
from overrun.analysis.solve import Judged
from overrun.analysis.worth import Worth
from overrun.kernel import Decision, Exit, InputError, Position, Problem, Seat
from overrun.play.session import Event, Said, Session


@dataclass(frozen=True, slots=True)
class Compared:
    """What attacker and defender can expect when they play in a named way; `problem` says why it cannot be told."""

    play: str
    values: tuple[Fraction, Fraction] | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice that a log holds: the number of its event, each option judged, and which one was taken."""

    number: int
    event: Event
    seat: Seat
    options: tuple[Judged, ...]
    labels: tuple[str, ...]
    took: Judged

    @property
    def best(self) -> Judged:
        """What best play takes."""
        return next(option for option in self.options if option.regret == 0)


def judged_here(worth: Worth, position: Position[Any], node: Decision[Any]) -> tuple[Judged, ...]:
    """Each option at one position of play, whatever the way to it, with its worth and regret."""
    mine = 0 if node.seat is Seat.ATTACKER else 1
    worths = [worth.after(position, exit)[mine] for exit in node.options]
    best = max(worths)
    return tuple(Judged(exit.id, value, best - value) for exit, value in zip(node.options, worths, strict=True))


def choices(pricing: Pricing, session: Session) -> list[Chosen]:
    """Each choice of a played session with its regret against best play of both seats from there on.

    Raises `InputError` where the pricing leaves out a rule: play had it.
    """
    _same_game(pricing)
    rules = pricing.ruleset.rules
    worth = Worth(rules, pricing.terms.payoff, restrictions=pricing.restrictions, watch=pricing.watch)
    found: list[Chosen] = []
    for number, event in enumerate(session.events, 1):
        node = rules.at(event.before)
        if event.answer.said is Said.CHOICE and isinstance(node, Decision):
            options = judged_here(worth, event.before, node)
            took = next(option for option in options if option.id == event.exit.id)
            labels = tuple(exit.label for exit in node.options)
            found.append(Chosen(number, event, node.seat, options, labels, took))
    return found


def compare(pricing: Pricing, session: Session | None = None) -> list[Compared]:
    """Best play of both seats, the stated plan, each seat's plan against the best reply, and the choices of a log.

    Raises `InputError` for a log where the pricing leaves out a rule: play had it.
    """
    if session is not None:
        _same_game(pricing)
    ways: list[Mapping[Seat, Style]] = [dict.fromkeys(Seat, Style.BEST)]
    if pricing.situation.plan:
        ways.append(dict.fromkeys(Seat, Style.PLAN))
        ways += [{seat: Style.PLAN, seat.other: Style.BEST} for seat in Seat]
    found = [_compared(pricing, styles) for styles in ways]
    if session is not None:
        found.append(Compared("log", _as_logged(pricing, session)))
    return found


def _same_game(pricing: Pricing) -> None:
    if left_out := ", ".join(pricing.terms.simplified):
        raise InputError([Problem("simplify", f"a log is of the whole game, and {left_out} is not", "none with a log")])


def _compared(pricing: Pricing, styles: Mapping[Seat, Style]) -> Compared:
    play = told(styles)
    if styles == pricing.terms.styles:
        return Compared(play, pricing.solution.value)
    try:
        other = Pricing(
            pricing.ruleset, pricing.situation, replace(pricing.terms, styles=styles), graphs=pricing.graphs
        )
        return Compared(play, other.solution.value)
    except InputError as error:
        return Compared(play, None, str(error.problems[0]))
    except TooLarge as error:
        return Compared(play, None, str(error))


def _as_logged(pricing: Pricing, session: Session) -> tuple[Fraction, Fraction]:
    """The value of making the choices of a log wherever its decisions come up, and of best play elsewhere."""
    rules = pricing.ruleset.rules.under(pricing.restrictions)
    logged = {
        (event.before.step, rules.live(event.before.step, event.before.state)): event.exit.id
        for event in session.events
        if event.answer.said is Said.CHOICE
    }

    def choice(key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        return [(exit, 1) for exit in node.options if exit.id == logged.get(key)]

    worth = Worth(rules, pricing.terms.payoff, choice, restrictions=pricing.restrictions, watch=pricing.watch)
    return worth.at(pricing.situation.start)


def compared_document(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """The comparison as documents hold it (`docs/json-answers.md`)."""
    return [
        {"play": one.play, "values": one.values and {str(s): exact(v) for s, v in zip(Seat, one.values, strict=True)}}
        | ({"problem": one.problem} if one.problem else {})
        for one in compared
    ]


def choices_document(chosen: Sequence[Chosen]) -> list[dict[str, Any]]:
    """The choices of a log as documents hold them (`docs/json-answers.md`)."""
    return [
        {
            "event": one.number,
            "step": one.event.step.id,
            "cite": str(one.event.step.cite),
            "title": one.event.step.title,
            "seat": str(one.seat),
            "took": one.took.id,
            "best": one.best.id,
            "options": [judged_option(option, label) for option, label in zip(one.options, one.labels, strict=True)],
        }
        for one in chosen
    ]
