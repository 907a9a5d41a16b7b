"""What is counted on the way: increments of measures, as values that can be added, compared and remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

Tally = tuple[tuple[str, int], ...]
"""Increments of named measures, sorted by name; zero increments left out."""


def counted(tally: Mapping[str, int]) -> Tally:
    """The tally of an exit as a value.

    >>> counted({"models": 0, "contact": 1})
    (('contact', 1),)
    """
    return tuple(sorted(item for item in tally.items() if item[1]))


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


@dataclass(frozen=True, slots=True)
class Spread:
    """Each measure for itself: how its count is distributed, without the table of all measures together.

    `counts` holds of each measure the weights of its counts other than 0, out of `total`.
    """

    total: int = 1
    counts: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    def after(self, tally: Tally) -> Spread:
        """The same when a tally is counted as well; a count of 0 counts nothing.

        >>> Spread().after((("hits", 2), ("misses", 0)))
        Spread(total=1, counts={'hits': {2: 1}})
        """
        return self.plus(Spread(1, {name: {count: 1} for name, count in tally if count})) if tally else self

    def scaled(self, factor: int) -> Spread:
        """The same distributions out of a multiple of the total."""
        if factor == 1:
            return self
        counts = {name: {count: w * factor for count, w in of.items()} for name, of in self.counts.items()}
        return Spread(self.total * factor, counts)

    def plus(self, other: Spread) -> Spread:
        """Both counted, one independently of the other.

        >>> coin = Spread(2, {"hits": {1: 1}})
        >>> coin.plus(coin)
        Spread(total=4, counts={'hits': {1: 2, 2: 1}})
        """
        spread, times = self.beside(other)
        return spread.scaled(times)

    def beside(self, other: Spread) -> tuple[Spread, int]:
        """Both counted, as a spread that is `times` as likely as its total says: what is only scaled is not copied."""
        if not other.counts:
            return self, other.total
        if not self.counts:
            return other, self.total
        counts: dict[str, Mapping[int, int]] = {}
        for name, mine in self.counts.items():
            more = other.counts.get(name)
            if more is None:
                counts[name] = {count: w * other.total for count, w in mine.items()}
                continue
            none, nothing = self.total - sum(mine.values()), other.total - sum(more.values())
            both = {count: w * nothing for count, w in mine.items()} if nothing else {}
            for count, w in more.items():
                if none:
                    both[count] = both.get(count, 0) + none * w
                for own, v in mine.items():
                    both[own + count] = both.get(own + count, 0) + v * w
            both.pop(0, None)
            counts[name] = both
        for name, more in other.counts.items():
            if name not in counts:
                counts[name] = {count: w * self.total for count, w in more.items()}
        return Spread(self.total * other.total, counts), 1


def mixed(spreads: Sequence[tuple[Spread, int]]) -> Spread:
    """One of several spreads, each as likely as its total says, `times` over."""
    if len(spreads) == 1:
        spread, times = spreads[0]
        return spread.scaled(times)
    total, counts = 0, dict[str, dict[int, int]]()
    for spread, times in spreads:
        total += spread.total * times
        for name, of in spread.counts.items():
            into = counts.get(name)
            if into is None:
                counts[name] = {count: w * times for count, w in of.items()}
                continue
            for count, w in of.items():
                into[count] = into.get(count, 0) + w * times
    return Spread(total, counts)
