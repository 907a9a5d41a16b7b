"""Physical dice, and the one thing that a rule reads from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from math import comb, prod
from typing import Generic, TypeVar

from overrun.kernel.errors import PlayError

T = TypeVar("T")
Face = tuple[int, ...]


@dataclass(frozen=True)
class Dice(Generic[T]):
    """Some dice of given `sides`, and `read`: what the rule takes from their faces.

    A rule can branch only on what it reads, so eleven sums make eleven branches, not 36. The faces stay in the log.

    >>> Dice("2d6", (6, 6), sum).outcomes[:3]
    ((2, 1), (3, 2), (4, 3))
    """

    name: str
    sides: tuple[int, ...]
    read: Callable[[Face], T]
    labels: tuple[str, ...] = ()
    known: tuple[tuple[T, int], ...] | None = field(default=None, repr=False)
    """Distribution given in closed form, for pools too large to enumerate; must equal the enumeration."""

    @cached_property
    def outcomes(self) -> tuple[tuple[T, int], ...]:
        """Each distinct reading with its integer weight; the weights sum to `total`."""
        if self.known is not None:
            return self.known
        merged: dict[T, int] = {}
        for face in product(*(range(1, side + 1) for side in self.sides)):
            value = self.read(face)
            merged[value] = merged.get(value, 0) + 1
        return tuple(merged.items())

    @cached_property
    def total(self) -> int:
        """How many equally likely ways the dice can fall."""
        return prod(self.sides)

    def checked(self, face: Face) -> Face:
        """The faces unchanged, or `PlayError` when these dice cannot show them."""
        if face in _faces(self.sides):
            return face
        if len(face) != len(self.sides):
            raise PlayError(f"{self.name} needs {len(self.sides)} dice; {len(face)} given.")
        for value, side in zip(face, self.sides, strict=True):
            if not 1 <= value <= side:
                raise PlayError(f"{self.name}: a die shows 1 to {side}, not {value}.")
        return face


@lru_cache
def _faces(sides: tuple[int, ...]) -> frozenset[Face]:
    """Every way some dice can fall, where there are few; none where listing them would cost more than it saves."""
    return frozenset(product(*(range(1, side + 1) for side in sides)) if prod(sides) <= 1296 else ())


def pool(name: str, dice: int, at_least: int, sides: int = 6) -> Dice[int]:
    """`dice` dice rolled together, read as how many show `at_least` or more (a binomial count).

    >>> pool("to hit", 2, 4).outcomes
    ((0, 9), (1, 18), (2, 9))
    """
    good = min(max(sides + 1 - at_least, 0), sides)
    bad = sides - good
    known = tuple((k, weight) for k in range(dice + 1) if (weight := comb(dice, k) * good**k * bad ** (dice - k)))
    return Dice(name, (sides,) * dice, lambda face: sum(value >= at_least for value in face), known=known)
