"""What is counted on the way: increments of measures, as values that can be added, compared and remembered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

Tally = tuple[tuple[str, int], ...]
"""Increments of named measures, sorted by name; zero increments left out."""


def counted(tally: Mapping[str, int]) -> Tally:
    """The tally of an exit as a value."""
    return tuple(tally.items()) if len(tally) == 1 else tuple(sorted(tally.items()))


@lru_cache(maxsize=65_536)
def _sum(one: Tally, two: Tally) -> Tally:
    counts = dict(one)
    for name, count in two:
        counts[name] = counts.get(name, 0) + count
    return tuple(sorted(counts.items()))


def plus(one: Tally, two: Tally) -> Tally:
    """The sum of two tallies."""
    if not one or not two:
        return one or two
    return _sum(one, two)
