"""Sessions of the web app in one SQLite file: each answer is committed, and synced to the disk, before it is shown.

What is kept is the log of answers and nothing derived from it: a session is played again from its log whenever it is
opened. So a server that was killed loses no step that anybody saw.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overrun.kernel import InputError, OverrunError, Problem
from overrun.play.record import Entry, Record, Source, Stamp
from overrun.play.session import Said

SCHEMA = 2

TABLES = """
CREATE TABLE session (
    id TEXT PRIMARY KEY, system TEXT NOT NULL, version TEXT NOT NULL, data TEXT NOT NULL, title TEXT NOT NULL,
    document TEXT NOT NULL, seed INTEGER, created REAL NOT NULL, touched REAL NOT NULL, stands_at TEXT NOT NULL,
    ending TEXT, advice INTEGER NOT NULL DEFAULT 1, payoff TEXT NOT NULL DEFAULT '', cut TEXT NOT NULL DEFAULT '',
    simplification TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE answer (
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE, place INTEGER NOT NULL, step TEXT NOT NULL,
    seat TEXT NOT NULL, said TEXT NOT NULL, choice TEXT NOT NULL, face TEXT NOT NULL, source TEXT NOT NULL,
    exit TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (session, place)
) WITHOUT ROWID;
CREATE INDEX session_touched ON session (touched);
"""
ADDED = {1: "ALTER TABLE session ADD COLUMN simplification TEXT NOT NULL DEFAULT ''"}
"""What makes a file of an older format one of the next."""


class Stale(OverrunError):  # noqa: N818  (it names what the answer is)
    """An answer was meant for a question that has been answered meanwhile."""

    code = "store.stale"


@dataclass(frozen=True, slots=True)
class Wishes:
    """How the player wants to see a session: with advice or not, under which payoff, restriction and simplification."""

    advice: bool = True
    payoff: str = ""
    restriction: str = ""
    simplification: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A session as it lies in the file."""

    id: str
    record: Record
    wishes: Wishes


@dataclass(frozen=True, slots=True)
class Summary:
    """One line of the list of sessions. `touched` is in seconds since 1970; `over` when the overrun has ended."""

    id: str
    system: str
    title: str
    stands_at: str
    answers: int
    touched: float
    over: bool


class Sessions:
    """The file of sessions. One connection, one lock: SQLite has one writer, and a commit is a few milliseconds.

    Raises `InputError` when the file cannot be opened as what it should be.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            # Whoever forgets to close it, or meets an error below, leaves no open file behind.
            weakref.finalize(self, self._db.close)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._prepare(path)
        except (OSError, sqlite3.Error) as error:
            raise InputError([Problem(str(path), f"the sessions cannot be kept there: {error}")]) from error

    def _prepare(self, path: Path) -> None:
        (found,) = self._db.execute("PRAGMA user_version").fetchone()
        if found == SCHEMA:
            return
        if found in ADDED:
            with self._written() as db:
                for format in range(found, SCHEMA):
                    db.execute(ADDED[format])
                db.execute(f"PRAGMA user_version = {SCHEMA}")
            return
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if found or tables:
            what = f"this file has format {found}, not {SCHEMA}; it is left as it is"
            raise InputError([Problem(str(path), what, "another file name")])
        with self._written() as db:
            for statement in TABLES.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {SCHEMA}")

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    # ------------------------------------------------------------------ writing

    @contextmanager
    def _written(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is on the disk when this returns, or none."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def begin(self, record: Record, stands_at: str) -> str:
        """Keep a session with the answers that its record has already; its new id."""
        id, now = secrets.token_urlsafe(9), time.time()
        stamp, document = record.stamp, json.dumps(record.document, default=str, ensure_ascii=False)
        ending = None if record.end is None else json.dumps(record.end)
        with self._written() as db:
            db.execute(
                "INSERT INTO session (id, system, version, data, title, document, seed, created, touched, stands_at,"
                " ending) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    id,
                    stamp.system,
                    stamp.version,
                    stamp.data,
                    record.title,
                    document,
                    record.seed,
                    now,
                    now,
                    stands_at,
                    ending,
                ),
            )
            for place, entry in enumerate(record.entries, 1):
                self._insert(db, id, place, entry)
        return id

    def add(self, id: str, record: Record, stands_at: str) -> None:
        """Commit the last answer of a record. Raises `Stale` when another answer took its place."""
        ending = None if record.end is None else json.dumps(record.end)
        place = len(record.entries)
        with self._written() as db:
            (before,) = db.execute("SELECT count(*) FROM answer WHERE session = ?", (id,)).fetchone()
            if before != place - 1:
                raise Stale("This was answered meanwhile, in another window or on another device. Here is where it is.")
            self._insert(db, id, place, record.entries[-1])
            db.execute(
                "UPDATE session SET touched = ?, stands_at = ?, ending = ? WHERE id = ?",
                (time.time(), stands_at, ending, id),
            )

    @staticmethod
    def _insert(db: sqlite3.Connection, id: str, place: int, entry: Entry) -> None:
        face = json.dumps(entry.face)
        row = (id, place, entry.step, entry.seat, str(entry.said), entry.choice, face, str(entry.source))
        db.execute("INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, entry.exit, entry.digest))

    def wish(self, id: str, wishes: Wishes) -> None:
        """Remember how a session is to be shown."""
        with self._written() as db:
            db.execute(
                "UPDATE session SET advice = ?, payoff = ?, cut = ?, simplification = ? WHERE id = ?",
                (wishes.advice, wishes.payoff, wishes.restriction, wishes.simplification, id),
            )

    def forget(self, id: str) -> None:
        """Delete a session and its log."""
        with self._written() as db:
            db.execute("DELETE FROM session WHERE id = ?", (id,))

    # ------------------------------------------------------------------ reading

    def length(self, id: str) -> int | None:
        """How many answers a session has; None when there is no such session."""
        with self._lock:
            row = self._db.execute(
                "SELECT (SELECT count(*) FROM answer WHERE session = id) FROM session WHERE id = ?", (id,)
            ).fetchone()
        return None if row is None else int(row[0])

    def wishes(self, id: str) -> Wishes:
        """How a session is to be shown."""
        with self._lock:
            row = self._db.execute(
                "SELECT advice, payoff, cut, simplification FROM session WHERE id = ?", (id,)
            ).fetchone()
        return Wishes() if row is None else Wishes(bool(row[0]), *row[1:])

    def load(self, id: str) -> Kept | None:
        """A session with its whole log."""
        with self._lock:
            row = self._db.execute(
                "SELECT system, version, data, title, document, seed, ending, advice, payoff, cut, simplification"
                " FROM session WHERE id = ?",
                (id,),
            ).fetchone()
            answers = self._db.execute(
                "SELECT step, seat, said, choice, face, source, exit, digest FROM answer WHERE session = ?"
                " ORDER BY place",
                (id,),
            ).fetchall()
        if row is None:
            return None
        system, version, data, title, document, seed, ending, advice, *wished = row
        entries = tuple(
            Entry(step, seat, Said(said), choice, tuple(json.loads(face)), Source(source), exit, digest)
            for step, seat, said, choice, face, source, exit, digest in answers
        )
        end: Mapping[str, Any] | None = None if ending is None else json.loads(ending)
        record = Record(Stamp(system, version, data), title, json.loads(document), seed, entries, end)
        return Kept(id, record, Wishes(bool(advice), *wished))

    def recent(self, limit: int = 20) -> list[Summary]:
        """The sessions that were touched last, newest first."""
        with self._lock:
            rows = self._db.execute(
                "SELECT id, system, title, stands_at, (SELECT count(*) FROM answer WHERE session = id), touched,"
                " ending IS NOT NULL FROM session ORDER BY touched DESC LIMIT ?",
                (limit,),
            ).fetchall()
        return [Summary(row[0], row[1], row[2], row[3], row[4], row[5], bool(row[6])) for row in rows]
