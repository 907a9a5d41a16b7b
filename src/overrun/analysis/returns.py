"""How a called procedure comes back, as an answer like any other: it is worked out once for each distinct sub-state."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import gcd, lcm
from typing import Any
from weakref import WeakKeyDictionary

from overrun.analysis.algebra import Blend, Branch, Counting, Gained, Key
from overrun.analysis.tally import ALONE, Spread, Tally, mixed, plus
from overrun.kernel import Decision, Reads, Returned, RulesError

Alike = Sequence[tuple[Returned, Sequence[tuple[Tally, int]]]]
"""Returns with the tallies that each can have, and their weights."""


@dataclass(frozen=True)
class Runs:
    """How a called procedure can come back: each return and tally with its integer weight, out of `total`.

    Where only means are needed no tally tells returns apart, and `gained` sums up what all of them count. Where each
    measure is counted for itself, `spreads` holds that for each return, out of its weight, instead of `weights`.
    """

    total: int
    weights: Mapping[tuple[Returned, Tally], int]
    gained: Gained = field(default_factory=dict)
    spreads: Mapping[Returned, Spread] = field(default_factory=dict)

    @cached_property
    def by_return(self) -> Alike:
        """The same, each return once with its tallies and their weights."""
        grouped: dict[Returned, list[tuple[Tally, int]]] = {}
        for (back, tally), weight in self.weights.items():
            grouped.setdefault(back, []).append((tally, weight))
        return tuple((back, tuple(tallies)) for back, tallies in grouped.items())

    def alike(self, reads: Reads | None) -> Alike:
        """The same, but of returns that read alike the first stands for all."""
        if reads is None:
            return self.by_return
        known = self._alike.get(reads)
        if known is None:
            known = self._alike[reads] = self._grouped(reads)
        return known

    @cached_property
    def _alike(self) -> WeakKeyDictionary[Reads, Alike]:
        """What was found for each reader, for as long as it lives: rules ask with the same one over and over."""
        return WeakKeyDictionary()

    def _grouped(self, reads: Reads) -> Alike:
        grouped: dict[Hashable, tuple[Returned, dict[Tally, int]]] = {}
        for back, tallies in self.by_return:
            _, into = grouped.setdefault(reads(back), (back, {}))
            for tally, weight in tallies:
                into[tally] = into.get(tally, 0) + weight
        return [(back, list(into.items())) for back, into in grouped.values()]

    def spread_alike(self, reads: Reads | None) -> Iterable[tuple[Returned, Spread]]:
        """The returns with their spreads; of returns that read alike the first stands for all."""
        if reads is None:
            return self.spreads.items()
        grouped: dict[Hashable, tuple[Returned, list[Spread]]] = {}
        for back, spread in self.spreads.items():
            grouped.setdefault(reads(back), (back, []))[1].append(spread)
        return [(back, mixed(spreads)) for back, spreads in grouped.values()]


@dataclass(frozen=True, slots=True)
class Returns:
    """The algebra of a called procedure: which of its open exits, in which sub-state, and what is counted."""

    counting: Counting = Counting.TOGETHER

    def end(self, outcome: str) -> Runs:
        """Raises `RulesError`: a procedure may only return."""
        raise RulesError(f"a called procedure ended the overrun ({outcome}); it may only return")

    def decide(self, key: Key, node: Decision[Any], options: Sequence[tuple[str, Tally, Runs]]) -> Runs:
        """Raises `RulesError`: a procedure is pure chance."""
        raise RulesError(f"{key[0]}: a called procedure must be pure chance, and {node.seat} decides here")

    def mix(self, branches: Sequence[Branch[Runs]], gained: Gained) -> Runs:
        """The returns of all branches, equal ones once."""
        if len(branches) == 1 and not branches[0][1] and not gained:
            return branches[0][2]
        common = lcm(*(runs.total for _, _, runs in branches))
        weights: dict[tuple[Returned, Tally], int] = {}
        gains = {name: count * common for name, count in gained.items()}
        for weight, tally, runs in branches:
            scale = weight * (common // runs.total)
            for (returned, more), w in runs.weights.items():
                key = returned, plus(tally, more)
                weights[key] = weights.get(key, 0) + w * scale
            for name, count in runs.gained.items():
                gains[name] = gains.get(name, 0) + count * scale
        return Runs(common * sum(weight for weight, _, _ in branches), weights, gains)

    def blend(self, branches: Sequence[Blend[Runs]]) -> Runs:
        """The same where each measure is counted for itself."""
        if len(branches) == 1 and branches[0][0] == ALONE:
            return branches[0][1]
        common = lcm(*(runs.total for _, runs in branches))
        found: dict[Returned, list[Spread]] = {}
        for spread, runs in branches:
            before = spread.weighing(spread.weight * (common // runs.total))
            for returned, more in runs.spreads.items():
                found.setdefault(returned, []).append(before.plus(more))
        spreads = [(returned, mixed(parts)) for returned, parts in found.items()]
        least = gcd(*(spread.weight for _, spread in spreads))
        lowest = {returned: spread.weighing(spread.weight // least) for returned, spread in spreads}
        return Runs(sum(spread.weight for spread in lowest.values()), {}, {}, lowest)


def came_back(returned: Returned) -> Runs:
    """The one way to come back where a procedure returns."""
    return Runs(1, {(returned, ()): 1}, spreads={returned: Spread()})
