"""The lengths, angles and counts of the fact sheet's worked examples and tables, to a hundredth of an inch."""

from __future__ import annotations

from fractions import Fraction
from math import degrees, radians

import pytest

from overrun.rulesets.warhammer.contact import models_in_contact
from overrun.rulesets.warhammer.distance import THREE_DICE, TWO_DICE
from overrun.rulesets.warhammer.facing import Facing, count
from overrun.rulesets.warhammer.maximise import limits, wheels
from overrun.rulesets.warhammer.optimum import Frontage, Option
from overrun.rulesets.warhammer.shapes import Block, Polygon, Pose
from overrun.rulesets.warhammer.sweep import Part, edge_gap, first_contact, halt_gap
from overrun.rulesets.warhammer.wheel import Ground, Measure, Side

MM = 1 / 25.4


def enemy(left: float, right: float, y: float, files: int = 5) -> Block:
    return Block(Pose((left + right) / 2, y, 180.0), files * 4, files, (right - left) / files, 20 * MM)


def ladder(
    files: int, base: float, target: Block, most: float, others: tuple[Polygon, ...] = (), facing: Facing = Facing.FRONT
) -> dict[int, Option]:
    front = Frontage(files, base * MM, 4 * base * MM)
    return limits(wheels(front, target.corners, facing, Ground(enemies=others), most))


@pytest.mark.parametrize(
    ("found", "side", "expected"),
    [
        pytest.param(
            ladder(5, 20, enemy(30 * MM, 130 * MM, 6), 12),
            Side.RIGHT,
            {3: (6.37, 7.61), 4: (6.64, 15.5), 5: (6.81, 23.9)},
            id="W3",
        ),
        pytest.param(
            ladder(5, 20, enemy(60 * MM, 160 * MM, 6), 12),
            Side.RIGHT,
            {1: (6.27, 3.8), 2: (6.74, None), 3: (7.1043, None), 4: (7.38, None), 5: (7.55, 35.3)},
            id="W4",
        ),
        pytest.param(
            ladder(5, 25, enemy(50 * MM, 150 * MM, 9), 18),
            Side.RIGHT,
            {2: (9.23, None), 3: (9.61, None), 4: (9.89, 16.0), 5: (10.06, 22.8)},
            id="W5",
        ),
        pytest.param(
            ladder(6, 20, enemy(-5.0, -1.2, 5), 12, (enemy(1.0, 5.0, 7.5).corners,)),
            Side.LEFT,
            {3: (5.28, 4.8), 4: (5.74, 14.3), 5: (6.10, 24.8), 6: (6.3446, 37.0)},
            id="W8",
        ),
    ],
)
def test_what_each_number_of_models_costs(
    found: dict[int, Option], side: Side, expected: dict[int, tuple[float, float | None]]
) -> None:
    for models, (cost, angle) in expected.items():
        option = found[models]
        assert abs(option.cost - cost) < 0.01
        assert not option.attained
        assert option.wheel is not None
        assert (option.wheel.side, option.wheel.before) == (side, 0.0)
        if angle is not None:
            assert abs(degrees(option.wheel.angle) - angle) < 0.1


def test_w7_the_trap_of_four_corner_touches() -> None:
    target = Block(Pose(2.0, 6.0, 90.0), 20, 5, 20 * MM, 20 * MM)
    found = wheels(Frontage(4, 40 * MM, 80 * MM), target.corners, Facing.RIGHT_FLANK, Ground(), 12)
    trap = [o for o in found if (o.count.open, o.count.closed) == (2, 4)]
    assert [round(o.cost, 3) for o in trap] == [4.232]
    assert trap[0].wheel is not None
    assert abs(degrees(trap[0].wheel.angle) - 6.44) < 0.01
    assert max(o.count.open for o in found) == 3


@pytest.mark.parametrize(("turn", "gap"), [(0, 7.000), (10, 6.658), (20, 6.327), (30, 6.016), (45, 5.608)])
def test_w6_gap_to_the_near_corner(turn: float, gap: float) -> None:
    target = Block(Pose(0.0, 7.0, 180.0 - turn), 20, 5, 20 * MM, 20 * MM)
    found = first_contact((Part(-50 * MM, 50 * MM, 0.0, -80 * MM),), (target.corners,), grazes=True)
    assert found is not None
    assert abs(found.gap - gap) < 0.001


def test_w8_both_gaps() -> None:
    part = Part(-60 * MM, 60 * MM, 0.0, -80 * MM)
    for block, gap in ((enemy(-5.0, -1.2, 5), 5.0), (enemy(1.0, 5.0, 7.5), 7.5)):
        found = first_contact((part,), (block.corners,), grazes=True)
        assert found is not None
        assert abs(found.gap - gap) < 1e-9


