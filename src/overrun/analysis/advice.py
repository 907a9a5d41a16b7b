"""The best option at each decision, and what each other one costs: best play made readable."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from overrun.analysis.answer import Pricing, exact
from overrun.analysis.policy import told
from overrun.analysis.solve import Judged
from overrun.kernel import Decision, Position, Seat, Step

TIES = "the option that the rules offer first"
"""How best play chooses among options of equal worth."""


@dataclass(frozen=True, slots=True)
class Advised:
    """One decision: the chance that it comes up under best play, and each option judged, in the order of the rules.

    The chance is 0 where it takes a worse choice to get there. `state` is what later steps read of the state there,
    which is all that the advice depends on.
    """

    step: Step[Any]
    state: Any
    seat: Seat
    chance: Fraction
    options: tuple[Judged, ...]
    labels: tuple[str, ...]

    @property
    def best(self) -> str:
        """The id of the option to take; of equal ones the first that the rules offer."""
        return next(option.id for option in self.options if option.regret == 0)

    @property
    def tied(self) -> tuple[str, ...]:
        """The ids of all the best options, when there are several."""
        best = tuple(option.id for option in self.options if option.regret == 0)
        return best if len(best) > 1 else ()


def advice(pricing: Pricing, most: int | None = None) -> tuple[tuple[Advised, ...], int]:
    """The `most` likeliest decisions of a seat that plays its best, and how many there are. Raises `TooLarge`.

    Those that come up under best play go first; then those that only a worse choice leads to, in the order of their
    chance if every option were taken equally often.
    """
    game = pricing.solution.game
    along, anyhow = _reach(pricing, best=True), _reach(pricing, best=False)
    order = [index for index, row in enumerate(game.rows) if row.seat is not None]
    order.sort(key=lambda index: (-along[index], -anyhow[index], -index))
    return tuple(_advised(pricing, index, along[index]) for index in order[:most]), len(order)


def _reach(pricing: Pricing, *, best: bool) -> list[Fraction]:
    """The chance that each row comes up under best play, or with every option taken equally often."""
    solution, game = pricing.solution, pricing.solution.game
    rows, start = game.rows, game.start
    chances = [Fraction(0)] * len(rows)
    for weight, _, child in start.arcs:
        chances[child] += Fraction(weight, start.total)
    # Rows come children first, so from the last to the first every row is met before what it leads to.
    for index in range(len(rows) - 1, -1, -1):
        row, chance = rows[index], chances[index]
        if row.seat is None or not chance:
            continue
        taken = [option for option in row.options if not best or option.id == solution.taken(index)]
        for option in taken:
            for weight, _, child in option.arcs:
                chances[child] += chance * weight / (option.total * len(taken))
    return chances


def _advised(pricing: Pricing, index: int, chance: Fraction) -> Advised:
    rules, row = pricing.ruleset.rules, pricing.solution.game.rows[index]
    step, state = row.key
    node = rules.at(Position(step, state))
    assert isinstance(node, Decision)
    assert row.seat is not None
    names = {exit.id: exit.label for exit in node.options}
    judged = pricing.solution.judged(row.key)
    labels = tuple(names.get(option.id, "") for option in judged)
    return Advised(rules.steps[step], state, row.seat, chance, judged, labels)


def advice_document(pricing: Pricing, most: int | None = None) -> dict[str, Any]:
    """The documented answer (`docs/json-answers.md`): the worth of the overrun and the likeliest decisions judged."""
    ruleset, terms = pricing.ruleset, pricing.terms
    shown, every = advice(pricing, most)
    return {
        "system": ruleset.id,
        "ruleset_version": ruleset.version,
        "situation": pricing.situation.title,
        "method": "exact",
        "policy": told(terms.styles),
        "payoff": terms.payoff.name,
        "zero_sum": terms.payoff.defender is None,
        "ties": TIES,
        "worth": {str(seat): exact(worth) for seat, worth in pricing.values.items()},
        "decisions": [_decision(each) for each in shown],
        "decisions_left_out": every - len(shown),
        "restrictions": list(terms.restrictions),
        "bound": bool(terms.restrictions),
        "simplified": list(terms.simplified),
        "not_verified": list(pricing.doubts),
    }


def _decision(each: Advised) -> dict[str, Any]:
    options = [judged_option(option, label) for option, label in zip(each.options, each.labels, strict=True)]
    head = {"step": each.step.id, "cite": str(each.step.cite), "title": each.step.title, "seat": str(each.seat)}
    return {**head, "chance": exact(each.chance), "best": each.best, "tied": list(each.tied), "options": options}


def judged_option(option: Judged, label: str) -> dict[str, Any]:
    """A judged option as documents hold it."""
    share = relative(option)
    return {
        "id": option.id,
        "label": label,
        "worth": exact(option.worth),
        "regret": exact(option.regret),
        "regret_percent": None if share is None else float(share * 100),
    }


def relative(option: Judged) -> Fraction | None:
    """The regret as a part of the size of the best option's worth; None where that worth is 0."""
    best = option.worth + option.regret
    return option.regret / abs(best) if best else None
