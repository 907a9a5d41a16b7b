"""The conformance laws on every shipped scenario, and on changes of them that reach the rarer rules."""

import tomllib
from typing import Any

import pytest

from overrun.rulesets import ruleset
from overrun.scenarios import names, text
from overrun.testing import check_ruleset

valor = ruleset("valor")
SHIPPED = [name for name in names() if name.startswith("valor/")]


def loaded(name: str, **changes: Any) -> Any:
    return valor.load(tomllib.loads(text(name)) | changes)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_scenarios_keep_the_laws(name: str) -> None:
    check_ruleset(valor, [loaded(name)])


@pytest.mark.parametrize("ruling", list(valor.rulings), ids=lambda ruling: ruling.name)
def test_every_reading_keeps_the_laws(ruling: Any) -> None:
    for option in ruling.options:
        for name in ("valor/crossfire", "valor/halftrack-with-riders", "valor/second-panzerfaust"):
            rulings = tomllib.loads(text(name)).get("rulings", {}) | {ruling.name: option}
            check_ruleset(valor, [loaded(name, rulings=rulings)], small=0, plays=6)


def test_a_truck_with_riders_and_pinned_units_keep_the_laws() -> None:
    defenders = [
        {
            "name": "Truck",
            "counter": "3-ton truck",
            "hex": "D2",
            "passengers": [{"name": "Riders", "counter": "US rifle squad"}],
        },
        {"name": "Half", "counter": "US rifle half squad", "hex": "D2", "pinned": True},
        {
            "name": "Mortar",
            "counter": "US rifle squad",
            "hex": "D2",
            "weapons": ["5cm mortar", "Bazooka"],
            "valorous": True,
        },
    ]
    check_ruleset(valor, [loaded("valor/mined-exit", defenders=defenders, plan={})])
