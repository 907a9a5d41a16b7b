"""What a To Kill DR does to a vehicle, its crew and its PRC, and where a DC comes to lie (C7.7, C7.346, D5, D.8)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from overrun.kernel import Ledger, Modifier, Op, Table
from overrun.kernel.table import load
from overrun.rulesets.asl.close_combat import band
from overrun.rulesets.asl.counters import Nation, Vehicle
from overrun.rulesets.asl.ift import OnVehicle, column_left, he_columns
from overrun.rulesets.asl.setup import asl
from overrun.rulesets.asl.to_hit import Facing
from overrun.rulesets.asl.to_kill import BURNERS, PACKAGE, SMALLEST_HE, Ammunition, Round, Struck, look_up


@cache
def collateral_table() -> Table[int]:
    """FP of a Specific Collateral Attack by what hit."""
    return load(PACKAGE, "collateral", int)


class OnAFV(StrEnum):
    """What a To Kill DR does to an AFV."""

    NONE = "none"
    SHOCK_CHECK = "shock_check"
    """Possible Shock: the crew takes a NTC and is Shocked if it fails."""
    STUN = "stun"
    SHOCK = "shock"
    IMMOBILIZED = "immobilized"
    ELIMINATED = "eliminated"
    BURNING = "burning"


def on_afv(tk: int, original: int, ammunition: Ammunition, struck: Struck, *, burns_easily: bool = False) -> OnAFV:
    """The AFV destruction table for an Original TK DR (C7.7). `burns_easily`: a red CS# (-1 to the burn test).

    At most half the TK# burns, below it eliminates, equal immobilizes (hull), shocks (turret) or stuns (MG); one above
    it is as equal for HE and a possible Shock for the rest. FT and MOL burn below their TK#. 12 is a Dud.
    """
    if ammunition in BURNERS:
        return OnAFV.BURNING if original < tk else OnAFV.ELIMINATED if original == tk else OnAFV.NONE
    if original == 12 or original > tk + 1:
        return OnAFV.NONE
    if original < tk:
        return OnAFV.BURNING if 2 * (original - burns_easily) <= tk else OnAFV.ELIMINATED
    if original == tk + 1 and ammunition is not Ammunition.HE:
        return OnAFV.SHOCK_CHECK
    if ammunition is Ammunition.MG:
        return OnAFV.STUN
    return OnAFV.SHOCK if struck.turret else OnAFV.IMMOBILIZED


def on_unarmored(tk: int, original: int) -> OnVehicle:
    """An unarmored vehicle on an Original TK DR: below it eliminated, equal immobilized, half burning; 12 is a Dud."""
    return OnVehicle.NONE if original == 12 else band(tk, original)


def survives(dr: int, vehicle: Vehicle, *, shaken: bool) -> bool:
    """Does the crew survive its vehicle's elimination: DR at most CS#, +1 if shocked, stunned or broken (D5.6)?"""
    return dr + shaken <= vehicle.cs


ELITE_ML = {
    Nation.GERMAN: 8,
    Nation.RUSSIAN: 8,
    Nation.BRITISH: 8,
    Nation.FRENCH: 8,
    Nation.FINNISH: 8,
    Nation.ALLIED_MINOR: 8,
    Nation.JAPANESE: 8,
    Nation.USMC: 8,
    Nation.AMERICAN: 7,
    Nation.ITALIAN: 7,
    Nation.AXIS_MINOR: 7,
    Nation.CHINESE_GMD: 7,
}
FIRST_LINE_ML = {Nation.AMERICAN: 6, Nation.FINNISH: 8}


def crew_ml(vehicle: Vehicle) -> Modifier:
    """A crew's ML (D5.1): the nation's best elite MMC, or best 1st Line MMC for an unarmored vehicle's crew."""
    if vehicle.armored:
        known = vehicle.nation in ELITE_ML
        return Modifier(ELITE_ML.get(vehicle.nation, 7), "crew ML", asl("D5.1"), Op.IS, verified=known)
    return Modifier(
        FIRST_LINE_ML.get(vehicle.nation, 7), "crew ML, unarmored vehicle", asl("D5.1"), Op.IS, verified=False
    )


def crew_level(vehicle: Vehicle, ml: int) -> Ledger:
    """The ML of a crew as its checks show it; as doubtful as `crew_ml` is, unless the file says another one."""
    own = crew_ml(vehicle)
    line = Modifier(ml, "crew Morale Level", asl("D5.1"), Op.IS, verified=own.verified or ml != own.value)
    return Ledger("crew ML", (line,))


DC_FP = 30
"""The counter's FP; how much of it collateral effects use could not be read."""


def collateral_fp(shot: Round) -> Modifier | None:
    """FP of the Specific Collateral Attack on Vulnerable PRC when a hit does not destroy the vehicle (D.8A)."""
    match shot.ammunition:
        case Ammunition.HEAT if shot.weapon:
            return look_up(collateral_table(), "FP", "BAZ" if shot.weapon.startswith("BAZ") else shot.weapon)
        case Ammunition.HE | Ammunition.HEAT if shot.caliber >= SMALLEST_HE:
            cell = he_columns().at("FP", shot.caliber)
            if shot.ammunition is Ammunition.HE:
                return cell.line(cell.value)
            left = column_left(cell.value)
            return None if left is None else Modifier(left, "one column left of its HE", asl("D.8"), Op.IS)
        case Ammunition.AP | Ammunition.APCR | Ammunition.APDS:
            return look_up(collateral_table(), "FP", "AP large" if shot.caliber >= 37 else "AP small")
        case Ammunition.DC:
            return Modifier(DC_FP, "FP of a DC", asl("C7.346"), Op.IS, verified=False)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Placement:
    """What bears on the Position DR of a DC against the vehicle (C7.346).

    `thrown` from the Location, or `from_conveyance` that moves; `facing` is the hull facing it reaches, if it matters.
    """

    moving: bool = False
    thrown: bool = True
    from_conveyance: bool = False
    facing: Facing = Facing.REAR
    ce: bool = False
    cx: bool = False
    immobile: bool = False
    open_topped: bool = False
    bypass: bool = False


class Position(StrEnum):
    """Where a DC comes to lie."""

    AERIAL = "aerial"
    HULL = "hull"
    COLLATERAL = "collateral"
    NONE = "none"


def position_drm(placement: Placement) -> Ledger:
    """DRM of the Position DR (C7.346)."""
    rule = asl("C7.346")
    lines = (
        (placement.moving, 2, "Non-Stopped or in Motion"),
        (placement.thrown, 3 if placement.from_conveyance else 2, "Thrown"),
        (placement.facing is Facing.FRONT, 1, "hull front"),
        (placement.facing is Facing.REAR, -1, "hull rear"),
        (placement.ce, 1, "CE"),
        (placement.cx, 1, "CX"),
        (placement.immobile, -2, "Immobile"),
        (placement.open_topped, -2, "open-topped"),
        (placement.bypass, -2, "in Bypass of the hex"),
    )
    applied = (Modifier(value, reason, rule, verified=False) for applies, value, reason in lines if applies)
    return Ledger("Position DRM", tuple(applied))


def position(final: int) -> Position:
    """Where the DC lies: up to 5 Aerial AF, to 8 hull AF, to 11 collateral against PRC only, from 12 on nothing."""
    if final <= 5:
        return Position.AERIAL
    if final <= 8:
        return Position.HULL
    return Position.COLLATERAL if final <= 11 else Position.NONE
