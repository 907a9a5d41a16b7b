"""What comes back from a defensive attack to the Location (fact sheet 2.4, 6.4, 7).

Covers A-38 to A-40: people aboard, the side's PF shots, and what analysis may read of an attack.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from overrun.kernel import Call, Decision, Returned, changed
from overrun.rulesets.asl.attack import Volley
from overrun.rulesets.asl.close import Close
from overrun.rulesets.asl.damage import OnAFV
from overrun.rulesets.asl.defensive_fire import close_in, duel_shot, fire_ift, gun_duel, shoot
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.exposed import Exposed
from overrun.rulesets.asl.hits import Target
from overrun.rulesets.asl.setup import GunOpening, Motion, RiderOpening, UnitOpening
from overrun.rulesets.asl.state import Act, Arm, Crew, GunPiece, Means, Rider, State
from overrun.rulesets.asl.strike import Strike
from tests.asl.steps.situations import HALFTRACK, PZ_IIIH, start


def chosen(s: State, act: Act, stage: Stage = Stage.AFTER) -> State:
    return changed(s, act=act, stage=stage, spent=4)


def came_back(node: Any, state: Any, exit: str = "resolved") -> State:
    assert isinstance(node, Call)
    return node.then(Returned(exit, state)).state


# ------------------------------------------------------------------ people


@pytest.mark.parametrize(
    ("open_topped", "hurt", "crew", "ce"),
    [
        (False, Crew.PINNED, Crew.GOOD, False),
        (True, Crew.PINNED, Crew.PINNED, True),
        (False, Crew.GOOD, Crew.GOOD, True),
        (False, Crew.STUNNED, Crew.STUNNED, True),
    ],
)
def test_a_pinned_crew_goes_bu_if_it_has_a_top(open_topped, hurt, crew, ce):
    """Fact sheet 2.4, Pin: closed-topped forced BU; open-topped it stays pinned."""
    s = start(("4-4-7",), vehicle=replace(PZ_IIIH, open_topped=open_topped), opening={"vehicle": {"ce": True}})
    s = chosen(s, Act(Means.IFT, s.units))
    node = fire_ift(s)
    after = came_back(node, changed(node.sub, after=Exposed(s.setup, hurt, 0), firers=())).vehicle
    assert (after.crew, after.ce) == (crew, ce)


def test_passengers_whom_no_fire_reaches_stay_aboard():
    """A7.211: BU in a closed-topped AFV; the Rider outside is hit."""
    riders = (RiderOpening("p", "2-4-7"), RiderOpening("r", "4-6-7", rider=True))
    s = start(("4-4-7",), opening={"vehicle": {"riders": riders}})
    s = chosen(s, Act(Means.IFT, s.units))
    node = fire_ift(s)
    after = came_back(node, changed(node.sub, after=Exposed(s.setup, Crew.GOOD, 0), firers=())).vehicle
    assert after.prc == (Rider("2-4-7"),)


def test_open_topped_passengers_are_all_exposed():
    s = start(("4-4-7",), vehicle=HALFTRACK, opening={"vehicle": {"riders": (RiderOpening("p", "2-4-7"),)}})
    s = chosen(s, Act(Means.IFT, s.units))
    node = fire_ift(s)
    after = came_back(node, changed(node.sub, after=Exposed(s.setup, Crew.GOOD, 0), firers=())).vehicle
    assert after.prc == ()


# ------------------------------------------------------------------ PF shots


@pytest.mark.parametrize(("found", "left"), [(True, 1), (False, 2)])
def test_a_panzerfaust_that_is_found_is_one_of_the_sides_shots(found, left):
    """C13.31."""
    s = start((UnitOpening("a", "4-6-7", inherent=("pf",)),), pf_shots=2)
    s = chosen(s, Act(Means.LATW, s.units, None, s.units[0].arms[0]))
    node = shoot(s)
    assert came_back(node, changed(node.sub, found=found)).pf == left


def test_a_gun_takes_no_panzerfaust_shot():
    s = start(("2-2-8",), guns=True, pf_shots=2, opening={"guns": (GunOpening("g", "at", "u1"),)})
    s = chosen(s, Act(Means.GUN, s.units, None, s.units[0].guns[0]))
    node = shoot(s)
    assert came_back(node, node.sub).pf == 2


# ------------------------------------------------------------------ Gun Duels


def test_a_duel_uses_up_the_main_armament_beside_what_fired_before():
    """C2.2401, D3.5: what has Bounding First Fired in this MPh stays so."""
    opening = {"vehicle": {"ce": True, "motion": Motion.STOPPED}, "guns": (GunOpening("g", "at", "u1", ca_turns=3),)}
    s = start((UnitOpening("u1", "2-2-8", pinned=True),), guns=True, opening=opening)
    s = changed(s, bff=("mg",))
    node = gun_duel(chosen(s, Act(Means.GUN, s.units, None, s.units[0].guns[0]), Stage.NONE))
    assert isinstance(node, Decision)
    assert {option.name: option.state.bff for option in node.options} == {"duel": ("ma", "mg"), "no_duel": ("mg",)}


def test_weapons_that_lay_there_stay_there_after_a_duel():
    """C2.2401: the vehicle's shell comes first; a Gun whose crew it eliminates is left, and does not shoot."""
    s = start(("2-2-8",), guns=True, opening={"guns": (GunOpening("g", "at", "u1"),)})
    s = chosen(changed(s, loose=(Arm("lmg"),)), Act(Means.GUN, s.units, None, s.units[0].guns[0]), Stage.NONE)
    node = duel_shot(s)
    assert isinstance(node, Call)
    burst = Volley(s.setup, (), (Target(None),), loose=(GunPiece("at"),))
    came = node.then(Returned("resolved", changed(node.sub, volley=burst)))
    assert (came.name, came.state.act, came.state.units) == ("silenced", None, ())
    assert came.state.loose == (Arm("lmg"), GunPiece("at"))


