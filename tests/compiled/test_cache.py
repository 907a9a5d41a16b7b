"""Kept graphs: found by content, never wrong, never in the way (X-05)."""

import errno
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from overrun.compiled import cache as module
from overrun.compiled.cache import Cache, default_folder, named
from overrun.compiled.canonical import written
from overrun.compiled.solve import solve
from overrun.compiled.store import DamagedGraph, packed, unpacked
from overrun.kernel import InputError, Position, RulesError
from overrun.kernel.revision import IN_FORCE, Revision
from tests.disks import READ_ONLY, SMALL, run_on
from tests.rulesets.drill import PAYOFF, State, drill, position


@dataclass(frozen=True, slots=True)
class Odd(State):
    """A state beside a fact that has no content of its own."""

    fact: object = field(default_factory=object, compare=False)


def value(kept: module.Kept) -> Any:
    return solve(kept.compiled, PAYOFF).value


def graphs(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix == module.SUFFIX)


def test_the_second_question_is_answered_from_the_folder(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "deep" / "folder")
    first, second = (cache.game(drill, position(2)) for _ in range(2))
    assert (first.from_cache, second.from_cache, second.note) == (False, True, "")
    assert value(first) == value(second)
    one, two = first.compiled, second.compiled
    assert [getattr(one, name) for name in vars(one) if not name.startswith("_")][:17] == [
        getattr(two, name) for name in vars(one) if not name.startswith("_")
    ][:17]


def test_what_changes_the_answer_changes_the_name() -> None:
    base = named(drill, position(2), (), True)
    others = [
        named(drill, position(3), (), True),
        named(drill, position(2, 1), (), True),
        named(drill, position(2), drill.rules.restrictions, True),
        named(drill, position(2), (), False),
        named(replace(drill, version="2"), position(2), (), True),
    ]
    assert len({base, *others}) == 6
    assert named(drill, position(2), (), True) == base


def test_a_fact_that_equality_ignores_changes_the_name() -> None:
    @dataclass(frozen=True)
    class Facts:
        mp: int
        terrain: str = field(compare=False)

    woods, road = (Position("declare", Facts(3, terrain)) for terrain in ("woods", "road"))
    assert woods == road
    assert named(drill, woods, (), True) != named(drill, road, (), True)
    assert written(woods, compared=True) == written(road, compared=True)


def test_what_was_remembered_meanwhile_does_not_change_the_name() -> None:
    @dataclass(frozen=True)
    class Facts:
        mp: int
        remembered: dict[str, int] = field(default_factory=dict, init=False, compare=False)

    before = named(drill, Position("declare", Facts(3)), (), True)
    known = Facts(3)
    known.remembered["cost"] = 2
    assert named(drill, Position("declare", known), (), True) == before


def test_sets_and_mappings_are_written_in_one_order() -> None:
    assert written(frozenset("abcdef")) == written(frozenset("fedcba"))
    assert written({"a": 1, "b": 2}) == written({"b": 2, "a": 1})
    assert written(("1",)) != written((1,))


def test_what_has_no_content_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be named"):
        written(Position("declare", lambda: 1))
    start = position(1)
    odd = Position(start.step, Odd(**{name: getattr(start.state, name) for name in start.state.__slots__}))
    kept = Cache(tmp_path).game(drill, odd)
    assert (kept.from_cache, list(tmp_path.iterdir())) == (False, [])
    assert "not kept: builtins.object cannot be named" in kept.note


def under(revision: Revision, folder: Path) -> module.Kept:
    token = IN_FORCE.set(revision)
    try:
        return Cache(folder).game(drill, position(1))
    finally:
        IN_FORCE.reset(token)


def test_moved_figures_are_part_of_the_name(tmp_path: Path) -> None:
    Cache(tmp_path).game(drill, position(1))
    ways = [Revision({"TEM (Drill 1.2)": 1}), Revision({"TEM (Drill 1.2)": -1})]
    first, second = ([under(way, tmp_path) for way in ways] for _ in range(2))
    assert [kept.from_cache for kept in (*first, *second)] == [False, False, True, True]
    printed = Cache(tmp_path).game(drill, position(1))
    assert printed.from_cache
    assert len({value(kept) for kept in (*second, printed)}) == 3
    assert [value(kept) for kept in first] == [value(kept) for kept in second]


def test_where_reading_is_watched_nothing_is_taken_from_the_folder(tmp_path: Path) -> None:
    watching = [Revision(), Revision()]
    Cache(tmp_path).game(drill, position(1))
    for revision in watching:
        kept = under(revision, tmp_path)
        assert (kept.from_cache, kept.note) == (False, "not kept: the figures that it reads are watched")
    assert "TEM (Drill 1.2)" in watching[1].seen


@pytest.mark.parametrize("harm", [lambda b: b[:-1], lambda b: b"", lambda b: b[:200] + b"?" + b[201:], lambda b: b * 2])
def test_a_damaged_file_is_made_again(tmp_path: Path, harm: Callable[[bytes], bytes]) -> None:
    cache = Cache(tmp_path)
    good = value(cache.game(drill, position(2)))
    (path,) = graphs(tmp_path)
    path.write_bytes(harm(path.read_bytes()))
    again = cache.game(drill, position(2))
    assert (again.from_cache, value(again)) == (False, good)
    assert "was damaged and has been extracted again" in again.note
    assert cache.game(drill, position(2)).from_cache


def test_no_harmed_block_is_read(tmp_path: Path) -> None:
    block = packed(Cache(tmp_path).game(drill, position(1)).compiled)
    assert unpacked(block).decisions
    for place in range(0, len(block), 7):
        with pytest.raises(DamagedGraph):
            unpacked(block[:place] + bytes([block[place] ^ 1]) + block[place + 1 :])


