"""To Kill numbers at range 0: basic by weapon, armor by facing, and the final TK# (C7, D4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from overrun.kernel import Ledger, Modifier, Op, Table
from overrun.kernel.table import load
from overrun.rulesets.asl.counters import Armor, Gun, Nation, Vehicle, Weapon, WeaponKind
from overrun.rulesets.asl.setup import asl
from overrun.rulesets.asl.to_hit import Facing, Hit

PACKAGE = "overrun.rulesets.asl.data"


class Ammunition(StrEnum):
    """What strikes the vehicle."""

    AP = "AP"
    APCR = "APCR"
    APDS = "APDS"
    HEAT = "HEAT"
    HE = "HE"
    MG = "MG"
    FT = "FT"
    MOL = "MOL"
    DC = "DC"


BURNERS = frozenset({Ammunition.FT, Ammunition.MOL})
SHAPED = {WeaponKind.PF, WeaponKind.PFK, WeaponKind.PSK, WeaponKind.BAZ, WeaponKind.PIAT}
SMALLEST_HE = 20
HEAVY_MG = 12
"""Caliber that marks a .50 caliber (12.7 mm) MG."""
FLAME_BASE = {Ammunition.FT: 8, Ammunition.MOL: 6, Ammunition.DC: 16}


@cache
def ap_table() -> Table[int]:
    """Basic TK# of AP by gun, with a nation where its figure differs."""
    return load(PACKAGE, "tk_ap", int)


@cache
def special_table() -> Table[int]:
    """Basic TK# of APCR and APDS by gun."""
    return load(PACKAGE, "tk_special", int)


@cache
def heat_table() -> Table[int]:
    """Basic TK# of HEAT by caliber or weapon."""
    return load(PACKAGE, "tk_heat", int)


@cache
def he_table() -> Table[int]:
    """TK# of HE by caliber, basic against armor and final against unarmored vehicles."""
    return load(PACKAGE, "tk_he", int)


@cache
def unarmored_table() -> Table[int]:
    """Final TK# of AP against unarmored vehicles by caliber."""
    return load(PACKAGE, "tk_unarmored", int)


@cache
def aerial_table() -> Table[int]:
    """Aerial AF by the worst AF."""
    return load(PACKAGE, "aerial_af", int)


@dataclass(frozen=True, slots=True)
class Round:
    """One kind of round: its ammunition, caliber in mm and length code, and the nation and weapon that fire it."""

    ammunition: Ammunition
    caliber: int = 0
    length: str = ""
    nation: Nation = Nation.ANY
    weapon: str = ""
    """Name of a SW with a figure of its own ("PF", "BAZ44", "ATR", "MG", "12.7")."""
    basic: int = 0
    """A basic TK# as given, instead of the tables'."""
    verified: bool = True
    at_range: bool = False
    """`basic` is of a shot from afar, its range modifier included."""


def round_of_gun(gun: Gun, ammunition: Ammunition) -> Round:
    """The round that a Gun fires. 28LL and 40LL always use the APCR table; a mortar has no TK# by AP."""
    if ammunition is Ammunition.AP and gun.length == "LL" and gun.caliber in {28, 40}:
        ammunition = Ammunition.APCR
    mortar = "MTR" if gun.kind == "MTR" else ""
    return Round(ammunition, gun.caliber, gun.length, gun.nation, mortar, verified=gun.verified)


def round_of_weapon(weapon: Weapon) -> Round:
    """The round of a support weapon: HEAT for shaped charges, AP for ATR and ordnance, MG for a MG as ordnance."""
    kinds = {
        WeaponKind.FT: Ammunition.FT,
        WeaponKind.DC: Ammunition.DC,
        WeaponKind.MOL: Ammunition.MOL,
        WeaponKind.MOL_PROJECTOR: Ammunition.MOL,
    }
    kind = kinds.get(weapon.kind, Ammunition.HEAT if weapon.kind in SHAPED else Ammunition.AP)
    if weapon.machine_gun:
        kind = Ammunition.MG
    if weapon.kind is WeaponKind.RCL:
        kind = Ammunition.HEAT
    name = {WeaponKind.INF: "", WeaponKind.RCL: "", WeaponKind.ATR: "ATR"}.get(weapon.kind, weapon.name)
    if weapon.kind in {WeaponKind.PF, WeaponKind.PFK, WeaponKind.MTR}:
        name = weapon.kind.value
    if weapon.machine_gun:
        name = "12.7" if weapon.caliber == HEAVY_MG else "MG"
    return Round(kind, weapon.caliber, weapon.length, weapon.nation, name, weapon.to_kill, weapon.verified)


def basic_tk(shot: Round) -> Modifier | None:
    """Basic TK# against an AFV, None where the tables have none (a mortar, a gun without such a round)."""
    if shot.basic:
        return Modifier(shot.basic, f"basic TK# of {shot.weapon or shot.ammunition}", asl("C7.3"), Op.IS, shot.verified)
    if shot.ammunition in FLAME_BASE:
        return Modifier(FLAME_BASE[shot.ammunition], f"basic TK# of a {shot.ammunition}", asl("C7.34"), Op.IS)
    return _printed_tk(shot)


def _printed_tk(shot: Round) -> Modifier | None:
    gun, kind = f"{shot.caliber}{shot.length}", shot.ammunition.value
    match shot.ammunition:
        case Ammunition.HE:
            return _he("armored", shot.caliber)
        case Ammunition.HEAT:
            return look_up(heat_table(), "TK", shot.weapon or str(shot.caliber))
        case Ammunition.APCR | Ammunition.APDS:
            return look_up(special_table(), "TK", f"{gun} {shot.nation} {kind}", f"{gun} {kind}")
        case _:
            return look_up(ap_table(), "AP", f"{shot.weapon or gun} {shot.nation}", shot.weapon or gun)


