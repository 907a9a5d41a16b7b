"""The wheel among obstacles: every start and angle, where the closed form of optimum.py is blocked.

For one angle everything is linear in the inches before the wheel (advance.py), so the starts are cut exactly into
stretches on which nothing changes kind, and each stretch gives its cheapest end. The angles are scanned and then
narrowed around the best angle of each count until the step is below ``FINE``. A gap between obstacles that is open
for less than ``SCAN`` of angle can be missed; the tests compare with an independent scan. Pure functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot, pi, radians

from overrun.rulesets.warhammer.advance import Advance, Touch
from overrun.rulesets.warhammer.contact import Count, models_in_contact, thresholds
from overrun.rulesets.warhammer.optimum import Frontage, Option
from overrun.rulesets.warhammer.shapes import TOUCH, Polygon, edges, to_segment
from overrun.rulesets.warhammer.sweep import Part, first_contact
from overrun.rulesets.warhammer.wheel import View, Wheel, borders

SCAN = radians(1.0)
"""Radians between the angles of the first scan."""

ZOOM = 5
"""Angles on either side of the best one in each narrowing; the step shrinks by the same factor."""

FINE = 2e-6
"""Radians. With an 18-inch roll the cost is then known to 4e-5 inch, far below what is printed."""

FINEST = 1e-8
"""Radians, for a cost that near to a whole inch, where the roll that pays for it hangs on it: 2e-7 inch."""

NEAR_WHOLE = 1e-3
"""Inches from a whole number within which a cost is narrowed to ``FINEST``."""

NARROWEST = 50 * TOUCH
"""Inches. No one can place a unit in a stretch of starts narrower than this; it is left out."""


INSIDE = 1e-3
"""Inches that the wheel put on record may cost more than the limit that it must pass."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Starts of the wheel on which the count does not change: the cheapest end, and a start inside for the record."""

    cost: float
    attained: bool
    count: Count
    before: float
    touch: Touch


def search(v: View, front: Frontage, most: float, beat: Mapping[int, float]) -> list[Option]:
    """For each open count in ``beat`` the cheapest option among all starts that costs less than given there.

    Wheels start only at once when the ruling says so. ``most``: inches of the longest roll.
    """
    v = _near(v, most)
    steepest = min(front.largest, _largest(front, most))
    steps = max(1, ceil(steepest / SCAN))
    best: dict[int, tuple[float, Stretch]] = {}
    room = _straight_room(v)
    marks = thresholds(front.files, front.base, v.face.length)

    def useful(cost: float, models: int) -> bool:
        return any(
            models >= level and cost < (best[level][1].cost if level in best else limit) - 1e-12
            for level, limit in beat.items()
        )

    def look(angle: float) -> None:
        limit = max(min(most, best[level][1].cost if level in best else cost) for level, cost in beat.items())
        arc = front.measure.cost(v.width, angle)
        longest = min(limit - arc, room)
        if longest < 0.0:
            return
        advance = Advance(v, angle, longest)
        if arc + advance.least > limit + TOUCH:
            return
        for stretch in _stretches(front, advance, marks, lambda cost, n: cost + arc <= most and useful(cost + arc, n)):
            for level, cost in beat.items():
                known = best[level][1].cost if level in best else cost
                if stretch.count.open >= level and stretch.cost < known - 1e-12:
                    best[level] = angle, stretch

    for i in range(1, steps + 1):
        look(steepest * i / steps)
    for level in sorted(best):
        step = steepest / steps
        while step > (FINEST if _hangs(best[level][1].cost) else FINE):
            centre = best[level][0]
            step /= ZOOM
            for i in range(-ZOOM, ZOOM + 1):
                angle = centre + i * step
                if i and 0.0 < angle <= steepest:
                    look(angle)
    return [
        Option(s.cost, s.attained, s.count, Wheel(v.side, s.before, angle, s.touch.after), s.touch.offset)
        for angle, s in best.values()
    ]


def _hangs(cost: float) -> bool:
    return abs(cost - round(cost)) < NEAR_WHOLE


def _near(v: View, most: float) -> View:
    """The same view without bodies that no move of that length can reach."""
    reach = hypot(v.width, v.depth) + most

    def near(pieces: tuple[Polygon, ...]) -> tuple[Polygon, ...]:
        return tuple(p for p in pieces if any(to_segment((0.0, 0.0), a, b) <= reach for a, b in edges(p)))

    far = all(limit > reach for _, limit in borders(v.table or ()))
    return View(v.side, v.width, v.depth, v.face, v.target, near(v.solid), near(v.enemies), None if far else v.table)


