"""Sampling with numba: each chain to its end, in machine code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit

from overrun.compiled.draws import GOLDEN, MASK, Draws, mixed
from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.montecarlo import Counts, counted

_GOLDEN = np.uint64(GOLDEN)
_ONE, _TWO = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32, _LOW = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32), np.uint64(0xFFFFFFFF)


@njit(inline="always")
def _stirred(number: Any) -> Any:
    number = (number ^ (number >> _30)) * _ONE
    number = (number ^ (number >> _27)) * _TWO
    return number ^ (number >> _31)


@njit(cache=True)
def _chains(seeded: Any, overruns: int, root: int, graph: Any, counts: Any) -> None:
    over, first, threshold, to, tally = graph
    more, sums, squares, ends = counts
    totals = np.zeros(more.shape[1], np.int64)
    for chain in range(overruns):
        state = _stirred(seeded + np.uint64(chain) * _GOLDEN)
        row = root
        totals[:] = 0
        while not over[row]:
            state += _GOLDEN
            draw = _stirred(state)
            begin = first[row]
            width = np.uint64(first[row + 1] - begin)
            column = begin + np.int64((draw >> _32) * width >> _32)
            side = 0 if (draw & _LOW) < threshold[column] else 1
            what = tally[column, side]
            if what:
                for index in range(len(totals)):
                    totals[index] += more[what, index]
            row = to[column, side]
        ends[row] += 1
        for index in range(len(totals)):
            sums[index] += totals[index]
            squares[index] += totals[index] * totals[index]


def played(compiled: Compiled, table: Draws, measures: Sequence[str], overruns: int, seed: int) -> Counts:
    """What the chains of a seed come to."""
    both = np.array([table.arc, table.other], dtype=np.int64).T.copy()
    to, tally = np.array(compiled.to, dtype=np.int32)[both], np.array(compiled.tally, dtype=np.int32)[both]
    over = np.frombuffer(compiled.seats, dtype=np.uint8) == ENDED
    first, threshold = np.array(table.first, dtype=np.int64), np.array(table.threshold, dtype=np.uint64)
    more = np.array(counted(compiled, measures), dtype=np.int64).reshape(len(compiled.tallies), len(measures))
    sums, squares = np.zeros(len(measures), dtype=np.int64), np.zeros(len(measures), dtype=np.int64)
    ends = np.zeros(len(over), dtype=np.int64)
    graph, counts = (over, first, threshold, to, tally), (more, sums, squares, ends)
    _chains(np.uint64(mixed(seed & MASK)), overruns, compiled.root, graph, counts)
    return Counts(sums.tolist(), squares.tolist(), {int(row): int(ends[row]) for row in np.flatnonzero(ends)})
