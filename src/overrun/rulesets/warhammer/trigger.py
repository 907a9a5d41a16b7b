"""May the unit overrun, must it, and does it? (W-01, W-02, W-05; fact sheet section 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from overrun.kernel import Chance, Decision, Exit, Node, Procedure, Refusal, Seat
from overrun.rulesets.warhammer import path
from overrun.rulesets.warhammer.distance import TWO_DICE
from overrun.rulesets.warhammer.editions import EDITIONS
from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.rulings import wfb
from overrun.rulesets.warhammer.setup import Fate, Kind, Own, Setup
from overrun.rulesets.warhammer.shapes import touching
from overrun.rulesets.warhammer.state import State

trigger: Procedure[State] = Procedure("trigger", "May it overrun?", wfb("overrun"))


def refusals(setup: Setup) -> Iterator[Refusal]:
    """Every reason against the overrun, each with its rule."""
    combat, mover = setup.combat, setup.mover
    if combat.round > 1:
        yield _no("round", f"the enemy fell in round {combat.round}; only the first round allows it")
    yield from _fates(setup)
    if not combat.charged and setup.ruled("trigger_requires_charge", "yes"):
        yield _no("charge", "the unit did not charge this turn, and the ruling trigger_requires_charge asks for it")
    if mover.fleeing:
        yield _no("fleeing", "the unit is fleeing", "fleeing")
    if mover.kind is Kind.WAR_MACHINE:
        yield _no("crew", "a crew leaves its machine only to man another or to flee", "war machines")
    if mover.in_building:
        yield _no("building", "the unit holds a building and cannot charge out of it", "buildings")
    yield from _others(setup)
    if combat.struck_on is not Facing.FRONT and setup.ruled("heading_conflict", "disallow"):
        yield _no("heading", f"the enemy stood on its {combat.struck_on}, and the ruling heading_conflict disallows it")


def _fates(setup: Setup) -> Iterator[Refusal]:
    combat = setup.combat
    fates = {opponent.fate for opponent in combat.opponents}
    slain = fates & {Fate.SLAIN, Fate.TO_BE_FOUGHT, Fate.CRUMBLED}
    for opponent in combat.opponents:
        match opponent.fate:
            case Fate.FIGHTS_ON:
                yield _no("still fighting", f"{opponent.name} is still fighting in this combat")
            case Fate.BROKE if not slain:
                yield _no("broke", f"{opponent.name} broke and was not slain: that is a pursuit", "pursuit")
            case Fate.BROKE if setup.ruled("mixed_outcome", "pursuit"):
                yield _no("broke", f"{opponent.name} broke: the unit may pursue it but not overrun", "pursuit")
            case Fate.CAUGHT:
                yield _no("caught", f"{opponent.name} was caught fleeing: the pursuit was this unit's move", "pursuit")
            case Fate.FLED_CHARGE:
                yield _no("fled", f"{opponent.name} fled from the charge: there was no combat", "charge reactions")
            case Fate.ABANDONED_MACHINE:
                yield _no("machine", f"{opponent.name} was an abandoned machine: there was no combat", "war machines")
            case Fate.CRUMBLED if setup.ruled("crumble_counts", "no"):
                yield _no("crumbled", f"{opponent.name} crumbled and was not slain, by the ruling crumble_counts")


def _others(setup: Setup) -> Iterator[Refusal]:
    mover = setup.mover
    for unit in path.standing(setup):
        if unit.side is Own.ENEMY and any(touching(a, b) for a in mover.pieces for b in unit.pieces):
            yield _no("contact", f"{unit.name} is still in contact with it")
        rival = unit.side is Own.OWN and unit.overruns_too and unit.strength > mover.strength
        if rival and setup.ruled("us_order", "highest_unit_strength"):
            why = f"{unit.name} (unit strength {unit.strength}) overruns before it (unit strength {mover.strength})"
            yield _no("order", f"{why}: place that unit where its move ends and unmark it", "pursuit")


def _no(id: str, reason: str, section: str = "overrun") -> Refusal:
    return Refusal(f"overrun:{id}", f"{reason}.", wfb(section), "Overrun")


def _wiped_out(setup: Setup) -> bool:
    """Is every opponent slain, whatever else may forbid the overrun? Those still to be fought are by now."""
    slain = {Fate.SLAIN, Fate.TO_BE_FOUGHT} | ({Fate.CRUMBLED} if setup.ruled("crumble_counts", "yes") else set())
    return all(opponent.fate in slain for opponent in setup.combat.opponents)


@trigger.step(wfb("overrun"), "All opponents slain in the first round?", may="choose", remain="finish")
def eligible(s: State) -> Node[State]:
    """A unit may overrun when every opponent of its combat was slain in the first round and nothing holds it."""
    found, tally = tuple(refusals(s.setup)), {"wiped_out": 1} if _wiped_out(s.setup) else None
    if not found:
        return Exit("may", s, tally=tally)
    stay = Exit("remain", replace(s, ending="not_allowed"), tally=tally, label="Stay: it may not overrun")
    return Decision(Seat.ATTACKER, (stay,), (replace(found[0], id="overrun"), *found[1:]))


def compelled(setup: Setup) -> Refusal | None:
    """Why the unit must overrun, as the refusal of staying put."""
    if setup.mover.frenzy:
        why = "frenzied units always overrun"
        if setup.combat.defends_obstacle:
            why += ", even from behind an obstacle"
        return Refusal("stay", f"{why}.", wfb("frenzy"), "Stay")
    if setup.ruled("hatred_compels", "yes") and any(opponent.hated for opponent in setup.combat.opponents):
        return Refusal("stay", "it hated the enemy that it wiped out, and hatred compels.", wfb("hatred"), "Stay")
    return None


@trigger.step(wfb("overrun"), "Overrun or stay", overrun="roll", stay="finish", restrain="restraint")
def choose(s: State) -> Node[State]:
    """The player may keep the unit where it is, unless something compels it. Once moving, it must charge if it can."""
    go = Exit("overrun", s, tally={"overruns": 1}, label="Overrun")
    must = compelled(s.setup)
    if must is not None:
        return Decision(Seat.ATTACKER, (go,), (must,))
    if EDITIONS[s.setup.edition].must_restrain:
        return Decision(Seat.ATTACKER, (go, Exit("restrain", s, label="Try to stay")))
    stay = Exit("stay", replace(s, ending="stayed"), label="Stay; no test is needed")
    return Decision(Seat.ATTACKER, (go, stay))


@trigger.step(EDITIONS["tow"].cite, "Restraint", restrained="finish", carried_on="roll")
def restraint(s: State) -> Node[State]:
    """In The Old World staying needs a Leadership test on two dice; a unit that fails overruns."""
    leadership = s.setup.mover.leadership or 0

    def then(total: int) -> Exit[State]:
        if total <= leadership:
            return Exit("restrained", replace(s, ending="stayed"))
        return Exit("carried_on", s, tally={"overruns": 1})

    return Chance(TWO_DICE, then, Seat.ATTACKER)
