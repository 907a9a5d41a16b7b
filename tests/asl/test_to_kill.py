"""To Kill and its results: fact sheet 6.5 and 12 (A-23d, A-23e, A-40)."""

from dataclasses import replace

import pytest

from overrun.rulesets.asl.counters import Armor, Gun, Nation, Weapon, WeaponKind
from overrun.rulesets.asl.damage import (
    OnAFV,
    Placement,
    collateral_fp,
    crew_ml,
    on_afv,
    on_unarmored,
    position,
    position_drm,
    survives,
)
from overrun.rulesets.asl.to_hit import Facing, Hit
from overrun.rulesets.asl.to_kill import (
    Ammunition,
    Exposure,
    Round,
    Struck,
    aerial_table,
    ap_table,
    armor_factor,
    basic_tk,
    final_tk,
    range_modifier,
    round_of_gun,
    round_of_weapon,
    special_table,
)

from .counters import HALFTRACK, TANK, TRUCK

HULL_REAR = Struck(Hit.HULL)
TURRET_REAR = Struck(Hit.TURRET)
CALM = Exposure()

AP = """
4: MG | 5: 12.7 15 ATR | 6: 20L ATR:russian ATR:finnish ATR:japanese ATR:axis_minor ATR:allied_minor
7: 20LL 25LL 37* | 8: 37 47* 57* 70* | 9: 37L 40 57 65* 76* | 10: 40L 45L 47 75* | 11: 37LL 45LL 47L 50 88*:australian
12: 76 84* 75*:japanese | 13: 50L 75:Grant 76L:russian 76L:japanese 88:british 120* | 14: 75 105 | 15: 57L 57LL
16: 76LL:russian 76LL:japanese | 17: 75L 76L 80L 83L 85L 150* 152* | 19: 77L 200L | 20: 88L 90L:italian
21: 90L 105L 150 152 155 | 23: 75LL 76LL | 25: 122L | 27: 88LL 100L 120L | 28: 150L 155L | 32: 140L | 33: 128L 170L
"""
SPECIAL = """
10: 37L-APCR | 12: 28LL-APCR 45L-APCR | 13: 45LL-APCR 47L-APCR | 14: 40LL-APCR 50-APCR 76L:russian-APCR | 17: 50L-APCR
18: 57LL-APCR 57L-APDS 76LL:russian-APCR | 19: 85L-APCR | 20: 75L-APCR 76L-APCR | 22: 76L:american-APCR | 23: 88L-APCR
25: 76LL-APDS | 27: 90L-APCR
"""


def listed(text: str) -> dict[str, int]:
    parts = (part.split(":", 1) for line in text.split("\n") for part in line.split("|") if part.strip())
    return {gun.replace("-", " ").replace(":", " "): int(number) for number, guns in parts for gun in guns.split()}


@pytest.mark.parametrize(("table", "column", "text"), [(ap_table, "AP", AP), (special_table, "TK", SPECIAL)])
def test_basic_numbers(table, column, text):
    found = {row: value for (row, _), value in table().cells.items()}
    assert found == listed(text)
    assert {name for _, name in table().cells} == {column}


