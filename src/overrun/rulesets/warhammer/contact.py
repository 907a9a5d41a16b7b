"""Alignment and models in contact (fact sheet 4a.5, 4a.6, section 8).

A charger that touches a face is rotated about the touch point until it is flush with it, without sliding. Along the
face its front then covers ``[offset, offset + W]``, where the face runs from 0 (charger's left end) to its length.
Two counts of the charger's files: ``open`` needs real overlap, ``closed`` counts a shared corner too. Pure functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, degrees, hypot

from overrun.rulesets.warhammer.facing import FACES, Facing
from overrun.rulesets.warhammer.shapes import TOUCH, Block, Point, Polygon, Pose


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a target, from the charger's left end to its right end."""

    facing: Facing
    left: Point
    right: Point

    @property
    def length(self) -> float:
        """Inches."""
        return hypot(self.right[0] - self.left[0], self.right[1] - self.left[1])

    @property
    def along(self) -> Point:
        """Unit vector from left to right: the charger's right hand once it stands flush."""
        length = self.length
        return (self.right[0] - self.left[0]) / length, (self.right[1] - self.left[1]) / length

    def at(self, offset: float) -> Point:
        """The point that far along the face."""
        ex, ey = self.along
        return self.left[0] + offset * ex, self.left[1] + offset * ey


def face(corners: Polygon, facing: Facing) -> Face:
    """The face of a block given by its corners (``Block.corners`` or the same in another frame)."""
    i = FACES.index(facing)
    return Face(facing, corners[i], corners[(i + 1) % 4])


@dataclass(frozen=True, slots=True)
class Count:
    """The charger's models in contact: with real overlap, and with corner touches too."""

    open: int
    closed: int


def models_in_contact(offset: float, files: int, base: float, length: float) -> Count:
    """Count the files of a flush front against a face of that length."""
    really = touching = 0
    for i in range(files):
        left, right = offset + i * base, offset + (i + 1) * base
        really += left < length - TOUCH and right > TOUCH
        touching += left <= length + TOUCH and right >= -TOUCH
    return Count(really, touching)


def thresholds(files: int, base: float, length: float) -> tuple[float, ...]:
    """Every offset at which a count changes: a file's edge meets an end of the face. Ascending."""
    found = sorted({end - i * base for end in (0.0, length) for i in range(files + 1)})
    kept: list[float] = []
    for offset in found:
        if not kept or offset - kept[-1] > TOUCH:
            kept.append(offset)
    return tuple(kept)


def aligned(face: Face, offset: float, width: float) -> Pose:
    """Where the charger stands once flush: its front on the face, from ``offset`` on."""
    ex, ey = face.along
    x, y = face.at(offset + width / 2)
    return Pose(x, y, degrees(atan2(-ey, ex)) % 360.0)


def turned_instead(target: Block, facing: Facing, touch: Point, charger: Pose) -> Pose:
    """The target's pose after it is aligned to the charger instead (fact sheet C9): rotated about the touch point."""
    struck = face(target.corners, facing)
    ex, ey = struck.along
    flush = degrees(atan2(-ey, ex))
    turn = charger.heading - flush
    pivot = Pose(touch[0], touch[1], target.pose.heading)
    moved = Pose(touch[0], touch[1], target.pose.heading + turn)
    x, y = moved.table(pivot.local((target.pose.x, target.pose.y)))
    return Pose(x, y, moved.heading % 360.0)
