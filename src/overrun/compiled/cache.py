"""Extracted graphs on disk, named by what they depend on: rules, data and situation. Any file may be deleted."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from overrun.analysis.game import Game
from overrun.analysis.watch import Watch
from overrun.compiled.canonical import content
from overrun.compiled.graph import Compiled, flat
from overrun.compiled.store import MAGIC, DamagedGraph, packed, unpacked
from overrun.kernel import InputError, Position, Problem, Restriction, Rules, RulesError, Ruleset
from overrun.kernel.revision import IN_FORCE

SUFFIX = ".graph"
MEGABYTES = 512
STALE_SECONDS = 24 * 3600
"""A part-written file this old was left behind by a run that was killed."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A graph and where it came from: `note` says in words why it could not be kept or had to be extracted again."""

    compiled: Compiled
    from_cache: bool
    note: str = ""


class Cache:
    """A folder of graphs, at most `megabytes` large (0: nothing is kept); what was used longest ago goes first.

    Files appear whole or not at all, so any number of runs may share the folder. A file that is damaged is removed and
    made again; a folder that cannot be written costs time only.
    """

    def __init__(self, folder: Path | None = None, megabytes: int | None = None) -> None:
        self.folder = folder or default_folder()
        self.megabytes = default_megabytes() if megabytes is None else megabytes
        self._room = 0.0

    def game(
        self,
        ruleset: Ruleset,
        start: Position[Any],
        *,
        restrictions: Sequence[Restriction] = (),
        watch: Watch | None = None,
        whole: bool = True,
    ) -> Kept:
        """The graph of a start, from the folder or by extraction. Raises what `Game` raises.

        `whole` graphs know distributions; others are smaller and know means only.
        """
        name, problem = self.name(ruleset, start, restrictions, whole=whole)
        found, damaged = self.read(name)
        if found is not None:
            return Kept(found, True)
        game = Game(ruleset.rules, start, restrictions=restrictions, watch=watch, tallies=whole)
        compiled = flat(game, states=True)
        return Kept(compiled, False, "; ".join(filter(None, (problem, damaged, self.keep(name, compiled)))))

    def name(
        self,
        ruleset: Ruleset,
        start: Position[Any],
        restrictions: Sequence[Restriction],
        *,
        whole: bool,
        told: Any = None,
    ) -> tuple[str, str]:
        """The file name of a graph; or none, and the reason in words if something is wrong."""
        if not self.megabytes:
            return "", ""
        try:
            return named(ruleset, start, restrictions, whole, told), ""
        except RulesError as error:
            return "", f"not kept: {error}"

    def read(self, name: str) -> tuple[Compiled | None, str]:
        """The graph of that file name, if it is there; and what is wrong with it, in words."""
        return self._read(self.folder / name) if name else (None, "")

    def keep(self, name: str, compiled: Compiled) -> str:
        """Write a graph under a name; the reason in words where that cannot be. Without a name nothing is written."""
        return self._write(self.folder / name, packed(compiled)) if name else ""

    def _read(self, path: Path) -> tuple[Compiled | None, str]:
        try:
            found = unpacked(path.read_bytes())
        except FileNotFoundError:
            return None, ""
        except OSError as error:
            return None, in_words(error, self.folder, "read")
        except DamagedGraph:
            with suppress(OSError):
                path.unlink()
            return None, f"the kept graph {path.name} was damaged and has been extracted again"
        with suppress(OSError):
            os.utime(path)
        return found, ""

    def _write(self, path: Path, block: bytes) -> str:
        """Put a file in place; the reason in words where that cannot be."""
        if len(block) > self.megabytes * 1_000_000:
            return f"not kept: it takes {len(block) / 1e6:.0f} MB and the cache may hold {self.megabytes} MB"
        part = ""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, part = mkstemp(dir=self.folder, prefix=".", suffix=".part")
            with os.fdopen(handle, "wb") as file:
                file.write(block)
            os.replace(part, path)
        except OSError as error:
            if part:
                with suppress(OSError):
                    os.unlink(part)
            return in_words(error, self.folder, "written")
        # The folder is gone through once it may be full, not after each of a sweep's thousand graphs.
        self._room -= len(block)
        if self._room < 0:
            self._room = self._evict(keep=path) / 10
        return ""

    def _evict(self, keep: Path) -> float:
        """Remove what is too much, and leftovers of killed runs; the bytes that there is room for afterwards."""
        used: list[tuple[float, int, Path]] = []
        found: list[Path] = []
        with suppress(OSError):  # another run may remove the folder
            found += self.folder.iterdir()
        for path in found:
            with suppress(OSError):
                status = path.stat()
                if path.suffix == ".part" and time.time() - status.st_mtime > STALE_SECONDS:
                    path.unlink()
                elif path.suffix == SUFFIX:
                    used.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in used)
        for _, size, path in sorted(used):
            if total <= self.megabytes * 1_000_000:
                break
            if path != keep:
                with suppress(OSError):
                    path.unlink()
                total -= size
        return max(0.0, self.megabytes * 1_000_000 - total)


