"""Reading a sweep: its cells as a table for plots, and by SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overrun.kernel import InputError, Problem
from overrun.sweep.cells import plain
from overrun.sweep.parts import arrow, manifest, part_files

MOST_ROWS = 10_000
"""Rows that a question shows; a longer answer is cut, and says so."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A measure over one axis or two. `values` holds what is known: a number, or None where the cell is refused."""

    measure: str
    x: str
    xs: tuple[Any, ...]
    y: str | None
    ys: tuple[Any, ...]
    values: Mapping[tuple[Any, Any], float | None]
    missing: int


def plot(folder: Path, x: str, y: str | None, measure: str, fixed: Mapping[str, Any]) -> Plot:
    """A measure over axes; every other axis needs a value in `fixed`. Raises `InputError`."""
    asked = manifest(folder)
    axes = {axis["key"]: [plain(value) for value in axis["values"]] for axis in asked["axes"]}
    problems = [
        Problem(name, f"{key!r} is no axis of this sweep", ", ".join(axes))
        for name, key in (("--x", x), ("--y", y), *(("--where", key) for key in fixed))
        if key is not None and key not in axes
    ]
    if measure not in asked["measures"]:
        problems.append(Problem("--measure", f"{measure!r} was not measured", ", ".join(asked["measures"])))
    free = [key for key in axes if key not in {x, y, *fixed}]
    if asked["combine"] == "product" and not problems:
        problems += [
            Problem("--where", f"{key} has several values", f"{key}=VALUE with one of {', '.join(map(str, axes[key]))}")
            for key in free
            if len(axes[key]) > 1
        ]
    problems += [
        Problem("--where", f"{key} is never {value!r}", ", ".join(map(str, axes[key])))
        for key, value in fixed.items()
        if key in axes and plain(value) not in axes[key]
    ]
    if problems:
        raise InputError(problems)
    values: dict[tuple[Any, Any], float | None] = {}
    names = list(dict.fromkeys(["cell", x, *([y] if y else []), *fixed, measure]))
    for file in part_files(folder):
        for row in arrow().parquet.read_table(file, columns=names).to_pylist():
            if all(row[key] == plain(value) for key, value in fixed.items()):
                values[row[x], row[y] if y else None] = row[measure]
    expected = len(axes[x]) * (len(axes[y]) if y and asked["combine"] == "product" else 1)
    ys = tuple(axes[y]) if y else (None,)
    return Plot(measure, x, tuple(axes[x]), y, ys, values, max(0, expected - len(values)))


def query(folder: Path, sql: str) -> tuple[Sequence[str], list[tuple[Any, ...]], bool]:
    """The answer to a question in SQL about the view `cells`: column names, rows, and whether rows were left off.

    The question can read nothing else: no other file, no network. Raises `InputError` with what DuckDB finds wrong.
    """
    manifest(folder)
    try:
        import duckdb  # noqa: PLC0415  (an extra)
    except ImportError as error:
        what = "questions in SQL need the extra `cluster`, which is not installed"
        raise InputError([Problem("sweep query", what, 'pip install "overrun[cluster]"')]) from error
    arrow()
    from pyarrow import dataset  # noqa: PLC0415

    files = [str(file) for file in part_files(folder)]
    if not files:
        raise InputError([Problem(str(folder), "this sweep has no finished part yet", "run it first")])
    connection = duckdb.connect()
    connection.register("cells", dataset.dataset(files, format="parquet"))
    connection.execute("SET enable_external_access = false")
    try:
        answer = connection.execute(sql)
        if answer is None or answer.description is None:
            raise InputError([Problem("SQL", "this asks nothing", "SELECT ... FROM cells ...")])
        rows = answer.fetchmany(MOST_ROWS + 1)
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise InputError([Problem("SQL", first.rstrip("."), "SELECT ... FROM cells ...")]) from error
    names = [column[0] for column in answer.description]
    return names, rows[:MOST_ROWS], len(rows) > MOST_ROWS


def state(folder: Path) -> dict[str, Any]:
    """How far a sweep is: cells asked for, answered, refused."""
    asked = manifest(folder)
    answered = refused = bounded = 0
    for file in part_files(folder):
        column = arrow().parquet.read_table(file, columns=["status"]).column("status").to_pylist()
        answered += column.count("answered")
        refused += column.count("refused")
        bounded += column.count("bounded")
    return {"cells": asked["cells"], "answered": answered, "refused": refused, "bounded": bounded}
