"""A log is written whole, finds every edit, and replays to the same end (X-06)."""

import json
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from overrun.kernel import Chance, Decision, InputError
from overrun.play import record
from overrun.play.record import Record, Source, Stamp
from overrun.play.session import Session, throw
from tests.rulesets.drill import SITUATION, build, drill

STAMP = Stamp("drill", "1", "abcd")


def fresh() -> Session:
    return Session(drill.rules, SITUATION.start)


def played(seed: int, undo_after: int = 0) -> tuple[Session, Record]:
    """A whole overrun with its log; one answer is taken back and given again."""
    random, session = Random(seed), fresh()
    log = Record(STAMP, "Drill", {"system": "drill", "note": "Zwölf"}, seed)
    while not session.over:
        if len(session.answers) == undo_after > 0:
            session.undo()
            log = log.with_answer(session)
        node, source = session.node, Source.NONE
        if isinstance(node, Chance):
            session.roll(throw(node.dice, random))
            source = Source.GENERATED
        elif isinstance(node, Decision):
            session.choose(node.options[0].id)
        log = log.with_answer(session, source)
    return session, log


@pytest.fixture
def log() -> Record:
    return played(3, undo_after=4)[1]


def test_a_log_reads_back_as_it_was_written(log: Record) -> None:
    assert record.loads(record.dumps(log)) == log
    assert record.dumps(log).count("\n    {") == len(log.entries)


def test_replay_reaches_the_same_end_and_tally() -> None:
    for seed in range(20):
        session, log = played(seed, undo_after=seed % 6)
        again = record.replay(record.loads(record.dumps(log)), fresh())
        assert (again.position, again.events, again.answers) == (session.position, session.events, session.answers)
        assert log.end is not None
        assert log.end["counted"] == session.tally()


def test_undone_rolls_do_not_stand() -> None:
    _, straight = played(3)
    _, undone = played(3, undo_after=4)
    assert undone.entries[4].said == "undo"
    assert straight.rolls() == sum(entry.said == "roll" for entry in straight.entries)
    assert undone.rolls() == sum(entry.said == "roll" for entry in undone.entries) - (undone.entries[3].said == "roll")


def test_a_log_that_was_cut_off_goes_on_where_it_stopped(log: Record) -> None:
    part = replace(log, entries=log.entries[:5], end=None)
    session = record.replay(record.loads(record.dumps(part)), fresh())
    assert not session.over
    assert len(session.answers) == 5


def entry(raw: dict[str, Any], place: int, **changes: Any) -> dict[str, Any]:
    raw["entries"][place] |= changes
    return raw


def without(raw: dict[str, Any], place: int) -> dict[str, Any]:
    del raw["entries"][place]
    return raw


def swapped(raw: dict[str, Any]) -> dict[str, Any]:
    raw["entries"][1], raw["entries"][2] = raw["entries"][2], raw["entries"][1]
    return raw