def _largest(front: Frontage, most: float) -> float:
    width = front.width
    low, high = 0.0, pi / 2
    if front.measure.cost(width, high) <= most:
        return high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if front.measure.cost(width, middle) <= most else (low, middle)
    return low


Useful = Callable[[float, int], bool]
"""Whether so many models for so many inches, those of the wheel left out, are worth keeping."""


def _stretches(front: Frontage, advance: Advance, marks: tuple[float, ...], useful: Useful) -> Iterator[Stretch]:
    arc, length = front.measure.cost(front.width, advance.angle), advance.v.face.length

    def counted(offset: float) -> Count:
        return models_in_contact(offset, front.files, front.base, length)

    def exactly(before: float) -> Stretch | None:
        touch = advance.touch(before)
        if touch is None or not advance.allowed(before, touch):
            return None
        return Stretch(before + arc + touch.after, True, counted(touch.offset), before, touch)

    if front.at_once:
        at_once = exactly(0.0)
        if at_once is not None and useful(at_once.cost - arc, at_once.count.open):
            yield at_once
        return
    for low, high in _pairs((0.0, advance.longest, *advance.cuts()), advance.longest):
        line = _line(advance, low, high)
        if line is None or not useful(min(line.cost(low), line.cost(high)), front.files):
            continue
        for a, b in _pairs((low, high, *line.crossings(low, high, marks)), high):
            middle = (a + b) / 2
            count = counted(line.offset(middle))
            if b - a <= NARROWEST or not count.open or not advance.allowed(middle, line.touch(middle)):
                continue
            inset = min(max(1e-4, 100 * TOUCH / max(abs(line.slope), 1e-3)), (b - a) / 4)
            for end, inside in ((a, a + inset), (b, b - inset)):
                if not useful(line.cost(end), count.open):
                    continue
                there, here = exactly(end), exactly(inside)
                if there is not None and there.count.open == count.open:
                    yield there
                elif here is not None and here.cost - arc <= line.cost(end) + INSIDE:
                    yield Stretch(line.cost(end) + arc, False, count, inside, here.touch)


@dataclass(frozen=True, slots=True)
class Line:
    """Two touches of one stretch, and everything between and beyond them in a straight line."""

    first: float
    second: float
    one: Touch
    two: Touch

    def _between(self, x: float, one: float, two: float) -> float:
        return one + (two - one) * (x - self.first) / (self.second - self.first)

    def cost(self, before: float) -> float:
        """Inches before and after the wheel."""
        return before + self._between(before, self.one.after, self.two.after)

    def offset(self, before: float) -> float:
        """Offset along the face."""
        return self._between(before, self.one.offset, self.two.offset)

    @property
    def slope(self) -> float:
        """Change of the offset with the inches before the wheel."""
        return (self.two.offset - self.one.offset) / (self.second - self.first)

    def touch(self, before: float) -> Touch:
        """The touch there."""
        rooms = (
            r1 if r1 == r2 else self._between(before, r1, r2) if max(r1, r2) < float("inf") else min(r1, r2)
            for r1, r2 in zip(self.one.room, self.two.room, strict=True)
        )
        return Touch(self._between(before, self.one.after, self.two.after), self.offset(before), tuple(rooms))

    def crossings(self, low: float, high: float, marks: Iterable[float]) -> Iterator[float]:
        """Where the offset meets a threshold, or another body is as near as the target."""
        span = self.second - self.first
        lines = [(self.one.offset - mark, self.slope) for mark in marks]
        lines += [
            (r1, (r2 - r1) / span)
            for r1, r2 in zip(self.one.room, self.two.room, strict=True)
            if max(r1, r2) < float("inf")
        ]
        for value, rate in lines:
            if abs(rate) > 1e-12 and low < (at := self.first - value / rate) < high:
                yield at


def _line(advance: Advance, low: float, high: float) -> Line | None:
    """The straight line through a stretch on which nothing changes kind; None when the face is not touched there."""
    if high - low <= NARROWEST or advance.hit((low + high) / 2):
        return None
    first, second = low + (high - low) / 3, high - (high - low) / 3
    one, two = advance.touch(first), advance.touch(second)
    return None if one is None or two is None else Line(first, second, one, two)


def _pairs(cuts: Iterable[float], longest: float) -> Iterator[tuple[float, float]]:
    yield from pairwise(sorted({cut for cut in cuts if 0.0 <= cut <= longest}))


def _straight_room(v: View) -> float:
    part = Part(0.0, v.width, 0.0, -v.depth)
    gaps = [m.gap for p in (v.target, *v.solid, *v.enemies) if (m := first_contact((part,), (p,), grazes=False))]
    return min(gaps, default=float("inf"))
