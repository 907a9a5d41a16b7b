"""The log file of one overrun: written after each answer, read back, and verified by playing it again.

A log is a JSON document (`docs/log-format.md`). Each entry carries a digest that chains it to the one before, so an
edited, dropped or inserted entry is found, and named, before the rules are asked.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from overrun.kernel import Face, InputError, PlayError, Problem
from overrun.play.session import Answer, Said, Session

FORMAT = "overrun-log"
VERSION = 1


class Source(StrEnum):
    """Where the dice of an entry came from; empty for a choice."""

    NONE = ""
    TYPED = "typed"
    GENERATED = "generated"
    STATED = "stated"


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which rules refereed a log: the system, its version, and a hash of its tables and counters."""

    system: str
    version: str
    data: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer as it was given: at which step, by which seat, and the exit it led to."""

    step: str
    seat: str
    said: Said
    choice: str = ""
    face: Face = ()
    source: Source = Source.NONE
    exit: str = ""
    digest: str = ""

    @property
    def answer(self) -> Answer:
        """What the session is told again on replay."""
        return Answer(self.said, self.choice, self.face)


@dataclass(frozen=True, slots=True)
class Record:
    """A whole log. `document` is the parsed scenario file, so that a log stands alone; `seed` made its generated dice.

    `end` is how it ended: the outcome and the counted measures, or None while it goes on.
    """

    stamp: Stamp
    title: str
    document: Mapping[str, Any]
    seed: int | None = None
    entries: tuple[Entry, ...] = ()
    end: Mapping[str, Any] | None = field(default=None)

    @property
    def header(self) -> dict[str, Any]:
        """Everything that stands before the entries."""
        return {
            "format": FORMAT,
            "format_version": VERSION,
            "system": self.stamp.system,
            "ruleset_version": self.stamp.version,
            "data": self.stamp.data,
            "title": self.title,
            "seed": self.seed,
            "scenario": self.document,
        }

    @property
    def last_digest(self) -> str:
        """The digest that the next entry chains to."""
        return self.entries[-1].digest if self.entries else chained("", self.header)

    def rolls(self) -> int:
        """How many rolls stand, undone ones not counted."""
        standing: list[Said] = []
        for entry in self.entries:
            if entry.said is Said.UNDO:
                standing.pop()
            else:
                standing.append(entry.said)
        return standing.count(Said.ROLL)

    def with_answer(self, session: Session, source: Source = Source.NONE) -> Record:
        """The record with the answer that the session took last, and its end if that was the last one."""
        answer = session.answers[-1]
        bare = Entry("", "", answer.said)
        if answer.said is not Said.UNDO:
            event = next(event for event in reversed(session.events) if event.answer is answer)
            seat = str(event.seat) if event.seat else ""
            bare = Entry(event.step.id, seat, answer.said, answer.choice, answer.face, source, event.exit.id)
        entry = replace(bare, digest=chained(self.last_digest, _plain(bare)))
        return replace(self, entries=(*self.entries, entry), end=_end(session, entry.digest))


def chained(before: str, value: Mapping[str, Any]) -> str:
    """The digest of a value that comes after `before`."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()[:32]


def _end(session: Session, digest: str) -> dict[str, Any] | None:
    if not session.over:
        return None
    end = {"outcome": getattr(session.node, "outcome", ""), "counted": dict(sorted(session.tally().items()))}
    return {**end, "digest": chained(digest, end)}


def _plain(entry: Entry) -> dict[str, Any]:
    """An entry without its digest, empty fields left out."""
    fields = {
        "step": entry.step,
        "seat": entry.seat,
        "said": str(entry.said),
        "choice": entry.choice,
        "dice": list(entry.face),
        "source": str(entry.source),
        "exit": entry.exit,
    }
    return {name: value for name, value in fields.items() if value}


# ---------------------------------------------------------------------- the file


def dumps(record: Record) -> str:
    """The log as text, one entry a line."""
    head = json.dumps(record.header, indent=2, ensure_ascii=False, default=str)[:-2]
    rows = (json.dumps(_plain(e) | {"digest": e.digest}, ensure_ascii=False) for e in record.entries)
    entries = ",\n    ".join(rows)
    block = f"[\n    {entries}\n  ]" if entries else "[]"
    end = json.dumps(record.end, ensure_ascii=False)
    return f'{head},\n  "entries": {block},\n  "end": {end}\n}}\n'


def write(path: Path, record: Record) -> None:
    """Replace the file in one move, after its bytes are on the disk. Raises `InputError` when it cannot be written.

    An answer is acknowledged only after this returned, so a crash or a cut of power never loses an acknowledged one.
    """
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            temporary = file.name
            file.write(dumps(record))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            if temporary:
                os.unlink(temporary)
        reason = error.strerror or str(error)
        raise InputError([Problem(str(path), f"the log cannot be written: {reason}")]) from error


