"""Who gets out of a lost vehicle (D5.6): crew, Passengers and Riders roll for their survival one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from overrun.kernel import Chance, Dice, Each, Exit, Ledger, Modifier, Node, Op, Procedure, Returned, Seat, changed
from overrun.rulesets.asl.outcome import prc_loss
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Crew, Hull, Rider, State, Vehicle


@dataclass(frozen=True, slots=True)
class Survivor:
    """One roll for survival: the Inherent crew (`who` is None) or one Passenger or Rider."""

    setup: Setup = field(compare=False, repr=False)
    who: Rider | None
    shaken: bool = False
    """The crew was shocked, stunned or broken: +1."""


SURVIVAL_DR = Dice("Crew Survival DR", (6, 6), sum, ("colored", "white"))

survivor: Procedure[Survivor] = Procedure("survivor", "Crew Survival", asl("D5.6"), returns=("rolled",))


@survivor.step(asl("D5.6"), "Crew Survival DR", survives="rolled", dies="rolled")
def survival_dr(s: Survivor) -> Node[Survivor]:
    """A crew, Passenger or Rider of an eliminated vehicle survives on a Final DR of the vehicle's CS# or less."""
    cs = Ledger("CS#", (Modifier(s.setup.vehicle.cs, "Crew Survival number", asl("D5.6"), Op.IS),))
    drm = Ledger("CS DRM", (Modifier(1, "shocked, stunned or broken", asl("D5.6")),) if s.shaken else ())

    def then(dr: int) -> Exit[Survivor]:
        out = dr + drm.total <= cs.total
        if s.who is None:
            return Exit("survives" if out else "dies", s, tally={"crew_survived" if out else "crew_lost": 1})
        printed = s.setup.printed[s.who.printed]
        return Exit("survives" if out else "dies", s, tally={"prc_bailed_out": 1} if out else prc_loss(printed))

    return Chance(SURVIVAL_DR, then, Seat.ATTACKER, (cs, drm))


def rolls(s: State) -> tuple[Survivor, ...]:
    """Everyone who rolls when the vehicle is eliminated: nobody from a burning wreck."""
    return tuple(_rolls(s))


def _rolls(s: State) -> Iterator[Survivor]:
    if s.vehicle.hull is Hull.BURNING:
        return
    if s.vehicle.crew is not Crew.GONE and s.setup.vehicle.cs and s.setup.vehicle.crewed:
        yield Survivor(s.setup, None, s.vehicle.crew in {Crew.SHOCKED, Crew.STUNNED, Crew.RECALLED})
    for one in s.vehicle.prc:
        yield Survivor(s.setup, one)


def deaths(s: State) -> dict[str, int]:
    """What a burning wreck counts: crew and PRC die in it."""
    tally: dict[str, int] = {} if s.vehicle.crew is Crew.GONE else {"crew_lost": 1}
    for one in s.vehicle.prc:
        for name, count in prc_loss(s.printed(one)).items():
            tally[name] = tally.get(name, 0) + count
    return tally


def survivors(s: State, exit: str) -> Node[State]:
    """The rolls for everyone aboard a vehicle that has just been eliminated; then the exit."""
    empty = changed(s, vehicle=Vehicle(s.vehicle.hull, Crew.GONE, s.vehicle.motion, False, s.vehicle.disabled, ()))
    if s.vehicle.hull is Hull.BURNING:
        return Exit(exit, empty, tally=deaths(s))
    everyone = rolls(s)
    if not everyone:
        return Exit(exit, empty)

    def fold(s: State, run: int, back: Returned) -> State:
        return s

    return Each("survivor", everyone, empty, fold, lambda s: Exit(exit, s))
