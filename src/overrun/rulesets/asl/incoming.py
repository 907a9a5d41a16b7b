"""What fire at the vehicle leaves of it, of its people, and of the unit that shot."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import NamedTuple

from overrun.kernel import Reads, Returned, changed
from overrun.rulesets.asl import marks
from overrun.rulesets.asl.aftermath import Aftermath, Shot, of_shot
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.exposed import Exposed
from overrun.rulesets.asl.figures import strike_of
from overrun.rulesets.asl.moment import REMEMBERED, Moment, moment
from overrun.rulesets.asl.outcome import merged
from overrun.rulesets.asl.presence import exposure
from overrun.rulesets.asl.setup import Setup
from overrun.rulesets.asl.small_arms import Fusillade
from overrun.rulesets.asl.state import Act, Crew, Rider, State, Vehicle
from overrun.rulesets.asl.strike import Strike


def unexposed(s: State) -> tuple[Rider, ...]:
    """The Passengers whom no fire can reach."""
    inside = list(s.vehicle.prc)
    for rider, _ in exposure(s).riders:
        inside.remove(rider)
    return tuple(inside)


def fired_at(s: State, f: Fusillade) -> tuple[State, marks.Tally]:
    """The state after IFT fire on the vehicle and its people."""
    vehicle = s.vehicle
    if f.after is not None:
        vehicle = _people(s, vehicle, f.after)
    vehicle, tally = marks.hit(vehicle, marks.FIRE_FATE[f.fate])
    return changed(s, vehicle=vehicle), tally


def shot_at(s: State, k: Strike) -> tuple[State, marks.Tally]:
    """The state after one shot at the vehicle: what became of it and of its people."""
    vehicle = s.vehicle
    if k.after is not None:
        vehicle = _people(s, vehicle, k.after)
    vehicle, tally = marks.hit(vehicle, k.fate, abandons=k.abandons)
    return changed(s, vehicle=vehicle), tally


def _people(s: State, vehicle: Vehicle, hurt: Exposed) -> Vehicle:
    """The vehicle with its people as an attack left them; the crew of a closed-topped AFV goes BU when pinned."""
    after = changed(vehicle, crew=hurt.crew, prc=tuple(sorted((*hurt.left, *unexposed(s)))))
    if hurt.crew is Crew.PINNED and not s.setup.vehicle.open_topped:
        return changed(after, crew=Crew.GOOD, ce=False)
    return after


# ------------------------------------------------------------------ a shot of a unit of the Location


class Shooting(NamedTuple):
    """One shot by a unit: the attack, the state and tally once it has come back, and what later steps read of it."""

    attack: Strike
    after: Callable[[Returned], tuple[State, marks.Tally]]
    reads: Reads


def shooting(s: State, rolled: tuple[int, int] | None = None) -> Shooting:
    """The shot that is being made at the vehicle, its To Hit DR perhaps `rolled` already."""
    act = s.act
    assert act is not None
    attack = strike_of(s, act)
    if rolled is not None:
        attack = changed(attack, aim=changed(attack.figures, rolled=rolled))
    safe = attack.firer is None

    def after(back: Returned) -> tuple[State, marks.Tally]:
        k: Strike = back.state
        firer = _hurt(s.setup, s.stage, act, k, safe=safe)
        t, tally = shot_at(s, k)
        pf = s.pf - (attack.figures.inherent and k.found)
        t = changed(t, units=firer.units_of(s), loose=firer.loose_of(s), act=None, pf=pf)
        return t, merged(firer.tally, tally)

    return Shooting(attack, after, _shot_reads(moment(s), act, safe=safe))


def _hurt(setup: Setup, stage: Stage, act: Act, k: Strike, *, safe: bool) -> Aftermath:
    """The firer after his shot, where it is not `safe` for him as that attack has it."""
    return of_shot(setup, stage, act, act.units[0] if safe else k.firer, Shot(k.found, k.again, k.malfunction))


@lru_cache(REMEMBERED)
def _shot_reads(now: Moment, act: Act, *, safe: bool) -> Reads:
    """What later steps read of a shot."""

    def reads(back: Returned) -> Hashable:
        k: Strike = back.state
        after = _hurt(now.setup, now.stage, act, k, safe=safe)
        return k.fate, k.abandons, k.after, k.found, after.lean(now, lost=k.fate in marks.LOST)

    return reads
