"""Honest timing on a shared machine: processor time, everything in turn, several rounds, medians, ratios in one run.

Processor time is what one thread spent, so it leaves out the time for which others had the machine. Work in processes
of its own is measured by their processor time.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

ENOUGH = 0.02
"""Seconds that one measurement lasts at least: quick work is repeated within it."""


def _spent() -> float:
    """Processor seconds of this process and of those it has waited for."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage  # noqa: PLC0415  (absent on Windows)
    except ImportError:
        return time.process_time()
    children = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def once(work: Callable[[], Any]) -> float:
    """Seconds per call."""
    begin = _spent()
    work()
    first = _spent() - begin
    if first >= ENOUGH:
        return first
    times = max(1, int(ENOUGH / max(first, 1e-7)))
    begin = _spent()
    for _ in range(times):
        work()
    return (_spent() - begin) / times


def in_turn(works: Mapping[str, Callable[[], Any]], rounds: int = 7, slow: float = 2.0) -> dict[str, float]:
    """Median seconds per call of each. They take turns, so that a busy spell of the machine meets all of them alike.

    The first round warms up and does not count; what took longer than `slow` seconds in it is measured once more only.
    """
    found: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(rounds + 1):
        for name, work in works.items():
            if turn < 2 or found[name][0] <= slow:
                gc.collect()
                found[name].append(once(work))
    return {name: median(times[1:]) for name, times in found.items()}


def shown(seconds: float) -> str:
    """A time with three figures, in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
