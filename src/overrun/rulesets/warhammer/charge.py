"""The charge on a fresh enemy: facing, the most models, alignment (W-06, W-08; fact sheet C4-C15, 4a).

`arrival` is the whole geometry of one roll: pure, remembered in the setup. The steps read from it only words, counts
and hundredths of an inch.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import hypot, radians

from overrun.rulesets.warhammer import facing as zoning
from overrun.rulesets.warhammer import path
from overrun.rulesets.warhammer.contact import (
    Count,
    Face,
    aligned,
    face,
    models_in_contact,
    turned_instead,
)
from overrun.rulesets.warhammer.distance import most
from overrun.rulesets.warhammer.facing import FACES, Facing, struck_by
from overrun.rulesets.warhammer.maximise import Key, choose, wheels
from overrun.rulesets.warhammer.optimum import Frontage, Option
from overrun.rulesets.warhammer.setup import Ground as Difficulty
from overrun.rulesets.warhammer.setup import Own, Setup, Unit
from overrun.rulesets.warhammer.shapes import ROUNDING, TOUCH, Polygon, Pose, distance, separation, to_segment
from overrun.rulesets.warhammer.sweep import halt_gap, swept
from overrun.rulesets.warhammer.wheel import Ground, Measure, final_pose, hits, view


class How(StrEnum):
    """How the charge gets there."""

    STRAIGHT = "straight"
    WHEEL = "wheel"
    HALT = "halt"


class Alignment(StrEnum):
    """How the two units come to stand."""

    FLUSH = "flush"
    TARGET_TURNS = "target turns"
    UNALIGNED = "unaligned"
    LINE = "skirmishers form a line"
    NONE = "no contact"


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where one roll takes the charge. Poses lie in the overrunning unit's own frame at its start, inches.

    `touch` is where it stands on touching, `final` after alignment, `target` where the target then stands if it moved.
    `engaged` are the enemies now in contact. `count` are the charger's models in contact, `defenders` the enemy's that
    it meets along the face, or the line that skirmishers form. `travelled` is what the roll paid for.
    """

    how: How
    engaged: tuple[str, ...]
    facing: Facing | None
    count: Count
    defenders: int
    travelled: float
    touch: Pose
    final: Pose
    alignment: Alignment
    option: Option | None = None
    target: Pose | None = None


def zones(setup: Setup, target: Unit) -> tuple[Facing, ...]:
    """The face that the charger's place gives it, or those that tie; empty for targets without flanks (C11, C12)."""
    if not target.formed:
        return ()
    theirs, mine = target.block, path.block(setup)
    if setup.ruled("facing_reference", "turn_start"):
        theirs = theirs.at(target.at_turn_start or theirs.pose)
        mine = mine.at(setup.mover.at_turn_start or mine.pose)
    if setup.mover.loose and not setup.ruled("facing_reference", "turn_start"):
        return zoning.most(zoning.count(theirs, setup.mover.loose))
    return struck_by(theirs, mine, setup.ruled("facing_counts", "front_rank"))


def ground(setup: Setup, target: Unit, passed: tuple[str, ...]) -> Ground:
    """What stands in the way of a wheel at that target."""
    solid: list[Polygon] = []
    foes: list[Polygon] = []
    for unit in path.standing(setup):
        if unit.id != target.id and unit.id not in passed:
            (foes if unit.side is Own.ENEMY else solid).extend(path.pieces_of(setup, unit))
    for terrain in path.blocking(setup):
        solid.extend(path.pieces_of(setup, terrain))
    return Ground(tuple(solid), tuple(foes), path.local(setup, (setup.table,))[0])


def frontage(setup: Setup) -> Frontage:
    """The overrunning unit's front under the chosen rulings."""
    mine = setup.mover.block
    largest = radians(float(setup.rulings["wheel_max"]))
    measure, at_once = Measure(setup.rulings["wheel_measure"]), setup.ruled("wheel_when", "start_only")
    return Frontage(mine.files, mine.base_width, mine.depth, measure, largest, at_once)


