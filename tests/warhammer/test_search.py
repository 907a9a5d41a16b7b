"""The search among obstacles: gaps too narrow for any grid, and the proofs by which it passes ranges of angles over."""

from __future__ import annotations

from math import cos, degrees, radians, sin
from random import Random

import pytest

from overrun.rulesets.warhammer import curves
from overrun.rulesets.warhammer.contact import thresholds
from overrun.rulesets.warhammer.critical import SAME
from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.maximise import wheels
from overrun.rulesets.warhammer.optimum import Frontage, Option
from overrun.rulesets.warhammer.search import _field
from overrun.rulesets.warhammer.shapes import Block, Point, Polygon, Pose, separation
from overrun.rulesets.warhammer.stretches import Sought
from overrun.rulesets.warhammer.wheel import Ground, Side, View, collides, view
from overrun.rulesets.warhammer.window import Window
from tests.oracles.warhammer.tables import FULL, MM

DEEP = 4.0
"""Inches that a corridor is long."""


def corridor(turn: float, spare: float) -> tuple[Polygon, Polygon, Block, Frontage]:
    """Two walls that leave a corridor as wide as a unit of two models and ``spare`` inches, and an enemy at its end.

    The corridor leads ``turn`` radians to the left. A wheel of an angle that differs from it by ``by`` fits through
    only if ``width * cos(by) + DEEP * sin(by)`` is no more than the corridor's width: the gap is open for about
    ``2 * spare / DEEP`` radians in all.
    """
    front = Frontage(2, 20 * MM, 20 * MM)
    half = (front.width + spare) / 2
    # the middle of its mouth lies where the unit stands after going two inches and turning
    pivot = (-front.width / 2, 2.0)
    c, s = cos(turn), sin(turn)
    ahead, right = (-s, c), (c, s)

    def place(across: float, up: float) -> Point:
        u, w = across + front.width / 2, up
        return pivot[0] + u * right[0] + w * ahead[0], pivot[1] + u * right[1] + w * ahead[1]

    def wall(near: float, far: float) -> Polygon:
        low, high = sorted((near, far))
        return place(high, 1.0 + DEEP), place(low, 1.0 + DEEP), place(low, 1.0), place(high, 1.0)

    target = Block(Pose(*place(0.0, 1.5 + DEEP), 180.0 - degrees(turn)), 10, 5, 20 * MM, 20 * MM)
    return wall(half, half + 12.0), wall(-half, -half - 12.0), target, front


def through(turn: float, spare: float, *, at_once: bool = False) -> list[Option]:
    one, two, target, front = corridor(turn, spare)
    if at_once:
        front = Frontage(front.files, front.base, front.depth, at_once=True)
        one, two = ((tuple((x, y - 2.0) for x, y in piece)) for piece in (one, two))
        target = target.at(Pose(target.pose.x, target.pose.y - 2.0, target.pose.heading))
    return list(wheels(front, target.corners, Facing.FRONT, Ground(solid=(one, two)), 12.0))


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("turn", [11.3, 23.45, 38.0, 52.1])
@pytest.mark.parametrize("open_for", [0.2, 0.02, 0.002])
def test_a_gap_open_for_a_fraction_of_a_degree_is_found(open_for: float, turn: float, at_once: bool) -> None:
    spare = radians(open_for) * DEEP / 2
    found = [o for o in through(radians(turn), spare, at_once=at_once) if o.count.open == 2]
    assert found
    for option in found:
        assert option.wheel is not None
        assert option.wheel.side is Side.LEFT
        assert abs(degrees(option.wheel.angle) - turn) <= open_for / 2 * 1.01
        assert abs(option.wheel.before - (0.0 if at_once else 2.0)) < 0.1
        # two inches, the wheel, and on through the mouth and the corridor to half an inch behind it
        straight = (0.0 if at_once else 2.0) + 1.5 + DEEP
        assert abs(option.cost - straight - 40 * MM * radians(turn)) < 0.1


@pytest.mark.parametrize("turn", [11.3, 23.45, 38.0, 52.1])
def test_a_corridor_too_narrow_by_a_ten_thousandth_is_closed(turn: float) -> None:
    assert through(radians(turn), -1e-4) == []


def crowd(dice: Random) -> tuple[View, Frontage, tuple[float, ...]]:
    """A mover, an enemy and three bodies between and beside them, in a pivot frame."""
    front = Frontage(dice.randint(1, 5), 20 * MM, dice.randint(1, 3) * 20 * MM)
    mover = Block(Pose(0.0, 0.0), front.files, front.files, front.base, front.depth)
    target = Block(Pose(dice.uniform(-3, 3), dice.uniform(5, 9), dice.uniform(120, 240)), 10, 5, 20 * MM, 20 * MM)
    bodies: list[Polygon] = []
    while len(bodies) < 3:
        other = Block(Pose(dice.uniform(-5, 5), dice.uniform(0, 8), dice.uniform(0, 360)), 4, 2, 25 * MM, 25 * MM)
        if all(separation(other.corners, p) > 0.01 for p in (mover.corners, target.corners, *bodies)):
            bodies.append(other.corners)
    ground = Ground(solid=tuple(bodies[:2]), enemies=tuple(bodies[2:]), table=((9, -9), (9, 11), (-9, 11), (-9, -9)))
    seen = view(dice.choice(list(Side)), (front.width, front.depth), target.corners, Facing.FRONT, ground)
    return seen, front, thresholds(front.files, front.base, seen.face.length)


