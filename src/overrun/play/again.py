"""An old log refereed again by the rules of today: the same dice, the same choices, and the first step that differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from overrun.kernel import End, PlayError
from overrun.play.record import Entry, Record
from overrun.play.session import Event, Said, Session


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the rules of today say otherwise: the entry by its place, what the log and what the rules say, and why.

    `event` is the step as it is refereed today, with its figures; None where today's rules do not come to one.
    """

    place: int
    entry: Entry
    about: str
    logged: str
    today: str
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Again:
    """A log under the rules of today. `given` entries could be given; where that is fewer than all, `stopped` says why.

    `first` is the first difference, or None when nothing differs. `logged` and `today` are the two ends: outcome and
    counted measures, or None where there is none.
    """

    entries: int
    given: int
    first: Difference | None
    stopped: str
    logged: Mapping[str, Any] | None
    today: Mapping[str, Any] | None

    @property
    def same(self) -> bool:
        """Do the rules of today say what the log says, to the end?"""
        return self.first is None


def referee_again(record: Record, session: Session) -> Again:
    """Give a fresh session every answer of a log as far as the rules of today take it. Raises nothing for a difference.

    After a step that comes out otherwise the same dice and choices are kept, until an answer meets another question.
    """
    first: Difference | None = None
    for place, entry in enumerate(record.entries, 1):
        found = _differs_before(place, entry, session)
        if found is None:
            before = len(session.events)
            try:
                session.take(entry.answer)
            except PlayError as error:
                found = Difference(place, entry, "answer", entry.choice or str(list(entry.face)), str(error))
            else:
                if entry.said is not Said.UNDO and (event := session.events[before]).exit.id != entry.exit:
                    first = first or Difference(place, entry, "exit", entry.exit, event.exit.id, event)
                continue
        return _ended(
            record, session, place - 1, first or found, f"entry {place} meets another question: {found.today}"
        )
    reached, logged = _end(session), _without_digest(record.end)
    if first is None and record.entries and logged != reached:
        last = record.entries[-1]
        step = session.events[-1] if session.events else None
        first = Difference(len(record.entries), last, "end", _told(logged), _told(reached), step)
    return _ended(record, session, len(record.entries), first, "")


def _differs_before(place: int, entry: Entry, session: Session) -> Difference | None:
    """Does the entry answer another question than the one that waits?"""
    if entry.said is Said.UNDO:
        return None
    if isinstance(session.node, End):
        return Difference(place, entry, "end", "that it goes on", f"the overrun is over: {session.node.outcome}")
    if entry.step != session.step.id:
        return Difference(place, entry, "step", entry.step, session.step.id)
    if entry.seat != str(session.node.seat):
        return Difference(place, entry, "seat", entry.seat, str(session.node.seat))
    return None


def _ended(record: Record, session: Session, given: int, first: Difference | None, stopped: str) -> Again:
    return Again(len(record.entries), given, first, stopped, _without_digest(record.end), _end(session))


def _end(session: Session) -> dict[str, Any] | None:
    if not isinstance(session.node, End):
        return None
    return {"outcome": session.node.outcome, "counted": dict(sorted(session.tally().items()))}


def _without_digest(end: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if end is None else {name: value for name, value in end.items() if name != "digest"}


def _told(end: Mapping[str, Any] | None) -> str:
    if end is None:
        return "that it goes on"
    counted = ", ".join(f"{name} {count}" for name, count in end["counted"].items())
    return f"{end['outcome']} ({counted})" if counted else str(end["outcome"])
