"""The most models into contact for every roll: the options of a charge on one face, and the choice among them.

The closed forms of both pivots come first; where the whole table or the chord measure stands against them, the search
among all starts and angles follows. Pure functions; lengths in inches, the mover's own frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.optimum import Frontage, Option, checked, closed_forms, hidden
from overrun.rulesets.warhammer.search import search
from overrun.rulesets.warhammer.shapes import TOUCH, Polygon
from overrun.rulesets.warhammer.wheel import Ground, Measure, Side, view


class Key(StrEnum):
    """What is counted first: real overlap with corner touches as the tie-break, or every touch."""

    OPEN_THEN_CLOSED = "open_then_closed"
    CLOSED = "closed"

    def rank(self, option: Option) -> tuple[int, ...]:
        """Larger is better."""
        count = option.count
        return (count.open, count.closed) if self is Key.OPEN_THEN_CLOSED else (count.closed,)


def wheels(front: Frontage, target: Polygon, facing: Facing, ground: Ground, most: float) -> tuple[Option, ...]:
    """Every useful wheel onto that face that a roll of ``most`` pays for: the cheapest of each pair of counts.

    ``target``: corners of the target block in the mover's frame.
    """
    options: list[Option] = []
    for side in (Side.LEFT, Side.RIGHT):
        v = view(side, (front.width, front.depth), target, facing, ground)
        kept: dict[tuple[int, int, bool], Option] = {}
        missed: dict[int, float] = {}
        for option in sorted(closed_forms(v, front, most), key=_order):
            key = option.count.open, option.count.closed, option.attained
            if key in kept:
                continue
            if checked(v, option):
                kept[key] = option
            else:
                missed.setdefault(option.count.open, option.cost)
        here = list(kept.values())
        if front.measure is Measure.CHORD or hidden(v, front, most):
            missed = dict.fromkeys(range(1, front.files + 1), 0.0)
        beat = _to_beat(here, missed, most)
        if beat:
            here += [o for o in search(v, front, most, beat) if checked(v, o)]
        options += here if side is Side.LEFT else [_unmirrored(o, v.face.length - front.width) for o in here]
    return tuple(options)


def _to_beat(found: list[Option], missed: Mapping[int, float], most: float) -> dict[int, float]:
    """For each open count whose closed form failed: what the cheapest way to so many models costs without it.

    A count is left out when something as cheap as the failed form already brings as many models.
    """
    wanted = {}
    for level, ideal in missed.items():
        known = min((o.cost for o in found if o.count.open >= level), default=most)
        if known > ideal + TOUCH:
            wanted[level] = known
    return wanted


def _unmirrored(option: Option, room: float) -> Option:
    """A right wheel's option with its offset measured from the charger's left end again. `room`: face less front."""
    return replace(option, offset=room - option.offset)


def choose(options: Iterable[Option], roll: float, key: Key) -> Option | None:
    """The option that the rule demands on this roll: most models, then least cost, least angle, left pivot."""
    affordable = [o for o in options if o.affordable(roll)]
    if not affordable:
        return None
    best = max(key.rank(o) for o in affordable)
    return min((o for o in affordable if key.rank(o) == best), key=_cheapness)


def _cheapness(option: Option) -> tuple[float, bool, float, bool]:
    wheel = option.wheel
    cost = round(option.cost / TOUCH) * TOUCH
    if wheel is None:
        return cost, False, 0.0, False
    return cost, not option.attained, wheel.angle, wheel.side is Side.RIGHT


def _order(option: Option) -> tuple[float, bool, float]:
    """Cheapest first; costs that differ by less than a billionth of an inch are one, and the smaller wheel comes first.

    Two sides of one threshold have the same limit; which of them rounding makes cheaper must not matter.
    """
    return round(option.cost, 9), not option.attained, 0.0 if option.wheel is None else option.wheel.angle


def limits(options: Iterable[Option]) -> dict[int, Option]:
    """For each open count the cheapest option with at least that many models: the table of a worked example."""
    found: dict[int, Option] = {}
    for option in sorted(options, key=_cheapness):
        for level in range(1, option.count.open + 1):
            found.setdefault(level, option)
    return dict(sorted(found.items()))