@pytest.mark.parametrize(
    ("place", "rank", "everyone"),
    [
        ((5.0, 2.5, 270.0), {Facing.RIGHT_FLANK: 4, Facing.FRONT: 1}, {Facing.RIGHT_FLANK: 19, Facing.FRONT: 1}),
        ((4.2, 2.0, 270.0), {Facing.RIGHT_FLANK: 3, Facing.FRONT: 2}, {Facing.RIGHT_FLANK: 17, Facing.FRONT: 3}),
        ((4.0, 3.0, 225.0), {Facing.RIGHT_FLANK: 2, Facing.FRONT: 3}, {Facing.RIGHT_FLANK: 8, Facing.FRONT: 12}),
    ],
)
def test_w11_zone_counts(
    place: tuple[float, float, float], rank: dict[Facing, int], everyone: dict[Facing, int]
) -> None:
    target = Block(Pose(0.0, 0.0, 0.0), 20, 5, 20 * MM, 20 * MM)
    charger = Block(Pose(*place), 20, 5, 20 * MM, 20 * MM)
    assert count(target, charger.centres) == everyone
    assert count(target, charger.centres[:5]) == rank


def test_w12_nearest_corner_to_the_edge() -> None:
    pose = Pose(0.0, 0.0, 30.0)
    table = tuple(pose.local(p) for p in ((-50.0, -50.0), (50.0, -50.0), (50.0, 8.0), (-50.0, 8.0)))
    gap = edge_gap((Part(-50 * MM, 50 * MM, 0.0, -80 * MM),), table)
    assert gap is not None
    assert abs(gap - 8.101) < 0.001


def test_w13_where_the_bubble_begins() -> None:
    half = 50 * MM
    target = enemy(half + 0.6, half + 4.6, 5)
    gap = halt_gap((Part(-half, half, 0.0, -80 * MM),), (target.corners,))
    assert gap is not None
    assert abs(gap - 4.2) < 1e-9


@pytest.mark.parametrize(
    ("mm", "costs"),
    [
        (50, (0.515, 1.031, 1.546, 3.092)),
        (75, (0.773, 1.546, 2.319, 4.638)),
        (100, (1.031, 2.061, 3.092, 6.184)),
        (120, (1.237, 2.474, 3.711, 7.421)),
        (125, (1.288, 2.577, 3.865, 7.730)),
        (160, (1.649, 3.298, 4.947, 9.895)),
        (200, (2.061, 4.123, 6.184, 12.368)),
    ],
)
def test_table_of_wheel_arcs(mm: float, costs: tuple[float, ...]) -> None:
    for angle, cost in zip((15, 30, 45, 90), costs, strict=True):
        assert abs(Measure.ARC.cost(mm * MM, radians(angle)) - cost) < 0.001


def test_the_chord_is_shorter_by_a_hundredth_at_30_and_a_tenth_at_90_degrees() -> None:
    for angle, least, highest in ((30, 0.0, 0.012), (90, 0.09, 0.101)):
        arc, chord = (m.cost(4.0, radians(angle)) for m in (Measure.ARC, Measure.CHORD))
        assert least < 1 - chord / arc < highest


NEED = {
    4: ("11/12", "215/216"),
    5: ("5/6", "53/54"),
    6: ("13/18", "103/108"),
    7: ("7/12", "49/54"),
    8: ("5/12", "181/216"),
    9: ("5/18", "20/27"),
    10: ("1/6", "5/8"),
    11: ("1/12", "1/2"),
    12: ("1/36", "3/8"),
    13: ("0", "7/27"),
    14: ("0", "35/216"),
    15: ("0", "5/54"),
    16: ("0", "5/108"),
    17: ("0", "1/54"),
    18: ("0", "1/216"),
}


@pytest.mark.parametrize("need", NEED)
def test_chance_to_roll_so_much(need: int) -> None:
    for dice, chance in zip((TWO_DICE, THREE_DICE), NEED[need], strict=True):
        weight = sum(w for total, w in dice.outcomes if total >= need)
        assert Fraction(weight, dice.total) == Fraction(chance)


@pytest.mark.parametrize(("base", "length"), [(20, 100), (20, 110), (25, 100), (40, 100), (50, 95), (20, 61)])
def test_upper_bounds_of_the_counts(base: int, length: int) -> None:
    """Endless front: floor(L / w) + 1 really when w divides L, else + 2; with corners always + 2 (section 8)."""
    files = 30
    best_open = best_closed = 0
    offsets = [i / 40 for i in range(-40 * base * files, 40 * length, 7)] + [-float(k * base) for k in range(files)]
    for offset in offsets:
        found = models_in_contact(offset, files, base, length)
        best_open, best_closed = max(best_open, found.open), max(best_closed, found.closed)
    whole, rest = divmod(length, base)
    assert best_closed == whole + 2
    assert best_open == whole + (1 if rest == 0 else 2)
