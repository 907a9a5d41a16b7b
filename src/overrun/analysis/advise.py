"""Advice: the exact worth of every option at each decision that comes up, and what each mistake costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from overrun.analysis.answer import Pricing, Terms, exact
from overrun.analysis.induction import Key
from overrun.analysis.policy import Style, told
from overrun.analysis.worth import Worth
from overrun.kernel import Decision, Exit, InputError, Position, Seat
from overrun.play.session import Event, Said, Session

TIES = "the option that the rules offer first"
"""How best play chooses among options of equal worth."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """An option: its worth to the seat that chooses, how much less that is than the best, and whether it is best.

    `share` is the regret as a part of the size of the best option's worth; None where that is 0.
    """

    id: str
    label: str
    worth: Fraction
    regret: Fraction
    share: Fraction | None

    @property
    def best(self) -> bool:
        """Is no option better?"""
        return self.regret == 0


@dataclass(frozen=True, slots=True)
class Advice:
    """One decision: where the rules ask it, who decides, how likely it comes up, and its options as they are offered.

    `key` is the step and what later steps read of the state there.
    """

    key: Key
    seat: Seat
    reached: Fraction
    options: tuple[Weighed, ...]

    @property
    def best(self) -> Weighed:
        """What is played: the first of the best options."""
        return next(option for option in self.options if option.best)

    @property
    def tied(self) -> tuple[Weighed, ...]:
        """All the best options, when there are several."""
        best = tuple(option for option in self.options if option.best)
        return best if len(best) > 1 else ()


@dataclass(frozen=True, slots=True)
class Compared:
    """What both seats can expect when they play in a named way; `problem` says why it cannot be told."""

    play: str
    values: tuple[Fraction, Fraction] | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice that a log holds, its regret, and what would have been best."""

    number: int
    event: Event
    advice: Advice
    took: Weighed


def advice(pricing: Pricing) -> list[Advice]:
    """Every decision that comes up when the seats play as stated, the likeliest first. Raises `TooLarge`."""
    solution, rules = pricing.solution, pricing.ruleset.rules
    game = solution.game
    reached: dict[int, Fraction] = {}
    for weight, _, child in game.start.arcs:
        reached[child] = reached.get(child, Fraction(0)) + Fraction(weight, game.start.total)
    found: list[Advice] = []
    # Rows come children first, so every way to a row is summed up before the row is looked at.
    for number in range(len(game.rows) - 1, -1, -1):
        row = game.rows[number]
        chance = reached.pop(number, None)
        if chance is None or row.seat is None:
            continue
        judged = solution.judged(row.key)
        labels = labelled(rules.steps[row.key[0]].body(row.key[1]))
        weighed = tuple(_weighed(option.id, labels, option.worth, option.regret) for option in judged)
        found.append(Advice(row.key, row.seat, chance, weighed))
        best = next(option for option in row.options if option.id == solution.best[row.key])
        for weight, _, child in best.arcs:
            reached[child] = reached.get(child, Fraction(0)) + chance * Fraction(weight, best.total)
    return sorted(found, key=lambda one: -one.reached)


def here(worth: Worth, position: Position[Any], node: Decision[Any]) -> Advice:
    """Advice at one position of play, whatever the way to it."""
    mine = 0 if node.seat is Seat.ATTACKER else 1
    worths = [worth.after(position, exit)[mine] for exit in node.options]
    best, labels = max(worths), labelled(node)
    options = (_weighed(exit.id, labels, value, best - value) for exit, value in zip(node.options, worths, strict=True))
    return Advice((position.step, position.state), node.seat, Fraction(1), tuple(options))


def mistakes(pricing: Pricing, session: Session) -> list[Chosen]:
    """Each choice of a played session with its regret against best play from there on."""
    rules = pricing.ruleset.rules
    worth = Worth(rules, pricing.terms.payoff, restrictions=pricing.restrictions, watch=pricing.watch)
    found: list[Chosen] = []
    for number, event in enumerate(session.events, 1):
        node = rules.at(event.before)
        if event.answer.said is Said.CHOICE and isinstance(node, Decision):
            told_here = here(worth, event.before, node)
            took = next(option for option in told_here.options if option.id == event.exit.id)
            found.append(Chosen(number, event, told_here, took))
    return found


