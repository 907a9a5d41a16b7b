"""To Hit against a vehicle in the firer's own hex, and the vehicle's own Bounding First Fire (C3-C6, D3.2, D2.42)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache

from overrun.kernel import Ledger, Modifier, Number, Op, Table
from overrun.kernel.table import Cell, load
from overrun.rulesets.asl.counters import Size, Turret, Vehicle, Weapon, WeaponKind
from overrun.rulesets.asl.setup import Approach, Entrenchment, Hexside, Location, Way, asl

PACKAGE = "overrun.rulesets.asl.data"
SIZE_DRM = {Size.VERY_LARGE: -2, Size.LARGE: -1, Size.AVERAGE: 0, Size.SMALL: 1, Size.VERY_SMALL: 2}
PSK_OTHER = (10, 9, 8, 7)


@cache
def to_hit_table() -> Table[int]:
    """To Hit numbers by target type, color and range."""
    return load(PACKAGE, "to_hit", int)


@cache
def case_a_table() -> Table[int]:
    """DRM of each hexspine that a mount turns."""
    return load(PACKAGE, "case_a", int)


def gun_number(distance: int = 0, *, captured: bool = False) -> Cell[int]:
    """TH# of a Gun, or of a SW that uses the ordnance table, against a vehicle; a captured one uses the red number."""
    return to_hit_table().at("vehicle red" if captured else "vehicle black", distance)


def weapon_number(weapon: Weapon, distance: int, rulings: Mapping[str, str]) -> Modifier | None:
    """TH# of a SW at a range in hexes, None when it cannot reach; its own numbers or the ordnance table's."""
    if weapon.kind is WeaponKind.PSK and rulings["psk_table"] == "ten":
        numbers: tuple[int, ...] = PSK_OTHER
    else:
        numbers = weapon.to_hit
    if not numbers:
        cell = gun_number(distance)
        return cell.line(cell.value)
    if distance >= len(numbers):
        return None
    return Modifier(numbers[distance], f"{weapon.name} at range {distance}", asl("C13"), Op.IS, weapon.verified)


@dataclass(frozen=True, slots=True)
class Shot:
    """One DEFENDER shot at the vehicle in its hex.

    `sw`: a support weapon, exempt from Cases A, E and F. `mount` and `ca_turns` are a Gun's mount and the hexspines
    that its CA turns. `compounding`: the firer is in woods, building or rubble. `reaction`: Reaction Fire, to which A
    and E do not apply. `mp_in_los` is what the vehicle has spent in the firer's LOS, `moving` that it is Non-Stopped or
    in Motion. `tem` and `smoke` are the target's. `backblast`: a backblast weapon fired from a building or rubble.
    `underbelly`: it is made while the vehicle shows its underbelly, to which Case E does not apply (D4.3).
    """

    size: Size = Size.AVERAGE
    sw: bool = False
    mount: Turret = Turret.NT
    ca_turns: int = 0
    compounding: bool = False
    reaction: bool = False
    intensive: bool = False
    captured: bool = False
    pinned: bool = False
    moving: bool = True
    mp_in_los: Fraction = Fraction(4)
    tem: int = 0
    smoke: int = 0
    acquired: int = 0
    leadership: int = 0
    cx: bool = False
    encircled: bool = False
    backblast: bool = False
    underbelly: bool = False


def case_a(mount: Turret, turns: int, *, compounding: bool) -> int:
    """DRM of turning the CA by `turns` hexspines: the first is dearest; doubled in woods, building, rubble (C5.1)."""
    kind = mount.value if mount in {Turret.T, Turret.ST, Turret.NT} else Turret.ST.value
    each = (case_a_table().at(kind, min(turn, 3)).value for turn in range(1, turns + 1))
    return sum(each) * (2 if compounding else 1)


def case_j(*, moving: bool, mp_in_los: Number) -> Modifier | None:
    """DRM against a moving vehicle: +2, +3 if it spent at most 3 MP in LOS, +4 if at most 1 (C6.1-C6.12)."""
    if not moving:
        return None
    if mp_in_los <= 1:
        return Modifier(4, "Case J2, at most 1 MP in LOS", asl("C6.12"))
    if mp_in_los <= 3:
        return Modifier(3, "Case J1, at most 3 MP in LOS", asl("C6.11"))
    return Modifier(2, "Case J, moving", asl("C6.1"))


def shot_drm(shot: Shot) -> Ledger:
    """To Hit DRM of a shot at the vehicle in the firer's hex (C5, C6); a same-hex shot has no Case J3, J4, L or M."""
    return Ledger("TH DRM", (*firer_lines(shot), *_target_lines(shot)))


