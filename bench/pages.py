"""The two pages, as text."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench.timing import shown

Row = Sequence[str]


def table(head: Row, rows: Iterable[Row]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def machine() -> str:
    """Where this was measured."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    libraries = [f"{name} {found}" for name in ("numpy", "numba") if (found := installed(name))]
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    python = f"{platform.system()}, {platform.python_implementation()} {platform.python_version()}"
    return f"{os.cpu_count()} cores of {model}{load}; {python}, {', '.join(libraries) or 'no numpy'}."


def installed(name: str) -> str:
    """The version of a package, or nothing."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def ratio(seconds: float, against: float | None) -> str:
    """How many times as long."""
    return "" if against is None else f"{seconds / against:.3g}x"


def rates(found: Mapping[str, float]) -> Iterable[Row]:
    """Names and rates per second."""
    for name, rate in found.items():
        yield name, f"{rate / 1e6:.2f} M/s" if rate >= 1e6 else f"{rate:,.0f}/s"


def target(wanted: str, measured: str, met: bool) -> Row:
    """One line of the table of targets."""
    return wanted, measured, "met" if met else "**not met**"


def time_of(seconds: float | None) -> str:
    """A time, or a dash."""
    return "–" if seconds is None else shown(seconds)
