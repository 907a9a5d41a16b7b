"""Firepower of an overrun, exact to the fraction (D7.11, D6.72)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from overrun.kernel import Ledger, Modifier, Op
from overrun.rulesets.asl.counters import MAKind, Turret, Vehicle
from overrun.rulesets.asl.setup import Motion, asl

OVR_FP = asl("D7.11")
TPBF_BOUNDING = Fraction(3, 2)
"""Tripled for TPBF, halved for Bounding First Fire."""
MOUNTED = Fraction(1, 2)
"""Halved once more for Riders and for Passengers who fire mounted (D6.1)."""

ONE_MAN_TURRETS = frozenset({Turret.RST, Turret.ONE_MAN})


@dataclass(frozen=True, slots=True)
class Aboard:
    """A Passenger or Rider as the firepower counts it: `fp` is printed, `able` means unbroken, unshocked and not BU."""

    fp: int
    rider: bool = False
    able: bool = True
    sw_fp: int = 0


@dataclass(frozen=True, slots=True)
class Armament:
    """What a vehicle can bring to bear when it declares: its printed weapons and what hinders them.

    `disabled` names weapons that do not work, `outside_ca` those whose CA does not include the crossed hexside.
    `pinned` is an open-topped crew's Pin. `ft_alone` declines everything but FT FP.
    """

    vehicle: Vehicle
    ce: bool = False
    disabled: tuple[str, ...] = ()
    outside_ca: tuple[str, ...] = ()
    aboard: tuple[Aboard, ...] = ()
    pinned: bool = False
    ft_alone: bool = False


@dataclass(frozen=True, slots=True)
class Fires:
    """A weapon that adds FP (or makes the base 4): its name, FP and B# or X#."""

    name: str
    fp: int
    breakdown: int
    x_number: bool = False


def weapons(armament: Armament, rulings: Mapping[str, str]) -> tuple[Fires, ...]:
    """The vehicle's own weapons that take part: manned, functioning, and no rear MG (D7.11, D1.81-1.83).

    Closed-topped: BU leaves bow and coaxial MG, CE adds the AAMG. Open-topped: a BU crew has its bow weapons only. A
    RST or one-man turret is not manned while its crew is CE (ruling `ce_turret`).
    """
    if armament.ft_alone:
        return tuple(weapon for weapon in _usable(armament, rulings) if weapon.name == "FT")
    return tuple(_usable(armament, rulings))


def _usable(armament: Armament, rulings: Mapping[str, str]) -> Iterator[Fires]:
    vehicle = armament.vehicle
    lost = set(armament.disabled)
    if rulings["ovr_ca"] == "crossed_hexside":
        lost |= set(armament.outside_ca)
    if "MA" in lost:
        lost |= {vehicle.ma_mount, vehicle.ma_kind.value}
    turret_unmanned = armament.ce and vehicle.turret in ONE_MAN_TURRETS and rulings["ce_turret"] == "unusable"
    buttoned_open = vehicle.open_topped and not armament.ce
    unmanned = turret_unmanned or buttoned_open
    if vehicle.armored and vehicle.ma_kind is MAKind.GUN and "MA" not in lost and not unmanned:
        yield Fires("MA", 0, vehicle.breakdown, vehicle.x_number)
    if vehicle.ife and "IFE" not in lost and not unmanned:
        yield Fires("IFE", vehicle.ife, vehicle.breakdown, vehicle.x_number)
    in_bow = vehicle.ma_kind is not MAKind.FT or vehicle.ma_mount == "bow"
    if vehicle.ft and "FT" not in lost and (in_bow or not unmanned):
        yield Fires("FT", vehicle.ft, vehicle.breakdown, vehicle.x_number)
    manned = {
        "BMG": vehicle.bmg,
        "CMG": 0 if unmanned else vehicle.cmg,
        "AAMG": vehicle.aamg if armament.ce or not vehicle.armored else 0,
    }
    for name, fp in manned.items():
        if fp and name not in lost:
            number = vehicle.breakdown if vehicle.ma_mount == name else vehicle.mg_breakdown
            yield Fires(name, fp, number)


