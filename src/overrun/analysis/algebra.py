"""What an exact answer is: its value at an end, and how answers mix over weighted branches.

The graph of a game, the odds under a policy and the chance of one measure are all algebras of the one pass in
`induction`, so none of them can read the rules differently.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from overrun.analysis.tally import Spread, Tally
from overrun.kernel import Decision, Exit

Key = tuple[str, Hashable]
"""A step and what later steps read of the state there."""

A = TypeVar("A")
Branch = tuple[int, Tally, A]
"""Integer weight, what is counted on the way, and the answer there."""

Blend = tuple[Spread, A]
"""How each measure is distributed on the way, out of the branch's weight, and the answer there."""

Gained = Mapping[str, int]
"""Of each measure what some branches count: the sum of weight times count."""

Choice = Callable[[Key, Decision[Any]], Sequence[tuple[Exit[Any], int]]]
"""A policy: the exits a seat takes at a decision, with integer weights. None at all: the seat decides for itself."""


class Counting(StrEnum):
    """What an algebra needs of what is counted."""

    TOGETHER = "together"
    """Each tally of all measures, on a branch of its own."""
    SEPARATE = "separate"
    """Each measure's own distribution: branches to one position are one, asked for by `blend`."""
    MEANS = "means"
    """The mean: branches to one position are one, and what they count is summed up in `gained`."""


class Algebra(Protocol[A]):
    """What an answer is."""

    @property
    def counting(self) -> Counting:
        """What it needs of what is counted."""

    def end(self, outcome: str) -> A:
        """The answer where the overrun is over."""

    def mix(self, branches: Sequence[Branch[A]], gained: Gained) -> A:
        """The answer before branches whose weights are proportional to their chances."""

    def decide(self, key: Key, node: Decision[Any], options: Sequence[tuple[str, Tally, A]]) -> A:
        """The answer where a seat chooses; never asked when a policy chooses for it."""


class Separate(Algebra[A], Protocol[A]):
    """An algebra that counts each measure for itself."""

    def blend(self, branches: Sequence[Blend[A]]) -> A:
        """The answer before branches whose weights, the totals of their spreads, are proportional to their chances."""


NOTHING: Gained = MappingProxyType({})
