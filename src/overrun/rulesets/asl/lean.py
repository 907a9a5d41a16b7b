"""What later steps read of one unit: its counters are dead once it will not attack again.

Options are named and merged by this too, so that full and live states offer the same ones. Everything here reads a unit
and the `Moment` alone, so it is worked out once for all states that share them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from overrun.kernel import Hashed, changed, hashed
from overrun.rulesets.asl import counters
from overrun.rulesets.asl.counters import UnitKind, WeaponKind
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.hits import bare
from overrun.rulesets.asl.presence import exposure, sw_left
from overrun.rulesets.asl.setup import Fired, Setup
from overrun.rulesets.asl.state import Arm, GunPiece, State, Unit

REMEMBERED = 1 << 15
"""How many answers about a unit in a moment are kept."""


@hashed
@dataclass(frozen=True, slots=True)
class Moment(Hashed):
    """What decides beside the unit itself whether it can attack the vehicle, now or later.

    `most` limits the attacks of one unit, `pf`: the side has inherent LATW shots left, `soft`: there is something that
    small arms can hurt, `carries`: there are Passengers or Riders, `returns`: the vehicle may still leave and come back
    for another OVR of this MPh.
    """

    setup: Setup
    stage: Stage
    most: int
    pf: bool
    soft: bool
    carries: bool
    returns: bool

    def printed(self, unit: Unit) -> counters.Unit:
        """The counter of a unit."""
        return self.setup.printed[unit.printed]


def moment(s: State) -> Moment:
    """The moment of a state."""
    soft = not s.setup.vehicle.armored or exposure(s).anybody
    return _moment(s.setup, s.stage, max(1, s.spent), bool(s.pf), soft, bool(s.vehicle.prc), may_return(s))


_moment = lru_cache(REMEMBERED)(Moment)
"""Equal moments are one, so that their hash is worked out once."""


def may_return(s: State) -> bool:
    """May the vehicle still leave and come back for another OVR of this MPh?"""
    declared = 1 if s.fp else 0
    return s.setup.overruns > 1 and s.overruns - s.given.prior_overruns + declared < s.setup.overruns


def tracked(setup: Setup) -> bool:
    """Is the vehicle a fully-tracked AFV, which may run over weapons if it stays?"""
    return setup.vehicle.armored and setup.vehicle.fully_tracked


@lru_cache(REMEMBERED)
def lean_unit(m: Moment, unit: Unit) -> Unit | None:
    """What the steps from here on read of a unit; None when they read nothing."""
    if m.returns:
        return unit
    if m.stage is Stage.AFTER:
        return reactor(m, unit)
    if m.stage is Stage.BEFORE and finished(m, unit):
        return without_tags(m.setup, unit)
    return unit


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
        return piece
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
    if m.stage is Stage.AFTER and (unit.failed or unit.shots >= m.most):
        return True
    if m.stage is Stage.AFTER and unit.cc and unit.pinned:
        return True
    barred_from_cc = unit.pinned and (unit.fired is not Fired.FINAL or m.stage is Stage.AFTER) and not _gun_final(unit)
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
            return Unit(unit.printed, unit.morale, failed=True, traits=unit.traits, guns=guns)
        return Unit(unit.printed, unit.morale, failed=True, traits=unit.traits, guns=guns) if guns else None
    fires = m.soft and bool(m.printed(unit).fp)
    arms = tuple(sorted(kept for arm in unit.arms if (kept := _arm(m, unit, arm, fires=fires)) is not None))
    usable = not unit.cc and any(_usable(m, unit, arm) for arm in arms)
    attacks_in_cc = unit.owes or not unit.pinned
    return changed(
        unit,
        arms=arms,
        cc=unit.cc and (fires or bool(unit.guns) or (m.printed(unit).leader and m.soft)),
        uses=unit.uses if (fires or usable) and not unit.cc else 0,
        paatc=unit.paatc and attacks_in_cc and m.setup.vehicle.armored,
    )


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
