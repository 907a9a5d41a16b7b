"""The approach: hex by hex, mines and Opportunity Fire, until the AFV stands before the target hex (19.2)."""

from __future__ import annotations

from overrun.kernel import Call, Decision, Exit, Node, Procedure, Returned, Seat, changed
from overrun.rulesets.valor.anti_tank_fire import anti_tank_fire
from overrun.rulesets.valor.declare import target_refusals
from overrun.rulesets.valor.hexmap import vv
from overrun.rulesets.valor.mines import mines
from overrun.rulesets.valor.opportunity import afv_beyond_stacking, shots
from overrun.rulesets.valor.outcome import AFV_STUCK, afv_eliminated, afv_lost, without_snipers
from overrun.rulesets.valor.state import Fate, State

approach: Procedure[State] = Procedure("approach", "Approach", vv("19.2"))
approach_mines = mines.mounted(
    "approach_mines", "Mines in an approach hex", passed="approach_fire", eliminated="overrun_ends"
)


@approach.step(vv("19.3"), "Next hex", entered="approach_mines.roll", target_next="commitment", immobile="overrun_ends")
def next_hex(s: State) -> Node[State]:
    """The AFV enters its path hex by hex, paying MP; one that was immobilised stays where it is, without an overrun."""
    if s.immobile:
        return Exit("immobile", changed(s, fate=Fate.IMMOBILISED_ON_APPROACH), tally=AFV_STUCK)
    if s.leg + 1 == s.setup.path.target:
        return Exit("target_next", s)
    hex = s.setup.leg(s.leg + 1).hex
    state, tally = without_snipers(changed(s, leg=s.leg + 1), hex)
    return Exit("entered", state, tally=tally, label=f"enters {hex}")


@approach.step(
    vv("19.2"), "Opportunity Fire on the approach", fire="approach_shot", hold="next_hex", no_eligible_unit="next_hex"
)
def approach_fire(s: State) -> Node[State]:
    """As the AFV enters a hex, any able enemy without pin or Fire marker may fire, those in the target hex too.

    Each unit makes one AT attack and is Fire-marked; one leader in its hex may modify the roll and is marked as well.
    """
    options, refused = shots(s, final=False)
    if not options:
        return Exit("no_eligible_unit", s, label="no unit can fire an AT weapon at this hex")
    return Decision(Seat.DEFENDER, (*options, Exit("hold", s, label="hold fire")), refused)


@approach.step(
    vv("18"),
    "AT attack on the approach",
    calls=(anti_tank_fire.id,),
    unharmed="approach_fire",
    immobilised="approach_fire",
    eliminated="overrun_ends",
)
def approach_shot(s: State) -> Node[State]:
    """The attack is rolled. An eliminated AFV is removed with all aboard; an immobile one may be shot at again."""
    return Call(anti_tank_fire.id, s.shot, lambda returned: after_shot(s, returned))


def after_shot(s: State, returned: Returned) -> Exit[State]:
    """The exit of a shot: the firer's valor, the AFV's fate."""
    assert s.firer is not None
    units = s.units
    if returned.state.valorous:
        firer = changed(units[s.firer], valorous=True)
        units = (*units[: s.firer], firer, *units[s.firer + 1 :])
    state = changed(s, units=units, shot=None, firer=None).ordered()
    stuck = returned.exit == "immobilised"
    if returned.exit == "eliminated" or (stuck and not s.immobile and afv_beyond_stacking(s.setup, s.leg)):
        return Exit("eliminated", afv_eliminated(state), tally=afv_lost(s.setup))
    return Exit(returned.exit, changed(state, immobile=stuck))


@approach.step(vv("19.3"), "Into the target hex", committed="enter_target", enter="enter_target", stop="overrun_ends")
def commitment(s: State) -> Node[State]:
    """An overrun declared with its whole path goes on; under the other reading the AFV may still stop here."""
    setup = s.setup
    if setup.rulings["declaration"] == "whole_path":
        return Exit("committed", s)
    stop = Exit("stop", changed(s, fate=Fate.STOPPED), label=f"stop before {setup.target}")
    refused = tuple(changed(refusal, id="enter") for refusal in target_refusals(setup))
    if refused:
        return Decision(Seat.ATTACKER, (stop,), refused, (setup.path.ledger,))
    return Decision(Seat.ATTACKER, (Exit("enter", s, label=f"overrun {setup.target}"), stop), (), (setup.path.ledger,))
