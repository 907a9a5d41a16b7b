"""What the sweep tests share: a grid over the test ruleset, and the cells of a folder in one canonical form."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from overrun.analysis.answer import Terms
from overrun.sweep.cells import Work
from overrun.sweep.grid import Axis, Combine, Grid
from overrun.sweep.parts import part_files
from tests.rulesets.skirmish import STARTER, find, skirmish

AXES = (Axis("forces.men", (1, 2, 3)), Axis("forces.aim", (0, 2, 4, 13)), Axis("rulings.exact_roll", ("hit", "miss")))


def grid(axes: tuple[Axis, ...] = AXES, combine: Combine = Combine.PRODUCT, **changes: object) -> Grid:
    terms = Terms(skirmish.payoff())
    asked = {"system": "skirmish", "stamp": "1", "document": tomllib.loads(STARTER), "terms": terms}
    return Grid(**(asked | {"measures": ("value", "men_hit"), "combine": combine, "axes": axes} | changes))


def work(**changes: object) -> Work:
    return Work(find, grid(**changes))


def cells(folder: Path) -> list[dict]:
    return [row for file in part_files(folder) for row in pq.read_table(file).to_pylist()]


def canonical(folder: Path) -> bytes:
    """All cells of all parts, sorted, as bytes: equal for equal answers, however they were cut into parts."""
    table = pa.concat_tables([pq.read_table(file) for file in part_files(folder)]).sort_by("cell").combine_chunks()
    numbers = table.column("cell").to_pylist()
    assert numbers == sorted(set(numbers))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()
