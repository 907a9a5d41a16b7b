"""Entering the Location (D7.1): the MP expenditure, and what it opens: fire against it, the OVR, a second chance."""

from __future__ import annotations

from fractions import Fraction

from overrun.kernel import Decision, End, Exit, Ledger, Modifier, Node, Op, Procedure, Seat, changed
from overrun.rulesets.asl import acts, movement
from overrun.rulesets.asl.declare import cost_of, entering, known_enemy, standing
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.firepower import overrun_fp
from overrun.rulesets.asl.presence import armament
from overrun.rulesets.asl.setup import asl
from overrun.rulesets.asl.state import State

entry: Procedure[State] = Procedure("entry", "Entry", asl("D7.1"))


@entry.step(asl("D7.1"), "Enter the Location", concealment="concealed_units", terrain="bog_check")
def enter(s: State) -> Node[State]:
    """The vehicle pays its MP and is in the Location; concealed units react at once, then the ground is checked."""
    cost = cost_of(s)
    paid = s.mp if cost.everything else Fraction(cost.mp.total)
    left = Fraction(0) if cost.everything else s.mp - paid
    after = changed(s, mp=left, spent=int(s.spent + paid), known_on_entry=known_enemy(s))
    line = Modifier(left, "MP left", asl("D2.1"), Op.IS)
    first = s.setup.ruled("entry_order") == "terrain_first"
    return Exit(
        "terrain" if first else "concealment",
        after,
        tally={"entered": 1},
        ledgers=(cost.mp, Ledger("MP left", (line,))),
    )


@entry.step(asl("A8.1"), "Defensive First Fire", before="before.outside_fire", none="none.outside_fire")
def expenditure(s: State) -> Node[State]:
    """The expenditure draws Defensive First Fire; what a unit here may do depends on whether an OVR is declared."""
    return Exit("before" if s.stage is Stage.BEFORE else "none", s)


# ------------------------------------------------------------------ no OVR was declared


@entry.step(asl("A12.41"), "A second chance to overrun?", overrun="expenditure", decline="bounding", barred="bounding")
def second_chance(s: State) -> Node[State]:
    """A vehicle that found no Known enemy on entry and is still Mobile may declare an OVR now, as a new expenditure."""
    if s.known_on_entry or s.second or not s.vehicle.alive or not (s.units or s.loose or s.prey):
        return Exit("barred", s)
    bar = movement.refuse_overrun("overrun", entering(s), _with_entry(s), s.setup.rulings)
    bar = bar or movement.refuse_late_overrun("overrun", s.setup.vehicle, standing(s))
    if bar is not None:
        return Decision(Seat.ATTACKER, (Exit("decline", s, label="No overrun"),), (bar,))
    mp = movement.overrun_mp(s.setup.vehicle)
    fp = overrun_fp(armament(s), s.setup.rulings)
    after = changed(
        s,
        stage=Stage.BEFORE,
        second=True,
        fp=Fraction(fp.total),
        mp=s.mp - mp.value,
        spent=int(s.spent + mp.value),
    )
    cost = Ledger("MP", (mp,))
    return Decision(
        Seat.ATTACKER,
        (
            Exit("overrun", after, label=f"Overrun now, for {mp.value} MP", ledgers=(cost, fp)),
            Exit("decline", s, label="No overrun"),
        ),
    )


def _with_entry(s: State) -> movement.Standing:
    """The vehicle's standing as if the entry, which is paid already, were still to pay: only other bars count then."""
    there = standing(s)
    return changed(
        there, mp_left=there.mp_left + Fraction(cost_of(s).mp.total) + movement.overrun_mp(s.setup.vehicle).value
    )


@entry.step(asl("D7.1"), "The OVR is still on", resolve="personnel")
def before_done(s: State) -> Node[State]:
    """A declared OVR is resolved whatever befell the vehicle; it was only halved."""
    return Exit("resolve", s)


@entry.step(asl("D7.2"), "Reaction Fire", react="after.outside_fire", none="leave")
def reactions(s: State) -> Node[State]:
    """Reaction Fire comes right after the OVR; units marked Final Fire must make it, except at an empty truck."""
    if not s.vehicle.alive:
        return Exit("none", s)
    return Exit("react", acts.bound_to_react(s))


@entry.step(asl("D7.1"), "The vehicle did not enter")
def stays_out(s: State) -> Node[State]:
    """The vehicle does not enter the Location in this way; nothing more happens here."""
    return End("stayed out")
