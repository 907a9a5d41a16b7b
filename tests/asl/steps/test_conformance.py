"""Every law of the conformance suite on situations of each kind: exhaustive where small, at random elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from overrun import testing
from overrun.kernel import Position, Situation
from overrun.rulesets.asl import ruleset
from overrun.rulesets.asl.setup import (
    Approach,
    Concealment,
    Fired,
    GunOpening,
    Location,
    Motion,
    OutsideAttack,
    OutsideKind,
    RiderOpening,
    TargetVehicle,
    Terrain,
    UnitOpening,
    VehicleFate,
    Way,
    WeaponOpening,
)
from overrun.rulesets.asl.state import State
from tests.asl.steps.situations import BLITZ, HALFTRACK, PZ_IIIH, T34, start

HIDDEN = Concealment.CONCEALED
RIDER = {"vehicle": {"riders": (RiderOpening("r", "4-6-7", rider=True),)}}
PASSENGER = (RiderOpening("p", "2-3-7"),)

SITUATIONS = {
    "squad": lambda: start(("4-4-7",)),
    "squad and leader": lambda: start(("4-4-7", "8-1R")),
    "concealed stack": lambda: start((UnitOpening("a", "4-4-7", HIDDEN), UnitOpening("b", "?", HIDDEN))),
    "riders": lambda: start(("4-4-7", "2-3-7"), opening=dict(RIDER)),
    "machine gun": lambda: start(("2-4-7", "4-6-7"), opening={"weapons": (WeaponOpening("m", "mmg", "u1"),), **RIDER}),
    "panzerfaust": lambda: start((UnitOpening("a", "4-6-7", inherent=("pf",)), "8-1"), pf_shots=2),
    "heat of battle": lambda: start(("4-4-7", "4-4-7"), heat_of_battle=True, elr=2),
    "trucks": lambda: start(
        ("4-4-7",),
        opening={
            "vehicles": tuple(TargetVehicle(f"t{i}", "truck", in_motion=i == 1, riders=PASSENGER) for i in (1, 2))
        },
    ),
    "enemy AFV": lambda: start(
        ("4-4-7",), location=Location(enemy_afv="t34"), opening={"vehicle": {"disabled": ("BMG",)}}
    ),
    "low breakdown": lambda: start(("4-4-7",), vehicle=replace(PZ_IIIH, breakdown=10, mg_breakdown=11)),
    "marked": lambda: start(
        (UnitOpening("a", "6-2-8", fired=Fired.FINAL), UnitOpening("b", "4-4-7", fired=Fired.FIRST))
    ),
    "Gun": lambda: start(("2-2-8", "4-4-7"), guns=True, opening={"guns": (GunOpening("g", "at", "u1", ca_turns=1),)}),
    "a Gun Duel between equals": lambda: start(
        ("2-2-8",),
        guns=True,
        vehicle=replace(PZ_IIIH, stabilized=True),
        rulings={"duel_tie": "final_dr"},
        opening={
            "vehicle": {"ce": True, "motion": Motion.STOPPED, "mp_spent_here": 4},
            "guns": (GunOpening("g", "at", "u1", ca_turns=1),),
        },
    ),
    "Gun, two overruns": lambda: start(
        ("2-2-8",), guns=True, overruns=2, opening={"guns": (GunOpening("g", "at", "u1"),)}
    ),
    "halftrack": lambda: start(
        ("4-4-7",),
        vehicle=HALFTRACK,
        opening={"vehicle": {"ce": True, "riders": (RiderOpening("r", "4-6-7", ce=True),)}},
    ),
    "truck": lambda: start(
        (UnitOpening("a", "4-4-7", fired=Fired.FINAL), "8-1R"),
        vehicle=BLITZ,
        opening={"vehicle": {"riders": (RiderOpening("r", "4-6-7"),)}},
    ),
    "a leader with a PF": lambda: start(
        (UnitOpening("a", "8-1", inherent=("pf",)), "2-4-7"),
        vehicle=T34,
        pf_shots=1,
        opening={"vehicle": {"riders": (RiderOpening("r", "2-4-7", True),)}},
    ),
    "a machine gun": lambda: start(("2-4-7",), opening={"weapons": (WeaponOpening("m", "mmg", "u1"),)}),
    "a machine gun and riders": lambda: start(
        ("2-4-7",), opening={"weapons": (WeaponOpening("m", "mmg", "u1"),), **RIDER}
    ),
    "riders and a leader": lambda: start(
        ("2-4-7", "8-1R"), vehicle=T34, opening={"vehicle": {"riders": (RiderOpening("r", "2-4-7", True),)}}
    ),
    "building": lambda: start(("4-4-7",), location=Location(Terrain.STONE_BUILDING)),
    "woods, two overruns": lambda: start(("4-4-7", "8-1R"), location=Location(Terrain.WOODS), overruns=2),
    "hut": lambda: start(("4-4-7", "8-1R"), location=Location(Terrain.HUT, pto=True)),
    "ATMM": lambda: start(("4-6-7",), vehicle=T34, year=1944),
    "fire from outside": lambda: start(
        ("4-4-7",),
        outside=(
            OutsideAttack("x", OutsideKind.ORDNANCE, th=8, drm=2, tk=13),
            OutsideAttack("y", OutsideKind.RESULT, fate=VehicleFate.STUN),
        ),
    ),
    "street fighting": lambda: start(("4-4-7", UnitOpening("s", "6-2-8", street_fighting=True))),
    "two overruns": lambda: start(("6-2-8", "8-1R"), heat_of_battle=True, overruns=2),
    "Gun beside a vehicle in Bypass": lambda: start(
        (UnitOpening("a", "2-2-8", HIDDEN), UnitOpening("b", "2-3-7", HIDDEN)),
        guns=True,
        approach=Approach(way=Way.BYPASS),
        opening={"guns": (GunOpening("g", "at", "a"),)},
    ),
    "Gun that lies here": lambda: start(("2-3-7",), guns=True, opening={"guns": (GunOpening("g", "at"),)}),
    "weapon that lies here": lambda: start(
        (UnitOpening("a", "2-3-7", HIDDEN),), opening={"weapons": (WeaponOpening("m", "mmg", ""),)}
    ),
    "broken crew, MG that fail": lambda: start(
        (UnitOpening("a", "2-2-8", broken=True),),
        guns=True,
        vehicle=replace(PZ_IIIH, breakdown=10, mg_breakdown=10),
        opening={"guns": (GunOpening("g", "at", "a"),)},
    ),
    "broken crew in a building": lambda: start(
        (UnitOpening("a", "2-2-8", broken=True),),
        guns=True,
        location=Location(Terrain.STONE_BUILDING),
        opening={"guns": (GunOpening("g", "at", "a"),)},
    ),
    "pinned crew, Gun marked Final": lambda: start(
        (UnitOpening("a", "2-2-8", pinned=True, fired=Fired.FIRST),),
        guns=True,
        opening={"guns": (GunOpening("g", "at", "a", fired=Fired.FINAL),)},
    ),
}


def situation(state: State) -> Situation:
    return Situation("a situation", Position("approach", state), {})


@pytest.mark.parametrize("name", SITUATIONS)
def test_every_law_holds(name: str) -> None:
    testing.check_situation(ruleset, situation(SITUATIONS[name]()), small=1_200, plays=15)


@pytest.mark.parametrize(
    "name",
    [
        "squad and leader",
        "riders",
        "panzerfaust",
        "marked",
        "riders and a leader",
        "a machine gun",
        "a machine gun and riders",
        "Gun",
    ],
)
def test_what_a_restriction_forgets_changes_no_bound(name: str) -> None:
    testing.check_restrictions(ruleset, situation(SITUATIONS[name]()))


@pytest.mark.parametrize("name", ["squad", "squad and leader", "marked", "halftrack"])
def test_what_two_restrictions_forget_changes_no_bound(name: str) -> None:
    """Counted attacks and late fire: the count of one was once raised by what the other forgot."""
    testing.check_restrictions(ruleset, situation(SITUATIONS[name]()), pairs=True)


def test_what_a_restriction_forgets_changes_no_bound_of_a_gun_that_fires_as_prevention() -> None:
    """A crew whose Gun is marked No Fire owes a Reaction Fire though it is marked First Fire only."""
    document = {
        "system": "asl",
        "title": "PaK",
        "date": "1943-11",
        "heat_of_battle": False,
        "vehicle": {"counter": "russian T-34 M41"},
        "location": {"terrain": "open"},
        "defenders": [
            {"counter": "german-2-2-8-crew", "guns": [{"counter": "5cm PaK 38"}]},
            {"counter": "german 4-6-7"},
        ],
    }
    testing.check_restrictions(ruleset, ruleset.load(document))
