"""CC Reaction Fire: fact sheet 7 and 12, ASL-03, -04, -05, -39, PEER-07 (A-23g, A-23h, A-39, A-53)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from overrun.rulesets.asl.close_combat import (
    Ambush,
    Attacker,
    Prey,
    ambush,
    atmm_may_be_used,
    attacker_reduced,
    band,
    cc_drm,
    ccv,
    chances,
    check_drm,
    counter_after,
    fpf_check,
)
from overrun.rulesets.asl.counters import Nation, UnitClass, UnitKind
from overrun.rulesets.asl.setup import Fired

from .counters import unit

SQUAD = Attacker(unit())


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (UnitKind.SQUAD, 5),
        (UnitKind.CREW, 4),
        (UnitKind.HALF_SQUAD, 3),
        (UnitKind.LEADER, 2),
        (UnitKind.COMMISSAR, 2),
        (UnitKind.HERO, 2),
    ],
)
def test_ccv(kind, value):
    assert ccv(Attacker(unit(kind))).total == value


@pytest.mark.parametrize(
    ("attacker", "value"),
    [
        (replace(SQUAD, with_smc=True), 6),  # ASL-03
        (replace(SQUAD, marked=True), 4),  # ASL-04, edge case 25
        (replace(SQUAD, marked=True, pinned=True), 3),  # ASL-05
        (Attacker(unit(assault_engineer=True)), 6),
        (replace(SQUAD, inexperienced=True), 4),
        (replace(SQUAD, atmm_failed=True), 4),
        (replace(SQUAD, atmm_failed=True, pinned=True), 4),
    ],
)
def test_ccv_modifiers(attacker, value):
    assert ccv(attacker).total == value


def test_counters_do_not_matter_in_the_ccph():
    assert ccv(replace(SQUAD, marked=True), reaction=False).total == 5


CT = Prey()
STILL = Prey(moving=False)


@pytest.mark.parametrize(
    ("prey", "drm"),
    [
        (CT, 2),
        (STILL, 0),
        (replace(CT, open_topped=True), 0),
        (replace(CT, partially_armored=True), 0),
        (replace(CT, ce=True), 1),
        (replace(CT, open_topped=True, ce=True), 0),
        (replace(STILL, abandoned=True), -1),
        (replace(CT, armed=False), 1),
        (replace(CT, armored=False), -1),
        (replace(CT, armored=False, armed=False), -2),
        (replace(CT, immobile=True), -1),
        (replace(CT, armored=False, immobile=True), -3),
        (replace(CT, stopped_crew=True), -1),
        (replace(CT, stopped_crew=True, immobile=True), -2),
        (replace(CT, open_topped=True, immobile=True), -3),
        (replace(CT, escort=2), 4),
    ],
)
def test_drm_of_the_vehicle(prey, drm, rulings):
    assert cc_drm(SQUAD, prey, rulings).total == drm


@pytest.mark.parametrize(
    ("attacker", "drm"),
    [
        (replace(SQUAD, leadership=-1), 1),
        (replace(SQUAD, leadership=0), 2),
        (replace(SQUAD, hero=True), 1),
        (replace(SQUAD, ambush=True), 1),
        (replace(SQUAD, atmm=True), -1),
        (replace(SQUAD, with_smc=True, leadership=-1, ambush=True), 0),  # ASL-03
    ],
)
def test_drm_of_the_attacker(attacker, drm, rulings):
    assert cc_drm(attacker, CT, rulings).total == drm


def test_unarmed_truck_ruling(rulings):
    truck = Prey(armored=False, moving=False, armed=False)
    assert cc_drm(SQUAD, truck, rulings | {"cc_unarmed": "afv_only"}).total == -3
    assert cc_drm(SQUAD, replace(truck, armored=True), rulings | {"cc_unarmed": "afv_only"}).total == -1


def odds(value, drm):
    weights = chances(value, drm)
    assert sum(weights.values()) == 216
    return tuple(str(Fraction(weights[fate], 216)) for fate in ("burning", "eliminated", "immobilized"))


@pytest.mark.parametrize(
    ("value", "drm", "burn", "elim", "immob"),
    [
        (5, 2, "1/216", "5/216", "1/18"),
        (6, 1, "1/36", "5/36", "1/9"),
        (4, 2, "1/216", "1/216", "1/54"),  # PEER-07
        (3, 2, "1/216", "1/216", "1/216"),
        (5, 0, "1/36", "5/36", "1/9"),
        (5, -3, "5/18", "11/36", "5/36"),
        (6, 0, "1/12", "7/36", "5/36"),  # ASL-03
    ],
)
def test_exact_odds(value, drm, burn, elim, immob):
    assert odds(value, drm) == (burn, elim, immob)


def test_bands():
    assert [band(5, final) for final in (2, 3, 4, 5, 6)] == [
        "burning",
        "eliminated",
        "eliminated",
        "immobilized",
        "none",
    ]


def test_original_12():
    assert attacker_reduced(12, CT)  # ASL-39, edge case 35
    assert not attacker_reduced(11, CT)
    assert not attacker_reduced(12, replace(CT, abandoned=True))
    assert not attacker_reduced(12, replace(CT, stopped_crew=True))


def test_fpf_is_a_nmc():
    check = fpf_check(8)
    assert [str(check.read(dr)) for dr in (7, 8, 9, 12)] == [
        "passed",
        "pinned",
        "broke",
        "reduced_and_broke",
    ]  # ASL-05, edge case 27
    assert fpf_check(8, -1).read(9) == "pinned"


def test_counters_after():
    assert counter_after(Fired.UNMARKED) is Fired.FIRST
    assert counter_after(Fired.FIRST) is Fired.FINAL
    assert counter_after(Fired.FINAL) is Fired.FINAL


def test_ambush():
    assert ambush(marked=False, vehicle_in_bypass=True, street_fighting=False) is Ambush.BYPASS
    assert ambush(marked=True, vehicle_in_bypass=True, street_fighting=True) is Ambush.NONE
    assert ambush(marked=False, vehicle_in_bypass=False, street_fighting=True) is Ambush.STREET_FIGHTING
    assert ambush(marked=False, vehicle_in_bypass=False, street_fighting=False) is Ambush.NONE


def test_atmm():
    assert atmm_may_be_used(Nation.GERMAN, 1944)
    assert not atmm_may_be_used(Nation.GERMAN, 1943)
    assert not atmm_may_be_used(Nation.RUSSIAN, 1945)


@pytest.mark.parametrize(
    ("kind", "cx", "armored", "drm"),
    [
        (UnitKind.SQUAD, False, True, 0),
        (UnitKind.HALF_SQUAD, False, True, 1),
        (UnitKind.CREW, False, True, 1),
        (UnitKind.LEADER, False, True, 2),
        (UnitKind.HERO, False, True, 2),
        (UnitKind.SQUAD, True, True, 1),
        (UnitKind.SQUAD, False, False, 1),
        (UnitKind.HALF_SQUAD, True, False, 3),
    ],
)
def test_check_drm(kind, cx, armored, drm):
    unit_class = UnitClass.SMC if kind in {UnitKind.LEADER, UnitKind.HERO} else UnitClass.FIRST_LINE
    assert check_drm(unit(kind, unit_class), cx=cx, armored_target=armored).total == drm
