"""What becomes of an enemy vehicle in the Location, its crew, Passengers and Riders, under one OVR (A7.308, D5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from overrun.kernel import (
    Call,
    Chance,
    Dice,
    Each,
    Exit,
    Ledger,
    Modifier,
    Node,
    Op,
    Procedure,
    Returned,
    Seat,
    changed,
)
from overrun.rulesets.asl.damage import crew_level
from overrun.rulesets.asl.hits import Hits, Target
from overrun.rulesets.asl.ift import NO_RESULT, OnVehicle, ResultKind, look_up
from overrun.rulesets.asl.outcome import loss, merged
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Prey, Rider, Unit

CHECK_DR = Dice("crew check DR", (6, 6), sum, ("colored", "white"))
SURVIVAL_DR = Dice("Crew Survival DR", (6, 6), sum, ("colored", "white"))


@dataclass(frozen=True, slots=True)
class Aboard:
    """One enemy vehicle, what the vehicle line did to it, and the DR on its people.

    `crew_drm` is None for a crew that is not exposed.
    """

    setup: Setup = field(compare=False, repr=False)
    prey: Prey
    fate: OnVehicle
    column: int | None
    original: int
    crew_drm: int | None
    riders_drm: int


aboard: Procedure[Aboard] = Procedure("aboard", "An enemy vehicle and its people", asl("A7.308"), returns=("settled",))


@aboard.step(
    asl("A7.308"),
    "What became of the vehicle",
    burning="fate_stands",
    eliminated="escapes",
    immobilized="crew",
    unhurt="crew",
)
def fate(a: Aboard) -> Node[Aboard]:
    """Nobody leaves a burning wreck; from an eliminated vehicle some may; an immobilized one keeps its people."""
    match a.fate:
        case OnVehicle.BURNING:
            dead = merged(*(loss(a.setup.printed[one.printed]) for one in a.prey.riders))
            crew = {"prey_crews_lost": 1} if a.prey.crew and a.setup.vehicles[a.prey.printed].crewed else {}
            return Exit("burning", a, tally=merged(dead, crew, {"prey_eliminated": 1}))
        case OnVehicle.ELIMINATED:
            return Exit("eliminated", a, tally={"prey_eliminated": 1})
        case OnVehicle.IMMOBILIZED:
            stopped = changed(a, prey=changed(a.prey, in_motion=False, immobile=True))
            return Exit("immobilized", stopped, tally={"prey_immobilized": 1})
        case _:
            return Exit("unhurt", a)


@aboard.step(asl("D5.6"), "Who gets out", calls=("escape",), rolled="fate_stands", nobody="fate_stands")
def escapes(a: Aboard) -> Node[Aboard]:
    """Crew, Passengers and Riders of an eliminated vehicle each survive on a DR of its CS# or less."""
    cs = a.setup.vehicles[a.prey.printed].cs
    subs = [Escape(a.setup, cs, one) for one in a.prey.riders]
    if a.prey.crew and a.setup.vehicles[a.prey.printed].crewed:
        subs.append(Escape(a.setup, cs, None))
    if not subs:
        return Exit("nobody", a)
    return Each("escape", tuple(subs), a, lambda a, run, back: a, lambda a: Exit("rolled", a))


@aboard.step(asl("D5.3"), "The crew under the DR", out="passengers", check="crew_checks", none="passengers")
def crew(a: Aboard) -> Node[Aboard]:
    """A K or KIA on an exposed crew Recalls the vehicle; a MC makes the crew check."""
    if a.crew_drm is None or not a.prey.crew:
        return Exit("none", a)
    result, ledger = look_up(a.column, a.original + a.crew_drm)
    if result.kind in {ResultKind.KIA, ResultKind.K}:
        return Exit("out", _without_crew(a), tally={"prey_crews_out": 1}, ledgers=(ledger,))
    return Exit("check" if result.kind is ResultKind.MC else "none", a, ledgers=(ledger,))


def _without_crew(a: Aboard) -> Aboard:
    return changed(a, prey=changed(a.prey, crew=False))


@aboard.step(asl("D5.34"), "Its crew checks", out="passengers", passed="passengers")
def crew_checks(a: Aboard) -> Node[Aboard]:
    """A crew that fails its MC is Stunned, or Recalled on an Original 12: it is out of the overrun."""
    assert a.crew_drm is not None
    number = look_up(a.column, a.original + a.crew_drm)[0].number
    ml = crew_level(a.setup.vehicles[a.prey.printed], a.prey.crew_ml)
    drm = Ledger("MC DRM", (Modifier(number, f"{number}MC", asl("A7.3")),) if number else ())

    def then(dr: int) -> Exit[Aboard]:
        if dr == 12 or dr + number > a.prey.crew_ml:
            return Exit("out", _without_crew(a), tally={"prey_crews_out": 1})
        return Exit("passed", a)

    return Chance(CHECK_DR, then, Seat.DEFENDER, (ml, drm))


@aboard.step(asl("D6.2"), "Its Passengers and Riders", calls=("results",), applied="fate_stands", none="fate_stands")
def passengers(a: Aboard) -> Node[Aboard]:
    """Passengers and Riders suffer the result as Personnel do."""
    result, ledger = look_up(a.column, a.original + a.riders_drm)
    if not a.prey.riders or result == NO_RESULT:
        return Exit("none", a)
    targets = tuple(Target(Unit(one.printed, one.morale)) for one in a.prey.riders)
    hits = Hits(a.setup, (result,), targets, tuple(target.it for target in targets))

    def then(back: Returned) -> Exit[Aboard]:
        left = [
            changed(rider, printed=target.unit.printed, morale=target.unit.morale)
            for rider, target in zip(a.prey.riders, back.state.targets, strict=False)
            if target.unit is not None
        ]
        after = changed(a, prey=changed(a.prey, riders=tuple(sorted(left))))
        return Exit("applied", after, ledgers=(ledger,))

    return Call("results", hits, then)


@aboard.step(asl("A7.308"), "The vehicle's fate stands", settled="settled")
def fate_stands(a: Aboard) -> Node[Aboard]:
    """What is left of the vehicle and its people stands; the DR is forgotten."""
    return Exit("settled", Aboard(a.setup, a.prey, a.fate, None, 0, None, 0))


# ------------------------------------------------------------------ one survival roll


@dataclass(frozen=True, slots=True)
class Escape:
    """One roll for survival from an eliminated enemy vehicle: its crew (`who` is None) or one Passenger or Rider."""

    setup: Setup = field(compare=False, repr=False)
    cs: int
    who: Rider | None


escape: Procedure[Escape] = Procedure(
    "escape", "Survival of an enemy vehicle's people", asl("D5.6"), returns=("rolled",)
)


@escape.step(asl("D5.6"), "Survival DR", survives="rolled", dies="rolled")
def escape_dr(e: Escape) -> Node[Escape]:
    """They survive on a DR of the vehicle's CS# or less."""
    cs = Ledger("CS#", (Modifier(e.cs, "Crew Survival number", asl("D5.6"), Op.IS),))

    def then(dr: int) -> Exit[Escape]:
        if dr <= e.cs:
            return Exit("survives", e)
        lost: Mapping[str, int] = {"prey_crews_lost": 1} if e.who is None else loss(e.setup.printed[e.who.printed])
        return Exit("dies", e, tally=lost)

    return Chance(SURVIVAL_DR, then, Seat.DEFENDER, (cs,))
