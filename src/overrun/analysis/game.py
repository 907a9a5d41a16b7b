"""The extracted graph: every distinct decision once, children first; chance and automatic steps fold into arcs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from overrun.analysis.algebra import NOTHING, Branch, Choice, Counting, Gained, Key
from overrun.analysis.induction import Induction
from overrun.analysis.tally import Tally, plus
from overrun.analysis.watch import Watch
from overrun.kernel import Decision, Position, Restriction, Rules, Seat

Arc = tuple[int, Tally, int]
"""Integer weight, what is counted on the way, and the row it leads to."""


@dataclass(frozen=True, slots=True)
class Option:
    """What a seat may choose: its id, and where chance then leads. The weights of `arcs` sum to `total`.

    `gains` holds, for each measure counted on the way to the next decision, its weighted sum over the arcs: the mean is
    `gains[name] / total`.
    """

    id: str
    total: int
    arcs: tuple[Arc, ...]
    gains: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Row:
    """One distinct decision (`seat` chooses among `options`), or one way to end (`outcome`)."""

    key: Key
    seat: Seat | None
    options: tuple[Option, ...]
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class _Fan:
    """A distribution over rows and tallies, not yet in an option."""

    total: int
    weights: Mapping[tuple[int, Tally], int]
    gains: Mapping[str, int]


class _Graph:
    """The algebra whose answers are distributions over the rows of a graph that it builds."""

    def __init__(self, counting: Counting) -> None:
        self.rows: list[Row] = []
        self.counting = counting
        self._ends: dict[str, _Fan] = {}

    def end(self, outcome: str) -> _Fan:
        if outcome not in self._ends:
            self._ends[outcome] = self._fan(Row((outcome, None), None, (), outcome))
        return self._ends[outcome]

    def decide(self, key: Key, node: Decision[Any], options: Sequence[tuple[str, Tally, _Fan]]) -> _Fan:
        row = Row(key, node.seat, tuple(option(id, self.mix([(1, tally, fan)], NOTHING)) for id, tally, fan in options))
        return self._fan(row)

    def mix(self, branches: Sequence[Branch[_Fan]], gained: Gained) -> _Fan:
        if len(branches) == 1 and not branches[0][1] and not gained:
            return branches[0][2]
        common = lcm(*{fan.total for _, _, fan in branches})
        weights: dict[tuple[int, Tally], int] = {}
        gains = {name: count * common for name, count in gained.items()}
        for weight, tally, fan in branches:
            scale = weight * (common // fan.total)
            shifts = tally and self.counting is Counting.TOGETHER
            for place, w in fan.weights.items():
                if shifts:
                    place = place[0], plus(tally, place[1])  # noqa: PLW2901
                weights[place] = weights.get(place, 0) + w * scale
            for name, gain in fan.gains.items():
                gains[name] = gains.get(name, 0) + gain * scale
            for name, count in tally:
                gains[name] = gains.get(name, 0) + count * weight * common
        return _Fan(common * sum(weight for weight, _, _ in branches), weights, gains)

    def _fan(self, row: Row) -> _Fan:
        self.rows.append(row)
        return _Fan(1, {(len(self.rows) - 1, ()): 1}, {})


def option(id: str, fan: _Fan) -> Option:
    """A distribution as an option, in lowest terms."""
    common = gcd(fan.total, *fan.weights.values(), *fan.gains.values())
    return Option(
        id,
        fan.total // common,
        tuple((weight // common, tally, row) for (row, tally), weight in fan.weights.items()),
        {name: gain // common for name, gain in fan.gains.items()},
    )


class Game:
    """The game graph under a start position. `start` is what happens before the first decision.

    `rows` come children first. With `tallies=False` arcs are merged over what is counted on the way: that is smaller
    and keeps every mean but not the distributions. `restrictions` cut options by name; answers must name them. Where
    `choice` plays for a seat there is no decision: what it chooses is chance like any other.
    Raises `TooLarge` when it outgrows `watch`.
    """

    def __init__(
        self,
        rules: Rules[Any],
        start: Position[Any],
        *,
        choice: Choice | None = None,
        restrictions: Sequence[Restriction] = (),
        watch: Watch | None = None,
        tallies: bool = True,
        live: bool = True,
    ) -> None:
        graph = _Graph(Counting.TOGETHER if tallies else Counting.MEANS)
        induction = Induction(rules, graph, choice, restrictions=restrictions, watch=watch, live=live)
        self.start = option("start", induction.at(start))
        self.rules, self.rows, self.restrictions, self.tallies = rules, graph.rows, tuple(restrictions), tallies
        self.watch = induction.watch

    @property
    def decisions(self) -> int:
        """How many distinct decisions there are."""
        return sum(row.seat is not None for row in self.rows)

    @property
    def arcs(self) -> int:
        """How many weighted arcs lead on from all options."""
        return sum(len(option.arcs) for row in self.rows for option in row.options) + len(self.start.arcs)

    def minimal(self) -> int:
        """How few decisions would do: rows that no option, tally or successor tells apart count once (bisimulation)."""
        classes: dict[Any, int] = {}
        of: list[int] = []
        for row in self.rows:
            merged: list[tuple[str, frozenset[tuple[tuple[Tally, int], Fraction]]]] = []
            for each in row.options:
                fan: dict[tuple[Tally, int], int] = {}
                for weight, tally, child in each.arcs:
                    fan[tally, of[child]] = fan.get((tally, of[child]), 0) + weight
                merged.append((each.id, frozenset((to, Fraction(w, each.total)) for to, w in fan.items())))
            of.append(classes.setdefault((row.outcome, row.seat, tuple(merged)), len(classes)))
        return len({of[i] for i, row in enumerate(self.rows) if row.seat is not None})