def wheel_options(setup: Setup, target: Unit, facing: Facing, passed: tuple[str, ...]) -> tuple[Option, ...]:
    """Every useful wheel onto that face within the longest roll; none for skirmishers, on either side."""
    key = "wheels", target.id, facing, passed
    if key not in setup.memo:
        found: tuple[Option, ...] = ()
        if not setup.mover.loose and not target.loose:
            corners, longest = path.pieces_of(setup, target)[0], most(setup)
            if min(to_segment((0.0, 0.0), p, q) for p, q in _sides(corners)) <= longest + setup.mover.block.width:
                found = wheels(frontage(setup), corners, facing, ground(setup, target, passed), longest)
        setup.memo[key] = found
    kept: tuple[Option, ...] = setup.memo[key]
    return kept


def _sides(corners: Polygon) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    return tuple(zip(corners, (*corners[1:], corners[0]), strict=True))


def touched(setup: Setup, target: Unit, met: path.Met) -> tuple[Facing, ...]:
    """The faces that the straight move touches, the squarest first: one, or two at a corner."""
    assert met.meeting is not None
    corners = path.pieces_of(setup, target)[0]
    found: list[tuple[float, Facing]] = []
    for facing in FACES:
        side = face(corners, facing)
        if side.along[0] > TOUCH and to_segment(met.meeting.point, side.left, side.right) <= TOUCH:
            found.append((-side.along[0], facing))
    return tuple(facing for _, facing in sorted(found))


def straight(setup: Setup, target: Unit, facing: Facing, met: path.Met) -> Option:
    """The straight move as an option: its gap, and the count after alignment about the touch point."""
    assert met.meeting is not None
    side = face(path.pieces_of(setup, target)[0], facing)
    mine = setup.mover.block
    offset = _along(side, met.meeting.point) - (met.meeting.point[0] + mine.width / 2)
    return Option(met.gap, True, models_in_contact(offset, mine.files, mine.base_width, side.length), None, offset)


def _along(side: Face, point: tuple[float, float]) -> float:
    ex, ey = side.along
    return (point[0] - side.left[0]) * ex + (point[1] - side.left[1]) * ey


def arrival(
    setup: Setup, roll: int, struck: tuple[str, ...], *, passed: tuple[str, ...], zone: Facing | None
) -> Arrival:
    """The charge on `struck` (the chosen enemy first, others touched with it after) from that zone, on that roll."""
    key = "arrival", roll, passed, struck, zone
    if key not in setup.memo:
        setup.memo[key] = _arrival(setup, path.reach(setup, roll), struck, passed=passed, zone=zone)
    found: Arrival = setup.memo[key]
    return found


def _arrival(
    setup: Setup, reach: float, struck: tuple[str, ...], *, passed: tuple[str, ...], zone: Facing | None
) -> Arrival:
    target = setup.by_id[struck[0]]
    met = next((m for m in path.first(setup, reach, passed) if m.id == target.id), None)
    if setup.mover.loose or target.loose:
        assert met is not None
        return _skirmish(setup, target, met, struck, reach)
    key = Key(setup.rulings["maximise_key"])
    faces = _faces(setup, target, met, zone)
    for facing in faces:
        options = list(wheel_options(setup, target, facing, passed))
        alone = len(struck) == 1
        if met is not None and alone and facing in touched(setup, target, met):
            options.append(straight(setup, target, facing, met))
        if not alone and setup.ruled("multi_contact", "both"):
            options = []
        option = choose(options, reach, key)
        if option is not None:
            return _aligned(setup, target, facing, option, passed)
    if len(struck) > 1 and met is not None:
        return _both(setup, struck, met)
    assert met is not None
    return _halted(setup, target, met.gap)


def _faces(setup: Setup, target: Unit, met: path.Met | None, zone: Facing | None) -> tuple[Facing, ...]:
    """The faces that may be struck, in the order in which they are tried (C13)."""
    hit = touched(setup, target, met) if met is not None else ()
    if zone is None:
        return hit or FACES
    if zone in hit:
        return (zone,)
    if not hit:
        return (zone,)  # reached by a wheel alone: nothing else was touched
    if setup.ruled("zone_conflict", "halt"):
        return ()
    return hit if setup.ruled("zone_conflict", "touched") else (zone, *hit)


def _halted(setup: Setup, target: Unit, gap: float) -> Arrival:
    halt = halt_gap(path.parts(setup), path.pieces_of(setup, target))
    ahead = gap if halt is None else min(gap, halt)
    pose = Pose(0.0, ahead, 0.0)
    return Arrival(How.HALT, (), None, Count(0, 0), 0, ahead, pose, pose, Alignment.NONE)


