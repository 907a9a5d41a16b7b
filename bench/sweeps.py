"""What a sweep costs beyond answering its cells: in one process, in a pool, on a Dask cluster; and its memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import psutil

from bench.pages import machine, table, target
from overrun.analysis.answer import Terms
from overrun.analysis.memory import resident_megabytes
from overrun.sweep.cells import Work
from overrun.sweep.executors import Cluster, Executor, Here, Pool
from overrun.sweep.grid import Axis, Combine, Grid
from overrun.sweep.run import Progress, carry_out
from tests.rulesets.skirmish import STARTER, find, skirmish

WORKERS = 2
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Swept:
    """One sweep: seconds by the clock, processor seconds of every process of it, the most memory its driver held.

    `idle` are the processor seconds that its scheduler and workers would have taken in that time with nothing to do.
    """

    cells: int
    clock: float
    processor: float
    megabytes: float
    idle: float = 0.0


def page() -> Iterator[str]:
    """The page of sweeps."""
    yield "# Speed of sweeps"
    yield (
        "Written by `python -m bench --only sweep-speed`. The efficiency is processor time: what answering the cells "
        "takes in one process without any sweep, divided by what all processes of the sweep take together (driver, "
        "workers, scheduler; start-up apart). It is what the clock would show on an idle machine with a core for each "
        f"worker. Each is the median of {ROUNDS} rounds, taken in turn. Machine: {machine()}"
    )
    yield "## Overhead, at chunks of half a second"
    plain = [alone(COSTLY)]
    ways: dict[str, Callable[[], Swept]] = {
        "in this process": lambda: swept(COSTLY, Here),
        f"pool of {WORKERS}": lambda: swept(COSTLY, lambda: Pool(WORKERS)),
        "Dask": lambda: on_dask(COSTLY, {}),
        "Dask, started as `docs/analysis.md` says": lambda: on_dask(COSTLY, QUIET),
    }
    rounds: list[dict[str, Swept]] = []
    for _ in range(ROUNDS):  # in turn: a busy spell meets all alike
        rounds.append({name: way() for name, way in ways.items()})
        plain.append(alone(COSTLY))
    found = {name: sorted((each[name] for each in rounds), key=_spent)[ROUNDS // 2] for name in ways}
    cells = median(plain)
    rows = [
        (
            name,
            f"{one.cells}",
            f"{1000 * one.processor / one.cells:.2f} ms",
            f"{one.clock:.1f} s",
            f"{cells / one.processor:.3f}",
            f"{one.idle:.2f} s" if one.idle else "",
            f"{cells / (one.processor - one.idle):.3f}" if one.idle else "",
        )
        for name, one in found.items()
    ]
    head = ("executor", "cells", "processor time a cell", "by the clock", "efficiency", "idle", "apart from that")
    yield table(head, rows)
    yield (
        "Idle is what a scheduler and two workers would take with nothing to do for as long as that sweep lasted by "
        "the clock: the longer, the more others used the machine."
    )
    pool, dask, quiet = (cells / one.processor for one in list(found.values())[1:])
    wanted = (
        target("process pool: 0.9 of ideal", f"{pool:.3f}", pool >= 0.9),
        target("Dask, started as `docs/analysis.md` says: 0.8 of ideal", f"{quiet:.3f}", quiet >= 0.8),
        target("the same, with Dask's own settings", f"{dask:.3f}", dask >= 0.8),
    )
    yield table(("target", "measured", ""), wanted)
    yield "## Growth, and memory"
    grown = [swept(cheap(cells), Here) for cells in (100, 1_000, 10_000, 100_000)]
    growth = [
        (f"{one.cells:,}", f"{one.cells / one.processor:,.0f}", f"{one.processor:.1f} s", f"{one.megabytes:.0f} MB")
        for one in grown
    ]
    yield table(("cells", "cells a second", "processor time", "most memory beyond the start"), growth)
    flat = grown[-1].megabytes <= grown[-2].megabytes + 50
    memory = target("memory of 100,000 cells: flat, as for 10,000", f"{grown[-1].megabytes:.0f} MB", flat)
    yield table(("target", "measured", ""), (memory,))


def work(axes: tuple[Axis, ...], **forces: int) -> Work:
    """A sweep over the test ruleset."""
    document = tomllib.loads(STARTER)
    document["forces"] |= forces
    terms = Terms(skirmish.payoff())
    return Work(find, Grid("skirmish", "", document, terms, ("value",), Combine.PRODUCT, axes))


RULINGS = (Axis("rulings.exact_roll", ("hit", "miss")), Axis("rulings.night", ("once", "twice")))
FORCES = (("men", range(7, 13)), ("aim", range(1, 7)), ("armor", range(2)), ("dark", range(2)))
COSTLY = work((*(Axis(f"forces.{name}", tuple(values)) for name, values in FORCES), *RULINGS), speed=12)
"""Cells of some ten milliseconds each."""


def cheap(cells: int) -> Work:
    """So many cells, nearly, that cost next to nothing: the car has no speed."""
    axes = [Axis(f"forces.{name}", tuple(range(13))) for name in ("men", "aim", "armor", "dark")]
    found = [*RULINGS]
    for axis in axes:
        room = cells
        for other in found:
            room //= len(other.values)
        found.append(Axis(axis.key, axis.values[: max(1, min(13, room))]))
    return work(tuple(found), speed=0)


def alone(asked: Work) -> float:
    """The processor time of answering every cell, with nothing around it."""
    from overrun.sweep.cells import row  # noqa: PLC0415

    row(asked.grid, skirmish, 0)
    begun = time.process_time()
    for cell in range(asked.grid.cells):
        row(asked.grid, skirmish, cell)
    return time.process_time() - begun


def swept(asked: Work, made: Callable[[], Executor]) -> Swept:
    """One sweep into a folder that is thrown away. Workers are warm: they have answered a cell of another sweep."""
    executor = made()
    with tempfile.TemporaryDirectory() as folder:
        carry_out(work((Axis("forces.men", (1, 2, 3, 4)),)), Path(folder) / "warm", executor)
        pids = [process.pid for process in psutil.Process().children(recursive=True)]
        found = _measured(asked, Path(folder) / "sweep", executor, pids)
    executor.close()
    return found


QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
    "DASK_DISTRIBUTED__WORKER__MEMORY__MONITOR_INTERVAL": "1s",
}
"""Settings under which Dask looks after itself less often."""


def on_dask(asked: Work, settings: dict[str, str]) -> Swept:
    """The same on a scheduler and two workers, each a process of this machine."""
    environment = {**os.environ, **settings, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    launched: list[subprocess.Popen[bytes]] = []

    def launch(*arguments: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.{arguments[0]}", *arguments[1:], "--no-dashboard"]
        launched.append(
            subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )

    with tempfile.TemporaryDirectory() as folder:
        try:
            told = Path(folder) / "scheduler.json"
            launch("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told))
            while not told.exists() or '"tcp://' not in told.read_text():
                time.sleep(0.1)
            address = told.read_text().split('"address": "')[1].split('"')[0]
            for _ in range(WORKERS):
                launch("dask_worker", address, "--nthreads", "1", "--no-nanny")
            executor = Cluster(address, str, "")
            while executor.workers < WORKERS:
                executor.close()
                executor = Cluster(address, str, "")
            carry_out(work((Axis("forces.men", tuple(range(1, 13))),)), Path(folder) / "warm", executor)
            pids = [process.pid for process in launched]
            before, clock = _processor(pids), time.monotonic()
            time.sleep(10)
            idle = (_processor(pids) - before) / (time.monotonic() - clock)
            found = _measured(asked, Path(folder) / "sweep", executor, pids)
            executor.close()
            return replace(found, idle=idle * found.clock)
        finally:
            for process in launched:
                process.kill()
                process.wait()


def _spent(one: Swept) -> float:
    return one.processor


def _measured(asked: Work, folder: Path, executor: Executor, pids: list[int]) -> Swept:
    most = [0.0]
    floor = resident_megabytes()

    def look(progress: Progress) -> None:
        most[0] = max(most[0], resident_megabytes() - floor)

    before, clock = _processor(pids), time.monotonic()
    carry_out(asked, folder, executor, on_progress=look)
    return Swept(asked.grid.cells, time.monotonic() - clock, _processor(pids) - before, most[0])


def _processor(pids: list[int]) -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    total = own.ru_utime + own.ru_stime
    for pid in pids:
        times = psutil.Process(pid).cpu_times()
        total += times.user + times.system
    return total
