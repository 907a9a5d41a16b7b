"""The work of a sweep: some cells answered, on whatever machine this runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import thread_time
from typing import Any

from overrun.analysis.graphs import Graphs
from overrun.analysis.reckon import VALUE, Find, Reckoned, reckon
from overrun.kernel import InputError
from overrun.sweep.grid import Grid


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some neighbouring cells: from `start` up to, not with, `stop`."""

    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class Work:
    """What a worker needs to answer cells: the grid, how to find its ruleset there, and where graphs may be kept."""

    find: Find
    grid: Grid
    graphs: Graphs | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """A chunk with a row for each of its cells, in their order, and the processor seconds that it took.

    These are a property of the cells; the clock would tell what else the machine was doing.
    """

    chunk: Chunk
    rows: list[dict[str, Any]]
    seconds: float


SIDES = ("value_lower", "value_upper")
"""The columns of bounds."""


def answer(work: Work, chunk: Chunk) -> Answered:
    """Answer every cell of a chunk. A situation that is illegal is a row that says why."""
    begun = thread_time()
    ruleset = work.find(work.grid.system)
    rows = [row(work.grid, ruleset, cell, work.graphs) for cell in range(chunk.start, chunk.stop)]
    return Answered(chunk, rows, thread_time() - begun)


def row(grid: Grid, ruleset: Any, cell: int, graphs: Graphs | None = None) -> dict[str, Any]:
    """One cell: its number, its values, and the measures, exact and rounded; or why it is refused.

    Where a grid asks for bounds, a cell that is too large has those of the value in columns of their own.
    """
    values = {axis.key: plain(value) for axis, value in zip(grid.axes, grid.values(cell), strict=True)}
    found: Mapping[str, Any]
    try:
        means = set(grid.measures) != {VALUE}
        reckoned = reckon(ruleset, grid.situation(cell), grid.terms, whole=False, means=means, graphs=graphs)
    except InputError as error:
        reckoned = Reckoned(refused="; ".join(map(str, error.problems)))
    if reckoned.refused:
        status = "refused" if reckoned.span == (None, None) else "bounded"
        found = {"status": status, "reason": reckoned.refused, "first_choice": None}
        for name in grid.measures:
            found = {**found, **_number(name, None)}
    else:
        found = {"status": "answered", "reason": None, "first_choice": reckoned.first or None}
        for name in grid.measures:
            found = {**found, **_number(name, reckoned.measure(name))}
    if grid.terms.widest is not None:
        for side, at in zip(SIDES, reckoned.span, strict=True):
            found = {**found, **_number(side, at)}
    return {"cell": cell, **values, **found}


def _number(name: str, value: Fraction | None) -> dict[str, Any]:
    return {name: None if value is None else float(value), f"{name}_exact": None if value is None else str(value)}


def plain(value: Any) -> Any:
    """A value as a table can hold it: numbers, words and truth as they are, anything else as JSON text."""
    return value if isinstance(value, int | str | bool) else json.dumps(value, sort_keys=True, default=str)