def _aligned(setup: Setup, target: Unit, facing: Facing, option: Option, passed: tuple[str, ...]) -> Arrival:
    """The whole arrival by one option, the same for every roll that takes it."""
    key = "aligned", target.id, facing, option, passed
    if key not in setup.memo:
        setup.memo[key] = _align(setup, target, facing, option, passed)
    found: Arrival = setup.memo[key]
    return found


def _align(setup: Setup, target: Unit, facing: Facing, option: Option, passed: tuple[str, ...]) -> Arrival:
    mine, side = setup.mover.block, face(path.pieces_of(setup, target)[0], facing)
    wheel = option.wheel
    how = How.STRAIGHT if wheel is None else How.WHEEL
    touch = Pose(0.0, option.cost, 0.0) if wheel is None else final_pose(wheel, mine.width)
    paid = option.cost if wheel is None else wheel.cost(mine.width, frontage(setup).measure)
    final = aligned(side, option.offset, mine.width)
    theirs = _enemy_models(setup, target, facing, option.offset)
    around = ground(setup, target, passed)
    taken = any(_in_the_way(mine.at(final).corners, p) for p in (*around.solid, *around.enemies))
    if not taken:
        return Arrival(how, (target.id,), facing, option.count, theirs, paid, touch, final, Alignment.FLUSH, option)
    if target.engaged_with and setup.ruled("engaged_no_free_edge", "halt_1in"):
        return _halted(setup, target, paid)
    if not target.engaged_with and setup.ruled("align_blocked", "charged_turns"):
        turned = _turned(setup, target, facing, option, touch)
        if not any(_in_the_way(target.block.at(turned).corners, p) for p in (*around.solid, *around.enemies)):
            return Arrival(
                how,
                (target.id,),
                facing,
                option.count,
                theirs,
                paid,
                touch,
                touch,
                Alignment.TARGET_TURNS,
                option,
                turned,
            )
    count = _at_touch(setup, touch, side)
    return Arrival(how, (target.id,), facing, count, 1, paid, touch, touch, Alignment.UNALIGNED, option)


def _in_the_way(place: Polygon, other: Polygon) -> bool:
    """Whether two bodies overlap by more than the rounding of a file."""
    return separation(place, other) < -ROUNDING


def _enemy_models(setup: Setup, target: Unit, facing: Facing, offset: float) -> int:
    """How many of the enemy's models along the face really overlap the charger's front."""
    block, wide = target.block, facing in (Facing.FRONT, Facing.REAR)
    number, base = (block.files, block.base_width) if wide else (block.ranks, block.base_depth)
    return models_in_contact(-offset, number, base, setup.mover.block.width).open


def _turned(setup: Setup, target: Unit, facing: Facing, option: Option, touch: Pose) -> Pose:
    here = path.start(setup).local((target.block.pose.x, target.block.pose.y))
    heading = target.block.pose.heading - path.start(setup).heading
    moved = target.block.at(Pose(here[0], here[1], heading))
    side = face(moved.corners, facing)
    return turned_instead(moved, facing, _touch_point(setup, touch, side), touch)


def _touch_point(setup: Setup, touch: Pose, side: Face) -> tuple[float, float]:
    """Where front and face meet: a front corner on the face, or an end of the face on the front."""
    half = setup.mover.block.width / 2
    left, right = touch.table((-half, 0.0)), touch.table((half, 0.0))
    candidates = [(to_segment(p, side.left, side.right), p) for p in (left, right)]
    candidates += [(to_segment(p, left, right), p) for p in (side.left, side.right)]
    return min(candidates)[1]


def _at_touch(setup: Setup, touch: Pose, side: Face) -> Count:
    """The models at the touch point alone: one, or two where it lies between files (a corner touch of the second)."""
    mine = setup.mover.block
    half = mine.width / 2
    left = touch.table((-half, 0.0))
    point = _touch_point(setup, touch, side)
    u = hypot(point[0] - left[0], point[1] - left[1])
    between = round(u / mine.base_width)
    shared = abs(u - between * mine.base_width) <= TOUCH and 0 < between < mine.files
    return Count(1, 2 if shared else 1)


