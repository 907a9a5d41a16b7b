"""Shapes on the table: poses, blocks of bases, convex polygons.

Lengths are inches, headings degrees clockwise from the table's +y axis (90 = +x). A unit's position is the centre of
its front edge and its body lies behind it (fact sheet section 11). Polygons are tuples of points in counter-clockwise
order; every polygon that the other geometry modules receive is convex (terrain is cut into convex pieces here).
Everything in this module is pure: no state, no rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, cos, hypot, radians, sin

Point = tuple[float, float]
Polygon = tuple[Point, ...]

TOUCH = 1e-6
"""Inches. Two things closer than this touch, and a distance this close to an integer is that integer (fact sheet 4a.1).
A millionth of an inch is far below any tape measure and far above the rounding of a dozen float operations (1e-13)."""

ROUNDING = 2e-3
"""Inches by which neighbours may overlap in a file: what is left when it gives places to a thousandth of an inch."""

MM_PER_INCH = 25.4
"""Millimetres in an inch; the ruling ``mm_per_inch`` may replace it by the table habit of 25."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where something stands and where it faces: inches, and degrees clockwise from +y."""

    x: float
    y: float
    heading: float = 0.0

    @property
    def forward(self) -> Point:
        """Unit vector straight ahead."""
        angle = radians(self.heading)
        return sin(angle), cos(angle)

    @property
    def right(self) -> Point:
        """Unit vector to the right hand."""
        angle = radians(self.heading)
        return cos(angle), -sin(angle)

    def local(self, point: Point) -> Point:
        """The point in this pose's own frame: x to the right hand, y straight ahead."""
        dx, dy = point[0] - self.x, point[1] - self.y
        (rx, ry), (fx, fy) = self.right, self.forward
        return dx * rx + dy * ry, dx * fx + dy * fy

    def table(self, point: Point) -> Point:
        """The point of this pose's own frame on the table."""
        (rx, ry), (fx, fy) = self.right, self.forward
        return self.x + point[0] * rx + point[1] * fx, self.y + point[0] * ry + point[1] * fy

    def ahead(self, distance: float) -> Pose:
        """The pose after moving straight forward."""
        x, y = self.table((0.0, distance))
        return Pose(x, y, self.heading)


@dataclass(frozen=True)
class Block:
    """Ranks of equal bases behind a front edge: the footprint of a formed unit.

    ``base_width`` and ``base_depth`` in inches. ``files`` never exceeds ``models``: after casualties the frontage is
    that of the models left. The last rank may be incomplete; the footprint keeps its full depth there.
    """

    pose: Pose
    models: int
    files: int
    base_width: float
    base_depth: float

    @property
    def ranks(self) -> int:
        """Ranks, an incomplete last one included."""
        return ceil(self.models / self.files)

    @property
    def width(self) -> float:
        """Frontage in inches."""
        return self.files * self.base_width

    @property
    def depth(self) -> float:
        """Depth in inches."""
        return self.ranks * self.base_depth

    @cached_property
    def corners(self) -> Polygon:
        """Front right, front left, rear left, rear right: counter-clockwise on the table."""
        half = self.width / 2
        return tuple(self.pose.table(p) for p in ((half, 0.0), (-half, 0.0), (-half, -self.depth), (half, -self.depth)))

    @cached_property
    def centres(self) -> tuple[Point, ...]:
        """Every base centre on the table, front rank first; an incomplete last rank is centred (fact sheet 4a.7)."""
        found: list[Point] = []
        for rank in range(self.ranks):
            here = min(self.files, self.models - rank * self.files)
            for file in range(here):
                x = (file - (here - 1) / 2) * self.base_width
                found.append(self.pose.table((x, -(rank + 0.5) * self.base_depth)))
        return tuple(found)

    def at(self, pose: Pose) -> Block:
        """The same ranks and files standing elsewhere."""
        return Block(pose, self.models, self.files, self.base_width, self.base_depth)


def square(centre: Point, heading: float, width: float, depth: float) -> Polygon:
    """One base around its centre, as a counter-clockwise polygon."""
    pose = Pose(centre[0], centre[1], heading)
    return tuple(pose.table((x * width / 2, y * depth / 2)) for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1)))


