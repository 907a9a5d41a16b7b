"""Stretches: the free starts of wheels of one angle, cut where the number of models in contact changes.

Between two neighbouring thresholds of the offset (contact.py) the count is one; there the cost of the whole move is
linear in the inches before the wheel, so its lowest value lies at an end. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf

from overrun.rulesets.warhammer import curves
from overrun.rulesets.warhammer.contact import Count
from overrun.rulesets.warhammer.curves import Curve
from overrun.rulesets.warhammer.optimum import Frontage
from overrun.rulesets.warhammer.wheel import View
from overrun.rulesets.warhammer.window import LEAST, Field, Window


@dataclass(frozen=True, slots=True)
class Stretch:
    """Starts of wheels of one angle that lay the front between two neighbouring thresholds, so that no count changes.

    ``cost``: inches at the cheaper end, the least that it can be if the angle is a range. ``touch``: what meets.
    """

    low: float
    high: float
    count: Count
    cost: float
    touch: str


@dataclass(frozen=True)
class Sought:
    """What is looked for: counts by stretch of offsets, and how a wheel is paid."""

    view: View
    field: Field
    front: Frontage
    offsets: tuple[float, ...]
    counts: tuple[Count, ...]

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """Every curve of the field."""
        field = self.field
        found = [curves.constant(field.starts[0]), curves.constant(field.starts[1])]
        found += curves.marks(field, self.offsets)
        for piece in (field.target, *field.bodies):
            found += curves.of_turn(field, piece)
        for piece in field.bodies:
            found += curves.of_advance(field, piece)
        if field.table is not None:
            found += curves.of_table(field, field.table)
        return tuple(found)

    def paid(self, angle: float) -> float:
        """Inches of the wheel itself."""
        return self.front.measure.cost(self.front.width, angle)

    def stretches(self, window: Window, worth: Callable[[int], float]) -> Iterator[Stretch]:
        """The free starts by stretches that cost less than their models are worth."""
        if not window.free:
            return
        if window.seen:
            sides = [window.sides(offset) for offset in self.offsets]
        arc = self.paid(window.first)
        for i, count in enumerate(self.counts):
            limit = worth(count.open) - arc
            if limit <= 0.0:
                continue
            first, last = (sides[i][0], sides[i + 1][1]) if window.seen else window.reach
            for low, high in _parts(window, first / window.sin, last / window.sin):
                ends = low + window.after(low), high + window.after(high)
                cost = max(min(ends), low, 0.0)
                if cost < limit:
                    kept = _below(low, high, ends, limit) if window.half > 0.0 else (low, high)
                    yield Stretch(*kept, count, cost + arc, self._touch(window, (low + high) / 2))

    def _touch(self, window: Window, start: float) -> str:
        side = start * window.sin
        if window.rises:
            return "left corner" if side > window.left[0] else "left end"
        return "right corner" if side + window.width < window.right[0] else "right end"


def _below(low: float, high: float, ends: tuple[float, float], limit: float) -> tuple[float, float]:
    """The part of an interval where a straight line between those values lies below a limit."""
    if max(ends) <= limit:
        return low, high
    at_limit = low + (high - low) * (limit - ends[0]) / (ends[1] - ends[0])
    return (low, at_limit) if ends[0] < limit else (at_limit, high)


def _parts(window: Window, low: float, high: float) -> Iterator[tuple[float, float]]:
    """The free starts from ``low`` to ``high``, cut where the touching feature changes."""
    bend = window.bend / window.sin if window.seen else -inf
    for first, last in window.free:
        marks = [max(first, low), min(last, high)]
        if marks[0] < bend < marks[1]:
            marks.insert(1, bend)
        yield from ((a, b) for a, b in pairwise(marks) if b - a > LEAST)