def _skirmish(setup: Setup, target: Unit, met: path.Met, struck: tuple[str, ...], reach: float) -> Arrival:
    """Contact without ranks on one side (C20, C21): the formed side stands where it touched, the others form a line.

    Each overrunning skirmisher moves for itself once the body has touched: it joins the line if the roll takes it there
    by the shortest way. Ways around other models are not measured.
    """
    mine, theirs = setup.mover.block, target.block
    pose = Pose(0.0, met.gap, 0.0)
    if setup.mover.loose:
        places = [swept(part, 0.0) for part in path.parts(setup)]
        gaps = [min(distance(place, piece) for piece in path.pieces_of(setup, target)) for place in places]
        line = min(sum(gap <= reach + TOUCH for gap in gaps), _fits(theirs.width, mine.base_width))
        count, defenders = Count(line, line), 0
        if target.loose:
            count = Count(1, 1)
    else:
        count, defenders = Count(1, 1), min(target.models, _fits(mine.width, theirs.base_width))
    return Arrival(How.STRAIGHT, struck, None, count, defenders, met.gap, pose, pose, Alignment.LINE)


def _fits(frontage: float, base: float) -> int:
    """How many bases stand along a frontage, the last one partly beyond its end."""
    whole = int(frontage / base + TOUCH)
    return whole + (frontage - whole * base > TOUCH)


def _both(setup: Setup, struck: tuple[str, ...], met: path.Met) -> Arrival:
    """Both enemies touched at once and neither avoidable (C15): no alignment; files flush with either face count."""
    mine = setup.mover.block
    half, base = mine.width / 2, mine.base_width
    open_files: set[int] = set()
    closed_files: set[int] = set()
    for id in struck:
        target = setup.by_id[id]
        for piece in path.pieces_of(setup, target):
            low = min(y for _, y in piece)
            front = [x for x, y in piece if y - low <= TOUCH]
            for i in range(mine.files):
                left, right = -half + i * base, -half + (i + 1) * base
                if low <= met.gap + TOUCH:
                    if left < max(front) - TOUCH and right > min(front) + TOUCH:
                        open_files.add(i)
                    if left <= max(front) + TOUCH and right >= min(front) - TOUCH:
                        closed_files.add(i)
                    if max(front) - min(front) <= TOUCH and left <= max(front) < right:
                        open_files.add(i)
    pose = Pose(0.0, met.gap, 0.0)
    facing = touched(setup, setup.by_id[struck[0]], met)
    count = Count(len(open_files), len(closed_files | open_files))
    return Arrival(
        How.STRAIGHT, struck, facing[0] if facing else None, count, 0, met.gap, pose, pose, Alignment.UNALIGNED
    )


def crosses_difficult(setup: Setup, found: Arrival) -> bool:
    """Whether the charge, its wheel included, goes through difficult ground."""
    wheel = None if found.option is None else found.option.wheel
    if wheel is None:
        return path.crosses_difficult(setup, found.touch.y)
    woods = [p for t in setup.terrain if t.ground is Difficulty.DIFFICULT for p in path.pieces_of(setup, t)]
    mine, target = setup.mover.block, path.pieces_of(setup, setup.by_id[found.engaged[0]])[0]
    seen = view(wheel.side, (mine.width, mine.depth), target, Facing.FRONT, Ground(solid=tuple(woods)))
    return any(hits(seen, wood, wheel, -TOUCH) for wood in seen.solid)


def wheel_targets(setup: Setup, roll: int, passed: tuple[str, ...]) -> tuple[str, ...]:
    """Under `reachable_by_wheel`, when the straight move meets nothing: the enemies of least wheel cost in the roll."""
    costs: list[tuple[float, str]] = []
    limit = path.reach(setup, roll)
    for target in path.enemies(setup):
        if target.fleeing or target.id in passed or target.loose or setup.mover.loose:
            continue
        for facing in zones(setup, target) or FACES:
            affordable = [o.cost for o in wheel_options(setup, target, facing, passed) if o.affordable(limit)]
            if affordable:
                costs.append((min(affordable), target.id))
                break
    least = min((cost for cost, _ in costs), default=0.0)
    return tuple(id for cost, id in costs if cost <= least + TOUCH)[:1]
