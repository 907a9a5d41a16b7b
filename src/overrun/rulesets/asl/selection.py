"""Random Selection as dice: which of several units a roll picks."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

from overrun.kernel import Dice
from overrun.rulesets.asl.random_selection import counts, selected

Picked = tuple[bool, ...]


@cache
def random_selection(units: int, slots: int) -> Dice[Picked]:
    """One dr for each of `units`; read as which of them are picked when `slots` are wanted (ties included)."""
    known: list[tuple[Picked, int]] = []
    for number, weight in counts(units, slots):
        share = weight // comb(units, number)
        for chosen in combinations(range(units), number):
            known.append((tuple(index in chosen for index in range(units)), share))
    return Dice(
        "Random Selection",
        (6,) * units,
        lambda faces: selected(faces, slots),
        tuple(f"target {index + 1}" for index in range(units)),
        tuple(known),
    )
