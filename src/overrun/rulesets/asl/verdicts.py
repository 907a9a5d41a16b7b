"""What one defending unit alone may do to the vehicle in a moment, or why not: the tables and what stands beside."""

from __future__ import annotations

from functools import lru_cache

from overrun.kernel import Refusal
from overrun.rulesets.asl.counters import UnitKind, WeaponKind
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import (
    Allowed,
    Crewed,
    Firer,
    Piece,
    Seen,
    Verdict,
    cc_option,
    gun_option,
    ift_option,
    sw_option,
)
from overrun.rulesets.asl.moment import REMEMBERED, Moment
from overrun.rulesets.asl.presence import sw_left
from overrun.rulesets.asl.setup import Fired, Way, asl
from overrun.rulesets.asl.state import Arm, GunPiece, Trait, Unit


def seen(m: Moment) -> Seen:
    """The vehicle as the defensive fire tables ask about it."""
    armored = m.setup.vehicle.armored
    return Seen(m.stage, armored, m.carries, m.soft, in_bypass=m.setup.approach.way is Way.BYPASS)


def firer(m: Moment, unit: Unit) -> Firer:
    """A unit as the defensive fire tables ask about it."""
    return Firer(
        m.printed(unit),
        unit.fired,
        next((gun.fired for gun in unit.guns), Fired.UNMARKED),
        unit.pinned,
        unit.broken,
        melee=unit.has(Trait.MELEE),
        cc_marked=unit.cc,
        sw_left=sw_left(m.setup, unit),
    )


def spent_out(m: Moment, unit: Unit, option: str) -> Refusal | None:
    """The refusal for a unit that failed its PAATC, or attacked as often as the vehicle has spent MP here (A8.1)."""
    if unit.failed and m.stage is Stage.AFTER and not unit.owes:
        return Refusal(option, "It failed its PAATC against this vehicle, so it may not Reaction Fire.", asl("D7.21"))
    if unit.shots < m.most:
        return None
    times = "once" if m.most == 1 else f"{m.most} times"
    return Refusal(option, f"It has attacked {times}, once for each MP that the vehicle spent here.", asl("A8.1"))


def able(m: Moment, unit: Unit) -> bool:
    """Is it a unit that can attack at all?"""
    return not unit.broken and m.printed(unit).kind is not UnitKind.DUMMY


def _spent_too(m: Moment, unit: Unit, verdict: Verdict, option: str) -> Verdict:
    if isinstance(verdict, Refusal):
        return verdict
    return spent_out(m, unit, option) or verdict


def gun_verdict(m: Moment, unit: Unit, gun: GunPiece, option: str) -> Verdict:
    """May the crew fire its Gun now, and how?"""
    printed = m.setup.guns[gun.printed]
    crewed = Crewed(
        gun.fired,
        gun.malfunctioned,
        gun.limbered,
        printed.no_intensive_fire,
        gun.ca_turns,
        gun.vca_turns,
        gun.ca_fixed,
    )
    verdict = gun_option(option, firer(m, unit), crewed, seen(m), m.setup.rulings)
    if isinstance(verdict, Allowed) and unit.fired is not Fired.UNMARKED and gun.fired is Fired.UNMARKED:
        verdict = Refusal(option, "Its crew has used its own firepower instead.", asl("A7.35"))
    return _spent_too(m, unit, verdict, option)


def sw_verdict(m: Moment, unit: Unit, arm: Arm, option: str) -> Verdict:
    """May the unit use this SW now, and how?"""
    weapon = m.setup.weapons[arm.printed]
    piece = Piece(weapon, arm.fired, arm.malfunctioned)
    verdict = sw_option(option, firer(m, unit), piece, seen(m), m.setup.rulings)
    if isinstance(verdict, Refusal):
        return verdict
    if weapon.inherent and weapon.kind is not WeaponKind.MOL and not m.pf:
        return Refusal(option, "The side has used all its PF shots.", asl("C13.31"))
    if not sw_left(m.setup, unit) and unit.fired is not Fired.FINAL:
        return Refusal(option, "The unit can fire no more SW as First Fire.", asl("A7.35"))
    return _spent_too(m, unit, verdict, option)


def ift_verdict(m: Moment, unit: Unit, option: str) -> Verdict:
    """May the unit fire its small arms and MG on the IFT now, and how?"""
    verdict = _spent_too(m, unit, ift_option(option, firer(m, unit), seen(m), m.setup.rulings), option)
    if isinstance(verdict, Allowed) and unit.fired is Fired.UNMARKED and unit.uses >= 2:
        return Refusal(option, "It has fired two SW and has no inherent FP left.", asl("A7.35"))
    return verdict


def cc_verdict(m: Moment, unit: Unit, option: str) -> Verdict:
    """May the unit attack in CC now?"""
    verdict = _spent_too(m, unit, cc_option(option, firer(m, unit), seen(m), m.setup.rulings), option)
    if isinstance(verdict, Allowed) and unit.pinned and not unit.owes:
        return Refusal(option, "It is pinned and has no mandatory Reaction Fire left to make.", asl("D7.212"))
    return verdict


def directs(m: Moment, unit: Unit) -> bool:
    """May a leader direct fire now: Good Order, and not yet marked Final Fire?"""
    return (
        m.printed(unit).leader
        and unit.good
        and unit.fired in {Fired.UNMARKED, Fired.FIRST}
        and not unit.uses
        and unit.shots < m.most
        and not unit.cc
    )


@lru_cache(REMEMBERED)
def attacks(m: Moment, unit: Unit) -> bool:
    """Can the unit attack in any way now, or direct an attack?"""
    if m.quiet and m.stage is Stage.AFTER and not unit.owes:
        return False
    return (
        isinstance(cc_verdict(m, unit, ""), Allowed)
        or isinstance(ift_verdict(m, unit, ""), Allowed)
        or any(isinstance(gun_verdict(m, unit, gun, ""), Allowed) for gun in unit.guns)
        or any(isinstance(sw_verdict(m, unit, arm, ""), Allowed) for arm in unit.arms)
        or (m.soft and directs(m, unit))
    )
