"""Shapely as the second opinion on first contact, the 1-inch bubble, the table edge and facing zones."""

from __future__ import annotations

from math import atan2

from hypothesis import assume, given
from hypothesis import strategies as st
from shapely import Point, Polygon, box
from shapely.affinity import rotate, translate

from overrun.rulesets.warhammer.facing import Facing, zone
from overrun.rulesets.warhammer.shapes import Block, convex_pieces
from overrun.rulesets.warhammer.sweep import Part, edge_gap, first_contact, halt_gap

from .tables import blocks, counts, number, tables

FAR = 60.0


def part(mover: Block) -> Part:
    half = mover.width / 2
    return Part(-half, half, 0.0, -mover.depth)


def swept(mover: Block, distance: float) -> Polygon:
    half = mover.width / 2
    return box(-half, -mover.depth, half, distance)


def first_touch(mover: Block, body: Polygon) -> float | None:
    """By bisection on whether the swept ground meets the body."""
    if not swept(mover, FAR).intersects(body):
        return None
    low, high = 0.0, FAR
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if swept(mover, middle).intersects(body) else (middle, high)
    return high


@counts(5000, 400)
@given(tables(6))
def test_first_contact_agrees_with_shapely(table: tuple[Block, list[Block]]) -> None:
    mover, others = table
    expected = [t for b in others if (t := first_touch(mover, Polygon(b.corners))) is not None]
    found = first_contact((part(mover),), (b.corners for b in others), grazes=True)
    assert (found is None) == (not expected)
    if found is not None:
        assert abs(found.gap - min(expected)) < 2e-6
        moved = translate(Polygon(mover.corners), 0.0, found.gap)
        assert moved.distance(Point(found.point)) < 1e-5


@counts(1000, 100)
@given(st.lists(st.tuples(number(-8, 8), number(-6, 14)), min_size=4, max_size=7, unique=True), tables(1))
def test_first_contact_with_terrain_of_any_shape(
    points: list[tuple[float, float]], table: tuple[Block, list[Block]]
) -> None:
    mover, _ = table
    middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    shape = Polygon(sorted(points, key=lambda p: atan2(p[1] - middle[1], p[0] - middle[0])))
    assume(shape.is_valid and shape.area > 0.1 and not shape.buffer(0.01).intersects(Polygon(mover.corners)))
    expected = first_touch(mover, shape)
    found = first_contact((part(mover),), convex_pieces(list(shape.exterior.coords)[:-1]), grazes=True)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert abs(found.gap - expected) < 2e-6


@counts(2000, 200)
@given(tables(4))
def test_one_inch_halt_agrees_with_shapely(table: tuple[Block, list[Block]]) -> None:
    mover, others = table
    for other in others:
        body = Polygon(other.corners)
        start = Polygon(mover.corners)
        found = halt_gap((part(mover),), (other.corners,))
        if start.distance(body) <= 1.0:
            continue
        reached = swept(mover, FAR).distance(body) <= 1.0
        assert (found is not None) == reached
        if found is not None:
            assert abs(translate(start, 0.0, found).distance(body) - 1.0) < 1e-6
            assert swept(mover, max(0.0, found - 1e-6)).distance(body) > 1.0 - 1e-9


@counts(5000, 400)
@given(blocks(), st.lists(st.tuples(number(-20, 20), number(-20, 20)), min_size=1, max_size=12))
def test_zones_agree_with_shapely(target: Block, points: list[tuple[float, float]]) -> None:
    """The zones as four big polygons beside the block, in the target's own frame."""
    half, depth, big = target.width / 2, target.depth, 100.0
    zones = {
        Facing.FRONT: Polygon([(half, 0), (half + big, big), (-half - big, big), (-half, 0)]),
        Facing.REAR: Polygon(
            [(-half, -depth), (-half - big, -depth - big), (half + big, -depth - big), (half, -depth)]
        ),
        Facing.RIGHT_FLANK: Polygon([(half, 0), (half, -depth), (half + big, -depth - big), (half + big, big)]),
        Facing.LEFT_FLANK: Polygon([(-half, 0), (-half - big, big), (-half - big, -depth - big), (-half, -depth)]),
    }
    for point in points:
        local = Point(target.pose.local(point))
        inside = [facing for facing, shape in zones.items() if shape.distance(local) < 1e-9]
        if inside:
            assert zone(target, point) in inside


@counts(2000, 200)
@given(tables(1), number(0, 359), number(6, 30), number(6, 30))
def test_table_edge_agrees_with_shapely(
    table: tuple[Block, list[Block]], turn: float, wide: float, deep: float
) -> None:
    mover, _ = table
    ground = Block(Block.at(mover, mover.pose).pose, 1, 1, wide * 2, deep * 2).corners
    centre = (0.0, deep)
    shape = rotate(translate(Polygon(ground), *centre), turn, origin=(0.0, -mover.depth / 2))
    assume(shape.buffer(-0.01).contains(Polygon(mover.corners)))
    points = list(shape.exterior.coords)[:-1]
    found = edge_gap((part(mover),), tuple(points))
    assert found is not None
    assert swept(mover, found - 1e-6).within(shape)
    assert not swept(mover, found + 1e-6).within(shape)
