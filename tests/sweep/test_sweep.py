"""Sweeps: every cell once and right, in one process or several, interrupted, damaged, contested, or out of room."""

import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from multiprocessing import forkserver
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from overrun.analysis import keypath
from overrun.analysis.answer import Terms
from overrun.analysis.game import Game
from overrun.compiled import graphs as compiled_graphs
from overrun.compiled.graphs import FromCache
from overrun.kernel import InputError, Payoff
from overrun.sweep import grid as grids
from overrun.sweep import show
from overrun.sweep.cells import Chunk, answer
from overrun.sweep.executors import Here, Pool
from overrun.sweep.grid import Axis, Combine
from overrun.sweep.parts import Parts, gaps, part_files
from overrun.sweep.run import LARGEST, Cutter, Progress, carry_out
from tests.disks import READ_ONLY, SMALL, run_on
from tests.oracles.histories import best
from tests.rulesets.skirmish import find, skirmish
from tests.sweep.sweeps import AXES, canonical, cells, grid, work


@pytest.fixture
def serial(tmp_path: Path) -> Path:
    folder = tmp_path / "serial"
    carry_out(work(), folder, Here())
    return folder


# ---------------------------------------------------------------------- what cells hold


def test_every_cell_is_answered_as_whole_histories_say(serial: Path) -> None:
    rows = cells(serial)
    assert [row["cell"] for row in rows] == list(range(24))
    for row in rows:
        places = {key: row[key] for key in ("forces.men", "forces.aim", "rulings.exact_roll")}
        if places["forces.aim"] == 13:
            assert row["status"] == "refused"
            assert row["reason"].startswith("forces.aim: 13 is not possible here")
            assert row["value"] is row["value_exact"] is row["first_choice"] is None
            continue
        document = grid().document
        for key, value in places.items():
            document = keypath.changed(document, keypath.parse(key), value)
        value = best(skirmish.rules, skirmish.load(document).start, skirmish.payoff().weights)
        assert (row["status"], row["reason"]) == ("answered", None)
        assert Fraction(row["value_exact"]) == value
        assert row["value"] == float(value)
        assert row["first_choice"].startswith("start: ")


def test_the_last_axis_runs_fastest_and_zip_goes_side_by_side() -> None:
    asked = grid()
    assert [asked.values(cell) for cell in (0, 1, 2, 23)] == [
        (1, 0, "hit"),
        (1, 0, "miss"),
        (1, 2, "hit"),
        (3, 13, "miss"),
    ]
    beside = grid((Axis("forces.men", (1, 2)), Axis("forces.aim", (3, 4))), Combine.ZIP)
    assert [beside.values(cell) for cell in range(beside.cells)] == [(1, 3), (2, 4)]


def test_only_what_is_measured_is_worked_out() -> None:
    answered = answer(work(measures=("value",)), Chunk(0, 2))
    assert set(answered.rows[0]) == {
        "cell",
        *(axis.key for axis in AXES),
        "status",
        "reason",
        "first_choice",
        "value",
        "value_exact",
    }


# ---------------------------------------------------------------------- in parts


def test_processes_give_the_same_bytes(serial: Path, tmp_path: Path) -> None:
    pool = Pool(2)
    try:
        carry_out(work(), tmp_path / "pool", pool)
    finally:
        pool.close()
    assert canonical(tmp_path / "pool") == canonical(serial)


class Keeping(FromCache):
    """The cache, keeping every graph however small."""

    def best(self, asked, payoff, watch):
        compiled_graphs.WORTH_ASKING = compiled_graphs.WORTH_KEEPING = 0.0  # in whatever process this is
        return super().best(asked, payoff, watch)


