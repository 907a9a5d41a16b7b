"""The pages to learn from: steps, tables, rulings and terms of each system, each rule by its number, the player aid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from overrun.drawing import svg
from overrun.drawing.chart import chart
from overrun.kernel import Cite, Ruleset, Step, Table
from overrun.play.rulebook import cases_told, coverage
from overrun.web import picture
from overrun.web.editor_page import ruleset_of
from overrun.web.glossary import GLOSSARY
from overrun.web.site import site_of

router = APIRouter(prefix="/learn", include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the rulebook and its steps."""

    title: str
    cite: str
    steps: Sequence[Step[Any]]


LONG = 9
"""Rows of a table of one column from which the aid lists them by value."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A printed table as text: heads, rows, and which cells are doubtful."""

    name: str
    title: str
    cite: str
    source: str
    confidence: str
    corner: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]]

    @property
    def wide(self) -> bool:
        """Does it need half the width of a sheet?"""
        return len(self.columns) > 3

    @property
    def by_value(self) -> list[tuple[str, str]]:
        """A long table of one column the other way round: each value with all rows that have it."""
        if len(self.columns) > 1 or len(self.rows) < LONG:
            return []
        found: dict[str, list[str]] = {}
        for head, cells in self.rows:
            text, doubt = cells[0]
            found.setdefault(text, []).append(head.replace("_", " ") + (" ?" if doubt else ""))
        return [(value, ", ".join(heads)) for value, heads in found.items()]


@router.get("")
def learn(request: Request) -> Response:
    """The systems."""
    return site_of(request).page("learn.html", {"glossary": GLOSSARY})


@router.get("/{system}")
def one(request: Request, system: str) -> Response:
    """Everything about one system."""
    site = site_of(request)
    ruleset = ruleset_of(site, system)
    view = {
        "ruleset": ruleset,
        "stages": stages(ruleset),
        "tables": [grid(table) for table in ruleset.tables()],
        "flowchart": picture.cleaned(svg.svg(chart(ruleset.rules))),
        "cites": sorted(known(ruleset)),
        "coverage": [(each, cases_told(each)) for each in coverage(ruleset) or ()],
        "glossary": GLOSSARY,
        "examples": site.library.of(ruleset.id),
    }
    return site.page("system.html", view)


@router.get("/{system}/rule")
def rule(request: Request, system: str, cite: Annotated[str, Query(max_length=120)]) -> Response:
    """What is known of one rule: the steps that carry it out, its tables and its rulings."""
    site = site_of(request)
    ruleset = ruleset_of(site, system)
    found = {
        "steps": [step for step in ruleset.rules.steps.values() if same(step.cite, cite)],
        "rulings": [ruling for ruling in ruleset.rulings if same(ruling.cite, cite)],
        "tables": [grid(table) for table in ruleset.tables() if same(table.cite, cite)],
    }
    near = [each for each in sorted(known(ruleset)) if each != cite and akin(each, cite)][:24]
    return site.page("rule.html", {"ruleset": ruleset, "cite": cite, "near": near, **found})


@router.get("/{system}/aid")
def aid(request: Request, system: str) -> Response:
    """One sheet for the table, to be printed."""
    site = site_of(request)
    ruleset = ruleset_of(site, system)
    grids = [grid(table) for table in ruleset.tables()]
    view = {"ruleset": ruleset, "stages": stages(ruleset), "tables": grids, "halves": halves(grids)}
    view["dense"] = density(ruleset, grids)
    return site.page("aid.html", view)


def halves(grids: Sequence[Grid]) -> tuple[list[Grid], list[Grid]]:
    """The wide tables in two columns of about the same height, each in the order of the rulebook."""
    columns: tuple[list[Grid], list[Grid]] = ([], [])
    heights = [0, 0]
    for each in sorted((each for each in grids if each.wide), key=lambda each: -len(each.rows)):
        lower = heights.index(min(heights))
        columns[lower].append(each)
        heights[lower] += len(each.rows) + 4
    return tuple(sorted(column, key=grids.index) for column in columns)  # type: ignore[return-value]


def density(ruleset: Ruleset, grids: Sequence[Grid]) -> str:
    """How small the aid is printed, so that it fits one sheet: by the lines that it would take in one column."""
    lines = len(ruleset.rules.steps) + 2 * len(ruleset.rules.procedures) + len(tuple(ruleset.rulings))
    for each in grids:
        rows = sum(1 + len(heads) // 40 for _, heads in each.by_value) or len(each.rows)
        lines += 3 + rows * (1 + (len(each.columns) > 12))
    return "" if lines < 120 else "dense" if lines < 210 else "dense tiny"


def stages(ruleset: Ruleset) -> list[Stage]:
    """The steps in the order of the rulebook, by stage."""
    found = []
    for procedure in ruleset.rules.procedures.values():
        steps = [step for step in ruleset.rules.steps.values() if step.procedure == procedure.id]
        found.append(Stage(procedure.title, str(procedure.cite), steps))
    return found


def grid(table: Table[Any]) -> Grid:
    """A table as text."""
    columns = [column.text for column in table.columns]
    rows = []
    for row in table.rows:
        cells = []
        for column in columns:
            value = table.cells.get((row.text, column), "")
            cells.append((shown(value), table.doubtful.get(f"{row.text}|{column}", "")))
        rows.append((row.text, cells))
    corner = f"{table.row_name} \\ {table.column_name}" if len(columns) > 1 else table.row_name
    return Grid(
        table.name, table.title, str(table.cite), table.source, table.confidence, corner.capitalize(), columns, rows
    )


def shown(value: Any) -> str:
    """A cell as it is printed."""
    if value is None or value == "":
        return "·"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list | frozenset | set):
        return " ".join(map(str, value)) or "·"
    return str(value).replace("-", "−") if isinstance(value, int) else str(value)


def known(ruleset: Ruleset) -> set[str]:
    """Every rule number that a system names in its steps, tables and rulings."""
    return {str(cite) for cite in cites(ruleset)}


def cites(ruleset: Ruleset) -> Iterator[Cite]:
    """The rules behind steps, stages, tables and rulings."""
    yield ruleset.cite
    yield from (step.cite for step in ruleset.rules.steps.values())
    yield from (procedure.cite for procedure in ruleset.rules.procedures.values())
    yield from (table.cite for table in ruleset.tables())
    yield from (ruling.cite for ruling in ruleset.rulings)


def same(cite: Cite, text: str) -> bool:
    """Is it that rule?"""
    return str(cite) == text


def akin(one: str, other: str) -> bool:
    """Do two rule numbers stand in the same chapter of the same work?

    >>> akin("V&V 19.2", "V&V 19.4"), akin("V&V 19.2", "V&V 14.6"), akin("ASL D7.1", "ASL D7.21")
    (True, False, True)
    """
    return one.partition(".")[0] == other.partition(".")[0]
