"""Laws that hold whatever stands on the table (issue of the ruleset: rigid motion, mirror, monotony)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import hypot, radians

from hypothesis import given
from hypothesis import strategies as st

from overrun.kernel import InputError
from overrun.rulesets.warhammer import path
from overrun.rulesets.warhammer.charge import Alignment, Arrival, wheel_options, zones
from overrun.rulesets.warhammer.contact import face
from overrun.rulesets.warhammer.facing import FACES, Facing
from overrun.rulesets.warhammer.optimum import Option
from overrun.rulesets.warhammer.setup import Setup
from overrun.rulesets.warhammer.shapes import TOUCH, Pose, to_segment
from overrun.rulesets.warhammer.wheel import Side, Wheel
from tests.oracles.warhammer.tables import counts
from tests.warhammer.crowds import crowds
from tests.warhammer.tabletop import ME, Document, document, mirrored, moved, number, rolls, setup, situations, strike

SAME = 1e-9
"""Inches for lengths and places, radians for headings and angles of wheels."""

RARE = 0.02
"""The share of results that a law may leave out at most, for the reason that its test names."""


def apart(one: Pose, other: Pose) -> float:
    """How far two poses are apart: inches or radians, whichever is more."""
    turn = (one.heading - other.heading + 180.0) % 360.0 - 180.0
    return max(abs(one.x - other.x), abs(one.y - other.y), abs(radians(turn)))


def flipped(pose: Pose | None) -> Pose | None:
    """The mirror image at x = 0."""
    return None if pose is None else Pose(-pose.x, pose.y, -pose.heading)


def facing_in_mirror(facing: Facing | None) -> Facing | None:
    swapped = {Facing.LEFT_FLANK: Facing.RIGHT_FLANK, Facing.RIGHT_FLANK: Facing.LEFT_FLANK}
    return None if facing is None else swapped.get(facing, facing)


def same_wheel(one: Wheel | None, other: Wheel | None) -> bool:
    """Whether two wheels are one, whatever hand they turn to."""
    if one is None or other is None:
        return one is other
    pairs = ((one.before, other.before), (one.angle, other.angle), (one.after, other.after))
    return all(abs(a - b) < SAME for a, b in pairs)


def same_arrival(one: Arrival, other: Arrival) -> bool:
    """Whether two arrivals are one: kinds and counts exactly, every length, place and angle to ``SAME``."""
    kinds = [(a.how, a.engaged, a.facing, a.count, a.defenders, a.alignment) for a in (one, other)]
    if kinds[0] != kinds[1] or (one.target is None) != (other.target is None):
        return False
    poses = [(one.touch, other.touch), (one.final, other.final)]
    if one.target is not None and other.target is not None:
        poses.append((one.target, other.target))
    wheels = [None if a.option is None else a.option.wheel for a in (one, other)]
    limits = [0.0 if a.option is None else a.option.cost for a in (one, other)]
    close = abs(one.travelled - other.travelled) < SAME and abs(limits[0] - limits[1]) < SAME
    return close and same_wheel(*wheels) and all(apart(a, b) < SAME for a, b in poses)


def every_option(facts: Setup) -> dict[tuple[str, Side, int, int, bool, int], Option]:
    """All wheels onto all faces of the first enemy, not only those that a roll takes."""
    target = facts.by_id.get("e0")
    found: dict[tuple[str, Side, int, int, bool, int], Option] = {}
    for facing in FACES if target is not None else ():
        assert target is not None
        options = sorted(wheel_options(facts, target, facing, ()), key=lambda o: (round(o.cost, 7), o.attained))
        for option in options:
            assert option.wheel is not None
            count, side = option.count, option.wheel.side
            number = sum(key[:5] == (facing, side, count.open, count.closed, option.attained) for key in found)
            found[facing, side, count.open, count.closed, option.attained, number] = option
    return found


def turned(whole: Document, turn: float, across: float, up: float) -> Setup:
    """The facts after everything was turned and moved, the table with its edges too."""
    facts, spot = setup(moved(whole, turn, across, up)), Pose(across, up, turn)
    return replace(facts, table=tuple(spot.table(corner) for corner in setup(whole).table))


def check_rigid_motion(whole: Document, turn: float, across: float, up: float, seen: Counter[str]) -> None:
    """Gaps, path paid, wheels, poses and models in contact are the same to ``SAME`` on the table moved as a whole."""
    try:
        one = setup(whole)
    except InputError:
        return
    two = turned(whole, turn, across, up)
    for a, b in zip(path.meetings(one), path.meetings(two), strict=True):
        assert (a.what, a.id) == (b.what, b.id)
        assert max(abs(a.gap - b.gap), abs(a.stop - b.stop)) < SAME
        seen["gaps"] += 1
    for roll in rolls(one):
        here, there = strike(one, roll), strike(two, roll)
        if here is None or there is None:
            assert here is there
            continue
        assert same_arrival(here, there)
        seen["searched" if _searched(here.option) else "strikes"] += 1
    ours, theirs = every_option(one), every_option(two)
    assert ours.keys() == theirs.keys()
    for key, option in ours.items():
        assert abs(option.cost - theirs[key].cost) < SAME
        assert abs(option.offset - theirs[key].offset) < SAME
        assert same_wheel(option.wheel, theirs[key].wheel)
        seen["options searched" if _searched(option) else "options"] += 1


def _searched(option: Option | None) -> bool:
    return option is not None and option.wheel is not None and option.wheel.before > 0.0


def test_turning_and_moving_the_whole_table_changes_nothing() -> None:
    """No result is left out, and wheels searched among obstacles are among them."""
    seen: Counter[str] = Counter()

    @counts(1000, 100)
    @given(situations(4), number(0, 359), number(-40, 40), number(-40, 40))
    def law(whole: Document, turn: float, across: float, up: float) -> None:
        check_rigid_motion(whole, turn, across, up, seen)

    @counts(1000, 20)
    @given(crowds, number(0, 359), number(-40, 40), number(-40, 40))
    def law_in_a_crowd(whole: Document, turn: float, across: float, up: float) -> None:
        check_rigid_motion(whole, turn, across, up, seen)

    law()
    law_in_a_crowd()
    assert min(seen["gaps"], seen["strikes"], seen["options"]) > 100
    assert seen["options searched"] > 5


def test_the_mirror_image_strikes_as_many_models_for_as_much() -> None:
    """Left out are exact ties that the rule breaks by hand: of two pivots that cost the same the left one is taken."""
    seen: Counter[str] = Counter()

    def check(whole: Document) -> None:
        try:
            one, two = setup(whole), setup(mirrored(whole))
        except InputError:
            return
        for roll in rolls(one):
            here = strike(one, roll)
            zone = None if here is None else next(iter(zones(one, one.by_id[here.engaged[0]])), None)
            there = strike(two, roll, facing_in_mirror(zone))
            assert (here is None) == (there is None)
            if here is None or there is None:
                continue
            seen["strikes"] += 1
            if _left_pivot_first(one, here):
                seen["both pivots cost the same, the left is taken"] += 1
                continue
            seen["searched"] += _searched(here.option)
            image = replace(
                there,
                facing=facing_in_mirror(there.facing),
                touch=flipped(there.touch),
                final=flipped(there.final),
                target=flipped(there.target),
            )
            assert same_arrival(here, image)

    counts(1000, 100)(given(situations(4))(check))()
    counts(1000, 20)(given(crowds)(check))()
    assert seen["both pivots cost the same, the left is taken"] <= RARE * seen["strikes"]
    assert seen["strikes"] > 100


def _left_pivot_first(facts: Setup, found: Arrival) -> bool:
    """Whether the other pivot would bring the same count for the same inches."""
    option, facing = found.option, found.facing
    if option is None or option.wheel is None or facing is None:
        return False
    others = wheel_options(facts, facts.by_id[found.engaged[0]], facing, ())
    same = [o for o in others if o.count == option.count and abs(o.cost - option.cost) <= TOUCH]
    return any(o.wheel is not None and o.wheel.side is not option.wheel.side for o in same)


@counts(1000, 150)
@given(situations(4))
def test_a_longer_roll_never_brings_fewer_models(whole: Document) -> None:
    try:
        facts = setup(whole)
    except InputError:
        return
    found = [s for roll in rolls(facts) if (s := strike(facts, roll)) is not None and s.alignment is Alignment.FLUSH]
    models = [s.count.open for s in found if len({f.facing for f in found}) == 1 and len(s.engaged) == 1]
    assert models == sorted(models)


@counts(500, 100)
@given(st.integers(1, 6), st.integers(1, 8), number(-5, 5), number(2, 10), st.booleans())
def test_widening_the_enemy_never_brings_fewer_models(
    files: int, theirs: int, across: float, ahead: float, wheel: bool
) -> None:
    """A lone enemy squarely across the path, widened by a file at both ends."""
    rulings = {"contact_rule": "reachable_by_wheel" if wheel else "swept_path"}

    def models(width: int) -> list[int]:
        enemy = {
            "id": "e",
            "side": "enemy",
            "base": [20, 20],
            "files": width,
            "ranks": 3,
            "position": [across, ahead],
            "heading": 180,
        }
        facts = setup(document([ME | {"files": files}, enemy], rulings=rulings))
        return [s.count.open if (s := strike(facts, roll)) is not None else 0 for roll in rolls(facts)]

    for narrow, wide in zip(models(theirs), models(theirs + 2), strict=True):
        assert wide >= narrow


@counts(1000, 150)
@given(situations(3))
def test_touch_and_alignment_turn_about_one_point(whole: Document) -> None:
    """Alignment slides nothing: some point of the front is on the face both before and after, at the same place."""
    try:
        facts = setup(whole)
    except InputError:
        return
    for roll in rolls(facts):
        found = strike(facts, roll)
        if found is None or found.alignment is not Alignment.FLUSH or found.facing is None:
            continue
        target = facts.by_id[found.engaged[0]]
        side = face(path.pieces_of(facts, target)[0], found.facing)
        half = facts.mover.block.width / 2
        ends = [(0.0, found.touch.table((-half, 0.0))), (2 * half, found.touch.table((half, 0.0)))]
        before, after = (found.touch, found.final)
        places = [u for u, p in ends if to_segment(p, side.left, side.right) < 1e-5]
        for corner in (side.left, side.right):
            if to_segment(corner, ends[0][1], ends[1][1]) < 1e-5:
                places.append(hypot(corner[0] - ends[0][1][0], corner[1] - ends[0][1][1]))
        assert places, "the front does not touch the face"
        apart = []
        for u in places:
            one, two = before.table((u - half, 0.0)), after.table((u - half, 0.0))
            apart.append(hypot(one[0] - two[0], one[1] - two[1]))
        assert min(apart) < 1e-5


def test_the_law_of_the_touch_point_can_fail() -> None:
    facts = setup(
        document(
            [
                ME,
                {
                    "id": "e",
                    "side": "enemy",
                    "base": [20, 20],
                    "files": 5,
                    "ranks": 3,
                    "position": [3, 6],
                    "heading": 180,
                },
            ]
        )
    )
    found = strike(facts, 12)
    assert found is not None
    assert hypot(found.touch.x - found.final.x, found.touch.y - found.final.y) > 1e-3
