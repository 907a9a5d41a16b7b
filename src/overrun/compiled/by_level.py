"""The search of `modular` with numpy: all rows of one distance from the end at a time."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.modular import SLACK, Search


class Level:
    """Rows that only lead to rows of earlier levels, with their options and arcs one after the other."""

    def __init__(self, compiled: Compiled, rows: list[int]) -> None:
        first, arcs = compiled.first, compiled.arcs
        options = [option for row in rows for option in range(first[row], first[row + 1])]
        self.rows, self.options = np.array(rows), np.array(options)
        self.counts = np.array([first[row + 1] - first[row] for row in rows])
        self.starts = np.cumsum(self.counts) - self.counts
        self.lines = np.repeat(np.arange(len(rows)), self.counts)
        self.arcs = np.array([arc for option in options for arc in range(arcs[option], arcs[option + 1])])
        sizes = np.array([arcs[option + 1] - arcs[option] for option in options])
        self.arc_starts = np.cumsum(sizes) - sizes
        self.slack = (sizes + len(compiled.measures) + 8) * SLACK
        self.seats = np.array([compiled.seats[row] for row in rows])


@lru_cache(maxsize=8)
def levels(compiled: Compiled) -> tuple[Level, ...]:
    """The levels of a graph, nearest the end first; the rows where the overrun is over are in none."""
    height: list[int] = []
    rows: dict[int, list[int]] = {}
    for row, seat in enumerate(compiled.seats):
        if seat == ENDED:
            height.append(0)
            continue
        begin, end = compiled.arcs[compiled.first[row]], compiled.arcs[compiled.first[row + 1]]
        height.append(1 + max(map(height.__getitem__, compiled.to[begin:end])))
        rows.setdefault(height[row], []).append(row)
    return tuple(Level(compiled, rows[level]) for level in sorted(rows))


def search(compiled: Compiled, found: Search) -> None:
    """Fill in what is best at every row."""
    arrays, wants = found.arrays, range(len(found.want.weights))
    for level in levels(compiled):
        to = arrays.to[level.arcs]
        chance, shares = arrays.chances[level.arcs], found.shares[level.arcs]
        worths, errors, rests = [], [], []
        for which in wants:
            ahead = found.worth[which, to]
            size = np.add.reduceat(chance * np.abs(ahead), level.arc_starts) + found.gain_size[which, level.options]
            spread = np.add.reduceat(chance * found.error[which, to], level.arc_starts)
            worths.append(np.add.reduceat(chance * ahead, level.arc_starts) + found.gain[which, level.options])
            errors.append(spread * (1 + 2.0**-20) + level.slack * size)
            rest = shares * found.rest[which, to] % found.moduli
            summed = np.add.reduceat(rest, level.arc_starts, axis=0) + found.gain_rest[which, level.options]
            rests.append(summed % found.moduli)
        chosen = _choose(level, found, worths, errors, rests)
        found.chosen[level.rows] = level.options[chosen]
        for which in wants:
            found.worth[which, level.rows] = worths[which][chosen]
            found.error[which, level.rows] = errors[which][chosen]
            found.rest[which, level.rows] = rests[which][chosen]


def _choose(level: Level, found: Search, worths: list[Any], errors: list[Any], rests: list[Any]) -> Any:
    """For each row of the level the place of its best option among the level's options."""
    which, sign = found.asks[level.seats[level.lines]].T
    places = np.arange(len(level.options))
    worth, error = np.array(worths)[which, places] * sign, np.array(errors)[which, places]
    least = np.maximum.reduceat(worth - error, level.starts)
    contends = worth + error >= least[level.lines]
    chosen = np.minimum.reduceat(np.where(contends, places, len(places)), level.starts)
    rest = np.array(rests)[which, places]
    differs = contends & (rest != rest[chosen[level.lines]]).any(axis=1)
    for line in np.flatnonzero(np.logical_or.reduceat(differs, level.starts)).tolist():
        start = level.starts[line]
        contenders = [place for place in range(start, start + level.counts[line]) if contends[place]]
        chosen[line] = found.decided(
            int(level.rows[line]), contenders, [rest[place] for place in contenders], int(sign[start])
        )
    return chosen
