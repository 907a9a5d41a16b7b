"""`overrun rules`: everything a ruleset holds, and which cases test it (X-01)."""

import json

import pytest

from overrun.rulesets import rulesets
from tests.cli.conftest import Run

EVERY = sorted(rulesets())


@pytest.mark.parametrize("system", EVERY)
def test_every_step_ruling_table_measure_and_payoff_is_shown(run: Run, system: str) -> None:
    ruleset = rulesets()[system]
    shown = " ".join(run("rules", system).out.split())
    for step in ruleset.rules.steps.values():
        assert f"{step.title} {step.cite} {step.id}" in shown
        assert step.text in shown
    for ruling in ruleset.rulings:
        assert f"Ruling {ruling.name}" in shown
        assert f"Default {ruling.default}: " in shown
    for named in (*ruleset.tables(), *ruleset.measures, *ruleset.payoffs):
        assert getattr(named, "title", named.name) in shown


@pytest.mark.parametrize("system", EVERY)
def test_the_json_form_holds_the_same(run: Run, system: str) -> None:
    ruleset = rulesets()[system]
    laid = json.loads(run("rules", system, "--json").out)
    steps = {step["id"]: step for stage in laid["stages"] for step in stage["steps"]}
    assert set(steps) == set(ruleset.rules.steps)
    for id, step in ruleset.rules.steps.items():
        assert list(steps[id]["exits"]) == list(step.exits)
    assert [ruling["name"] for ruling in laid["rulings"]] == [ruling.name for ruling in ruleset.rulings]
    for table, printed in zip(ruleset.tables(), laid["tables"], strict=True):
        assert sum(len(cells) for cells in printed["rows"].values()) == len(table.cells)


def test_coverage_names_the_cases_of_each_statement(run: Run) -> None:
    ran = run("rules", "valor", "--coverage")
    assert ran.out.startswith("Valor & Victory: armor overruns: 20 of 20 statements are tested by cases.")
    found = json.loads(run("rules", "valor", "--coverage", "--json").out)["coverage"]
    assert [entry["id"] for entry in found] == [f"V-{number:02}" for number in range(1, 21)]
    assert all(entry["cases"] or entry["out_of_scope"] for entry in found)


def test_an_unknown_game_is_named(run: Run) -> None:
    ran = run("rules", "chess")
    assert (ran.code, ran.err.startswith("overrun: system: there is no system 'chess'. Allowed: ")) == (2, True)
