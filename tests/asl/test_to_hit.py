"""To Hit: fact sheet 6.3, 6.4, 8 and 12 (A-23d to A-23f, A-23i, A-23j, A-23n, A-40, A-44, A-45, A-54)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from overrun.rulesets.asl.counters import Nation, Size, Turret, Weapon, WeaponKind
from overrun.rulesets.asl.setup import Approach, Entrenchment, Hexside, Location, Way
from overrun.rulesets.asl.to_hit import (
    Bounding,
    Duel,
    Facing,
    Hit,
    Shot,
    bounding_dr,
    bounding_drm,
    case_a,
    case_j,
    critical_check,
    facing_in_hex,
    gun_duel,
    gun_number,
    improbable,
    read_hit,
    refuse_bypass_fire,
    refuse_gun_duel,
    refuse_underbelly,
    shot_drm,
    to_hit_table,
    weapon_number,
)

from .counters import HALFTRACK, TANK, TRUCK

BANDS = (0, 7, 13, 19, 25, 31, 37, 43, 49, 55)
NUMBERS = {
    "vehicle black": (10, 9, 8, 7, 6, 6, 5, 4, 3, 2),
    "vehicle red": (10, 8, 7, 6, 5, 4, 3, 2, 1, 0),
    "infantry black": (8, 7, 6, 5, 4, 3, 2, 1, 0, -1),
    "infantry red": (8, 6, 5, 4, 3, 2, 1, 0, -1, -2),
}


@pytest.mark.parametrize("row", NUMBERS)
def test_table(row):
    for low, number in zip(BANDS, NUMBERS[row], strict=True):
        assert to_hit_table().at(row, low).value == number
        assert to_hit_table().at(row, low + 5).value == number


def test_gun_number():
    assert gun_number().value == gun_number(captured=True).value == 10
    assert gun_number(12).value == 9
    assert gun_number(12, captured=True).value == 8


PSK = Weapon("psk", "PSK", Nation.GERMAN, WeaponKind.PSK, to_hit=(11, 9, 8, 7, 4))


def test_weapon_numbers(rulings):
    assert [weapon_number(PSK, r, rulings).value for r in range(5)] == [11, 9, 8, 7, 4]
    assert weapon_number(PSK, 5, rulings) is None
    ten = rulings | {"psk_table": "ten"}
    assert [weapon_number(PSK, r, ten).value for r in range(4)] == [10, 9, 8, 7]
    assert weapon_number(PSK, 4, ten) is None
    atr = Weapon("atr", "ATR", Nation.GERMAN, WeaponKind.ATR, range=12)
    assert weapon_number(atr, 0, rulings).value == 10


@pytest.mark.parametrize(
    ("mount", "turns", "rough", "drm"),
    [
        (Turret.NT, 0, False, 0),
        (Turret.NT, 1, False, 3),
        (Turret.NT, 2, False, 4),
        (Turret.NT, 3, False, 5),
        (Turret.NT, 4, False, 6),
        (Turret.ST, 1, False, 2),
        (Turret.ST, 2, False, 3),
        (Turret.ST, 3, False, 4),
        (Turret.RST, 1, False, 2),
        (Turret.ONE_MAN, 1, False, 2),
        (Turret.T, 1, False, 1),
        (Turret.T, 3, False, 3),
        (Turret.NT, 1, True, 6),
    ],
)
def test_case_a(mount, turns, rough, drm):
    assert case_a(mount, turns, compounding=rough) == drm


@pytest.mark.parametrize(
    ("moving", "mp", "drm"),
    [
        (True, Fraction(5), 2),
        (True, Fraction(7, 2), 2),
        (True, Fraction(3), 3),
        (True, Fraction(3, 2), 3),
        (True, Fraction(1), 4),
        (False, Fraction(1), 0),
    ],
)
def test_case_j(moving, mp, drm):
    line = case_j(moving=moving, mp_in_los=mp)
    assert (line.value if line else 0) == drm


@pytest.mark.parametrize(
    ("shot", "drm"),
    [
        (Shot(), 4),
        (Shot(intensive=True), 6),  # OVR Prevention example: TH 10 becomes 4
        (Shot(intensive=True, ca_turns=1), 9),  # ... and 1 after one NT hexspine
        (Shot(moving=False), 2),
        (Shot(compounding=True), 6),
        (Shot(reaction=True), 2),
        (Shot(reaction=True, ca_turns=2), 2),
        (Shot(reaction=True, intensive=True), 4),
        (Shot(sw=True), 2),
        (Shot(sw=True, ca_turns=1, compounding=True, intensive=True), 2),
        (Shot(sw=True, pinned=True), 4),
        (Shot(sw=True, backblast=True), 4),
        (Shot(sw=True, cx=True), 3),
        (Shot(sw=True, encircled=True), 3),
        (Shot(sw=True, leadership=-1), 1),
        (Shot(sw=True, captured=True), 4),
        (Shot(sw=True, acquired=-2), 0),
        (Shot(sw=True, tem=1), 3),
        (Shot(sw=True, smoke=3), 5),
        (Shot(sw=True, mp_in_los=Fraction(1)), 4),
        (Shot(sw=True, size=Size.VERY_LARGE), 0),
        (Shot(sw=True, size=Size.LARGE), 1),
        (Shot(sw=True, size=Size.SMALL), 3),
        (Shot(sw=True, size=Size.VERY_SMALL), 4),
    ],
)
def test_shot_drm(shot, drm):
    assert shot_drm(shot).total == drm


@pytest.mark.parametrize(
    ("number", "drm", "colored", "white", "hit"),
    [
        (10, 4, 3, 3, Hit.HULL),
        (10, 4, 4, 3, Hit.MISS),
        (10, 4, 2, 4, Hit.TURRET),
        (10, 4, 4, 2, Hit.HULL),
        (10, 6, 1, 2, Hit.TURRET),  # OVR Prevention example, DR 3 with colored 1
        (10, 4, 1, 1, Hit.CRITICAL),
        (10, 7, 1, 1, Hit.CRITICAL),
        (10, 8, 1, 1, Hit.CRITICAL_CHECK),
        (10, 9, 1, 1, Hit.IMPROBABLE),
        (10, 9, 1, 2, Hit.MISS),
    ],
)
def test_read_hit(number, drm, colored, white, hit):
    assert read_hit(number, drm, colored, white) == hit


def test_a_mg_has_no_critical_hits():
    assert read_hit(10, 2, 1, 1, machine_gun=True) is Hit.HULL
    assert improbable(1, machine_gun=True) is Hit.HULL
    assert read_hit(10, 9, 1, 1, machine_gun=True) is Hit.IMPROBABLE


def test_extra_drs():
    assert [critical_check(dr) for dr in (1, 2, 6)] == [Hit.CRITICAL, Hit.HULL, Hit.HULL]
    assert [improbable(dr) for dr in (1, 2, 3, 4, 6)] == [Hit.CRITICAL, Hit.TURRET, Hit.HULL, Hit.MISS, Hit.MISS]


def test_facing():
    assert [facing_in_hex(die) for die in range(1, 7)] == [
        Facing.REAR,
        Facing.REAR,
        Facing.SIDE,
        Facing.SIDE,
        Facing.FRONT,
        Facing.FRONT,
    ]


SANGAR = Location(entrenchment=Entrenchment.SANGAR)


@pytest.mark.parametrize(
    ("vehicle", "location", "approach", "possible"),
    [
        (TANK, Location(), Approach(hexside=Hexside.WALL), True),
        (TANK, Location(), Approach(hexside=Hexside.BOCAGE), True),
        (TANK, Location(), Approach(hexside=Hexside.DUNE_CREST), True),
        (TANK, Location(), Approach(hexside=Hexside.OUT_OF_DEPRESSION), True),
        (TANK, Location(), Approach(hexside=Hexside.HEDGE), False),
        (TANK, Location(), Approach(hexside=Hexside.CLEAR), False),
        (TANK, Location(), Approach(hexside=Hexside.WALL, hexside_breach=True), False),
        (TRUCK, Location(), Approach(hexside=Hexside.WALL), False),
        (HALFTRACK, Location(), Approach(hexside=Hexside.WALL), True),
        (TANK, SANGAR, Approach(hexside=Hexside.CLEAR), True),
        (HALFTRACK, SANGAR, Approach(hexside=Hexside.CLEAR), False),
    ],
)
def test_underbelly(vehicle, location, approach, possible, rulings):
    assert (refuse_underbelly(vehicle, location, approach, rulings) is None) == possible


def test_sangar_ruling(rulings):
    assert refuse_underbelly(TANK, SANGAR, Approach(), rulings | {"sangar_underbelly": "no"})  # edge case 42


@pytest.mark.parametrize(
    ("fire", "drm"),
    [
        (Bounding(Turret.T, in_hex=False), 4),
        (Bounding(Turret.T, stabilized=True, in_hex=False), 3),
        (Bounding(Turret.NT, in_hex=False), 5),
        (Bounding(Turret.T, passenger=True, in_hex=False), 5),
        (Bounding(Turret.ST, in_hex=False, mp_in_los=Fraction(3)), 5),
        (Bounding(Turret.ST, in_hex=False, mp_in_los=Fraction(5, 2)), 5),
        (Bounding(Turret.ST, in_hex=False, mp_in_los=Fraction(2)), 6),
        (Bounding(Turret.T), 6),
        (Bounding(Turret.T, rough=True), 9),
        (Bounding(Turret.T, non_stopped=True), 6),
        (Bounding(Turret.T, non_stopped=True, stabilized=True), 6),
        (Bounding(Turret.T, buttoned_up=True), 7),
        (Bounding(Turret.T, bypass_turns=2), 8),
        (Bounding(Turret.T, bypass_turns=2, same_target=True), 6),
    ],
)
def test_bounding_first_fire(fire, drm):
    assert bounding_drm(fire).total == drm


def test_case_c4_doubles_the_lower_die():
    assert bounding_dr(Bounding(Turret.T, non_stopped=True), 4, 2) == 8
    assert bounding_dr(Bounding(Turret.T, non_stopped=True), 2, 5) == 9
    assert bounding_dr(Bounding(Turret.T, non_stopped=True, stabilized=True), 4, 2) == 6
    assert bounding_dr(Bounding(Turret.T), 4, 2) == 6


def test_fire_from_bypass():
    assert refuse_bypass_fire(TANK, Way.TERRAIN, points_to_side=False) is None
    assert refuse_bypass_fire(TANK, Way.BYPASS, points_to_side=True) is None
    assert "side" in refuse_bypass_fire(TANK, Way.BYPASS, points_to_side=False)
    for turret in (Turret.NT, Turret.NONE):
        assert "turreted" in refuse_bypass_fire(replace(TANK, turret=turret), Way.BYPASS, points_to_side=True)


def test_gun_duel():
    assert gun_duel(3, 4) is Duel.ATTACKER
    assert gun_duel(5, 4) is Duel.DEFENDER
    assert gun_duel(4, 4) is Duel.BY_FINAL_DR


def test_gun_duel_bars():
    free = {"overrunning": False, "concealed": False, "reaction": False, "ca_change": False}
    assert refuse_gun_duel(**free) is None
    for bar in free:
        assert refuse_gun_duel(**(free | {bar: True}))
