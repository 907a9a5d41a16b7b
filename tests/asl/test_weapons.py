"""Malfunction and inherent anti-tank weapons: fact sheet 1.5 and 6.4, ASL-14, E21 (A-29, A-37, A-23c)."""

from dataclasses import replace

import pytest

from overrun.rulesets.asl.counters import MAKind, UnitClass, UnitKind
from overrun.rulesets.asl.firepower import Armament, weapons
from overrun.rulesets.asl.random_selection import selected
from overrun.rulesets.asl.weapons import (
    Found,
    immobilizes_itself,
    inherent_check,
    malfunction_candidates,
    mol_check_drm,
    pf_casualty,
    pf_check_drm,
    pf_range,
    pf_shots,
)

from .counters import HALFTRACK, TANK, TRUCK, unit


def test_original_12_with_several_weapons(rulings):
    used = weapons(Armament(TANK), rulings)
    candidates = malfunction_candidates(used, 12)
    assert [weapon.name for weapon in candidates] == ["MA", "BMG", "CMG"]
    hit = selected((6, 1, 1), 1)
    assert [weapon.name for weapon, out in zip(candidates, hit, strict=True) if out] == ["MA"]  # ASL-14
    assert not immobilizes_itself(used, 12, only_inanimate=False)
    assert malfunction_candidates(used, 11) == ()


def test_low_breakdown_numbers(rulings):
    used = weapons(Armament(HALFTRACK, ce=True), rulings)
    assert malfunction_candidates(used, 11) == used
    assert malfunction_candidates(used, 10) == ()


def test_nothing_to_malfunction(rulings):
    assert immobilizes_itself(weapons(Armament(TRUCK), rulings), 12, only_inanimate=False)
    assert not immobilizes_itself(weapons(Armament(TRUCK), rulings), 11, only_inanimate=False)
    used = weapons(Armament(TANK), rulings)
    assert immobilizes_itself(used, 12, only_inanimate=True)  # edge case 16, ASL-48
    assert not immobilizes_itself(used, 11, only_inanimate=True)


@pytest.mark.parametrize(
    ("date", "drm"),
    [
        ((1943, 8), 1),
        ((1943, 9), 1),
        ((1943, 10), 0),
        ((1944, 12), 0),
        ((1945, 1), -1),
    ],
)
def test_pf_dates(date, drm):
    assert pf_check_drm(unit(), cx=False, armored_target=True, date=date).total == drm


def test_pf_and_mol_firers():
    half = unit(UnitKind.HALF_SQUAD)
    leader = unit(UnitKind.LEADER, UnitClass.SMC)
    date = (1944, 6)
    assert pf_check_drm(half, cx=True, armored_target=True, date=date).total == 2
    assert pf_check_drm(leader, cx=False, armored_target=False, date=date).total == 3
    assert mol_check_drm(half, cx=False, armored_target=True).total == 1


def test_inherent_check():
    assert [inherent_check(dr, 0, pinned=False) for dr in (3, 4)] == [Found(found=True), Found(found=False)]
    assert [inherent_check(dr, 1, pinned=False).found for dr in (2, 3)] == [True, False]
    assert inherent_check(6, -3, pinned=False) == Found(found=False, pinned=True)
    assert inherent_check(6, 0, pinned=True) == Found(found=False, broke=True)


def test_pf_range_and_shots():
    assert [pf_range(date) for date in ((1943, 10), (1944, 5), (1944, 6), (1944, 12), (1945, 1))] == [1, 1, 2, 2, 3]
    assert [pf_shots(5, year) for year in (1943, 1944, 1945)] == [5, 7, 10]


def test_pf_backfire():
    assert [pf_casualty(dr, inexperienced=False) for dr in (11, 12)] == [False, True]
    assert [pf_casualty(dr, inexperienced=True) for dr in (10, 11, 12)] == [False, True, True]


def test_a_weapon_that_fires_is_a_candidate_even_with_x_number(rulings):
    flame = replace(TANK, ft=24, breakdown=10, x_number=True, ma_kind=MAKind.FT, bmg=0, cmg=0)
    used = weapons(Armament(flame), rulings)
    assert [(weapon.name, weapon.x_number) for weapon in malfunction_candidates(used, 10)] == [("FT", True)]
