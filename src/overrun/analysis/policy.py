"""Stated ways to choose: how each seat plays when odds are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from overrun.analysis.algebra import Choice, Key
from overrun.kernel import Decision, Exit, InputError, Problem, Rules, Seat


class Style(StrEnum):
    """How a seat chooses: what is best for it, each legal option with the same chance, or what the file states.

    `PLAN_ELSE_BEST`: what the file states where that is legal, and what is best where it states nothing legal.
    """

    BEST = "best"
    UNIFORM = "uniform"
    PLAN = "plan"
    PLAN_ELSE_BEST = "plan-else-best"

    @property
    def looks_ahead(self) -> bool:
        """Does the seat choose anything because it is best?"""
        return self in (Style.BEST, Style.PLAN_ELSE_BEST)


Styles = Mapping[Seat, Style]

GAP = f"the plan names no option that is legal when it comes up (policy {Style.PLAN_ELSE_BEST} fills such gaps)"
"""What is wrong with a plan that does not reach far enough."""


def read_styles(text: str, seats: Mapping[Seat, str]) -> dict[Seat, Style]:
    """A policy as a player writes it: one style for both seats, or `attacker=plan,defender=best`.

    A seat may also be called what the ruleset calls it. A seat left out plays its best. Raises `InputError`.
    """
    words = ", ".join(Style)
    if text in set(Style):
        return dict.fromkeys(Seat, Style(text))
    names = {str(seat): seat for seat in Seat} | {name.lower(): seat for seat, name in seats.items()}
    found: dict[Seat, Style] = {}
    for part in text.split(","):
        name, equals, style = (piece.strip() for piece in part.partition("="))
        seat = names.get(name.lower())
        if not equals or seat is None or style not in set(Style) or seat in found:
            allowed = f"{words}; or one for each seat, such as attacker=plan,defender=best"
            raise InputError([Problem("policy", f"{text!r} is no policy", allowed)])
        found[seat] = Style(style)
    return dict.fromkeys(Seat, Style.BEST) | found


def told(styles: Styles) -> str:
    """The policy of both seats in the words that `read_styles` reads.

    >>> told({Seat.ATTACKER: Style.PLAN, Seat.DEFENDER: Style.BEST})
    'attacker=plan,defender=best'
    """
    if len(set(styles.values())) == 1:
        return str(styles[Seat.ATTACKER])
    return ",".join(f"{seat}={styles[seat]}" for seat in Seat)


def fixed(styles: Styles, plan: Mapping[str, Sequence[str]], rules: Rules[Any]) -> Choice:
    """The choices that need no look ahead: nothing where a seat plays its best. Raises `InputError` for a bad plan."""
    ways: Mapping[Style, Choice] = {
        Style.UNIFORM: uniform,
        Style.PLAN: stated(plan, rules),
        Style.PLAN_ELSE_BEST: stated(plan, rules, _best),
        Style.BEST: _best,
    }
    return by_seat(ways[styles[Seat.ATTACKER]], ways[styles[Seat.DEFENDER]])


def _best(key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
    return ()


def uniform(key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
    """Each legal option with the same chance."""
    return [(exit, 1) for exit in node.options]


def matches(preferred: str, exit: Exit[Any]) -> bool:
    """Does a stated choice name this option: its whole id, the beginning of it up to a colon, or `*` for any?"""
    return preferred in {"*", exit.id} or exit.id.startswith(preferred + ":")


def stated(plan: Mapping[str, Sequence[str]], rules: Rules[Any], otherwise: Choice | None = None) -> Choice:
    """A plan as a policy: at each step the first of its preferred options that is legal.

    Where the plan names no legal option, the only legal one is taken; of several `otherwise` chooses, and without it
    `InputError` says which step the plan misses.
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
        if len(node.options) == 1:
            return [(node.options[0], 1)]
        if otherwise is not None:
            return otherwise(key, node)
        legal = ", ".join(exit.id for exit in node.options)
        raise InputError([Problem(f"plan.{key[0]}", GAP, legal)])

    return choice


def by_seat(attacker: Choice, defender: Choice) -> Choice:
    """One policy for each seat."""
    policies: Mapping[Seat, Callable[[Key, Decision[Any]], Sequence[tuple[Exit[Any], int]]]] = {
        Seat.ATTACKER: attacker,
        Seat.DEFENDER: defender,
    }
    return lambda key, node: policies[node.seat](key, node)