ASKED = """
import json, sys
from pathlib import Path
from overrun.compiled.cache import Cache
from overrun.compiled.solve import solve
from tests.rulesets.drill import PAYOFF, drill, position

folder = Path(sys.argv[1])
for units in map(int, sys.argv[2:]):
    kept = Cache(folder).game(drill, position(units))
    value = str(solve(kept.compiled, PAYOFF).value[0])
    files = sorted(path.suffix for path in folder.iterdir())
    print(json.dumps([units, kept.from_cache, kept.note, value, files]))
"""


def asked_on(disk: str, place: Path, *units: int) -> list[list[Any]]:
    return [json.loads(line) for line in run_on(disk, place, ASKED, place, *map(str, units)).splitlines()]


def test_a_full_disk_costs_time_only(tmp_path: Path) -> None:
    place = tmp_path / "small"
    values = {units: str(value(Cache(tmp_path / "roomy").game(drill, position(units)))[0]) for units in (1, 3)}
    full = f"not kept: the disk of {place} is full"
    assert asked_on(SMALL, place, 3, 1, 1, 3, 1) == [
        [3, False, full, values[3], []],
        [1, False, "", values[1], [".graph"]],
        [1, True, "", values[1], [".graph"]],
        [3, False, full, values[3], [".graph"]],
        [1, True, "", values[1], [".graph"]],
    ]


def test_a_disk_that_may_not_be_written_is_read_all_the_same(tmp_path: Path) -> None:
    place = tmp_path / "readonly"
    values = {units: str(value(Cache(tmp_path / "roomy").game(drill, position(units)))[0]) for units in (1, 2)}
    Cache(place).game(drill, position(1))
    assert asked_on(READ_ONLY, place, 1, 2) == [
        [1, True, "", values[1], [".graph"]],
        [2, False, f"not kept: {place} may not be written", values[2], [".graph"]],
    ]


def test_a_disk_that_fails_costs_time_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(module.os, "replace", fails)
    kept = Cache(tmp_path).game(drill, position(1))
    assert kept.compiled.decisions
    assert not kept.from_cache
    assert "cannot be written" in kept.note
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_costs_time_only(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("mine")
    assert "not kept" in Cache(place).game(drill, position(1)).note
    assert place.read_text() == "mine"


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    big = Cache(tmp_path)
    for units, passes in ((3, 1), (3, 2), (2, 2)):
        big.game(drill, position(units, passes))
    old = time.time() - 1000
    for age, path in enumerate(graphs(tmp_path)):
        os.utime(path, (old + age, old + age))
    assert big.game(drill, position(3, 1)).from_cache  # used now
    used = named(drill, position(3, 1), (), True)
    total = sum(path.stat().st_size for path in graphs(tmp_path))
    smaller = Cache(tmp_path)
    smaller.megabytes = total / 1e6  # type: ignore[assignment]
    smaller.game(drill, position(2, 1))
    left = {path.name for path in graphs(tmp_path)}
    assert {used, named(drill, position(2, 1), (), True)} <= left
    assert len(left) < 4
    assert sum(path.stat().st_size for path in graphs(tmp_path)) <= total


def test_a_graph_larger_than_the_cache_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.megabytes = 0.001  # type: ignore[assignment]
    kept = cache.game(drill, position(1))
    assert "the cache may hold 0.001 MB" in kept.note
    assert list(tmp_path.iterdir()) == []


def test_the_size_may_be_set_and_none_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Cache(tmp_path).megabytes == 512
    Cache(tmp_path).game(drill, position(1))
    before = graphs(tmp_path)
    monkeypatch.setenv("OVERRUN_CACHE_MEGABYTES", "0")
    kept = [Cache(tmp_path).game(drill, position(units)) for units in (1, 2)]
    assert [(each.from_cache, each.note) for each in kept] == [(False, ""), (False, "")]
    assert graphs(tmp_path) == before
    monkeypatch.setenv("OVERRUN_CACHE_MEGABYTES", "7")
    assert Cache(tmp_path).megabytes == 7
    for wrong in ("-1", "much", "1.5"):
        monkeypatch.setenv("OVERRUN_CACHE_MEGABYTES", wrong)
        with pytest.raises(InputError, match=r"OVERRUN_CACHE_MEGABYTES: .* is no size"):
            Cache(tmp_path)


def test_what_a_killed_run_left_behind_is_swept_up(tmp_path: Path) -> None:
    left, fresh = tmp_path / ".x.part", tmp_path / ".y.part"
    for path in (left, fresh):
        path.write_bytes(b"half")
    os.utime(left, (1, 1))
    Cache(tmp_path).game(drill, position(1))
    assert (left.exists(), fresh.exists()) == (False, True)


def test_runs_may_share_a_folder(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.rulesets.drill import *\n"
        "from overrun.compiled.cache import *\n"
        "from overrun.compiled.solve import solve\n"
        "for turn in range(6):\n"
        "    for units in (1, 2):\n"
        "        kept = Cache(Path(sys.argv[1]), 1).game(drill, position(units))\n"
        "        assert 'damaged' not in kept.note\n"
        "        print(units, solve(kept.compiled, PAYOFF).value[0])\n"
        "        if turn % 2: [path.unlink(missing_ok=True) for path in Path(sys.argv[1]).glob('*.graph')]\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    outputs = [run.communicate(timeout=120) for run in runs]
    assert [error for _, error in outputs] == [b""] * 3
    assert len({line for out, _ in outputs for line in out.splitlines()}) == 2


def test_the_folder_is_where_the_system_keeps_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OVERRUN_CACHE", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv("OVERRUN_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert default_folder() == tmp_path / "x" / "overrun"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert default_folder() == tmp_path / "overrun" / "Cache"
