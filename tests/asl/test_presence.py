"""What is there, as the arithmetic sees it: who rides exposed, stacking, SW left, shells, duels, helping leaders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from overrun.rulesets.asl import duel
from overrun.rulesets.asl.hits import Hits, Target, bare, helper
from overrun.rulesets.asl.outcome import loss, prc_loss
from overrun.rulesets.asl.presence import aboard, exposure, overstacked, shots_left, sw_left
from overrun.rulesets.asl.setup import Concealment, Entrenchment, Fired, Location, Motion, RiderOpening, UnitOpening
from overrun.rulesets.asl.shell import hopeless, shell_at
from overrun.rulesets.asl.state import Act, Arm, Crew, GunPiece, Means, Morale, State, Unit
from tests.asl.steps.situations import BLITZ, HALFTRACK, PRINTED, PZ_IIIH, setup, start
from tests.asl.steps.test_vectors import runs


def carrying(vehicle, *riders: RiderOpening) -> State:
    return start((), vehicle=vehicle, opening={"vehicle": {"riders": riders, "ce": False}})


# ------------------------------------------------------------------ Passengers and Riders (fact sheet 1, 2.4; A-36)

CARRIER = replace(HALFTRACK, open_topped=False)


@pytest.mark.parametrize(
    ("vehicle", "rider", "able"),
    [
        (PZ_IIIH, RiderOpening("r", "4-6-7", rider=True), True),  # every Rider
        (HALFTRACK, RiderOpening("r", "4-6-7", ce=True), True),  # CE halftrack Passengers
        (HALFTRACK, RiderOpening("r", "4-6-7"), False),  # BU in an AFV
        (BLITZ, RiderOpening("r", "4-6-7"), True),  # everyone in an unarmored vehicle
        (PZ_IIIH, RiderOpening("r", "4-6-7", rider=True, broken=True), False),
        (HALFTRACK, RiderOpening("r", "4-6-7", ce=True, broken=True), False),
        (BLITZ, RiderOpening("r", "4-6-7", broken=True), False),
    ],
)
def test_who_aboard_adds_firepower(vehicle, rider, able):
    (one,) = aboard(carrying(vehicle, rider))
    assert one.able is able


@pytest.mark.parametrize(
    ("vehicle", "rider", "drms"),
    [
        (PZ_IIIH, RiderOpening("r", "4-6-7", rider=True), [0]),
        (BLITZ, RiderOpening("r", "4-6-7"), [0]),
        (HALFTRACK, RiderOpening("r", "4-6-7"), [2]),  # BU in an open-topped AFV: with the CE DRM
        (HALFTRACK, RiderOpening("r", "4-6-7", ce=True), [2]),
        (CARRIER, RiderOpening("r", "4-6-7"), []),  # BU in a closed-topped AFV
        (CARRIER, RiderOpening("r", "4-6-7", ce=True), [2]),
    ],
)
def test_whom_fire_within_the_hex_can_hurt(vehicle, rider, drms):
    assert [drm for _, drm in exposure(carrying(vehicle, rider)).riders] == drms


def test_steps_of_passengers_and_riders():
    squad, half, leader = PRINTED["4-6-7"], PRINTED["2-4-7"], PRINTED["8-1"]
    assert prc_loss(squad) == {"prc_steps_lost": 2}
    assert prc_loss(squad, half) == {"prc_steps_lost": 1}
    assert prc_loss(half) == {"prc_steps_lost": 1}
    assert prc_loss(leader) == {"prc_steps_lost": 1}
    assert prc_loss(leader, leader) == {}
    assert loss(PRINTED["?"]) == {"dummies_removed": 1}
    assert loss(leader) == {"leaders_lost": 1}


# ------------------------------------------------------------------ the defenders


@pytest.mark.parametrize(
    ("units", "more"),
    [
        (("4-4-7",) * 3, 0),
        (("4-4-7",) * 3 + ("8-1R",), 0),  # a SMC counts nothing
        (("4-4-7",) * 3 + ("2-3-7",), 1),  # half a squad, rounded up
        (("4-4-7",) * 3 + ("2-2-8",), 1),
        (("4-4-7",) * 5, 2),
        (("4-4-7",) * 3 + (UnitOpening("s", "4-4-7", street_fighting=True),), 0),  # not in the Location
    ],
)
def test_squad_equivalents_above_the_stacking_limit(units, more):
    """A5.131: -1 per excess squad-equivalent, fractions rounded up (fact sheet 2.2)."""
    assert overstacked(start(units)) == more


@pytest.mark.parametrize(
    ("unit", "fired", "uses", "left"),
    [
        ("4-6-7", Fired.UNMARKED, 0, 2),  # a squad fires two SW
        ("4-6-7", Fired.UNMARKED, 1, 1),
        ("4-6-7", Fired.UNMARKED, 2, 0),
        ("4-6-7", Fired.FIRST, 0, 1),  # or one beside its inherent FP
        ("4-6-7", Fired.FIRST, 1, 0),
        ("4-6-7", Fired.FIRST, 2, 0),
        ("2-4-7", Fired.UNMARKED, 0, 1),  # others fire one
        ("2-4-7", Fired.UNMARKED, 1, 0),
        ("2-4-7", Fired.FIRST, 0, 0),
        ("2-4-7", Fired.FIRST, 1, 0),
    ],
)
def test_how_many_sw_a_unit_still_fires(unit, fired, uses, left):
    """A7.35."""
    one = Unit(unit, fired=fired, uses=uses)
    assert shots_left(setup(), one) == left
    assert sw_left(setup(), one) is (left > 0)


def helps(unit: str, *others: str) -> int | None:
    units = (Unit(unit), *(Unit(other) for other in others))
    return helper(Hits(setup(), (), tuple(Target(one) for one in units), units), units[0])


def test_a_leader_helps_any_unit_but_only_leaders_of_lower_ml():
    """A10.72: a leader never modifies himself; only a higher-ML leader may help him."""
    assert helps("4-4-7") is None
    assert helps("4-4-7", "8-1R") == -1
    assert helps("6-2-8", "8-1R") == -1  # of the same ML
    assert helps("1-4-9", "8-1R") == -1  # of lower ML
    assert helps("8-1R") is None
    assert helps("8-1R", "8-1") is None


# ------------------------------------------------------------------ the vehicle's shell (fact sheet 6.3, 8; A-44)


def shelling(*units: UnitOpening | str, vehicle=PZ_IIIH, ce: bool = True, **changes) -> State:
    standing = {"ce": ce, "motion": Motion.STOPPED, "mp_spent_here": 4}
    return start(units, vehicle=vehicle, opening={"vehicle": standing}, **changes)


GYRO = replace(PZ_IIIH, stabilized=True)


@pytest.mark.parametrize(
    ("state", "none"),
    [
        # TH# 8; Cases B, C and E make +6, so that a DR of 2 just hits, and one more is too much.
        (shelling("4-4-7"), False),
        (shelling("4-4-7", ce=False), True),
        # Case C is +1 with a gyrostabilizer: +5, and SMOKE adds 2.
        (shelling("4-4-7", vehicle=GYRO), False),
        (shelling("4-4-7", vehicle=GYRO, ce=False), False),
        (shelling("4-4-7", vehicle=GYRO, location=Location(smoke=(2,))), True),
    ],
)
def test_when_a_shell_can_hit_nobody(state, none):
    assert hopeless(state) is none


@pytest.mark.parametrize(
    ("unit", "entrenchment", "drm"),
    [
        (UnitOpening("u", "4-4-7"), Entrenchment.NONE, 6),
        (UnitOpening("u", "4-4-7", Concealment.CONCEALED), Entrenchment.NONE, 8),
        (UnitOpening("u", "4-4-7", entrenched=True), Entrenchment.FOXHOLE, 8),
        (UnitOpening("u", "4-4-7", Concealment.CONCEALED, entrenched=True), Entrenchment.FOXHOLE, 10),
    ],
)
def test_what_shelters_a_target_of_the_shell(unit, entrenchment, drm):
    state = shelling(unit, location=Location(entrenchment=entrenchment))
    assert shell_at(state, state.units).drms == (drm,)


@pytest.mark.parametrize(("caliber", "fp"), [(15, 0), (20, 1), (37, 4), (75, 12)])
def test_the_fp_of_a_shell(caliber, fp):
    """Fact sheet 2.1: HE of 20 mm stands in the first column; there is none of less."""
    state = shelling("4-4-7", vehicle=replace(PZ_IIIH, ma_caliber=caliber))
    assert shell_at(state, state.units).fp == fp


def ends(caliber: int) -> dict[tuple[tuple[str, ...], bool], float]:
    state = shelling("4-4-7", vehicle=replace(GYRO, ma_caliber=caliber))
    found: dict[tuple[tuple[str, ...], bool], float] = {}
    for (_, shell), chance in runs("shell", shell_at(state, state.units)).items():
        key = (shell.volley.stops, shell.volley.immobilized)
        found[key] = found.get(key, 0) + chance
    return found


@pytest.mark.parametrize("caliber", [15, 75])
def test_a_shell_stops_the_gun_on_its_breakdown_number_alone(caliber):
    """B12 is one DR in 36. Only an OVR immobilizes the vehicle on an Original 12 (D7.17), not the DR of a shell."""
    assert {key: chance * 36 for key, chance in ends(caliber).items()} == {((), False): 35, (("MA",), False): 1}


# ------------------------------------------------------------------ Gun Duels (C2.2401; A-23q)

CREW = Unit("2-2-8", guns=(GunPiece("at"),))
SHOT = Act(Means.GUN, (CREW,), None, CREW.guns[0])


def test_a_duel_needs_a_main_armament_that_can_fire():
    s = replace(start(("2-2-8",), guns=True), act=SHOT)
    assert duel.possible(s)
    assert not duel.possible(replace(s, bff=("ma",)))
    assert not duel.possible(replace(s, vehicle=replace(s.vehicle, crew=Crew.STUNNED)))
    assert not duel.possible(replace(s, vehicle=replace(s.vehicle, disabled=("MA",))))
    assert not duel.possible(replace(s, act=replace(SHOT, means=Means.IFT)))


def after_the_shell(act: Act, *morale: Morale) -> Act | None:
    order = (*act.units, *(() if act.leader is None else (act.leader,)))
    hit = tuple(Target(replace(bare(one), morale=now)) for one, now in zip(order, morale, strict=True))
    return duel.still_fires(act, order, hit)


MG = Unit("4-6-7", arms=(Arm("mmg"),))
TURNING = Unit("2-2-8", guns=(GunPiece("at", ca_turns=1),))


@pytest.mark.parametrize(
    ("act", "morale", "fires"),
    [
        (SHOT, Morale.GOOD, True),
        (SHOT, Morale.PINNED, True),  # a pinned crew shoots with Case D
        (SHOT, Morale.BROKEN, False),
        (Act(Means.GUN, (TURNING,), None, TURNING.guns[0]), Morale.GOOD, True),
        (Act(Means.GUN, (TURNING,), None, TURNING.guns[0]), Morale.PINNED, False),  # but may not turn its Gun
        (Act(Means.MG, (MG,), None, MG.arms[0]), Morale.GOOD, True),
        (Act(Means.MG, (MG,), None, MG.arms[0]), Morale.PINNED, False),  # note f
        (Act(Means.LATW, (MG,), None, MG.arms[0]), Morale.PINNED, True),
    ],
)
def test_who_still_shoots_after_the_vehicles_shell(act, morale, fires):
    now = after_the_shell(act, morale)
    assert (now is not None) is fires
    assert now is None or now.units[0].morale is morale


def test_a_leader_who_breaks_directs_no_more():
    act = replace(SHOT, leader=Unit("8-1"))
    steady = after_the_shell(act, Morale.GOOD, Morale.GOOD)
    shaken = after_the_shell(act, Morale.GOOD, Morale.BROKEN)
    assert steady is not None
    assert steady.leader == Unit("8-1")
    assert shaken is not None
    assert shaken.leader is None
