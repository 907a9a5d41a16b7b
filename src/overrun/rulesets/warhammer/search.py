"""The wheel among obstacles: every start and every angle, where the closed form of optimum.py is blocked.

Two numbers are free: the inches before the wheel and its angle. Ranges of angles are halved; a range is given up only
when window.py proves that no start at any of its angles brings enough models cheaply enough, so no gap between
obstacles is overlooked. What remains is cut at its critical angles (critical.py), where everything that can begin or
end does so, and the wheel is found to the last bits. Pure functions.

What is left out: starts that no one can place, a stretch of them narrower than an eighth of the first step of
`critical.STEPS` in inches for each radian, about a millionth of an inch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import hypot, inf, pi

from overrun.rulesets.warhammer import curves
from overrun.rulesets.warhammer.contact import models_in_contact, thresholds
from overrun.rulesets.warhammer.critical import TIE, near_curves, options
from overrun.rulesets.warhammer.curves import Curve
from overrun.rulesets.warhammer.optimum import NO_TURN, Frontage, Option
from overrun.rulesets.warhammer.shapes import TOUCH, Polygon, edges, to_segment
from overrun.rulesets.warhammer.stretches import Sought
from overrun.rulesets.warhammer.sweep import Part, first_contact
from overrun.rulesets.warhammer.turn import root, swollen
from overrun.rulesets.warhammer.wheel import View, borders
from overrun.rulesets.warhammer.window import Field, Window

COARSE = 0.1
"""Radians of the first ranges; any width would do, it decides only how long the search takes."""

NARROW, NARROWEST = 2e-4, 1e-6
"""Radians of a range that is cut at its critical angles if ``MANY`` curves meet it, and whatever meets it."""

FEW, MANY = 14, 80
"""Curves that a wide range and a narrow one may have when they are cut: all four decide only how long it takes."""

PLACEABLE = 1e-4
"""Inches. A stretch of starts wider than that is trusted to hold a wheel before one is found there."""

AT_ONCE = 1e-6
"""Inches around no inches at all: the starts looked at when a wheel may only come first."""


def search(v: View, front: Frontage, most: float, beat: Mapping[int, float]) -> list[Option]:
    """For each open count in ``beat`` the cheapest option among all starts that costs less than given there.

    Wheels start only at once when the ruling says so. ``most``: inches of the longest roll.
    """
    hunt = Hunt(v, front, most, beat)
    hunt.run()
    if any(cost < hunt.best_cost(level) - TOUCH for level, cost in hunt.sampled.items()):
        hunt = Hunt(v, front, most, beat, sampling=False)  # a sampled stretch gave no wheel: trust none
        hunt.run()
    return [hunt.best[level] for level in sorted(hunt.best)]


class Hunt:
    """One search: the cheapest option of each open count so far, and the ranges of angles still to be looked at."""

    def __init__(
        self, v: View, front: Frontage, most: float, beat: Mapping[int, float], *, sampling: bool = True
    ) -> None:
        self.beat, self.sampling = beat, sampling
        offsets = thresholds(front.files, front.base, v.face.length)
        middles = [(a + b) / 2 for a, b in pairwise(offsets)]
        counts = tuple(models_in_contact(o, front.files, front.base, v.face.length) for o in middles)
        self.sought = Sought(v, _field(v, front, most), front, offsets, counts)
        self.steepest = min(front.largest, _largest(front, most))
        self.best: dict[int, Option] = {}
        self.sampled: dict[int, float] = {}
        """What a stretch seen at one angle would cost: a bound, not yet an option."""
        self.waiting: list[tuple[float, float, float, Sequence[Curve]]] = []

    def best_cost(self, level: int) -> float:
        """Inches that so many models cost as far as is known."""
        return self.best[level].cost if level in self.best else self.beat[level]

    def worth(self, models: int) -> float:
        """Inches below which so many models would be news."""
        costs = (min(self.best_cost(n), self.sampled.get(n, inf) + TOUCH) for n in self.beat if n <= models)
        return max(costs, default=0.0)

    def run(self) -> None:
        """Look at every range of angles, the most promising first."""
        steps = max(1, round(self.steepest / COARSE))
        marks = {self.steepest * i / steps for i in range(1, steps + 1)}
        marks |= {angle for angle in curves.poles(self.sought.field) if angle < self.steepest}
        for first, last in pairwise(sorted({NO_TURN, *(mark for mark in marks if mark > NO_TURN)})):
            self._look(first, last, self.sought.curves)
        while self.waiting:
            _, first, last, near = heappop(self.waiting)
            seen = list(self.sought.stretches(self._window(first, last), self.worth))
            if not seen:
                continue
            near = near_curves(near, (first, last), seen)
            wide = last - first
            if wide <= NARROWEST or len(near) <= (MANY if wide <= NARROW else FEW if wide <= first / 4 else 0):
                for option in options(self.sought, (first, last), near, self.worth):
                    self._keep(option)
                continue
            middle = (first + last) / 2
            if self.sampling:
                self._sample(middle)
            self._look(first, middle, near)
            self._look(middle, last, near)

    def _window(self, first: float, last: float) -> Window:
        longest = max(self.worth(count.open) for count in self.sought.counts) - self.sought.paid(first)
        return Window(self.sought.field, first, last, longest)

    def _look(self, first: float, last: float, near: Sequence[Curve]) -> None:
        costs = [s.cost for s in self.sought.stretches(self._window(first, last), self.worth)]
        if costs:
            heappush(self.waiting, (min(costs), first, last, near))

    def _sample(self, angle: float) -> None:
        for stretch in self.sought.stretches(self._window(angle, angle), self.worth):
            if stretch.high - stretch.low > PLACEABLE:
                for level in self.beat:
                    if level <= stretch.count.open:
                        self.sampled[level] = min(self.sampled.get(level, inf), stretch.cost)

    def _keep(self, option: Option) -> None:
        for level in self.beat:
            gain = self.best_cost(level) - option.cost
            better = gain > TIE or (gain > -TIE and option.attained and not self._attained(level))
            if option.count.open >= level and better:
                self.best[level] = option

    def _attained(self, level: int) -> bool:
        return level not in self.best or self.best[level].attained


def _field(v: View, front: Frontage, most: float) -> Field:
    """What the search looks at: bodies within reach, grown or shrunk by what may be touched."""
    reach = hypot(v.width, v.depth) + most

    def near(pieces: Iterable[Polygon], by: float) -> list[Polygon]:
        close = [p for p in pieces if any(to_segment((0.0, 0.0), a, b) <= reach for a, b in edges(p))]
        return [piece for p in close if (piece := swollen(p, by)) is not None]

    bodies = (*near(v.solid, -TOUCH / 10), *near(v.enemies, 2 * TOUCH))
    far = all(limit > reach for _, limit in borders(v.table or ()))
    target = swollen(v.target, -TOUCH / 10) or v.target
    starts = (-AT_ONCE, AT_ONCE) if front.at_once else (0.0, min(most, _straight_room(v)))
    return Field(v.width, v.depth, v.face, target, bodies, None if far else v.table, starts)


def _largest(front: Frontage, most: float) -> float:
    """The largest wheel that so many inches pay for."""
    if front.measure.cost(front.width, pi / 2) <= most:
        return pi / 2
    return root(lambda angle: front.measure.cost(front.width, angle) - most, 0.0, pi / 2)


def _straight_room(v: View) -> float:
    part = Part(0.0, v.width, 0.0, -v.depth)
    gaps = [m.gap for p in (v.target, *v.solid, *v.enemies) if (m := first_contact((part,), (p,), grazes=False))]
    return min(gaps, default=float("inf"))
