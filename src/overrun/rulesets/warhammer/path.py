"""The straight path: everything the overrunning unit would meet on it, nearest first (W-04, W-12).

Geometry (floats) stays inside; the steps only compare an integer roll with it. All answers are pure functions of the
setup and are remembered in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import atan2, degrees

from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.setup import Ground, Own, Setup, Terrain, Unit
from overrun.rulesets.warhammer.shapes import ROUNDING, TOUCH, Block, Polygon, Pose, clip, distance, overlap, pushed_out
from overrun.rulesets.warhammer.sweep import Meeting, Part, edge_gap, first_contact, halt_gap, swept


class What(StrEnum):
    """What the path meets."""

    FRESH = "fresh enemy"
    FLEEING = "fleeing enemy"
    FRIEND = "friend"
    TERRAIN = "impassable terrain"
    BUILDING = "occupied building"
    EDGE = "table edge"


@dataclass(frozen=True, slots=True)
class Met:
    """One thing on the path. `gap`: inches to the touch. `stop`: inches that the unit really goes when it meets it."""

    what: What
    id: str
    gap: float
    stop: float
    meeting: Meeting | None = None


def start(setup: Setup) -> Pose:
    """Where the unit stands as it overruns; turned towards the slain unit first under `heading_conflict = pivot`."""
    pose = setup.mover.block.pose
    if setup.combat.struck_on is Facing.FRONT or not setup.ruled("heading_conflict", "pivot"):
        return pose
    place = next((o.position for o in setup.combat.opponents if o.position is not None), None)
    if place is None:
        return pose
    back = setup.mover.block.depth / 2
    cx, cy = pose.table((0.0, -back))
    heading = degrees(atan2(place[0] - cx, place[1] - cy)) % 360.0
    x, y = Pose(cx, cy, heading).table((0.0, back))
    return Pose(x, y, heading)


def block(setup: Setup) -> Block:
    """The overrunning unit's ranks where it starts."""
    return setup.mover.block.at(start(setup))


def parts(setup: Setup) -> tuple[Part, ...]:
    """The overrunning unit in its own frame: one rectangle, or one a model for skirmishers placed apart."""
    mover = setup.mover
    if not mover.loose:
        half = mover.block.width / 2
        return (Part(-half, half, 0.0, -mover.block.depth),)
    pose, wide, deep = start(setup), mover.block.base_width / 2, mover.block.base_depth / 2
    return tuple(Part(x - wide, x + wide, y + deep, y - deep) for x, y in map(pose.local, mover.loose))


def local(setup: Setup, pieces: Iterable[Polygon]) -> tuple[Polygon, ...]:
    """Pieces of the table in the overrunning unit's frame."""
    pose = start(setup)
    return tuple(tuple(pose.local(point) for point in piece) for piece in pieces)


def pieces_of(setup: Setup, thing: Unit | Terrain) -> tuple[Polygon, ...]:
    """The footprint of a unit or a piece of terrain in the overrunning unit's frame."""
    key = "pieces", thing.id, isinstance(thing, Unit)
    if key not in setup.memo:
        shapes = local(setup, thing.pieces)
        for part in parts(setup):  # neighbours that overlap it by rounding only touch it
            mine = swept(part, 0.0)
            shapes = tuple(pushed_out(shape, mine) for shape in shapes)
        setup.memo[key] = shapes
    found: tuple[Polygon, ...] = setup.memo[key]
    return found


def standing(setup: Setup) -> tuple[Unit, ...]:
    """The units that the move can meet: an abandoned machine does not hinder it, a garrison is met as its building."""
    return tuple(unit for unit in setup.units if not unit.abandoned and not unit.in_building)


def enemies(setup: Setup) -> tuple[Unit, ...]:
    """The enemy units that the move can meet, fleeing ones included."""
    return tuple(unit for unit in standing(setup) if unit.side is Own.ENEMY)


def blocking(setup: Setup) -> tuple[Terrain, ...]:
    """Terrain that stops the move."""
    return tuple(t for t in setup.terrain if t.ground in (Ground.IMPASSABLE, Ground.BUILDING))


def meetings(setup: Setup, passed: tuple[str, ...] = ()) -> tuple[Met, ...]:
    """Everything on the straight path, nearest first; enemies before what else is as near. `passed` are gone by."""
    key = "meetings", passed
    if key not in setup.memo:
        found = [m for m in _meetings(setup) if m.id not in passed]
        order = list(What)
        setup.memo[key] = tuple(sorted(found, key=lambda m: (round(m.gap / TOUCH), order.index(m.what))))
    kept: tuple[Met, ...] = setup.memo[key]
    return kept