@pytest.mark.parametrize(
    ("shot", "number"),
    [
        (Round(Ammunition.AP, 45, "L"), 10),
        (Round(Ammunition.AP, 76, "L", Nation.RUSSIAN), 13),
        (Round(Ammunition.AP, 76, "L", Nation.AMERICAN), 17),
        (Round(Ammunition.AP, 75, "*", Nation.JAPANESE), 12),
        (Round(Ammunition.APCR, 76, "L", Nation.AMERICAN), 22),
        (Round(Ammunition.APCR, 76, "L", Nation.GERMAN), 20),
        (Round(Ammunition.APDS, 57, "L", Nation.BRITISH), 18),
        (Round(Ammunition.MG, weapon="MG"), 4),
        (Round(Ammunition.MG, weapon="12.7"), 5),
        (Round(Ammunition.AP, weapon="ATR", nation=Nation.RUSSIAN), 6),
        (Round(Ammunition.AP, weapon="ATR", nation=Nation.GERMAN), 5),
        (Round(Ammunition.HEAT, 75, "*"), 13),
        (Round(Ammunition.HEAT, 105), 15),
        (Round(Ammunition.HEAT, 37), 26),
        (Round(Ammunition.HEAT, weapon="PF"), 31),
        (Round(Ammunition.HEAT, weapon="PFk"), 22),
        (Round(Ammunition.HEAT, weapon="PSK"), 26),
        (Round(Ammunition.HEAT, weapon="BAZ43"), 13),
        (Round(Ammunition.HEAT, weapon="BAZ44"), 16),
        (Round(Ammunition.HEAT, weapon="BAZ45"), 16),
        (Round(Ammunition.HEAT, weapon="PIAT"), 15),
        (Round(Ammunition.FT), 8),
        (Round(Ammunition.MOL), 6),
        (Round(Ammunition.DC), 16),
        (Round(Ammunition.AP, basic=99), 99),
    ],
)
def test_basic_tk(shot, number):
    assert basic_tk(shot).value == number


@pytest.mark.parametrize(
    ("caliber", "number"),
    {
        57: 11,
        65: 11,
        94: 11,
        70: 12,
        75: 13,
        76: 13,
        100: 14,
        105: 15,
        114: 15,
        95: 16,
        122: 17,
        150: 21,
        37: 26,
        40: 26,
        47: 26,
    }.items(),
)
def test_heat(caliber, number):
    assert basic_tk(Round(Ammunition.HEAT, caliber)).value == number


HE = {
    20: (3, 6),
    30: (4, 8),
    40: (5, 9),
    50: (6, 10),
    70: (7, 12),
    80: (8, 14),
    100: (10, 16),
    120: (12, 18),
    150: (16, 20),
}


@pytest.mark.parametrize("caliber", HE)
def test_he(caliber):
    armored, unarmored = HE[caliber]
    assert basic_tk(Round(Ammunition.HE, caliber)).value == armored
    assert final_tk(Round(Ammunition.HE, caliber), TRUCK, HULL_REAR, CALM).total == unarmored
    below = basic_tk(Round(Ammunition.HE, caliber - 1))
    assert below is None or below.value < armored


def test_no_such_round():
    assert basic_tk(Round(Ammunition.AP, 81, "*")) is None
    assert basic_tk(Round(Ammunition.HEAT, 81)) is None
    assert basic_tk(Round(Ammunition.APCR, 75, "*")) is None
    assert final_tk(Round(Ammunition.AP, 81, "*"), TANK, HULL_REAR, CALM) is None
    assert final_tk(Round(Ammunition.HE, 15), TRUCK, HULL_REAR, CALM) is None


@pytest.mark.parametrize(
    ("ammunition", "caliber", "drm"),
    [
        (Ammunition.MG, 0, 2),
        (Ammunition.AP, 0, 2),
        (Ammunition.AP, 25, 2),
        (Ammunition.AP, 37, 1),
        (Ammunition.AP, 57, 1),
        (Ammunition.AP, 65, 1),
        (Ammunition.AP, 88, 1),
        (Ammunition.APCR, 37, 3),
        (Ammunition.APDS, 57, 1),
        (Ammunition.HEAT, 75, 0),
        (Ammunition.HE, 75, 0),
        (Ammunition.FT, 0, 0),
        (Ammunition.DC, 0, 0),
    ],
)
def test_range_modifier(ammunition, caliber, drm):
    assert range_modifier(Round(ammunition, caliber)) == drm
    assert range_modifier(Round(ammunition, caliber, at_range=True)) == 0


THIN = replace(TANK, armor=Armor(1, 1, 1, 1, 1))
OPEN = replace(HALFTRACK, armor=Armor(1, 1, 1, 1, 1))
ANTI_TANK = Round(Ammunition.AP, 45, "L")
MOL, FT = Round(Ammunition.MOL), Round(Ammunition.FT)
SIDE = Struck(Hit.HULL, Facing.SIDE)
CRITICAL = Struck(Hit.CRITICAL)