# ------------------------------------------------------------------ what analysis reads


def keys(node: Any, *ways: tuple[str, Any]) -> set[Any]:
    assert isinstance(node, Call)
    assert node.reads is not None
    return {node.reads(Returned(exit, state)) for exit, state in ways}


@pytest.mark.parametrize(("fate", "kinds"), [(OnAFV.NONE, 2), (OnAFV.IMMOBILIZED, 2), (OnAFV.ELIMINATED, 1)])
def test_while_the_vehicle_lives_it_matters_whether_a_gun_kept_its_rate(fate, kinds):
    """In Reaction Fire a Gun that kept its ROF fires on; at a wreck nobody does."""
    s = start(("2-2-8",), guns=True, opening={"guns": (GunOpening("g", "at", "u1"),)})
    s = chosen(s, Act(Means.GUN, s.units, None, s.units[0].guns[0]))
    node = shoot(s)

    def way(again: bool) -> tuple[str, Strike]:
        return "resolved", changed(node.sub, fate=fate, again=again)

    assert len(keys(node, way(True), way(False))) == kinds


@pytest.mark.parametrize(("exit", "kinds"), [("missed", 2), ("immobilized", 2), ("eliminated", 1), ("burning", 1)])
def test_while_the_vehicle_lives_it_matters_what_cc_made_of_the_attacker(exit, kinds):
    """A squad that became its HS attacks again with another CCV, a good order one with another than a pinned."""
    s = start(("4-4-7",))
    s = chosen(s, Act(Means.CC, s.units))
    node = close_in(s)

    def way(printed: str) -> tuple[str, Close]:
        return exit, Close(s.setup, (changed(s.units[0], printed=printed),), 0, 0)

    assert len(keys(node, way("4-4-7"), way("2-3-7"))) == kinds
