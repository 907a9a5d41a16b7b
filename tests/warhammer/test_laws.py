"""Laws that hold whatever stands on the table (issue of the ruleset: rigid motion, mirror, monotony)."""

from __future__ import annotations

from math import hypot

from hypothesis import given
from hypothesis import strategies as st

from overrun.kernel import InputError
from overrun.rulesets.warhammer import path
from overrun.rulesets.warhammer.charge import Alignment, Arrival, zones
from overrun.rulesets.warhammer.contact import face
from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.setup import Setup
from overrun.rulesets.warhammer.shapes import Pose, to_segment
from tests.oracles.warhammer.tables import counts
from tests.warhammer.tabletop import ME, Document, document, mirrored, moved, number, rolls, setup, situations, strike

SAME = 1e-9


def close(one: Pose, other: Pose) -> bool:
    turn = abs((one.heading - other.heading + 180) % 360 - 180)
    return hypot(one.x - other.x, one.y - other.y) < SAME * 100 and turn < SAME * 1000


def mirror(facing: Facing | None) -> Facing | None:
    return (
        {Facing.LEFT_FLANK: Facing.RIGHT_FLANK, Facing.RIGHT_FLANK: Facing.LEFT_FLANK}.get(facing, facing)
        if facing
        else None
    )


@counts(1000, 150)
@given(situations(4), number(0, 359), number(-40, 40), number(-40, 40))
def test_turning_and_moving_the_whole_table_changes_nothing(
    whole: Document, turn: float, across: float, up: float
) -> None:
    try:
        one, two = setup(whole), setup(moved(whole, turn, across, up))
    except InputError:
        return
    for a, b in zip(path.meetings(one), path.meetings(two), strict=False):
        if a.what is path.What.EDGE or b.what is path.What.EDGE:
            break
        assert (a.what, a.id) == (b.what, b.id)
        assert abs(a.gap - b.gap) < SAME
    for roll in rolls(one):
        a_strike, b_strike = strike(one, roll), strike(two, roll)
        assert (a_strike is None) == (b_strike is None)
        if a_strike is not None and b_strike is not None:
            assert (a_strike.how, a_strike.facing, a_strike.count) == (b_strike.how, b_strike.facing, b_strike.count)
            assert (
                abs(a_strike.travelled - b_strike.travelled) < SAME * 1000
            )  # found by narrowing where the closed form is blocked
            assert close(a_strike.final, b_strike.final) or _searched(a_strike)


def _searched(found: Arrival) -> bool:
    wheel = None if found.option is None else found.option.wheel
    return wheel is not None and wheel.before > 0.0


@counts(1000, 150)
@given(situations(4))
def test_the_mirror_image_strikes_as_many_models_for_as_much(whole: Document) -> None:
    try:
        one, two = setup(whole), setup(mirrored(whole))
    except InputError:
        return
    for roll in rolls(one):
        a, b = strike(one, roll), strike(two, roll)
        assert (a is None) == (b is None)
        if a is not None and b is not None and len(a.engaged) == 1:
            if len(set(map(str, _tied(one, a)))) > 1:
                continue  # the first of two tied zones is another one in the mirror
            assert (a.how, a.count, a.alignment) == (b.how, b.count, b.alignment)
            assert mirror(a.facing) == b.facing
            assert abs(a.travelled - b.travelled) < 1e-6


def _tied(facts: Setup, found: Arrival) -> tuple[Facing, ...]:
    return zones(facts, facts.by_id[found.engaged[0]])


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
