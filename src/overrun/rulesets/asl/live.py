"""What later steps read of a state: analysis keeps that and forgets the rest, so that equal futures are one position.

Nothing here is trusted: the conformance suite compares answers and every position's worth with and without it.
"""

from __future__ import annotations

from functools import lru_cache

from overrun.kernel import changed
from overrun.rulesets.asl.acts import bound_to_react
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.hits import bare
from overrun.rulesets.asl.lean import (
    REMEMBERED,
    Moment,
    finished,
    idle,
    may_return,
    moment,
    reactor,
    tracked,
    without_tags,
)
from overrun.rulesets.asl.movement import OPEN_COT
from overrun.rulesets.asl.setup import Entrenchment, Setup, Way
from overrun.rulesets.asl.state import Arm, GunPiece, Hull, State, Unit, Vehicle

OVER = frozenset({"left", "stayed", "vehicle_lost", "stays_out"})
LEAVING = frozenset({"leave", "stay", "run_over_weapons", "bog_on_leaving"})
BOUNDING = frozenset({"bounding", "bff_mg", "bff_ft", "bff_shell"})
AFTERWARDS = frozenset({"enemy_vehicles", "sangar"})
"""Steps after the OVR attack that do nothing where there is neither an enemy vehicle nor a sangar."""
FIRED = {"mg": ("AAMG", "BMG", "CMG", "IFE"), "ft": ("FT",), "ma": ("MA",)}
MG_NAMES = ("AAMG", "BMG", "CMG")


def live(step: str, s: State) -> State:
    """What the steps from here on read of the state."""
    if step in OVER:
        return State(s.setup, s.given, Vehicle())
    if step == "goes":
        return State(s.setup, s.given, Vehicle(), ground=s.ground)
    return s if may_return(s) else _last(step, s)


def _last(step: str, s: State) -> State:
    """The same when no other OVR of this MPh can follow."""
    if step == "after.wrecked":
        return changed(_lost(s), vehicle=Vehicle(s.vehicle.hull, s.vehicle.crew, prc=s.vehicle.prc))
    kept = s
    if step in LEAVING:
        kept = _leaving(s)
    elif step in BOUNDING:
        kept = _bounding(s)
    elif step == "reactions" or (step in AFTERWARDS and not _sangar(s) and not s.prey):
        kept = _reacting(bound_to_react(changed(s, stage=Stage.AFTER)))
    elif step.startswith("after."):
        kept = _reacting(s)
    elif s.stage is Stage.BEFORE and step.startswith(
        ("before", "personnel", "run_over", "resolve", "enemy_vehicles", "sangar")
    ):
        kept = _before(s)
    return changed(kept, prey=()) if kept.prey and s.stage is Stage.AFTER else kept


def _sangar(s: State) -> bool:
    return s.setup.location.entrenchment is Entrenchment.SANGAR


# ------------------------------------------------------------------ stages


def _before(s: State) -> State:
    """Before the OVR: its targets stay as they are, but of those that will not attack again the counters are dead."""
    now = moment(s)
    units = tuple(sorted(without_tags(s.setup, unit) if finished(now, unit) else unit for unit in s.units))
    return changed(s, units=units, mp=_mp(s), known_on_entry=False)


def _reacting(s: State) -> State:
    """Reaction Fire: only units that can still attack matter, and the leaders who help their PAATC."""
    if not s.vehicle.alive:
        return _lost(s)
    now = moment(s)
    units = _reactors(now, s.units)
    pf = s.pf if any(unit.arms for unit in units) else 0
    act = s.act
    if act is not None:
        leader = None if act.leader is None else reactor(now, act.leader)
        act = changed(act, units=tuple(reactor(now, unit) or unit for unit in act.units), leader=leader)
    about = tracked(s.setup) and (bool(s.loose) or _carry(now, s.units))
    return changed(
        s,
        act=act,
        vehicle=s.vehicle if about or s.setup.location.enemy_afv else _armed(s.setup, s.vehicle),
        units=units,
        loose=_run_over(s),
        mp=_mp(s),
        pf=pf,
        overruns=_all(s),
        known_on_entry=False,
        second=False,
        outside=(),
        esb=0,
        bff=(),
        final_kia=False,
    )


