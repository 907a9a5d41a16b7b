"""PAATC: fact sheet 3, ASL-53 (A-07 to A-12, A-23b)."""

from fractions import Fraction

import pytest

from overrun.rulesets.asl.concealment import exempt, no_paatc, paatc, takes_1paatc
from overrun.rulesets.asl.counters import Nation, UnitClass, UnitKind
from overrun.rulesets.asl.morale import LeaderNear, Nerve, passes
from overrun.rulesets.asl.setup import Approach, Location, Terrain, Way

from .counters import unit

DATE = (1944, 6)


@pytest.mark.parametrize(
    ("way", "location", "broken", "rule"),
    [
        (Way.TERRAIN, Location(), False, None),
        (Way.TERRAIN, Location(Terrain.WOODS, woods_road=True), False, None),
        (Way.ROAD, Location(), False, None),
        (Way.WOODS_ROAD, Location(Terrain.WOODS), False, "A12.41"),
        (Way.ROAD, Location(Terrain.WOODS, woods_road=True), False, "A12.41"),
        (Way.BYPASS, Location(), False, "A12.42"),
        (Way.TERRAIN, Location(), True, "A12.1"),  # edge case 34
    ],
)
def test_no_paatc(way, location, broken, rule):
    refusal = no_paatc(location, Approach(way=way), vehicle_broken=broken)
    assert (refusal and refusal.cite.section) == rule


def test_exempt(rulings):
    assert exempt(Nerve(unit()), rulings) is None
    assert exempt(Nerve(unit(UnitKind.LEADER, UnitClass.SMC)), rulings) == "SMC"
    assert exempt(Nerve(unit(), fanatic=True), rulings) == "Fanatic"
    assert exempt(Nerve(unit(), berserk=True), rulings) == "Berserk"
    japanese = Nerve(unit(nation=Nation.JAPANESE))
    assert exempt(japanese, rulings) == "Japanese"
    assert exempt(japanese, rulings | {"ha_reading": "ignore"}) is None


@pytest.mark.parametrize(
    ("nation", "unit_class", "troop", "hard"),
    [
        (Nation.GERMAN, UnitClass.FIRST_LINE, "", False),
        (Nation.GERMAN, UnitClass.CONSCRIPT, "", True),
        (Nation.GERMAN, UnitClass.GREEN, "", True),
        (Nation.ITALIAN, UnitClass.FIRST_LINE, "", True),
        (Nation.ITALIAN, UnitClass.FIRST_LINE, "eritrean", False),
        (Nation.ITALIAN, UnitClass.ELITE, "", False),
        (Nation.ITALIAN, UnitClass.CREW, "", False),
        (Nation.AXIS_MINOR, UnitClass.FIRST_LINE, "", True),
        (Nation.AXIS_MINOR, UnitClass.ELITE, "", False),
        (Nation.AXIS_MINOR, UnitClass.FIRST_LINE, "romanian", False),
        (Nation.AXIS_MINOR, UnitClass.CONSCRIPT, "romanian", True),
        (Nation.ALLIED_MINOR, UnitClass.FIRST_LINE, "", True),
        (Nation.ALLIED_MINOR, UnitClass.ELITE, "", False),
        (Nation.CHINESE_GMD, UnitClass.FIRST_LINE, "", True),
        (Nation.CHINESE_GMD, UnitClass.CONSCRIPT, "", True),
        (Nation.CHINESE_GMD, UnitClass.ELITE, "", False),
        (Nation.CHINESE_RED, UnitClass.FIRST_LINE, "", False),
    ],
)
def test_1paatc(nation, unit_class, troop, hard, rulings):
    counter = unit(nation=nation, unit_class=unit_class, troop=troop)
    assert bool(takes_1paatc(counter, leader_present=False, date=DATE, rulings=rulings)) == hard


def test_1paatc_dates_leaders_and_rulings(rulings):
    romanian = unit(nation=Nation.AXIS_MINOR, troop="romanian")
    for date, hard in [((1943, 6), True), ((1943, 7), False), ((1942, 12), True), ((1944, 1), False)]:
        assert bool(takes_1paatc(romanian, leader_present=False, date=date, rulings=rulings)) == hard
    green = unit(unit_class=UnitClass.GREEN)
    assert not takes_1paatc(green, leader_present=True, date=DATE, rulings=rulings)
    elite = unit(nation=Nation.ALLIED_MINOR, unit_class=UnitClass.ELITE)
    assert takes_1paatc(elite, leader_present=False, date=DATE, rulings=rulings | {"minors_paatc": "as_printed"})
    dummy = unit(UnitKind.DUMMY, UnitClass.CONSCRIPT)
    assert not takes_1paatc(dummy, leader_present=False, date=DATE, rulings=rulings)


def chance(members, leaders, rulings) -> Fraction:
    level, drm = paatc(members, leaders, date=DATE, rulings=rulings)
    good = sum(6 - abs(dr - 7) for dr in range(2, 13) if passes(dr, drm.total, level.total))
    return Fraction(good, 36)


def test_paatc_odds_of_the_fact_sheet(rulings):
    seven, eight = Nerve(unit()), Nerve(unit(ml=8))
    conscript = Nerve(unit(unit_class=UnitClass.CONSCRIPT))
    assert chance([seven], [], rulings) == Fraction(21, 36)
    assert chance([conscript], [], rulings) == Fraction(15, 36)
    assert chance([eight], [LeaderNear(9, -1)], rulings) == Fraction(30, 36)


def test_combined_paatc(rulings):
    eight, conscript = Nerve(unit(ml=8)), Nerve(unit(unit_class=UnitClass.CONSCRIPT, ml=6))
    dummy = Nerve(unit(UnitKind.DUMMY, UnitClass.SMC, ml=5))
    level, drm = paatc([eight, conscript], [], date=DATE, rulings=rulings)
    assert (level.total, drm.total) == (6, 1)
    level, drm = paatc([eight, dummy], [LeaderNear(9, -2), LeaderNear(8, -1)], date=DATE, rulings=rulings)
    assert (level.total, drm.total) == (7, -2)
