"""What an attack leaves behind: counters on firers and their weapons, and the vehicle as it was hit (A8, A9, D5)."""

from __future__ import annotations

from collections.abc import Mapping

from overrun.kernel import changed
from overrun.rulesets.asl.close_combat import counter_after
from overrun.rulesets.asl.counters import UnitKind, WeaponKind
from overrun.rulesets.asl.damage import OnAFV
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import gun_counter_after
from overrun.rulesets.asl.figures import LATE, machine_guns, own_mode
from overrun.rulesets.asl.hits import after_check
from overrun.rulesets.asl.ift import OnVehicle
from overrun.rulesets.asl.setup import Concealment, Fired, Setup
from overrun.rulesets.asl.state import Act, Arm, Crew, GunPiece, Hull, Unit, Vehicle

Tally = Mapping[str, int]


def shown_by_firing(unit: Unit) -> tuple[Unit, Tally]:
    """A unit that attacks loses its concealment."""
    if unit.known:
        return unit, {}
    return changed(unit, seen=Concealment.KNOWN), {"revealed": 1}


def merged_morale(old: Unit, now: Unit | None) -> Unit | None:
    """A firer with what an attack did to it, and everything else as it was; None when it was eliminated."""
    after = after_check(old, now)
    if after is None or now is None:
        return None
    return changed(after, paatc=old.paatc or now.paatc, failed=old.failed or now.failed)


# ------------------------------------------------------------------ IFT


def after_ift(setup: Setup, unit: Unit, *, cowered: bool, malfunction: bool) -> Unit:
    """A unit and its MG after an IFT attack: First Fire, after SFF Final Fire; cowering makes it Final at once."""
    used = machine_guns(setup, unit)
    late = own_mode(unit) in LATE
    mark = Fired.FINAL if late or cowered else Fired.FIRST
    arms = []
    for arm in unit.arms:
        if arm in used:
            arms.append(changed(arm, fired=mark, malfunctioned=arm.malfunctioned or malfunction))
        else:
            arms.append(arm)
    return changed(unit, fired=mark, arms=tuple(sorted(arms)), shots=unit.shots + 1, owes=False)


def after_directing(leader: Unit) -> Unit:
    """A leader who directed an attack is marked as the units are."""
    mark = Fired.FIRST if leader.fired is Fired.UNMARKED else Fired.FINAL
    return changed(leader, fired=mark, shots=leader.shots + 1, owes=False)


# ------------------------------------------------------------------ SW and Guns


def after_weapon(setup: Setup, unit: Unit, act: Act, *, found: bool, again: bool, malfunction: bool) -> Unit:
    """A unit after a shot with a SW: the SW is marked unless it kept its ROF, and the unit when it can fire no more."""
    piece = act.piece
    assert isinstance(piece, Arm)
    weapon = setup.weapons[piece.printed]
    arms = list(unit.arms)
    arms.remove(piece)
    if not found:
        arms.append(changed(piece, fired=Fired.NO_FIRE))
        return changed(unit, arms=tuple(sorted(arms)))
    used_up = weapon.kind is WeaponKind.DC or (malfunction and (weapon.x_number or weapon.kind is WeaponKind.FT))
    if weapon.inherent:
        arms.append(piece)
    elif not used_up:
        mark = Fired.UNMARKED if again else Fired.FIRST
        arms.append(changed(piece, fired=mark, malfunctioned=piece.malfunctioned or malfunction))
    after = changed(unit, arms=tuple(sorted(arms)), shots=unit.shots + 1, owes=False)
    if again:
        return after
    after = changed(after, uses=unit.uses + 1)
    full = setup.printed[unit.printed].kind is not UnitKind.SQUAD or after.uses >= 2
    return changed(after, fired=Fired.FIRST) if full and unit.fired is Fired.UNMARKED else after


def after_gun(stage: Stage, unit: Unit, piece: GunPiece, *, again: bool, malfunction: bool) -> Unit:
    """A crew after a shot with its Gun: the CA has turned, the Gun is marked unless it kept its ROF."""
    fired = gun_counter_after(stage, piece.fired, kept_rate=again)
    gun = changed(
        piece, fired=fired, malfunctioned=piece.malfunctioned or malfunction, ca_turns=0, ca_fixed=False, acquired=0
    )
    mark = Fired.FIRST if fired is not Fired.UNMARKED and unit.fired is Fired.UNMARKED else unit.fired
    return changed(unit, guns=(gun,), fired=mark, shots=unit.shots + 1, owes=False)


# ------------------------------------------------------------------ CC


def after_close(setup: Setup, unit: Unit, *, survives: bool) -> Unit:
    """A unit after CC Reaction Fire: it and all its SW and Guns are marked, with CC if the vehicle survives (D7.21)."""
    arms = tuple(sorted(_arm_after_close(setup, arm) for arm in unit.arms))
    guns = tuple(changed(gun, fired=_gun_after_close(gun.fired)) for gun in unit.guns)
    return changed(
        unit,
        fired=counter_after(unit.fired),
        arms=arms,
        guns=guns,
        shots=unit.shots + 1,
        cc=unit.cc or survives,
        owes=False,
    )


def _arm_after_close(setup: Setup, arm: Arm) -> Arm:
    return arm if setup.weapons[arm.printed].inherent else changed(arm, fired=counter_after(arm.fired))


def _gun_after_close(fired: Fired) -> Fired:
    return fired if fired in {Fired.INTENSIVE, Fired.NO_FIRE} else counter_after(fired)


# ------------------------------------------------------------------ the vehicle


def hit(vehicle: Vehicle, fate: OnAFV, *, abandons: bool = False) -> tuple[Vehicle, Tally]:
    """The vehicle after a shot, and what that counts; Shock and Stun were counted when they were rolled."""
    match fate:
        case OnAFV.BURNING:
            return changed(vehicle, hull=Hull.BURNING), {"vehicle_eliminated": 1, "vehicle_burning": 1}
        case OnAFV.ELIMINATED:
            return changed(vehicle, hull=Hull.ELIMINATED), {"vehicle_eliminated": 1}
        case OnAFV.IMMOBILIZED:
            tally: dict[str, int] = {} if vehicle.hull is Hull.IMMOBILIZED else {"vehicle_immobilized": 1}
            crew = Crew.GONE if abandons else vehicle.crew
            if abandons:
                tally |= {"vehicle_abandoned": 1, "crew_survived": 1}
            return changed(vehicle, hull=Hull.IMMOBILIZED, crew=crew), tally
        case OnAFV.SHOCK:
            return changed(vehicle, crew=Crew.SHOCKED), {}
        case OnAFV.STUN:
            return changed(vehicle, crew=Crew.STUNNED), {}
        case _:
            return vehicle, {}


LOST = frozenset({OnAFV.ELIMINATED, OnAFV.BURNING})
CLOSE_FATE = {
    "missed": OnAFV.NONE,
    "no_attack": OnAFV.NONE,
    "immobilized": OnAFV.IMMOBILIZED,
    "eliminated": OnAFV.ELIMINATED,
    "burning": OnAFV.BURNING,
}
FIRE_FATE = {
    OnVehicle.NONE: OnAFV.NONE,
    OnVehicle.IMMOBILIZED: OnAFV.IMMOBILIZED,
    OnVehicle.ELIMINATED: OnAFV.ELIMINATED,
    OnVehicle.BURNING: OnAFV.BURNING,
}
