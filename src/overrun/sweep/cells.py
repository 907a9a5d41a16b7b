"""The work of a sweep: some cells answered, on whatever machine this runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from overrun.analysis.reckon import VALUE, Find, reckon
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
    """What a worker needs to answer cells: the grid, and how to find its ruleset there."""

    find: Find
    grid: Grid


@dataclass(frozen=True, slots=True)
class Answered:
    """A chunk with a row for each of its cells, in their order, and the seconds that it took."""

    chunk: Chunk
    rows: list[dict[str, Any]]
    seconds: float


def answer(work: Work, chunk: Chunk) -> Answered:
    """Answer every cell of a chunk. A situation that is illegal is a row that says why."""
    begun = perf_counter()
    ruleset = work.find(work.grid.system)
    rows = [row(work.grid, ruleset, cell) for cell in range(chunk.start, chunk.stop)]
    return Answered(chunk, rows, perf_counter() - begun)


def row(grid: Grid, ruleset: Any, cell: int) -> dict[str, Any]:
    """One cell: its number, its values, and the measures, exact and rounded; or why it is refused."""
    values = {axis.key: plain(value) for axis, value in zip(grid.axes, grid.values(cell), strict=True)}
    found: Mapping[str, Any]
    try:
        reckoned = reckon(ruleset, grid.situation(cell), grid.terms, whole=False, means=set(grid.measures) != {VALUE})
        refused = reckoned.refused
    except InputError as error:
        refused = "; ".join(map(str, error.problems))
    if refused:
        found = {"status": "refused", "reason": refused, "first_choice": None}
        for name in grid.measures:
            found = {**found, name: None, f"{name}_exact": None}
        return {"cell": cell, **values, **found}
    found = {"status": "answered", "reason": None, "first_choice": reckoned.first}
    for name in grid.measures:
        measure = reckoned.measure(name)
        found = {**found, name: float(measure), f"{name}_exact": str(measure)}
    return {"cell": cell, **values, **found}


def plain(value: Any) -> Any:
    """A value as a table can hold it: numbers, words and truth as they are, anything else as JSON text."""
    return value if isinstance(value, int | str | bool) else json.dumps(value, sort_keys=True, default=str)
