"""The directory of a sweep: what was asked, and finished parts, each written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from overrun.kernel import InputError, Problem
from overrun.sweep.cells import SIDES, Answered, Chunk
from overrun.sweep.grid import Grid

FORMAT = "overrun-sweep"
VERSION = 1


def arrow() -> Any:
    """pyarrow, or `InputError` when the extra `cluster` is not installed."""
    try:
        import pyarrow  # noqa: PLC0415  (an extra)
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        what = "a sweep needs the extra `cluster`, which is not installed"
        raise InputError([Problem("sweep", what, 'pip install "overrun[cluster]"')]) from error
    return pyarrow


class Parts:
    """The parts of one sweep, held by one process at a time."""

    def __init__(self, folder: Path, grid: Grid) -> None:
        self.folder, self.grid = folder, grid
        self._lock: IO[str] | None = None
        self._schema = schema(grid)

    def __enter__(self) -> Parts:
        """Take the directory. Raises `InputError` when it is another's, is in use, or cannot be written."""
        with _told(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        manifest = self.folder / "sweep.json"
        if manifest.exists():
            _same(self.folder, self.grid)
        elif {entry.name for entry in self.folder.iterdir()} - {"lock"}:
            what = "this folder is not empty and holds no sweep; nothing was touched"
            raise InputError([Problem(str(self.folder), what, "a new folder")])
        with _told(self.folder):
            self._lock = _locked(self.folder)
            (self.folder / "parts").mkdir(exist_ok=True)
            if not manifest.exists():
                _write_whole(manifest, json.dumps(_manifest(self.grid), indent=1, default=str).encode())
        return self

    def __exit__(self, *_: object) -> None:
        """Give the directory back."""
        if self._lock is not None:
            self._lock.close()

    def finished(self, *, redo_damaged: bool = False) -> list[Chunk]:
        """The chunks that are safe, in order. Raises `InputError` naming damaged parts.

        With `redo_damaged` these are set aside under another name, and their cells are answered again.
        """
        for stray in (self.folder / "parts").glob(".*.writing"):
            stray.unlink()
        chunks, problems = [], []
        for file in part_files(self.folder):
            fault = damage(file, self.grid.identity)
            if not fault:
                chunks.append(chunk_of(file))
            elif redo_damaged:
                file.rename(file.with_suffix(".damaged"))
            else:
                allowed = "--redo-damaged sets it aside and answers its cells again"
                problems.append(Problem(str(file), f"this part is damaged: {fault}; nothing was touched", allowed))
        chunks.sort(key=lambda chunk: chunk.start)
        for one, two in pairwise(chunks):
            if two.start < one.stop:
                what = f"cells {two.start} to {one.stop - 1} stand in two parts"
                problems.append(Problem(str(self.folder / "parts"), what, "each cell once: take one of the parts away"))
        if problems:
            raise InputError(problems)
        return chunks

    def keep(self, answered: Answered) -> None:
        """Write a part. Raises `InputError` when it cannot be written; what was written before stays."""
        pyarrow = arrow()
        table = pyarrow.Table.from_pylist(answered.rows, schema=self._schema)
        sink = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(table, sink, compression="zstd")
        with _told(self.folder):
            _write_whole(self.folder / "parts" / name_of(answered.chunk), sink.getvalue().to_pybytes())


def schema(grid: Grid) -> Any:
    """The columns of every part. A measure has its exact fraction as text beside the nearest decimal."""
    pyarrow = arrow()
    columns = [("cell", pyarrow.int64())]
    for axis in grid.axes:
        kinds = {type(value) for value in axis.values}
        kind = pyarrow.string()
        if kinds == {int}:
            kind = pyarrow.int64()
        elif kinds == {bool}:
            kind = pyarrow.bool_()
        columns.append((axis.key, kind))
    columns += [(name, pyarrow.string()) for name in ("status", "reason", "first_choice")]
    for name in (*grid.measures, *(SIDES if grid.terms.widest is not None else ())):
        columns += [(name, pyarrow.float64()), (f"{name}_exact", pyarrow.string())]
    return pyarrow.schema(columns, metadata={"sweep": grid.identity})


def part_files(folder: Path) -> Iterator[Path]:
    """The files of all parts, by the number of their first cell."""
    return iter(sorted((folder / "parts").glob("part-*.parquet")))


def name_of(chunk: Chunk) -> str:
    """The file name of a part."""
    return f"part-{chunk.start:09d}-{chunk.stop:09d}.parquet"


def chunk_of(file: Path) -> Chunk:
    """The cells of a part, by its file name."""
    _, start, stop = file.stem.split("-")
    return Chunk(int(start), int(stop))


def damage(file: Path, identity: str) -> str:
    """What is wrong with a part; empty when it is whole and of this sweep."""
    pyarrow = arrow()
    try:
        chunk = chunk_of(file)
        table = pyarrow.parquet.read_table(file)
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        return str(error).splitlines()[0] if str(error) else type(error).__name__
    if (table.schema.metadata or {}).get(b"sweep") != identity.encode():
        return "it is of another sweep"
    if table.column("cell").to_pylist() != list(range(chunk.start, chunk.stop)):
        return "its cells are not those of its name"
    return ""


def manifest(folder: Path) -> dict[str, Any]:
    """What the sweep in a folder asks. Raises `InputError` when there is none."""
    try:
        found = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError([Problem(str(folder), "there is no sweep in this folder", "the --out of a sweep")]) from error
    except (OSError, ValueError) as error:
        raise InputError([Problem(str(folder / "sweep.json"), f"it cannot be read: {error}")]) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT or found.get("format_version") != VERSION:
        raise InputError([Problem(str(folder / "sweep.json"), "this describes no sweep that is known here")])
    return found


def _manifest(grid: Grid) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "format_version": VERSION,
        "identity": grid.identity,
        "system": grid.system,
        "rules": grid.stamp,
        "cells": grid.cells,
        "combine": grid.combine,
        "axes": [{"key": axis.key, "values": list(axis.values)} for axis in grid.axes],
        "measures": list(grid.measures),
        "payoff": grid.terms.payoff.name,
        "situation": grid.document,
    }