@pytest.mark.parametrize(
    ("shot", "vehicle", "struck", "exposure", "total"),
    [
        (ANTI_TANK, TANK, TURRET_REAR, CALM, 8),  # OVR Prevention example
        (Round(Ammunition.MG, weapon="MG"), THIN, HULL_REAR, CALM, 6),  # rulebook: LMG against a rear AF of 1
        (MOL, OPEN, SIDE, CALM, 8),  # rulebook: MOL against an open-topped halftrack
        (MOL, OPEN, HULL_REAR, CALM, 9),
        (MOL, TANK, SIDE, CALM, 6),
        (MOL, TANK, SIDE, Exposure(ce=True), 7),
        (MOL, TANK, SIDE, Exposure(moving=True), 4),
        (MOL, OPEN, SIDE, Exposure(ce=True), 8),
        (FT, TANK, HULL_REAR, CALM, 9),
        (FT, TANK, SIDE, Exposure(ce=True, moving=True), 9),
        (FT, OPEN, SIDE, CALM, 10),
        (Round(Ammunition.HEAT, weapon="PF"), TANK, HULL_REAR, CALM, 29),
        (Round(Ammunition.HEAT, weapon="PF"), TANK, CRITICAL, CALM, 60),
        (ANTI_TANK, TANK, CRITICAL, CALM, 19),
        (ANTI_TANK, TANK, Struck(Hit.HULL, Facing.FRONT), CALM, 5),
        (ANTI_TANK, TANK, Struck(Hit.TURRET, Facing.FRONT), CALM, 7),
        (ANTI_TANK, TANK, SIDE, CALM, 8),
        (ANTI_TANK, TANK, Struck(Hit.TURRET, Facing.SIDE, underbelly=True), CALM, 9),
        (Round(Ammunition.HE, 75), TANK, HULL_REAR, CALM, 5),
        (Round(Ammunition.DC), TANK, SIDE, CALM, 13),
        (ANTI_TANK, TRUCK, HULL_REAR, CALM, 8),
        (Round(Ammunition.AP, weapon="ATR"), TRUCK, HULL_REAR, CALM, 7),
        (Round(Ammunition.AP, 20, "L"), TRUCK, HULL_REAR, CALM, 7),
        (Round(Ammunition.AP, 75), TRUCK, HULL_REAR, CALM, 9),
        (Round(Ammunition.AP, 88, "L"), TRUCK, HULL_REAR, CALM, 10),
        (Round(Ammunition.AP, 105), TRUCK, HULL_REAR, CALM, 11),
        (Round(Ammunition.HEAT, weapon="PF"), TRUCK, HULL_REAR, CALM, 11),
        (Round(Ammunition.HEAT, weapon="PF"), TRUCK, CRITICAL, CALM, 22),
        (MOL, TRUCK, HULL_REAR, CALM, 7),
        (MOL, TRUCK, SIDE, Exposure(moving=True), 4),
    ],
)
def test_final_tk(shot, vehicle, struck, exposure, total):
    assert final_tk(shot, vehicle, struck, exposure).total == total


def test_small_arms_use_the_vehicle_line():
    assert final_tk(Round(Ammunition.MG, weapon="MG"), TRUCK, HULL_REAR, CALM) is None
    assert final_tk(Round(Ammunition.AP, 15), TRUCK, HULL_REAR, CALM) is None


def test_armor_by_location():
    armor = Armor(6, 3, 2, 8, 4)
    found = {
        (hit, facing): armor_factor(armor, Struck(hit, facing)).value
        for hit in (Hit.HULL, Hit.TURRET)
        for facing in Facing
    }
    assert found == {
        (Hit.HULL, Facing.FRONT): -6,
        (Hit.HULL, Facing.SIDE): -3,
        (Hit.HULL, Facing.REAR): -2,
        (Hit.TURRET, Facing.FRONT): -8,
        (Hit.TURRET, Facing.SIDE): -4,
        (Hit.TURRET, Facing.REAR): -4,
    }


