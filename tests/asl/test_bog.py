"""Bog, rubble, cellar, hut, Trail Break: fact sheet 4 and 12, ASL-23 (A-13 to A-17)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from overrun.rulesets.asl.bog import (
    BuildingFall,
    bog_drm,
    bog_due,
    bogs,
    breaks_trail,
    building_fall,
    enters_building,
    hut_collapses,
)
from overrun.rulesets.asl.counters import GroundPressure, Movement
from overrun.rulesets.asl.movement import Entering
from overrun.rulesets.asl.setup import Approach, Ground, Hexside, Location, Terrain, Way

from .counters import ARMORED_CAR, HALFTRACK, TANK, TRUCK

LIGHT = replace(TANK, ground_pressure=GroundPressure.LOW)
HEAVY = replace(TANK, ground_pressure=GroundPressure.HIGH)
STONE = Location(Terrain.STONE_BUILDING)
WOODEN = Location(Terrain.WOODEN_BUILDING)


def entering(vehicle=TANK, location=None, **approach) -> Entering:
    return Entering(vehicle, location or Location(), Approach(**approach))


@pytest.mark.parametrize(
    ("vehicle", "location", "approach", "drm"),
    [
        (LIGHT, Location(), {}, 0),
        (TANK, Location(), {}, 1),
        (HEAVY, Location(), {}, 2),
        (TANK, Location(), {"towing": True}, 2),
        (TANK, Location(ground=Ground.SOFT), {}, 2),
        (TANK, Location(ground=Ground.MUD), {}, 2),
        (TANK, Location(ground=Ground.SNOW), {}, 2),
        (TANK, Location(ground=Ground.DEEP_SNOW), {}, 2),
        (HALFTRACK, Location(), {}, 2),
        (ARMORED_CAR, Location(), {}, 2),
        (TRUCK, Location(), {}, 3),
        (TANK, Location(), {"abrupt_elevation": True}, 2),
        (TANK, Location(), {"from_deep_stream": True}, 2),
        (TANK, Location(), {"from_deep_stream": True, "amphibious": True}, 1),
        (TANK, Location(), {"uphill": 1}, 1),
        (TANK, Location(Terrain.WOODS), {"uphill": 1}, 5),
        (TANK, Location(debris=True), {}, 2),
        (TANK, Location(wire=True), {}, 3),
        (TANK, Location(Terrain.WOODS), {}, 4),  # ASL-23
        (TANK, Location(Terrain.WOODS), {"full_mp": True}, 1),
        (TANK, Location(Terrain.WOODS), {"way": Way.ROAD}, 1),
        (HALFTRACK, Location(Terrain.WOODS), {}, 2),
        (TANK, Location(Terrain.GRAVEYARD), {}, 4),
        (TANK, Location(Terrain.GRAVEYARD), {"full_mp": True}, 4),
        (TANK, WOODEN, {}, 4),
        (TANK, Location(Terrain.WOODEN_RUBBLE), {}, 4),
        (TANK, Location(Terrain.STONE_RUBBLE), {}, 4),
        (TANK, STONE, {}, 5),  # E14
        (TANK, STONE, {"inside_factory": True}, 2),
        (TANK, Location(Terrain.LIGHT_JUNGLE), {}, 4),
        (TANK, Location(Terrain.DENSE_JUNGLE), {}, 6),
        (TANK, Location(Terrain.BAMBOO), {}, 6),
        (replace(TANK, bulldozer=True), Location(Terrain.BAMBOO), {}, 4),
        (TANK, Location(), {"extra_bog": (("drift", 1),)}, 2),
    ],
)
def test_bog_drm(vehicle, location, approach, drm):
    assert bog_drm(entering(vehicle, location, **approach)).total == drm


@pytest.mark.parametrize(
    ("vehicle", "location", "approach", "due"),
    [
        (TANK, Location(), {}, False),
        (TANK, Location(Terrain.WOODS), {}, True),
        (TANK, Location(Terrain.WOODS), {"way": Way.TRAIL_BREAK}, False),
        (TANK, Location(Terrain.WOODS), {"way": Way.BYPASS}, False),
        (TANK, Location(Terrain.WOODS), {"way": Way.WOODS_ROAD}, False),
        (TANK, STONE, {}, True),
        (TANK, Location(Terrain.STONE_RUBBLE), {}, True),
        (TANK, Location(Terrain.GRAVEYARD), {}, True),
        (TANK, Location(), {"hexside": Hexside.BOCAGE}, True),
        (TANK, Location(), {"hexside": Hexside.BOCAGE, "hexside_breach": True}, False),
        (TANK, Location(), {"hexside": Hexside.WALL}, False),
        (TANK, Location(ground=Ground.MUD), {}, True),
        (TANK, Location(ground=Ground.MUD), {"way": Way.ROAD}, False),
        (TANK, Location(ground=Ground.DEEP_SNOW), {}, True),
        (TANK, Location(ground=Ground.SOFT), {}, False),
        (TANK, Location(debris=True), {}, True),
        (TANK, Location(wire=True), {}, True),
        (TANK, Location(Terrain.COLLAPSED_HUT), {}, False),
        (TRUCK, Location(Terrain.COLLAPSED_HUT), {}, True),
        (TANK, Location(), {"bog": True}, True),
        (TANK, Location(Terrain.WOODS), {"bog": False}, False),
        (replace(TRUCK, movement=Movement.SIDECAR), Location(Terrain.WOODS), {}, False),
        (replace(TRUCK, movement=Movement.AEROSAN), Location(Terrain.WOODS), {"bog": True}, False),
    ],
)
def test_bog_due(vehicle, location, approach, due):
    assert bog_due(entering(vehicle, location, **approach)) == due


def chance(location) -> Fraction:
    drm = bog_drm(entering(TANK, location)).total
    return Fraction(sum(6 - abs(dr - 7) for dr in range(2, 13) if bogs(dr + drm)), 36)


def test_bog_odds_of_the_fact_sheet():
    assert chance(STONE) == Fraction(21, 36)
    assert chance(WOODEN) == Fraction(15, 36)
    assert [bogs(final) for final in (11, 12, 13)] == [False, True, True]


@pytest.mark.parametrize(
    ("location", "rubbles"),
    [
        (STONE, set()),
        (WOODEN, {1}),
        (replace(WOODEN, single_story=True), {1, 2}),
        (replace(STONE, single_story=True), {1}),
    ],
)
def test_building_fall(location, rubbles):
    falls = {dr: building_fall(dr, location)[0] for dr in range(1, 7)}
    assert {dr for dr, fall in falls.items() if fall is BuildingFall.RUBBLE} == rubbles
    assert {dr for dr, fall in falls.items() if fall is BuildingFall.CELLAR} == {6}


def test_no_cellar_no_fall():
    assert building_fall(6, replace(STONE, cellar=False))[0] is BuildingFall.NONE


def test_only_the_obstacle_itself_is_entered():
    assert enters_building(entering(TANK, STONE))
    assert not enters_building(entering(TANK, STONE, way=Way.BYPASS))
    assert not enters_building(entering(TANK, Location(Terrain.STONE_RUBBLE)))


def test_huts(rulings):
    hut = Location(Terrain.HUT)
    assert hut_collapses(entering(TANK, hut), rulings)
    assert not hut_collapses(entering(TRUCK, hut), rulings)
    assert not hut_collapses(entering(TANK, hut, way=Way.BYPASS), rulings)
    assert not hut_collapses(entering(TANK, Location(Terrain.COLLAPSED_HUT)), rulings)
    assert not hut_collapses(entering(TANK, hut), rulings | {"hut_collapse": "no"})


@pytest.mark.parametrize(
    ("terrain", "places"),
    [
        (Terrain.WOODS, True),
        (Terrain.FOREST, True),
        (Terrain.LIGHT_JUNGLE, True),
        (Terrain.DENSE_JUNGLE, True),
        (Terrain.BAMBOO, True),
        (Terrain.ORCHARD, False),
    ],
)
def test_trail_break(terrain, places):
    assert breaks_trail(TANK, Location(terrain), Way.TERRAIN, mobile=True) == places


def test_no_trail_break():
    woods = Location(Terrain.WOODS)
    assert not breaks_trail(TANK, woods, Way.TERRAIN, mobile=False)
    for way in (Way.ROAD, Way.WOODS_ROAD, Way.TRAIL_BREAK, Way.BYPASS):
        assert not breaks_trail(TANK, woods, way, mobile=True)
    assert not breaks_trail(HALFTRACK, woods, Way.TERRAIN, mobile=True)
    assert not breaks_trail(replace(TANK, armor=None), woods, Way.TERRAIN, mobile=True)
