"""Bad input: one clear line a problem, exit status 2, no traceback, no file touched."""

from collections.abc import Callable
from pathlib import Path

import pytest

from overrun import scenarios
from overrun.rulesets import rulesets
from tests.cli.conftest import Run

Example = Callable[..., str]


@pytest.mark.parametrize("command", ["check", "play", "odds", "advise", "explain"])
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.toml", None, "none.toml: there is no such file, and no shipped scenario of that name."),
        ("valor/printed-exampel", None, "(did you mean 'valor/printed-example'?)"),
        (".", None, "this is a folder, not a file"),
        ("a.toml", b'system = "valor"\n[map\n', "a.toml: this is not valid TOML: Expected ']' "),
        ("a.toml", b"a = 1\na = 2\n", "(at line 2, column 6)"),
        ("a.toml", b"\xff\xfe\x00", "this is not UTF-8 text (byte 0)"),
        ("a.toml", b"", "system: this is missing"),
        ("a.toml", b"system = 7", "system: 7 is not the id of a game. Allowed: "),
        ("a.toml", b'system = "valour"', "system: there is no system 'valour' (did you mean 'valor'?). Allowed: "),
        ("a.toml", b'system = "valor"\nmap = 3', "map: "),
        ("a.toml", b"x = " + b"[" * 20000, "this is not valid TOML"),
    ],
)
def test_a_file_that_is_no_scenario(
    run: Run, tmp_path: Path, command: str, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    before = sorted(path.name for path in tmp_path.iterdir())
    ran = run(command, name)
    assert message in ran.err
    assert all(line.startswith("overrun: ") for line in ran.err.splitlines())
    assert (ran.code, ran.out) == (2, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('counter = "German rifle squad"', 'counter = "German rifle squat"', "defenders[2].counter: "),
        ('columns = "F"', "columns = 6", "map.columns: "),
        ("rows = 5", 'rows = "many"', "map.rows: "),
        ("rows = 5", "rows = 5\nrow = 5", "map.row: there is no such key here"),
        ('path = ["D4"', 'path = ["Z9"', "afv.path[1]: Z9 is off the map"),
        ('facing = "NW"', 'facing = "UP"', "afv.facing: "),
        ("count = 2", "count = -2", "defenders[2].count: "),
        ("[3, 4]", "[3, 9]", "dice.rolls[1][2]: 9 is too large"),
        ('declaration = ["overrun"]', 'declaratoin = ["overrun"]', 'plan."declaratoin": '),
    ],
)
def test_a_scenario_with_a_fault_names_its_key(run: Run, example: Example, old: str, new: str, place: str) -> None:
    ran = run("check", example((old, new)))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"overrun: {place}")


def test_every_fault_of_a_scenario_is_named_at_once(run: Run, example: Example) -> None:
    ran = run(
        "check", example(("rows = 5", "rows = -5"), ('facing = "NW"', 'facing = "UP"'), ("count = 2", "count = 0"))
    )
    assert len(ran.err.splitlines()) >= 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["advise", "valor/printed-example", "--policy", "wild"],
            "policy: 'wild' is no policy. Allowed: best, uniform, ",
        ),
        (["odds", "valor/printed-example", "--payoff", "trode"], "there is no payoff 'trode' (did you mean 'trade'?)"),
        (["odds", "valor/printed-example", "--payoff", "none.toml"], "none.toml: there is no such file"),
        (["odds", "valor/printed-example", "--restrict", "most"], "restriction: there is no restriction 'most'"),
        (["odds", "valor/printed-example", "--sample", "0"], "sample: 0 overruns cannot be played. Allowed: 1 or more"),
        (["new", "chess"], "system: there is no system 'chess'"),
        (["examples", "valor/none"], "there is no shipped scenario 'valor/none'"),
        (["replay", "valor/printed-example"], "valor/printed-example: there is no such file"),
        (
            ["play", "valor/printed-example", "--scripted", "--log", "none/a.json"],
            "none/a.json: the log cannot be written",
        ),
    ],
)
def test_an_option_that_is_wrong(run: Run, arguments: list[str], message: str) -> None:
    ran = run(*arguments)
    assert message in ran.err
    assert ran.code == 2


@pytest.mark.parametrize("arguments", [["fly"], ["odds"], ["play", "x", "--seed", "y"], ["odds", "x", "--wild"]])
def test_a_command_line_that_is_wrong(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert "Error: " in ran.err
    assert "Traceback" not in ran.err


def test_an_own_payoff_with_faults_names_each(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('[attacker]\nafv_elimenated = -10\ncr_lost = "x"\n[extra]\n', encoding="utf-8")
    ran = run("odds", "valor/printed-example", "--payoff", "own.toml", "--policy", "best")
    assert ran.code == 2
    for place in ("extra: ", "attacker.afv_elimenated: ", "attacker.cr_lost: "):
        assert f"overrun: {place}" in ran.err


def test_new_never_overwrites(run: Run, tmp_path: Path) -> None:
    assert run("new", "valor", "--output", "mine.toml").code == 0
    written = (tmp_path / "mine.toml").read_bytes()
    (tmp_path / "mine.toml").write_bytes(written + b"# mine\n")
    ran = run("new", "valor", "-o", "mine.toml")
    assert (ran.code, ran.err) == (2, "overrun: mine.toml: this file exists and is kept. Allowed: a new file name.\n")
    assert (tmp_path / "mine.toml").read_bytes() == written + b"# mine\n"


@pytest.mark.parametrize("system", sorted(rulesets()))
def test_a_misspelt_key_gets_the_right_one_offered(run: Run, tmp_path: Path, system: str) -> None:
    text = run("new", system).out
    assert "\ntitle =" in text
    (tmp_path / "a.toml").write_text(text.replace("\ntitle =", "\ntitel ="), encoding="utf-8")
    assert "overrun: titel: there is no such key here (did you mean 'title'?). Allowed: " in run("check", "a.toml").err


def test_a_misspelt_key_in_a_list_of_tables_too(run: Run, tmp_path: Path) -> None:
    text = scenarios.text("warhammer/straight-hit").replace("[[units]]", "[[units]]\nfrontige = 3", 1)
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    assert "units[1].frontige: there is no such key here" in run("check", "a.toml").err
    assert "id, " in run("check", "a.toml").err
