"""One wheel: its path, its cost and what it collides with (fact sheet C5, C6, C10, 4a.3).

The move is ``before`` inches straight on, a wheel about a front corner through ``angle``, ``after`` inches straight on
along the new heading. Here everything lies in the *pivot frame*: the pivot corner at the origin, the front edge from
there to ``(W, 0)``, +y ahead, and the wheel turns counter-clockwise. A right wheel is the mirror image of a left one:
its frame is mirrored and the same arithmetic serves both; mirror symmetry holds by construction. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import atan2, cos, hypot, pi, sin

from overrun.rulesets.warhammer.contact import Face, face
from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.shapes import TOUCH, Point, Polygon, Pose, edges, separation, to_segment
from overrun.rulesets.warhammer.sweep import Part, first_contact, swept


class Side(StrEnum):
    """The hand to which the unit wheels; it pivots on that front corner."""

    LEFT = "left"
    RIGHT = "right"


class Measure(StrEnum):
    """How a wheel is measured: the way of the outer front corner, or the straight line between its ends."""

    ARC = "arc"
    CHORD = "chord"

    def cost(self, width: float, angle: float) -> float:
        """Inches that a wheel of ``angle`` radians costs."""
        return width * angle if self is Measure.ARC else 2.0 * width * sin(angle / 2.0)


@dataclass(frozen=True, slots=True)
class Wheel:
    """A move with one wheel: inches before, radians to that side, inches after."""

    side: Side
    before: float
    angle: float
    after: float

    def cost(self, width: float, measure: Measure) -> float:
        """Inches of the roll that the whole move takes."""
        return self.before + measure.cost(width, self.angle) + self.after


def mirrored(polygon: Polygon) -> Polygon:
    """The mirror image at x = 0, counter-clockwise again."""
    return tuple((-x, y) for x, y in reversed(polygon))


@dataclass(frozen=True)
class Ground:
    """What stands around the mover, in the mover's frame (front centre at the origin, +y ahead).

    ``solid`` may be touched but not overlapped (friends, impassable terrain); ``enemies``, the target left out, may
    not even be touched; the mover may not reach the edge of ``table`` (convex), when one is given.
    """

    solid: tuple[Polygon, ...] = ()
    enemies: tuple[Polygon, ...] = ()
    table: Polygon | None = None


@dataclass(frozen=True)
class View:
    """The mover's rectangle, the face it wants and everything else, in the pivot frame of one side."""

    side: Side
    width: float
    depth: float
    face: Face
    target: Polygon
    solid: tuple[Polygon, ...]
    enemies: tuple[Polygon, ...]
    table: Polygon | None

    def rectangle(self, before: float, angle: float, after: float) -> Polygon:
        """The mover after that much of the move, counter-clockwise."""
        c, s = cos(angle), sin(angle)
        px, py = -after * s, before + after * c
        w, d = self.width, self.depth
        return (
            (px + w * c, py + w * s),
            (px, py),
            (px + d * s, py - d * c),
            (px + w * c + d * s, py + w * s - d * c),
        )


def view(side: Side, size: tuple[float, float], target: Polygon, facing: Facing, ground: Ground) -> View:
    """The pivot frame of that side. ``size``: width and depth. ``target``: its corners in the mover's frame."""
    width, depth = size
    half = width / 2

    def shift(polygon: Polygon) -> Polygon:
        turned = polygon if side is Side.LEFT else mirrored(polygon)
        return tuple((x + half, y) for x, y in turned)

    struck = face(target, facing)
    if side is Side.LEFT:
        wanted = Face(facing, (struck.left[0] + half, struck.left[1]), (struck.right[0] + half, struck.right[1]))
    else:
        wanted = Face(facing, (half - struck.right[0], struck.right[1]), (half - struck.left[0], struck.left[1]))
    return View(
        side,
        width,
        depth,
        wanted,
        shift(target),
        tuple(shift(p) for p in ground.solid),
        tuple(shift(p) for p in ground.enemies),
        None if ground.table is None else shift(ground.table),
    )


def final_pose(wheel: Wheel, width: float) -> Pose:
    """Where the mover stands after the wheel move, in its own frame at the start."""
    s, c = sin(wheel.angle), cos(wheel.angle)
    x = width / 2 * c - wheel.after * s
    y = wheel.before + width / 2 * s + wheel.after * c
    mirror = 1.0 if wheel.side is Side.LEFT else -1.0
    return Pose(mirror * (x - width / 2), y, -mirror * wheel.angle * 180.0 / pi)


@dataclass(frozen=True, slots=True)
class Landing:
    """Where an advance after the wheel touches the face: inches ``after``, offset along the face, the touch point."""

    after: float
    offset: float
    point: Point


