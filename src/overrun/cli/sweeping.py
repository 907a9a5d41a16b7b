"""`overrun sweep`: from the options to a sweep, and its progress on the screen."""

from __future__ import annotations

import logging
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from time import monotonic

from overrun.analysis.reckon import measure_names
from overrun.cli import asking
from overrun.compiled.graphs import FromCache
from overrun.kernel import InputError, Problem
from overrun.store import opening
from overrun.sweep import grid as grids
from overrun.sweep.cells import Work
from overrun.sweep.executors import Cluster, Executor, Here, Pool
from overrun.sweep.grid import Grid
from overrun.sweep.run import Progress


def work_of(name: str) -> Work:
    """The sweep that a grid file asks for. Raises `InputError` with every problem of the file."""
    try:
        read = grids.read(tomllib.loads(opening.text_of(name)))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError([Problem(name, f"this is not valid TOML: {error}")]) from error
    beside = Path(name).parent / read.base
    opened = opening.scenario(str(beside) if beside.is_file() else read.base)
    terms = asking.comparison(opened, read.policy, read.payoff, read.restrict, simplified=read.simplify)
    terms = replace(terms, row_limit=read.rows or terms.row_limit, widest=read.widest)
    measures = tuple(measure_names(opened.ruleset, read.measures))
    stamp = rules_of(opened.ruleset.id)
    grid = Grid(opened.ruleset.id, stamp, opened.situation.document, terms, measures, read.combine, read.axes)
    return Work(opening.system, grid, FromCache())


def rules_of(system: str) -> str:
    """Which rules and figures are in force here."""
    ruleset = opening.system(system)
    return f"{system} {ruleset.version} {opening.fingerprint(ruleset)}"


def executor_of(work: Work, workers: int, scheduler: str | None) -> Executor:
    """Where the cells are answered: on a cluster, in several processes, or here."""
    if scheduler is not None:
        if "://" not in scheduler:
            what = f"{scheduler!r} is no address of a scheduler"
            raise InputError([Problem("--scheduler", what, "such as tcp://127.0.0.1:8786")])
        cluster = Cluster(scheduler, Rules(work.grid.system), work.grid.stamp)
        # Dask tells every lost connection at length; what it means for the sweep is told once, by the sweep.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        return cluster
    return Pool(workers) if workers > 1 else Here()


class Rules:
    """Asks a worker which rules it has."""

    def __init__(self, system: str) -> None:
        self.system = system

    def __call__(self) -> str:
        """Its version and its figures."""
        return rules_of(self.system)


class Ticker:
    """Progress on standard error: one line that changes on a terminal, a line every ten seconds elsewhere."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, progress: Progress) -> None:
        """Tell the progress, not too often."""
        now = monotonic()
        if now < self._next and progress.done < progress.cells:
            return
        self._next = now + (0.5 if self.terminal else 10.0)
        begin = "\r" if self.terminal else ""
        end = "" if self.terminal and progress.done < progress.cells else "\n"
        print(begin + told(progress), end=end, file=sys.stderr, flush=True)


def told(progress: Progress) -> str:
    """Progress in words.

    >>> told(Progress(1200, 10000, 1000, 20.0))
    '1,200 of 10,000 cells, 50.0 a second, 2 min 56 s left'
    """
    left = progress.left
    rest = "" if left is None or progress.done == progress.cells else f", {duration(left)} left"
    return f"{progress.done:,} of {progress.cells:,} cells, {progress.rate:,.1f} a second{rest}"


def duration(seconds: float) -> str:
    """A time in words.

    >>> duration(3.2), duration(176), duration(7300)
    ('3 s', '2 min 56 s', '2 h 1 min')
    """
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
