"""The straight move: what a unit meets first when it goes straight ahead, exactly.

Everything is in the mover's own frame (front centre at the origin, +y ahead, inches). A formed unit is one ``Part``;
skirmishers are one part a model. Bodies are convex pieces that do not overlap the mover at the start. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from overrun.rulesets.warhammer.shapes import TOUCH, Point, Polygon, clip, edges

ONE_INCH = 1.0
"""The distance that units which are not fighting keep from each other (fact sheet C27)."""


@dataclass(frozen=True, slots=True)
class Part:
    """An upright rectangle of the mover in its own frame."""

    left: float
    right: float
    front: float
    rear: float


@dataclass(frozen=True, slots=True)
class Meeting:
    """The first touch along the straight path.

    ``gap``: inches travelled. ``point``: where the touch is, in the mover's frame before it moved. ``graze``: the
    touch has no width (a side slides along, or a corner meets the side line), so only ``corner_counts`` makes it one.
    """

    gap: float
    point: Point
    graze: bool


def first_contact(
    parts: Sequence[Part], pieces: Iterable[Polygon], grazes: bool, width: float = TOUCH
) -> Meeting | None:
    """The nearest touch of any part with any piece, or ``None``.

    A touch no wider than ``width`` is a graze. With ``grazes`` false grazes are passed (always so for friends and
    terrain, fact sheet 4a.1).
    """
    best: Meeting | None = None
    for piece in pieces:
        for part in parts:
            meeting = _meet(part, piece, width)
            if meeting is None or (meeting.graze and not grazes):
                continue
            if best is None or meeting.gap < best.gap - TOUCH or (meeting.gap < best.gap + TOUCH and best.graze):
                best = meeting
    return best


def _meet(part: Part, piece: Polygon, width: float) -> Meeting | None:
    ahead = clip(piece, (0.0, -1.0), -part.front + TOUCH)
    if not ahead:
        return None
    low, high = min(p[0] for p in ahead), max(p[0] for p in ahead)
    shared = min(high, part.right) - max(low, part.left)
    if shared < -TOUCH:
        return None
    graze = shared <= width
    margin = TOUCH if graze else 0.0
    strip = clip(clip(ahead, (1.0, 0.0), part.right + margin), (-1.0, 0.0), -part.left + margin)
    if not strip:
        return None
    nearest = min(strip, key=lambda p: p[1])
    return Meeting(max(0.0, nearest[1] - part.front), nearest, graze)


def edge_gap(parts: Sequence[Part], table: Polygon) -> float | None:
    """How far the mover goes until it touches the table's edge; ``None`` when it never does (a table has no end there).

    The table is convex and holds the mover, so one of the front corners touches first.
    """
    gaps: list[float] = []
    for p, q in edges(table):
        nx, ny = q[1] - p[1], p[0] - q[0]  # outward normal of a counter-clockwise polygon
        if ny <= 0.0:
            continue
        limit = nx * p[0] + ny * p[1]
        gaps.extend((limit - nx * x - ny * part.front) / ny for part in parts for x in (part.left, part.right))
    return max(0.0, min(gaps)) if gaps else None


def halt_gap(parts: Sequence[Part], pieces: Iterable[Polygon], clearance: float = ONE_INCH) -> float | None:
    """How far the mover goes until it stands ``clearance`` inches from a piece, Euclidean; 0 when it stands so already.

    ``None`` when it never comes so near. Only what lies ahead of a part's front counts.
    """
    gaps = [g for piece in pieces for part in parts for g in _halts(part, piece, clearance)]
    return max(0.0, min(gaps)) if gaps else None


def _halts(part: Part, piece: Polygon, clearance: float) -> Iterable[float]:
    if max(p[1] for p in piece) <= part.front + TOUCH:
        return
    for x, y in piece:
        aside = max(part.left - x, x - part.right, 0.0)
        if aside < clearance and y > part.front:
            yield y - part.front - sqrt(clearance * clearance - aside * aside)
    for p, q in edges(piece):
        nx, ny = q[1] - p[1], p[0] - q[0]
        length = sqrt(nx * nx + ny * ny)
        if ny >= 0.0 or length == 0.0:
            continue
        for x in (part.left, part.right):
            y = (clearance * length + nx * p[0] + ny * p[1] - nx * x) / ny
            foot = ((x - p[0]) * (q[0] - p[0]) + (y - p[1]) * (q[1] - p[1])) / (length * length)
            if 0.0 <= foot <= 1.0 and y >= part.front - clearance:
                yield y - part.front


def swept(part: Part, distance: float) -> Polygon:
    """The ground a part covers while it goes straight ahead, counter-clockwise."""
    far = part.front + distance
    return ((part.right, far), (part.left, far), (part.left, part.rear), (part.right, part.rear))
