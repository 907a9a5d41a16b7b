"""What analysis forgets of an overrun on its way changes no answer, at the very steps that forget (A-03, A-37).

Each law of the conformance suite for one position: ways that read alike lead to one future, and a lean question has the
same answer as the full one.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from overrun import testing
from overrun.kernel import Position
from overrun.rulesets.asl import ruleset
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.setup import (
    Entrenchment,
    Fired,
    GunOpening,
    Location,
    RiderOpening,
    TargetVehicle,
    UnitOpening,
    WeaponOpening,
)
from overrun.rulesets.asl.state import State
from tests.asl.steps.situations import BLITZ, HALFTRACK, T34, start

MEASURES = frozenset(measure.name for measure in ruleset.measures)
GUN = {"guns": (GunOpening("g", "at", "u1"),)}
INSIDE = {"guns": (GunOpening("g", "at", "u1", in_entrenchment=True),)}
ARMED = {"weapons": (WeaponOpening("m", "mmg", "u1"), WeaponOpening("n", "lmg", "u2"))}
FINAL = (UnitOpening("u1", "4-4-7", fired=Fired.FINAL), UnitOpening("u2", "2-3-7", fired=Fired.FIRST, inherent=("pf",)))


def overrunning(*units: UnitOpening | str, **changes) -> State:
    """The vehicle has declared and is about to resolve 16 FP."""
    return replace(start(units, **changes), stage=Stage.BEFORE, fp=16, spent=2)


OVERRUNS = {
    "a squad": lambda: overrunning("4-4-7"),
    "a squad and its leader": lambda: overrunning("4-4-7", "8-1R"),
    "weapons under a halftrack": lambda: overrunning("4-4-7", "2-3-7", vehicle=HALFTRACK, opening=dict(ARMED)),
    "weapons under a tank": lambda: overrunning("4-4-7", "2-3-7", opening=dict(ARMED)),
    "spent weapons under a halftrack": lambda: overrunning(*FINAL, vehicle=HALFTRACK, opening=dict(ARMED)),
    "marked, with Panzerfaust": lambda: overrunning(*FINAL, vehicle=T34, pf_shots=1),
    "a Gun": lambda: overrunning("2-2-8", guns=True, opening=dict(GUN)),
    "a Gun under a halftrack": lambda: overrunning("2-2-8", guns=True, vehicle=HALFTRACK, opening=dict(GUN)),
    "a Gun in a sangar": lambda: overrunning(
        UnitOpening("u1", "2-2-8", entrenched=True),
        guns=True,
        vehicle=HALFTRACK,
        opening=dict(INSIDE),
        location=Location(entrenchment=Entrenchment.SANGAR),
    ),
    "Heat of Battle": lambda: overrunning("4-4-7", "1-4-9", heat_of_battle=True, elr=2),
    "Heat of Battle, armed": lambda: overrunning("4-4-7", "2-3-7", heat_of_battle=True, opening=dict(ARMED)),
    "a leader alone": lambda: overrunning("8-1R", heat_of_battle=True),
    "a truck": lambda: overrunning(
        "4-4-7", "8-1R", vehicle=BLITZ, opening={"vehicle": {"riders": (RiderOpening("r", "4-6-7"),)}}
    ),
    "the first of two": lambda: overrunning("4-4-7", "8-1R", overruns=2),
    "the last of two": lambda: replace(overrunning("4-4-7", "8-1R", overruns=2), overruns=1),
    "the only one after an earlier one": lambda: overrunning("4-4-7", opening={"vehicle": {"prior_overruns": 1}}),
}


@pytest.mark.parametrize("name", OVERRUNS)
def test_an_overrun_is_asked_about_rightly(name: str) -> None:
    testing.check_position(ruleset.rules, Position("resolve", OVERRUNS[name]()), MEASURES)


TRUCKS = {"vehicles": (TargetVehicle("t", "truck", riders=(RiderOpening("p", "2-3-7"),)),)}
COME_AGAIN = {
    "the first of two": OVERRUNS["the first of two"],
    "the last of two": OVERRUNS["the last of two"],
    "the first of two after an earlier one": lambda: replace(
        overrunning("2-3-7", overruns=2, opening={"vehicle": {"prior_overruns": 1, "mp_left": 13}}), mp=9
    ),
    "trucks": lambda: overrunning("2-3-7", overruns=2, opening=dict(TRUCKS)),
    "the second is the last": lambda: replace(
        overrunning("2-3-7", overruns=2, opening={"vehicle": {"prior_overruns": 1}}), overruns=2
    ),
}


@pytest.mark.parametrize("name", COME_AGAIN)
def test_what_is_forgotten_after_an_overrun_is_not_missed_in_the_next(name: str) -> None:
    steps = {"enemy_vehicles", "sangar", "reactions", "after.choose", "leave"}
    for position in testing.visited(ruleset.rules, Position("resolve", COME_AGAIN[name]()), 4):
        if position.step in steps and position.caller is None:
            testing.check_position(ruleset.rules, position, MEASURES)


def defending(*units: UnitOpening | str, stage: Stage = Stage.AFTER, **changes) -> Position:
    """The DEFENDER may attack the vehicle now."""
    return Position(f"{stage.value}.choose", replace(start(units, **changes), stage=stage, spent=2, fp=0, overruns=1))


PF = (UnitOpening("u1", "4-6-7", inherent=("pf",)), "8-1")
ATTACKS = {
    "CC": lambda: defending("4-4-7", "2-3-7"),
    "CC and a leader": lambda: defending("4-4-7", "8-1R"),
    "CC by armed units": lambda: defending("4-6-7", "2-4-7", opening=dict(ARMED)),
    "CC marked Final": lambda: defending(*FINAL, vehicle=T34),
    "Panzerfaust after": lambda: defending(*PF, pf_shots=1, vehicle=T34),
    "Panzerfaust before": lambda: defending(*PF, stage=Stage.BEFORE, pf_shots=1, vehicle=T34),
    "a Gun before": lambda: defending("2-2-8", stage=Stage.BEFORE, guns=True, opening=dict(GUN)),
    "a Gun after": lambda: defending("2-2-8", guns=True, opening=dict(GUN)),
    "small arms at a truck": lambda: defending("4-6-7", "2-4-7", vehicle=BLITZ, opening=dict(ARMED)),
    "small arms at a truck before": lambda: defending("4-4-7", stage=Stage.BEFORE, vehicle=BLITZ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_defensive_attack_is_asked_about_rightly(name: str) -> None:
    attacks = ("shoot", "close_in", "fire_ift")
    visited = testing.visited(ruleset.rules, ATTACKS[name](), 3)
    there = [one for one in visited if one.caller is None and one.step.endswith(attacks)]
    assert there
    for position in there[:6]:
        testing.check_position(ruleset.rules, position, MEASURES)
