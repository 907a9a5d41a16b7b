"""`overrun odds` and `overrun advise`: exact, documented, and the same on the screen (X-04, X-05)."""

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from overrun import scenarios
from overrun.analysis.watch import Watch
from overrun.cli.progress import teller
from tests.cli.conftest import Run

NAME = "valor/printed-example"


def test_the_printed_example_has_the_exact_odds_of_the_fact_sheet(run: Run) -> None:
    answer = json.loads(run("odds", NAME, "--json").out)
    assert (answer["system"], answer["method"], answer["policy"]) == ("valor", "exact", "plan")
    measures = answer["measures"]
    # Fact sheet W1.
    assert measures["afv_eliminated"]["exact"] == "55/324"
    assert measures["afv_immobilised"]["exact"] == "5/81"
    assert measures["overrun_proceeds"] | {"meaning": ""} == {
        "exact": "83/108",
        "value": 83 / 108,
        "kind": "event",
        "meaning": "",
    }
    points = {entry["count"]: Fraction(entry["exact"]) for entry in measures["casualty_points"]["distribution"]}
    assert sum(points.values()) == 1
    assert sum(count * chance for count, chance in points.items()) == Fraction(measures["casualty_points"]["exact"])
    assert measures["casualty_points"]["exact"] == "581/486"
    assert measures["shots_hit"]["exact"] == "5/6"
    assert measures["casualty_points"]["given"]["event"] == "overrun_proceeds"
    assert measures["casualty_points"]["given"]["exact"] == "14/9"
    given = [Fraction(each["exact"]) for each in measures["casualty_points"]["given"]["distribution"]]
    assert given == [Fraction(ways, 36) for ways in (15, 6, 5, 4, 3, 2, 1)]
    assert Fraction(581, 486) / Fraction(83, 108) == Fraction(14, 9)  # given that it proceeds
    assert sum(Fraction(entry["exact"]) for entry in answer["outcomes"]) == 1


def test_the_screen_shows_the_same_numbers(run: Run) -> None:
    shown = run("odds", NAME).out
    answer = json.loads(run("odds", NAME, "--json").out)
    for measure in answer["measures"].values():
        assert measure["value"] == 0 or measure["exact"] in shown
    for outcome in answer["outcomes"]:
        assert outcome["exact"] in shown
    assert "Exact, under the stated plan" in shown
    assert "Not verified, and used here: German rifle half squad" in shown


def test_a_sampled_answer_is_labelled_and_repeats_with_its_seed(run: Run) -> None:
    one = run("odds", NAME, "--sample", "200", "--seed", "4", "--json").out
    assert one == run("odds", NAME, "--sample", "200", "--seed", "4", "--json").out
    answer = json.loads(one)
    assert (answer["method"], answer["overruns"], answer["seed"]) == ("sampled", 200, 4)
    assert answer["measures"]["afv_eliminated"]["standard_error"] > 0
    assert "Sampled, not exact (200 overruns, seed 4)" in run("odds", NAME, "--sample", "200", "--seed", "4").out


def test_policies_are_named_and_differ(run: Run) -> None:
    found = {}
    for policy in ("best", "uniform", "plan", "attacker=plan,defender=best"):
        answer = json.loads(run("odds", NAME, "--policy", policy, "--json").out)
        assert answer["policy"] == policy
        found[policy] = answer["measures"]["overrun_proceeds"]["exact"]
    assert len(set(found.values())) >= 3


def test_advice_prices_every_option_and_the_best_costs_nothing(run: Run) -> None:
    answer = json.loads(run("advise", NAME, "--json", "--decisions", "1000").out)
    assert Fraction(answer["worth"]["attacker"]["exact"]) == -Fraction(answer["worth"]["defender"]["exact"])
    assert answer["decisions_left_out"] == 0
    first = answer["decisions"][0]
    assert (first["step"], first["chance"]["exact"]) == ("declaration", "1")
    for decision in answer["decisions"]:
        worths = {option["id"]: Fraction(option["worth"]["exact"]) for option in decision["options"]}
        for option in decision["options"]:
            assert Fraction(option["regret"]["exact"]) == max(worths.values()) - worths[option["id"]]
        assert worths[decision["best"]] == max(worths.values())
    best = next(option for option in first["options"] if option["id"] == first["best"])
    assert best["worth"] == answer["worth"]["attacker"]


def test_advice_on_the_screen_says_what_a_mistake_costs(run: Run) -> None:
    shown = run("advise", NAME, "--decisions", "2").out
    assert "1 Declare the overrun" in shown
    assert "comes up in 100 %" in shown
    assert "best" in shown
    assert "costs " in shown
    assert "more are less likely; --decisions " in shown


def test_a_player_may_weigh_things_himself(run: Run, tmp_path: Path) -> None:
    own = 'name = "mine"\nmeaning = "Only casualties."\n[attacker]\ncasualty_points = 1\nafv_eliminated = "-1/2"\n'
    (tmp_path / "mine.toml").write_text(own, encoding="utf-8")
    answer = json.loads(run("advise", NAME, "--payoff", "mine.toml", "--json").out)
    assert (answer["payoff"], answer["decisions"][0]["best"]) == ("mine", "overrun")
    assert "Payoff mine: Only casualties." in run("advise", NAME, "--payoff", "mine.toml").out


def test_a_plan_that_misses_a_decision_says_which(run: Run, example: Callable[..., str]) -> None:
    ran = run("odds", example(('allot = ["spare:schmidt", "pin:squad-1", "eliminate:squad-2"]\n', "")))
    assert (ran.code, ran.err.startswith("overrun: plan.allot: ")) == (2, True)
    assert run("odds", example(("[plan]", "[plan]\nallot = []\n[other]"), name="b.toml")).code == 2


def test_help_loads_nothing_that_is_slow() -> None:
    script = (
        "import sys; from overrun.cli.main import main; sys.argv = ['overrun', *sys.argv[1:]]\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([name for name in ('rich.console', 'pydantic', 'fastapi', 'numpy', 'jinja2') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script, "--help"], capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("\n[]\n")


def test_every_shipped_scenario_can_be_priced_as_it_stands(run: Run) -> None:
    for name in scenarios.names():
        ran = run("odds", name, "--json")
        assert ran.code == 0, ran.err
        answer = json.loads(ran.out)
        assert sum(Fraction(entry["exact"]) for entry in answer["outcomes"]) == 1


def test_a_long_answer_gives_a_sign_of_life_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 1.0, 2.5, 3.0, 5.0])
    tell = teller(lambda: next(clock))
    for positions in (10, 2000, 3000, 4000):
        tell(Watch(positions=positions, rows=7))
    said = [part.strip() for part in capsys.readouterr().err.split("\r") if part.strip()]
    assert said == [
        "2,000 positions, 7 decisions in 2 s; Ctrl-C stops",
        "4,000 positions, 7 decisions in 5 s; Ctrl-C stops",
    ]