def base(armament: Armament, rulings: Mapping[str, str]) -> Modifier:
    """The base FP: 1, 2 or 4 (D7.11)."""
    vehicle = armament.vehicle
    if not vehicle.armored:
        if vehicle.bulldozer and rulings["bulldozer_base"] == "two":
            return Modifier(2, "unarmored bulldozer", OVR_FP, verified=False)
        return Modifier(1, "unarmored vehicle", OVR_FP)
    gun = any(weapon.name == "MA" for weapon in weapons(armament, rulings))
    if gun and vehicle.ma_smoke_only:
        four = rulings["smoke_only_base"] == "four"
        return Modifier(4 if four else 2, "AFV whose usable MA fires SMOKE only", OVR_FP, verified=False)
    if gun:
        return Modifier(4, "AFV with a usable MA that is a gun", OVR_FP)
    return Modifier(2, "AFV without a usable MA that is a gun", OVR_FP)


def overrun_fp(armament: Armament, rulings: Mapping[str, str]) -> Ledger:
    """The FP of an overrun before any halving, in FP; fractions are kept (A7.2).

    Base, FT FP, then 3/2 of MG and IFE FP and of CE armored-halftrack Passengers, 3/4 of the other riding units.
    """
    lines = [] if armament.ft_alone else [base(armament, rulings)]
    pinned = armament.pinned and armament.vehicle.open_topped and rulings["pinned_crew_ovr"] == "halve"
    share = Fraction(1, 2) if pinned else Fraction(1)
    for weapon in weapons(armament, rulings):
        fp: Fraction = weapon.fp * share if weapon.name == "FT" else weapon.fp * TPBF_BOUNDING * share
        why = weapon.name if weapon.name == "FT" else f"{weapon.name} {weapon.fp} × 3/2"
        if fp:
            lines.append(Modifier(fp, why + (", crew pinned" if pinned else ""), OVR_FP))
    if not armament.ft_alone:
        lines.extend(_aboard(armament, rulings))
    return Ledger("OVR FP", tuple(lines))


def _aboard(armament: Armament, rulings: Mapping[str, str]) -> Iterator[Modifier]:
    halftrack = armament.vehicle.armored_halftrack
    for unit in armament.aboard:
        fp = unit.fp + (unit.sw_fp if rulings["passenger_sw"] == "include" else 0)
        if not unit.able or not fp:
            continue
        if halftrack and not unit.rider:
            yield Modifier(fp * TPBF_BOUNDING, f"CE Passenger {fp} × 3/2", asl("D6.72"))
        else:
            what = "Rider" if unit.rider else "Passenger"
            yield Modifier(fp * TPBF_BOUNDING * MOUNTED, f"{what} {fp} × 3/4", asl("D6.1"))


def halved(fp: Ledger, *, immobile: bool, concealed: bool) -> Ledger:
    """The FP used on a target: halved when the vehicle was lost or became Immobile, and again against concealed units.

    Motion never halves an overrun (D7.11); `concealed` is for targets whose "?" stands (A12.13).
    """
    lines = []
    if immobile:
        lines.append(Modifier(Fraction(1, 2), "vehicle Immobile or lost before resolution", OVR_FP, Op.TIMES))
    if concealed:
        lines.append(Modifier(Fraction(1, 2), "concealed target", asl("A12.13"), Op.TIMES))
    return fp.with_lines(*lines)


def passengers_fire(armament: Armament) -> bool:
    """Does any Passenger or Rider add FP, so that a Passenger leader directs somebody (D7.16)?"""
    return not armament.ft_alone and any(unit.able and unit.fp for unit in armament.aboard)


def bounding_fp(fp: int, kind: str, motion: Motion, rulings: Mapping[str, str]) -> Ledger:
    """FP of a vehicle's Bounding First Fire inside the Location without an overrun (D3.31, D2.42, A7.21).

    `kind` is "MG" (MG, IFE and CE armored-halftrack Passengers), "mounted" (Riders and other Passengers) or "FT".
    """
    lines = [Modifier(fp, "printed FP", asl("D3.31"))]
    if kind != "FT":
        lines.append(Modifier(3, "TPBF", asl("A7.21"), Op.TIMES))
        lines.append(Modifier(Fraction(1, 2), "Bounding First Fire", asl("D3.31"), Op.TIMES))
    if kind == "mounted" and rulings["bff_mounted"] == "mounted_fire_halves":
        lines.append(Modifier(MOUNTED, "Mounted Fire", asl("D6.1"), Op.TIMES))
    if motion is not Motion.STOPPED:
        lines.append(Modifier(Fraction(1, 2), "Motion Fire", asl("D2.42"), Op.TIMES))
    return Ledger("BFF FP", tuple(lines))
