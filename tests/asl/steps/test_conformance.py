"""Every law of the conformance suite on situations of each kind: exhaustive where small, at random elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from overrun import testing
from overrun.kernel import Position, Situation
from overrun.rulesets.asl import ruleset
from overrun.rulesets.asl.setup import (
    Concealment,
    Fired,
    Location,
    RiderOpening,
    TargetVehicle,
    UnitOpening,
    WeaponOpening,
)
from overrun.rulesets.asl.state import State
from tests.asl.steps.situations import PZ_IIIH, start

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
}


def situation(state: State) -> Situation:
    return Situation("a situation", Position("approach", state), {})


@pytest.mark.parametrize("name", SITUATIONS)
def test_every_law_holds(name: str) -> None:
    testing.check_situation(ruleset, situation(SITUATIONS[name]()), small=1_200, plays=15)
