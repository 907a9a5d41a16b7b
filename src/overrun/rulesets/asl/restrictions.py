"""Named cuts of options, for situations too large for all of them. Best play under one is a bound, and says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from overrun.kernel import Decision, Exit, Position, Restriction
from overrun.rulesets.asl.defensive_table import Mode
from overrun.rulesets.asl.state import Act, State

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


def _prompt(s: State, act: Act) -> bool:
    return act.mode not in LATE or any(unit.owes for unit in act.units)


def _few(s: State, act: Act) -> bool:
    return all(unit.shots < ATTACKS or unit.owes for unit in act.units)


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
        "no_late_fire_by_choice", "SFF and FPF are made only where they are mandatory (D7.212)", _acts(_prompt)
    ),
    Restriction(
        "three_attacks", "a unit attacks the vehicle at most three times, as First Fire, SFF and FPF", _acts(_few)
    ),
    Restriction(
        "no_bounding_fire", "a vehicle that makes no OVR makes no Bounding First Fire either", _no_bounding_fire
    ),
    Restriction("overrun_declared", "the vehicle declares its OVR, or enters where it cannot", _declared),
)
