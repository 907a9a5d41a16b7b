"""Luck: what each roll of a played overrun needed, how surprising it was, and how far it moved the value.

The check of each seat's dice. For its rolls i = 1..n that could move the value, let `rank` u(i) be the chance, before
the roll, of a result worth less to that seat, plus half the chance of one worth the same. With fair dice each u(i) has
mean 1/2 whatever was rolled before, and no more spread than a uniform number, so for S = u(1) + ... + u(n)

    chance(|S - n/2| >= t) <= 2 exp(-6 t^2 / n)        (uniform numbers are sub-Gaussian with variance 1/12)

holds for every n, although which rolls come up depends on earlier ones. The alarm rings where the right side, at the t
that was met, is at most 1/100: |S - n/2| >= 0.9397 sqrt(n). So it scales with the number of rolls, and fewer than four
rolls never ring it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log2
from typing import Any

from overrun.analysis.answer import Pricing, exact
from overrun.analysis.worth import Worth
from overrun.kernel import Chance, Exit, Seat
from overrun.play.session import Event, Session

ALARM = 0.01
"""The largest chance of a false alarm, for each seat."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """One roll. Values and moves are in points of the seat that rolled.

    `chance` is that of the exit it led to, in the same words; `worse` and `same` are those of a result worth less or as
    much to the seat.
    """

    number: int
    event: Event
    seat: Seat
    chance: Fraction
    before: Fraction
    after: Fraction
    worse: Fraction
    same: Fraction
    spread: Fraction
    """The variance of the value over all results of the dice."""

    @property
    def moved(self) -> Fraction:
        """How far the roll moved the value for the seat that rolled."""
        return self.after - self.before

    @property
    def surprise(self) -> float:
        """In bits: 0 for a certain result, 1 for an even chance, one more each time the chance halves."""
        return -log2(self.chance) + 0.0

    @property
    def rank(self) -> Fraction:
        """The chance of a result worth less, plus half the chance of one worth the same; 1/2 where all are equal."""
        return self.worse + self.same / 2

    @property
    def counts(self) -> bool:
        """Could the roll move the value at all?"""
        return self.spread != 0


@dataclass(frozen=True, slots=True)
class Total:
    """The rolls of one seat together. `chance` bounds how often fair dice stray as far from the middle as these."""

    seat: Seat
    rolls: int
    counted: int
    moved: Fraction
    surprise: float
    ranks: Fraction
    chance: float

    @property
    def alarm(self) -> bool:
        """Would fair dice do this at most once in a hundred logs?"""
        return self.chance <= ALARM


def luck(pricing: Pricing, session: Session) -> list[Rolled]:
    """Every roll that stands in a session, valued as if both seats played as the terms say from there on."""
    rules = pricing.ruleset.rules
    worth = Worth(rules, pricing.terms.payoff, pricing.fixed, restrictions=pricing.restrictions, watch=pricing.watch)
    found: list[Rolled] = []
    for number, event in enumerate(session.events, 1):
        node = rules.at(event.before)
        if event.dice is None or not isinstance(node, Chance):
            continue
        mine, total = (0 if node.seat is Seat.ATTACKER else 1), node.dice.total
        results = [(weight, values[mine]) for _, weight, values in worth.rolls(event.before, node)]
        before = sum((weight * value for weight, value in results), Fraction(0)) / total
        after = worth.after(event.before, event.exit)[mine]
        same_exit = sum(w for value, w in node.dice.outcomes if _told(node.then(value)) == _told(event.exit))
        found.append(
            Rolled(
                number,
                event,
                node.seat,
                Fraction(same_exit, total),
                before,
                after,
                Fraction(sum(weight for weight, value in results if value < after), total),
                Fraction(sum(weight for weight, value in results if value == after), total),
                sum((weight * (value - before) ** 2 for weight, value in results), Fraction(0)) / total,
            )
        )
    return found


def _told(exit: Exit[Any]) -> tuple[str, str]:
    """What tells results apart for a player: the exit, and its words."""
    return exit.name, exit.label or exit.id


def totals(rolls: Sequence[Rolled]) -> list[Total]:
    """For each seat its rolls together, and the check of its dice."""
    found: list[Total] = []
    for seat in Seat:
        own = [roll for roll in rolls if roll.seat is seat]
        counted = [roll for roll in own if roll.counts]
        ranks = sum((roll.rank for roll in counted), Fraction(0))
        found.append(
            Total(
                seat,
                len(own),
                len(counted),
                sum((roll.moved for roll in own), Fraction(0)),
                sum(roll.surprise for roll in own),
                ranks,
                bound(len(counted), ranks),
            )
        )
    return found


def bound(rolls: int, ranks: Fraction) -> float:
    """The most likely that fair dice can be to give ranks whose sum strays this far from half their number.

    >>> bound(0, Fraction(0)), bound(4, Fraction(2)), round(bound(24, Fraction(24)), 6)
    (1.0, 1.0, 0.0)
    """
    if not rolls:
        return 1.0
    stray = float(abs(ranks - Fraction(rolls, 2)))
    return min(1.0, 2 * exp(-6 * stray * stray / rolls))


def document(pricing: Pricing, rolls: Sequence[Rolled], needed: Sequence[str]) -> dict[str, Any]:
    """The documented answer (`docs/json-answers.md`); `needed` says in words what each roll had to show."""
    ruleset, terms = pricing.ruleset, pricing.terms
    return {
        "system": ruleset.id,
        "ruleset_version": ruleset.version,
        "situation": pricing.situation.title,
        "method": "exact",
        "payoff": terms.payoff.name,
        "rolls": [
            {
                "entry": roll.number,
                "step": roll.event.step.id,
                "title": roll.event.step.title,
                "seat": str(roll.seat),
                "dice": list(roll.event.answer.face),
                "exit": roll.event.exit.id,
                "needed": words,
                "chance": exact(roll.chance),
                "surprise_bits": roll.surprise,
                "value_before": exact(roll.before),
                "value_after": exact(roll.after),
                "moved": exact(roll.moved),
                "rank": exact(roll.rank),
            }
            for roll, words in zip(rolls, needed, strict=True)
        ],
        "totals": {
            str(total.seat): {
                "rolls": total.rolls,
                "rolls_that_count": total.counted,
                "moved": exact(total.moved),
                "surprise_bits": total.surprise,
                "ranks": exact(total.ranks),
                "expected_ranks": exact(Fraction(total.counted, 2)),
                "chance_bound": total.chance,
                "alarm": total.alarm,
            }
            for total in totals(rolls)
        },
        "not_verified": list(pricing.doubts),
    }
