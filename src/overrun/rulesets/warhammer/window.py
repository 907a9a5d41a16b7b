"""All wheels of one angle, or of a narrow range of angles: the starts that nothing stands in the way of.

The advance after a wheel covers a strip as wide as the front. In the frame turned by the angle the strip goes
straight up, and the inches before the wheel move it sideways: its left side lies at ``before * sin(angle)``. What the
strip meets is then linear in that number, so the starts that are barred are intervals, each with an exact end.

A range of angles is looked at from its middle. Seen from the pivot no point of a body lies further from its place there
than its distance times half the range (``Body.shift``); a body certainly bars what it bars by more than that. So what
is left free is certain to hold every start that is free at any angle of the range. With a range of no width it is
exactly the free starts. All in the pivot frame of wheel.py. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import cos, hypot, inf, sin

from overrun.rulesets.warhammer.contact import Face
from overrun.rulesets.warhammer.shapes import TOUCH, Point, Polygon
from overrun.rulesets.warhammer.turn import Span, Turn, above, off_table, within, without
from overrun.rulesets.warhammer.wheel import borders

FROM_EDGE = 2 * TOUCH
"""Inches kept from the table's edge: twice what counts as touching it, so that no rounding makes a touch."""


LEAST = 1e-9
"""Inches. Free starts over less than that are what rounding leaves between two bars that meet."""


@dataclass(frozen=True)
class Field:
    """What a search looks at, in the pivot frame: the mover's size, the face, and convex bodies not to be overlapped.

    ``bodies`` are grown or shrunk beforehand by what may be touched or not, the target among them. ``starts``: the
    inches before the wheel that may be tried.
    """

    width: float
    depth: float
    face: Face
    target: Polygon
    bodies: tuple[Polygon, ...]
    table: Polygon | None
    starts: Span


@dataclass(frozen=True, slots=True)
class Body:
    """The underside of a body in the turned frame, from left to right, and how far it may be off."""

    chain: tuple[Point, ...]
    shift: float


