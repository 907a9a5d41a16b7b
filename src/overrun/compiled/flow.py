"""Exact odds under a policy, pushed forward over the arrays in whole numbers: no fraction is reduced on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from overrun.analysis.errors import AnalysisError
from overrun.analysis.odds import Distribution, Odds
from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.policies import Weights

_Pass = tuple[int, int, Sequence[int], Sequence[int], Sequence[int]]
"""An option that is taken: its number, its share of the row; of its arcs where to, what they count and add."""


class Flow:
    """A graph under one policy.

    A row that is reached with chance c holds the whole number c x D / d, where D is the denominator of the start and d
    that of the row: what follows from the row has denominators that divide d. Passing it on multiplies whole numbers.
    """

    def __init__(self, compiled: Compiled, policy: Weights) -> None:
        self.compiled = compiled
        self.rows = self._reached(policy)
        self._denominator: dict[int, int] = dict.fromkeys(self.rows, 1)
        self._passes: dict[int, list[_Pass]] = {}
        prepare = self._sure if max(policy, default=1) == 1 and self._one_each(policy) else self._mixed
        for row in self.rows:
            if compiled.seats[row] != ENDED:
                self._passes[row] = prepare(row, policy)

    def _one_each(self, policy: Weights) -> bool:
        first = self.compiled.first
        return all(sum(policy[first[row] : first[row + 1]]) == 1 for row in self.rows if first[row] < first[row + 1])

    def _reached(self, policy: Weights) -> list[int]:
        """Every row that can be reached, the nearest the end first."""
        compiled, reached = self.compiled, bytearray(len(self.compiled.seats))
        reached[compiled.root] = 1
        for row in range(compiled.root, -1, -1):
            if reached[row] and compiled.seats[row] != ENDED:
                for option in compiled.options(row):
                    if policy[option]:
                        for to in compiled.to[compiled.arcs[option] : compiled.arcs[option + 1]]:
                            reached[to] = 1
        return [row for row, there in enumerate(reached) if there]

    def _sure(self, row: int, policy: Weights) -> list[_Pass]:
        """What a row passes on where every seat always takes one option: the graph knows it for every such policy."""
        compiled = self.compiled
        self._denominator[row] = own = compiled.denominators[row]
        option = policy.index(1, compiled.first[row])
        arcs = slice(compiled.arcs[option], compiled.arcs[option + 1])
        return [
            (option, own // compiled.totals[option], compiled.to[arcs], compiled.tally[arcs], compiled.shares[arcs])
        ]

    def _mixed(self, row: int, policy: Weights) -> list[_Pass]:
        """What a row passes on where options are drawn: their weights come into the denominators of this policy."""
        compiled, denominator = self.compiled, self._denominator
        options = [option for option in compiled.options(row) if policy[option]]
        chosen = sum(policy[option] for option in options)
        arcs = {option: slice(compiled.arcs[option], compiled.arcs[option + 1]) for option in options}
        needs = (compiled.totals[o] * lcm(*{denominator[to] for to in compiled.to[arcs[o]]}) for o in options)
        denominator[row] = own = chosen * lcm(*needs)
        passes: list[_Pass] = []
        for option in options:
            scale, to = own * policy[option] // (chosen * compiled.totals[option]), compiled.to[arcs[option]]
            weights = compiled.weights[arcs[option]]
            grows = [weight * (scale // denominator[child]) for weight, child in zip(weights, to, strict=True)]
            passes.append((option, scale, to, compiled.tally[arcs[option]], grows))
        return passes

    def reach(self) -> dict[int, Fraction]:
        """The chance of each row that can be reached; for an end, of ending so."""
        mass = self._mass()
        whole = self._denominator[self.compiled.root]
        return {row: Fraction(mass[row] * self._denominator[row], whole) for row in self.rows}

    def _mass(self) -> dict[int, int]:
        mass = dict.fromkeys(self.rows, 0)
        mass[self.compiled.root] = 1
        for row in reversed(self.rows):
            here = mass[row]
            for _, _, to, _, grows in self._passes.get(row, ()):
                for child, grow in zip(to, grows, strict=True):
                    mass[child] += here * grow
        return mass

    def outcomes(self) -> Mapping[str, Fraction]:
        """The chance of each way to end."""
        mass, whole, compiled = self._mass(), self._denominator[self.compiled.root], self.compiled
        found: dict[str, int] = {}
        for row in self.rows:
            if compiled.seats[row] == ENDED:
                found[compiled.words[row]] = found.get(compiled.words[row], 0) + mass[row]
        return {outcome: Fraction(found[outcome], whole) for outcome in sorted(found)}

    def means(self) -> dict[str, Fraction]:
        """The mean of every measure."""
        compiled, mass = self.compiled, self._mass()
        sums = [0] * len(compiled.measures)
        for row, passes in self._passes.items():
            for option, scale, _, _, _ in passes:
                for g in range(compiled.gained[option], compiled.gained[option + 1]):
                    sums[compiled.gain_of[g]] += mass[row] * scale * compiled.gains[g]
        whole = self._denominator[compiled.root]
        return {name: Fraction(total, whole) for name, total in zip(compiled.measures, sums, strict=True)}

    def distribution(self, measure: str) -> Distribution:
        """The exact chance of each value of a measure. Raises `AnalysisError` where the graph knows means only."""
        compiled = self.compiled
        if not compiled.whole:
            raise AnalysisError("This graph was made for means only; extract it whole to ask for distributions.")
        shift = [dict(tally).get(measure, 0) for tally in compiled.tallies]
        mass: dict[int, dict[int, int]] = {row: {} for row in self.rows}
        mass[compiled.root] = {0: 1}
        for row in reversed(self.rows):
            here = mass[row]
            for _, _, to, tally, grows in self._passes.get(row, ()):
                for child, counted, grow in zip(to, tally, grows, strict=True):
                    into, more = mass[child], shift[counted]
                    for value, weight in here.items():
                        into[value + more] = into.get(value + more, 0) + weight * grow
        whole = self._denominator[compiled.root]
        found: dict[int, int] = {}
        for row in self.rows:
            if compiled.seats[row] == ENDED:
                for value, weight in mass[row].items():
                    found[value] = found.get(value, 0) + weight
        return Distribution({value: Fraction(found[value], whole) for value in sorted(found)})


def odds(compiled: Compiled, policy: Weights, name: str, measures: Sequence[str]) -> Odds:
    """The exact distribution of each measure and of the outcomes, as `analysis.odds.odds` gives them from the rules."""
    flow = Flow(compiled, policy)
    return Odds(
        name,
        {measure: flow.distribution(measure) for measure in measures},
        flow.outcomes(),
        compiled.restrictions,
        compiled.doubts,
    )
