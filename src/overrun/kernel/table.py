"""Printed tables: a bare grid in CSV beside a TOML header that says what it is and how far to trust it."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import pairwise
from typing import Generic, TypeVar

from overrun.kernel.cite import Cite
from overrun.kernel.errors import RulesError
from overrun.kernel.modifiers import Modifier, Number, Op
from overrun.kernel.revision import IN_FORCE

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Label:
    """A row or column head: a word, or a range of numbers such as `7`, `29-40`, `41+` or `<=0`."""

    text: str
    low: float
    high: float

    @classmethod
    def read(cls, text: str) -> Label:
        """Read a printed head. A head that is no range matches its own text only."""
        body = text.strip()
        try:
            if body.startswith("<="):
                return cls(body, float("-inf"), int(body[2:]))
            if body.startswith(">="):
                return cls(body, int(body[2:]), float("inf"))
            if body.endswith("+"):
                return cls(body, int(body[:-1]), float("inf"))
            low, dash, high = body.partition("-")
            return cls(body, int(low), int(high) if dash else int(low))
        except ValueError:
            return cls(body, float("nan"), float("nan"))

    def matches(self, key: Number | str) -> bool:
        """Does a figure fall under this head?"""
        return key == self.text if isinstance(key, str) else self.low <= key <= self.high


@dataclass(frozen=True, slots=True)
class Cell(Generic[V]):
    """A looked-up value and where it stands in the table."""

    value: V
    row: str
    column: str
    reason: str
    cite: Cite
    verified: bool

    def line(self, value: Number) -> Modifier:
        """The look-up as a ledger line that sets the running total to `value`."""
        return Modifier(value, self.reason, self.cite, Op.IS, self.verified)


@dataclass(frozen=True)
class Table(Generic[V]):
    """A validated grid. `at` finds a cell by row and column and says which ones it used."""

    name: str
    title: str
    cite: Cite
    source: str
    confidence: str
    row_name: str
    column_name: str
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    cells: Mapping[tuple[str, str], V]
    doubtful: Mapping[str, str] = field(default_factory=dict)

    def at(self, row: Number | str, column: Number | str) -> Cell[V]:
        """The cell under two heads. Raises `RulesError` when the table has no such row or column."""
        r, c = self._head(self.rows, row, self.row_name), self._head(self.columns, column, self.column_name)
        reason = f"{self.title}: {self.row_name} {r.text}, {self.column_name} {c.text}"
        value, place = self.cells[r.text, c.text], f"{r.text}|{c.text}"
        if (revision := IN_FORCE.get()) is not None:
            value = revision.figure(f"{self.name}[{place}]", value)
            revision.shown.add(f"{reason} ({self.cite})")
        return Cell(value, r.text, c.text, reason, self.cite, place not in self.doubtful)

    def _head(self, heads: tuple[Label, ...], key: Number | str, name: str) -> Label:
        for head in heads:
            if head.matches(key):
                return head
        raise RulesError(f"{self.title}: no {name} {key} among {', '.join(head.text for head in heads)}")


def load(package: str, name: str, cell: Callable[[str], V]) -> Table[V]:
    """Read `name.csv` and `name.toml` of a package; `cell` reads one printed cell and raises `ValueError` for nonsense.

    The header holds `title, work, section, source, confidence, row, column`, optional `doubtful` cells ("row|column" =
    reason) and `[checks]`: `range = [low, high]`, `along_row` and `down_column` = "up" or "down" (never turning back).
    """
    folder = files(package)
    header = tomllib.loads(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    grid = list(csv.reader(folder.joinpath(f"{name}.csv").read_text(encoding="utf-8").splitlines()))
    columns = tuple(Label.read(text) for text in grid[0][1:])
    cells: dict[tuple[str, str], V] = {}
    for line in grid[1:]:
        row = Label.read(line[0])
        if len(line) != len(grid[0]):
            raise RulesError(f"{name}.csv, row {row.text}: {len(line) - 1} cells under {len(columns)} columns")
        for column, text in zip(columns, line[1:], strict=True):
            try:
                cells[row.text, column.text] = cell(text.strip())
            except ValueError as error:
                raise RulesError(f"{name}.csv, row {row.text}, column {column.text}: {error}") from error
    table = Table(
        name,
        header["title"],
        Cite(header["work"], header["section"]),
        header["source"],
        header["confidence"],
        header["row"],
        header["column"],
        tuple(Label.read(line[0]) for line in grid[1:]),
        columns,
        cells,
        header.get("doubtful", {}),
    )
    _check(table, header.get("checks", {}))
    return table


def _check(table: Table[V], checks: Mapping[str, object]) -> None:
    match checks.get("range"):
        case [int(low), int(high)]:
            for (row, column), value in table.cells.items():
                if isinstance(value, int) and not low <= value <= high:
                    raise RulesError(f"{table.name}.csv, row {row}, column {column}: {value} is not in {low}..{high}")
    rows, columns = [row.text for row in table.rows], [column.text for column in table.columns]
    lines = {
        "along_row": [[(row, column) for column in columns] for row in rows],
        "down_column": [[(row, column) for row in rows] for column in columns],
    }
    for check, paths in lines.items():
        if (direction := checks.get(check)) is None:
            continue
        for path in paths:
            for before, after in pairwise(path):
                one, two = table.cells[before], table.cells[after]
                if isinstance(one, int) and isinstance(two, int) and (one > two if direction == "up" else one < two):
                    raise RulesError(
                        f"{table.name}.csv, row {after[0]}, column {after[1]}: {two} turns back after {one}"
                    )
