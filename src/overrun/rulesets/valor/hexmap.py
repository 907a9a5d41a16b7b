"""The hex map: flat-topped hexes in lettered columns, rows numbered downwards, columns B, D, F ... half a hex higher.

All geometry is exact: doubled integer coordinates, no floats.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from overrun.kernel import Cite, work
from overrun.rulesets.valor.figures import terrain_facts

vv = work("V&V")

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
"""The hexsides, clockwise. A direction is an index into this tuple; `(direction + 3) % 6` is the opposite one."""

_PRINTED = re.compile(r"([A-Z]{1,2})([1-9][0-9]?)")
_STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


class Aspect(StrEnum):
    """Which armor a shot meets: `SIDEWAYS` is the line at exactly a right angle to the facing, decided by a die."""

    FRONT = "front"
    REAR = "rear"
    SIDEWAYS = "sideways"


@dataclass(frozen=True, slots=True, order=True)
class Hex:
    """A hex by its column and its doubled height `y`; its name is printed as a letter and a row.

    >>> str(Hex.named("D4").neighbour(1)), str(Hex.named("E4").neighbour(1))
    ('E3', 'F4')
    """

    column: int
    y: int

    @classmethod
    def named(cls, name: str) -> Hex:
        """The hex printed as `name`. Raises `ValueError` when it is no hex name."""
        match = _PRINTED.fullmatch(name)
        if match is None:
            raise ValueError(f"{name!r} is no hex: write a column letter and a row, as D4")
        column = 0
        for letter in match[1]:
            column = column * 26 + ord(letter) - ord("A") + 1
        column -= 1
        return cls(column, 2 * int(match[2]) - column % 2)

    @property
    def row(self) -> int:
        """The printed row, 1 at the top."""
        return (self.y + self.column % 2) // 2

    def __str__(self) -> str:
        high, low = divmod(self.column, 26)
        return f"{chr(ord('A') + high - 1) if high else ''}{chr(ord('A') + low)}{self.row}"

    def neighbour(self, direction: int) -> Hex:
        """The adjacent hex across the hexside of that direction."""
        dx, dy = _STEPS[direction]
        return Hex(self.column + dx, self.y + dy)

    def direction(self, other: Hex) -> int | None:
        """The direction of an adjacent hex; None when it is not adjacent."""
        step = (other.column - self.column, other.y - self.y)
        return _STEPS.index(step) if step in _STEPS else None

    def distance(self, other: Hex) -> int:
        """How many hexes away: 1 for an adjacent one.

        >>> Hex.named("D2").distance(Hex.named("D4")), Hex.named("A1").distance(Hex.named("C4"))
        (2, 4)
        """
        across, down = abs(other.column - self.column), abs(other.y - self.y)
        return across + max(0, (down - across) // 2)


def _along(facing: int, dx: int, dy: int) -> int:
    """How far (dx, dy) lies in the direction of a facing, in units where an adjacent hex straight ahead is 4."""
    return (-2 * dy, 3 * dx - dy, 3 * dx + dy, 2 * dy, dy - 3 * dx, -dy - 3 * dx)[facing]


def aspect(at: Hex, facing: int, firer: Hex) -> Aspect:
    """Which armor of an AFV in `at` a shot from `firer` meets: front below 90 degrees, rear above (18.5).

    >>> aspect(Hex.named("D3"), 0, Hex.named("D2")), aspect(Hex.named("D3"), 0, Hex.named("B3"))
    (<Aspect.FRONT: 'front'>, <Aspect.SIDEWAYS: 'sideways'>)
    """
    along = _along(facing, firer.column - at.column, firer.y - at.y)
    if along == 0:
        return Aspect.SIDEWAYS
    return Aspect.FRONT if along > 0 else Aspect.REAR


def in_arc(at: Hex, facing: int, target: Hex) -> bool:
    """Does `target` lie in the forward firing arc: at most 60 degrees off the facing, the edge included (7.4)?"""
    dx, dy = target.column - at.column, target.y - at.y
    along = _along(facing, dx, dy)
    return along > 0 and along * along >= 3 * dx * dx + dy * dy


@dataclass(frozen=True, slots=True)
class Ground:
    """What lies in one hex. `road` are the hexes that its road leads to; it matters for bridges only."""

    terrain: str = "open"
    level: int = 0
    position: str | None = None
    smoke: int = 0
    mines: bool = False
    wire: bool = False
    road: tuple[Hex, ...] = ()
    bunker_facing: int | None = None

    @property
    def words(self) -> str:
        """The hex as a player reads it in a ledger."""
        parts = [self.terrain.replace("-", " ")]
        if self.level:
            parts.append(f"level {self.level}")
        if self.position:
            parts.append(self.position.replace("-", " "))
        return ", ".join(parts)


OPEN = Ground()


@dataclass(frozen=True, eq=False)
class Board:
    """The map of one scenario: `columns` x `rows` hexes; hexes not listed are open ground at level 0."""

    columns: int
    rows: int
    hexes: Mapping[Hex, Ground] = field(default_factory=dict)
    hexsides: Mapping[frozenset[Hex], str] = field(default_factory=dict)

    def __contains__(self, hex: Hex) -> bool:
        return 0 <= hex.column < self.columns and 1 <= hex.row <= self.rows

    def __getitem__(self, hex: Hex) -> Ground:
        return self.hexes.get(hex, OPEN)

    def hexside(self, one: Hex, other: Hex) -> str | None:
        """The wall, hedge or hedgerow between two adjacent hexes."""
        return self.hexsides.get(frozenset((one, other)))


@lru_cache(maxsize=256)
def hex_cover(ground: Ground) -> tuple[tuple[int, str, Cite], ...]:
    """What terrain and smoke of a hex add to an attack roll into it: (figure, reason, rule) for each (10, 11.5)."""
    lines = []
    terrain = terrain_facts("terrain", ground.terrain)
    if terrain["cover"]:
        lines.append((terrain["cover"], ground.terrain.replace("-", " "), vv(terrain["cite"])))
    if ground.smoke:
        lines.append((ground.smoke, f"smoke {ground.smoke}", vv("11.5")))
    return tuple(lines)
