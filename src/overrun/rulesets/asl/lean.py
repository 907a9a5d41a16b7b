"""What later steps read of one unit: its counters are dead once it will not attack again.

Options are named and merged by this too, so that full and live states offer the same ones.
"""

from __future__ import annotations

from overrun.kernel import changed
from overrun.rulesets.asl.counters import UnitKind, WeaponKind
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.hits import bare
from overrun.rulesets.asl.presence import exposure, sw_left
from overrun.rulesets.asl.setup import Fired
from overrun.rulesets.asl.state import Arm, State, Unit


def may_return(s: State) -> bool:
    """May the vehicle still leave and come back for another OVR of this MPh?"""
    declared = 1 if s.fp else 0
    return s.setup.overruns > 1 and s.overruns - s.given.prior_overruns + declared < s.setup.overruns


def lean_unit(s: State, unit: Unit) -> Unit | None:
    """What the steps from here on read of a unit; None when they read nothing."""
    if may_return(s):
        return unit
    if s.stage is Stage.AFTER:
        return reactor(s, unit)
    if s.stage is Stage.BEFORE and finished(s, unit):
        return without_tags(s, unit)
    return unit


def tracked(s: State) -> bool:
    """Is the vehicle a fully-tracked AFV, which may run over weapons if it stays?"""
    return s.setup.vehicle.armored and s.setup.vehicle.fully_tracked


def targets_for_ift(s: State) -> bool:
    """Is there anything that small arms can hurt?"""
    return not s.setup.vehicle.armored or exposure(s).anybody


def can_fire(s: State, unit: Unit) -> bool:
    """Can a unit still use small arms, a SW or a Gun at the vehicle, now or later in this entry?"""
    if unit.broken or s.printed(unit).kind is UnitKind.DUMMY:
        return False
    if targets_for_ift(s) and s.printed(unit).fp:
        return True
    return any(_usable(s, unit, arm) for arm in unit.arms) or any(
        not gun.malfunctioned and gun.fired is not Fired.NO_FIRE and not gun.limbered for gun in unit.guns
    )


def _usable(s: State, unit: Unit, arm: Arm) -> bool:
    weapon = s.setup.weapons[arm.printed]
    if arm.malfunctioned or arm.fired is not Fired.UNMARKED:
        return False
    if weapon.kind in {WeaponKind.PF, WeaponKind.PFK} and not s.pf:
        return False
    in_fpf = not weapon.inherent and s.setup.ruled("fpf_unmarked_sw") == "yes"
    return in_fpf or (unit.fired is not Fired.FINAL and sw_left(s, unit))


def idle(s: State, unit: Unit) -> bool:
    """Will a unit never attack the vehicle again in this entry?"""
    if unit.broken or s.printed(unit).kind is UnitKind.DUMMY:
        return True
    if unit.owes:
        return unit.shots >= max(1, s.spent)
    if s.stage is Stage.AFTER and (unit.failed or unit.shots >= max(1, s.spent)):
        return True
    if s.stage is Stage.AFTER and unit.cc and unit.pinned:
        return True
    barred_from_cc = unit.pinned and (unit.fired is not Fired.FINAL or s.stage is Stage.AFTER) and not _gun_final(unit)
    return barred_from_cc and not can_fire(s, unit)


def _gun_final(unit: Unit) -> bool:
    return any(gun.fired not in {Fired.UNMARKED, Fired.FIRST} for gun in unit.guns)


def finished(s: State, unit: Unit) -> bool:
    """Will a unit never attack the vehicle again, whatever the attack does to it? Heat of Battle may revive it."""
    return not s.setup.heat_of_battle and idle(s, unit)


def without_tags(s: State, unit: Unit) -> Unit:
    """A unit that will not attack again: the attack on it sees no counters, and no weapon of it may fire."""
    held = bare(unit)
    arms = tuple(
        sorted(changed(arm, fired=Fired.FIRST) for arm in held.arms if not s.setup.weapons[arm.printed].inherent)
    )
    return changed(held, arms=arms, guns=tuple(changed(gun, fired=Fired.NO_FIRE) for gun in held.guns))


def reactor(s: State, unit: Unit) -> Unit | None:
    """A unit in Reaction Fire: None when it can no longer attack, lead a PAATC or lose a Gun."""
    if idle(s, unit):
        guns = bare(unit).guns if tracked(s) else ()
        if unit.good and s.printed(unit).leader:
            return Unit(unit.printed, unit.morale, failed=True, traits=unit.traits, guns=guns)
        return Unit(unit.printed, unit.morale, failed=True, traits=unit.traits, guns=guns) if guns else None
    fires = targets_for_ift(s) and bool(s.printed(unit).fp)
    arms = tuple(sorted(kept for arm in unit.arms if (kept := _arm(s, unit, arm, fires=fires)) is not None))
    usable = not unit.cc and any(_usable(s, unit, arm) for arm in arms)
    attacks_in_cc = unit.owes or not unit.pinned
    return changed(
        unit,
        arms=arms,
        cc=unit.cc and (fires or bool(unit.guns) or (s.printed(unit).leader and targets_for_ift(s))),
        uses=unit.uses if (fires or usable) and not unit.cc else 0,
        paatc=unit.paatc and attacks_in_cc and s.setup.vehicle.armored,
    )


def _arm(s: State, unit: Unit, arm: Arm, *, fires: bool) -> Arm | None:
    """A weapon as far as it still matters: to fire, by its counter in CC, or because a tracked AFV may run over it."""
    inherent = s.setup.weapons[arm.printed].inherent
    if not unit.cc and (_usable(s, unit, arm) or (fires and not inherent)):
        return arm
    if inherent or not _matters(s, unit, arm):
        return None
    return changed(arm, fired=_as_carried(unit, arm))


def _as_carried(unit: Unit, arm: Arm) -> Fired:
    """A weapon that will not fire again: its counter matters to CC only while its unit carries none."""
    return Fired.FIRST if unit.marked or arm.fired is not Fired.UNMARKED else Fired.UNMARKED


def _matters(s: State, unit: Unit, arm: Arm) -> bool:
    """Does a weapon that will not fire again matter: by its counter, or because a tracked AFV may run over it?"""
    runs_over = tracked(s) and not s.setup.weapons[arm.printed].inherent
    inherent = s.setup.weapons[arm.printed].inherent
    return runs_over or (not inherent and not unit.marked and arm.fired is not Fired.UNMARKED)
