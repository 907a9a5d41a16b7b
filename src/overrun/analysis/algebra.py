"""What an exact answer is: its value at an end, and how answers mix over weighted branches.

The graph of a game, the odds under a policy and the chance of one measure are all algebras of the one pass in
`induction`, so none of them can read the rules differently.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from overrun.analysis.tally import Tally
from overrun.kernel import Decision, Exit

Key = tuple[str, Hashable]
"""A step and what later steps read of the state there."""

A = TypeVar("A")
Branch = tuple[int, Tally, A]
"""Integer weight, what is counted on the way, and the answer there."""

Gained = Mapping[str, int]
"""Of each measure what some branches count: the sum of weight times count."""

Choice = Callable[[Key, Decision[Any]], Sequence[tuple[Exit[Any], int]]]
"""A policy: the exits a seat takes at a decision, with integer weights. None at all: the seat decides for itself."""


class Algebra(Protocol[A]):
    """What an answer is.

    An algebra of `means` needs of what is counted only the mean: branches to one position are then one branch, and what
    they count is summed up in `gained`, weighted as they are. Any other algebra gets each tally on a branch of its own.
    """

    @property
    def means(self) -> bool:
        """Does the mean of what is counted do?"""

    def end(self, outcome: str) -> A:
        """The answer where the overrun is over."""

    def mix(self, branches: Sequence[Branch[A]], gained: Gained) -> A:
        """The answer before branches whose weights are proportional to their chances."""

    def decide(self, key: Key, node: Decision[Any], options: Sequence[tuple[str, Tally, A]]) -> A:
        """The answer where a seat chooses; never asked when a policy chooses for it."""


NOTHING: Gained = MappingProxyType({})
