"""Gun Duels (C2.2401): may the vehicle shoot first at a unit about to shoot at it, and does that unit still shoot?"""

from __future__ import annotations

from overrun.kernel import Ledger, Refusal, Returned, changed
from overrun.rulesets.asl.bounding import fires
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.figures import shot_of
from overrun.rulesets.asl.hits import Target, dressed
from overrun.rulesets.asl.overrun import merged_back
from overrun.rulesets.asl.setup import Way, asl
from overrun.rulesets.asl.shell import bounding_of
from overrun.rulesets.asl.state import Act, GunPiece, Means, State, Trait, Unit
from overrun.rulesets.asl.to_hit import (
    Duel,
    acquisition,
    bounding_drm,
    firer_lines,
    gun_duel,
    refuse_bypass_fire,
    refuse_gun_duel,
)

SHOTS = frozenset({Means.GUN, Means.LATW, Means.MG})
NOT_PINNED = frozenset({Means.MG, Means.FT, Means.MOL, Means.DC})


def possible(s: State) -> bool:
    """Is there a shot that the ATTACKER might answer with a duel: To Hit, no OVR, a Main Armament that can fire?"""
    act = s.act
    return act is not None and s.stage is Stage.NONE and act.means in SHOTS and "ma" not in s.bff and can_fire(s)


def can_fire(s: State) -> bool:
    """Is the Main Armament manned, and does it work?"""
    return s.vehicle.crew_fights and any(weapon.name == "MA" for weapon in fires(s))


def totals(s: State) -> tuple[Ledger, Ledger]:
    """The firer-based and Acquisition DRM of the vehicle and of the unit; Case C4, doubled or +1, does not count."""
    act = s.act
    assert act is not None
    vehicle = bounding_drm(changed(bounding_of(s), non_stopped=False))
    shot = shot_of(s, act)
    unit = (*firer_lines(shot), *acquisition(shot))
    return Ledger("duel DRM, vehicle", vehicle.lines), Ledger("duel DRM, unit", unit)


def first(s: State) -> Duel | Refusal:
    """Who of the two shoots first if the ATTACKER declares a duel, or why he may not."""
    act = s.act
    assert act is not None
    turns = s.setup.approach.way is Way.BYPASS and bool(s.given.bypass_turns)
    bar = refuse_bypass_fire(s.setup.vehicle, s.setup.approach.way, points_to_side=s.given.turret_to_side)
    bar = bar or refuse_gun_duel(overrunning=False, concealed=not act.units[0].known, reaction=False, ca_change=turns)
    if bar is not None:
        return Refusal("duel", f"No Gun Duel: {bar}.", asl("C2.2401"))
    if act.units[0].has(Trait.STREET_FIGHTING):
        return Refusal("duel", "No Gun Duel: no fire out of the Location is played out here.", asl("C2.2401"))
    vehicle, unit = totals(s)
    order = gun_duel(int(vehicle.total), int(unit.total))
    if order is Duel.DEFENDER or (order is Duel.BY_FINAL_DR and s.setup.ruled("duel_tie") == "none"):
        reason = f"Its To Hit DRM of {vehicle.total} is not below the {unit.total} of the unit."
        return Refusal("duel", reason, asl("C2.2401"), ledgers=(vehicle, unit))
    return order


def answered(s: State, order: tuple[Unit, ...], back: Returned) -> State:
    """The state after the vehicle's shell, with the shot as its unit can still make it if it is yet to come."""
    act, volley = s.act, back.state.volley
    now = None if act is None else still_fires(act, order, volley.targets)
    return changed(merged_back(s, order, volley, keep_loose=True), act=now)


def still_fires(act: Act, order: tuple[Unit, ...], targets: tuple[Target, ...]) -> Act | None:
    """The shot as its unit can still make it after the shell, or None when it cannot."""
    now = _after(act.units[0], order, targets)
    if now is None or now.broken:
        return None
    turns = isinstance(act.piece, GunPiece) and act.piece.ca_turns
    if now.pinned and not act.units[0].pinned and (act.means in NOT_PINNED or turns):
        return None
    leader = None if act.leader is None else _after(act.leader, order, targets)
    return changed(act, units=(now,), leader=leader if leader is not None and leader.good else None)


def _after(unit: Unit, order: tuple[Unit, ...], targets: tuple[Target, ...]) -> Unit | None:
    target = targets[order.index(unit)]
    return None if target.unit is None else dressed(target.unit, unit)
