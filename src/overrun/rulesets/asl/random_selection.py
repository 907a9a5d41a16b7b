"""Random Selection (A.9): a dr for each unit, the highest are hit, and ties for the last place are all hit."""

from __future__ import annotations

from functools import cache
from math import comb


def selected(faces: tuple[int, ...], slots: int) -> tuple[bool, ...]:
    """Which of the units that rolled `faces` are hit when `slots` of them are to be.

    >>> selected((6, 2, 6, 1), 1)
    (True, False, True, False)
    """
    if slots <= 0:
        return (False,) * len(faces)
    last = sorted(faces, reverse=True)[min(slots, len(faces)) - 1]
    return tuple(face >= last for face in faces)


@cache
def counts(units: int, slots: int) -> tuple[tuple[int, int], ...]:
    """How many units are hit, each number with its weight out of 6**units.

    Given the number, every subset of that size is equally likely, since the units' dice are alike.

    >>> counts(2, 1)
    ((1, 30), (2, 6))
    """
    if slots <= 0:
        return ((0, 6**units),)
    if slots >= units:
        return ((units, 6**units),)
    weights: dict[int, int] = {}
    for last in range(1, 7):
        for hit in range(slots, units + 1):
            ways = sum(comb(hit, above) * (6 - last) ** above for above in range(slots))
            weight = comb(units, hit) * ways * (last - 1) ** (units - hit)
            if weight:
                weights[hit] = weights.get(hit, 0) + weight
    return tuple(sorted(weights.items()))