def default_folder() -> Path:
    """The user's cache folder, as the system has it; `OVERRUN_CACHE` names another."""
    if chosen := os.environ.get("OVERRUN_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "overrun" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "overrun"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "overrun"


def default_megabytes() -> int:
    """How large the cache may be: 512 MB, or what `OVERRUN_CACHE_MEGABYTES` says. Raises `InputError`."""
    chosen = os.environ.get("OVERRUN_CACHE_MEGABYTES", "")
    if chosen and not chosen.isdecimal():
        raise InputError(
            [Problem("OVERRUN_CACHE_MEGABYTES", f"{chosen!r} is no size", "a whole number; 0 keeps nothing")]
        )
    return int(chosen) if chosen else MEGABYTES


def in_words(error: OSError, folder: Path, what: str) -> str:
    """Why a file of the cache could not be read or written."""
    if error.errno in {ENOSPC, EDQUOT}:
        return f"not kept: the disk of {folder} is full"
    if error.errno in {EROFS, EACCES, EPERM}:
        return f"not kept: {folder} may not be {what}"
    return f"not kept: {folder} cannot be {what} ({error.strerror})"


def named(
    ruleset: Ruleset, start: Position[Any], restrictions: Sequence[Restriction], whole: bool, told: Any = None
) -> str:
    """The file name of a graph. Raises `RulesError` where part of the situation cannot be named by its content.

    Figures that a revision moves are part of the name. While a revision only watches which figures are read, nothing is
    named: reading them must be seen.
    """
    revision = IN_FORCE.get()
    if revision is not None and not revision.moved:
        raise RulesError("the figures that it reads are watched")
    moved = {} if revision is None else revision.moved
    cuts = tuple(restriction.name for restriction in restrictions)
    version = ruleset.id, ruleset.version, sources(ruleset.rules)
    return f"{ruleset.id}-{content(MAGIC, version, start, cuts, whole, told, moved)[:40]}{SUFFIX}"


def sources(rules: Rules[Any]) -> str:
    """One hash over every file of the packages that the steps are written in, tables and counters included.

    The kernel and the extraction count too: a changed rule, figure or reader never finds an old graph.
    """
    own = packages(rules)
    if "" in own:
        raise RulesError(f"{rules.name} is not part of a package, so its files have no name")
    return _written_in(tuple(sorted({*own, "overrun.analysis", __package__ or ""})))


def packages(rules: Rules[Any]) -> tuple[str, ...]:
    """The packages that the steps are written in, and the kernel; an empty name for steps outside every package."""
    modules = {step.body.__module__ for step in rules.steps.values()}
    return ("overrun.kernel", *sorted({sys.modules[module].__package__ or "" for module in modules}))


@lru_cache(maxsize=64)
def _written_in(folders: tuple[str, ...]) -> str:
    """One hash over the files of some packages. What a process has imported does not change while it runs."""
    total = sha256()
    for package in folders:
        for name, text in _files(files(package), package):
            total.update(f"{name}\n{len(text)}\n".encode())
            total.update(text)
    return total.hexdigest()


def _files(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            found += _files(entry, f"{name}/{entry.name}")
        elif entry.name.endswith((".py", ".csv", ".toml")):
            found.append((f"{name}/{entry.name}", entry.read_bytes()))
    return found
