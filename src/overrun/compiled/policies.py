"""How the seats play, on the arrays: a whole weight for each option; the others of its row have 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from overrun.analysis.policy import GAP
from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.solved import Solved
from overrun.kernel import InputError, Problem

Weights = list[int]
"""For each option of the graph how often it is chosen, against the other options of its row."""


def best(solved: Solved) -> Weights:
    """Best play of both seats."""
    weights = [0] * len(solved.compiled.names)
    for row, option in enumerate(solved.chosen):
        if solved.compiled.seats[row] != ENDED:
            weights[option] = 1
    return weights


def uniform(compiled: Compiled) -> Weights:
    """Each legal option with the same chance."""
    return [1] * len(compiled.names)


def stated(compiled: Compiled, plan: Mapping[str, Sequence[str]], otherwise: Weights | None = None) -> Weights:
    """A plan: at each step the first of its preferred options that is legal, as `analysis.policy.stated` reads it.

    Only decisions that come up under the plan have a weight.

    Where the plan names no legal option, the only legal one is taken; of several `otherwise` chooses, and without it
    `InputError` says which step the plan misses.
    """
    weights, reached = [0] * len(compiled.names), bytearray(len(compiled.seats))
    reached[compiled.root] = 1
    for row in range(compiled.root, -1, -1):
        if not reached[row] or compiled.seats[row] == ENDED:
            continue
        options = compiled.options(row)
        weights[options.start : options.stop] = _stated_at(compiled, row, plan, otherwise)
        for option in options:
            if weights[option]:
                for to in compiled.to[compiled.arcs[option] : compiled.arcs[option + 1]]:
                    reached[to] = 1
    return weights


def _stated_at(
    compiled: Compiled, row: int, plan: Mapping[str, Sequence[str]], otherwise: Weights | None
) -> Sequence[int]:
    options = compiled.options(row)
    option = _preferred(compiled, options, plan.get(compiled.words[row], ())) if row != compiled.root else None
    if option is None and len(options) == 1:
        option = options[0]
    if option is not None:
        return [int(each == option) for each in options]
    if otherwise is not None:
        return otherwise[options.start : options.stop]
    legal = ", ".join(compiled.names[each] for each in options)
    where = f"plan.{compiled.words[row]}"
    raise InputError([Problem(where, GAP, legal)])


def _preferred(compiled: Compiled, options: range, wishes: Sequence[str]) -> int | None:
    for wish in wishes:
        for option in options:
            name = compiled.names[option]
            if wish in {"*", name} or name.startswith(f"{wish}:"):
                return option
    return None