def firer_lines(shot: Shot) -> Iterator[Modifier]:
    """The firer-based DRM, which a Gun Duel compares too (C5)."""
    times = 2 if shot.compounding else 1
    if not shot.sw and not shot.reaction:
        if turned := case_a(shot.mount, shot.ca_turns, compounding=shot.compounding):
            yield Modifier(turned, f"Case A, CA turned by {shot.ca_turns}", asl("C5.1"))
        if not shot.underbelly:
            yield Modifier(2 * times, "Case E, same hex", asl("C5.5"))
    if shot.backblast:
        yield Modifier(2, "Case C3, backblast in building or rubble", asl("C13.8"))
    if shot.pinned:
        yield Modifier(2, "Case D, pinned", asl("C5.4"))
    if shot.intensive and not shot.sw:
        yield Modifier(2, "Case F, Intensive Fire", asl("C5.6"))
    if shot.captured:
        yield Modifier(2, "Case H, captured", asl("C5.8"))
    if shot.cx:
        yield Modifier(1, "CX", asl("A4.51"))
    if shot.encircled:
        yield Modifier(1, "encircled", asl("A7.7"))
    if shot.leadership:
        yield Modifier(shot.leadership, "leadership", asl("C13"))


def acquisition(shot: Shot) -> Iterator[Modifier]:
    """The DRM of an acquired target, which a Gun Duel compares too (C6.5)."""
    if shot.acquired:
        yield Modifier(shot.acquired, "Case N, acquired", asl("C6.5"))


def _target_lines(shot: Shot) -> Iterator[Modifier]:
    if (line := case_j(moving=shot.moving, mp_in_los=shot.mp_in_los)) is not None:
        yield line
    yield from acquisition(shot)
    if size := SIZE_DRM[shot.size]:
        yield Modifier(size, f"Case P, {shot.size.value.replace('_', ' ')} target", asl("C6.7"))
    if shot.tem:
        yield Modifier(shot.tem, "Case Q, TEM", asl("C6.8"))
    if shot.smoke:
        yield Modifier(shot.smoke, "Case R, SMOKE", asl("C6.9"))


class Hit(StrEnum):
    """How a To Hit DR ends."""

    MISS = "miss"
    HULL = "hull"
    TURRET = "turret"
    CRITICAL = "critical"
    """A Critical Hit, in the firer's hex a rear hull hit with twice the basic TK#."""
    CRITICAL_CHECK = "critical_check"
    """Only an Original 2 can hit: a dr of 1 makes it critical, else it is a hull hit (C3.7)."""
    IMPROBABLE = "improbable"
    """Nothing can hit: a dr of 1 is critical, 2 turret, 3 hull, else a miss (C3.6)."""


def read_hit(number: int, drm: int, colored: int, white: int, *, machine_gun: bool = False) -> Hit:
    """The result of a To Hit DR: colored die below the white one is a turret hit (C3.9). A MG has no Critical Hits."""
    original = colored + white
    if original == 2 and 2 + drm > number:
        return Hit.IMPROBABLE
    if original + drm > number:
        return Hit.MISS
    if original == 2 and not machine_gun:
        return Hit.CRITICAL if 3 + drm <= number else Hit.CRITICAL_CHECK
    return Hit.TURRET if colored < white else Hit.HULL


def critical_check(dr: int) -> Hit:
    """The dr after an Original 2 that alone could hit (C3.7)."""
    return Hit.CRITICAL if dr == 1 else Hit.HULL


def improbable(dr: int, *, machine_gun: bool = False) -> Hit:
    """The dr of an Improbable Hit (C3.6); a MG's can be no Critical Hit, so it hits the hull."""
    if dr == 1:
        return Hit.HULL if machine_gun else Hit.CRITICAL
    return {2: Hit.TURRET, 3: Hit.HULL}.get(dr, Hit.MISS)


class Facing(StrEnum):
    """Target facing."""

    FRONT = "front"
    SIDE = "side"
    REAR = "rear"


def facing_in_hex(colored: int) -> Facing:
    """Target facing of a shot from within the hex by the colored To Hit die (D3.2).

    >>> [str(facing_in_hex(die)) for die in range(1, 7)]
    ['rear', 'rear', 'side', 'side', 'front', 'front']
    """
    if colored <= 2:
        return Facing.REAR
    return Facing.SIDE if colored <= 4 else Facing.FRONT


def refuse_underbelly(
    vehicle: Vehicle, location: Location, approach: Approach, rulings: Mapping[str, str]
) -> str | None:
    """Why this entry shows no underbelly (D4.3, F8.51), in one clause, or None when a turret hit can strike it."""
    if not vehicle.armored:
        return "only an AFV has an underbelly"
    sangar = location.entrenchment is Entrenchment.SANGAR and vehicle.fully_tracked
    if sangar and rulings["sangar_underbelly"] == "yes":
        return None
    if approach.hexside_breach:
        return "it crosses by a road or breach"
    exposing = {Hexside.WALL, Hexside.BOCAGE, Hexside.DUNE_CREST, Hexside.OUT_OF_DEPRESSION}
    return None if approach.hexside in exposing else "it crosses no wall, bocage or Dune Crest and leaves no Depression"


