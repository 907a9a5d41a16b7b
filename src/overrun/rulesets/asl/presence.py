"""What is there, as the arithmetic of the topic modules wants to see it: the vehicle's armament, leaders, targets."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil

from overrun.kernel import Ledger, changed
from overrun.rulesets.asl import fire_drm
from overrun.rulesets.asl.counters import UnitKind, WeaponKind
from overrun.rulesets.asl.exposed import Exposure
from overrun.rulesets.asl.fire_drm import Leading, TargetKind
from overrun.rulesets.asl.firepower import Aboard, Armament, passengers_fire
from overrun.rulesets.asl.morale import LeaderNear, Nerve, current_leadership
from overrun.rulesets.asl.setup import Entrenchment, Fired, Location, Motion, Setup, Terrain, VehicleOpening
from overrun.rulesets.asl.state import Crew, Morale, Rider, State, Trait, Unit, Vehicle

VEHICLES = 1 << 12
"""How many conditions of a vehicle are remembered with what follows from each."""
STACKING = 3
"""Squad-equivalents that a Location holds without overstacking (A5.1)."""
SIZES = {UnitKind.SQUAD: Fraction(1), UnitKind.HALF_SQUAD: Fraction(1, 2), UnitKind.CREW: Fraction(1, 2)}


def exposed(s: State, one: Rider) -> bool:
    """Is a Passenger or Rider not BU: every Rider, CE halftrack Passengers, everyone in an unarmored vehicle?"""
    return one.rider or one.ce or not s.setup.vehicle.armored


def aboard(s: State) -> tuple[Aboard, ...]:
    """The Passengers and Riders as the FP formula counts them."""
    return tuple(
        Aboard(
            s.printed(one).fp,
            one.rider,
            able=one.morale is not Morale.BROKEN and exposed(s, one),
            sw_fp=one.sw_fp,
        )
        for one in s.vehicle.prc
    )


def armament(s: State) -> Armament:
    """What the vehicle brings to bear if it declares now."""
    it = s.vehicle
    return Armament(
        s.setup.vehicle,
        ce=it.ce,
        disabled=it.disabled,
        outside_ca=s.given.outside_ca,
        aboard=aboard(s),
        pinned=it.crew is Crew.PINNED,
        ft_alone=s.given.ft_alone,
    )


def leading(s: State) -> Leading:
    """Who may modify the OVR DR."""
    modifiers = [
        modifier
        for one in s.vehicle.prc
        if one.morale is Morale.GOOD and (modifier := current_leadership(s.printed(one), wounded=False)) is not None
    ]
    return Leading(
        s.given.armor_leader if s.vehicle.crew_fights else None,
        min(modifiers, default=None),
        passengers_fire(armament(s)),
        s.given.inexperienced,
        s.given.stun_counter,
    )


def overstacked(s: State) -> int:
    """Squad-equivalents of the defenders above the stacking limit, rounded up (A5.131)."""
    here = (unit for unit in s.units if not unit.has(Trait.STREET_FIGHTING))
    total = sum((SIZES.get(s.printed(unit).kind, Fraction(0)) for unit in here), Fraction(0))
    return max(0, ceil(total - STACKING))


def as_target(s: State, unit: Unit) -> fire_drm.Target:
    """A defending unit as the DRM of the attack see it."""
    kind = TargetKind.INFANTRY
    if unit.has(Trait.CAVALRY):
        kind = TargetKind.CAVALRY
    elif unit.has(Trait.MOTORCYCLIST):
        kind = TargetKind.MOTORCYCLIST
    return fire_drm.Target(
        kind,
        concealed=not unit.known,
        entrenched=unit.has(Trait.ENTRENCHED),
        emplaced=any(gun.emplaced for gun in unit.guns),
        flamethrowers=sum(s.setup.weapons[arm.printed].kind is WeaponKind.FT for arm in unit.arms),
        overstacked=overstacked(s),
    )


def nerve_of(s: State, unit: Unit) -> Nerve:
    """A defending unit as its checks see it."""
    return Nerve(
        s.printed(unit),
        broken=unit.broken,
        fanatic=unit.has(Trait.FANATIC),
        berserk=unit.morale is Morale.BERSERK,
        heroic=unit.has(Trait.HEROIC),
        wounded=unit.has(Trait.WOUNDED),
    )


def sw_left(setup: Setup, unit: Unit) -> bool:
    """Can the unit still fire a SW as First Fire? A squad fires two, or one beside its inherent FP; others fire one."""
    return shots_left(setup, unit) > 0


def shots_left(setup: Setup, unit: Unit) -> int:
    """How many SW the unit can still fire as First Fire."""
    if setup.printed[unit.printed].kind is not UnitKind.SQUAD:
        return 1 if unit.fired is Fired.UNMARKED and not unit.uses else 0
    return max((2 if unit.fired is Fired.UNMARKED else 1) - unit.uses, 0)


def leaders_near(s: State) -> tuple[LeaderNear, ...]:
    """The defending leaders who are unbroken and unpinned."""
    return tuple(
        LeaderNear(s.printed(unit).ml, modifier)
        for unit in s.units
        if unit.good and (modifier := current_leadership(s.printed(unit), wounded=unit.has(Trait.WOUNDED))) is not None
    )


# ------------------------------------------------------------------ the vehicle as a target


def place(s: State) -> Location:
    """The Location as the entry has left it: a collapsed hut, rubble, no sangar any more."""
    return _place(s.setup, s.ground)


@lru_cache(maxsize=256)
def _place(setup: Setup, ground: tuple[str, ...]) -> Location:
    location = setup.location
    if "hut_collapsed" in ground:
        location = changed(location, terrain=Terrain.COLLAPSED_HUT)
    if "rubbled" in ground:
        wooden = location.terrain is Terrain.WOODEN_BUILDING
        location = changed(location, terrain=Terrain.WOODEN_RUBBLE if wooden else Terrain.STONE_RUBBLE)
    if "sangar_removed" in ground:
        location = changed(location, entrenchment=Entrenchment.NONE)
    return location


@lru_cache(maxsize=1024)
def in_hex_drm(setup: Setup, ground: tuple[str, ...], kind: TargetKind, *, ce: bool) -> Ledger:
    """TEM, SMOKE and CE against the vehicle or its people for fire from within the Location."""
    attack = fire_drm.Attack(_place(setup, ground), setup.approach, Leading())
    lines = fire_drm.overrun_drm(attack, fire_drm.Target(kind, ce=ce), setup.rulings).lines
    return Ledger("IFT DRM", lines)


def exposure(s: State) -> Exposure:
    """Who of the vehicle small arms within the Location can hurt (A7.211): all but those BU in a closed-topped AFV."""
    return _exposure(s.setup, s.vehicle, s.ground, crew_level(s.setup, s.given))


@lru_cache(maxsize=4096)
def _exposure(setup: Setup, vehicle: Vehicle, ground: tuple[str, ...], ml: int) -> Exposure:
    printed = setup.vehicle
    covered = int(in_hex_drm(setup, ground, TargetKind.PRC, ce=True).total)
    bare = int(in_hex_drm(setup, ground, TargetKind.PRC, ce=False).total)
    crew = vehicle.crew in {Crew.GOOD, Crew.PINNED} and printed.armored and (vehicle.ce or printed.open_topped)
    riders: list[tuple[Rider, int]] = []
    for one in vehicle.prc:
        if one.rider or not printed.armored:
            riders.append((one, bare))
        elif one.ce or printed.open_topped:
            riders.append((one, covered))
    return Exposure(vehicle.crew, ml, covered if crew else None, tuple(riders))


def crew_level(setup: Setup, given: VehicleOpening) -> int:
    """The crew's Morale Level as the file gives it."""
    return given.crew_ml


def moving(s: State) -> bool:
    """Is the vehicle Non-Stopped: moving or in Motion, and not Immobile, Stunned or Shocked?"""
    return s.vehicle.motion is not Motion.STOPPED and not s.vehicle.immobile
