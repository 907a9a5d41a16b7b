"""The best wheels of a narrow range of angles, between one critical angle and the next.

At a *critical angle* something begins or ends: two curves of curves.py cross, or a line is parallel to the front.
Between two of them nothing changes kind. So each stretch of starts is looked at once, at an angle between them, and the
cheapest wheel at each of its ends lies at a critical angle or where the cost stops falling. Crossings and lowest costs
are roots of closed forms, polished to the last bits. Pure functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, inf, sin

from overrun.rulesets.warhammer import curves
from overrun.rulesets.warhammer.contact import models_in_contact
from overrun.rulesets.warhammer.curves import TINY, Curve, at, slope
from overrun.rulesets.warhammer.optimum import NO_TURN, Option, checked
from overrun.rulesets.warhammer.stretches import Sought, Stretch
from overrun.rulesets.warhammer.turn import root
from overrun.rulesets.warhammer.wheel import Measure, Wheel
from overrun.rulesets.warhammer.window import Field, Window

SAME = 1e-8
"""Inches within which an end of a stretch is the value of a curve: both come from one formula."""

TIE = 1e-11
"""Inches within which two costs are one: the same place, found from both sides."""

APART = 1e-12
"""Radians between critical angles that are not one and the same."""

STEPS = tuple(1e-5 * 4.0**i for i in range(8))
"""Radians by which the wheel on record passes a limit that is not attained; the first that holds is used."""

INSET = 1 / 16
"""Inches for each radian of a step by which that wheel keeps from both ends of its stretch of starts."""

INSIDE = 1e-2
"""Inches that the wheel on record may cost more than the limit that it must pass."""


@dataclass(frozen=True, slots=True)
class Place:
    """The cheapest wheel at one end of a stretch: between which angles, where, and what the whole move costs.

    ``start`` gives that end for every angle.
    """

    angles: tuple[float, float]
    stretch: Stretch
    start: Curve
    angle: float
    cost: float


def options(
    sought: Sought, angles: tuple[float, float], near: Sequence[Curve], worth: Callable[[int], float]
) -> Iterator[Option]:
    """The options of a range of angles, each cheaper than what was known."""
    for first, last in pairwise(_critical(sought.field, near, angles)):
        middle = (first + last) / 2
        window = Window(sought.field, middle, middle, inf)
        for stretch in sought.stretches(window, lambda models: worth(models) + INSIDE):
            for start in (stretch.low, stretch.high):
                curve = _curve(near, middle, start)
                if curve is None:
                    continue
                place = _cheapest_place(sought, (first, last), stretch, curve)
                option = _recorded(sought, place) if place.cost < worth(stretch.count.open) + TIE else None
                if option is not None:
                    yield option


def _curve(near: Iterable[Curve], angle: float, start: float) -> Curve | None:
    """The curve that has that value; none when the start lies outside what was worth looking for."""
    nearest = min(near, key=lambda curve: abs(at(curve, angle) - start), default=None)
    return None if nearest is None or abs(at(nearest, angle) - start) > SAME else nearest


def _cheapest_place(sought: Sought, angles: tuple[float, float], stretch: Stretch, start: Curve) -> Place:
    """The cheapest wheel at that end of a stretch, from one critical angle to the next."""
    touch = curves.touches(sought.field)[stretch.touch]
    after, front = curves.after(touch, start), sought.front

    def falls(angle: float) -> float:
        per_radian = front.width * (1.0 if front.measure is Measure.ARC else cos(angle / 2))
        return slope(start, angle) + slope(after, angle) + per_radian

    def cost(angle: float) -> float:
        return at(start, angle) + at(after, angle) + sought.paid(angle)

    first, last = angles
    angle = first if cost(first) <= cost(last) else last
    if falls(first) < 0.0 < falls(last):
        angle = root(falls, first, last)
    return Place(angles, stretch, start, angle, cost(angle))


def _recorded(sought: Sought, place: Place) -> Option | None:
    """The option of that place: the wheel itself when it reaches the count, else one that has just passed it."""
    exact = _option(sought, place.angle, at(place.start, place.angle), place.cost, attained=True)
    if exact is not None and exact.count.open >= place.stretch.count.open:
        return exact
    for step in STEPS:
        option = _passed(sought, _inwards(place, step), place, step)
        if option is not None:
            return option
    return _passed(sought, _inwards(place, (place.angles[1] - place.angles[0]) / 2), place, STEPS[0])


def _inwards(place: Place, step: float) -> float:
    """The angle that far inside: at a critical angle the stretch may be there or not, so it is stepped away from."""
    if place.angle not in place.angles:
        return place.angle
    return place.angle + step if place.angle == place.angles[0] else place.angle - step


def _passed(sought: Sought, angle: float, place: Place, step: float) -> Option | None:
    """A wheel of that angle from inside the stretch, so near to the place as the step says."""
    if not NO_TURN < angle <= sought.front.largest:
        return None
    wished, count = at(place.start, angle), place.stretch.count
    window = Window(sought.field, angle, angle, inf)
    inset = step * INSET
    stretches = sought.stretches(window, lambda _: inf)
    here = [(s.low, s.high) for s in stretches if s.count == count and s.high - s.low > 2 * inset]
    if not here:
        return None
    low, high = min(here, key=lambda span: max(span[0] - wished, wished - span[1], 0.0))
    before = min(max(wished, low + inset), high - inset)
    option = _option(sought, angle, max(0.0, before), place.cost, attained=False)
    if option is None or option.count.open != count.open:
        return None
    assert option.wheel is not None
    return option if option.wheel.cost(sought.front.width, sought.front.measure) <= place.cost + INSIDE else None


def _option(sought: Sought, angle: float, before: float, cost: float, *, attained: bool) -> Option | None:
    """That wheel as an option, if the whole table allows it."""
    if not NO_TURN < angle <= sought.front.largest + NO_TURN:
        return None
    window = Window(sought.field, angle, angle, inf)
    if not window.seen:
        return None
    offset = window.offset(before)
    count = models_in_contact(offset, sought.front.files, sought.front.base, window.length)
    wheel = Wheel(sought.view.side, before if before > TIE else 0.0, angle, max(0.0, window.after(before)))
    option = Option(cost, attained, count, wheel, offset)
    return option if checked(sought.view, option) else None


def _samples(angles: tuple[float, float]) -> tuple[float, float, float]:
    """The ends of a range, just inside it because a curve may jump there, and its middle."""
    first, last = angles
    aside = (last - first) * 1e-6
    return first + aside, (first + last) / 2, last - aside


def near_curves(known: Iterable[Curve], angles: tuple[float, float], seen: Iterable[Stretch]) -> list[Curve]:
    """The curves that may come into those stretches at those angles."""
    first, middle, last = ((cos(a), sin(a)) for a in _samples(angles))
    spans = {(s.low - SAME, s.high + SAME) for s in seen}
    kept: dict[tuple[float, ...], Curve] = {}
    for curve in known:
        start, end = (curve(complex(c, -TINY * s), complex(s, TINY * c)) for c, s in (first, last))
        values = start.real, curve(*middle).real, end.real
        lowest, highest = min(values), max(values)
        for low, high in spans:
            if (lowest <= high and highest >= low) or start.imag * end.imag < 0.0:
                kept[values] = curve
                break
    return list(kept.values())


def _critical(field: Field, near: Sequence[Curve], angles: tuple[float, float]) -> list[float]:
    """The angles of the range at which two curves cross or a line is parallel to the front; its ends too. Ascending."""
    first, last = angles
    found = {first, last, *(a for a in curves.upright(field) if first < a < last)}
    samples = _samples(angles)
    values = [[at(curve, a) for a in samples] for curve in near]
    slopes = [(slope(curve, samples[0]), slope(curve, samples[2])) for curve in near]
    for i, one in enumerate(near):
        (a0, a1, a2), (falls, rises) = values[i], slopes[i]
        for j, other in enumerate(near[:i]):
            (b0, b1, b2), (falls_too, rises_too) = values[j], slopes[j]
            gap0, gap1, gap2 = a0 - b0, a1 - b1, a2 - b2
            if gap0 * gap1 < 0.0:
                found.add(_crossing(one, other, samples[0], samples[1]))
            if gap1 * gap2 < 0.0:
                found.add(_crossing(one, other, samples[1], samples[2]))
            turn0, turn2 = falls - falls_too, rises - rises_too
            if turn0 * turn2 < 0.0 and min(abs(gap0), abs(gap2)) < (abs(turn0) + abs(turn2)) * (last - first):
                found |= _twice(one, other, samples[0], samples[2])
    kept = [first]
    for angle in sorted(found):
        if angle - kept[-1] > APART:
            kept.append(angle)
    return kept


def _crossing(one: Curve, other: Curve, first: float, last: float) -> float:
    return root(lambda angle: at(one, angle) - at(other, angle), first, last)


def _twice(one: Curve, other: Curve, first: float, last: float) -> set[float]:
    """The crossings on both sides of the angle at which two curves stop approaching each other."""
    summit = root(lambda angle: slope(one, angle) - slope(other, angle), first, last)
    gaps = [at(one, angle) - at(other, angle) for angle in (first, summit, last)]
    sides = ((first, summit, gaps[0] * gaps[1]), (summit, last, gaps[1] * gaps[2]))
    return {_crossing(one, other, a, b) for a, b, sign in sides if sign < 0.0}