@dataclass(frozen=True, slots=True)
class Bounding:
    """The vehicle's ordnance in Bounding First Fire: `mount`, stabilizer, MP in LOS of the target, and hindrances.

    `in_hex`: the target is in its own hex. `rough`: it fires from woods, building or rubble. `non_stopped`: Case C4.
    `bypass_turns`: hexspines that the turret turns while in Bypass, where Case A applies.
    """

    mount: Turret
    stabilized: bool = False
    passenger: bool = False
    in_hex: bool = True
    rough: bool = False
    non_stopped: bool = False
    mp_in_los: Fraction = Fraction(4)
    buttoned_up: bool = False
    bypass_turns: int = 0
    same_target: bool = False
    """The acquired target of a stabilized Gun, or the last target of CMG or IFE: no Case A in Bypass (D2.321)."""


def bounding_drm(fire: Bounding) -> Ledger:
    """To Hit DRM of ordnance Bounding First Fire: Cases B and C, C1 or C2, C4, E, I, and A from Bypass (C5.3-C5.35)."""
    return Ledger("BFF TH DRM", tuple(_bounding_lines(fire)))


def _bounding_lines(fire: Bounding) -> Iterator[Modifier]:
    yield Modifier(3 if fire.rough else 2, "Case B", asl("C5.2"))
    if fire.passenger or fire.mount is Turret.NT:
        yield Modifier(3, "Case C, NT or Passenger", asl("C5.3"))
    elif fire.stabilized:
        yield Modifier(1, "Case C, stabilized", asl("C5.3"))
    else:
        yield Modifier(2, "Case C, turret", asl("C5.3"))
    if fire.mp_in_los <= 2:
        yield Modifier(2, "Case C2, at most 2 MP in LOS", asl("C5.32"))
    elif fire.mp_in_los <= 3:
        yield Modifier(1, "Case C1, at most 3 MP in LOS", asl("C5.31"))
    if fire.non_stopped and fire.stabilized:
        yield Modifier(1, "Case C4, stabilized", asl("C5.35"))
    if fire.in_hex:
        yield Modifier(4 if fire.rough else 2, "Case E, same hex", asl("C5.5"))
    if fire.buttoned_up:
        yield Modifier(1, "Case I, BU", asl("C5.9"))
    if fire.bypass_turns and not fire.same_target:
        turned = case_a(fire.mount, fire.bypass_turns, compounding=fire.rough)
        yield Modifier(turned, f"Case A from Bypass, turned by {fire.bypass_turns}", asl("D2.321"))


def bounding_dr(fire: Bounding, colored: int, white: int) -> int:
    """The DR as Case C4 counts it: a Non-Stopped firer that is not stabilized doubles the lower die (C5.35)."""
    doubled = fire.non_stopped and not fire.stabilized
    return colored + white + (min(colored, white) if doubled else 0)


def refuse_bypass_fire(vehicle: Vehicle, way: Way, *, points_to_side: bool) -> str | None:
    """Why an armament may not Bounding First Fire from Bypass (D2.32), in one clause, or None."""
    if way is not Way.BYPASS:
        return None
    if vehicle.turret in {Turret.NT, Turret.NONE}:
        return "only turreted weapons fire from Bypass"
    return None if points_to_side else "in Bypass the turret must point to its side Target Facing"


class Duel(StrEnum):
    """Who fires first in a Gun Duel (C2.2401)."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    BY_FINAL_DR = "by_final_dr"
    """Equal DRM: the lower Final TH DR fires first, equal ones fire at once."""


def gun_duel(attacker: int, defender: int) -> Duel:
    """Who fires first by the total firer-based and Acquisition DRM of both; Case C4's doubling does not count."""
    if attacker < defender:
        return Duel.ATTACKER
    return Duel.BY_FINAL_DR if attacker == defender else Duel.DEFENDER


def refuse_gun_duel(*, overrunning: bool, concealed: bool, reaction: bool, ca_change: bool) -> str | None:
    """Why the ATTACKER may declare no Gun Duel (C2.2401), in one clause, or None."""
    bars = (
        (overrunning, "an overrunning vehicle may not declare one"),
        (concealed, "the firer is concealed"),
        (reaction, "it is Reaction Fire"),
        (ca_change, "the vehicle would have to change its CA"),
    )
    return next((why for applies, why in bars if applies), None)
