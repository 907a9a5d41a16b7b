"""Sampling: an answer with an error, always labelled, never chosen silently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

from overrun.analysis.algebra import Choice
from overrun.kernel import Chance, Decision, End, Position, Rules
from overrun.play.session import Session, Walk, throw


@dataclass(frozen=True, slots=True)
class Estimate:
    """A sampled mean and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class Sampled:
    """A sampled answer: how many overruns were played, from which seed, and what they gave."""

    policy: str
    overruns: int
    seed: int
    measures: Mapping[str, Estimate]
    outcomes: Mapping[str, Estimate]
    method: str = "sampled"


def sample(
    rules: Rules[Any],
    start: Position[Any],
    choice: Choice,
    policy: str,
    measures: Sequence[str],
    *,
    overruns: int,
    seed: int,
) -> Sampled:
    """Play `overruns` seeded overruns with generated dice under a policy; means with their standard errors."""
    random = Random(seed)
    sums: dict[str, tuple[int, int]] = dict.fromkeys(measures, (0, 0))
    outcomes: dict[str, int] = {}
    walk = Walk(rules)
    for _ in range(overruns):
        session = Session(rules, start, walk)
        while not isinstance(node := session.node, End):
            if isinstance(node, Chance):
                session.roll(throw(node.dice, random))
            else:
                session.choose(_drawn(choice, session, node, random))
        outcomes[node.outcome] = outcomes.get(node.outcome, 0) + 1
        for name, count in session.tally().items():
            if name in sums:
                total, squares = sums[name]
                sums[name] = total + count, squares + count * count
    return Sampled(
        policy,
        overruns,
        seed,
        {name: _estimate(total, squares, overruns) for name, (total, squares) in sums.items()},
        {outcome: _estimate(count, count, overruns) for outcome, count in sorted(outcomes.items())},
    )


def _drawn(choice: Choice, session: Session, node: Decision[Any], random: Random) -> str:
    step = session.position.step
    exits = choice((step, session.rules.live(step, session.position.state)), node)
    return random.choices([exit.id for exit, _ in exits], [weight for _, weight in exits])[0]


def _estimate(total: int, squares: int, count: int) -> Estimate:
    mean = total / count
    variance = max(squares / count - mean * mean, 0.0) * count / max(count - 1, 1)
    return Estimate(mean, sqrt(variance / count))