class Window:
    """The wheels from ``first`` to ``last`` radians; ``longest`` cuts the starts further."""

    def __init__(self, field: Field, first: float, last: float, longest: float) -> None:
        self.field, self.first = field, first
        self.angle, self.half = (first + last) / 2, (last - first) / 2
        self.cos, self.sin = cos(self.angle), sin(self.angle)
        self.width, self.length = field.width, field.face.length
        self.starts = field.starts[0], min(field.starts[1], longest)
        ends = field.face.left, field.face.right
        self.left, self.right = self._turned(ends)
        self.shift = self._shift(ends)
        self.rises = self.right[1] > self.left[1]
        """Whether the face rises to the right, so that the left end of the front meets it first."""
        across = self.right[0] - self.left[0]
        self.seen = across > 2 * self.shift + 1e-12
        """Whether the face looks towards the mover throughout the range."""
        self.hidden = across < -2 * self.shift or (self.half == 0.0 and not self.seen)
        """Whether it looks away throughout."""
        self.rise = (self.right[1] - self.left[1]) / across if self.seen else 0.0

    def _turned(self, points: Iterable[Point]) -> tuple[Point, ...]:
        c, s = self.cos, self.sin
        return tuple([(x * c + y * s, y * c - x * s) for x, y in points])

    def _shift(self, points: Iterable[Point]) -> float:
        if self.half == 0.0:
            return 0.0
        return self.half * max([hypot(x, y - b) for x, y in points for b in self.starts])

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """The other bodies that a strip can meet before the face."""
        low, high = self.starts[0] * self.sin, self.width + self.starts[1] * self.sin
        top = max(self.left[1], self.right[1]) + self.shift
        found = []
        for piece in self.field.bodies:
            chain, shift = underside(self._turned(piece)), self._shift(piece)
            if chain[0][0] < high and chain[-1][0] > low and min(y for _, y in chain) < top:
                found.append(Body(chain, shift))
        return tuple(found)

    def height(self, side: float) -> float:
        """How far up the strip whose left side lies at ``side`` touches the face, at the least."""
        (lx, ly), (rx, ry), shift = self.left, self.right, self.shift
        if not self.seen:
            return min(ly, ry) - shift
        if self.rises:
            return ly + self.rise * (max(side - shift, lx) - lx) - shift
        return ry + self.rise * (min(side + self.width + shift, rx) - rx) - shift

    @property
    def reach(self) -> Span:
        """Where the strip's left side may lie at all when it shall meet the face."""
        xs = self.left[0], self.right[0]
        return min(xs) - self.shift - self.width, max(xs) + self.shift

    @property
    def bend(self) -> float:
        """The side at which the touching feature changes from an end of the face to an end of the front."""
        return self.left[0] + self.shift if self.rises else self.right[0] - self.shift - self.width

    def after(self, before: float) -> float:
        """Inches from the end of the wheel to the touch, at the least."""
        return self.height(before * self.sin) - before * self.cos

    def offset(self, before: float) -> float:
        """The offset along the face (contact.py) of a front that touches it from there. For one angle only."""
        side = before * self.sin
        lx, rx = self.left[0], self.right[0]
        if self.rises:
            return (side - lx) * (self.length / (rx - lx)) if side >= lx else side - lx
        end = side + self.width
        return (
            self.length - (rx - end) * (self.length / (rx - lx)) - self.width if end <= rx else self.length - rx + side
        )

    def sides(self, offset: float) -> Span:
        """Where the strip's left side may lie when the front shall come to lie at that offset."""
        lx, rx, shift = self.left[0], self.right[0], self.shift
        per, end = (rx - lx) / self.length, offset + self.width
        leads_left = lx + offset * per if offset >= 0.0 else lx + offset
        leads_right = rx - (self.length - end) * per - self.width if end <= self.length else rx - self.length + offset
        if abs(self.right[1] - self.left[1]) <= 2 * shift:
            return min(leads_left, leads_right) - shift, max(leads_left, leads_right) + shift
        side = leads_left if self.rises else leads_right
        return side - shift, side + shift

    @cached_property
    def free(self) -> tuple[Span, ...]:
        """The starts, in inches before the wheel, at which neither the turn nor the advance is barred; ascending."""
        if self.hidden or self.starts[0] > self.starts[1]:
            return ()
        field, barred = self.field, list[Span]()
        if self.first > 0.0:  # a turn covers all that a smaller one covers
            turn = Turn(field.width, field.depth, self.first)
            for piece in (field.target, *field.bodies):
                if (span := turn.barred(piece)) is not None:
                    barred.append(span)
            if field.table is not None:
                barred += off_table(field.table, turn, FROM_EDGE)
        barred += self._passed()
        for body in self.bodies:
            barred += self._barred(body)
        if field.table is not None:
            barred += self._beyond(field.table)
        return tuple(span for span in without(self.starts, barred) if span[1] - span[0] > LEAST)

    def _passed(self) -> Iterator[Span]:
        """The starts after which the front stands beyond the face as the wheel ends."""
        more = 2 * self.shift * (1.0 + abs(self.rise))
        if not self.seen:
            more = abs(self.right[1] - self.left[1]) + 2 * self.shift
        for low, high, height, slope in self._heights((-inf, inf)):
            span = within(above(-height - more, self.cos / self.sin - slope), low, high)
            if span is not None:
                yield span[0] / self.sin, span[1] / self.sin

    def _barred(self, body: Body) -> Iterator[Span]:
        """The starts at which the strip meets the body before the face."""
        inset, width, chain = body.shift, self.width, body.chain
        if 2 * inset >= width:
            return  # the strip may be anywhere beside it
        for x, y in chain:
            yield from self._lower((x - width + inset, x - inset), y, 0.0, inset)
        for (ax, ay), (bx, by) in pairwise(chain):
            if bx > ax:
                rise = (by - ay) / (bx - ax)
                for ray in (inset, width - inset):
                    yield from self._lower((ax - ray, bx - ray), ay + rise * (ray - ax), rise, inset)

    def _lower(self, sides: Span, level: float, rise: float, inset: float) -> Iterator[Span]:
        """The starts, with the strip's side within ``sides``, at which a line of the body lies before the face.

        The line is ``level + rise * side``; it must lie beyond the rear of the unit after the wheel too.
        """
        for low, high, height, slope in self._heights(sides):
            span = within(above(height - level - inset, slope - rise), low, high)
            span = span and within(above(level - inset + self.field.depth, rise - self.cos / self.sin), *span)
            if span is not None:
                yield span[0] / self.sin, span[1] / self.sin

    def _heights(self, sides: Span) -> Iterator[tuple[float, float, float, float]]:
        """The height of the face as lines, ``height + slope * side`` each, over the sides that can occur."""
        low, high = max(sides[0], self.starts[0] * self.sin), min(sides[1], self.starts[1] * self.sin)
        if low >= high:
            return
        if not self.seen:
            yield low, high, self.height(low), 0.0
            return
        bend = self.bend
        sloped = self.height(bend) - self.rise * bend
        flat, rising = (low, min(high, bend)), (max(low, bend), high)
        if not self.rises:
            flat, rising = rising, flat
        if flat[0] < flat[1]:
            yield *flat, self.height(bend), 0.0
        if rising[0] < rising[1]:
            yield *rising, sloped, self.rise

    def _beyond(self, table: Polygon) -> Iterator[Span]:
        """The starts at which the advance ends off the table."""
        w, d, c, s = self.width, self.field.depth, self.cos, self.sin
        corners = ((0.0, 0.0), (w * c, w * s), (d * s, -d * c), (w * c + d * s, w * s - d * c))
        for (nx, ny), limit in borders(table):
            towards = ny * c - nx * s
            if towards <= 0.0:
                continue  # the turn came nearer to this edge
            furthest = max(nx * x + ny * y for x, y in corners)
            for low, high, height, slope in self._heights((-inf, inf)):
                # the front goes up from side * cot to the face; before = side / sin
                value = furthest + towards * height - limit + FROM_EDGE
                rate = ny / s + towards * (slope - c / s)
                slack = self.half * (hypot(w, d) + max(height + slope * low, height + slope * high) + self.starts[1])
                span = within(above(value - slack, rate), low, high)
                if span is not None:
                    yield span[0] / s, span[1] / s


def underside(piece: Iterable[Point]) -> tuple[Point, ...]:
    """The lower side of a convex piece, from left to right."""
    chain: list[Point] = []
    for p in sorted(piece):
        while len(chain) > 1 and _right_turn(chain[-2], chain[-1], p):
            chain.pop()
        chain.append(p)
    return tuple(chain)


def _right_turn(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0.0