def _meetings(setup: Setup) -> Iterable[Met]:
    mine, corner = parts(setup), setup.ruled("corner_counts", "yes")
    for unit in standing(setup):
        shape, foe = pieces_of(setup, unit), unit.side is Own.ENEMY
        meeting = first_contact(mine, shape, grazes=corner and foe, width=TOUCH if foe else ROUNDING)
        if meeting is None:
            continue
        gap = stop = _whole(meeting.gap)
        if not foe and setup.ruled("friend_stop", "halt_1in"):
            stop = _halted(mine, shape, gap)
        what = What.FRIEND if not foe else What.FLEEING if unit.fleeing else What.FRESH
        yield Met(what, unit.id, gap, stop, meeting)
    for terrain in blocking(setup):
        shape = pieces_of(setup, terrain)
        meeting = first_contact(mine, shape, grazes=False, width=ROUNDING)
        if meeting is None:
            continue
        gap = stop = _whole(meeting.gap)
        what = What.BUILDING if terrain.occupied else What.TERRAIN
        if terrain.occupied or setup.ruled("impassable_stop", "halt_1in"):
            stop = _halted(mine, shape, gap)
        yield Met(what, terrain.id, gap, stop, meeting)
    edge = edge_gap(mine, local(setup, (setup.table,))[0])
    if edge is not None:
        yield Met(What.EDGE, "", _whole(edge), _whole(edge))


def _whole(gap: float) -> float:
    """A gap within `TOUCH` of an integer is that integer (fact sheet 4a.1)."""
    return float(round(gap)) if abs(gap - round(gap)) <= TOUCH else gap


def _halted(mine: tuple[Part, ...], shape: tuple[Polygon, ...], gap: float) -> float:
    halt = halt_gap(mine, shape)
    return gap if halt is None else min(gap, halt)


def first(setup: Setup, reach: float, passed: tuple[str, ...] = ()) -> tuple[Met, ...]:
    """What the straight move meets first within `reach` inches: nothing, one thing, or several enemies at once."""
    near = [met for met in meetings(setup, passed) if met.gap <= reach + TOUCH]
    if not near:
        return ()
    fresh = [met for met in near if met.gap <= near[0].gap + TOUCH and met.what is What.FRESH]
    return tuple(fresh) if near[0].what is What.FRESH else (near[0],)


def unhindered(setup: Setup, reach: float, passed: tuple[str, ...] = ()) -> float:
    """How far the unit goes when it meets nothing: the whole reach, less what the 1-inch rulings take (C27a, C28)."""
    mine = parts(setup)
    missed = [unit for unit in enemies(setup) if unit.id not in passed]
    if setup.ruled("pass_1in", "halt_1in"):
        halts = [h for unit in missed if (h := halt_gap(mine, pieces_of(setup, unit))) is not None]
        reach = min([reach, *halts])
    if setup.ruled("end_within_1in", "step_back"):
        for unit in missed:
            shape = pieces_of(setup, unit)
            near = min(distance(_moved(part, reach), piece) for part in mine for piece in shape)
            halt = halt_gap(mine, shape)
            if near < 1.0 - TOUCH and halt is not None:
                reach = min(reach, halt)
    return reach


def _moved(part: Part, ahead: float) -> Polygon:
    return swept(Part(part.left, part.right, part.front + ahead, part.rear + ahead), 0.0)


def reach(setup: Setup, roll: int) -> float:
    """Inches that a roll is worth straight ahead: all of it, or less under `terrain_waiver = apply`."""
    if setup.ruled("terrain_waiver", "waive"):
        return float(roll)
    left, at = float(roll), 0.0
    for low, high in _difficult(setup):
        if low - at >= left:
            break
        left -= max(0.0, low - at)
        at = max(at, low)
        if (high - at) * 2.0 >= left:
            return at + left / 2.0
        left -= (high - at) * 2.0
        at = high
    return at + left


def _difficult(setup: Setup) -> list[tuple[float, float]]:
    """Stretches of the path, in inches, on which part of the unit stands on difficult ground; merged, ascending."""
    spans: list[tuple[float, float]] = []
    for terrain in setup.terrain:
        if terrain.ground is not Ground.DIFFICULT:
            continue
        for piece in pieces_of(setup, terrain):
            for part in parts(setup):
                strip = clip(clip(piece, (1.0, 0.0), part.right), (-1.0, 0.0), -part.left)
                if strip and max(p[0] for p in strip) - min(p[0] for p in strip) > TOUCH:
                    low, high = min(p[1] for p in strip) - part.front, max(p[1] for p in strip) - part.rear
                    if high > 0.0:
                        spans.append((max(0.0, low), high))
    merged: list[tuple[float, float]] = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], high)
        else:
            merged.append((low, high))
    return merged


def crosses_difficult(setup: Setup, ahead: float) -> bool:
    """Whether the straight move of that length touches ground that harms chariots."""
    return any(low < ahead for low, _ in _difficult(setup))


def grounded(setup: Setup) -> bool:
    """Whether a flyer must stay on the ground: it stands in difficult ground such as a wood."""
    woods = [t for t in setup.terrain if t.ground is Ground.DIFFICULT]
    return any(overlap(mine, piece) for wood in woods for piece in wood.pieces for mine in setup.mover.pieces)
