"""What later steps read of a state: analysis keeps that and forgets the rest, so that equal futures are one position.

Nothing here is trusted: the conformance suite compares answers and every position's worth with and without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from overrun.kernel import changed
from overrun.rulesets.asl.acts import bound_to_react
from overrun.rulesets.asl.bounding import all_fired
from overrun.rulesets.asl.counters import UnitKind
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.hits import bare
from overrun.rulesets.asl.lean import idle, latw_left, lean_unit, without_tags
from overrun.rulesets.asl.lean_vehicle import lean_vehicle
from overrun.rulesets.asl.moment import REMEMBERED, Moment, may_return, moment, tracked
from overrun.rulesets.asl.movement import open_cot
from overrun.rulesets.asl.reactors import reactors
from overrun.rulesets.asl.setup import Entrenchment, Setup, Way
from overrun.rulesets.asl.shell import hopeless
from overrun.rulesets.asl.state import Act, Arm, GunPiece, Hull, State, Unit, Vehicle

OVER = frozenset({"left", "stayed", "vehicle_lost", "stays_out"})
LEAVING = frozenset({"leave", "stay", "run_over_weapons", "bog_on_leaving"})
BOUNDING = frozenset({"bounding", "bff_mg", "bff_ft", "bff_shell"})
SHELLING = frozenset({"bounding", "bff_shell"})
AFTERWARDS = frozenset({"enemy_vehicles", "sangar"})
"""Steps after the OVR attack that do nothing where there is neither an enemy vehicle nor a sangar."""
FIRED = {"mg": ("AAMG", "BMG", "CMG", "IFE"), "ft": ("FT",), "ma": ("MA",)}


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
        kept = _bounding(step, s)
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
    units = tuple(sorted(lean_unit(now, unit) or unit for unit in s.units))
    return changed(s, act=_making(now, s.act), units=units, pf=_shots(s, now, units), mp=_mp(s), known_on_entry=False)


def _making(now: Moment, act: Act | None) -> Act | None:
    """The attack being made, its units as they stand in the state."""
    if act is None:
        return None
    leader = None if act.leader is None else lean_unit(now, act.leader)
    return changed(act, units=tuple(lean_unit(now, unit) or unit for unit in act.units), leader=leader)


def _reacting(s: State) -> State:
    """Reaction Fire: only units that can still attack matter, and the leaders who help their PAATC."""
    if not s.vehicle.alive:
        return _lost(s)
    now = moment(s)
    units, manning, closes = reactors(now, s.units)
    loose = _run_over(s, (unit for unit in units if unit.broken))
    about = tracked(s.setup) and (bool(s.loose) or _carry(now, s.units))
    return changed(
        s,
        act=_making(now, s.act),
        vehicle=_vehicle(s, closes=closes, runs_over=about),
        units=manning,
        loose=loose,
        mp=_mp(s),
        pf=_shots(s, now, units),
        overruns=_all(s),
        known_on_entry=False,
        second=False,
        outside=(),
        esb=0,
        bff=(),
        final_kia=False,
    )


def _vehicle(s: State, *, closes: bool = False, runs_over: bool = False) -> Vehicle:
    """The vehicle without disabled weapons that nothing asks for; an enemy AFV here asks for each (D2.6)."""
    if s.setup.location.enemy_afv:
        return s.vehicle
    return lean_vehicle(s.setup, s.given, s.vehicle, closes=closes, runs_over=runs_over)


def _shots(s: State, now: Moment, units: tuple[Unit, ...]) -> int:
    """As many inherent LATW shots of the side as these units can still take; Heat of Battle may revive one."""
    if not s.pf or s.setup.heat_of_battle:
        return s.pf if any(unit.arms for unit in units) else 0
    return min(s.pf, sum(latw_left(now, unit) for unit in units))


@lru_cache(REMEMBERED)
def _carry(m: Moment, units: tuple[Unit, ...]) -> bool:
    """Does any unit have a SW or Gun that it may come to leave behind?"""
    return any(
        unit.guns or (not idle(m, unit) and any(not m.setup.weapons[arm.printed].inherent for arm in unit.arms))
        for unit in units
    )


def _bounding(step: str, s: State) -> State:
    """Bounding First Fire: the units are targets only; their counters are dead, since no fire follows it here."""
    if step == "bounding" and all_fired(s):
        return _leaving(s)
    units = tuple(sorted(without_tags(s.setup, unit) for unit in s.units))
    spent = {name for group in s.bff for name in FIRED[group]}
    vehicle = s.vehicle
    may_drop = any(unit.guns or without_tags(s.setup, unit).arms for unit in s.units)
    about = tracked(s.setup) and (bool(s.loose) or may_drop)
    if not s.setup.location.enemy_afv and not about:
        vehicle = changed(vehicle, disabled=tuple(name for name in vehicle.disabled if name not in spent))
    if step in SHELLING and not about and _spent(s) and s.setup.approach.way is not Way.BYPASS and hopeless(s):
        units = (_anybody(s.setup),)
    return changed(
        s, vehicle=vehicle, units=units, known_on_entry=False, second=False, outside=(), fp=0, pf=0, mp=_mp(s), esb=0
    )


def _spent(s: State) -> bool:
    """Is the Main Armament all that may still fire at the units?"""
    return bool(s.units) and "mg" in s.bff and ("ft" in s.bff or not s.setup.vehicle.ft)


@lru_cache(256)
def _anybody(setup: Setup) -> Unit:
    """A unit that stands for all that are there, where no fire can do anything to them."""
    return Unit(min(key for key, printed in setup.printed.items() if printed.kind is not UnitKind.DUMMY))


def _leaving(s: State) -> State:
    """Leaving or staying: MP enough to leave or not, weapons to run over, hidden units beside a vehicle in Bypass."""
    if not s.vehicle.alive:
        return _lost(s)
    bypass = s.setup.approach.way is Way.BYPASS
    hidden = tuple(without_tags(s.setup, unit) for unit in s.units if bypass and not unit.known)
    loose = _run_over(s, (unit for unit in s.units if not (bypass and not unit.known)))
    vehicle = _vehicle(s, runs_over=True)
    if not loose and not s.setup.location.enemy_afv:
        vehicle = changed(vehicle, disabled=(), ce=False)
        if not bypass:
            vehicle = Vehicle(Hull.MOBILE if not vehicle.immobile else Hull.IMMOBILIZED)
    units = tuple(sorted(hidden))
    return State(s.setup, s.given, vehicle, units, loose, mp=_mp(s), overruns=_all(s), ground=s.ground)


def _lost(s: State) -> State:
    return State(s.setup, s.given, Vehicle(Hull.ELIMINATED), overruns=_all(s))


def _all(s: State) -> int:
    """The count of overruns after which no other is played out."""
    return s.given.prior_overruns + s.setup.overruns


def _run_over(s: State, crews: Iterable[Unit] = ()) -> tuple[Arm | GunPiece, ...]:
    """What the vehicle may run over: weapons that nobody has, and Guns of crews who do nothing any more."""
    guns = [gun for unit in crews for gun in bare(unit).guns]
    if not tracked(s.setup):
        return ()
    return tuple(sorted((*s.loose, *guns), key=repr)) if guns else s.loose


def _mp(s: State) -> int:
    """Enough MP to leave, or none."""
    out = open_cot(s.setup.vehicle)
    return out if s.mp >= out else 0
