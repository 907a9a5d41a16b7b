"""A coarse scan of wheels with local refinement, written apart from the package, against the wheel optimum.

The scan moves the rectangle in small steps and asks shapely at every step. It never uses the package's contact,
collision or alignment code. Whatever it finds, the package must find at least as many models, at least as cheaply.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, pi, radians, sin
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon
from shapely.strtree import STRtree

from overrun.rulesets.warhammer.facing import FACES, Facing
from overrun.rulesets.warhammer.maximise import Key, choose, limits, wheels
from overrun.rulesets.warhammer.optimum import Frontage, Option
from overrun.rulesets.warhammer.shapes import Block
from overrun.rulesets.warhammer.wheel import Ground

from .tables import counts, tables

MOST = 12.0
SLACK = 1e-4


@dataclass
class Scan:
    """One mover, one face of one target, and everything else."""

    mover: Block
    target: Block
    facing: Facing
    others: list[Block]

    def __post_init__(self) -> None:
        self.body = Polygon(self.target.corners)
        self.bodies = [Polygon(b.corners) for b in self.others]
        self.tree = STRtree(self.bodies)
        i = FACES.index(self.facing)
        self.left, self.right = self.target.corners[i], self.target.corners[(i + 1) % 4]
        self.length = hypot(self.right[0] - self.left[0], self.right[1] - self.left[1])

    def rectangle(self, left_pivot: bool, before: float, angle: float, after: float) -> list[tuple[float, float]]:
        """Front left, front right, rear right, rear left."""
        half, depth = self.mover.width / 2, self.mover.depth
        sign = 1.0 if left_pivot else -1.0
        pivot_x = -half if left_pivot else half
        c, s = cos(sign * angle), sin(sign * angle)

        def turned(x: float, y: float) -> tuple[float, float]:
            dx, dy = x - pivot_x, y
            return pivot_x + dx * c - dy * s - after * s, before + dx * s + dy * c + after * c

        return [turned(*p) for p in ((-half, 0.0), (half, 0.0), (half, -depth), (-half, -depth))]

    def blocked(self, shape: Polygon) -> bool:
        return any(self.bodies[i].intersection(shape).area > 1e-9 for i in self.tree.query(shape))

    def advance(self, left_pivot: bool, before: float, angle: float, step: float = 0.01) -> tuple[float, int] | None:
        """Total inches and models in real contact, or nothing when the move is not allowed or lands elsewhere.

        Between two steps a corner can slip past another by step squared times an eighth of the reach.
        """
        steps = max(2, int(angle / step))
        start = Polygon(self.rectangle(left_pivot, 0.0, 0.0, 0.0))
        if before:
            path = start.union(Polygon(self.rectangle(left_pivot, before, 0.0, 0.0))).convex_hull
            if self.blocked(path) or path.intersection(self.body).area > 1e-9:
                return None
        for i in range(1, steps + 1):
            shape = Polygon(self.rectangle(left_pivot, before, angle * i / steps, 0.0))
            if self.blocked(shape) or shape.intersection(self.body).area > 1e-9:
                return None
        arc = self.mover.width * angle
        after = self.first_touch(self.rectangle(left_pivot, before, angle, 0.0), MOST - before - arc)
        if after is None:
            return None
        end = self.rectangle(left_pivot, before, angle, after)
        path = Polygon(self.rectangle(left_pivot, before, angle, 0.0)).union(Polygon(end)).convex_hull
        if self.blocked(path):
            return None
        models = self.models(end)
        return None if models is None else (before + arc + after, models)

    def first_touch(self, corners: list[tuple[float, float]], most: float) -> float | None:
        """By rays: each corner of the target back to the front, each front corner on to the target's sides."""
        (ax, ay), (bx, by) = corners[0], corners[1]
        width = hypot(bx - ax, by - ay)
        ex, ey = (bx - ax) / width, (by - ay) / width
        fx, fy = -ey, ex
        local = [((x - ax) * ex + (y - ay) * ey, (x - ax) * fx + (y - ay) * fy) for x, y in self.target.corners]
        if min(max(x for x, _ in local), width) - max(min(x for x, _ in local), 0.0) < 1e-6:
            return None
        times = [y for x, y in local if -1e-7 < x < width + 1e-7 and y >= -1e-9]
        for i in range(4):
            (px, py), (qx, qy) = local[i], local[(i + 1) % 4]
            for x in (0.0, width):
                if (px - x) * (qx - x) < 0.0:
                    y = py + (qy - py) * (x - px) / (qx - px)
                    if y >= -1e-9:
                        times.append(y)
        return min(times) if times and min(times) <= most else None

    def models(self, corners: list[tuple[float, float]]) -> int | None:
        """Rotate about the touch point until flush, then count overlapping files."""
        (ax, ay), (bx, by) = corners[0], corners[1]
        width = self.mover.width
        ex, ey = (self.right[0] - self.left[0]) / self.length, (self.right[1] - self.left[1]) / self.length
        if (bx - ax) * ex + (by - ay) * ey <= 0.0:
            return None
        touches = []  # (distance from the front-left corner, place along the face)
        for u, (x, y) in ((0.0, (ax, ay)), (width, (bx, by))):
            along, off = (
                (x - self.left[0]) * ex + (y - self.left[1]) * ey,
                (x - self.left[0]) * ey - (y - self.left[1]) * ex,
            )
            if abs(off) < 1e-6 and -1e-6 <= along <= self.length + 1e-6:
                touches.append((u, along))
        for along, (x, y) in ((0.0, self.left), (self.length, self.right)):
            u = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / width
            off = ((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / width
            if abs(off) < 1e-6 and -1e-6 <= u <= width + 1e-6:
                touches.append((u, along))
        if not touches:
            return None
        u, along = touches[0]
        base = self.mover.base_width
        offset = along - u
        return sum(
            min(offset + (i + 1) * base, self.length) - max(offset + i * base, 0.0) > 1e-6
            for i in range(self.mover.files)
        )


def scan(table: Scan, seed: int) -> dict[int, tuple[float, tuple[bool, float, float]]]:
    """The cheapest move found for each count."""
    best: dict[int, tuple[float, tuple[bool, float, float]]] = {}

    def look(left_pivot: bool, before: float, angle: float) -> None:
        if not (0.0 < angle <= pi / 2 and before >= 0.0) or before + table.mover.width * angle > MOST:
            return
        if (found := table.advance(left_pivot, before, angle)) is not None and found[1]:
            cost, models = found
            if models not in best or cost < best[models][0]:
                best[models] = cost, (left_pivot, before, angle)

    for left_pivot in (True, False):
        for degree in range(2, 91, 4):
            for quarter in range(0, 9, 2):
                look(left_pivot, float(quarter), radians(degree))
    random = Random(seed)
    for models in sorted(best):
        size = 1.0
        for _ in range(60):
            left_pivot, before, angle = best[models][1]
            known = best[models][0]
            shift = 0.0 if random.random() < 0.4 else random.gauss(0, size)
            look(left_pivot, max(0.0, before + shift), angle + random.gauss(0, size * 0.08))
            if best[models][0] == known:
                size *= 0.88
    return best


def near(table: tuple[Block, list[Block]]) -> tuple[Block, Block, list[Block]] | None:
    mover, others = table
    ahead = [b for b in others if b.pose.y > 0.5 and abs(b.pose.x) < 10]
    if not ahead:
        return None
    target = min(ahead, key=lambda b: hypot(b.pose.x, b.pose.y))
    return mover, target, [b for b in others if b is not target]


def options(table: Scan) -> tuple[Option, ...]:
    return wheels(
        Frontage(table.mover.files, table.mover.base_width, table.mover.depth),
        table.target.corners,
        table.facing,
        Ground(solid=tuple(b.corners for b in table.others)),
        MOST,
    )


@counts(300, 25)
@given(tables(7), st.integers(0, 3))
def test_no_scan_finds_a_cheaper_wheel_or_more_models(table: tuple[Block, list[Block]], side: int) -> None:
    chosen = near(table)
    if chosen is None:
        return
    mover, target, others = chosen
    case = Scan(mover, target, FACES[side], others)
    ours = options(case)
    cheapest = limits(ours)
    for models, (cost, move) in scan(case, 1).items():
        if (models not in cheapest or cheapest[models].cost > cost + SLACK) and case.advance(*move, step=1e-4) is None:
            continue  # the coarse steps slipped past a corner
        assert models in cheapest, (models, cost, move)
        assert cheapest[models].cost <= cost + SLACK, (models, cost, move, cheapest[models])


@counts(300, 60)
@given(tables(7), st.integers(0, 3))
def test_every_wheel_reported_can_be_walked_in_small_steps(table: tuple[Block, list[Block]], side: int) -> None:
    chosen = near(table)
    if chosen is None:
        return
    mover, target, others = chosen
    case = Scan(mover, target, FACES[side], others)
    for option in options(case):
        wheel = option.wheel
        assert wheel is not None
        found = case.advance(wheel.side.value == "left", wheel.before, wheel.angle)
        assert found is not None, option
        assert abs(found[0] - (wheel.before + mover.width * wheel.angle + wheel.after)) < 1e-5
        assert found[1] == option.count.open, (option, found)
        assert option.cost <= found[0] + 2e-6


@counts(300, 60)
@given(tables(5), st.integers(0, 3))
def test_a_longer_roll_never_lowers_the_best_count(table: tuple[Block, list[Block]], side: int) -> None:
    chosen = near(table)
    if chosen is None:
        return
    found = options(Scan(chosen[0], chosen[1], FACES[side], chosen[2]))
    best = [o.count.open if (o := choose(found, roll, Key.OPEN_THEN_CLOSED)) else 0 for roll in range(2, 13)]
    assert best == sorted(best)
