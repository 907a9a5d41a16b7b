"""The closed form's derivative, against differences of its cost."""

from __future__ import annotations

from random import Random

import pytest

from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.optimum import Frontage, _cost, _slope, reach
from overrun.rulesets.warhammer.shapes import Block, Pose
from overrun.rulesets.warhammer.wheel import Ground, Measure, Side, view

STEP = 1e-5


@pytest.mark.parametrize("measure", list(Measure))
@pytest.mark.parametrize("leads_left", [True, False])
def test_the_slope_is_the_derivative_of_the_cost(measure: Measure, leads_left: bool) -> None:
    dice, seen = Random(1), 0
    while seen < 300:
        enemy = Block(Pose(dice.uniform(-6, 6), dice.uniform(4, 12), dice.uniform(100, 260)), 15, 5, 0.8, 0.8)
        v = view(Side.LEFT, (dice.uniform(1, 5), 2.0), enemy.corners, Facing.FRONT, Ground())
        front = Frontage(1, v.width, 2.0, measure)
        offset = dice.uniform(-v.width, v.face.length)
        before, after = (_cost(v, front, reach(v, offset + by, leads_left)) for by in (-STEP, STEP))
        if max(before, after) == float("inf"):
            continue
        seen += 1
        measured = (after - before) / (2 * STEP)
        runs_along = offset - STEP >= 0 if leads_left else offset + STEP + v.width <= v.face.length
        if runs_along:
            assert abs(_slope(v, front, offset, leads_left) - measured) < 1e-6 * (1 + abs(measured))
        elif measure is Measure.ARC:
            assert measured <= 1e-9  # the end of the face is the touch point: further in is never dearer
