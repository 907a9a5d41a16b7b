"""Close Combat against a vehicle, as Reaction Fire and in the CCPh (A11.5-A11.8, D7.21, D7.211-D7.213)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from overrun.kernel import Ledger, Modifier, Op, Table
from overrun.kernel.table import load
from overrun.rulesets.asl.counters import Nation, Unit, UnitKind
from overrun.rulesets.asl.ift import OnVehicle, unlikely_kill, worse
from overrun.rulesets.asl.morale import Check
from overrun.rulesets.asl.setup import Fired, asl


@cache
def ccv_table() -> Table[int]:
    """CCV by kind of unit."""
    return load("overrun.rulesets.asl.data", "ccv", int)


@dataclass(frozen=True, slots=True)
class Attacker:
    """Who attacks in CC: one unit, and perhaps one SMC with it.

    `marked`: the unit or any SW or Gun of it carries a First or Final Fire counter. `leadership` is the modifier of a
    leader who combines (None: no leader does). `hero`: a hero takes part or attacks alone. `ambush`: Street Fighting or
    automatic ambush. `atmm`: it attacks with an ATMM.
    """

    unit: Unit
    pinned: bool = False
    marked: bool = False
    inexperienced: bool = False
    with_smc: bool = False
    leadership: int | None = None
    hero: bool = False
    ambush: bool = False
    atmm: bool = False
    atmm_failed: bool = False
    """Its ATMM check dr was an Original 6: it is pinned and its CCV suffers (C13.7)."""


@dataclass(frozen=True, slots=True)
class Prey:
    """The vehicle as CC sees it. `stopped_crew`: Stunned or Shocked, so that it counts as stopped.

    `armed`: it has a manned, functioning MG armament. `escort` is the DRM of Infantry moving with it.
    """

    armored: bool = True
    open_topped: bool = False
    partially_armored: bool = False
    ce: bool = False
    abandoned: bool = False
    moving: bool = True
    """Non-Stopped or in Motion."""
    immobile: bool = False
    stopped_crew: bool = False
    armed: bool = True
    escort: int = 0


def ccv(attacker: Attacker, *, reaction: bool = True) -> Ledger:
    """CCV of an attack; outside Reaction Fire (in the CCPh) fire counters do not lower it."""
    unit = attacker.unit
    cell = ccv_table().at(unit.kind.value, "CCV")
    lines = [Modifier(cell.value, f"CCV of a {unit.kind.value.replace('_', ' ')}", cell.cite, Op.IS, cell.verified)]
    if attacker.with_smc:
        lines.append(Modifier(1, "SMC added", asl("A11.5")))
    if unit.assault_engineer:
        lines.append(Modifier(1, "Assault Engineer", asl("A11.5")))
    if attacker.inexperienced:
        lines.append(Modifier(-1, "Inexperienced", asl("A11.5")))
    if attacker.pinned or attacker.atmm_failed:
        lines.append(Modifier(-1, "pinned", asl("A11.5")))
    if attacker.marked and reaction:
        lines.append(Modifier(-1, "it or its SW carries First or Final Fire", asl("D7.213")))
    return Ledger("CCV", tuple(lines))


def cc_drm(attacker: Attacker, prey: Prey, rulings: Mapping[str, str]) -> Ledger:
    """DRM of a CC attack on the vehicle (A11.51)."""
    return Ledger("CC DRM", (*_prey_lines(prey, rulings), *_attacker_lines(attacker)))


def _prey_lines(prey: Prey, rulings: Mapping[str, str]) -> Iterator[Modifier]:
    if prey.moving and not prey.immobile and not prey.stopped_crew:
        yield Modifier(2, "Motion or Non-Stopped", asl("A11.51"))
    if not prey.armored:
        yield Modifier(-3, "unarmored", asl("A11.51"))
    elif prey.open_topped or prey.partially_armored:
        yield Modifier(-2, "open-topped or partially armored", asl("A11.51"))
    elif prey.ce or prey.abandoned:
        yield Modifier(-1, "CE or abandoned closed-topped AFV", asl("A11.51"))
    if (not prey.armed or prey.stopped_crew) and (prey.armored or rulings["cc_unarmed"] == "any_vehicle"):
        yield Modifier(-1, "no manned MG armament", asl("A11.51"))
    if prey.armored and prey.immobile:
        yield Modifier(-1, "Immobile AFV", asl("A11.61"))
    if prey.escort:
        yield Modifier(prey.escort, "Infantry escort", asl("A11.51"))


def _attacker_lines(attacker: Attacker) -> Iterator[Modifier]:
    if attacker.leadership:
        yield Modifier(attacker.leadership, "leadership", asl("A11.5"))
    if attacker.hero:
        yield Modifier(-1, "hero", asl("A11.5"))
    if attacker.ambush:
        yield Modifier(-1, "ambush", asl("A11.8"))
    if attacker.atmm:
        yield Modifier(-3, "ATMM", asl("C13.7"))


def band(value: int, final: int) -> OnVehicle:
    """What a Final DR does against a CCV: below it eliminated, equal immobilized, at most half burning (A11.501).

    >>> [str(band(6, dr)) for dr in (7, 6, 4, 3)]
    ['none', 'immobilized', 'eliminated', 'burning']
    """
    if 2 * final <= value:
        return OnVehicle.BURNING
    if final < value:
        return OnVehicle.ELIMINATED
    return OnVehicle.IMMOBILIZED if final == value else OnVehicle.NONE


def chances(value: int, drm: int) -> dict[OnVehicle, int]:
    """Each fate of the vehicle with its weight out of 216: the DR, and after an Original 2 the Unlikely Kill dr."""
    weights = dict.fromkeys(OnVehicle, 0)
    for original in range(2, 13):
        fate = band(value, original + drm)
        for dr in range(1, 7):
            better = worse(fate, unlikely_kill(dr)) if original == 2 else fate
            weights[better] += 6 - abs(original - 7)
    return weights


def attacker_reduced(original: int, prey: Prey) -> bool:
    """Does an Original 12 cost the attacker Casualty Reduction (A11.621)? Not against a crewless or stopped crew."""
    return original == 12 and not prey.abandoned and not prey.stopped_crew


def fpf_check(ml: int, leadership: int = 0) -> Check:
    """The NMC that the attack's own Original DR is for whoever attacks as FPF (A8.31); leadership alone modifies it."""
    return Check(ml, leadership)


