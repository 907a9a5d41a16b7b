"""What a scenario file may hold: each number between its limits is read, the next one on either side is refused."""

import tomllib
from typing import Any

import pytest

from overrun.kernel import InputError
from overrun.rulesets import ruleset
from overrun.rulesets.valor.assembly import _CAPACITY
from overrun.scenarios import text
from tests.casework import _reach

valor = ruleset("valor")
LIMITS = {
    "map.rows": (1, 99),
    "map.hexes.D1.level": (0, 5),
    "map.hexes.D1.smoke": (0, 2),
    "defenders[2].count": (1, 4),
    "defenders[2].hindrances.D4": (0, 9),
    "expendables.defender.Panzerfaust": (0, 20),
    "expendables.attacker.Grenades": (0, 20),
    "counters.M4A3E8.mg360": (0, 30),
    "counters.M4A3E8.ffmg": (0, 30),
    "counters.M4A3E8.mp": (1, 60),
    "counters.M4A3E8.gun.apfp": (0, 60),
    'counters."German rifle squad".apfp': (0, 60),
    'counters."German rifle squad".range': (0, 60),
    'counters."German rifle squad".cr': (1, 12),
    'counters."Leader Schmidt".leadership': (0, 4),
    "counters.Grenades.grenades": (1, 3),
    "dice.rolls[1][1]": (1, 6),
}


def problems(path: str, value: Any) -> list[str]:
    document = tomllib.loads(text("valor/printed-example"))
    document["map"]["hexes"]["D1"] = {}
    document["counters"] = {"M4A3E8": {"gun": {"at": "D", "apfp": 12, "turret": True}}}
    document["expendables"]["attacker"] = {"Grenades": 1}
    parent, last = _reach(document, path)
    parent[last] = value
    try:
        valor.load(document)
    except InputError as error:
        return [problem.where for problem in error.problems]
    return []


@pytest.mark.parametrize("path", LIMITS)
def test_numbers_have_limits(path: str) -> None:
    low, high = LIMITS[path]
    for value in (low - 1, high + 1):
        assert problems(path, value), f"{path} = {value} is accepted"
    lowest = max(low, 5) if path == "map.rows" else low  # the example's own hexes need five rows
    for value in (lowest, high):
        assert not problems(path, value), f"{path} = {value} is refused"


@pytest.mark.parametrize(
    ("path", "good", "bad"),
    [
        ("title", ["x", "x" * 60], ["", "x" * 61]),
        ("afv.path", [["D4", "D3", "D2", "D1"]], [[], ["D4", "E4"] * 21]),
        ("dice.rolls", [[[1]], [[1, 2]]], [[[]], [[1, 2, 3]]]),
        ("map.hexsides", [[{"between": ["D3", "D2"], "kind": "wall"}]], [[{"between": ["D3"], "kind": "wall"}]]),
        ("map.hexsides", [], [[{"between": ["D3", "D2", "D1"], "kind": "wall"}]]),
    ],
)
def test_lengths_have_limits(path: str, good: list[Any], bad: list[Any]) -> None:
    assert [problems(path, value) for value in good] == [[] for _ in good]
    assert all(problems(path, value) for value in bad)


def test_a_path_may_have_forty_hexes() -> None:
    there_and_back = ["D4", "E4"] * 20
    assert not any(where == "afv.path" for where in problems("afv.path", there_and_back))


def test_transport_classes_carry_so_many_half_squads_and_leaders() -> None:
    assert _CAPACITY == {"TH": (1, 1), "T1": (2, 1), "T2": (4, 2), "T3": (6, 3), "T4": (8, 4)}


def test_the_payoffs_weigh_what_their_words_say() -> None:
    weights = {
        payoff.name: {name: float(weight) for name, weight in payoff.weights.items()} for payoff in valor.payoffs
    }
    assert weights == {
        "trade": {
            "afv_eliminated": -6,
            "afv_immobilised": -3,
            "cr_lost": 1,
            "units_pinned": 0.5,
            "passengers_lost": -3,
        },
        "break_the_hex": {
            "units_eliminated": 3,
            "units_pinned": 3,
            "units_reduced": 1,
            "afv_eliminated": -5,
            "afv_immobilised": -2,
        },
        "save_the_afv": {"afv_eliminated": -1},
    }