def compare(pricing: Pricing, session: Session | None = None) -> list[Compared]:
    """Best play of both seats, the stated plan, each seat's plan against the best reply, and the choices of a log."""
    ways: list[Mapping[Seat, Style]] = [dict.fromkeys(Seat, Style.BEST)]
    if pricing.situation.plan:
        ways.append(dict.fromkeys(Seat, Style.PLAN))
        ways += [{seat: Style.PLAN, seat.other: Style.BEST} for seat in Seat]
    found = [_compared(pricing, styles) for styles in ways]
    if session is not None:
        found.append(Compared("log", _as_logged(pricing, session)))
    return found


def _compared(pricing: Pricing, styles: Mapping[Seat, Style]) -> Compared:
    terms, play = pricing.terms, told(styles)
    if styles == terms.styles:
        return Compared(play, pricing.solution.value)
    other = Terms(terms.payoff, styles, terms.restrictions, terms.row_limit, terms.megabyte_limit)
    try:
        return Compared(play, Pricing(pricing.ruleset, pricing.situation, other).solution.value)
    except InputError as error:
        return Compared(play, None, str(error.problems[0]))


def _as_logged(pricing: Pricing, session: Session) -> tuple[Fraction, Fraction]:
    """The value of making the choices of a log wherever its decisions come up, and of best play elsewhere."""
    rules = pricing.ruleset.rules
    logged = {
        (event.before.step, rules.live(event.before.step, event.before.state)): event.exit.id
        for event in session.events
        if event.answer.said is Said.CHOICE
    }

    def choice(key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        return [(exit, 1) for exit in node.options if exit.id == logged.get(key)]

    worth = Worth(rules, pricing.terms.payoff, choice, restrictions=pricing.restrictions, watch=pricing.watch)
    return worth.at(pricing.situation.start)


def labelled(node: Any) -> dict[str, str]:
    """What a player reads on each option of a decision."""
    return {exit.id: exit.label for exit in node.options} if isinstance(node, Decision) else {}


def _weighed(id: str, labels: Mapping[str, str], worth: Fraction, regret: Fraction) -> Weighed:
    best = worth + regret
    return Weighed(id, labels.get(id, ""), worth, regret, regret / abs(best) if best else None)


# ---------------------------------------------------------------------- as documents


def document(
    pricing: Pricing, decisions: Sequence[Advice], compared: Sequence[Compared], chosen: Sequence[Chosen] = ()
) -> dict[str, Any]:
    """The documented answer (`docs/json-answers.md`)."""
    ruleset, terms = pricing.ruleset, pricing.terms
    found = {
        "system": ruleset.id,
        "ruleset_version": ruleset.version,
        "situation": pricing.situation.title,
        "method": "exact",
        "policy": told(terms.styles),
        "payoff": terms.payoff.name,
        "zero_sum": terms.payoff.defender is None,
        "ties": TIES,
        "values": {str(seat): exact(value) for seat, value in pricing.values.items()},
        "decisions": [_decision(pricing, one) for one in decisions],
        "comparison": [
            {
                "play": one.play,
                "values": one.values and {str(s): exact(v) for s, v in zip(Seat, one.values, strict=True)},
            }
            | ({"problem": one.problem} if one.problem else {})
            for one in compared
        ],
        "restrictions": list(terms.restrictions),
        "bound": bool(terms.restrictions),
        "not_verified": list(pricing.doubts),
    }
    if chosen:
        found["choices"] = [
            {"entry": one.number, "took": one.took.id, **_decision(pricing, one.advice)} for one in chosen
        ]
    return found


def _decision(pricing: Pricing, one: Advice) -> dict[str, Any]:
    step = pricing.ruleset.rules.steps[one.key[0]]
    return {
        "step": step.id,
        "title": step.title,
        "cite": str(step.cite),
        "seat": str(one.seat),
        "reached": exact(one.reached),
        "best": one.best.id,
        "tied": [option.id for option in one.tied],
        "options": [
            {
                "id": option.id,
                "label": option.label,
                "worth": exact(option.worth),
                "regret": exact(option.regret),
                "regret_percent": None if option.share is None else float(option.share * 100),
            }
            for option in one.options
        ],
    }
