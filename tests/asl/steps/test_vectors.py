"""The exact odds vectors of fact sheet 12, as fractions, out of the steps themselves.

Covers A-24, A-37 (results on targets) and A-39 (kill bands of CC Reaction Fire).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from overrun.analysis.induction import Induction
from overrun.analysis.returns import Returns, came_back
from overrun.kernel import Position
from overrun.rulesets.asl.attack import Group, Volley
from overrun.rulesets.asl.close import Close
from overrun.rulesets.asl.flow import rules
from overrun.rulesets.asl.hits import Target
from overrun.rulesets.asl.state import Unit
from tests.asl.steps.situations import PRINTED, setup


def runs(procedure: str, sub):
    """How a called procedure comes back: exit and sub-state with their exact chance."""
    induction = Induction(rules, Returns(), back=came_back)
    found = induction.at(Position(rules.entry_of(procedure), sub))
    chances: dict = {}
    for (returned, _tally), weight in found.weights.items():
        key = returned.exit, returned.state
        chances[key] = chances.get(key, Fraction(0)) + Fraction(weight, found.total)
    return chances


def lone(ml: int, half_ml: int, column: int, drm: int) -> dict[str, Fraction]:
    """What becomes of a lone unbroken squad under one OVR attack, without ELR and Heat of Battle."""
    squad = replace(PRINTED["4-4-7"], ml=ml, broken_ml=ml, replaced_by=None)
    half = replace(PRINTED["2-3-7"], ml=half_ml, broken_ml=half_ml, replaced_by=None)
    made = replace(setup(elr=20), printed={"4-4-7": squad, "2-3-7": half})
    attack = Volley(made, (Group(column, drm),), (Target(Unit("4-4-7")),))
    chances: dict[str, Fraction] = {}
    for (_exit, state), chance in runs("volley", attack).items():
        unit = state.targets[0].unit
        name = "elim"
        if unit is not None:
            name = ("HS " if unit.printed == "2-3-7" else "") + {"good order": "ok", "pinned": "pin"}.get(
                unit.morale.value, unit.morale.value
            )
        chances[name] = chances.get(name, Fraction(0)) + chance
    return chances


VECTORS = [
    (7, 7, 16, -1, "elim 55/324, HS broken 47/432, HS pin 1/108, HS ok 1/108, broken 49/108, pin 121/1296, ok 101/648"),
    (7, 7, 12, -2, "elim 55/324, HS broken 47/432, HS pin 1/108, HS ok 1/108, broken 49/108, pin 121/1296, ok 101/648"),
    (7, 7, 8, -1, "elim 37/432, HS broken 11/144, HS ok 1/72, HS pin 1/108, broken 167/432, pin 10/81, ok 395/1296"),
    (
        8,
        8,
        16,
        1,
        "elim 19/648, HS broken 77/1296, HS ok 1/108, HS pin 1/162, broken 445/1296, pin 173/1296, ok 181/432",
    ),
    (7, 7, 16, 3, "broken 209/648, HS broken 7/432, pin 179/1296, ok 113/216"),
]


@pytest.mark.parametrize(("ml", "half_ml", "column", "drm", "printed"), VECTORS)
def test_a_lone_squad_under_one_attack(ml: int, half_ml: int, column: int, drm: int, printed: str) -> None:
    expected = {part.rsplit(" ", 1)[0]: Fraction(part.rsplit(" ", 1)[1]) for part in printed.split(", ")}
    found = {name: chance for name, chance in lone(ml, half_ml, column, drm).items() if chance}
    assert found == expected


CLOSE = [
    (5, 2, "burn 1/216, elim 5/216, immob 1/18"),
    (6, 1, "burn 1/36, elim 5/36, immob 1/9"),
    (4, 2, "burn 1/216, elim 1/216, immob 1/54"),
    (3, 2, "burn 1/216, elim 1/216, immob 1/216"),
    (5, 0, "burn 1/36, elim 5/36, immob 1/9"),
    (5, -3, "burn 5/18, elim 11/36, immob 5/36"),
    (6, 0, "burn 1/12, elim 7/36, immob 5/36"),
]
NAMES = {"burning": "burn", "eliminated": "elim", "immobilized": "immob"}


@pytest.mark.parametrize(("ccv", "drm", "printed"), CLOSE)
def test_kill_bands_of_cc_reaction_fire(ccv: int, drm: int, printed: str) -> None:
    expected = {part.split()[0]: Fraction(part.split()[1]) for part in printed.split(", ")}
    attack = Close(setup(), (Unit("4-4-7"),), ccv, drm)
    found: dict[str, Fraction] = {}
    for (exit, _state), chance in runs("close", attack).items():
        if exit in NAMES:
            found[NAMES[exit]] = found.get(NAMES[exit], Fraction(0)) + chance
    assert found == expected