def test_aerial_af():
    worst = {0: 0, 1: 0, 2: 1, 3: 2, 4: 3, 6: 3, 8: 4, 11: 4}
    for af, aerial in worst.items():
        cell = aerial_table().at("aerial", af)
        assert cell.value == aerial
        assert cell.verified == (af == 3)
    line = armor_factor(Armor(14, 8, 3, 14, 8), Struck(Hit.TURRET, underbelly=True))
    assert (line.value, line.verified) == (-2, True)


@pytest.mark.parametrize(
    ("tk", "ammunition", "struck", "fates"),
    [
        (
            8,
            Ammunition.AP,
            HULL_REAR,
            {4: "burning", 5: "eliminated", 7: "eliminated", 8: "immobilized", 9: "shock_check", 10: "none"},
        ),
        (8, Ammunition.AP, TURRET_REAR, {8: "shock", 9: "shock_check"}),
        (8, Ammunition.HE, HULL_REAR, {8: "immobilized", 9: "immobilized", 10: "none"}),
        (8, Ammunition.HE, TURRET_REAR, {9: "shock"}),
        (7, Ammunition.AP, HULL_REAR, {3: "burning", 4: "eliminated"}),
        (6, Ammunition.MG, HULL_REAR, {3: "burning", 5: "eliminated", 6: "stun", 8: "none"}),
        (6, Ammunition.MG, TURRET_REAR, {6: "stun"}),
        (6, Ammunition.MOL, HULL_REAR, {5: "burning", 6: "eliminated", 7: "none"}),
        (9, Ammunition.FT, HULL_REAR, {8: "burning", 9: "eliminated", 10: "none"}),
        (30, Ammunition.HEAT, HULL_REAR, {11: "burning", 12: "none"}),
        (12, Ammunition.AP, HULL_REAR, {12: "none", 11: "eliminated"}),
        (13, Ammunition.MOL, HULL_REAR, {12: "burning"}),
        (8, Ammunition.AP, Struck(Hit.TURRET, underbelly=True), {8: "immobilized"}),
    ],
)
def test_destruction(tk, ammunition, struck, fates):
    assert {dr: on_afv(tk, dr, ammunition, struck) for dr in fates} == {dr: OnAFV(fate) for dr, fate in fates.items()}


def test_red_cs_burns_more_easily():
    assert on_afv(8, 5, Ammunition.AP, HULL_REAR, burns_easily=True) is OnAFV.BURNING
    assert on_afv(8, 6, Ammunition.AP, HULL_REAR, burns_easily=True) is OnAFV.ELIMINATED


def test_unarmored():
    assert [on_unarmored(9, dr) for dr in (4, 5, 8, 9, 10)] == [
        "burning",
        "eliminated",
        "eliminated",
        "immobilized",
        "none",
    ]
    assert on_unarmored(22, 12) == "none"


def test_crew_survival():
    crew = replace(TANK, cs=5)
    assert survives(5, crew, shaken=False)
    assert not survives(6, crew, shaken=False)
    assert survives(4, crew, shaken=True)
    assert not survives(5, crew, shaken=True)


def test_crew_ml():
    levels = {nation: crew_ml(replace(TANK, nation=nation)).value for nation in Nation}
    eight = {
        Nation.GERMAN,
        Nation.RUSSIAN,
        Nation.BRITISH,
        Nation.FRENCH,
        Nation.FINNISH,
        Nation.ALLIED_MINOR,
        Nation.JAPANESE,
        Nation.USMC,
    }
    seven = {Nation.AMERICAN, Nation.ITALIAN, Nation.AXIS_MINOR, Nation.CHINESE_GMD}
    assert {nation for nation, level in levels.items() if level == 8} == eight
    assert all(levels[nation] == 7 for nation in seven)
    assert not crew_ml(replace(TANK, nation=Nation.PARTISAN)).verified
    assert crew_ml(TANK).verified
    assert crew_ml(TRUCK).value == 7
    assert crew_ml(replace(TRUCK, nation=Nation.AMERICAN)).value == 6
    assert crew_ml(replace(TRUCK, nation=Nation.FINNISH)).value == 8


