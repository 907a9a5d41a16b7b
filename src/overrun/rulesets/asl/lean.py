"""What later steps read of one unit: its counters are dead once it will not attack again.

Options are named and merged by this too, so that full and live states offer the same ones. Everything here reads a unit
and the `Moment` alone, so it is worked out once for all states that share them.
"""

from __future__ import annotations

from functools import lru_cache

from overrun.kernel import changed
from overrun.rulesets.asl.counters import UnitKind, WeaponKind
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.hits import bare
from overrun.rulesets.asl.moment import REMEMBERED, Moment, tracked
from overrun.rulesets.asl.presence import shots_left, sw_left
from overrun.rulesets.asl.setup import Fired, Setup
from overrun.rulesets.asl.state import Arm, GunPiece, Morale, Unit
from overrun.rulesets.asl.verdicts import attacks


@lru_cache(REMEMBERED)
def lean_unit(m: Moment, unit: Unit) -> Unit | None:
    """What the steps from here on read of a unit; None when they read nothing."""
    if m.returns:
        return unit
    if m.stage is Stage.AFTER:
        return reactor(m, unit)
    if m.stage is Stage.BEFORE:
        return without_tags(m.setup, unit) if finished(m, unit) else _waiting(m, unit)
    return unit


def _waiting(m: Moment, unit: Unit) -> Unit:
    """A unit before the OVR that may still attack: inherent weapons and the count of SW as far as they may fire."""
    if m.setup.heat_of_battle:
        return unit
    arms = tuple(sorted(_worn(m, unit, arm) for arm in unit.arms))
    return changed(unit, arms=arms, uses=_uses(m, unit, arms, fires=True))


def _worn(m: Moment, unit: Unit, arm: Arm) -> Arm:
    """A SW of a unit that may still attack; an inherent one is spent once it may not fire again."""
    spent = m.setup.weapons[arm.printed].inherent and not _usable(m, unit, arm)
    return changed(arm, fired=Fired.NO_FIRE) if spent else arm


@lru_cache(REMEMBERED)
def lean_piece(m: Moment, unit: Unit, piece: Arm | GunPiece) -> Arm | GunPiece:
    """What the steps from here on read of a weapon that a unit possesses; the weapon itself when they read nothing."""
    if m.returns or m.stage is Stage.NONE:
        return piece
    if m.stage is Stage.AFTER:
        if isinstance(piece, Arm):
            return _arm(m, unit, piece, fires=m.soft and bool(m.printed(unit).fp)) or piece
        return changed(piece, fired=Fired.UNMARKED) if idle(m, unit) else piece
    if not finished(m, unit):
        return _worn(m, unit, piece) if isinstance(piece, Arm) and not m.setup.heat_of_battle else piece
    return changed(piece, fired=Fired.FIRST if isinstance(piece, Arm) else Fired.NO_FIRE)


# ------------------------------------------------------------------ will it attack again?


def finished(m: Moment, unit: Unit) -> bool:
    """Will a unit never attack the vehicle again, whatever the attack does to it? Heat of Battle may revive it."""
    return not m.setup.heat_of_battle and idle(m, unit)


@lru_cache(REMEMBERED)
def idle(m: Moment, unit: Unit) -> bool:
    """Will a unit never attack the vehicle again in this entry?"""
    if unit.broken or m.printed(unit).kind is UnitKind.DUMMY:
        return True
    if unit.owes:
        return unit.shots >= m.most
    if m.stage is Stage.AFTER:
        # Only what it does itself still changes it, and the moment only takes options away.
        return not attacks(m, unit)
    barred_from_cc = unit.pinned and unit.fired is not Fired.FINAL and not _gun_final(unit)
    return barred_from_cc and not _can_fire(m, unit)


def _can_fire(m: Moment, unit: Unit) -> bool:
    """Can a unit still use small arms, a SW or a Gun at the vehicle, now or later in this entry?"""
    if m.soft and m.printed(unit).fp:
        return True
    return any(_usable(m, unit, arm) for arm in unit.arms) or any(
        not gun.malfunctioned and gun.fired is not Fired.NO_FIRE and not gun.limbered for gun in unit.guns
    )


