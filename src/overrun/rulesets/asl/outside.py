"""Defensive First Fire from outside the Location (A-18): attacks that the situation states, by figures or by result."""

from __future__ import annotations

from overrun.kernel import Ledger, Modifier, Op, changed
from overrun.rulesets.asl.damage import OnAFV
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.exposed import Exposure
from overrun.rulesets.asl.fire_drm import TargetKind
from overrun.rulesets.asl.ift import column
from overrun.rulesets.asl.marks import Tally, hit
from overrun.rulesets.asl.presence import exposure, in_hex_drm, moving
from overrun.rulesets.asl.setup import OutsideAttack, VehicleFate, asl
from overrun.rulesets.asl.small_arms import Fusillade
from overrun.rulesets.asl.state import Crew, State, Vehicle
from overrun.rulesets.asl.strike import Aim, Strike
from overrun.rulesets.asl.to_hit import Facing
from overrun.rulesets.asl.to_kill import Ammunition, Round
from overrun.rulesets.asl.to_kill import Exposure as Open


def waiting(s: State) -> OutsideAttack | None:
    """The next stated attack against the current MP expenditure, None when there is none (left)."""
    if s.stage is Stage.AFTER or not s.vehicle.alive:
        return None
    for attack in s.setup.outside:
        if attack.id in s.outside and attack.second == s.second:
            return attack
    return None


def taken(s: State, attack: OutsideAttack) -> State:
    """The state once the attack has been made."""
    return changed(s, outside=tuple(id for id in s.outside if id != attack.id))


def fusillade_from(s: State, attack: OutsideAttack) -> Fusillade:
    """An IFT attack from outside, at the stated FP and DRM; CE still shelters."""
    who = exposure(s)
    riders = tuple((rider, drm + attack.drm) for rider, drm in who.riders)
    crew = None if who.crew_drm is None else who.crew_drm + attack.drm
    tem = int(in_hex_drm(s.setup, s.ground, TargetKind.VEHICLE, ce=False).total)
    against = None if s.setup.vehicle.armored else tem + attack.drm
    fp = Ledger("FP", (Modifier(attack.fp, "FP as stated", asl("A7.1"), Op.IS),))
    drm = Ledger("DRM", (Modifier(attack.drm, "DRM as stated", asl("A7.3")),))
    return Fusillade(
        s.setup, column(attack.fp), against, Exposure(who.crew, who.crew_ml, crew, riders), ledgers=(fp, drm)
    )


def strike_from(s: State, attack: OutsideAttack) -> Strike:
    """An ordnance shot from outside, at the stated To Hit and To Kill figures and facing."""
    figure = Ledger("TH#", (Modifier(attack.th, "To Hit number as stated", asl("C3.3"), Op.IS),))
    drm = Ledger("TH DRM", (Modifier(attack.drm, "DRM as stated", asl("C5")),))
    aim = Aim(
        Round(Ammunition(attack.ammunition), attack.caliber, basic=attack.tk, at_range=True),
        attack.th,
        attack.drm,
        facing=Facing(attack.facing),
        breakdown=attack.breakdown,
        open=Open(s.vehicle.ce, moving(s)),
        ledgers=(figure, drm),
    )
    return Strike(s.setup, aim, None, exposure(s))


def stated(vehicle: Vehicle, fate: VehicleFate) -> tuple[Vehicle, Tally]:
    """The vehicle after a result that was already rolled at the table, and what that counts."""
    steady = vehicle.crew in {Crew.GOOD, Crew.PINNED}
    crews: dict[VehicleFate, tuple[bool, Crew, Tally]] = {
        VehicleFate.PIN: (vehicle.crew is Crew.GOOD, Crew.PINNED, {}),
        VehicleFate.STUN: (steady, Crew.STUNNED, {"crew_stunned": 1}),
        VehicleFate.RECALL: (steady, Crew.RECALLED, {"crew_recalled": 1}),
        VehicleFate.SHOCK: (vehicle.crew not in {Crew.SHOCKED, Crew.GONE}, Crew.SHOCKED, {"crew_shocked": 1}),
        VehicleFate.ABANDONED: (vehicle.crew is not Crew.GONE, Crew.GONE, {"vehicle_abandoned": 1, "crew_survived": 1}),
    }
    if fate in crews:
        applies, crew, tally = crews[fate]
        return (changed(vehicle, crew=crew), tally) if applies else (vehicle, {})
    hulls = {
        VehicleFate.IMMOBILIZED: OnAFV.IMMOBILIZED,
        VehicleFate.ELIMINATED: OnAFV.ELIMINATED,
        VehicleFate.BURNING: OnAFV.BURNING,
    }
    return hit(vehicle, hulls.get(fate, OnAFV.NONE))
