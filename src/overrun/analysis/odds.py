"""Exact odds of a whole overrun under a policy: the distribution of every measure and of how it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from overrun.analysis.algebra import Blend, Branch, Choice, Counting, Gained, Key
from overrun.analysis.induction import Induction
from overrun.analysis.tally import ALONE, Spread, Tally, mixed
from overrun.analysis.watch import Watch
from overrun.kernel import Decision, Position, Restriction, Rules, RulesError


@dataclass(frozen=True, slots=True)
class Distribution:
    """The exact chance of each value of a measure; values that cannot happen are left out, the rest sum to 1."""

    chances: Mapping[int, Fraction]

    @property
    def mean(self) -> Fraction:
        """The expected value."""
        return sum((value * chance for value, chance in self.chances.items()), Fraction(0))

    def at_least(self, value: int) -> Fraction:
        """The chance of `value` or more."""
        return sum((chance for v, chance in self.chances.items() if v >= value), Fraction(0))

    def given(self, event: Distribution) -> Distribution | None:
        """The same, given an event without which it is 0; None where that event cannot happen.

        >>> casualties = Distribution({0: Fraction(3, 4), 2: Fraction(1, 4)})
        >>> casualties.given(Distribution({0: Fraction(1, 2), 1: Fraction(1, 2)})).chances
        {0: Fraction(1, 2), 2: Fraction(1, 2)}
        """
        happens = event.at_least(1)
        if not happens:
            return None
        chances = {value: chance / happens for value, chance in self.chances.items() if value}
        if rest := 1 - sum(chances.values()):
            chances = {0: Fraction(rest), **chances}
        return Distribution(chances)


@dataclass(frozen=True, slots=True)
class Odds:
    """The answer to "what will happen", under the policy that `policy` names. `method` is always stated."""

    policy: str
    measures: Mapping[str, Distribution]
    outcomes: Mapping[str, Fraction]
    restrictions: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    method: str = "exact"


@dataclass(frozen=True, slots=True)
class _Marginals:
    """How each measure is distributed, and the outcomes, out of the weight of that."""

    spread: Spread
    outcomes: Mapping[str, int]


class _PlayedOut:
    """The algebra of separate distributions: one pass gives every measure without their joint table."""

    counting = Counting.SEPARATE

    def end(self, outcome: str) -> _Marginals:
        return _Marginals(Spread(), {outcome: 1})

    def decide(self, key: Key, node: Decision[Any], options: Sequence[tuple[str, Tally, _Marginals]]) -> _Marginals:
        raise RulesError("odds need a policy for every decision")

    def mix(self, branches: Sequence[Branch[_Marginals]], gained: Gained) -> _Marginals:
        return self.blend([(Spread(weight).after(tally), marginals) for weight, tally, marginals in branches])

    def blend(self, branches: Sequence[Blend[_Marginals]]) -> _Marginals:
        if len(branches) == 1 and branches[0][0] == ALONE:
            return branches[0][1]
        common = lcm(*(marginals.spread.weight for _, marginals in branches))
        outcomes: dict[str, int] = {}
        spreads: list[Spread] = []
        for spread, marginals in branches:
            before = spread.weighing(spread.weight * (common // marginals.spread.weight))
            spreads.append(before.plus(marginals.spread))
            for outcome, w in marginals.outcomes.items():
                outcomes[outcome] = outcomes.get(outcome, 0) + before.weight * w
        return _Marginals(mixed(spreads), outcomes)


class Outlook:
    """Exact odds at any positions of one overrun under one policy; what two positions share is worked out once.

    `policy` is the name under which the answers state how the seats play.
    """

    def __init__(
        self,
        rules: Rules[Any],
        choice: Choice,
        policy: str,
        measures: Sequence[str],
        *,
        restrictions: Sequence[Restriction] = (),
        watch: Watch | None = None,
        live: bool = True,
    ) -> None:
        self.policy, self.measures, self.restrictions = policy, tuple(measures), tuple(restrictions)
        self._induction = Induction(rules, _PlayedOut(), choice, restrictions=restrictions, watch=watch, live=live)

    def at(self, position: Position[Any]) -> Odds:
        """The distribution of each measure and of the outcomes from a position on. Raises `TooLarge`."""
        found = self._induction.at(position)
        chances: dict[str, Distribution] = {}
        for name in self.measures:
            weights = found.spread.weights(name)
            total = sum(weights.values())
            chances[name] = Distribution({value: Fraction(weights[value], total) for value in sorted(weights)})
        return Odds(
            self.policy,
            chances,
            {outcome: Fraction(weight, found.spread.weight) for outcome, weight in sorted(found.outcomes.items())},
            tuple(restriction.name for restriction in self.restrictions),
            tuple(sorted(self._induction.watch.doubts)),
        )


def odds(
    rules: Rules[Any],
    start: Position[Any],
    choice: Choice,
    policy: str,
    measures: Sequence[str],
    *,
    restrictions: Sequence[Restriction] = (),
    watch: Watch | None = None,
    live: bool = True,
) -> Odds:
    """The exact distribution of each measure and of the outcomes when `choice` decides for both seats.

    `policy` is the name under which the answer states how the seats played. Raises `TooLarge`.
    """
    return Outlook(rules, choice, policy, measures, restrictions=restrictions, watch=watch, live=live).at(start)


class _Together:
    """The algebra of one joint table over chosen measures."""

    counting = Counting.TOGETHER

    def __init__(self, measures: Sequence[str]) -> None:
        self.measures = tuple(measures)

    def end(self, outcome: str) -> tuple[int, dict[tuple[int, ...], int]]:
        return 1, {(0,) * len(self.measures): 1}

    def decide(
        self,
        key: Key,
        node: Decision[Any],
        options: Sequence[tuple[str, Tally, tuple[int, dict[tuple[int, ...], int]]]],
    ) -> tuple[int, dict[tuple[int, ...], int]]:
        raise RulesError("odds need a policy for every decision")

    def mix(
        self, branches: Sequence[Branch[tuple[int, dict[tuple[int, ...], int]]]], gained: Gained
    ) -> tuple[int, dict[tuple[int, ...], int]]:
        common = lcm(*(total for _, _, (total, _) in branches))
        table: dict[tuple[int, ...], int] = {}
        for weight, tally, (total, cells) in branches:
            counts = dict(tally)
            shift = tuple(counts.get(name, 0) for name in self.measures)
            for values, w in cells.items():
                moved = tuple(value + more for value, more in zip(values, shift, strict=True))
                table[moved] = table.get(moved, 0) + w * weight * (common // total)
        return common * sum(weight for weight, _, _ in branches), table


def joint(
    rules: Rules[Any], start: Position[Any], choice: Choice, measures: Sequence[str], watch: Watch | None = None
) -> dict[tuple[int, ...], Fraction]:
    """The exact joint table of a few chosen measures, which can be far larger than their separate distributions."""
    total, table = Induction(rules, _Together(measures), choice, watch=watch).at(start)
    return {values: Fraction(weight, total) for values, weight in sorted(table.items())}
