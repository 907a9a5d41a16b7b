"""A log on disk that grows with its session: an answer is acknowledged only when it is safe there."""

from __future__ import annotations

from pathlib import Path

from overrun.kernel import InputError, Problem
from overrun.play import record
from overrun.play.record import Record, Source
from overrun.play.session import Session
from overrun.store.opening import Opened, text_of


class LogFile:
    """The log of one session. Without a path it is kept in memory only."""

    def __init__(self, kept: Record, path: Path | None = None) -> None:
        self.record, self.path = kept, path
        self._written: str | None = None
        if path is not None:
            self._save()

    @classmethod
    def resumed(cls, path: Path, kept: Record) -> LogFile:
        """Go on with a log that lies at `path` and was verified."""
        file = cls(kept)
        file.path, file._written = path, path.read_text(encoding="utf-8-sig")
        return file

    def add(self, session: Session, source: Source = Source.NONE) -> None:
        """Write the answer that the session took last. Raises `InputError` when it cannot be kept."""
        self.record = self.record.with_answer(session, source)
        if self.path is not None:
            self._save()

    def _save(self) -> None:
        assert self.path is not None
        if self._written is not None and self.path.exists() and text_of(str(self.path)) != self._written:
            what = "something else changed this log meanwhile; nothing was overwritten"
            raise InputError([Problem(str(self.path), what, "one session a log")])
        record.write(self.path, self.record)
        self._written = record.dumps(self.record)


def continued(opened: Opened, path: Path, seed: int | None) -> tuple[Session, LogFile]:
    """A session whose log is at `path`: a new one, or the one that the log holds, if it is of this very scenario.

    Raises `InputError` when the file there is no log, is of another scenario or other rules, or does not replay.
    """
    if not path.exists():
        return opened.session(), LogFile(opened.record(seed), path)
    kept = record.loads(text_of(str(path)), str(path))
    if kept.document != opened.situation.document:
        what = f"this log is of another scenario ({kept.title})"
        raise InputError([Problem(str(path), what, "a new file name, or the scenario it was begun with")])
    return resumed(opened, path, kept)


def resumed(opened: Opened, path: Path, kept: Record) -> tuple[Session, LogFile]:
    """Go on with a log under the rules it was begun with. Raises `InputError` when it does not replay."""
    if kept.stamp != opened.stamp():
        what = f"this log was refereed by {told(kept)}; the rules here are {told(opened.record())}"
        raise InputError([Problem(str(path), what, "replay it with `overrun replay`, or begin a new log")])
    return record.replay(kept, opened.session()), LogFile.resumed(path, kept)


def told(kept: Record) -> str:
    """The rules of a log in words."""
    return f"{kept.stamp.system} {kept.stamp.version} (figures {kept.stamp.data})"
