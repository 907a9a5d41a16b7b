"""MP and bars: fact sheet 1.1, 1.2, 4.5, E1-E14, ASL-23, -25, -28, -50, -51, -52, -59 (A-01 to A-06, A-22, A-48)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from overrun.rulesets.asl.counters import Movement, Nation
from overrun.rulesets.asl.movement import (
    Entering,
    Standing,
    entry_cost,
    esb_drm,
    esb_most,
    overrun_mp,
    refuse_entry,
    refuse_late_overrun,
    refuse_overrun,
)
from overrun.rulesets.asl.setup import Approach, Entrenchment, Hexside, Location, Terrain, Way

from .counters import ARMORED_CAR, HALFTRACK, TANK, TRUCK

HALF = Fraction(13, 2)
QUARTERS = {8: 2, 9: 3, 12: 3, 13: 4, 16: 4, 17: 5, 20: 5, 21: 6, 24: 6, 25: 7, 28: 7, 29: 8, 32: 8, 33: 9}


@pytest.mark.parametrize(("mp", "quarter"), QUARTERS.items())
def test_quarter_rounds_up(mp, quarter):
    assert overrun_mp(replace(TANK, mp=mp)).value == quarter


def cost(vehicle=TANK, location=None, *, ce=False, rulings, **approach):
    return entry_cost(Entering(vehicle, location or Location(), Approach(**approach), ce), rulings)


CHART = {
    Terrain.OPEN: (1, 1, 4, 3),
    Terrain.BRUSH: (2, 2, 6, 4),
    Terrain.ORCHARD: (1, 1, 4, 3),
    Terrain.GRAIN: (1, 1, 5, 4),
    Terrain.GULLY: (3, 4, 10, 7),
    Terrain.WOODS: (HALF, "all", "all", "all"),
    Terrain.LIGHT_JUNGLE: (HALF, "all", "all", "all"),
    Terrain.DENSE_JUNGLE: (HALF, None, None, None),
    Terrain.BAMBOO: (HALF, None, None, None),
    Terrain.WOODEN_BUILDING: (HALF, None, None, None),
    Terrain.STONE_BUILDING: (HALF, None, None, None),
    Terrain.WOODEN_RUBBLE: (HALF, None, None, None),
    Terrain.STONE_RUBBLE: (HALF, None, None, None),
    Terrain.CRAG: (None, None, None, None),
    Terrain.MARSH: (None, None, None, None),
    Terrain.HUT: (2, 2, None, 4),
    Terrain.COLLAPSED_HUT: (2, 2, 5, 4),
    Terrain.GRAVEYARD: (HALF,),
}


@pytest.mark.parametrize(
    ("terrain", "vehicle", "mp"),
    [
        (terrain, vehicle, mp)
        for terrain, figures in CHART.items()
        for vehicle, mp in zip((TANK, HALFTRACK, TRUCK, ARMORED_CAR), figures, strict=False)
    ],
)
def test_terrain_chart(terrain, vehicle, mp, rulings):
    entering = Entering(vehicle, Location(terrain), Approach())
    if mp is None:
        assert refuse_entry("enter", entering, rulings | {"hut_entry": "any"})
        assert refuse_overrun("overrun", entering, standing(99), rulings)
        assert entry_cost(entering, rulings).everything
        return
    found = entry_cost(entering, rulings)
    assert found.everything == (mp == "all")
    assert found.mp.total == (vehicle.mp if mp == "all" else mp)


@pytest.mark.parametrize(
    ("location", "approach", "mp"),
    [
        (Location(), {"way": Way.ROAD}, 1),
        (Location(Terrain.WOODS, woods_road=True), {"way": Way.WOODS_ROAD}, 1),
        (
            Location(Terrain.WOODS, woods_road=True),
            {"way": Way.ROAD, "extra_mp": (("mud", Fraction(1)),)},
            2,
        ),  # ASL-59
        (Location(Terrain.WOODS), {"way": Way.TRAIL_BREAK}, HALF),
        (Location(), {"hexside": Hexside.WALL}, 2),
        (Location(), {"hexside": Hexside.HEDGE}, 2),
        (Location(), {"hexside": Hexside.BOCAGE}, HALF + 1),
        (Location(), {"hexside": Hexside.BOCAGE, "hexside_breach": True}, 1),
        (Location(wrecks=2), {}, 3),
        (Location(wrecks=1), {"way": Way.ROAD}, 3),
        (Location(Terrain.WOODS, wrecks=1), {}, HALF + 2),
        (Location(smoke=(2, 2)), {}, 2),
        (Location(), {"uphill": 1}, 5),
        (Location(), {"uphill": 2, "way": Way.ROAD}, 5),
        (Location(), {"towing": True}, 2),
        (Location(Terrain.VINEYARD), {"cot": Fraction(2)}, 2),
        (Location(), {"extra_mp": (("VCA change", Fraction(1)),)}, 2),
    ],
)
def test_entry_cost(location, approach, mp, rulings):
    assert cost(location=location, rulings=rulings, **approach).mp.total == mp


def test_ce_and_trucks_by_road(rulings):
    assert cost(ce=True, way=Way.ROAD, rulings=rulings).mp.total == Fraction(1, 2)
    assert cost(TRUCK, way=Way.ROAD, rulings=rulings).mp.total == Fraction(1, 2)


def test_all_mp_by_choice(rulings):
    found = cost(location=Location(Terrain.WOODS), full_mp=True, rulings=rulings)
    assert found.everything
    assert found.mp.total == 13


def test_half_mp_ruling(rulings):
    rounded = rulings | {"half_mp": "round_up"}
    assert cost(location=Location(Terrain.WOODS), rulings=rounded).mp.total == 7
    assert cost(replace(TANK, mp=14), Location(Terrain.WOODS), rulings=rounded).mp.total == 7


def standing(mp=13, **values) -> Standing:
    return Standing(Fraction(mp), **values)


def entering(vehicle=TANK, location=None, *, ce=False, riders=False, **approach) -> Entering:
    return Entering(vehicle, location or Location(), Approach(**approach), ce, riders)


@pytest.mark.parametrize(
    ("vehicle", "terrain", "needed"),
    [
        (replace(TANK, mp=14), Terrain.WOODS, 11),  # E1
        (HALFTRACK, Terrain.OPEN, 5),  # E2
        (TANK, Terrain.OPEN, 5),  # E5
        (replace(TANK, mp=17), Terrain.OPEN, 6),  # E9
        (TRUCK, Terrain.OPEN, 11),  # E10
        (TANK, Terrain.WOODS, Fraction(21, 2)),  # ASL-23, edge case 36
    ],
)
def test_mp_needed(vehicle, terrain, needed, rulings):
    just = entering(vehicle, Location(terrain))
    assert refuse_overrun("overrun", just, standing(needed), rulings) is None
    short = refuse_overrun("overrun", just, standing(needed - Fraction(1, 2)), rulings)
    assert short is not None
    assert short.ledgers[0].total == needed
    assert str(float(needed)).removesuffix(".0") in short.reason


@pytest.mark.parametrize(
    ("arguments", "status", "rule"),
    [
        ({"vehicle": replace(TANK, movement=Movement.WAGON)}, {}, "D7.1"),
        ({"vehicle": replace(TANK, movement=Movement.BICYCLE)}, {}, "D7.1"),
        ({"vehicle": replace(TANK, movement=Movement.MOTORCYCLE)}, {}, "D7.1"),
        ({"vehicle": replace(TANK, movement=Movement.AEROSAN)}, {}, "D7.1"),
        ({}, {"immobile": True}, "D7.1"),
        ({}, {"prep_fired": True}, "D7.1"),
        ({}, {"bounding_fired": True}, "D7.1"),  # ASL-28
        ({}, {"prc_bounding_fired": True}, "D7.1"),
        ({}, {"began_here": True}, "D7.13"),  # ASL-51
        ({}, {"overran_here": True}, "D7.14"),  # ASL-50, edge case 18
        ({"way": Way.REVERSE}, {}, "D7.13"),
        ({"way": Way.BYPASS, "cot": Fraction(2)}, {}, "A12.42"),  # ASL-52
        ({"location": Location(Terrain.LUMBERYARD), "cot": Fraction(1)}, {}, "B23.211"),
        ({"location": Location(entrenchment=Entrenchment.PILLBOX)}, {}, "D7.13"),
        ({"vehicle": TRUCK, "location": Location(Terrain.WOODS)}, {"mp": 28}, "D2.7"),  # ASL-25
    ],
)
def test_bars(arguments, status, rule, rulings):
    refusal = refuse_overrun("overrun", entering(**arguments), standing(**status), rulings)
    assert refusal is not None
    assert refusal.cite.section == rule


@pytest.mark.parametrize(
    ("choice", "arguments", "status", "allowed"),
    [
        ({"prc_bounding_fire_bars": "vehicle_only"}, {}, {"prc_bounding_fired": True}, True),
        ({"aerosan_ovr": "yes"}, {"vehicle": replace(TANK, movement=Movement.AEROSAN)}, {}, True),
        ({"towing_bars_ovr": "no"}, {"towing": True}, {}, True),
        ({"towing_bars_ovr": "yes"}, {"towing": True}, {}, False),
        ({}, {"way": Way.BYPASS, "bypass_target": True, "cot": Fraction(2)}, {}, True),
        ({}, {"vehicle": replace(TRUCK, movement=Movement.SIDECAR)}, {"mp": 28}, True),
    ],
)
def test_rulings_and_exceptions(choice, arguments, status, allowed, rulings):
    refusal = refuse_overrun("overrun", entering(**arguments), standing(**status), rulings | choice)
    assert (refusal is None) == allowed


def test_late_overrun():
    assert refuse_late_overrun("overrun", TANK, standing(4)) is None
    assert refuse_late_overrun("overrun", TANK, standing(Fraction(7, 2))).cite.section == "D7.1"
    assert refuse_late_overrun("overrun", TANK, standing(9, immobile=True)).cite.section == "D7.1"  # edge case 4


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ({"vehicle": HALFTRACK, "location": Location(Terrain.STONE_BUILDING)}, "B23.41"),
        ({"vehicle": TRUCK, "location": Location(Terrain.STONE_BUILDING)}, "B23.41"),
        ({"vehicle": replace(TANK, open_topped=True), "location": Location(Terrain.WOODEN_BUILDING)}, "B23.41"),
        ({"location": Location(Terrain.WOODEN_BUILDING), "ce": True}, "B23.41"),
        ({"location": Location(Terrain.WOODEN_BUILDING), "riders": True}, "B23.41"),
        ({"location": Location(Terrain.HUT), "ce": True}, "G5.4"),
        ({"vehicle": replace(TRUCK, movement=Movement.HALFTRACK), "location": Location(Terrain.HUT)}, "G5.4"),
        ({"vehicle": HALFTRACK, "location": Location(Terrain.DENSE_JUNGLE)}, "G2.21"),
        ({"vehicle": replace(TANK, tankette=True), "location": Location(Terrain.BAMBOO)}, "G2.21"),
        ({"vehicle": replace(TANK, armor=None), "location": Location(Terrain.BAMBOO)}, "G2.21"),
        ({"location": Location(Terrain.BAMBOO), "way": Way.BYPASS}, "G2.2"),
        ({"location": Location(Terrain.WOODS), "riders": True}, "D6.21"),
        ({"location": Location(Terrain.LUMBERYARD)}, "B23.211"),
        ({"location": Location(Terrain.CRAG)}, "D2.1"),
    ],
)
def test_entry_bars(arguments, rule, rulings):
    refusal = refuse_entry("enter", entering(**arguments), rulings)
    assert refusal is not None
    assert refusal.cite.section == rule


@pytest.mark.parametrize(
    "arguments",
    [
        {"location": Location(Terrain.STONE_BUILDING)},
        {"location": Location(Terrain.HUT)},
        {"location": Location(Terrain.STONE_BUILDING), "way": Way.ROAD, "ce": True, "riders": True},
        {"location": Location(Terrain.LUMBERYARD), "way": Way.BYPASS},
        {"location": Location(Terrain.WOODS, woods_road=True), "way": Way.WOODS_ROAD, "riders": True},
        {"vehicle": replace(TANK, tankette=True, bulldozer=True), "location": Location(Terrain.BAMBOO)},
        {"vehicle": HALFTRACK, "location": Location(Terrain.WOODS)},
    ],
)
def test_may_enter(arguments, rulings):
    assert refuse_entry("enter", entering(**arguments), rulings) is None


def test_esb():
    assert esb_most(TANK) == 3
    totals = {nation: esb_drm(replace(TANK, nation=nation), 2).total for nation in Nation}
    assert totals[Nation.AMERICAN] == totals[Nation.USMC] == 2
    assert totals[Nation.RUSSIAN] == totals[Nation.CHINESE_GMD] == totals[Nation.CHINESE_RED] == 3
    assert totals[Nation.BRITISH] == totals[Nation.GERMAN] == 4
    assert totals[Nation.ITALIAN] == totals[Nation.JAPANESE] == 5


def test_no_riders_unless_said(rulings):
    assert refuse_entry("enter", Entering(TANK, Location(Terrain.WOODS), Approach()), rulings) is None