def _sync_folder(folder: Path) -> None:
    # The move itself must reach the disk too; Windows has no such call and needs none.
    if os.name != "nt":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def loads(text: str, where: str = "log") -> Record:
    """Read a log and check its chain of digests. Raises `InputError` with what is wrong and at which entry."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError([Problem(f"{where}{place}", "this is no log: it is not JSON")]) from error
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise InputError([Problem(where, f'this is no log: it has no "format": "{FORMAT}"')])
    if raw.get("format_version") != VERSION:
        found = raw.get("format_version")
        raise InputError([Problem("format_version", f"this log has format {found!r}", f"{VERSION}")])
    reader = _Reader()
    record = reader.record(raw)
    if reader.problems:
        raise InputError(reader.problems)
    _check_chain(record)
    return record


KINDS: Mapping[type, str] = {str: "a text", list: "a list", dict: "a table"}


class _Reader:
    """Reads plain JSON values into a record and gathers every problem on the way."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def record(self, raw: Mapping[str, Any]) -> Record:
        seed = raw.get("seed")
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
            self.wrong("seed", seed, "a whole number, or null")
        end = raw.get("end")
        if end is not None and not isinstance(end, dict):
            self.wrong("end", end, "a table, or null")
        stamp = Stamp(
            self.take(raw, "system", str), self.take(raw, "ruleset_version", str), self.take(raw, "data", str)
        )
        entries = self.take(raw, "entries", list)
        return Record(
            stamp,
            self.take(raw, "title", str),
            self.take(raw, "scenario", dict),
            seed,
            tuple(self.entry(f"entries[{place}]", entry) for place, entry in enumerate(entries, 1)),
            end,
        )

    def entry(self, where: str, raw: Any) -> Entry:
        if not isinstance(raw, dict):
            self.wrong(where, raw, "a table")
            return Entry("", "", Said.UNDO)
        face = raw.get("dice", [])
        if not isinstance(face, list) or not all(type(value) is int for value in face):
            self.wrong(f"{where}.dice", face, "a list of whole numbers")
            face = []
        said = self.word(where, raw, "said", Said, None)
        if said not in {Said.CHOICE, Said.ROLL, Said.UNDO}:
            self.wrong(f"{where}.said", raw.get("said"), "choose, roll, undo")
        return Entry(
            self.take(raw, "step", str, where, optional=True),
            self.take(raw, "seat", str, where, optional=True),
            said,
            self.take(raw, "choice", str, where, optional=True),
            tuple(face),
            self.word(where, raw, "source", Source, Source.NONE),
            self.take(raw, "exit", str, where, optional=True),
            self.take(raw, "digest", str, where),
        )

    def take(self, raw: Mapping[str, Any], key: str, kind: type, where: str = "", *, optional: bool = False) -> Any:
        place = f"{where}.{key}" if where else key
        if key not in raw:
            if not optional:
                self.problems.append(Problem(place, "this is missing"))
            return kind()
        if not isinstance(raw[key], kind):
            self.wrong(place, raw[key], KINDS[kind])
            return kind()
        return raw[key]

    def word(self, where: str, raw: Mapping[str, Any], key: str, words: type[StrEnum], default: Any) -> Any:
        text = self.take(raw, key, str, where, optional=True)
        if key not in raw:
            return default
        try:
            return words(text)
        except ValueError:
            self.wrong(f"{where}.{key}", text, ", ".join(word for word in words if word))
            return default

    def wrong(self, where: str, value: Any, allowed: str) -> None:
        self.problems.append(Problem(where, f"{value!r} is not possible here", allowed))


def _check_chain(record: Record) -> None:
    digest = chained("", record.header)
    for place, entry in enumerate(record.entries, 1):
        digest = chained(digest, _plain(entry))
        if entry.digest != digest:
            what = "this entry, or something before it, was edited after the log was written"
            raise InputError([Problem(f"entries[{place}]", what)])
    if record.end is not None:
        end = {name: value for name, value in record.end.items() if name != "digest"}
        if record.end.get("digest") != chained(digest, end):
            raise InputError([Problem("end", "the end was edited, or entries before it are missing")])


# ---------------------------------------------------------------------- replay


def replay(record: Record, session: Session) -> Session:
    """Give a fresh session every answer of a log and check that the rules still say what the log says.

    Raises `InputError` at the first entry that differs, with what the log holds and what was expected.
    """
    for place, entry in enumerate(record.entries, 1):
        where = f"entries[{place}]"
        if entry.said is not Said.UNDO:
            seat = "" if session.over else str(getattr(session.node, "seat", ""))
            _same(f"{where}.step", entry.step, session.step.id)
            _same(f"{where}.seat", entry.seat, seat)
        before = len(session.events)
        try:
            session.take(entry.answer)
        except PlayError as error:
            raise InputError([Problem(where, f"the rules refuse this answer: {str(error).rstrip('.')}")]) from error
        if entry.said is not Said.UNDO:
            _same(f"{where}.exit", entry.exit, session.events[before].exit.id)
    last = record.entries[-1].digest if record.entries else ""
    reached = _end(session, last)
    if record.end is None and reached is not None and record.entries:
        raise InputError([Problem("end", "the log goes on, the rules say that the overrun is over")])
    if record.end is not None and record.end != reached:
        said = _told(record.end)
        raise InputError([Problem("end", f"the log says {said}; the rules say {_told(reached) or 'that it goes on'}")])
    return session


def _same(where: str, logged: str, expected: str) -> None:
    if logged != expected:
        raise InputError([Problem(where, f"the log says {logged!r}; the rules say {expected!r}")])


def _told(end: Mapping[str, Any] | None) -> str:
    if end is None:
        return ""
    return f"{end.get('outcome')!r}, counted {end.get('counted')}"