def area(polygon: Sequence[Point]) -> float:
    """Signed area: positive when counter-clockwise."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in edges(polygon)) / 2


def edges(polygon: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    """Every edge, in order, the closing one included."""
    return zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)


def separation(a: Polygon, b: Polygon) -> float:
    """The widest gap along any edge normal of two convex polygons: negative is how deep they overlap.

    Its sign is exact (separating axes); its size is a lower bound of the distance when positive.
    """
    return _apart(a, b)[0]


def pushed_out(piece: Polygon, of: Polygon) -> Polygon:
    """A convex piece moved the shortest way so that it only touches the other, if it overlaps it by rounding alone."""
    gap, (nx, ny) = _apart(of, piece)
    if not -ROUNDING <= gap < 0.0:
        return piece
    return tuple((x - gap * nx, y - gap * ny) for x, y in piece)


def _apart(a: Polygon, b: Polygon) -> tuple[float, Point]:
    """The separation, and the unit vector from a to b along which it is measured."""
    widest, axis = float("-inf"), (0.0, 0.0)
    for one, other in ((a, b), (b, a)):
        for p, q in edges(one):
            nx, ny = q[1] - p[1], p[0] - q[0]
            length = hypot(nx, ny)
            if length == 0.0:
                continue
            gap = min((r[0] - p[0]) * nx + (r[1] - p[1]) * ny for r in other) / length
            if gap > widest:
                sign = 1.0 if one is a else -1.0
                widest, axis = gap, (sign * nx / length, sign * ny / length)
    return widest, axis


def overlap(a: Polygon, b: Polygon) -> bool:
    """Whether two convex polygons share more than a touch."""
    return separation(a, b) < -TOUCH


def touching(a: Polygon, b: Polygon) -> bool:
    """Whether two convex polygons meet at all, a shared corner included."""
    return separation(a, b) <= TOUCH


def distance(a: Polygon, b: Polygon) -> float:
    """Euclidean distance of two convex polygons; 0 when they meet."""
    if separation(a, b) <= 0.0:
        return 0.0
    return min(to_segment(p, q, r) for one, other in ((a, b), (b, a)) for p in one for q, r in edges(other))


def to_segment(point: Point, start: Point, end: Point) -> float:
    """Distance from a point to a segment."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    squared = dx * dx + dy * dy
    t = 0.0 if squared == 0.0 else ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / squared
    t = min(1.0, max(0.0, t))
    return hypot(point[0] - start[0] - t * dx, point[1] - start[1] - t * dy)


def crosses_itself(polygon: Sequence[Point]) -> bool:
    """Whether two edges that are not neighbours meet, or an edge has no length: not a simple polygon."""
    sides = list(edges(polygon))
    for i, (p, q) in enumerate(sides):
        if hypot(q[0] - p[0], q[1] - p[1]) <= TOUCH:
            return True
        for j in range(i + 1, len(sides)):
            r, s = sides[j]
            if j == i + 1 or (i == 0 and j == len(sides) - 1):
                shared, far_a, far_b = (q, p, s) if j == i + 1 else (p, q, r)
                if abs(_turn(far_a, shared, far_b)) <= TOUCH * TOUCH and _same_way(shared, far_a, far_b):
                    return True
                continue
            if _meet(p, q, r, s):
                return True
    return False


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _same_way(origin: Point, a: Point, b: Point) -> bool:
    return (a[0] - origin[0]) * (b[0] - origin[0]) + (a[1] - origin[1]) * (b[1] - origin[1]) > 0.0


def _meet(p: Point, q: Point, r: Point, s: Point) -> bool:
    if min(to_segment(p, r, s), to_segment(q, r, s), to_segment(r, p, q), to_segment(s, p, q)) <= TOUCH:
        return True
    return (_turn(p, q, r) > 0) != (_turn(p, q, s) > 0) and (_turn(r, s, p) > 0) != (_turn(r, s, q) > 0)


def convex_pieces(polygon: Sequence[Point]) -> tuple[Polygon, ...]:
    """A simple polygon as convex pieces: itself when convex, else triangles by ear clipping."""
    points = list(polygon) if area(polygon) > 0 else list(reversed(polygon))
    if all(_turn(points[i - 2], points[i - 1], points[i]) >= 0 for i in range(len(points))):
        return (tuple(points),)
    pieces: list[Polygon] = []
    while len(points) > 3:
        for i in range(len(points)):
            a, b, c = points[i - 1], points[i], points[(i + 1) % len(points)]
            if _turn(a, b, c) <= 0:
                continue
            others = [p for p in points if p not in (a, b, c)]
            if not any(_turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0 for p in others):
                pieces.append((a, b, c))
                del points[i]
                break
        else:  # only slivers without area are left
            flattest = min(
                range(len(points)), key=lambda i: abs(_turn(points[i - 1], points[i], points[(i + 1) % len(points)]))
            )
            del points[flattest]
    pieces.append(tuple(points))
    return tuple(pieces)


def clip(polygon: Polygon, normal: Point, limit: float) -> Polygon:
    """The part of a convex polygon where ``normal . point <= limit``; empty when nothing is left."""
    kept: list[Point] = []
    for p, q in edges(polygon):
        a = normal[0] * p[0] + normal[1] * p[1] - limit
        b = normal[0] * q[0] + normal[1] * q[1] - limit
        if a <= 0.0:
            kept.append(p)
        if (a < 0.0 < b) or (b < 0.0 < a):
            t = a / (a - b)
            kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
    return tuple(kept)
