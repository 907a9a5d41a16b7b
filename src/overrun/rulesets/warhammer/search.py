"""The wheel among obstacles: every start and angle, where the closed form of optimum.py is blocked.

For one angle everything is linear in the inches before the wheel (advance.py), so the starts are cut exactly into
stretches on which nothing changes kind, and each stretch gives its cheapest end. The angles are scanned and then
narrowed around the best angle of each count until the step is below ``FINEST``. A gap between obstacles that is open
for less than ``SCAN`` of angle can be missed; the tests compare with an independent scan. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot, pi, radians

from overrun.rulesets.warhammer.advance import Advance, Touch
from overrun.rulesets.warhammer.contact import Count, models_in_contact, thresholds
from overrun.rulesets.warhammer.optimum import Frontage, Option
from overrun.rulesets.warhammer.shapes import TOUCH, Polygon, edges, to_segment
from overrun.rulesets.warhammer.sweep import Part, first_contact
from overrun.rulesets.warhammer.wheel import View, Wheel

SCAN = radians(1.0)
"""Radians between the angles of the first scan."""

ZOOM = 5
"""Angles on either side of the best one in each narrowing; the step shrinks by the same factor."""

FINEST = 1e-7
"""Radians. With an 18-inch roll the cost is then known to 2e-6 inch, the size of ``TOUCH``."""

NARROWEST = 50 * TOUCH
"""Inches. No one can place a unit in a stretch of starts narrower than this; it is left out."""


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

    def look(angle: float) -> None:
        limit = max(min(most, known[1].cost if (known := best.get(level)) else cost) for level, cost in beat.items())
        arc = front.measure.cost(v.width, angle)
        longest = min(limit - arc, room)
        if longest < 0.0:
            return
        for stretch in _stretches(v, front, Advance(v, angle), (arc, longest, most), marks):
            for level, cost in beat.items():
                known = best.get(level)
                if stretch.count.open >= level and stretch.cost < (known[1].cost if known else cost) - 1e-12:
                    best[level] = angle, stretch

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
        Option(s.cost, s.attained, s.count, Wheel(v.side, s.before, angle, s.touch.after), s.touch.offset)
        for angle, s in best.values()
    ]


def _near(v: View, most: float) -> View:
    """The same view without bodies that no move of that length can reach."""
    reach = hypot(v.width, v.depth) + most

    def near(pieces: tuple[Polygon, ...]) -> tuple[Polygon, ...]:
        return tuple(p for p in pieces if any(to_segment((0.0, 0.0), a, b) <= reach for a, b in edges(p)))

    return View(v.side, v.width, v.depth, v.face, v.target, near(v.solid), near(v.enemies), v.table)


def _largest(front: Frontage, most: float) -> float:
    width = front.width
    low, high = 0.0, pi / 2
    if front.measure.cost(width, high) <= most:
        return high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if front.measure.cost(width, middle) <= most else (low, middle)
    return low


def _stretches(
    v: View, front: Frontage, advance: Advance, costs: tuple[float, float, float], marks: tuple[float, ...]
) -> Iterator[Stretch]:
    arc, longest, most = costs

    def placed(before: float) -> Touch | None:
        touch = advance.touch(before)
        return touch if touch is not None and advance.allowed(before, touch) else None

    def counted(touch: Touch) -> Count:
        return models_in_contact(touch.offset, front.files, front.base, v.face.length)

    if front.at_once:
        touch = placed(0.0)
        if touch is not None and arc + touch.after <= most + TOUCH and counted(touch).open:
            yield Stretch(arc + touch.after, True, counted(touch), 0.0, touch)
        return
    for low, high in _pairs((0.0, longest, *advance.cuts()), longest):
        for a, b in _pairs((low, high, *_crossings(advance, low, high, marks)), high):
            middle = placed((a + b) / 2)
            if b - a <= NARROWEST or middle is None or not (count := counted(middle)).open:
                continue
            quarter = advance.touch(b - (b - a) / 4) or middle
            rate = abs(quarter.offset - middle.offset) * 4 / (b - a)
            inset = min(max(1e-4, 100 * TOUCH / max(rate, 1e-3)), (b - a) / 4)
            for end, inside in ((a, a + inset), (b, b - inset)):
                here, there = placed(inside), placed(end)
                if there is not None and counted(there).open == count.open:
                    cost = end + arc + there.after
                    if cost <= most + TOUCH:
                        yield Stretch(cost, True, counted(there), end, there)
                elif here is not None:
                    slope = (middle.after - here.after) / ((a + b) / 2 - inside)
                    cost = end + arc + here.after + slope * (end - inside)
                    if cost <= most and inside + arc + here.after <= most + 1e-3:
                        yield Stretch(cost, False, count, inside, here)


def _pairs(cuts: Iterable[float], longest: float) -> Iterator[tuple[float, float]]:
    yield from pairwise(sorted({cut for cut in cuts if 0.0 <= cut <= longest}))


def _crossings(advance: Advance, low: float, high: float, marks: Iterable[float]) -> Iterator[float]:
    """Where, between two cuts, the offset meets a threshold or another body is as near as the target. All linear."""
    first, second = low + (high - low) / 3, high - (high - low) / 3
    one, two = advance.touch(first), advance.touch(second)
    if one is None or two is None:
        return
    slope = (two.offset - one.offset) / (second - first)
    lines = [(one.offset - mark, slope) for mark in marks]
    lines += [
        (r1, (r2 - r1) / (second - first))
        for r1, r2 in zip(one.room, two.room, strict=True)
        if r1 < float("inf") and r2 < float("inf")
    ]
    for value, rate in lines:
        if abs(rate) > 1e-12 and low < (at := first - value / rate) < high:
            yield at


def _straight_room(v: View) -> float:
    part = Part(0.0, v.width, 0.0, -v.depth)
    gaps = [m.gap for p in (v.target, *v.solid, *v.enemies) if (m := first_contact((part,), (p,), grazes=False))]
    return min(gaps, default=float("inf"))