def test_kept_graphs_give_the_same_bytes(serial: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WORTH_ASKING", "WORTH_KEEPING"):
        monkeypatch.setattr(compiled_graphs, name, getattr(compiled_graphs, name))  # set back after this test
    asked = dataclasses.replace(work(), graphs=Keeping(tmp_path / "cache"))
    pool = Pool(2)
    try:
        carry_out(asked, tmp_path / "first", pool)
    finally:
        pool.close()
    # No two cells are the same situation, and those that are illegal have no graph.
    kept = {path.name for path in (tmp_path / "cache").iterdir()}
    assert len(kept) == sum(row["status"] == "answered" for row in cells(serial))
    monkeypatch.setattr(Game, "__init__", None)  # whoever extracts now fails
    carry_out(asked, tmp_path / "second", Here())
    assert canonical(tmp_path / "first") == canonical(tmp_path / "second") == canonical(serial)
    other = work(terms=Terms(Payoff("men only", "", {"men_hit": 1})))
    carry_out(dataclasses.replace(other, graphs=asked.graphs), tmp_path / "other payoff", Here())
    assert {path.name for path in (tmp_path / "cache").iterdir()} == kept


class Dies:
    """Answers some chunks, then is interrupted."""

    workers = 1

    def __init__(self, after: int) -> None:
        self.after = after

    def run(self, work, chunks: Iterator[Chunk]):
        for number, chunk in enumerate(chunks):
            if number == self.after:
                raise KeyboardInterrupt
            yield answer(work, chunk)

    def close(self) -> None: ...


def test_an_interrupted_sweep_goes_on(serial: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overrun.sweep.run.SHORTEST", 0.0)  # several chunks of these cheap cells
    folder = tmp_path / "resumed"
    for after in (1, 0, 2):
        with pytest.raises(KeyboardInterrupt):
            carry_out(work(), folder, Dies(after))
    kept = {file.name: file.stat().st_mtime_ns for file in part_files(folder)}
    assert len(kept) == 3
    seen: list[Progress] = []
    carry_out(work(), folder, Here(), on_progress=seen.append)
    assert canonical(folder) == canonical(serial)
    assert {name: (folder / "parts" / name).stat().st_mtime_ns for name in kept} == kept
    assert seen[-1].done == 24
    assert sum(1 for progress in seen) == len(list(part_files(folder))) - 3
    assert carry_out(work(), folder, Here()) == Progress(24, 24, 0, 0.0)


def dies_once(system: str):
    """Kills its process unless another has been killed already: the marker is in the environment of the test."""
    marker = Path(os.environ["OVERRUN_TEST_MARKER"])
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return find(system)


def dies_always(system: str):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_is_replaced(serial: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERRUN_TEST_MARKER", str(tmp_path / "marker"))
    forkserver._forkserver._stop()  # a new one, which knows the marker
    pool, asked = Pool(2), work()
    try:
        carry_out(type(asked)(dies_once, asked.grid), tmp_path / "killed", pool)
        assert (tmp_path / "marker").exists()
        assert canonical(tmp_path / "killed") == canonical(serial)
        with pytest.raises(InputError, match="process was lost 3 times"):
            carry_out(type(asked)(dies_always, asked.grid), tmp_path / "again", pool)
    finally:
        pool.close()


DRIVER = """
import os, sys
from pathlib import Path
from overrun.sweep.executors import Pool
from tests.sweep.sweeps import work
from overrun.sweep.run import carry_out

if __name__ == "__main__":
    pool = Pool(2)
    def told(progress):
        print(*(pool._pool._processes or {}), flush=True)
    carry_out(work(), Path(sys.argv[1]), pool, on_progress=told)
"""


def test_workers_end_with_a_killed_driver(tmp_path: Path) -> None:
    (tmp_path / "driver.py").write_text(DRIVER)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    driver = subprocess.Popen(
        [sys.executable, str(tmp_path / "driver.py"), str(tmp_path / "out")], env=environment, stdout=subprocess.PIPE
    )
    assert driver.stdout is not None
    workers = [int(pid) for pid in driver.stdout.readline().split()]
    assert workers
    driver.kill()
    driver.wait()
    driver.stdout.close()
    end = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < end, "workers without a driver live on"
        time.sleep(0.1)


# ---------------------------------------------------------------------- what can go wrong with a folder


def test_two_sweeps_into_one_folder(serial: Path, tmp_path: Path) -> None:
    with Parts(tmp_path / "busy", grid()), pytest.raises(InputError, match="another sweep is writing into this folder"):
        carry_out(work(), tmp_path / "busy", Here())
    before = canonical(serial)
    other = work(axes=(Axis("forces.men", (1, 2)),))
    with pytest.raises(InputError, match=r"another sweep \(different: cells, axes\); nothing was touched"):
        carry_out(other, serial, Here())
    with pytest.raises(InputError, match=r"different: rules\)"):
        carry_out(work(stamp="2"), serial, Here())
    assert canonical(serial) == before


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty and holds no sweep"):
        carry_out(work(), tmp_path, Here())
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("harm", ["cut", "garbage", "other cells", "other sweep", "twice"])
def test_damaged_parts_are_named_and_answered_again_when_told_to(serial: Path, harm: str, tmp_path: Path) -> None:
    whole = canonical(serial)
    part = list(part_files(serial))[-1]
    table = pq.read_table(part)
    if harm == "cut":
        part.write_bytes(part.read_bytes()[:-9])
    elif harm == "garbage":
        part.write_bytes(b"PAR1 nothing PAR1")
    elif harm == "other cells":
        pq.write_table(table.slice(0, table.num_rows - 1), part)
    elif harm == "other sweep":
        pq.write_table(table.replace_schema_metadata({"sweep": "x"}), part)
    else:
        first = next(iter(part_files(serial)))
        shutil.copy(first, first.with_name("part-000000000-000000001.parquet.copy"))
        stop = first.stem.split("-")[2]
        both = answer(work(), Chunk(0, int(stop) + 1))
        with Parts(serial, grid()) as parts:
            parts.keep(both)
    names = sorted(file.name for file in part_files(serial))
    message = "stand in two parts" if harm == "twice" else "this part is damaged: .*nothing was touched"
    with pytest.raises(InputError, match=message):
        carry_out(work(), serial, Here())
    assert sorted(file.name for file in part_files(serial)) == names
    if harm != "twice":
        carry_out(work(), serial, Here(), redo_damaged=True)
        assert canonical(serial) == whole
        assert part.with_suffix(".damaged").exists()


def test_half_written_parts_are_swept_away(serial: Path) -> None:
    (serial / "parts" / ".abc.writing").write_bytes(b"half")
    carry_out(work(), serial, Here())
    assert not (serial / "parts" / ".abc.writing").exists()


FULL = """
import shutil, sys
from pathlib import Path
from overrun.kernel import InputError
from overrun.sweep.parts import part_files
from overrun.sweep.run import carry_out
from tests.sweep.test_sweep import LARGER, ByOne, work

small, roomy = map(Path, sys.argv[1:])
try:
    carry_out(work(axes=LARGER), small / "sweep", ByOne())
except InputError as error:
    print(error)
print(len(list(part_files(small / "sweep"))), len(list((small / "sweep" / "parts").glob(".*"))))
shutil.copytree(small / "sweep", roomy)
"""
LARGER = (Axis("forces.men", tuple(range(1, 7))), Axis("forces.aim", tuple(range(7))), *AXES[2:])


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    told = run_on(SMALL, tmp_path / "small", FULL, tmp_path / "small", tmp_path / "roomy").splitlines()
    assert "the disk is full; every finished part is safe" in told[0]
    parts, leftovers = map(int, told[1].split())
    assert 0 < parts < 84
    assert leftovers == 0
    seen: list[Progress] = []
    carry_out(work(axes=LARGER), tmp_path / "roomy", Here(), on_progress=seen.append)
    assert seen[-1].here == 84 - parts
    carry_out(work(axes=LARGER), tmp_path / "straight", Here())
    assert canonical(tmp_path / "roomy") == canonical(tmp_path / "straight")


class ByOne:
    """Answers here, cell by cell."""

    workers = 1

    def run(self, work, chunks: Iterator[Chunk]):
        for chunk in chunks:
            for cell in range(chunk.start, chunk.stop):
                yield answer(work, Chunk(cell, cell + 1))

    def close(self) -> None: ...


UNWRITABLE = """
import sys
from pathlib import Path
from overrun.kernel import InputError
from overrun.sweep.executors import Here
from overrun.sweep.run import carry_out
from tests.sweep.sweeps import work

for folder in sys.argv[1:]:
    try:
        carry_out(work(), Path(folder), Here())
    except InputError as error:
        print(error)
"""


def test_a_folder_that_cannot_be_written(serial: Path, tmp_path: Path) -> None:
    place = tmp_path / "readonly"
    shutil.copytree(serial, place / "begun")
    before = canonical(place / "begun")
    last = list(part_files(place / "begun"))[-1]
    last.unlink()
    told = run_on(READ_ONLY, place, UNWRITABLE, place / "new", place / "begun").splitlines()
    assert len(told) == 2
    for line in told:
        assert "it cannot be written: Read-only file system; every finished part is safe" in line
        assert "Allowed: a folder that can be written" in line
    carry_out(work(), place / "begun", Here())
    assert canonical(place / "begun") == before


# ---------------------------------------------------------------------- chunks


def test_chunks_grow_to_half_a_second_and_shrink_towards_the_end() -> None:
    cutter = Cutter([Chunk(0, 10_000)], workers=2)
    sizes = []
    for chunk in cutter:
        sizes.append(len(chunk))
        cutter.learn(len(chunk), 0.001 * len(chunk))
    assert sum(sizes) == 10_000
    assert sizes[0] == 1
    assert 500 in sizes
    assert max(sizes) == 500
    assert 400 > sizes[-2] > 99  # towards the end a tenth of a second each, and then the rest
    assert sizes[-1] <= 100
    cheap = Cutter([Chunk(0, 10**6)], workers=1)
    cheap.learn(1, 1e-9)
    assert len(next(iter(cheap))) == LARGEST


def test_gaps_are_what_is_missing() -> None:
    assert gaps([], 3) == [Chunk(0, 3)]
    assert gaps([Chunk(0, 3)], 3) == []
    assert gaps([Chunk(1, 2)], 4) == [Chunk(0, 1), Chunk(2, 4)]


# ---------------------------------------------------------------------- the grid file


GRID = """
base = "a.toml"
[[axis]]
key = "forces.men"
from = 1
to = 5
step = 2
"""


def test_a_grid_file_is_read() -> None:
    found = grids.read(tomllib.loads(GRID))
    assert found.axes == (Axis("forces.men", (1, 3, 5)),)
    assert (found.base, found.measures, found.combine, found.policy) == ("a.toml", ("value",), Combine.PRODUCT, None)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", ["base: this key is missing", "axis: a grid needs at least one axis"]),
        (GRID + "steps = 3", ["axis[1].steps: there is no such key. Allowed: key, values, from, to, step"]),
        (GRID.replace("to = 5", "to = 0"), ["from 1 to 0 by 2 is no range"]),
        (GRID.replace("from = 1", "values = [1]"), ["an axis has either values or a range"]),
        (GRID.replace("forces.men", "forces..men"), ["this is no key path"]),
        ('combine = "both"' + GRID, ["combine: 'both' is no way to combine axes. Allowed: product, zip"]),
        ('combine = "zip"' + GRID + '[[axis]]\nkey="x"\nvalues=[1]', ["zip needs axes of one length"]),
        ("measures = 3" + GRID, ["measures: 3 is of the wrong kind. Allowed: a list of names"]),
        (GRID + '[[axis]]\nkey="x"\nvalues=[1, 1]', ["axis[2].values: a value stands there twice"]),
        (GRID + '[[axis]]\nkey="forces.men"\nvalues=[1]', ["forces.men has two axes"]),
        (GRID.replace("to = 5", "to = 20_000_000"), ["this axis alone has 10,000,000 values"]),
    ],
)
def test_a_grid_file_is_refused_in_words(text: str, messages: list[str]) -> None:
    with pytest.raises(InputError) as refused:
        grids.read(tomllib.loads(text))
    for message in messages:
        assert message in str(refused.value)


def test_ten_million_cells_are_refused_at_once() -> None:
    axis = '[[axis]]\nkey="{}"\nfrom=1\nto={}\n'
    text = 'base = "a.toml"\n' + axis.format("a", 10_000) + axis.format("b", 1_000)
    with pytest.raises(InputError, match=r"this grid has 10,000,000 cells, and one sweep may have 1,000,000"):
        grids.read(tomllib.loads(text))


# ---------------------------------------------------------------------- reading


def test_a_measure_is_plotted_over_axes(serial: Path) -> None:
    found = show.plot(serial, "forces.men", "forces.aim", "value", {"rulings.exact_roll": "hit"})
    assert (found.xs, found.ys, found.missing) == ((1, 2, 3), (0, 2, 4, 13), 0)
    assert found.values[1, 13] is None
    row = next(row for row in cells(serial) if (row["forces.men"], row["forces.aim"]) == (2, 4))
    assert found.values[2, 4] == row["value"]
    for asked, message in (
        (("forces.men", None, "value", {"rulings.exact_roll": "hit"}), r"forces.aim has several values"),
        (("men", None, "value", {}), r"--x: 'men' is no axis of this sweep. Allowed: forces.men"),
        (("forces.men", "forces.aim", "luck", {}), r"--measure: 'luck' was not measured. Allowed: value, men_hit"),
        (("forces.men", "forces.aim", "value", {"rulings.exact_roll": "maybe"}), r"is never 'maybe'"),
    ):
        with pytest.raises(InputError, match=message):
            show.plot(serial, *asked)


def test_cells_are_asked_in_sql_and_nothing_else_is(serial: Path, tmp_path: Path) -> None:
    names, rows, more = show.query(serial, "select status, count(*) n from cells group by 1 order by 1")
    assert (names, rows, more) == (["status", "n"], [("answered", 18), ("refused", 6)], False)
    (tmp_path / "secret.csv").write_text("a\n1\n")
    for sql, message in (
        ("select nothing from cells", "nothing"),
        (f"select * from read_csv('{tmp_path}/secret.csv')", "disabled by configuration"),
        (f"copy cells to '{tmp_path}/out.csv'", "disabled by configuration"),
        ("selekt", "yntax"),
        ("", "asks nothing"),
    ):
        with pytest.raises(InputError, match=message):
            show.query(serial, sql)
    with pytest.raises(InputError, match="there is no sweep in this folder"):
        show.query(tmp_path, "select 1")