def counter_after(fired: Fired) -> Fired:
    """The fire counter of a unit and all its SW and Guns after CC Reaction Fire (D7.21)."""
    return Fired.FIRST if fired is Fired.UNMARKED else Fired.FINAL


class Ambush(StrEnum):
    """Why a CC Reaction Fire is an ambush (-1), or that it is none."""

    NONE = "none"
    STREET_FIGHTING = "street_fighting"
    BYPASS = "bypass"


def ambush(*, marked: bool, vehicle_in_bypass: bool, street_fighting: bool) -> Ambush:
    """Street Fighting ambush, or the automatic one against a vehicle in Bypass (A11.8, D7.211).

    `marked`: the unit, or any SW or Gun it possesses, carries a First, Final, Intensive or No Fire counter; then there
    is none. `street_fighting`: it attacks from a building hex that is ADJACENT to the vehicle on its road.
    """
    if marked:
        return Ambush.NONE
    if vehicle_in_bypass:
        return Ambush.BYPASS
    return Ambush.STREET_FIGHTING if street_fighting else Ambush.NONE


ATMM_MOST = 3


def atmm_may_be_used(nation: Nation, year: int) -> bool:
    """May the unit check for an ATMM: Germans from 1944 on, in CC only (C13.7)?"""
    return nation is Nation.GERMAN and year >= 1944


def check_drm(unit: Unit, *, cx: bool, armored_target: bool) -> Ledger:
    """The drm of an ATMM or PF check dr: HS or crew +1, SMC +2, CX +1, target no AFV +1 (C13.7, C13.31)."""
    lines = []
    if unit.kind in {UnitKind.HALF_SQUAD, UnitKind.CREW}:
        lines.append(Modifier(1, "half-squad or crew", asl("C13.31")))
    if unit.smc:
        lines.append(Modifier(2, "SMC", asl("C13.31")))
    if cx:
        lines.append(Modifier(1, "CX", asl("C13.31")))
    if not armored_target:
        lines.append(Modifier(1, "target is no AFV", asl("C13.31")))
    return Ledger("check drm", tuple(lines))
