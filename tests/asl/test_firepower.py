"""FP of an overrun: fact sheet 1.3, E1-E14, ASL-01, -10, -12, -33, -45 (A-21, A-25 to A-28, A-41 to A-43)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from overrun.rulesets.asl.counters import Armor, MAKind, Movement, Nation, Turret, Vehicle
from overrun.rulesets.asl.firepower import (
    Aboard,
    Armament,
    bounding_fp,
    halved,
    overrun_fp,
    passengers_fire,
    weapons,
)
from overrun.rulesets.asl.setup import Motion

THIN = Armor(1, 1, 1, 1, 1)
TANK = Vehicle(
    "tank",
    "tank",
    Nation.GERMAN,
    Movement.FULLY_TRACKED,
    13,
    THIN,
    turret=Turret.T,
    ma_kind=MAKind.GUN,
    ma_mount="turret",
    bmg=3,
    cmg=5,
)
RST = replace(TANK, turret=Turret.RST, bmg=2, cmg=4, mp=17)
HALFTRACK = Vehicle(
    "ht",
    "halftrack",
    Nation.GERMAN,
    Movement.HALFTRACK,
    16,
    THIN,
    open_topped=True,
    ma_kind=MAKind.MG,
    ma_mount="AAMG",
    aamg=3,
    breakdown=11,
    pp=15,
)
TRUCK = Vehicle("truck", "truck", Nation.GERMAN, Movement.TRUCK, 28, None, pp=21)
FLAME = replace(TANK, ma_kind=MAKind.FT, ft=24, breakdown=10, x_number=True)


@pytest.mark.parametrize(
    ("armament", "fp"),
    [
        (Armament(replace(TANK, bmg=5, cmg=6)), Fraction(41, 2)),  # E1, ASL-01
        (Armament(HALFTRACK, ce=True), Fraction(13, 2)),  # E2
        (Armament(HALFTRACK), 2),  # E3, edge case 10
        (Armament(HALFTRACK, ce=True, aboard=(Aboard(4),)), Fraction(25, 2)),  # E4, ASL-45
        (Armament(TANK), 16),  # E5
        (Armament(RST), 13),  # E9, ASL-33
        (Armament(RST, ce=True), 5),  # ASL-33, edge case 11
        (Armament(TRUCK, aboard=(Aboard(4),)), 4),  # E10, ASL-45
        (Armament(replace(TRUCK, movement=Movement.SIDECAR), aboard=(Aboard(4),)), 4),  # E11
        (Armament(FLAME), 38),  # E12
        (Armament(FLAME, ft_alone=True), 24),  # E13
        (Armament(replace(TANK, rmg=6)), 16),  # edge case 9
        (Armament(TRUCK, aboard=(Aboard(4, able=False),)), 1),
        (Armament(TANK, aboard=(Aboard(4, rider=True),)), 19),
        (Armament(HALFTRACK, ce=True, aboard=(Aboard(4, rider=True),)), Fraction(19, 2)),
        (Armament(replace(TANK, aamg=2)), 16),
        (Armament(replace(TANK, aamg=2), ce=True), 19),
        (Armament(TANK, disabled=("MA",)), 14),
        (Armament(TANK, disabled=("BMG",)), Fraction(23, 2)),
        (Armament(TANK, disabled=("BMG", "CMG", "MA")), 2),
        (Armament(replace(TANK, ma_kind=MAKind.IFE, ife=4, bmg=0)), Fraction(31, 2)),
        (Armament(replace(TANK, ma_kind=MAKind.IFE, ife=4, bmg=0), disabled=("MA",)), Fraction(19, 2)),
        (Armament(replace(TANK, ma_kind=MAKind.IFE, ife=4, bmg=0), disabled=("IFE",)), Fraction(19, 2)),
        (Armament(replace(TANK, ma_kind=MAKind.MTR)), 14),
        (Armament(replace(TANK, ma_kind=MAKind.ATR)), 14),
        (Armament(FLAME, disabled=("FT",)), 14),
        (Armament(FLAME, disabled=("MA",)), 14),
        (Armament(replace(TANK, open_topped=True)), Fraction(13, 2)),  # BU: bow MG only, base 2
        (Armament(replace(TANK, open_topped=True), ce=True), 16),
        (Armament(replace(FLAME, open_topped=True)), Fraction(13, 2)),
        (Armament(replace(FLAME, open_topped=True, ma_mount="bow")), Fraction(61, 2)),
        (Armament(replace(HALFTRACK, ma_mount="AAMG"), ce=True, disabled=("MA",)), 2),
        (Armament(replace(TRUCK, bulldozer=True)), 2),
        (Armament(replace(TRUCK, aamg=2)), 4),
        (Armament(replace(TANK, ma_smoke_only=True)), 16),
    ],
)
def test_overrun_fp(armament, fp, rulings):
    assert overrun_fp(armament, rulings).total == fp


@pytest.mark.parametrize(
    ("choice", "armament", "fp"),
    [
        ({"bulldozer_base": "one"}, Armament(replace(TRUCK, bulldozer=True)), 1),
        ({"smoke_only_base": "two"}, Armament(replace(TANK, ma_smoke_only=True)), 14),
        ({"ce_turret": "usable"}, Armament(RST, ce=True), 13),
        ({"ovr_ca": "any"}, Armament(TANK, outside_ca=("BMG",)), 16),
        ({"ovr_ca": "crossed_hexside"}, Armament(TANK, outside_ca=("BMG",)), Fraction(23, 2)),
        ({"pinned_crew_ovr": "ignore"}, Armament(replace(TANK, open_topped=True), ce=True, pinned=True), 16),
        ({"pinned_crew_ovr": "halve"}, Armament(replace(TANK, open_topped=True), ce=True, pinned=True), 10),
        ({"pinned_crew_ovr": "halve"}, Armament(TANK, pinned=True), 16),
        ({"passenger_sw": "exclude"}, Armament(TRUCK, aboard=(Aboard(4, sw_fp=4),)), 4),
        ({"passenger_sw": "include"}, Armament(TRUCK, aboard=(Aboard(4, sw_fp=4),)), 7),
    ],
)
def test_rulings(choice, armament, fp, rulings):
    assert overrun_fp(armament, rulings | choice).total == fp


@pytest.mark.parametrize(
    ("immobile", "concealed", "fp"),
    [(False, False, 16), (True, False, 8), (False, True, 8), (True, True, 4)],  # E5 to E8, edge case 7
)
def test_halvings_are_cumulative(immobile, concealed, fp, rulings):
    assert halved(overrun_fp(Armament(TANK), rulings), immobile=immobile, concealed=concealed).total == fp


def test_immobile_halftrack_and_concealed_truck(rulings):
    assert halved(overrun_fp(Armament(HALFTRACK, ce=True), rulings), immobile=True, concealed=False).total == Fraction(
        13, 4
    )  # ASL-10
    assert halved(overrun_fp(Armament(TRUCK), rulings), immobile=False, concealed=True).total == Fraction(
        1, 2
    )  # ASL-12


def test_weapons_that_can_malfunction(rulings):
    assert [(w.name, w.breakdown) for w in weapons(Armament(TANK), rulings)] == [("MA", 12), ("BMG", 12), ("CMG", 12)]
    assert [(w.name, w.breakdown) for w in weapons(Armament(HALFTRACK, ce=True), rulings)] == [("AAMG", 11)]
    assert [(w.name, w.x_number) for w in weapons(Armament(FLAME, ft_alone=True), rulings)] == [("FT", True)]
    assert weapons(Armament(TRUCK), rulings) == ()


def test_passengers_take_part():
    assert passengers_fire(Armament(TRUCK, aboard=(Aboard(4),)))
    assert not passengers_fire(Armament(TRUCK, aboard=(Aboard(4, able=False), Aboard(0))))
    assert not passengers_fire(Armament(FLAME, aboard=(Aboard(4),), ft_alone=True))


def test_an_unverified_base_says_so(rulings):
    assert list(overrun_fp(Armament(replace(TRUCK, bulldozer=True)), rulings).doubtful)
    assert list(overrun_fp(Armament(replace(TANK, ma_smoke_only=True)), rulings).doubtful)
    assert not list(overrun_fp(Armament(TANK), rulings).doubtful)


@pytest.mark.parametrize(
    ("kind", "motion", "ruling", "fp"),
    [
        ("MG", Motion.STOPPED, "mounted_fire_halves", 12),
        ("MG", Motion.MOVING, "mounted_fire_halves", 6),
        ("mounted", Motion.STOPPED, "mounted_fire_halves", 6),
        ("mounted", Motion.MOTION, "mounted_fire_halves", 3),
        ("mounted", Motion.STOPPED, "as_printed", 12),
        ("mounted", Motion.MOVING, "as_printed", 6),
        ("FT", Motion.STOPPED, "mounted_fire_halves", 8),
        ("FT", Motion.MOVING, "mounted_fire_halves", 4),
    ],
)
def test_bounding_first_fire(kind, motion, ruling, fp, rulings):
    assert bounding_fp(8, kind, motion, rulings | {"bff_mounted": ruling}).total == fp