def _usable(m: Moment, unit: Unit, arm: Arm) -> bool:
    weapon = m.setup.weapons[arm.printed]
    if arm.malfunctioned or arm.fired is not Fired.UNMARKED:
        return False
    if weapon.kind in {WeaponKind.PF, WeaponKind.PFK} and not m.pf:
        return False
    in_fpf = not weapon.inherent and m.setup.ruled("fpf_unmarked_sw") == "yes"
    return in_fpf or (unit.fired is not Fired.FINAL and sw_left(m.setup, unit))


@lru_cache(REMEMBERED)
def latw_left(m: Moment, unit: Unit) -> int:
    """How many inherent LATW shots a unit can still take."""
    able = not idle(m, unit) and any(
        m.setup.weapons[arm.printed].inherent and _usable(m, unit, arm) for arm in unit.arms
    )
    return shots_left(m.setup, unit) if able else 0


def _gun_final(unit: Unit) -> bool:
    return any(gun.fired not in {Fired.UNMARKED, Fired.FIRST} for gun in unit.guns)


# ------------------------------------------------------------------ what is left of it


@lru_cache(REMEMBERED)
def without_tags(setup: Setup, unit: Unit) -> Unit:
    """A unit that will not attack again: the attack on it sees no counters, and no weapon of it may fire."""
    held = bare(unit)
    arms = tuple(
        sorted(changed(arm, fired=Fired.FIRST) for arm in held.arms if not setup.weapons[arm.printed].inherent)
    )
    return changed(held, arms=arms, guns=tuple(changed(gun, fired=Fired.NO_FIRE) for gun in held.guns))


@lru_cache(REMEMBERED)
def reactor(m: Moment, unit: Unit) -> Unit | None:
    """A unit in Reaction Fire: None when it can no longer attack, lead a PAATC or lose a Gun."""
    if idle(m, unit):
        guns = bare(unit).guns if tracked(m.setup) else ()
        if unit.good and m.printed(unit).leader:
            return Unit(unit.printed, unit.morale, shots=m.most, failed=True, traits=unit.traits, guns=guns)
        return Unit(unit.printed, Morale.BROKEN, guns=guns) if guns else None
    fires = m.soft and bool(m.printed(unit).fp)
    arms = tuple(sorted(kept for arm in unit.arms if (kept := _arm(m, unit, arm, fires=fires)) is not None))
    usable = not unit.cc and any(_usable(m, unit, arm) for arm in arms)
    attacks_in_cc = unit.owes or not unit.pinned
    once = unit.owes and unit.pinned and not fires and not usable and not unit.guns
    return changed(
        unit,
        shots=m.most - 1 if once else unit.shots,
        arms=arms,
        cc=unit.cc and (fires or bool(unit.guns) or (m.printed(unit).leader and m.soft)),
        uses=0 if unit.cc else _uses(m, unit, arms, fires=fires),
        paatc=unit.paatc and attacks_in_cc and m.setup.vehicle.armored,
    )


def _uses(m: Moment, unit: Unit, arms: tuple[Arm, ...], *, fires: bool) -> int:
    """How many SW it has fired: that bars those that are left, and a leader from directing.

    Of any other unit it says only that no inherent FP is left beside two SW (A7.35).
    """
    if m.printed(unit).leader or any(arm.fired is Fired.UNMARKED and not arm.malfunctioned for arm in arms):
        return unit.uses
    return 2 if fires and unit.uses >= 2 and unit.fired is Fired.UNMARKED else 0


def _arm(m: Moment, unit: Unit, arm: Arm, *, fires: bool) -> Arm | None:
    """A weapon as far as it still matters: to fire, by its counter in CC, or because a tracked AFV may run over it."""
    inherent = m.setup.weapons[arm.printed].inherent
    if not unit.cc and (_usable(m, unit, arm) or (fires and not inherent)):
        return arm
    runs_over = tracked(m.setup) or (not unit.marked and arm.fired is not Fired.UNMARKED)
    if inherent or not runs_over:
        return None
    # A weapon that will not fire again: its counter matters to CC only while its unit carries none.
    marked = unit.marked or arm.fired is not Fired.UNMARKED
    return changed(arm, fired=Fired.FIRST if marked else Fired.UNMARKED)