def _he(target: str, caliber: int) -> Modifier | None:
    if caliber < SMALLEST_HE:
        return None
    cell = he_table().at(target, caliber)
    return cell.line(cell.value)


def look_up(table: Table[int], column: str, *keys: str) -> Modifier | None:
    """The first of `keys` that is a row of the table, as a ledger line; None when none is."""
    rows = {row.text for row in table.rows}
    key = next((key for key in keys if key in rows), None)
    if key is None:
        return None
    cell = table.at(key, column)
    return cell.line(cell.value)


def range_modifier(shot: Round) -> int:
    """TK modifier at range 0 or 1 (C7.22): AP by caliber, APCR +3, APDS +1, nothing for HEAT, HE, flame and DC."""
    if shot.at_range:
        return 0
    match shot.ammunition:
        case Ammunition.APCR:
            return 3
        case Ammunition.APDS:
            return 1
        case Ammunition.AP | Ammunition.MG:
            if shot.caliber <= 25:
                return 2
            return 1
        case _:
            return 0


@dataclass(frozen=True, slots=True)
class Struck:
    """Where a round strikes: `hit` location and target facing; `underbelly` replaces a turret hit (D4.3)."""

    hit: Hit
    facing: Facing = Facing.REAR
    underbelly: bool = False

    @property
    def critical(self) -> bool:
        """Is it a Critical Hit?"""
        return self.hit is Hit.CRITICAL

    @property
    def turret(self) -> bool:
        """Does it strike the turret?"""
        return self.hit is Hit.TURRET and not self.underbelly


def armor_factor(armor: Armor, struck: Struck) -> Modifier:
    """The AF that resists: by location and facing, or the Aerial AF of the worst AF for an underbelly hit."""
    if struck.underbelly:
        worst = min(armor.front, armor.side, armor.rear, armor.turret_front, armor.turret_rear)
        cell = aerial_table().at("aerial", worst)
        return Modifier(-cell.value, f"Aerial AF of worst AF {worst}", asl("D4.3"), verified=cell.verified)
    if struck.turret:
        factor = armor.turret_front if struck.facing is Facing.FRONT else armor.turret_rear
        return Modifier(-factor, f"turret {struck.facing} AF", asl("C7.12"))
    factor = {Facing.FRONT: armor.front, Facing.SIDE: armor.side, Facing.REAR: armor.rear}[struck.facing]
    return Modifier(-factor, f"hull {struck.facing} AF", asl("C7.12"))


@dataclass(frozen=True, slots=True)
class Exposure:
    """What of the vehicle's state a TK# asks: CE crew, and whether it is moving (MOL)."""

    ce: bool = False
    moving: bool = False


def final_tk(shot: Round, vehicle: Vehicle, struck: Struck, exposure: Exposure) -> Ledger | None:
    """The Final TK# at range 0, None when the round cannot harm the vehicle (or only on the IFT vehicle line).

    Against an AFV: basic, doubled by a Critical Hit, +1 from the rear, the range modifier, less the AF; armor does not
    resist FT and MOL. Against an unarmored vehicle the tables give the final number.
    """
    if vehicle.armor is None:
        return _unarmored_tk(shot, struck, exposure)
    basic = basic_tk(shot)
    if basic is None:
        return None
    lines = [basic]
    if struck.critical and shot.ammunition not in BURNERS:
        lines.append(Modifier(2, "Critical Hit", asl("C3.7"), Op.TIMES))
    if struck.facing is Facing.REAR and not struck.underbelly:
        lines.append(Modifier(1, "rear facing", asl("C7.21")))
    if modifier := range_modifier(shot):
        lines.append(Modifier(modifier, "range 0", asl("C7.22")))
    if shot.ammunition in BURNERS:
        lines.extend(_flame_lines(shot.ammunition, exposure, open_topped=vehicle.open_topped))
    else:
        lines.append(armor_factor(vehicle.armor, struck))
    return Ledger("TK#", tuple(lines))


def _flame_lines(ammunition: Ammunition, exposure: Exposure, *, open_topped: bool) -> Iterator[Modifier]:
    if open_topped:
        yield Modifier(2, "open-topped", asl("C7.34"))
    elif exposure.ce:
        yield Modifier(1, "CE crew", asl("C7.34"))
    if exposure.moving and ammunition is Ammunition.MOL:
        yield Modifier(-2, "moving target", asl("A22.6"))


def _unarmored_tk(shot: Round, struck: Struck, exposure: Exposure) -> Ledger | None:
    line: Modifier | None
    match shot.ammunition:
        case Ammunition.MG:
            return None
        case Ammunition.AP if 0 < shot.caliber <= 15:
            return None
        case Ammunition.HEAT:
            line = Modifier(11, "HEAT against an unarmored vehicle", asl("C7.33"), Op.IS)
        case Ammunition.HE:
            line = _he("unarmored", shot.caliber)
        case Ammunition.AP | Ammunition.APCR | Ammunition.APDS:
            cell = unarmored_table().at("AP", shot.caliber)
            line = cell.line(cell.value)
        case _:
            line = basic_tk(shot)
    if line is None:
        return None
    lines = [line]
    if shot.ammunition in BURNERS:
        if struck.facing is Facing.REAR:
            lines.append(Modifier(1, "rear facing", asl("C7.34")))
        lines.extend(_flame_lines(shot.ammunition, exposure, open_topped=False))
    elif struck.critical:
        lines.append(Modifier(2, "Critical Hit", asl("C3.7"), Op.TIMES))
    return Ledger("TK#", tuple(lines))
