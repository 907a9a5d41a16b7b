"""Comparisons at the command line: what if, sensitivity, rulings, luck, ways to play, old logs (X-05, X-06)."""

import json
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run

EXAMPLE = "valor/printed-example"


@pytest.fixture
def log(run: Run) -> str:
    run("play", EXAMPLE, "--scripted", "--log", "a.json")
    return "a.json"


def test_what_if_tells_both_answers_and_the_difference(run: Run) -> None:
    told = json.loads(run("whatif", EXAMPLE, "--set", "map.hexes.D2=open", "--json").out)
    before, after = (Fraction(told["measures"]["casualty_points"][when]["exact"]) for when in ("before", "after"))
    assert before == Fraction(581, 486)  # W1: with the stated plan
    # In the open without foxholes the attack is not hindered: 38 AP, unmodified 2d6, mean of the table's row.
    assert after > before
    assert told["settings"] == [
        {"key": "map.hexes.D2", "before": {"terrain": "woods", "position": "foxholes"}, "after": "open"}
    ]
    shown = run("whatif", EXAMPLE, "--set", "map.hexes.D2=open")
    assert shown.code == 0
    assert "casualty points" in shown.out


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("afv.path", "sets nothing"),
        ("afv.facing=12", "of another kind"),
        ("defenders[3].count=1", "defenders[3]: there is no such place. Allowed: 1 to 2"),
        ("defenders[2].count=9", "defenders[2].count"),
        ("afv.speed=9", "afv.speed: there is no such key"),
        ("map.hexes.Z9=woods", "Z9"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_words(run: Run, setting: str, message: str) -> None:
    ran = run("whatif", EXAMPLE, "--set", setting)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_rulings_say_which_can_come_up_and_which_matter(run: Run) -> None:
    told = json.loads(run("rulings", EXAMPLE, "--policy", "attacker=plan,defender=best", "--json").out)
    by_name = {ruling["ruling"]: ruling for ruling in told["rulings"]}
    # The AFV goes forward, stays on the map and carries nobody; smoke lies nowhere.
    for name in ("reverse_overrun", "off_map_exit", "passenger_leader", "grenade_stacking", "smoke_covers_target"):
        assert not by_name[name]["reachable"], name
    # There is a Panzerfaust, whose elimination roll may equal the number.
    assert by_name["en_equal"]["reachable"]
    assert "en_equal" not in told["matter"] or by_name["en_equal"]["matters"]
    shown = run("rulings", EXAMPLE, "--measure", "casualty_points")
    assert "Cannot come up here" in shown.out
    assert run("rulings", EXAMPLE, "--measure", "hits").err.count("Allowed: value, ") == 1


def test_sensitivity_sorts_figures_and_draws_them(run: Run, tmp_path: Path) -> None:
    small = "tests-sensitivity.toml"
    text = run("examples", EXAMPLE).out.replace("count = 2\n", "").replace("Panzerfaust = 1\n", "")
    (tmp_path / small).write_text(text.replace('"allot', '"none').replace("\nallot", "\n# allot"), encoding="utf-8")
    asked = ("sensitivity", small, "--policy", "attacker=plan,defender=best", "--only", "cover", "--only", "overrun.t")
    ran = run(*asked, "--json", "--svg", "a.svg", "--png", "a.png")
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    effects = [abs(Fraction(one["effect"]["exact"])) for one in told["moved"]]
    assert effects == sorted(effects, reverse=True)
    names = {one["name"] for one in told["moved"]}
    assert {"terrain.terrain.woods.cover", "figures.overrun.times"} <= names
    assert all("cover" in name or "overrun.t" in name for name in {*names, *told["unmoved"]})
    ElementTree.parse(tmp_path / "a.svg")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "this file exists and is kept" in run(*asked, "--svg", "a.svg").err


def test_luck_tells_each_roll_of_a_log(run: Run, log: str) -> None:
    told = json.loads(run("luck", log, "--json").out)
    assert [roll["dice"] for roll in told["rolls"]] == [[3, 4], [6, 5], [1, 1]]
    # To hit 8 or less after a leader's -1: 9 or less is 30 of 36, and a natural 2 is a hit of another kind.
    assert told["rolls"][0]["chance"]["exact"] == "29/36"
    assert told["rolls"][1]["chance"]["exact"] == "13/18"
    assert not told["totals"]["attacker"]["alarm"]
    shown = run("luck", log)
    assert "needed 6 or more (26/36 = 72.22 %)" in shown.out
    for roll in told["rolls"]:
        ways, dice = roll["needed"].split("(")[1].split(" ")[0].split("/")
        assert Fraction(int(ways), int(dice)) == Fraction(roll["chance"]["exact"])
    run("play", "warhammer/straight-miss", "--scripted", "--log", "w.json")
    (roll,) = json.loads(run("luck", "w.json", "--json").out)["rolls"]
    assert roll["chance"]["exact"] == "5/12"  # 8 or more: one exit for every move, told apart by its words
    assert run("luck", EXAMPLE).code == 2


def test_advice_compares_ways_to_play_and_judges_a_log(run: Run, log: str) -> None:
    told = json.loads(run("advise", EXAMPLE, "--log", log, "--json").out)
    ways = {one["play"]: Fraction(one["values"]["attacker"]["exact"]) for one in told["comparison"]}
    assert ways["attacker=plan,defender=best"] <= ways["best"] <= ways["attacker=best,defender=plan"]
    assert told["choices"][0]["took"] == "overrun"
    assert "Choices of this log" in run("advise", EXAMPLE, "--log", log).out
    assert "Ways to play" in run("advise", EXAMPLE, "--compare").out
    text = run("examples", EXAMPLE).out.replace("count = 2", "count = 3")
    Path("other.toml").write_text(text, encoding="utf-8")
    assert "this log is of another scenario" in run("advise", "other.toml", "--log", log).err


def test_a_player_weighs_measures_for_each_seat(run: Run) -> None:
    Path("own.toml").write_text('name = "own"\n[attacker]\ncasualty_points = "1/2"\n[defender]\nafv_eliminated = 1\n')
    told = json.loads(run("advise", EXAMPLE, "--payoff", "own.toml", "--json").out)
    assert (told["payoff"], told["zero_sum"]) == ("own", False)
    # The defender shoots whatever it costs him, the attacker goes in whatever it costs the AFV: both gain.
    assert told["decisions"][0]["best"] == "overrun"
    assert all(Fraction(worth["exact"]) > 0 for worth in told["worth"].values())
    Path("bad.toml").write_text('[attacker]\nhits = 1\ncasualty_points = "many"\n')
    ran = run("whatif", EXAMPLE, "--set", "map.rows=6", "--payoff", "bad.toml")
    assert ran.code == 2
    assert "attacker.hits: there is no such measure" in ran.err
    assert "attacker.casualty_points: 'many' is no number" in ran.err


def test_an_old_log_is_refereed_by_the_rules_of_today(run: Run, log: str, tmp_path: Path) -> None:
    assert "say the same at each of the 8 entries" in run("replay", log, "--against", "current").out
    told = json.loads(run("replay", log, "--against", "current", "--json").out)
    assert (told["same"], told["given"], told["first_difference"]) == (True, 8, None)
    assert run("replay", log, "--json").code == 2


def test_odds_stand_side_by_side_under_each_reading_of_a_ruling(run: Run) -> None:
    """W1: 18.4 immobilises on the exact number (55/324 lost); the printed words would eliminate (25/108)."""
    shown = run("odds", EXAMPLE, "--ruling", "en_equal")
    assert shown.code == 0
    (lost,) = [line.split() for line in shown.out.splitlines() if line.split()[:2] == ["afv", "eliminated"]]
    assert lost == ["afv", "eliminated", "55/324", "=", "16.98", "%", "25/108", "=", "23.15", "%"]
    told = json.loads(run("odds", EXAMPLE, "--ruling", "en_equal", "--json").out)
    assert [ruling["ruling"] for ruling in told["rulings"]] == ["en_equal"]
    wrong = run("odds", EXAMPLE, "--ruling", "en_equall")
    assert wrong.code == 2
    assert "there is no ruling 'en_equall' (did you mean 'en_equal'?)" in wrong.err
