"""Stated ways to choose: how each seat plays when odds are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from overrun.analysis.induction import Choice, Key
from overrun.kernel import Decision, Exit, InputError, Problem, Rules, Seat


def uniform(key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
    """Each legal option with the same chance."""
    return [(exit, 1) for exit in node.options]


def matches(preferred: str, exit: Exit[Any]) -> bool:
    """Does a stated choice name this option: its whole id, the beginning of it up to a colon, or `*` for any?"""
    return preferred in {"*", exit.id} or exit.id.startswith(preferred + ":")


def stated(plan: Mapping[str, Sequence[str]], rules: Rules[Any], otherwise: Choice | None = None) -> Choice:
    """A plan as a policy: at each step the first of its preferred options that is legal.

    Where the plan names no legal option, `otherwise` chooses; without it `InputError` says which step the plan misses.
    Raises `InputError` at once when the plan names a step that the rules do not have.
    """
    unknown = [step for step in plan if step not in rules.steps]
    if unknown:
        deciding = ", ".join(rules.steps)
        raise InputError(Problem(f"plan.{step}", "the rules have no such step", deciding) for step in unknown)

    def choice(key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        for preferred in plan.get(key[0], ()):
            for exit in node.options:
                if matches(preferred, exit):
                    return [(exit, 1)]
        if otherwise is not None:
            return otherwise(key, node)
        legal = ", ".join(exit.id for exit in node.options)
        raise InputError([Problem(f"plan.{key[0]}", "the plan names no option that is legal when it comes up", legal)])

    return choice


def by_seat(attacker: Choice, defender: Choice) -> Choice:
    """One policy for each seat."""
    policies: Mapping[Seat, Callable[[Key, Decision[Any]], Sequence[tuple[Exit[Any], int]]]] = {
        Seat.ATTACKER: attacker,
        Seat.DEFENDER: defender,
    }
    return lambda key, node: policies[node.seat](key, node)