TABLES = 400 if FULL else 40


def test_what_a_range_of_angles_leaves_free_holds_all_that_is_free_at_any_of_them() -> None:
    dice, compared = Random(1), 0
    for _ in range(TABLES):
        v, front, offsets = crowd(dice)
        field = _field(v, front, 12.0)
        for _ in range(20):
            first = dice.uniform(0.001, 1.1)
            last = first + 10 ** dice.uniform(-4, -0.4)
            whole = Window(field, first, last, 12.0).free
            angle = dice.uniform(first, last)
            exact = Window(field, angle, angle, 12.0)
            meets = [exact.sides(offset)[0] / exact.sin for offset in (offsets[0], offsets[-1])]
            for start, end in exact.free:
                low, high = max(start, meets[0]), min(end, meets[1])  # elsewhere the strip misses the face
                if low >= high:
                    continue
                compared += 1
                assert any(a - 1e-9 <= low and high <= b + 1e-9 for a, b in whole), (first, last, angle, low, high)
    assert compared > TABLES


def test_starts_are_free_exactly_where_the_walked_wheel_hits_nothing() -> None:
    """Against `collides`, which walks the move phase by phase over the same bodies."""
    dice, free, barred = Random(2), 0, 0
    for _ in range(TABLES):
        v, front, offsets = crowd(dice)
        field = _field(v, front, 12.0)
        for _ in range(40):
            angle, before = dice.uniform(0.01, 1.5), dice.uniform(0.0, 5.0)
            window = Window(field, angle, angle, 12.0)
            if not window.seen or before > field.starts[1]:
                continue
            side = before * window.sin
            if not window.sides(offsets[0])[0] < side < window.sides(offsets[-1])[0]:
                continue
            inside = min((max(a - before, before - b) for a, b in window.free), default=1.0)
            if abs(inside) < 1e-4:
                continue  # at the end of a stretch: within the tolerances of a touch
            walked = window.after(before) >= 0.0 and not collides(v, before, angle, window.after(before))
            assert walked == (inside < 0.0), (angle, before, window.free)
            free, barred = free + walked, barred + (not walked)
    assert min(free, barred) > TABLES


def test_every_end_of_free_starts_is_a_curve() -> None:
    """So no event is left out: whatever ends a stretch has a closed form whose crossings are looked for."""
    dice, ends = Random(3), 0
    for _ in range(TABLES):
        v, front, offsets = crowd(dice)
        field = _field(v, front, 12.0)
        sought = Sought(v, field, front, offsets, ())
        for _ in range(10):
            angle = dice.uniform(0.05, 1.5)
            values = [curves.at(curve, angle) for curve in sought.curves]
            for end in {end for span in Window(field, angle, angle, 12.0).free for end in span}:
                ends += 1
                assert end == 12.0 or min(abs(value - end) for value in values) < SAME
    assert ends > TABLES


def test_slopes_are_derivatives() -> None:
    v, front, offsets = crowd(Random(4))
    sought = Sought(v, _field(v, front, 12.0), front, offsets, ())
    checked = 0
    for curve in sought.curves:
        for angle in (0.3, 0.7, 1.1):
            measured = (curves.at(curve, angle + 1e-6) - curves.at(curve, angle - 1e-6)) / 2e-6
            if abs(measured) < 1e3:
                checked += 1
                assert abs(curves.slope(curve, angle) - measured) < 1e-3 * (1 + abs(measured))
    assert checked > 100


def test_upright_and_level_sides_are_no_trouble() -> None:
    """Files give quarter turns and units in line: sides parallel to the front, flush neighbours, shared corners."""
    unit, dice, found = 20 * MM, Random(5), 0
    for _ in range(TABLES):
        front = Frontage(dice.randint(1, 5), unit, dice.randint(1, 3) * unit, at_once=dice.random() < 0.2)
        mover = Block(Pose(0.0, 0.0), front.files, front.files, front.base, front.depth)
        target = Block(Pose(dice.randint(-6, 6) * unit / 2, dice.randint(6, 16) * unit / 2, 180.0), 10, 5, unit, unit)
        bodies: list[Polygon] = []
        for _ in range(6):
            pose = Pose(dice.randint(-10, 10) * unit / 2, dice.randint(-4, 14) * unit / 2, dice.choice((0, 90, 45)))
            body = Block(pose, 4, dice.choice((1, 2, 4)), unit, unit).corners
            if all(separation(body, other) > -1e-9 for other in (mover.corners, target.corners, *bodies)):
                bodies.append(body)
        ground = Ground(solid=tuple(bodies), table=((8, -8), (8, 10), (-8, 10), (-8, -8)))
        options = wheels(front, target.corners, dice.choice((Facing.FRONT, Facing.LEFT_FLANK)), ground, 12.0)
        assert all(option.count.closed > 0 for option in options)
        found += len(options)
    assert found > TABLES
