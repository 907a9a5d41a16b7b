"""The wheel among obstacles: every start and angle, where the closed form of optimum.py is blocked.

For one angle everything is linear in the inches before the wheel: where the front meets the target, the offset, the
cost, and what else is in the way. The starts are therefore cut exactly into stretches on which nothing changes kind,
and each stretch gives its cheapest end. The angles are scanned and then narrowed around the best angle of each count
until the step is below ``FINEST``. A gap between obstacles that is open for less than ``SCAN`` of angle can be missed;
the tests compare with an independent scan. Pure functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, radians, sin

from overrun.rulesets.warhammer.contact import Count, models_in_contact, thresholds
from overrun.rulesets.warhammer.optimum import Frontage, Option
from overrun.rulesets.warhammer.shapes import TOUCH, Point, Polygon, edges
from overrun.rulesets.warhammer.sweep import Part, first_contact
from overrun.rulesets.warhammer.wheel import View, Wheel, borders, land

SCAN = radians(1.0)
"""Radians between the angles of the first scan."""

ZOOM = 6
"""Angles on either side of the best one in each narrowing; the step shrinks by the same factor."""

FINEST = 1e-8
"""Radians. With an 18-inch roll the cost is then known to 2e-7 inch, below ``TOUCH``."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Starts of the wheel on which the count does not change: the cheapest end, and a start inside for the record."""

    cost: float
    attained: bool
    count: Count
    before: float
    after: float
    offset: float


def search(v: View, front: Frontage, most: float) -> list[Option]:
    """The cheapest option of each open count among all starts of the wheel (only at once when the ruling says so)."""
    steepest = min(front.largest, _largest(front, most))
    steps = max(1, ceil(steepest / SCAN))
    best: dict[int, tuple[float, Stretch]] = {}

    def look(angle: float) -> None:
        for stretch in _stretches(v, front, angle, most):
            known = best.get(stretch.count.open)
            if known is None or stretch.cost < known[1].cost - 1e-12:
                best[stretch.count.open] = angle, stretch

    for i in range(1, steps + 1):
        look(steepest * i / steps)
    for level in sorted(best):
        step = steepest / steps
        while step > FINEST:
            centre = best[level][0]
            step /= ZOOM
            for i in range(-ZOOM, ZOOM + 1):
                angle = centre + i * step
                if i and 0.0 < angle <= steepest:
                    look(angle)
    return [
        Option(s.cost, s.attained, s.count, Wheel(v.side, s.before, angle, s.after), s.offset)
        for angle, s in best.values()
    ]


def _largest(front: Frontage, most: float) -> float:
    width = front.width
    low, high = 0.0, pi / 2
    if front.measure.cost(width, high) <= most:
        return high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if front.measure.cost(width, middle) <= most else (low, middle)
    return low


