"""Facing zones: which face of the target a charge strikes (fact sheet C11, section 8).

Four zones of 90 degrees from the target's corners: front if y >= 0 and |x| <= W/2 + y; rear if y <= -D and
|x| <= W/2 - D - y; else the flank on that side (target's frame, inches). Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from overrun.rulesets.warhammer.shapes import TOUCH, Block, Point


class Facing(StrEnum):
    """A side of a unit, named by the unit's own hands."""

    FRONT = "front"
    LEFT_FLANK = "left flank"
    REAR = "rear"
    RIGHT_FLANK = "right flank"


FACES = (Facing.FRONT, Facing.LEFT_FLANK, Facing.REAR, Facing.RIGHT_FLANK)
"""In the order of a block's corners: face i runs from corner i to corner i + 1, a charger's left to its right."""


def zone(target: Block, point: Point) -> Facing:
    """The zone of the target that holds the point. A point on a border line belongs to front or rear."""
    x, y = target.pose.local(point)
    half, depth = target.width / 2, target.depth
    if y >= -TOUCH and abs(x) <= half + y + TOUCH:
        return Facing.FRONT
    if y <= -depth + TOUCH and abs(x) <= half - depth - y + TOUCH:
        return Facing.REAR
    return Facing.RIGHT_FLANK if x > 0 else Facing.LEFT_FLANK


def count(target: Block, points: Iterable[Point]) -> dict[Facing, int]:
    """How many of the points stand in each zone; zones without any are left out."""
    counts: dict[Facing, int] = {}
    for point in points:
        where = zone(target, point)
        counts[where] = counts.get(where, 0) + 1
    return counts


def most(counts: dict[Facing, int]) -> tuple[Facing, ...]:
    """The zone that holds the most, or every one of those that tie for it, in the order of ``FACES``."""
    highest = max(counts.values())
    return tuple(face for face in FACES if counts.get(face) == highest)


def struck_by(target: Block, charger: Block, front_rank_only: bool) -> tuple[Facing, ...]:
    """The face a charge from the charger's place strikes; several when the counts tie (fact sheet C11)."""
    centres = charger.centres[: charger.files] if front_rank_only else charger.centres
    return most(count(target, centres))
