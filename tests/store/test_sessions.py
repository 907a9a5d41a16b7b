"""The file of sessions: what was committed is there again, in order, and nothing is answered twice. Covers X-06."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from overrun.kernel import InputError
from overrun.play import record as log
from overrun.play.record import Record, Source
from overrun.play.session import Session
from overrun.store import opening
from overrun.store.sessions import TABLES, Sessions, Stale, Wishes
from overrun.web import reference

EXAMPLE = "valor/printed-example"


def played(session: Session, record: Record) -> Record:
    session.choose("overrun")
    return record.with_answer(session)


def test_what_was_committed_is_there_again_and_verifies(tmp_path: Path) -> None:
    opened = reference.opened(EXAMPLE)
    session, record = opened.session(), opened.record(7)
    store = Sessions(tmp_path / "s.db")
    id = store.begin(record, "start")
    record = played(session, record)
    store.add(id, record, "on the way")
    session.choose("fire:squad-1:panzerfaust:schmidt")
    record = record.with_answer(session)
    store.add(id, record, "rolling")
    session.roll((3, 4))
    record = record.with_answer(session, Source.TYPED)
    store.add(id, record, "rolled")
    store.close()

    kept = Sessions(tmp_path / "s.db").load(id)
    assert kept is not None
    assert kept.record == record
    again = opening.from_document(kept.record.document, "again")
    assert log.replay(kept.record, again.session()).position == session.position
    assert log.loads(log.dumps(kept.record)).entries == record.entries


def test_an_answer_to_a_step_that_was_answered_meanwhile_is_refused(tmp_path: Path) -> None:
    opened = reference.opened(EXAMPLE)
    record = opened.record(7)
    store = Sessions(tmp_path / "s.db")
    id = store.begin(record, "start")
    one, two = played(opened.session(), record), played(opened.session(), record)
    store.add(id, one, "x")
    with pytest.raises(Stale):
        store.add(id, two, "x")
    assert store.length(id) == 1


def test_wishes_recent_and_forget(tmp_path: Path) -> None:
    store = Sessions(tmp_path / "s.db")
    record = reference.opened(EXAMPLE).record(7)
    first, second = store.begin(record, "a"), store.begin(replace(record, title="two"), "b")
    wishes = Wishes(False, "trade", "cut", "without")
    store.wish(first, wishes)
    assert store.wishes(first) == wishes
    kept = store.load(first)
    assert kept is not None
    assert kept.wishes == wishes
    assert [one.id for one in store.recent(2)] == [second, first]
    store.forget(second)
    assert store.load(second) is None
    assert [one.id for one in store.recent()] == [first]


def test_a_file_of_the_format_before_is_brought_up_and_keeps_its_sessions(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    older = TABLES.replace(",\n    simplification TEXT NOT NULL DEFAULT ''", "")
    assert older != TABLES
    with closing(sqlite3.connect(path)) as db:
        db.executescript(older + "PRAGMA user_version = 1;")
        db.execute(
            "INSERT INTO session (id, system, version, data, title, document, created, touched, stands_at, payoff, cut)"
            " VALUES ('a', 'valor', '1', 'x', 'old', '{}', 0, 0, 'start', 'trade', 'cut')"
        )
        db.commit()
    for _ in range(2):
        store = Sessions(path)
        assert store.wishes("a") == Wishes(True, "trade", "cut")
        assert [one.title for one in store.recent()] == ["old"]
        store.close()
    store = Sessions(path)
    store.wish("a", Wishes(simplification="without"))
    assert store.wishes("a") == Wishes(simplification="without")


def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE mine (x)")
    with pytest.raises(InputError, match="left as it is"):
        Sessions(path)
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at" * 40)
    with pytest.raises(InputError, match="cannot be kept there"):
        Sessions(tmp_path / "text.db")


WRITER = """
    import sys
    from pathlib import Path
    from overrun.store.sessions import Sessions
    from overrun.web import reference
    opened = reference.opened("valor/printed-example")
    store, record, session = Sessions(Path(sys.argv[1])), opened.record(1), opened.session()
    id = store.begin(record, "start")
    print(id, flush=True)
    while True:
        session.choose("overrun")
        record = record.with_answer(session)
        store.add(id, record, "x")
        print(len(record.entries), flush=True)
        session.undo()
        record = record.with_answer(session)
        store.add(id, record, "x")
        print(len(record.entries), flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is a signal of POSIX systems")
def test_every_acknowledged_answer_survives_a_kill(tmp_path: Path) -> None:
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(tmp_path / "s.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        id = writer.stdout.readline().strip()
        acknowledged = 0
        while acknowledged < 25:
            acknowledged = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        rest = writer.stdout.read().split()
        acknowledged = max([acknowledged, *(int(number) for number in rest if number.isdecimal())])
    kept = Sessions(tmp_path / "s.db").load(id)
    assert kept is not None
    assert len(kept.record.entries) >= acknowledged
    log.replay(kept.record, opening.from_document(kept.record.document, "again").session())
