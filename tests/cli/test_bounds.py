"""What is too large has bounds where they are asked for, at every command that prices (X-05)."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from overrun.analysis.answer import Terms
from overrun.cli import asking
from tests.cli.conftest import Run

LARGE, MEETING = "valor/mined-exit", "valor/printed-example"
VALUE = Fraction(8563847, 30233088)  # its best play, from the whole graph of 994 decisions


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Graphs of more than 100 decisions are too large."""
    real: Callable[..., Terms] = asking._terms
    monkeypatch.setattr(asking, "_terms", lambda *given: replace(real(*given), row_limit=100))


def test_the_value_without_a_limit(run: Run) -> None:
    told = json.loads(run("advise", LARGE, "--json", "--decisions", "1", "--within", "60").out)
    assert told["worth"]["attacker"]["exact"] == str(VALUE)
    assert told["method"] == "exact"


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize("command", ["odds", "advise"])
def test_bounds_enclose_the_value(run: Run, command: str) -> None:
    asked = (command, LARGE, "--policy", "best", "--within", "60")
    told = json.loads(run(*asked, "--json").out)
    mine, yours = told["worth"]["attacker"], told["worth"]["defender"]
    assert (told["method"], told["bound"]) == ("bounds", True)
    assert Fraction(mine["lower"]["exact"]) <= VALUE <= Fraction(mine["upper"]["exact"])
    assert Fraction(mine["lower"]["exact"]) == -Fraction(yours["upper"]["exact"])
    assert "101 decision rows, and the limit is 100" in told["reason"]
    assert told["rests_on"] == [
        "attacker held to 1 last option per decision",
        "defender held to 1 option per decision",
    ]
    shown = run(*asked)
    assert shown.code == 0
    assert "between 0 and 38863019/30233088" in " ".join(shown.out.split()) or "between 0 and 1.2854" in shown.out
    assert "found with the attacker held to 1 last option per decision" in shown.out


@pytest.mark.usefixtures("small_limit")
def test_bounds_that_meet_are_the_value(run: Run) -> None:
    shown = run("odds", MEETING, "--policy", "best", "--within", "60")
    assert "exact all the same, for its bounds meet" in shown.out
    told = json.loads(run("odds", MEETING, "--policy", "best", "--within", "60", "--json").out)
    assert told["worth"]["attacker"] == {key: {"exact": "0", "value": 0.0} for key in ("lower", "upper")}
    assert (told["bound"], told["rests_on"]) == (False, [])
    assert [words.split(" held ")[0] for words in told["proved_by"]] == ["attacker", "defender"]
    upper = Fraction(told["first_decision"]["overrun"]["upper"]["exact"])
    assert told["first_decision"]["decline"] == {key: {"exact": "0", "value": 0.0} for key in ("lower", "upper")}
    assert upper < 0
    assert "The first choice, to the AFV player:" in shown.out
    assert "0  make no overrun" in shown.out


@pytest.mark.usefixtures("small_limit")
def test_a_change_of_bounded_values_is_bounded(run: Run) -> None:
    change = ("whatif", LARGE, "--policy", "best", "--set", "map.hexes.D1.mines=false", "--within", "60")
    told = json.loads(run(*change, "--json").out)
    sides = {
        side: tuple(Fraction(told["value"][side][end]["exact"]) for end in ("lower", "upper"))
        for side in ("before", "after", "difference")
    }
    (low, high), (least, most) = sides["before"], sides["after"]
    assert low <= VALUE <= high
    assert sides["difference"] == (least - high, most - low)
    shown = run(*change)
    assert "value to the attacker before: between" in shown.out
    assert "change: between" in shown.out


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize("arguments", [("odds",), ("advise",), ("whatif", "--set", "map.hexes.D1.mines=false")])
def test_without_a_time_the_way_to_bounds_is_told(run: Run, arguments: tuple[str, ...]) -> None:
    command, *rest = arguments
    ran = run(command, LARGE, "--policy", "best", *rest)
    assert (ran.code, ran.out) == (3, "")
    assert "the limit is 100" in ran.err
    assert "ask for bounds on the value: --within SECONDS" in ran.err


def test_two_payoffs_have_no_bounds(run: Run, small_limit: None) -> None:
    Path("own.toml").write_text('name = "own"\n[attacker]\ncr_lost = 1\n[defender]\nafv_eliminated = 1\n')
    ran = run("odds", LARGE, "--policy", "best", "--payoff", "own.toml", "--within", "5")
    assert (ran.code, ran.out) == (3, "")
    assert "Bounds need one payoff" in ran.err


GRID = """
base = "valor/mined-exit"
policy = "best"
rows = 100
widest = 1
[[axis]]
key = "map.hexes.D2.smoke"
values = [0, 1, 9]
"""


def test_cells_that_are_too_large_have_bounds(run: Run) -> None:
    Path("grid.toml").write_text(GRID)
    ran = run("sweep", "grid.toml", "--out", "out")
    assert "0 cells answered, 2 bounded, 1 refused; in out." in ran.out
    sql = 'select "map.hexes.D2.smoke", status, value_lower_exact, value_upper_exact, reason from cells order by cell'
    rows = json.loads(run("sweep", "query", "out", sql, "--json").out)["rows"]
    assert [row[:2] for row in rows] == [[0, "bounded"], [1, "bounded"], [9, "refused"]]
    assert Fraction(rows[0][2]) <= VALUE <= Fraction(rows[0][3])
    assert "the limit is 100" in rows[1][4]
    Path("grid.toml").write_text(GRID.replace("widest = 1\n", ""))
    assert "0 cells answered, 3 refused" in run("sweep", "grid.toml", "--out", "plain").out
    for wrong in ("widest = 0", "widest = true", 'widest = "1"'):
        Path("grid.toml").write_text(GRID.replace("widest = 1", wrong))
        ran = run("sweep", "grid.toml", "--out", "none")
        assert (ran.code, "widest: " in ran.err) == (2, True)
