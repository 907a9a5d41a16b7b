"""Sessions as they are played in the app: opened from the store, answered, and committed before anybody sees it."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from overrun.kernel import Chance, InputError, OverrunError, PlayError, Problem
from overrun.play import record as log
from overrun.play.record import Record, Source
from overrun.play.session import Answer, Said, Session, throw
from overrun.store import opening
from overrun.store.opening import Opened
from overrun.store.sessions import Sessions, Stale, Wishes

KEPT_OPEN = 200
"""Sessions held in memory; any other is played again from its log when it is asked for."""


class Missing(OverrunError):  # noqa: N818  (it names what is the matter)
    """There is no such session."""

    code = "play.missing"


class Outdated(OverrunError):  # noqa: N818  (it names what is the matter)
    """A session was begun under other rules or other figures; its log can be read but not gone on with."""

    code = "play.outdated"

    def __init__(self, message: str, kept: Record) -> None:
        super().__init__(message)
        self.record = kept


@dataclass
class Table:
    """One session in play. Hold `lock` while reading or answering it."""

    id: str
    opened: Opened
    session: Session
    record: Record
    wishes: Wishes
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def place(self) -> int:
        """How many answers were given; the next one must say this number, so that none is given twice."""
        return len(self.record.entries)

    @property
    def standing(self) -> tuple[Answer, ...]:
        """The answers that were not taken back."""
        stack: list[Answer] = []
        for answer in self.session.answers:
            if answer.said is Said.UNDO:
                stack.pop()
            else:
                stack.append(answer)
        return tuple(stack)


class Referee:
    """Every session of one file."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        self._open: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, opened: Opened, seed: int | None = None) -> str:
        """A new session of a situation; its id."""
        session = opened.session()
        record = opened.record(secrets.randbelow(10**9) if seed is None else seed)
        return self.sessions.begin(record, session.step.title)

    def adopt(self, opened: Opened, record: Record) -> str:
        """A log that was played elsewhere, verified, as a session of this file; its id. Raises `InputError`."""
        if record.stamp != opened.stamp():
            raise Outdated(outdated(record, opened), record)
        session = log.replay(record, opened.session())
        return self.sessions.begin(record, session.step.title)

    def open(self, id: str) -> Table:
        """A session, played again from its log if need be. Raises `Missing`, `Outdated`, `InputError`."""
        with self._lock:
            table = self._open.get(id)
            length = self.sessions.length(id)
            if length is None:
                self._open.pop(id, None)
                raise Missing("There is no such session here. It may have been deleted, or kept in another file.")
            if table is not None and table.place == length:
                self._open.move_to_end(id)
                return table
            table = self._opened(id)
            self._open[id] = table
            while len(self._open) > KEPT_OPEN:
                self._open.popitem(last=False)
            return table

    def _opened(self, id: str) -> Table:
        kept = self.sessions.load(id)
        if kept is None:
            raise Missing("There is no such session here.")
        opened = opening.from_document(kept.record.document, kept.record.title)
        if kept.record.stamp != opened.stamp():
            raise Outdated(outdated(kept.record, opened), kept.record)
        session = log.replay(kept.record, opened.session())
        return Table(id, opened, session, kept.record, kept.wishes)

    def choose(self, id: str, place: int, option: str) -> Table:
        """Take an option. Raises `PlayError`, `Stale`, and what `open` raises."""
        return self._answer(id, place, Answer(Said.CHOICE, choice=option))

    def roll(self, id: str, place: int, face: Sequence[int]) -> Table:
        """Put real dice on the table. Raises as `choose`."""
        return self._answer(id, place, Answer(Said.ROLL, face=tuple(face)), Source.TYPED)

    def generate(self, id: str, place: int) -> Table:
        """Roll for the player: dice that the seed and the number of the roll determine. Raises as `choose`."""
        table = self.open(id)
        with table.lock:
            if not isinstance(table.session.node, Chance):
                raise PlayError(f"{table.session.step.title}: nothing is rolled here.")
            if table.record.seed is None:
                raise InputError([Problem("seed", "this log has no seed, so no dice can be generated for it")])
            seeded = Random(f"{table.record.seed}:{table.record.rolls() + 1}")
            face = throw(table.session.node.dice, seeded)
            return self._answer(id, place, Answer(Said.ROLL, face=face), Source.GENERATED)

    def undo(self, id: str, place: int) -> Table:
        """Take the last answer back; the log says so. Raises as `choose`."""
        return self._answer(id, place, Answer(Said.UNDO))

    def _answer(self, id: str, place: int, answer: Answer, source: Source = Source.NONE) -> Table:
        table = self.open(id)
        with table.lock:
            if place != table.place:
                raise Stale("This was answered meanwhile, in another window or on another device. Here is where it is.")
            table.session.take(answer)
            try:
                record = table.record.with_answer(table.session, source)
                self.sessions.add(id, record, table.session.step.title)
            except BaseException:
                # What could not be kept did not happen: the session is read from the file again.
                with self._lock:
                    self._open.pop(id, None)
                raise
            table.record = record
            return table

    def wish(self, id: str, wishes: Wishes) -> None:
        """Show the session in another way."""
        table = self.open(id)
        with table.lock:
            self.sessions.wish(id, wishes)
            table.wishes = replace(wishes)

    def forget(self, id: str) -> None:
        """Delete a session and its log."""
        with self._lock:
            self._open.pop(id, None)
            self.sessions.forget(id)


def outdated(record: Record, opened: Opened) -> str:
    """Why a log cannot be gone on with."""
    there, here = record.stamp, opened.stamp()
    return (
        f"This overrun was begun under {there.system} {there.version} (figures {there.data}); the rules here are "
        f"{here.system} {here.version} (figures {here.data}). Its log can be downloaded; begin it again to play on."
    )
