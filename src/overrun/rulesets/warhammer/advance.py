"""Everything about wheels of one angle: what the turn hits, and where the advance after it ends.

For one angle the rest is linear in the inches before the wheel, piece by piece. All in the pivot frame of wheel.py,
turned once by the angle, so that the advance goes straight up. Pure; made anew for each angle that search.py looks at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import atan2, cos, hypot, pi, sin

from overrun.rulesets.warhammer.shapes import TOUCH, Point, Polygon, edges
from overrun.rulesets.warhammer.wheel import View, borders


class Under:
    """The underside of a convex piece: its lowest y over any stretch of x."""

    def __init__(self, piece: Iterable[Point]) -> None:
        points = sorted(piece)
        chain: list[Point] = []
        for p in points:
            while len(chain) > 1 and _right_turn(chain[-2], chain[-1], p):
                chain.pop()
            chain.append(p)
        self.chain = chain
        self.left, self.right = chain[0][0], chain[-1][0]
        self.lowest = min(chain, key=lambda p: p[1])

    def over(self, low: float, high: float) -> Point | None:
        """The lowest point with x from ``low`` to ``high``; None when the piece has no width there."""
        if high <= self.left or low >= self.right:
            return None
        x = self.lowest[0]
        if low <= x <= high:
            return self.lowest
        return self._at(low) if x < low else self._at(high)

    def _at(self, x: float) -> Point:
        chain = self.chain
        for i in range(1, len(chain)):
            if x <= chain[i][0]:
                break
        (ax, ay), (bx, by) = chain[i - 1], chain[i]
        return x, ay + (by - ay) * (x - ax) / (bx - ax) if bx > ax else min(ay, by)


def _right_turn(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0.0


@dataclass(frozen=True, slots=True)
class Touch:
    """Where an advance touches the face: inches after the wheel, the offset along the face, and the room to others.

    ``room``: for each other body, by how many inches it stands beyond the touch (infinite when it is not in the way).
    """

    after: float
    offset: float
    room: tuple[float, ...]


class Advance:
    """Wheels of one angle, started within ``longest`` inches. Methods take the inches before the wheel."""

    def __init__(self, v: View, angle: float, longest: float) -> None:
        self.v, self.angle = v, angle
        self.cos, self.sin = cos(angle), sin(angle)
        self.target = Under(self._turned(v.target))
        self.left, self.right = self._turned((v.face.left, v.face.right))
        self.widest = v.width + longest * self.sin
        """The advance never leaves the stretch of x from 0 to here."""
        self.longest = longest

    @property
    def least(self) -> float:
        """Inches that before and after take together at the very least; infinite when the face cannot be reached."""
        apart = self.target.left >= self.widest or self.target.right <= 0.0 or self.right[0] <= self.left[0]
        return float("inf") if apart else self.target.lowest[1]

    @cached_property
    def others(self) -> tuple[tuple[Under, float], ...]:
        """The bodies that an advance can meet before the target, with the distance to keep from each."""
        top = max(y for _, y in self.target.chain)
        found = []
        for pieces, margin in ((self.v.solid, 0.0), (self.v.enemies, TOUCH)):
            for under in (Under(self._turned(piece)) for piece in pieces):
                if under.right > -TOUCH and under.left < self.widest + TOUCH and under.lowest[1] <= top + TOUCH:
                    found.append((under, margin))
        return tuple(found)

    @cached_property
    def blocked(self) -> tuple[tuple[float, float], ...]:
        """The starts at which the turn hits something."""
        return tuple(_blocked(self.v, self.angle, self.longest))

    def _turned(self, points: Iterable[Point]) -> tuple[Point, ...]:
        c, s = self.cos, self.sin
        return tuple((x * c + y * s, y * c - x * s) for x, y in points)

    def touch(self, before: float) -> Touch | None:
        """Where the advance touches the wanted face first; None when it touches elsewhere or nothing."""
        low, front = before * self.sin, before * self.cos
        high = low + self.v.width
        point = self.target.over(low + TOUCH, high - TOUCH) and self.target.over(low, high)
        if point is None or point[1] < front - TOUCH or self.right[0] <= self.left[0]:
            return None
        if not self.left[0] - TOUCH <= point[0] <= self.right[0] + TOUCH:
            return None
        room = []
        for under, margin in self.others:
            other = under.over(low - margin, high + margin)
            free = other is None or other[1] < front - TOUCH
            room.append(float("inf") if free or other is None else other[1] - point[1] - margin)
        along = hypot(point[0] - self.left[0], point[1] - self.left[1])
        return Touch(max(0.0, point[1] - front), along - (point[0] - low), tuple(room))

    def hit(self, before: float) -> bool:
        """Whether the turn hits something."""
        return any(low < before < high for low, high in self.blocked)

    def allowed(self, before: float, touch: Touch) -> bool:
        """Whether nothing is in the way of the turn and of the advance, the table's edge included."""
        if self.hit(before) or min(touch.room, default=1.0) < 0.0:
            return False
        return self.v.table is None or _inside(self.v, before, self.angle, touch.after)

    def cuts(self) -> Iterator[float]:
        """The inches before the wheel at which something changes kind."""
        for low, high in self.blocked:
            yield from (low, high)
        for under in (self.target, *(under for under, _ in self.others)):
            for x, _ in under.chain:
                yield from (x / self.sin, (x - self.v.width) / self.sin)


