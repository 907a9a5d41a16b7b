"""What a player names is found, or refused in one sentence (X-06)."""

import shutil
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from overrun import scenarios
from overrun.kernel import Decision, InputError, Position, Rules
from overrun.rulesets import rulesets
from overrun.store import opening


def test_every_shipped_scenario_opens_under_its_own_system() -> None:
    for name in scenarios.names():
        opened = opening.scenario(name)
        assert opened.ruleset.id == name.partition("/")[0]
        assert not opened.session().over or opened.session().events


def test_a_file_goes_before_a_shipped_scenario_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "valor").mkdir()
    text = scenarios.text("valor/printed-example").replace("M4A3E8 through the foxholes", "Mine")
    (tmp_path / "valor" / "printed-example").write_text(text, encoding="utf-8")
    assert opening.scenario("valor/printed-example").situation.title == "Mine"


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    text = scenarios.text("valor/printed-example").replace("\n", "\r\n")
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert opening.scenario(str(tmp_path / "a.toml")).situation.title == "M4A3E8 through the foxholes"


def test_a_file_far_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    with path.open("wb") as file:
        file.truncate(opening.LARGEST + 1)
    with pytest.raises(InputError, match="too large to be one"):
        opening.scenario(str(path))


def test_a_name_that_no_system_of_files_can_hold_is_refused() -> None:
    for name in ("a\0b", "x" * 5000):
        with pytest.raises(InputError, match=r"cannot be read|no such file"):
            opening.scenario(name)


def test_equal_figures_have_equal_fingerprints_and_a_changed_one_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset = rulesets()["valor"]
    package = Path(str(import_module("overrun.rulesets.valor").__file__)).parent
    shutil.copytree(package / "data", tmp_path / "data")
    monkeypatch.setattr(opening, "folder_of", lambda ruleset: tmp_path)
    before = opening.fingerprint(ruleset)
    table = tmp_path / "data" / "ap_combat.csv"
    table.write_bytes(table.read_bytes().replace(b"\n", b"\r\n"))
    assert opening.fingerprint(ruleset) == before
    table.write_text(table.read_text(encoding="utf-8").replace("7", "8", 1), encoding="utf-8")
    assert opening.fingerprint(ruleset) != before


def test_a_ruleset_without_a_package_is_fingerprinted_by_its_tables() -> None:
    ruleset = rulesets()["valor"]
    bare = replace(ruleset, load=SimpleNamespace(__module__="__main__"))  # type: ignore[arg-type]
    other = replace(bare, tables=lambda: ruleset.tables()[:1])
    assert opening.fingerprint(bare) != opening.fingerprint(other)


def test_sessions_of_one_scenario_ask_the_rules_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = opening.scenario("valor/printed-example")
    asked: list[str] = []
    real = type(opened.ruleset.rules).at

    def at(rules: Rules[Any], position: Position[Any]) -> Any:
        asked.append(position.step)
        return real(rules, position)

    monkeypatch.setattr(type(opened.ruleset.rules), "at", at)
    ends = []
    for _ in range(2):
        session = opened.session()
        for choice in ("overrun", "hold", "enter"):
            if not session.over and isinstance(session.node, Decision):
                session.choose(
                    choice if choice in {exit.id for exit in session.node.options} else session.node.options[-1].id
                )
        ends.append((session.position, session.events, len(asked)))
    (where, events, first), (again, same, second) = ends
    assert (where, events) == (again, same)
    assert first == second > 0
    assert opening.scenario("valor/printed-example").walk is not opened.walk
