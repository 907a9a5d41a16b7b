"""The flat graph: rows hold options, options hold weighted arcs, arcs lead to earlier rows (compressed sparse rows)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import lcm

from overrun.analysis.algebra import Key
from overrun.analysis.game import Game, Option
from overrun.analysis.tally import Tally
from overrun.compiled.canonical import digest
from overrun.compiled.states import pack
from overrun.kernel import RulesError, Seat

SEATS = (Seat.ATTACKER, Seat.DEFENDER)
ENDED = len(SEATS)
"""The seat of a row where nobody chooses because the overrun is over."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """A game graph without objects. Row `root`, the last one, is the start: one option, what happens before a decision.

    Row r is seat `seats[r]` (`ENDED`: `words[r]` is the outcome) at step `words[r]`; its options are `first[r]` to
    `first[r + 1]`. Option o is called `names[o]`; its arcs, `arcs[o]` to `arcs[o + 1]`, have `weights` that sum to
    `totals[o]`, lead to rows `to` and count `tallies[tally]` on the way; `gains[g]` for g from `gained[o]` to
    `gained[o + 1]` is how much of measure `gain_of[g]` they count, summed with their weights. Weights and totals are
    whole numbers of any size. `whole` is False where arcs were merged over what they count: then only means are known.
    """

    measures: tuple[str, ...]
    whole: bool
    restrictions: tuple[str, ...]
    seats: bytes
    words: tuple[str, ...]
    names: tuple[str, ...]
    tallies: tuple[Tally, ...]
    first: array[int]
    arcs: array[int]
    to: array[int]
    tally: array[int]
    gained: array[int]
    gain_of: array[int]
    weights: list[int]
    totals: list[int]
    gains: list[int]
    doubts: tuple[str, ...] = ()
    digests: array[int] = field(default_factory=lambda: array("Q"))
    states: bytes = b""
    """The states of the decisions as `states.pack` writes them, where they were asked for."""

    @property
    def root(self) -> int:
        """The row of the start."""
        return len(self.seats) - 1

    @property
    def decisions(self) -> int:
        """How many distinct decisions there are; the start is none."""
        return len(self.seats) - 1 - self.seats.count(ENDED)

    def options(self, row: int) -> range:
        """The options of a row."""
        return range(self.first[row], self.first[row + 1])

    def row(self, key: Key) -> int:
        """The row of a decision: its step and what later steps read of the state. Raises `KeyError`."""
        return self._rows[digest(key)]

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {value: row for row, value in enumerate(self.digests) if self.seats[row] != ENDED}

    @cached_property
    def denominators(self) -> list[int]:
        """For each row a number that makes every worth there whole, under every policy, once gains are whole.

        An option's worth is a sum of weight / total times worths ahead: so the total, times the common multiple of the
        denominators ahead, will do for the option, and the common multiple of its options for the row.
        """
        found: list[int] = []
        for row in range(len(self.seats)):
            found.append(lcm(*(self.totals[option] * self._ahead(option, found) for option in self.options(row))))
        return found

    def _ahead(self, option: int, denominators: Sequence[int]) -> int:
        ahead = {denominators[to] for to in self.to[self.arcs[option] : self.arcs[option + 1]]}
        return lcm(*ahead)

    @cached_property
    def shares(self) -> list[int]:
        """For each arc, what one unit of the worth ahead adds to the worth of its row, each in its own denominator."""
        found: list[int] = []
        own = self.denominators
        for row in range(len(self.seats)):
            for option in self.options(row):
                scale: dict[int, int] = {}
                each = own[row] // self.totals[option]
                for arc in range(self.arcs[option], self.arcs[option + 1]):
                    below = own[self.to[arc]]
                    if below not in scale:
                        scale[below] = each // below
                    found.append(self.weights[arc] * scale[below])
        return found


def flat(game: Game, *, states: bool = False) -> Compiled:
    """The arrays of an extracted game, with the `states` of its decisions if they shall be shown."""
    rows: list[Sequence[Option]] = [*(row.options for row in game.rows), (game.start,)]
    options = list(chain.from_iterable(rows))
    tallies: dict[Tally, int] = {(): 0}
    measures: dict[str, int] = {}
    for option in options:
        for _, counted, _ in option.arcs:
            tallies.setdefault(counted, len(tallies))
        for name in option.gains:
            measures.setdefault(name, len(measures))
    digests = array("Q", (0 if row.seat is None else digest(row.key) for row in game.rows))
    if len(set(digests)) < len(game.rows) - sum(row.seat is None for row in game.rows):
        raise RulesError("two decisions have the same digest, so this graph cannot be kept")
    return Compiled(
        measures=tuple(measures),
        whole=game.tallies,
        restrictions=tuple(restriction.name for restriction in game.restrictions),
        seats=bytes([ENDED if row.seat is None else SEATS.index(row.seat) for row in game.rows] + [0]),
        words=(*(row.outcome if row.seat is None else row.key[0] for row in game.rows), "start"),
        names=tuple(option.id for option in options),
        tallies=tuple(tallies),
        first=_offsets(rows),
        arcs=_offsets([option.arcs for option in options]),
        to=array("I", (to for option in options for _, _, to in option.arcs)),
        tally=array("I", (tallies[counted] for option in options for _, counted, _ in option.arcs)),
        gained=_offsets([option.gains for option in options]),
        gain_of=array("I", (measures[name] for option in options for name in option.gains)),
        weights=[weight for option in options for weight, _, _ in option.arcs],
        totals=[option.total for option in options],
        gains=[gain for option in options for gain in option.gains.values()],
        doubts=tuple(sorted(game.watch.doubts)),
        digests=digests,
        states=pack(game) if states else b"",
    )


def _offsets(parts: Sequence[Sequence[object] | Mapping[str, int]]) -> array[int]:
    offsets = array("I", [0])
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    return offsets
