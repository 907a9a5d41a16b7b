"""Before entry (D7.1): overrun, enter without one, or stay out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from overrun.kernel import Chance, Decision, Dice, Exit, Node, Procedure, Refusal, Seat, changed
from overrun.rulesets.asl import movement
from overrun.rulesets.asl.counters import UnitKind
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.firepower import overrun_fp
from overrun.rulesets.asl.movement import Cost, Entering, Standing, figure
from overrun.rulesets.asl.presence import armament
from overrun.rulesets.asl.setup import asl
from overrun.rulesets.asl.state import Hull, State, Trait

declare: Procedure[State] = Procedure("declare", "Declare", asl("D7.1"))

ESB_DR = Dice("ESB DR", (6, 6), sum, ("colored", "white"))


def entering(s: State) -> Entering:
    """The vehicle as the entry rules see it."""
    it = s.vehicle
    riders = any(one.rider for one in it.prc)
    return Entering(s.setup.vehicle, s.setup.location, s.setup.approach, it.ce, riders)


def standing(s: State) -> Standing:
    """What the vehicle has done this turn, as the declaration rules see it."""
    given = s.given
    return Standing(
        Fraction(s.mp),
        given.bounding_fired or bool(s.bff),
        given.prc_bounding_fired,
        given.prep_fired,
        s.vehicle.immobile,
        s.setup.approach.began_here and s.overruns == given.prior_overruns,
        overran_here=False,
    )


def known_enemy(s: State) -> bool:
    """Is there anything in the Location that the attacker knows of?"""
    real = any(
        unit.known and s.printed(unit).kind is not UnitKind.DUMMY and not unit.has(Trait.STREET_FIGHTING)
        for unit in s.units
    )
    return real or bool(s.loose) or bool(s.prey) or bool(s.setup.location.enemy_afv)


@declare.step(
    asl("D7.1"),
    "Enter the DEFENDER's Location?",
    overrun="enter",
    overrun_esb="esb",
    enter="enter",
    stay_out="stays_out",
)
def approach(s: State) -> Node[State]:
    """An overrun of a Location with Known enemy units is declared before entry, in one MP expenditure with it."""
    options: list[Exit[State]] = []
    refused = list(_declarations(s, options))
    here = entering(s)
    bar = movement.refuse_entry("enter", here, s.setup.rulings)
    cost = movement.entry_cost(here, s.setup.rulings)
    if bar is None and s.vehicle.immobile:
        bar = Refusal("enter", "An Immobile vehicle cannot enter.", asl("D.7"))
    if bar is None and cost.mp.total > s.mp:
        reason = f"Cannot enter: it needs {figure(Fraction(cost.mp.total))} MP and {figure(s.mp)} are left."
        bar = Refusal("enter", reason, asl("D2.1"), ledgers=(cost.mp,))
    if bar is None:
        paid = changed(s, stage=Stage.NONE)
        options.append(Exit("enter", paid, label="Enter without an overrun", ledgers=(cost.mp,)))
    else:
        refused.append(bar)
    options.append(Exit("stay_out", s, label="Stay out"))
    return Decision(Seat.ATTACKER, tuple(options), tuple(refused))


def _declarations(s: State, options: list[Exit[State]]) -> Iterator[Refusal]:
    here = entering(s)
    if not known_enemy(s):
        yield Refusal("overrun", "There is no Known enemy unit in the Location; declare after entry.", asl("D7.1"))
        return
    bar = movement.refuse_entry("overrun", here, s.setup.rulings)
    bar = bar or movement.refuse_overrun("overrun", here, standing(s), s.setup.rulings)
    if bar is None:
        options.append(declared(s, "overrun", here))
        return
    yield bar
    missing = ceil(bar.ledgers[0].total - s.mp) if bar.ledgers else 0
    if not bar.ledgers or missing <= 0 or s.setup.ruled("esb_pays_ovr") == "no":
        return
    if s.esb or missing > movement.esb_most(s.setup.vehicle) or movement.entry_cost(here, s.setup.rulings).everything:
        yield Refusal("overrun_esb", f"ESB cannot bring the {missing} MP that are missing.", asl("D2.5"))
        return
    gained = changed(s, mp=s.mp + missing, esb=missing)
    exit = declared(gained, "overrun_esb", here)
    options.append(changed(exit, label=f"Overrun with {missing} MP of Excessive Speed Breakdown"))


def declared(s: State, exit: str, here: Entering) -> Exit[State]:
    """The declaration: it fixes the OVR FP (results before resolution only halve it)."""
    fp = overrun_fp(armament(s), s.setup.rulings)
    cost = movement.entry_cost(here, s.setup.rulings).mp.with_lines(movement.overrun_mp(s.setup.vehicle))
    after = changed(s, stage=Stage.BEFORE, fp=Fraction(fp.total))
    return Exit(exit, after, label=f"Overrun for {figure(Fraction(cost.total))} MP", ledgers=(cost, fp))


def cost_of(s: State) -> Cost:
    """The MP of this entry, with the overrun's when one is declared."""
    cost = movement.entry_cost(entering(s), s.setup.rulings)
    if s.stage is Stage.BEFORE:
        return Cost(cost.mp.with_lines(movement.overrun_mp(s.setup.vehicle)), cost.everything)
    return cost


@declare.step(asl("D2.5"), "Excessive Speed Breakdown", held="enter", broke_down="stays_out")
def esb(s: State) -> Node[State]:
    """The vehicle gains MP, once per MPh, unless it rolls 12 or more with its nation's DRM: then it is immobilized."""
    ledger = movement.esb_drm(s.setup.vehicle, s.esb)

    def then(dr: int) -> Exit[State]:
        if dr + ledger.total >= 12:
            stuck = changed(s, vehicle=changed(s.vehicle, hull=Hull.IMMOBILIZED))
            return Exit("broke_down", stuck, tally={"vehicle_immobilized": 1})
        return Exit("held", s)

    return Chance(ESB_DR, then, Seat.ATTACKER, (ledger,))
