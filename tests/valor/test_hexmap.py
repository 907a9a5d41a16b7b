"""Hex geometry against floating-point trigonometry and breadth-first search, which share nothing with it."""

from __future__ import annotations

from collections import deque
from math import atan2, degrees, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overrun.rulesets.valor.hexmap import DIRECTIONS, Aspect, Hex, aspect, in_arc

FACINGS = {"N": 90, "NE": 30, "SE": -30, "S": -90, "SW": -150, "NW": 150}
HEXES = [Hex.named(f"{column}{row}") for column in "ABCDEFGH" for row in range(1, 9)]
hexes = st.sampled_from(HEXES)
facings = st.integers(0, 5)


def centre(hex: Hex) -> tuple[float, float]:
    """The centre of a printed hex, y upwards, from its name alone."""
    name = str(hex)
    column = ord(name[0]) - ord("A")
    return 1.5 * column, -sqrt(3) * (int(name[1:]) - (0.5 if column % 2 else 0))


def angle(at: Hex, facing: int, to: Hex) -> float:
    (x, y), (u, v) = centre(at), centre(to)
    off = degrees(atan2(v - y, u - x)) - FACINGS[DIRECTIONS[facing]]
    return abs((off + 180) % 360 - 180)


@pytest.mark.parametrize(
    ("name", "neighbours"),
    [("D4", "D3 E3 E4 D5 C4 C3"), ("E4", "E3 F4 F5 E5 D5 D4")],
)
def test_neighbours_as_printed(name: str, neighbours: str) -> None:
    assert [str(Hex.named(name).neighbour(d)) for d in range(6)] == neighbours.split()


@settings(deadline=None)
@given(hexes)
def test_names_read_back(hex: Hex) -> None:
    assert Hex.named(str(hex)) == hex


@settings(deadline=None)
@given(hexes, facings)
def test_neighbours_are_one_away_and_in_their_direction(hex: Hex, direction: int) -> None:
    other = hex.neighbour(direction)
    (x, y), (u, v) = (hex.column * 1.5, -hex.y * sqrt(3) / 2), (other.column * 1.5, -other.y * sqrt(3) / 2)
    assert abs((u - x) ** 2 + (v - y) ** 2 - 3) < 1e-9
    assert hex.direction(other) == direction
    assert other.direction(hex) == (direction + 3) % 6
    assert hex.distance(other) == 1


def test_distance_is_the_length_of_the_shortest_way() -> None:
    start = Hex.named("D4")
    found, todo = {start: 0}, deque([start])
    while todo:
        hex = todo.popleft()
        if found[hex] < 9:
            for direction in range(6):
                other = hex.neighbour(direction)
                if other not in found:
                    found[other] = found[hex] + 1
                    todo.append(other)
    assert all(start.distance(hex) == steps for hex, steps in found.items())


@settings(deadline=None)
@given(hexes, facings, hexes)
def test_aspect_is_the_angle_to_the_firer(at: Hex, facing: int, firer: Hex) -> None:
    if at == firer:
        return
    off = angle(at, facing, firer)
    expected = Aspect.SIDEWAYS if abs(off - 90) < 1e-6 else Aspect.FRONT if off < 90 else Aspect.REAR
    assert aspect(at, facing, firer) is expected


@settings(deadline=None)
@given(hexes, facings, hexes)
def test_the_arc_is_sixty_degrees_to_each_side(at: Hex, facing: int, target: Hex) -> None:
    if at != target:
        assert in_arc(at, facing, target) is (angle(at, facing, target) <= 60 + 1e-6)


@settings(deadline=None)
@given(hexes, facings, facings)
def test_a_gun_that_bears_on_the_entry_hex_never_bears_on_the_exit(at: Hex, facing: int, entry: int) -> None:
    entry_hex, exit_hex = at.neighbour(entry), at.neighbour((entry + 3) % 6)
    assert not (in_arc(at, facing, entry_hex) and in_arc(at, facing, exit_hex))


def test_columns_after_z() -> None:
    assert str(Hex.named("AA3")) == "AA3"
    assert Hex.named("AA3").column == 26


@pytest.mark.parametrize("bad", ["D0", "4D", "d4", "D", "D4a", ""])
def test_what_is_no_hex(bad: str) -> None:
    with pytest.raises(ValueError, match="is no hex"):
        Hex.named(bad)