@pytest.mark.parametrize(
    ("shot", "fp"),
    [
        (Round(Ammunition.AP, 25, "LL"), 1),
        (Round(Ammunition.AP, 37), 2),
        (Round(Ammunition.APCR, 76, "L"), 2),
        (Round(Ammunition.HEAT, weapon="BAZ44"), 8),
        (Round(Ammunition.HEAT, weapon="PIAT"), 8),
        (Round(Ammunition.HEAT, weapon="PSK"), 12),
        (Round(Ammunition.HEAT, weapon="PFk"), 12),
        (Round(Ammunition.HEAT, weapon="PF"), 16),
        (Round(Ammunition.HE, 20), 1),
        (Round(Ammunition.HE, 75), 12),
        (Round(Ammunition.HEAT, 75), 8),
        (Round(Ammunition.HE, 105), 20),
        (Round(Ammunition.HEAT, 105), 16),
    ],
)
def test_collateral(shot, fp):
    assert collateral_fp(shot).value == fp


def test_no_collateral():
    assert collateral_fp(MOL) is None
    assert collateral_fp(Round(Ammunition.HE, 15)) is None
    assert collateral_fp(Round(Ammunition.HEAT, 20)) is None


@pytest.mark.parametrize(
    ("placement", "drm"),
    [
        (Placement(thrown=False, facing=Facing.SIDE), 0),
        (Placement(), 1),
        (Placement(from_conveyance=True), 2),
        (Placement(facing=Facing.FRONT), 3),
        (Placement(facing=Facing.SIDE), 2),
        (Placement(moving=True, facing=Facing.SIDE), 4),
        (Placement(ce=True, facing=Facing.SIDE), 3),
        (Placement(cx=True, facing=Facing.SIDE), 3),
        (Placement(immobile=True, facing=Facing.SIDE), 0),
        (Placement(open_topped=True, facing=Facing.SIDE), 0),
        (Placement(bypass=True, facing=Facing.SIDE), 0),
    ],
)
def test_dc_position_drm(placement, drm):
    assert position_drm(placement).total == drm


def test_dc_position():
    assert [position(dr) for dr in (5, 6, 8, 9, 11, 12)] == [
        "aerial",
        "hull",
        "hull",
        "collateral",
        "collateral",
        "none",
    ]


def test_rounds_of_counters():
    gun = Gun("g", "45L", Nation.RUSSIAN, "AT", 45, "L")
    assert round_of_gun(gun, Ammunition.AP) == Round(Ammunition.AP, 45, "L", Nation.RUSSIAN)
    assert round_of_gun(replace(gun, caliber=28, length="LL"), Ammunition.AP).ammunition is Ammunition.APCR
    assert round_of_gun(replace(gun, caliber=40, length="LL"), Ammunition.AP).ammunition is Ammunition.APCR
    assert round_of_gun(replace(gun, length="LL"), Ammunition.AP).ammunition is Ammunition.AP

    def sw(kind: WeaponKind, name: str = "", **values: int) -> Round:
        return round_of_weapon(Weapon("w", name or kind.value, Nation.GERMAN, kind, **values))

    assert basic_tk(sw(WeaponKind.PF)).value == 31
    assert basic_tk(sw(WeaponKind.BAZ, "BAZ43")).value == 13
    assert basic_tk(sw(WeaponKind.ATR)).value == 5
    assert basic_tk(sw(WeaponKind.ATR, to_kill=6)).value == 6
    assert basic_tk(sw(WeaponKind.MMG)).value == 4
    assert basic_tk(sw(WeaponKind.HMG, "HMG .50 cal", caliber=12)).value == 5
    assert basic_tk(sw(WeaponKind.MOL_PROJECTOR)).value == 6
    assert basic_tk(sw(WeaponKind.DC)).value == 16
    assert basic_tk(sw(WeaponKind.FT)).value == 8
    assert basic_tk(sw(WeaponKind.INF, caliber=37)).value == 8
    assert sw(WeaponKind.RCL, caliber=75).ammunition is Ammunition.HEAT
    assert basic_tk(sw(WeaponKind.RCL, caliber=75)).value == 13
    assert basic_tk(sw(WeaponKind.MTR, caliber=50)) is None
    assert basic_tk(round_of_gun(replace(gun, kind="MTR", caliber=120, length="*"), Ammunition.AP)) is None
