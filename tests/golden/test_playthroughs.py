"""Whole sessions as text: each option, refusal, band and ledger of every shipped scenario, played by its plan."""

import pytest

from overrun import scenarios
from tools import golden


@pytest.mark.parametrize("name", scenarios.names())
def test_a_scripted_session_prints_what_it_always_printed(name: str) -> None:
    expected = golden.file(name).read_text(encoding="utf-8")
    assert expected == golden.playthrough(name), f"if this is meant: python dev.py golden {name}"


def test_no_playthrough_is_left_of_a_scenario_that_is_gone() -> None:
    kept = {file.relative_to(golden.GOLDEN).with_suffix("").as_posix() for file in golden.GOLDEN.rglob("*.txt")}
    assert kept == set(scenarios.names())
