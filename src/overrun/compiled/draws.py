"""Tables from which a whole arc is drawn with one 64-bit number, and the numbers: the same in every arithmetic.

The upper half of a draw picks a column, the lower half decides between the column's two arcs (Walker's alias method).
Thresholds are cut to 32 bits, so a chance may be off by 2^-32: far below what a sample can show, and only samples use
it. Draw j of chain i is `mixed(start(seed, i) + (j + 1) x GOLDEN)`: chains need no common state.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.policies import Weights

GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1


def mixed(number: int) -> int:
    """A 64-bit number with all its bits stirred (the finalizer of splitmix64)."""
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


def start(seed: int, chain: int) -> int:
    """Where the draws of a chain start."""
    return mixed((mixed(seed & MASK) + chain * GOLDEN) & MASK)


@dataclass(frozen=True, slots=True)
class Draws:
    """For row r the columns `first[r]` to `first[r + 1]`: each holds two arcs and the threshold of the first."""

    first: list[int]
    threshold: list[int]
    arc: list[int]
    other: list[int]


def draws(compiled: Compiled, policy: Weights) -> Draws:
    """The tables of a graph under a policy. A row that is not chosen at holds none."""
    found = Draws([0], [], [], [])
    for row, seat in enumerate(compiled.seats):
        options = [] if seat == ENDED else [option for option in compiled.options(row) if policy[option]]
        common = lcm(*(compiled.totals[option] for option in options))
        arcs, weights = list[int](), list[int]()
        for option in options:
            scale = policy[option] * common // compiled.totals[option]
            for arc in range(compiled.arcs[option], compiled.arcs[option + 1]):
                arcs.append(arc)
                weights.append(compiled.weights[arc] * scale)
        _columns(arcs, weights, found)
        found.first.append(len(found.arc))
    return found


def _columns(arcs: list[int], weights: list[int], found: Draws) -> None:
    """Fill equally likely columns: a short arc's column is topped up by a long one's."""
    count, total = len(arcs), sum(weights)
    left = [weight * count for weight in weights]
    short = [place for place, weight in enumerate(left) if weight < total]
    long = [place for place, weight in enumerate(left) if weight >= total]
    other = list(range(count))
    threshold = [2**32] * count
    while short:
        place, giver = short.pop(), long[-1]
        threshold[place], other[place] = (left[place] << 32) // total, giver
        left[giver] -= total - left[place]
        if left[giver] < total:
            short.append(long.pop())
    found.arc.extend(arcs)
    found.other.extend(arcs[place] for place in other)
    found.threshold.extend(threshold)