def _blocked(v: View, angle: float, longest: float) -> Iterator[tuple[float, float]]:
    """Starts at which the turn overlaps a piece (touches it, for enemies): one interval a piece, both being convex."""
    reach = hypot(v.width, v.depth) + TOUCH
    for pieces, margin in (((v.target, *v.solid), -TOUCH / 10), (v.enemies, TOUCH)):
        for piece in pieces:
            xs, ys = [x for x, _ in piece], [y for _, y in piece]
            if max(xs) < 0.0 or min(xs) > reach or max(ys) < -reach or min(ys) > longest + reach:
                continue
            spans = [span for p, q in edges(piece) if (span := _span(v, angle, p, q)) is not None]
            if spans:
                yield min(low for low, _ in spans) - margin, max(high for _, high in spans) + margin


def _span(v: View, angle: float, p: Point, q: Point) -> tuple[float, float] | None:
    """The starts at which the ground of the turn meets the segment: its vertical shifts that touch it."""
    w, d, reach = v.width, v.depth, hypot(v.width, v.depth)
    c, s = cos(angle), sin(angle)
    first = -atan2(d, w)
    outline: Polygon = (
        (0.0, 0.0), (0.0, -d), (w, -d), (w * c + d * s, w * s - d * c), (w * c, w * s)
    )  # fmt: skip
    low, high = min(p[0], q[0]), max(p[0], q[0])
    rightmost = reach if first < 0.0 < first + angle else max(x for x, _ in outline)
    low, high = max(low, 0.0), min(high, rightmost)
    if low > high:
        return None
    xs = [low, high, *(x for x, _ in outline if low < x < high)]
    if q[0] != p[0]:
        tilt = atan2(q[1] - p[1], q[0] - p[0])
        xs += [x for t in (tilt + pi / 2, tilt - pi / 2) if low < (x := reach * cos(t)) < high]
    below: list[float] = []
    above: list[float] = []
    for x in xs:
        ys = list(_outline_at(outline, reach, (first, first + angle), x))
        if not ys:
            continue
        if q[0] == p[0]:
            below.append(min(p[1], q[1]) - max(ys))
            above.append(max(p[1], q[1]) - min(ys))
        else:
            y = p[1] + (q[1] - p[1]) * (x - p[0]) / (q[0] - p[0])
            below.append(y - max(ys))
            above.append(y - min(ys))
    return (min(below), max(above)) if below else None


def _outline_at(outline: Polygon, reach: float, arc: tuple[float, float], x: float) -> Iterator[float]:
    for i, (p, q) in enumerate(edges(outline)):
        if i != 2 and min(p[0], q[0]) - 1e-12 <= x <= max(p[0], q[0]) + 1e-12:
            yield from (p[1], q[1]) if q[0] == p[0] else (p[1] + (q[1] - p[1]) * (x - p[0]) / (q[0] - p[0]),)
    if abs(x) <= reach:
        y = (reach * reach - x * x) ** 0.5
        for side in (y, -y):
            if arc[0] <= atan2(side, x) <= arc[1]:
                yield side


def _inside(v: View, before: float, angle: float, after: float) -> bool:
    reach, first = hypot(v.width, v.depth), -atan2(v.depth, v.width)
    corners = (*v.rectangle(before, 0.0, 0.0), *v.rectangle(before, angle, 0.0), *v.rectangle(before, angle, after))
    for normal, limit in borders(v.table or ()):
        if max(normal[0] * x + normal[1] * y for x, y in corners) > limit - TOUCH:
            return False
        if first < atan2(normal[1], normal[0]) < first + angle and reach + normal[1] * before > limit - TOUCH:
            return False
    return True
