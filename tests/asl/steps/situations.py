"""Small situations written out in Python: the counters that the fact sheet's examples use."""

from __future__ import annotations

from overrun.rulesets.asl.counters import (
    Armor,
    Gun,
    MAKind,
    Movement,
    Nation,
    Size,
    Turret,
    Unit,
    UnitClass,
    UnitKind,
    Vehicle,
    Weapon,
    WeaponKind,
)
from overrun.rulesets.asl.rulings import RULINGS
from overrun.rulesets.asl.setup import (
    Approach,
    Location,
    Opening,
    Setup,
    UnitOpening,
    VehicleOpening,
)
from overrun.rulesets.asl.state import State, opened

G, R = Nation.GERMAN, Nation.RUSSIAN


def mmc(
    key: str, nation: Nation, kind: UnitKind, quality: UnitClass, factors: tuple[int, int, int, int], **more
) -> Unit:
    fp, reach, ml, broken = factors
    return Unit(key, key, nation, kind, quality, fp, reach, ml, broken, **more)


PRINTED = {
    unit.key: unit
    for unit in (
        mmc("4-6-7", G, UnitKind.SQUAD, UnitClass.FIRST_LINE, (4, 6, 7, 7), reduces_to="2-4-7", replaced_by="4-4-7G"),
        mmc("2-4-7", G, UnitKind.HALF_SQUAD, UnitClass.FIRST_LINE, (2, 4, 7, 7), replaced_by="2-3-7G"),
        mmc("4-4-7G", G, UnitKind.SQUAD, UnitClass.SECOND_LINE, (4, 4, 7, 7), reduces_to="2-3-7G"),
        mmc("2-3-7G", G, UnitKind.HALF_SQUAD, UnitClass.SECOND_LINE, (2, 3, 7, 7)),
        mmc("4-4-7", R, UnitKind.SQUAD, UnitClass.FIRST_LINE, (4, 4, 7, 7), reduces_to="2-3-7", replaced_by="4-2-6"),
        mmc("2-3-7", R, UnitKind.HALF_SQUAD, UnitClass.FIRST_LINE, (2, 3, 7, 7), replaced_by="2-2-6"),
        mmc("4-2-6", R, UnitKind.SQUAD, UnitClass.CONSCRIPT, (4, 2, 6, 5), reduces_to="2-2-6"),
        mmc("2-2-6", R, UnitKind.HALF_SQUAD, UnitClass.CONSCRIPT, (2, 2, 6, 5)),
        mmc("6-2-8", R, UnitKind.SQUAD, UnitClass.ELITE, (6, 2, 8, 8), reduces_to="3-2-8"),
        mmc("3-2-8", R, UnitKind.HALF_SQUAD, UnitClass.ELITE, (3, 2, 8, 8)),
        mmc("2-2-8", G, UnitKind.CREW, UnitClass.CREW, (2, 2, 8, 8)),
        mmc("8-1", G, UnitKind.LEADER, UnitClass.SMC, (0, 0, 8, 8), leadership=-1),
        mmc("8-1R", R, UnitKind.LEADER, UnitClass.SMC, (0, 0, 8, 8), leadership=-1),
        mmc("1-4-9", Nation.ANY, UnitKind.HERO, UnitClass.SMC, (1, 4, 9, 9)),
        mmc("?", Nation.ANY, UnitKind.DUMMY, UnitClass.SMC, (0, 0, 7, 7)),
    )
}

PZ_IIIH = Vehicle(
    "pz_iiih",
    "PzKpfw IIIH",
    G,
    Movement.FULLY_TRACKED,
    13,
    Armor(6, 3, 3, 4, 4),
    turret=Turret.T,
    ma_kind=MAKind.GUN,
    ma_mount="turret",
    ma_caliber=50,
    rof=2,
    bmg=3,
    cmg=5,
    cs=6,
)
T34 = Vehicle(
    "t34",
    "T-34 M41",
    R,
    Movement.FULLY_TRACKED,
    17,
    Armor(11, 6, 6, 8, 8),
    turret=Turret.RST,
    ma_kind=MAKind.GUN,
    ma_mount="turret",
    ma_caliber=76,
    ma_length="L",
    bmg=2,
    cmg=4,
    cs=5,
)

TRUCK = Vehicle("truck", "GAZ-MM", R, Movement.TRUCK, 25, None, pp=21, cs=6)

WEAPONS = {
    weapon.key: weapon
    for weapon in (
        Weapon("mmg", "German MMG", G, WeaponKind.MMG, fp=5, range=12, rof=2, breakdown=12),
        Weapon("lmg", "German LMG", G, WeaponKind.LMG, fp=3, range=8, rof=1, breakdown=12),
        Weapon("pf", "PF", G, WeaponKind.PF, to_hit=(10, 8), to_kill=31, ift_fp=16),
    )
}


GUNS = {"at": Gun("at", "45mm PTP obr. 32", R, "AT", 45, "L", Turret.NT, Size.SMALL, rof=3, breakdown=12)}

HALFTRACK = Vehicle(
    "spw",
    "SPW 251/1",
    G,
    Movement.HALFTRACK,
    16,
    Armor(1, 1, 1, 1, 1),
    size=Size.SMALL,
    open_topped=True,
    turret=Turret.NT,
    ma_kind=MAKind.MG,
    ma_mount="AAMG",
    aamg=3,
    cs=5,
    pp=15,
)
BLITZ = Vehicle("blitz", "Opel 6700 Blitz", G, Movement.TRUCK, 28, None, cs=6, pp=21)


def setup(vehicle: Vehicle = PZ_IIIH, **changes) -> Setup:
    return Setup(
        vehicle,
        PRINTED,
        WEAPONS,
        GUNS if changes.pop("guns", False) else {},
        location=changes.pop("location", Location()),
        approach=changes.pop("approach", Approach()),
        vehicles={TRUCK.key: TRUCK, T34.key: T34},
        rulings=RULINGS.chosen(changes.pop("rulings", {})),
        **{"elr": 5, "heat_of_battle": False, **changes},
    )


def start(
    units: tuple[UnitOpening | str, ...], *, vehicle: Vehicle = PZ_IIIH, opening: dict | None = None, **changes
) -> State:
    defenders = tuple(UnitOpening(f"u{i}", unit) if isinstance(unit, str) else unit for i, unit in enumerate(units, 1))
    more = opening or {}
    it = VehicleOpening(**{"mp_left": vehicle.mp, **more.pop("vehicle", {})})
    return opened(setup(vehicle, **changes), Opening(it, defenders, **more))
