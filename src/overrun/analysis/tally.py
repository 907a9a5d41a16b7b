"""What is counted on the way: increments of measures, as values that can be added, compared and remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd, lcm

from overrun.kernel.frozen import quick

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
    return tuple(sorted(item for item in counts.items() if item[1]))


def plus(one: Tally, two: Tally) -> Tally:
    """The sum of two tallies."""
    if not one or not two:
        return one or two
    return _sum(one, two)


@quick
@dataclass(frozen=True, slots=True, eq=False)
class Varied:
    """Of each measure how its count is distributed: the weights of its counts other than 0, out of `of`."""

    counts: Mapping[str, Mapping[int, int]]
    of: int

    def plus(self, other: Varied) -> Varied:
        """Both counted, one independently of the other."""
        counts: dict[str, Mapping[int, int]] = {}
        for name, mine in self.counts.items():
            more = other.counts.get(name)
            if more is None:
                counts[name] = {count: w * other.of for count, w in mine.items()}
                continue
            none, nothing = self.of - sum(mine.values()), other.of - sum(more.values())
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
                counts[name] = {count: w * self.of for count, w in more.items()}
        return Varied(counts, self.of * other.of)


@quick
@dataclass(frozen=True, slots=True)
class Spread:
    """Each measure for itself: how its count is distributed, without the table of all measures together.

    It is one branch among others, as likely as `weight` says. What is certain to be counted on it is `sure`, and what
    may come on top of that is `varied`. So what only makes a branch rarer, or counts more on all of it, copies no
    distribution.
    """

    weight: int = 1
    sure: Tally = ()
    varied: Varied | None = None

    def after(self, tally: Tally) -> Spread:
        """The same when a tally is counted as well; a count of 0 counts nothing.

        >>> Spread().after((("hits", 2), ("misses", 0)))
        Spread(weight=1, sure=(('hits', 2),), varied=None)
        """
        return Spread(self.weight, plus(self.sure, counted(dict(tally))), self.varied) if tally else self

    def weighing(self, weight: int) -> Spread:
        """The same, as likely as another weight says."""
        return self if weight == self.weight else Spread(weight, self.sure, self.varied)

    def plus(self, other: Spread) -> Spread:
        """Both counted, one independently of the other.

        >>> coin = Spread(1, (), Varied({"hits": {1: 1}}, 2))
        >>> coin.plus(coin).weights("hits")
        {1: 2, 2: 1, 0: 1}
        """
        mine, more = self.varied, other.varied
        both = mine if more is None else more if mine is None else mine.plus(more)
        return Spread(self.weight * other.weight, plus(self.sure, other.sure), both)

    def weights(self, name: str) -> dict[int, int]:
        """The weights of the counts of one measure, in proportion; what cannot happen is left out."""
        sure = dict(self.sure).get(name, 0)
        if self.varied is None:
            return {sure: 1}
        counts = self.varied.counts.get(name, {})
        found = {sure + count: w for count, w in counts.items()}
        if rest := self.varied.of - sum(counts.values()):
            found[sure] = rest
        return found


LONG = 1 << 120
"""From here on numbers are brought to lowest terms."""
ALONE = Spread()
"""The only branch, on which nothing is counted."""


def mixed(spreads: Sequence[Spread]) -> Spread:
    """One of several spreads, each as likely as its weight says."""
    first = spreads[0]
    if len(spreads) == 1:
        return first
    weight = sum(spread.weight for spread in spreads)
    shared = first.sure
    if any(spread.sure != shared for spread in spreads):
        shared = tuple(sorted(set(shared).intersection(*(spread.sure for spread in spreads))))
    elif all(spread.varied is first.varied for spread in spreads):
        return first.weighing(weight)
    common = lcm(*{spread.varied.of for spread in spreads if spread.varied is not None})
    counts = dict[str, dict[int, int]]()
    for spread in spreads:
        shifts = dict(spread.sure)
        for name, _ in shared:
            del shifts[name]
        if (varied := spread.varied) is not None:
            times = spread.weight * (common // varied.of)
            for name, besides in varied.counts.items():
                shift = shifts.pop(name, 0)
                weights = _moved(besides, shift, varied.of) if shift else besides
                into = counts.get(name)
                if into is None:
                    counts[name] = {count: w * times for count, w in weights.items()}
                    continue
                for count, w in weights.items():
                    into[count] = into.get(count, 0) + w * times
        for name, count in shifts.items():
            into = counts.setdefault(name, {})
            into[count] = into.get(count, 0) + spread.weight * common
    return Spread(weight, shared, _handy(counts, common * weight))


def _moved(weights: Mapping[int, int], shift: int, of: int) -> dict[int, int]:
    moved = {shift + count: w for count, w in weights.items()}
    if rest := of - sum(weights.values()):
        moved[shift] = rest
    return moved


def _handy(counts: dict[str, dict[int, int]], of: int) -> Varied:
    """In lowest terms where the numbers become long: over many sums they would grow to hundreds of digits."""
    for weights in counts.values():
        weights.pop(0, None)
    if of < LONG:
        return Varied(counts, of)
    common = of
    for weights in counts.values():
        common = gcd(common, *weights.values())
    less = {name: {count: w // common for count, w in weights.items()} for name, weights in counts.items()}
    return Varied(less, of // common)
