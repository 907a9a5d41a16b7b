"""Counters that the arithmetic tests share; every figure is the fact sheet's or chosen for the test."""

from dataclasses import replace

from overrun.rulesets.asl.counters import (
    Armor,
    MAKind,
    Movement,
    Nation,
    Turret,
    Unit,
    UnitClass,
    UnitKind,
    Vehicle,
)

THIN = Armor(1, 1, 1, 1, 1)
TANK = Vehicle(
    "tank",
    "PzKpfw IIIH",
    Nation.GERMAN,
    Movement.FULLY_TRACKED,
    13,
    Armor(6, 3, 3, 4, 4),
    turret=Turret.T,
    ma_kind=MAKind.GUN,
    ma_mount="turret",
    ma_caliber=50,
    bmg=3,
    cmg=5,
)
HALFTRACK = Vehicle(
    "ht",
    "SPW 251/1",
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
TRUCK = Vehicle("truck", "Opel 6700", Nation.GERMAN, Movement.TRUCK, 28, None, pp=21)
ARMORED_CAR = replace(TANK, movement=Movement.ARMORED_CAR, mp=33)


def unit(kind=UnitKind.SQUAD, unit_class=UnitClass.FIRST_LINE, nation=Nation.GERMAN, **values) -> Unit:
    return Unit("key", "unit", nation, kind, unit_class, 4, 6, **({"ml": 7, "broken_ml": 7} | values))