@pytest.mark.parametrize(
    ("edit", "where"),
    [
        (lambda raw: entry(raw, 1, dice=[6, 6]), "entries[2]"),
        (lambda raw: entry(raw, 1, exit="no_effect"), "entries[2]"),
        (lambda raw: entry(raw, 2, source="typed"), "entries[3]"),
        (lambda raw: entry(raw, 0, choice="decline"), "entries[1]"),
        (lambda raw: entry(raw, 0, digest="0" * 32), "entries[1]"),
        (lambda raw: without(raw, 2), "entries[3]"),
        (lambda raw: without(raw, -1), "end"),
        (swapped, "entries[2]"),
        (lambda raw: raw | {"seed": 99}, "entries[1]"),
        (lambda raw: raw | {"scenario": {"system": "drill"}}, "entries[1]"),
        (lambda raw: raw | {"data": "other"}, "entries[1]"),
        (lambda raw: raw | {"end": raw["end"] | {"outcome": "won"}}, "end"),
        (lambda raw: raw | {"end": raw["end"] | {"counted": {"lost": 9}}}, "end"),
    ],
)
def test_any_edit_is_found_and_the_first_edited_entry_named(
    log: Record, edit: Callable[[dict[str, Any]], dict[str, Any]], where: str
) -> None:
    raw = edit(json.loads(record.dumps(log)))
    with pytest.raises(InputError) as caught:
        record.loads(json.dumps(raw))
    assert [problem.where for problem in caught.value.problems] == [where]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "log, line 1: this is no log: it is not JSON"),
        ("[]", 'no "format"'),
        ("9" * 5000, "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"format": "overrun-log", "format_version": 2}', "format_version: this log has format 2"),
        ('{"format": "overrun-log", "format_version": 1}', "entries: this is missing"),
        (
            '{"format": "overrun-log", "format_version": 1, "system": 3, "ruleset_version": "1", "data": "", '
            '"title": "", "scenario": {}, "seed": "x", "end": 1, '
            '"entries": [7, {"said": "fly", "dice": ["x"], "digest": 1}, {"said": "automatic", "digest": ""}]}',
            "entries[2].said: 'fly' is not possible here. Allowed: choose, roll, undo",
        ),
    ],
)
def test_a_file_that_is_no_log_is_refused_with_every_problem(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        record.loads(text)
    assert message in str(caught.value)


def test_every_problem_of_a_broken_log_is_named_at_once() -> None:
    text = (
        '{"format": "overrun-log", "format_version": 1, "system": 3, "ruleset_version": "1", "data": "", "title": "",'
        '"scenario": {}, "seed": true, "end": 1, "entries": [7, {"said": "roll", "dice": [true], "digest": 1}]}'
    )
    with pytest.raises(InputError) as caught:
        record.loads(text)
    places = [problem.where for problem in caught.value.problems]
    assert places == ["seed", "end", "system", "entries[1]", "entries[2].dice", "entries[2].digest"]


def rechained(log: Record, place: int, **changes: Any) -> Record:
    """An edited log whose digests were made right again: only the rules can find it."""
    entries: list[record.Entry] = []
    digest = record.chained("", log.header)
    for index, old in enumerate(log.entries):
        new = replace(old, **changes) if index == place else old
        digest = record.chained(digest, record._plain(new))
        entries.append(replace(new, digest=digest))
    return record.loads(record.dumps(replace(log, entries=tuple(entries), end=None)))


@pytest.mark.parametrize(
    ("place", "changes", "message"),
    [
        (1, {"exit": "kia"}, r"entries\[2\].exit: the log says 'kia'; the rules say 'pins'"),
        (1, {"face": (9, 1)}, r"entries\[2\]: the rules refuse this answer: DR: a die shows 1 to 6, not 9"),
        (1, {"step": "morale"}, r"entries\[2\].step: the log says 'morale'; the rules say 'attack'"),
        (0, {"seat": "defender"}, r"entries\[1\].seat: the log says 'defender'; the rules say 'attacker'"),
        (0, {"choice": "bail"}, r"entries\[1\]: the rules refuse this answer: Cannot choose bail: .* \(Drill 1\)"),
    ],
)
def test_replay_names_the_first_entry_that_the_rules_answer_otherwise(
    place: int, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        record.replay(rechained(played(3)[1], place, **changes), fresh())


def test_a_log_of_other_rules_says_which_step_differs() -> None:
    log = played(3)[1]
    with pytest.raises(InputError, match=r"entries\[3\]\.step: the log says 'check\.roll'; the rules say 'morale'"):
        record.replay(log, Session(build(each=False), SITUATION.start))


def test_an_end_that_the_rules_do_not_reach_is_named() -> None:
    log = played(3)[1]
    assert log.end is not None
    end: dict[str, Any] = {"outcome": "over", "counted": {"lost": 50}}
    end["digest"] = record.chained(log.last_digest, end)
    with pytest.raises(InputError, match=r"end: the log says 'over', counted \{'lost': 50\}; the rules say"):
        record.replay(record.loads(record.dumps(replace(log, end=end))), fresh())
    with pytest.raises(InputError, match="the rules say that the overrun is over"):
        record.replay(replace(log, end=None), fresh())


def test_writing_replaces_the_file_and_leaves_nothing_else(tmp_path: Path, log: Record) -> None:
    path = tmp_path / "a.json"
    record.write(path, replace(log, entries=(), end=None))
    record.write(path, log)
    assert record.loads(path.read_text(encoding="utf-8")) == log
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_failed_write_keeps_the_old_file(tmp_path: Path, log: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    record.write(path, log)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"the log cannot be written: No space left on device"):
        record.write(path, replace(log, seed=1))
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, log: Record) -> None:
    with pytest.raises(InputError, match="No such file or directory"):
        record.write(tmp_path / "none" / "a.json", log)


def test_bytes_and_the_move_itself_reach_the_disk(tmp_path: Path, log: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(stat.S_ISDIR(os.fstat(descriptor).st_mode)))
    record.write(tmp_path / "a.json", log)
    assert synced == ([False] if os.name == "nt" else [False, True])


def test_an_end_that_comes_too_early_is_named() -> None:
    log = played(3)[1]
    part = replace(log, entries=log.entries[:3])
    assert log.end is not None
    with pytest.raises(InputError, match="the rules say that it goes on"):
        record.replay(part, fresh())
