"""Closed forms of everything that can begin or end as a wheel turns further: starts as functions of the angle.

A *curve* gives, for each angle, the inches before the wheel at which two features meet: a corner of a body the side or
the front of the mover, a corner of the mover an edge, the rear corner's arc either, or the face and a body both at
once. Two curves that cross bound a new stretch of starts or end one; so do the few angles at which a line is parallel
to the front (`upright`). critical.py looks at every stretch between such *critical angles*.

Everything is a rational expression of ``c = cos(angle)`` and ``s = sin(angle)``. It may be asked with complex numbers:
the derivative in the angle then is exact to the last bits (`slope`). All in the pivot frame of wheel.py. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import atan2, cos, hypot, inf, pi, sin, sqrt

from overrun.rulesets.warhammer.shapes import Point, Polygon, edges
from overrun.rulesets.warhammer.wheel import borders
from overrun.rulesets.warhammer.window import FROM_EDGE, Field

Curve = Callable[[complex, complex], complex]
"""Inches before the wheel at an angle of that cosine and sine."""

TINY = 1e-30
"""The imaginary step of a derivative: its square vanishes beside any number here."""


def at(curve: Curve, angle: float) -> float:
    """The value of a curve."""
    return curve(cos(angle), sin(angle)).real


def slope(curve: Curve, angle: float) -> float:
    """Its derivative in the angle."""
    c, s = cos(angle), sin(angle)
    return curve(complex(c, -TINY * s), complex(s, TINY * c)).imag / TINY


def constant(value: float) -> Curve:
    """The same start at every angle."""
    return lambda c, s: complex(value)


def beside(point: Point, side: float) -> Curve:
    """The point lies that far to the right of the advance's left side."""
    x, y = point
    return lambda c, s: y + (x * c - side) / s


def _front(point: Point) -> Curve:
    x, y = point
    return lambda c, s: y - x * s / c


@dataclass(frozen=True, slots=True)
class Line:
    """Points with ``nx * x + ny * y = limit``; the normal has length 1 and points out of its body."""

    nx: float
    ny: float
    limit: float


def lines(piece: Polygon) -> Iterator[Line]:
    """The sides of a counter-clockwise convex piece."""
    for (nx, ny), limit in borders(piece):
        yield Line(nx, ny, limit)


def _corner_on(line: Line, across: float, up: float) -> Curve:
    """That corner of the mover, in its own frame, meets the line as the turn ends."""
    nx, ny, limit = line.nx, line.ny, line.limit
    if ny == 0.0:  # it is met at one angle from every start, or at none
        return constant(inf)
    return lambda c, s: (limit - nx * (across * c - up * s)) / ny - across * s - up * c


Meeting = Callable[[complex, complex], tuple[complex, complex, complex]]
"""A condition on where the pivot corner is at last: ``p * x + q * y = r`` as (p, q, r)."""


def corner_meets(line: Line, across: float, up: float = 0.0) -> Meeting:
    """That corner of the mover lies on the line when the move ends."""
    nx, ny, limit = line.nx, line.ny, line.limit
    return lambda c, s: (nx, ny, limit - nx * (across * c - up * s) - ny * (across * s + up * c))


def front_meets(point: Point) -> Meeting:
    """The point lies on the front when the move ends."""
    x, y = point
    return lambda c, s: (-s, c, y * c - x * s)


def both(one: Meeting, other: Meeting) -> Curve:
    """The start from which both conditions hold at once."""

    def start(c: complex, s: complex) -> complex:
        (p, q, r), (t, u, v) = one(c, s), other(c, s)
        cross = p * u - q * t
        if cross == 0:
            return complex(inf)
        x, y = (r * u - q * v) / cross, (p * v - r * t) / cross
        return y + x * c / s

    return start


def after(touch: Meeting, start: Curve) -> Curve:
    """Inches after the wheel from such a start until the face is touched."""

    def length(c: complex, s: complex) -> complex:
        p, q, r = touch(c, s)
        towards = q * c - p * s
        return (r - q * start(c, s)) / towards if towards != 0 else complex(inf)

    return length


def _face_line(field: Field) -> Line:
    (ax, ay), (bx, by) = field.face.left, field.face.right
    long = field.face.length
    nx, ny = (by - ay) / long, (ax - bx) / long
    return Line(nx, ny, nx * ax + ny * ay)


