"""A rule left out of an analysis: offered where the whole is too large, exact, and named in the answer."""

import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from overrun import scenarios
from overrun.analysis.answer import Pricing, Terms
from overrun.cli import asking
from overrun.kernel import InputError
from overrun.play.session import Session
from overrun.rulesets import ruleset
from tests.cli.conftest import Run

FILE, NAME = "asl/tank-in-woods", "no_heat_of_battle"
HEAT = ("heroes", "hardened", "berserk", "surrendered")


def means(out: str) -> dict[str, Fraction]:
    return {name: Fraction(found["exact"]) for name, found in json.loads(out)["measures"].items()}


def test_leaving_heat_of_battle_out_is_the_file_that_does(run: Run, tmp_path: Path) -> None:
    text = scenarios.text(FILE)
    own = tmp_path / "without.toml"
    own.write_text(text.replace("elr = 3\n", "elr = 3\nheat_of_battle = false\n"), encoding="utf-8")
    whole = means(run("odds", FILE, "--json").out)
    simple = run("odds", FILE, "--simplify", NAME, "--json")
    assert json.loads(simple.out)["simplified"] == [NAME]
    assert means(simple.out) == means(run("odds", str(own), "--json").out)
    assert any(whole[name] for name in HEAT)
    assert not any(means(simple.out)[name] for name in HEAT)


def test_the_answer_says_so(run: Run) -> None:
    assert "Exact for a simpler game: no_heat_of_battle" in run("odds", FILE, "--simplify", NAME).out


def test_what_is_too_large_names_it_until_it_is_in_force(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Terms] = asking._terms
    monkeypatch.setattr(asking, "_terms", lambda *given: replace(real(*given), row_limit=5))
    asked = ("advise", FILE, "--json")
    assert NAME in run(*asked).err
    assert "no_bounding_fire" in run(*asked).err
    left = run(*asked, "--simplify", NAME, "--restrict", "no_bounding_fire").err
    assert "three_attacks" in left
    assert NAME not in left
    assert "no_bounding_fire" not in left


def test_a_name_that_is_none_is_refused(run: Run) -> None:
    told = run("odds", FILE, "--simplify", "no_dice")
    assert told.code == 2
    assert "there is no simplification 'no_dice'" in told.err
    assert NAME in told.err
    assert "this game has none" in run("odds", "valor/printed-example", "--simplify", NAME).err


def test_comparisons_and_sweeps_leave_rules_out_too(run: Run) -> None:
    change = ("whatif", FILE, "--set", "elr=2", "--simplify", NAME)
    setting = json.loads(run(*change, "--json").out)
    simple = means(run("odds", FILE, "--simplify", NAME, "--json").out)
    assert setting["simplified"] == [NAME]
    assert {name: Fraction(found["before"]["exact"]) for name, found in setting["measures"].items()} == {
        "value": Fraction(setting["measures"]["value"]["before"]["exact"]),
        **simple,
    }
    assert "Exact for a simpler game: no_heat_of_battle" in run(*change).out
    Path("grid.toml").write_text(
        f'base = "{FILE}"\nmeasures = ["heroes"]\nsimplify = ["{NAME}"]\n[[axis]]\nkey = "elr"\nvalues = [3]\n'
    )
    assert "1 cells answered" in run("sweep", "grid.toml", "--out", "out").out
    sql = "select heroes_exact from cells"
    assert json.loads(run("sweep", "query", "out", sql, "--json").out)["rows"] == [["0"]]
    Path("grid.toml").write_text(Path("grid.toml").read_text().replace(NAME, "no_dice"))
    told = run("sweep", "grid.toml", "--out", "none")
    assert (told.code, "there is no simplification 'no_dice'" in told.err) == (2, True)
    Path("grid.toml").write_text(Path("grid.toml").read_text().replace("simplify", "restrict"))
    told = run("sweep", "grid.toml", "--out", "none")
    assert (told.code, "there is no restriction 'no_dice'" in told.err) == (2, True)


def test_a_log_is_of_the_whole_game(run: Run) -> None:
    run("play", FILE, "--scripted", "--log", "played.json")
    told = run("advise", FILE, "--simplify", NAME, "--log", "played.json")
    assert told.code == 2
    assert f"a log is of the whole game, and {NAME} is not" in told.err


def test_a_rule_is_left_out_from_the_start_only() -> None:
    asl = ruleset("asl")
    situation = asl.load(tomllib.loads(scenarios.text(FILE)))
    session = Session(asl.rules, situation.start)
    session.choose("overrun")
    with pytest.raises(InputError, match="play has begun already"):
        Pricing(asl, replace(situation, start=session.position), Terms(asl.payoff(), simplified=(NAME,)))