@lru_cache(REMEMBERED)
def _reactors(m: Moment, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return tuple(sorted(kept for unit in units if (kept := reactor(m, unit)) is not None))


@lru_cache(REMEMBERED)
def _carry(m: Moment, units: tuple[Unit, ...]) -> bool:
    """Does any unit have a SW or Gun that it may come to leave behind?"""
    return any(
        unit.guns or (not idle(m, unit) and any(not m.setup.weapons[arm.printed].inherent for arm in unit.arms))
        for unit in units
    )


@lru_cache(REMEMBERED)
def _armed(setup: Setup, vehicle: Vehicle) -> Vehicle:
    """Of disabled weapons CC asks only whether any manned MG is left; Guns and loose weapons ask for the FP too."""
    printed = setup.vehicle
    there = {"BMG": printed.bmg, "CMG": printed.cmg, "AAMG": printed.aamg}
    lost = tuple(name for name in MG_NAMES if name in vehicle.disabled and there[name])
    left = [name for name in MG_NAMES if there[name] and name not in lost]
    manned = left and all(
        name == "BMG" or (name == "CMG" and not vehicle.ce and not printed.open_topped) for name in left
    )
    return changed(vehicle, disabled=() if manned else lost)


def _bounding(s: State) -> State:
    """Bounding First Fire: the units are targets only; their counters are dead, since no fire follows it here."""
    units = tuple(sorted(without_tags(s.setup, unit) for unit in s.units))
    spent = {name for group in s.bff for name in FIRED[group]}
    vehicle = s.vehicle
    may_drop = any(unit.guns or without_tags(s.setup, unit).arms for unit in s.units)
    about = tracked(s.setup) and (bool(s.loose) or may_drop)
    if not s.setup.location.enemy_afv and not about:
        vehicle = changed(vehicle, disabled=tuple(name for name in vehicle.disabled if name not in spent))
    return changed(
        s, vehicle=vehicle, units=units, known_on_entry=False, second=False, outside=(), fp=0, pf=0, mp=_mp(s), esb=0
    )


def _leaving(s: State) -> State:
    """Leaving or staying: MP enough to leave or not, weapons to run over, hidden units beside a vehicle in Bypass."""
    if not s.vehicle.alive:
        return _lost(s)
    bypass = s.setup.approach.way is Way.BYPASS
    hidden = tuple(without_tags(s.setup, unit) for unit in s.units if bypass and not unit.known)
    manned = tuple(
        Unit(unit.printed, guns=bare(unit).guns)
        for unit in s.units
        if tracked(s.setup) and unit.guns and not (bypass and not unit.known)
    )
    loose = _run_over(s)
    vehicle = s.vehicle
    if not loose and not manned and not s.setup.location.enemy_afv:
        vehicle = changed(vehicle, disabled=(), ce=False)
        if not bypass:
            vehicle = Vehicle(Hull.MOBILE if not vehicle.immobile else Hull.IMMOBILIZED)
    units = tuple(sorted((*hidden, *manned)))
    return State(s.setup, s.given, vehicle, units, loose, mp=_mp(s), overruns=_all(s), ground=s.ground)


def _lost(s: State) -> State:
    return State(s.setup, s.given, Vehicle(Hull.ELIMINATED), overruns=_all(s))


def _all(s: State) -> int:
    """The count of overruns after which no other is played out."""
    return s.given.prior_overruns + s.setup.overruns


def _run_over(s: State) -> tuple[Arm | GunPiece, ...]:
    return s.loose if tracked(s.setup) else ()


def _mp(s: State) -> int:
    """Enough MP to leave, or none."""
    out = OPEN_COT.get(s.setup.vehicle.movement.value, 4)
    return out if s.mp >= out else 0
