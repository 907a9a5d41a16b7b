"""Named cuts of options, for situations too large for all of them. Best play under one is a bound, and says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from overrun.kernel import Decision, Exit, Position, Restriction, changed
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import Mode
from overrun.rulesets.asl.lean import may_return
from overrun.rulesets.asl.setup import Fired
from overrun.rulesets.asl.state import Act, Means, State, Unit

LATE = frozenset({Mode.SFF, Mode.FPF})
ATTACKS = 3


def _acts(fits: Callable[[State, Act], bool]) -> Callable[[Position[Any], Decision[Any]], Sequence[Exit[Any]]]:
    """Keep the defensive attacks that fit, and everything that is no attack."""

    def keep(position: Position[Any], node: Decision[Any]) -> Sequence[Exit[Any]]:
        if not position.step.endswith(".choose"):
            return node.options
        kept = [exit for exit in node.options if exit.state.act is None or fits(position.state, exit.state.act)]
        return kept or node.options

    return keep


def _who(act: Act) -> tuple[Unit, ...]:
    return act.units if act.leader is None else (*act.units, act.leader)


def _prompt(s: State, act: Act) -> bool:
    """Nobody marked takes part, but where he must; a Gun may still use Intensive Fire."""
    if act.means is Means.GUN:
        return act.mode not in LATE or act.units[0].owes
    return all(unit.owes or not unit.marked for unit in _who(act))


def _few(s: State, act: Act) -> bool:
    return all(unit.owes or unit.shots < ATTACKS for unit in _who(act))


def _tired(tires: Callable[[State, Unit], bool]) -> Callable[[str, Any], Any]:
    """Forget what only more attacks of a tired unit would read: it is as one that has made all it may.

    Attacks before the OVR do not tire a unit that will owe a Reaction Fire, nor one that mans a Gun.
    """

    def live(step: str, s: State) -> State:
        if s.act is not None or not s.units or may_return(s):
            return s
        most = max(1, s.spent)

        def rested(unit: Unit) -> Unit:
            owes = unit.owes or (s.stage is not Stage.AFTER and unit.fired is not Fired.FIRST)
            if owes or unit.guns or unit.broken or not tires(s, unit):
                return unit
            arms = tuple(sorted(changed(arm, fired=Fired.FIRST) for arm in unit.arms))
            return changed(unit, fired=Fired.FIRST, shots=most, uses=0, cc=False, paatc=False, arms=arms)

        return s.with_units(map(rested, s.units))

    return live


def _no_bounding_fire(position: Position[Any], node: Decision[Any]) -> Sequence[Exit[Any]]:
    return [exit for exit in node.options if exit.name == "hold"] if position.step == "bounding" else node.options


def _declared(position: Position[Any], node: Decision[Any]) -> Sequence[Exit[Any]]:
    """Before entry: the overrun if there is one to declare, else the entry."""
    if position.step != "approach":
        return node.options
    for name in ("overrun", "overrun_esb", "enter"):
        if kept := [exit for exit in node.options if exit.name == name]:
            return kept
    return node.options


RESTRICTIONS: tuple[Restriction, ...] = (
    Restriction(
        "no_late_fire_by_choice",
        "who is marked with a fire counter attacks, directs or joins only where he must (D7.212)",
        _acts(_prompt),
        _tired(lambda s, unit: unit.marked),
    ),
    Restriction(
        "three_attacks",
        "a unit attacks the vehicle at most three times, as First Fire, SFF and FPF",
        _acts(_few),
        _tired(lambda s, unit: unit.shots >= ATTACKS),
    ),
    Restriction(
        "no_bounding_fire", "a vehicle that makes no OVR makes no Bounding First Fire either", _no_bounding_fire
    ),
    Restriction("overrun_declared", "the vehicle declares its OVR, or enters where it cannot", _declared),
)
