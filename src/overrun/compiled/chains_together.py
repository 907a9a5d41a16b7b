"""Sampling with numpy: many chains take each step together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from overrun.compiled.draws import GOLDEN, MASK, Draws, mixed
from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.montecarlo import Counts, counted

TOGETHER = 2**16


def played(compiled: Compiled, table: Draws, measures: Sequence[str], overruns: int, seed: int) -> Counts:
    """What the chains of a seed come to."""
    first, threshold = np.array(table.first, dtype=np.uint64), np.array(table.threshold, dtype=np.uint64)
    arcs, others = np.array(table.arc, dtype=np.int64), np.array(table.other, dtype=np.int64)
    to, tally = np.array(compiled.to, dtype=np.int64), np.array(compiled.tally, dtype=np.int64)
    over = np.frombuffer(compiled.seats, dtype=np.uint8) == ENDED
    more = np.array(counted(compiled, measures), dtype=np.int64).reshape(len(compiled.tallies), len(measures))
    sums, squares = np.zeros(len(measures), dtype=np.int64), np.zeros(len(measures), dtype=np.int64)
    ends = np.zeros(len(over), dtype=np.int64)
    golden, half, low = np.uint64(GOLDEN), np.uint64(32), np.uint64(0xFFFFFFFF)
    seeded = np.uint64(mixed(seed & MASK))
    for begin in range(0, overruns, TOGETHER):
        chains = np.arange(begin, min(begin + TOGETHER, overruns), dtype=np.uint64)
        state = _mixed(seeded + chains * golden)
        rows = np.full(len(chains), compiled.root, dtype=np.int64)
        totals = np.zeros((len(chains), len(measures)), dtype=np.int64)
        going = np.flatnonzero(~over[rows])
        while len(going):
            state[going] += golden
            draw, here = _mixed(state[going]), rows[going]
            column = (first[here] + ((draw >> half) * (first[here + 1] - first[here]) >> half)).astype(np.int64)
            arc = np.where((draw & low) < threshold[column], arcs[column], others[column])
            rows[going] = to[arc]
            totals[going] += more[tally[arc]]
            going = going[~over[rows[going]]]
        sums += totals.sum(axis=0)
        squares += (totals * totals).sum(axis=0)
        ends += np.bincount(rows, minlength=len(ends))
    return Counts(sums.tolist(), squares.tolist(), {int(row): int(ends[row]) for row in np.flatnonzero(ends)})


def _mixed(number: Any) -> Any:
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))
