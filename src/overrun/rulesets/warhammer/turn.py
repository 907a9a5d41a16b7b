"""What a turn covers, and from which starts it hits a body (fact sheet 4a.3).

In the pivot frame of wheel.py a turn through an angle covers the rectangle at its start, the rectangle at its end and
the sector that the outer rear corner sweeps: a convex ground (for turns up to 90 degrees) that only grows with the
angle. Moving straight on before the turn shifts it upwards, so each convex body bars one interval of starts. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from math import atan2, cos, hypot, inf, sin, sqrt

from overrun.rulesets.warhammer.shapes import TOUCH, Point, Polygon, edges
from overrun.rulesets.warhammer.wheel import borders

Span = tuple[float, float]
"""An interval of numbers, its ends included."""


class Turn:
    """The ground of a turn of that angle by a unit of that width and depth."""

    def __init__(self, width: float, depth: float, angle: float) -> None:
        self.width, self.depth, self.angle = width, depth, angle
        c, s = cos(angle), sin(angle)
        self.front: Point = (width * c, width * s)
        self.rear: Point = (width * c + depth * s, width * s - depth * c)
        self.reach = hypot(width, depth)
        self.right = self.reach if self.rear[1] > 0.0 else self.rear[0]
        """The highest x that the turn covers."""
        self.top = max(self.front[1], 0.0)

    def over(self, x: float) -> float:
        """The highest y covered there, for x from 0 to ``right``."""
        (fx, fy), (rx, ry) = self.front, self.rear
        if x < fx:
            return x * (fy / fx)
        if x < rx:
            return fy + (x - fx) * ((ry - fy) / (rx - fx))
        return self._arc(x) if self.right > rx else ry

    def under(self, x: float) -> float:
        """The lowest y covered there."""
        return -self.depth if x <= self.width else -self._arc(x)

    def _arc(self, x: float) -> float:
        return sqrt(max(0.0, self.reach * self.reach - x * x))

    def barred(self, piece: Polygon) -> Span | None:
        """The starts at which the turn overlaps a convex piece: an open interval; None when there are none."""
        low, high = max(0.0, min(p[0] for p in piece)), min(self.right, max(p[0] for p in piece))
        if low >= high:
            return None
        marks = (low, high, *(x for x in (self.front[0], self.rear[0], self.width) if low < x < high))
        first, last = inf, -inf
        for (px, py), (qx, qy) in edges(piece):
            left, right = max(low, min(px, qx)), min(high, max(px, qx))
            if left > right:
                continue
            if px == qx:
                first, last = min(first, min(py, qy) - self.over(px)), max(last, max(py, qy) - self.under(px))
                continue
            rise = (qy - py) / (qx - px)
            steepest = self.reach * rise / sqrt(1.0 + rise * rise)
            for x in (left, right, *marks, -steepest, steepest):
                if left <= x <= right:
                    y = py + rise * (x - px)
                    first, last = min(first, y - self.over(x)), max(last, y - self.under(x))
        return (first, last) if first < last else None


def off_table(table: Polygon, turn: Turn, margin: float) -> Iterator[Span]:
    """The starts at which the turn comes nearer than ``margin`` to an edge of a convex table that holds the unit."""
    w, d = turn.width, turn.depth
    corners = ((0.0, 0.0), (w, 0.0), (0.0, -d), (w, -d), turn.front, turn.rear)
    first = -atan2(d, w)
    for normal, limit in borders(table):
        furthest = max(normal[0] * x + normal[1] * y for x, y in corners)
        if first < atan2(normal[1], normal[0]) < first + turn.angle:
            furthest = max(furthest, turn.reach)
        span = above(furthest - limit + margin, normal[1])
        if span is not None:
            yield span


def above(value: float, rate: float) -> Span | None:
    """Where ``value + rate * x`` is positive, as an interval that may be endless; None when nowhere."""
    if rate == 0.0:
        return (-inf, inf) if value > 0.0 else None
    root = -value / rate
    return (root, inf) if rate > 0.0 else (-inf, root)


def within(span: Span | None, low: float, high: float) -> Span | None:
    """The part of an interval from ``low`` to ``high``; None when it has no length."""
    if span is None:
        return None
    low, high = max(span[0], low), min(span[1], high)
    return (low, high) if low < high else None


def without(whole: Span, barred: Iterable[Span]) -> Iterator[Span]:
    """What is left of an interval when open intervals are taken out, ascending."""
    low, high = whole
    for first, last in sorted(barred):
        if first > high:
            break
        if first > low:
            yield low, first
        low = max(low, last)
        if low >= high:
            return
    yield low, high


def swollen(piece: Polygon, by: float) -> Polygon | None:
    """A convex counter-clockwise piece with every side moved outwards, or inwards if negative; None if none is left."""
    sides = list(borders(piece))
    corners: list[Point] = []
    for (m, to_one), (n, to_other) in pairwise((sides[-1], *sides)):
        cross = m[0] * n[1] - m[1] * n[0]
        if abs(cross) < TOUCH:
            return None if by < 0.0 else piece
        one, other = to_one + by, to_other + by
        corners.append(((one * n[1] - other * m[1]) / cross, (other * m[0] - one * n[0]) / cross))
    old = [(q[0] - p[0], q[1] - p[1]) for p, q in edges(piece)]
    new = [(q[0] - p[0], q[1] - p[1]) for p, q in edges(tuple(corners))]
    if any(a[0] * b[0] + a[1] * b[1] <= 0.0 for a, b in zip(old, new, strict=True)):
        return None
    return tuple(corners)


def root(f: Callable[[float], float], low: float, high: float) -> float:
    """A root of a function whose signs differ at both ends, to the last bits: false position kept honest by halving."""
    at_low, at_high = f(low), f(high)
    if at_low == 0.0:
        return low
    if at_high == 0.0:
        return high
    for turn in range(100):
        middle = (low + high) / 2
        if turn % 3:
            middle = min(max(high - at_high * (high - low) / (at_high - at_low), low), high)
        value = f(middle)
        if value == 0.0 or not low < middle < high:
            return middle
        if (value < 0.0) == (at_low < 0.0):
            low, at_low = middle, value
        else:
            high, at_high = middle, value
    return (low + high) / 2
