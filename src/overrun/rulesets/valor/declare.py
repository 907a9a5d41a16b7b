"""The declaration: who may overrun whom, through which hexes, and what it costs (19.1, 19.3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from overrun.kernel import Decision, Exit, Node, Procedure, Refusal, Seat, changed
from overrun.rulesets.valor.figures import terrain_facts
from overrun.rulesets.valor.hexmap import vv
from overrun.rulesets.valor.opportunity import afv_beyond_stacking
from overrun.rulesets.valor.setup import Kind, Setup
from overrun.rulesets.valor.state import Fate, State

declare: Procedure[State] = Procedure("declare", "Declaration", vv("19.1"))


@declare.step(vv("19.1"), "Declare the overrun", overrun="next_hex", decline="overrun_ends")
def declaration(s: State) -> Node[State]:
    """In the Movement Phase an AFV may drive through a hex of enemy infantry, Guns or unarmored vehicles and attack it.

    No building, Bunker or enemy AFV may be in that hex, and the whole path must be legal and within its MP.
    """
    setup = s.setup
    decline = Exit("decline", changed(s, fate=Fate.NOT_MADE), label="make no overrun")
    refused = refusals(setup, approach_only=setup.rulings["declaration"] == "on_target_entry")
    if refused:
        return Decision(Seat.ATTACKER, (decline,), refused, (setup.path.ledger,))
    to = f"through {setup.target}" + (f" into {setup.leg(exit).hex}" if (exit := setup.path.exit) else " off the map")
    overrun = Exit("overrun", s, label=f"overrun {to}")
    return Decision(Seat.ATTACKER, (overrun, decline), (), (setup.path.ledger,))


@lru_cache(maxsize=1024)
def refusals(setup: Setup, approach_only: bool = False) -> tuple[Refusal, ...]:
    """Every rule that forbids the overrun of this scenario, with its figures; in rulebook order."""
    found = [*_attacker_barred(setup), *_approach_barred(setup)]
    found.extend(refusal for stage, refusal in setup.path.barred if stage == "approach")
    if not approach_only:
        found.extend(target_refusals(setup))
    return tuple(found)


@lru_cache(maxsize=1024)
def target_refusals(setup: Setup) -> tuple[Refusal, ...]:
    """Every rule that forbids the overrun from the target hex on."""
    barred = [refusal for stage, refusal in setup.path.barred if stage != "approach"]
    return (*_target_barred(setup), *_exit_barred(setup), *barred)


def _no(reason: str, section: str) -> Refusal:
    return Refusal("overrun", reason, vv(section), "overrun")


def _attacker_barred(setup: Setup) -> Iterator[Refusal]:
    afv = setup.afv
    if setup.phase != "movement":
        yield _no(f"Overruns are made in the Movement Phase, and this is the {setup.phase} phase.", "19.1")
    if afv.counter.kind is not Kind.AFV:
        yield _no(f"{afv.label} is no AFV, and only AFVs may overrun.", "19.1")
    if afv.towing:
        yield _no(f"{afv.label} tows {afv.towing}. It may unload it first and then overrun.", "19.1")
    if afv.immobile:
        yield _no(f"{afv.label} is immobile.", "18.6")
    if afv.fired:
        yield _no(f"{afv.label} has a Fire marker, and only units without one may move.", "5.33")
    if afv.moved:
        yield _no(f"{afv.label} has a Move marker.", "5.33")
    if setup.rulings["reverse_overrun"] == "forbidden" and any(leg.reverse for leg in setup.path.legs):
        yield _no("The ruling reverse_overrun forbids an overrun in reverse.", "7.2")
    if not afv.counter.printed_apfp and not any(_adds_apfp(setup)):
        yield _no(f"{afv.label} has no APFP, nor have its passengers: there would be no attack.", "19.4")


def _adds_apfp(setup: Setup) -> Iterator[bool]:
    for unit in setup.passengers:
        yield bool(unit.counter.apfp or any(weapon.apfp for weapon in unit.weapons))


def _approach_barred(setup: Setup) -> Iterator[Refusal]:
    approach = {leg.hex for leg in setup.path.legs[: setup.path.target]}
    for unit in setup.units:
        if unit.hex in approach and unit.counter.kind is not Kind.SNIPER:
            yield _no(f"{unit.label} is in approach hex {unit.hex}; an enemy hex is entered only to overrun it.", "6.8")


def _target_barred(setup: Setup) -> Iterator[Refusal]:
    target, here = setup.target, [unit for unit in setup.units if unit.hex == setup.target]
    ground = setup.board[target]
    if ground.position and terrain_facts("position", ground.position).get("bunker"):
        yield _no(f"Target hex {target} holds a Bunker.", "19.1")
    for unit in here:
        if unit.counter.kind is Kind.AFV:
            yield _no(f"{unit.label} is an enemy AFV in target hex {target}.", "19.1")
    if not any(unit.counter.kind.target for unit in here):
        yield _no(f"No enemy infantry, Gun or unarmored vehicle is in target hex {target}.", "19.1")


def _exit_barred(setup: Setup) -> Iterator[Refusal]:
    if (exit := setup.path.exit) is None:
        return
    hex = setup.leg(exit).hex
    for unit in setup.units:
        if unit.hex == hex and unit.counter.kind is not Kind.SNIPER:
            yield _no(f"{unit.label} is in exit hex {hex}; an enemy hex is entered only to overrun it.", "6.8")
    if afv_beyond_stacking(setup, exit):
        yield _no(f"Exit hex {hex} holds too many friends for {setup.afv.label} to stop there.", "6.9")