def land(v: View, before: float, angle: float) -> Landing | None:
    """Follow the move forward until it touches the target; ``None`` if it misses it or touches another of its faces."""
    c, s = cos(angle), sin(angle)
    left, front = before * s, before * c
    part = Part(left, left + v.width, front, front - v.depth)
    turned = tuple((x * c + y * s, y * c - x * s) for x, y in v.target)
    meeting = first_contact((part,), (turned,), grazes=False)
    if meeting is None:
        return None
    x, y = meeting.point
    point = (x * c - y * s, x * s + y * c)
    ex, ey = v.face.along
    if ex * c + ey * s <= 0.0 or to_segment(point, v.face.left, v.face.right) > TOUCH:
        return None
    along = (point[0] - v.face.left[0]) * ex + (point[1] - v.face.left[1]) * ey
    return Landing(meeting.gap, along - (x - left), point)


def turn_separation(piece: Polygon, width: float, depth: float, angle: float) -> float:
    """Gap between a convex piece and the ground that the turn itself covers (pivot at the origin); negative = overlap.

    That ground is the rectangle at the start and at the end of the turn and the sector which the outer rear corner
    sweeps: convex for turns up to 90 degrees. As in `separation`: the widest gap along the normals of both and, for the
    arc, along the ways from the pivot to the corners of the piece.
    """
    c, s = cos(angle), sin(angle)
    outline = ((0.0, 0.0), (0.0, -depth), (width, -depth), (width * c, width * s), _outer_rear(width, depth, c, s))
    reach, first = hypot(width, depth), -atan2(depth, width)

    def furthest(x: float, y: float) -> float:
        corner = max([x * px + y * py for px, py in outline])
        return max(corner, reach) if first <= atan2(y, x) <= first + angle else corner

    axes = [(-1.0, 0.0), (0.0, -1.0), (-s, c), (c, s)]
    axes += [(-nx, -ny) for (nx, ny), _ in borders(piece)]
    axes += [(x / away, y / away) for x, y in piece if (away := hypot(x, y)) > 0.0]
    return max([min([x * px + y * py for px, py in piece]) - furthest(x, y) for x, y in axes])


def _outer_rear(width: float, depth: float, c: float, s: float) -> Point:
    return width * c + depth * s, width * s - depth * c


def _up(piece: Polygon, distance: float) -> Polygon:
    return tuple((x, y + distance) for x, y in piece)


def collides(v: View, before: float, angle: float, after: float) -> bool:
    """Whether the move overlaps anything on its way, touches an enemy other than the target, or reaches the edge.

    The target itself may be touched at the end; a touch during the turn is an end with ``after`` = 0.
    """
    move, reach = Wheel(v.side, before, angle, after), hypot(v.width, v.depth) + before + after + TOUCH
    for margin, pieces in ((-TOUCH, (v.target,)), (-TOUCH, v.solid), (TOUCH, v.enemies)):
        near = [p for p in pieces if _within(p, reach)]
        if any(hits(v, piece, move, margin) for piece in near):
            return True
    return v.table is not None and leaves(v, before, angle, after)


def hits(v: View, piece: Polygon, move: Wheel, margin: float) -> bool:
    """Whether any phase of the move comes nearer to the piece than ``margin`` (negative: overlaps it so deep)."""
    before, angle, after = move.before, move.angle, move.after
    if separation(swept(Part(0.0, v.width, 0.0, -v.depth), before), piece) < margin:
        return True
    if turn_separation(_up(piece, -before), v.width, v.depth, angle) < margin:
        return True
    far, near = v.rectangle(before, angle, after), v.rectangle(before, angle, 0.0)
    return separation((far[0], far[1], near[2], near[3]), piece) < margin


def _within(piece: Polygon, reach: float) -> bool:
    return any(to_segment((0.0, 0.0), p, q) <= reach for p, q in edges(piece))


def leaves(v: View, before: float, angle: float, after: float) -> bool:
    """Whether any phase of the move touches the table's edge."""
    corners = (*v.rectangle(before, 0.0, 0.0), *v.rectangle(before, angle, 0.0), *v.rectangle(before, angle, after))
    reach, first = hypot(v.width, v.depth), -atan2(v.depth, v.width)
    for normal, limit in borders(v.table or ()):
        if max(normal[0] * x + normal[1] * y for x, y in corners) > limit - TOUCH:
            return True
        if first < atan2(normal[1], normal[0]) < first + angle and reach + normal[1] * before > limit - TOUCH:
            return True
    return False


def borders(polygon: Polygon) -> Iterable[tuple[Point, float]]:
    """Outward unit normal and limit of every side of a counter-clockwise convex polygon."""
    for p, q in edges(polygon):
        length = hypot(q[0] - p[0], q[1] - p[1])
        normal = ((q[1] - p[1]) / length, (p[0] - q[0]) / length)
        yield normal, normal[0] * p[0] + normal[1] * p[1]
