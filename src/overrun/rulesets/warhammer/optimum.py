"""The wheel that brings the most models into contact, by closed form (fact sheet C4, 4a.3, 4a.6).

Why the closed form is enough when nothing stands in the way. Fix the pivot and the offset at which the front shall lie
along the face. One number is then free: the angle. Write ``u`` for the touch point's distance from the pivot corner
along the front; the cost by the arc has the derivative ``W - u + after * tan(angle / 2)`` in the angle, which is never
negative, and a smaller angle means an earlier start. So the cheapest way to any offset starts its wheel at once
(``before = 0``), and there the touch point X, at distance u along the front, gives

    after = sqrt(|X|^2 - u^2)        angle = arg X - atan2(after, u)

Counts change only at the ``thresholds`` of contact.py; between two of them the cost is a smooth function of the offset
whose lowest value lies at an end, at a change of the touching feature, or where its derivative changes sign (bracketed
and bisected). These optima ignore everything but the face; each is then checked against the whole table. search.py
looks among all starts of the wheel when that check fails, when wheels are measured by the chord (the derivative above
may then be negative), and when the face looks away from the mover until it has wheeled (the angle then has a floor).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin, sqrt

from overrun.rulesets.warhammer.contact import Count, models_in_contact, thresholds
from overrun.rulesets.warhammer.shapes import TOUCH
from overrun.rulesets.warhammer.wheel import Measure, View, Wheel, collides, land

INSET = 1e-4
"""Inches. Real overlap has no least wheel, only a limit that must be passed; the wheel reported passes it by so much of
the face. That is invisible on a table, a hundred times ``TOUCH``, and costs less than is printed."""

HALVINGS = 60
"""Halvings of a bracket a few inches wide: down to the last bit of a float."""

NO_TURN = 1e-9
"""Radians below which a wheel is no wheel: on the widest front (100 bases) it moves nothing by ``TOUCH``."""


@dataclass(frozen=True, slots=True)
class Option:
    """One way to a count: its least cost, or the limit that the roll must pass when ``attained`` is false.

    ``wheel`` reaches the count; ``None`` is the straight move. When not attained the wheel costs slightly more.
    """

    cost: float
    attained: bool
    count: Count
    wheel: Wheel | None
    offset: float

    def affordable(self, roll: float) -> bool:
        """Whether a roll pays for it. A cost within ``TOUCH`` of the roll equals it."""
        return self.cost <= roll + TOUCH if self.attained else self.cost < roll - TOUCH


@dataclass(frozen=True, slots=True)
class Reach:
    """How the closed form reaches an offset when the wheel starts at once."""

    angle: float
    after: float


@dataclass(frozen=True)
class Frontage:
    """The mover and how it may wheel.

    Files, base width and depth of the whole unit in inches; how wheels are measured, the largest one in radians, and
    whether a wheel may only come first.
    """

    files: int
    base: float
    depth: float
    measure: Measure = Measure.ARC
    largest: float = pi / 2
    at_once: bool = False

    @property
    def width(self) -> float:
        """Inches."""
        return self.files * self.base


def reach(v: View, offset: float, leads_left: bool) -> Reach | None:
    """The wheel from the start that lays the front at ``offset``; ``None`` when there is none of that kind.

    ``leads_left``: the front meets the face with its left end leading (it has turned less than flush), so its left
    corner touches, or the face's left end when that lies further in; else the same at the right.
    """
    length, width = v.face.length, v.width
    if leads_left:
        touch, u = v.face.at(max(offset, 0.0)), max(0.0, -offset)
    else:
        touch, u = v.face.at(min(offset + width, length)), min(width, length - offset)
    if not (-TOUCH <= u <= width + TOUCH):
        return None
    squared = touch[0] * touch[0] + touch[1] * touch[1] - u * u
    if squared < 0.0:
        return None
    after = sqrt(squared)
    angle = atan2(touch[1], touch[0]) - atan2(after, u)
    flush = _flush(v)
    lean = (angle - flush + pi) % (2.0 * pi) - pi
    if abs(lean) >= pi / 2 or (lean > NO_TURN if leads_left else lean < -NO_TURN):
        return None
    return Reach(angle, after)


def _flush(v: View) -> float:
    ex, ey = v.face.along
    return atan2(ey, ex)  # in (-pi, pi]; a left wheel turns towards positive angles


def hidden(v: View, front: Frontage, most: float) -> bool:
    """Whether the face looks away from the mover at first, but not after a wheel that ``most`` inches pay for."""
    needed = _flush(v) - pi / 2
    return 0.0 <= needed < front.largest and front.measure.cost(v.width, needed) <= most


def _cost(v: View, front: Frontage, found: Reach | None) -> float:
    if found is None or not NO_TURN < found.angle <= front.largest + NO_TURN:
        return float("inf")
    return front.measure.cost(v.width, found.angle) + found.after


def closed_forms(v: View, front: Frontage, most: float) -> Iterator[Option]:
    """Every candidate of one pivot that costs at most ``most``, ignoring everything but the face. Not yet checked."""
    length = v.face.length
    marks = thresholds(front.files, front.base, length)
    for mark in marks:
        count = models_in_contact(mark, front.files, front.base, length)
        for leads_left in (True, False):
            found = reach(v, mark, leads_left)
            cost = _cost(v, front, found)
            if found is not None and cost <= most + TOUCH and count.open:
                yield Option(cost, True, count, Wheel(v.side, 0.0, found.angle, found.after), mark)
    breaks = sorted({*marks, *(m for m in _changes(v, front) if marks[0] < m < marks[-1])})
    for low, high in pairwise(breaks):
        if high - low <= TOUCH:
            continue
        count = models_in_contact((low + high) / 2, front.files, front.base, length)
        ends = tuple(
            End(x, inward, any(abs(x - m) <= TOUCH for m in marks)) for x, inward in ((low, 1.0), (high, -1.0))
        )
        for leads_left in (True, False):
            yield from _between(v, front, ends, count, leads_left=leads_left, most=most)


def _changes(v: View, front: Frontage) -> Iterable[float]:
    """Offsets at which the touching feature changes, or the range of angles ends."""
    yield 0.0
    yield v.face.length - v.width
    flush = _flush(v)
    yield -(v.face.left[0] * cos(flush) + v.face.left[1] * sin(flush))
    for angle in (0.0, front.largest):
        landing = land(v, 0.0, angle)
        if landing is not None:
            yield landing.offset


@dataclass(frozen=True, slots=True)
class End:
    """An end of a stretch of offsets: which way the stretch lies, and whether the count changes exactly there."""

    offset: float
    inward: float
    counts_change: bool


def _between(
    v: View, front: Frontage, ends: tuple[End, ...], count: Count, *, leads_left: bool, most: float
) -> Iterator[Option]:
    low, high = ends[0].offset, ends[1].offset
    step, inset = min(1e-7, (high - low) / 8), min(INSET, (high - low) / 4)

    def cost(offset: float) -> float:
        return _cost(v, front, reach(v, offset, leads_left))

    def option(limit: float, attained: bool, offset: float) -> Iterator[Option]:
        found = reach(v, offset, leads_left)
        if limit <= most and found is not None:
            yield Option(limit, attained, count, Wheel(v.side, 0.0, found.angle, found.after), offset)

    for end in ends:
        limit = cost(end.offset)
        if limit < float("inf") and not end.counts_change:
            yield from option(limit, True, end.offset)
            continue
        limit = min(limit, cost(end.offset + end.inward * step))
        away = inset
        while cost(end.offset + end.inward * away) == float("inf") and away > step:
            away /= 2
        offset = end.offset + end.inward * away
        if limit < float("inf") and cost(offset) >= limit - TOUCH:  # else the cost still falls inwards: not an optimum
            yield from option(limit, False, offset)
    if max(cost(low + step), cost(high - step)) < float("inf"):
        lowest = _lowest(lambda offset: _slope(v, front, offset, leads_left), low + step, high - step)
        if lowest is not None:
            yield from option(cost(lowest), True, lowest)


def _slope(v: View, front: Frontage, offset: float, leads_left: bool) -> float:
    """The derivative of the cost in the offset. Where an end of the face is the touch point it is never positive."""
    length, width = v.face.length, v.width
    moving = offset >= 0.0 if leads_left else offset + width <= length
    found = reach(v, offset, leads_left)
    if found is None or not moving:
        return -1.0
    x, y = v.face.at(offset if leads_left else offset + width)
    u = 0.0 if leads_left else width
    (ex, ey), squared = v.face.along, x * x + y * y
    outwards = x * ex + y * ey
    turning = (x * ey - y * ex) / squared - u * outwards / (squared * found.after)
    per_radian = width if front.measure is Measure.ARC else width * cos(found.angle / 2.0)
    return per_radian * turning + outwards / found.after


def _lowest(slope: Callable[[float], float], low: float, high: float) -> float | None:
    """Where a slope turns from falling to rising; None when it does not."""
    if not slope(low) < 0.0 < slope(high):
        return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0.0 else (low, middle)
    return (low + high) / 2


def checked(v: View, option: Option) -> bool:
    """Whether the option's wheel may be made on the whole table and lands where it says."""
    wheel = option.wheel
    if wheel is None:
        return True
    if collides(v, wheel.before, wheel.angle, wheel.after):
        return False
    landing = land(v, wheel.before, wheel.angle)
    return landing is not None and hypot(landing.after - wheel.after, landing.offset - option.offset) <= 10 * TOUCH
