"""Exact odds under a policy, pushed forward over the arrays in whole numbers: no fraction is reduced on the way."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from overrun.analysis.errors import AnalysisError
from overrun.analysis.odds import Distribution, Odds
from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.policies import Weights


class Flow:
    """A graph under one policy.

    A row that is reached with chance c holds the whole number c x D / d, where D is the denominator of the start and d
    that of the row: what follows from the row has denominators that divide d. Passing it on multiplies whole numbers.
    """

    def __init__(self, compiled: Compiled, policy: Weights) -> None:
        self.compiled = compiled
        self.rows = self._reached(policy)
        self._denominator = dict.fromkeys(self.rows, 1)
        self._passes: dict[int, list[tuple[int, array[int], array[int], list[int]]]] = {}
        for row in self.rows:
            self._prepare(row, policy)

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

    def _prepare(self, row: int, policy: Weights) -> None:
        """The row's denominator, and for each arc by how much a whole number grows on the way along it."""
        compiled, denominator = self.compiled, self._denominator
        if compiled.seats[row] == ENDED:
            return
        options = [option for option in compiled.options(row) if policy[option]]
        chosen = sum(policy[option] for option in options)
        ahead = {o: compiled.to[compiled.arcs[o] : compiled.arcs[o + 1]] for o in options}
        needs = (compiled.totals[o] * lcm(*{denominator[to] for to in ahead[o]}) for o in options)
        denominator[row] = own = chosen * lcm(*needs)
        passes = []
        for o in options:
            first, last = compiled.arcs[o], compiled.arcs[o + 1]
            scale = own * policy[o] // (chosen * compiled.totals[o])
            grows = [
                weight * (scale // denominator[to])
                for weight, to in zip(compiled.weights[first:last], ahead[o], strict=True)
            ]
            passes.append((o, ahead[o], compiled.tally[first:last], grows))
        self._passes[row] = passes

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
            for _, to, _, grows in self._passes.get(row, ()):
                for child, grow in zip(to, grows, strict=True):
                    mass[child] += here * grow
        return mass

    def outcomes(self) -> Mapping[str, Fraction]:
        """The chance of each way to end."""
        found: dict[str, Fraction] = {}
        for row, chance in self.reach().items():
            if self.compiled.seats[row] == ENDED:
                found[self.compiled.words[row]] = found.get(self.compiled.words[row], Fraction(0)) + chance
        return dict(sorted(found.items()))

    def means(self, policy: Weights) -> dict[str, Fraction]:
        """The mean of every measure."""
        compiled, found = self.compiled, dict.fromkeys(self.compiled.measures, Fraction(0))
        reach = self.reach()
        for row, passes in self._passes.items():
            chosen = sum(policy[option] for option, _, _, _ in passes)
            for option, _, _, _ in passes:
                for name, gain in compiled.mean_gain(option).items():
                    found[name] += reach[row] * policy[option] / chosen * gain
        return found

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
            for _, to, tally, grows in self._passes.get(row, ()):
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