def _stretches(v: View, front: Frontage, angle: float, most: float) -> Iterator[Stretch]:
    c, s = cos(angle), sin(angle)
    arc = front.measure.cost(v.width, angle)
    longest = min(most - arc, _straight_room(v))
    if longest < 0.0:
        return
    turned = {
        piece: tuple((x * c + y * s, y * c - x * s) for x, y in piece) for piece in (v.target, *v.solid, *v.enemies)
    }
    blocked = list(_blocked(v, angle))
    others = [(turned[p], 0.0) for p in v.solid] + [(turned[p], TOUCH) for p in v.enemies]

    def state(before: float) -> tuple[float, float, tuple[float, ...]] | None:
        """Inches after, offset, and by how much each other body stands beyond the touch."""
        landing = land(v, before, angle)
        if landing is None:
            return None
        part = Part(before * s, before * s + v.width, before * c, before * c - v.depth)
        room = []
        for piece, margin in others:
            meeting = first_contact((part,), (piece,), grazes=margin > 0.0)
            room.append(float("inf") if meeting is None else meeting.gap - landing.after - margin)
        return landing.after, landing.offset, tuple(room)

    def allowed(before: float) -> bool:
        if any(low < before < high for low, high in blocked):
            return False
        found = state(before)
        if found is None or min(found[2], default=1.0) < 0.0 or before + arc + found[0] > most + TOUCH:
            return False
        return v.table is None or _inside(v, before, angle, found[0])

    def stretch(before: float, found: tuple[float, float, tuple[float, ...]], attained: bool, cost: float) -> Stretch:
        count = models_in_contact(found[1], front.files, front.base, v.face.length)
        return Stretch(cost, attained, count, before, found[0], found[1])

    if front.at_once:
        found = state(0.0)
        if found is not None and allowed(0.0):
            yield stretch(0.0, found, True, arc + found[0])
        return
    marks = [x for piece in turned.values() for x, _ in piece]
    cuts = [0.0, longest, *(end for pair in blocked for end in pair)]
    cuts += [x / s for x in marks] + [(x - v.width) / s for x in marks]
    limits = thresholds(front.files, front.base, v.face.length)
    for low, high in _pairs(cuts, longest):
        for a, b in _pairs([low, high, *_crossings(state, low, high, limits)], high):
            middle = (a + b) / 2
            if b - a <= 50 * TOUCH or not allowed(middle):  # no one can place a unit in so narrow a stretch
                continue
            found = state(middle)
            assert found is not None
            rate = abs((state(b - (b - a) / 4) or found)[1] - found[1]) * 4 / (b - a)
            inset = min(max(1e-4, 100 * TOUCH / max(rate, 1e-3)), (b - a) / 4)
            count = models_in_contact(found[1], front.files, front.base, v.face.length)
            if not count.open:
                continue
            for end, inside in ((a, a + inset), (b, b - inset)):
                here = state(inside)
                if here is None or not allowed(inside):
                    continue
                slope = (found[0] - here[0]) / (middle - inside)
                cost = end + arc + here[0] + slope * (end - inside)
                at_end = state(end)
                attained = (
                    at_end is not None
                    and allowed(end)
                    and models_in_contact(at_end[1], front.files, front.base, v.face.length).open == count.open
                )
                if attained and at_end is not None:
                    yield stretch(end, at_end, True, end + arc + at_end[0])
                else:
                    yield Stretch(cost, False, count, inside, here[0], here[1])


def _pairs(cuts: Iterable[float], longest: float) -> Iterator[tuple[float, float]]:
    kept = sorted({cut for cut in cuts if 0.0 <= cut <= longest})
    yield from pairwise(kept)


def _crossings(
    state: Callable[[float], tuple[float, float, tuple[float, ...]] | None],
    low: float,
    high: float,
    limits: Iterable[float],
) -> Iterator[float]:
    """Where, between two cuts, the offset meets a threshold or another body is as near as the target. All linear."""
    first, second = low + (high - low) / 3, high - (high - low) / 3
    one, two = state(first), state(second)
    if one is None or two is None:
        return
    slope = (two[1] - one[1]) / (second - first)
    pairs = [(one[1] - limit, slope) for limit in limits]
    pairs += [
        (r1, (r2 - r1) / (second - first))
        for r1, r2 in zip(one[2], two[2], strict=True)
        if r1 < float("inf") and r2 < float("inf")
    ]
    for value, rate in pairs:
        if abs(rate) > 1e-12:
            at = first - value / rate
            if low < at < high:
                yield at


def _straight_room(v: View) -> float:
    part = Part(0.0, v.width, 0.0, -v.depth)
    gaps = [m.gap for p in (v.target, *v.solid, *v.enemies) if (m := first_contact((part,), (p,), grazes=False))]
    return min(gaps, default=float("inf"))


def _blocked(v: View, angle: float) -> Iterator[tuple[float, float]]:
    """Starts at which the turn overlaps a piece (touches it, for enemies): one interval a piece, both being convex."""
    for pieces, margin in (((v.target, *v.solid), -TOUCH / 10), (v.enemies, TOUCH)):
        for piece in pieces:
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
