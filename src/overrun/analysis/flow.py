"""How likely each step is reached and each exit taken: the chances that a flowchart shows."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from overrun.analysis.answer import Pricing
from overrun.analysis.odds import odds
from overrun.kernel import Call, Chance, Decision, Each, Exit, Node, Rules, Step


@dataclass(frozen=True, slots=True)
class Flow:
    """The exact chance that each step is reached, and each exit taken, at least once."""

    steps: Mapping[str, Fraction]
    exits: Mapping[tuple[str, str], Fraction]


def flow(pricing: Pricing) -> Flow:
    """The chances of all steps and exits under the policy of a pricing. Raises `TooLarge`."""
    rules = counting(pricing.ruleset.rules)
    steps = {step: f"at {step}" for step in rules.steps}
    exits = {(step.id, exit): f"by {step.id}.{exit}" for step in rules.steps.values() for exit in step.exits}
    counters = [*steps.values(), *exits.values()]
    found = odds(rules, pricing.situation.start, pricing.choice, "", counters).measures
    return Flow(
        {step: found[counter].at_least(1) for step, counter in steps.items()},
        {exit: found[counter].at_least(1) for exit, counter in exits.items()},
    )


def counting(rules: Rules[Any]) -> Rules[Any]:
    """The same rules, but every exit counts that it was taken, and nothing else is counted."""
    counted = copy(rules)
    counted.steps = {id: _counting(rules, step) for id, step in rules.steps.items()}
    return counted


def _counting(rules: Rules[Any], step: Step[Any]) -> Step[Any]:
    def mark(exit: Exit[Any]) -> Exit[Any]:
        tally = {f"at {step.id}": 1, f"by {step.id}.{exit.name}": 1}
        target = rules.target(step.id, exit)
        if isinstance(target, str) and not rules.steps[target].exits:
            tally[f"at {target}"] = 1
        return Exit(exit.name, exit.state, exit.detail, tally)

    def body(state: Any) -> Node[Any]:
        node = step.body(state)
        match node:
            case Exit():
                return mark(node)
            case Decision(seat=seat, options=options):
                return Decision(seat, tuple(map(mark, options)))
            case Chance(dice=dice, then=then, seat=seat):
                return Chance(dice, lambda value: mark(then(value)), seat)
            case Call(procedure=procedure, sub=sub, then=leave):
                return Call(procedure, sub, lambda back: mark(leave(back)))
            case Each(procedure=procedure, subs=subs, state=start, fold=fold, then=finish):
                return Each(procedure, subs, start, fold, lambda s: mark(finish(s)))
        return node

    return replace(step, body=body)
