"""Perft of fixed positions, as in chess: a changed rule changes a count. Small ones are counted one by one as well."""

import tomllib
from pathlib import Path

import pytest

from overrun import scenarios
from overrun.analysis.perft import perft
from overrun.rulesets import ruleset
from tests.oracles.histories import histories

COUNTS: dict[str, int] = tomllib.loads(Path(__file__).with_name("counts.toml").read_text(encoding="utf-8"))
ONE_BY_ONE = 200_000
"""Counts up to this are also counted history by history, with nothing remembered."""


@pytest.mark.parametrize("name", COUNTS)
def test_the_count_of_histories_stands(name: str) -> None:
    rules = ruleset(name.partition("/")[0])
    start = rules.load(tomllib.loads(scenarios.text(name))).start
    assert perft(rules.rules, start) == COUNTS[name]
    if COUNTS[name] <= ONE_BY_ONE:
        assert histories(rules.rules, start) == COUNTS[name]