def touches(field: Field) -> dict[str, Meeting]:
    """How front and face can meet: an end of the face on the front, or an end of the front on the face."""
    line = _face_line(field)
    return {
        "left end": front_meets(field.face.left),
        "right end": front_meets(field.face.right),
        "left corner": corner_meets(line, 0.0),
        "right corner": corner_meets(line, field.width),
    }


def marks(field: Field, offsets: Iterable[float]) -> Iterator[Curve]:
    """Where the front comes to lie at one of those offsets along the face.

    Also where the touching feature changes, and where the turn itself ends at the face.
    """
    face, width = field.face, field.width
    for offset in offsets:
        end = offset + width
        yield beside(face.at(offset), 0.0) if offset >= 0.0 else beside(face.left, -offset)
        yield beside(face.at(end), width) if end <= face.length else beside(face.right, face.length - offset)
    yield beside(face.left, 0.0)
    yield beside(face.right, width)
    line = _face_line(field)
    for corner in (0.0, width):
        yield _corner_on(line, corner, 0.0)
    yield _front(face.left)
    yield _front(face.right)


def of_turn(field: Field, piece: Polygon) -> Iterator[Curve]:
    """Where the turn begins or ceases to hit a piece."""
    width, depth = field.width, field.depth
    reach = hypot(width, depth)
    for x, y in piece:
        yield _front((x, y))
        yield beside((x, y), width)
        yield constant(y + depth)
        if abs(x) < reach:
            half = sqrt(reach * reach - x * x)
            yield constant(y - half)
            yield constant(y + half)
    for line in lines(piece):
        if line.ny == 0.0:
            continue
        for across, up in ((0.0, 0.0), (width, 0.0), (width, -depth)):
            yield _corner_on(line, across, up)
        for x, y in ((0.0, -depth), (width, -depth), (reach, 0.0)):
            yield constant((line.limit - line.nx * x) / line.ny - y)
        yield constant((line.limit + reach) / line.ny)
        yield constant((line.limit - reach) / line.ny)


def of_advance(field: Field, piece: Polygon) -> Iterator[Curve]:
    """Where the advance begins or ceases to meet a piece before the face."""
    width, meets = field.width, touches(field)
    for point in piece:
        yield beside(point, 0.0)
        yield beside(point, width)
        for name in ("left corner", "right corner"):
            yield both(meets[name], front_meets(point))
    for line in lines(piece):
        for across in (0.0, width):
            yield _corner_on(line, across, 0.0)
            for touch in meets.values():
                yield both(touch, corner_meets(line, across))


def of_table(field: Field, table: Polygon) -> Iterator[Curve]:
    """Where the move begins or ceases to reach an edge of the table."""
    width, depth = field.width, field.depth
    reach = hypot(width, depth)
    for edge in lines(table):
        line = Line(edge.nx, edge.ny, edge.limit - FROM_EDGE)
        if line.ny:
            yield constant((line.limit - reach) / line.ny)
        for across, up in ((0.0, 0.0), (width, 0.0), (width, -depth), (0.0, -depth)):
            if line.ny:
                yield _corner_on(line, across, up)
                yield constant((line.limit - line.nx * across) / line.ny - up)
            for touch in touches(field).values():
                yield both(touch, corner_meets(line, across, up))


def poles(field: Field) -> Iterator[float]:
    """The angles, up to a quarter turn, at which the front or a side is parallel to an edge.

    Only there can a curve jump: between two of them all are smooth.
    """
    for piece in (field.target, *field.bodies, *(() if field.table is None else (field.table,))):
        for (px, py), (qx, qy) in edges(piece):
            yield atan2(qy - py, qx - px) % (pi / 2)


def upright(field: Field) -> Iterator[float]:
    """The angles at which something changes for every start at once.

    The front is parallel to the face, or to a line from an end of the face to a body's corner, so that another of two
    is met first; or the outer rear corner reaches as far towards an edge of the table as it can.
    """
    (ax, ay), (bx, by) = field.face.left, field.face.right
    yield atan2(by - ay, bx - ax)
    for piece in field.bodies:
        for x, y in piece:
            for ex, ey in (field.face.left, field.face.right):
                yield atan2(y - ey, x - ex) % pi
    if field.table is not None:
        for line in lines(field.table):
            yield atan2(line.ny, line.nx) + atan2(field.depth, field.width)
