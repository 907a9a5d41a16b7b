"""Units side by side, as files with rounded places give them: they neither block nor count as overlapping."""

from __future__ import annotations

import pytest

from overrun.kernel import InputError
from overrun.rulesets.warhammer import path
from overrun.rulesets.warhammer.path import What
from overrun.rulesets.warhammer.shapes import pushed_out, separation
from tests.warhammer.tabletop import ME, document, setup, strike

WIDTH = 100 / 25.4
ENEMY = {"id": "e", "side": "enemy", "base": [20, 20], "files": 5, "ranks": 3, "position": [0, 8], "heading": 180}


def friend(across: float, ahead: float = 0.0) -> dict[str, object]:
    return ME | {"id": "f", "position": [across, ahead]}


@pytest.mark.parametrize("across", [3.937, 3.936, -3.937, 3.938, WIDTH])
def test_a_friend_in_line_beside_it_blocks_nothing(across: float) -> None:
    facts = setup(document([ME, friend(across), ENEMY]))
    first = path.meetings(facts)[0]
    assert (first.what, first.gap) == (What.FRESH, 8.0)
    found = strike(facts, 8)
    assert found is not None
    assert found.count.open == 5


def test_a_friend_right_in_front_blocks_at_once() -> None:
    facts = setup(document([ME, friend(0.0, 4 * 20 / 25.4 - 0.001), ENEMY]))
    first = path.meetings(facts)[0]
    assert (first.what, round(first.gap, 2)) == (What.FRIEND, 0.0)


def test_a_deeper_overlap_is_refused() -> None:
    with pytest.raises(InputError, match="overlaps"):
        setup(document([ME, friend(3.93), ENEMY]))


def test_the_place_beside_a_fighting_friend_is_free_although_rounded() -> None:
    """The friend stands on the left half of a wide face; the charger comes straight at the right half."""
    wide = ENEMY | {"files": 10, "engaged_with": ["f"]}
    beside = ME | {"id": "f", "ranks": 2, "position": [-3.937, 8.0]}
    facts = setup(document([ME, wide, beside]))
    found = strike(facts, 12)
    assert found is not None
    assert (found.alignment.value, found.count.open) == ("flush", 5)


def test_pushing_out_leaves_a_touch_and_moves_nothing_else() -> None:
    square = ((1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0))
    for dx, dy in ((0.999, 0.3), (-0.999, 0.3), (0.2, 0.999), (0.2, -0.999)):
        moved = pushed_out(tuple((x + dx, y + dy) for x, y in square), square)
        assert abs(separation(square, moved)) < 1e-12
    far = tuple((x + 3.0, y) for x, y in square)
    deep = tuple((x + 0.5, y) for x, y in square)
    assert pushed_out(far, square) == far
    assert pushed_out(deep, square) == deep