def _same(folder: Path, grid: Grid) -> None:
    kept = manifest(folder)
    if kept.get("identity") != grid.identity:
        asked = json.loads(json.dumps(_manifest(grid), default=str))
        differ = ", ".join(name for name in asked if name != "identity" and asked[name] != kept.get(name))
        what = f"this folder holds another sweep (different: {differ or 'policy or payoff'}); nothing was touched"
        raise InputError([Problem(str(folder), what, "another folder, or the grid that was begun here")])


def _locked(folder: Path) -> IO[str]:
    """The folder's lock, held until the file is closed, also by the death of the process."""
    file = (folder / "lock").open("a+", encoding="ascii")
    try:
        if os.name == "nt":
            import msvcrt  # noqa: PLC0415  (Windows only)

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl  # noqa: PLC0415  (absent on Windows)

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            raise
        what = "another sweep is writing into this folder now"
        raise InputError([Problem(str(folder), what, "wait for it, or another folder")]) from error
    return file


def _write_whole(path: Path, content: bytes) -> None:
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=".", suffix=".writing", delete=False) as file:
            temporary = file.name
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            if temporary:
                os.unlink(temporary)
        raise


@contextlib.contextmanager
def _told(folder: Path) -> Iterator[None]:
    """An operating system's refusal in words."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            what = "the disk is full; every finished part is safe"
            raise InputError([Problem(str(folder), what, "free some space; the same command goes on")]) from error
        reason = error.strerror or str(error)
        what = f"it cannot be written: {reason}; every finished part is safe"
        raise InputError([Problem(str(folder), what, "a folder that can be written")]) from error


def gaps(finished: Sequence[Chunk], cells: int) -> list[Chunk]:
    """The cells that no finished chunk holds, as chunks.

    >>> gaps([Chunk(0, 3), Chunk(5, 6)], 8)
    [Chunk(start=3, stop=5), Chunk(start=6, stop=8)]
    """
    found, at = [], 0
    for chunk in finished:
        if chunk.start > at:
            found.append(Chunk(at, chunk.start))
        at = chunk.stop
    return [*found, Chunk(at, cells)] if at < cells else found
