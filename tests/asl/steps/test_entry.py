"""Declaring, entering, concealed units and the ground, step by step (fact sheet 1.2, 1.7, 3, 4).

Covers A-11 to A-17, A-21 and A-22: MP, ESB, second chance, combined PAATC, Bog, rubble, cellar, Trail Break.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from overrun.kernel import Chance, Decision, Exit, changed
from overrun.rulesets.asl.concealment_check import combined_paatc, reveal_or_test, vehicle_broken
from overrun.rulesets.asl.counters import UnitClass
from overrun.rulesets.asl.declare import approach
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.entry import enter, second_chance
from overrun.rulesets.asl.lean import lean_unit
from overrun.rulesets.asl.moment import moment
from overrun.rulesets.asl.options import unit_id
from overrun.rulesets.asl.setup import Approach, Concealment, Location, RiderOpening, Terrain, UnitOpening
from overrun.rulesets.asl.state import Arm, Crew, Hull, Morale, Prey, State
from overrun.rulesets.asl.terrain_effects import bog_check, cellar, hut, rubble, trail
from tests.asl.steps.situations import start

HIDDEN = Concealment.CONCEALED
WOODS = Location(Terrain.WOODS)
HOUSE = Location(Terrain.WOODEN_BUILDING, single_story=True)


def with_mp(mp: int | Fraction, *units: UnitOpening | str, **more: Any) -> State:
    return changed(start(units or ("4-4-7",), **more), mp=Fraction(mp))


def offered(node: Any) -> dict[str, Exit]:
    assert isinstance(node, Decision)
    return {option.name: option for option in node.options}


# ------------------------------------------------------------------ declaring


@pytest.mark.parametrize(
    ("mp", "location", "way", "enters"),
    [
        (1, Location(), {}, True),  # COT 1: exactly what is left
        (0, Location(), {}, False),
        (Fraction(13, 2), WOODS, {}, True),  # half of 13
        (6, WOODS, {}, False),
        (13, WOODS, {"full_mp": True}, True),
        (12, WOODS, {"full_mp": True}, False),
        (13, Location(Terrain.WOODS, smoke=(2,)), {"full_mp": True}, True),  # all MP, and one more for SMOKE
        (13, Location(), {"uphill": 4}, False),  # 17 MP
    ],
)
def test_which_entry_the_mp_left_pay_for(mp, location, way, enters):
    """D2.1: entry costs its MP; an entry that takes all MP needs the whole allotment (D2.7)."""
    assert ("enter" in offered(approach(with_mp(mp, location=location, approach=Approach(**way))))) is enters


def test_an_overrun_on_excessive_speed_gains_just_the_mp_that_are_missing():
    """Fact sheet 1.2: 13 MP, entry 1 + OVR 4; with 3 left, 2 are gained by ESB (at most floor(13 / 4) = 3)."""
    options = offered(approach(with_mp(3)))
    assert "overrun" not in options
    after = options["overrun_esb"].state
    assert (after.mp, after.esb) == (5, 2)
    assert "overrun_esb" not in offered(approach(with_mp(1)))


# ------------------------------------------------------------------ entering


def test_what_entry_leaves():
    after = enter(with_mp(13, location=WOODS, approach=Approach(full_mp=True))).state
    assert (after.mp, after.spent) == (0, 13)
    after = enter(with_mp(13)).state
    assert (after.mp, after.spent) == (12, 1)


def test_the_second_chance_costs_the_quarter():
    """A12.41: a new expenditure of ceil(13 / 4) = 4 MP; only where something is left to overrun."""
    s = changed(with_mp(12, UnitOpening("a", "4-4-7", HIDDEN)), spent=1)
    after = offered(second_chance(s))["overrun"].state
    assert (after.mp, after.spent, after.stage) == (8, 5, Stage.BEFORE)
    nobody = changed(s, units=())
    assert second_chance(nobody).name == "barred"
    assert "overrun" in offered(second_chance(changed(nobody, loose=(Arm("lmg"),))))
    assert "overrun" in offered(second_chance(changed(nobody, prey=(Prey("truck"),))))


@pytest.mark.parametrize(("left", "may"), [(4, True), (3, False), (0, False)])
def test_the_second_chance_needs_the_quarter_alone(left, may):
    """The entry is paid already; with 4 MP left the OVR is affordable, with less the reason names the 4."""
    node = second_chance(changed(with_mp(left, UnitOpening("a", "4-4-7", HIDDEN)), spent=9))
    assert ("overrun" in offered(node)) is may
    if not may:
        (refused,) = node.refused
        assert [ledger.total for ledger in refused.ledgers] == [4]


# ------------------------------------------------------------------ concealed units


def test_revealing_by_choice_pins_nobody():
    """A12.41: only a failed PAATC pins."""
    s = with_mp(13, UnitOpening("a", "4-4-7", HIDDEN), UnitOpening("b", "2-3-7", HIDDEN))
    node = reveal_or_test(s)
    assert [option.name for option in node.options] == ["reveal", "reveal", "reveal_all", "paatc"]
    after = offered(node)["reveal_all"]
    assert [(unit.known, unit.morale, unit.failed) for unit in after.state.units] == [(True, Morale.GOOD, False)] * 2
    assert after.tally == {"revealed": 2}


def test_one_concealed_unit_is_asked_once():
    node = reveal_or_test(with_mp(13, UnitOpening("a", "4-4-7", HIDDEN)))
    assert [option.name for option in node.options] == ["reveal_all", "paatc"]


@pytest.mark.parametrize(("dr", "passed"), [(6, True), (7, False)])
def test_a_combined_paatc_of_conscripts(dr, passed):
    """ML 6 and 7: the lowest, and 1PAATC for the Inexperienced, less a leader's -1: 6 or less passes."""
    s = with_mp(13, UnitOpening("a", "4-4-7", HIDDEN), UnitOpening("b", "4-2-6", HIDDEN), "8-1R")
    node = combined_paatc(s)
    assert isinstance(node, Chance)
    came = node.then(dr)
    tested = [unit for unit in came.state.units if unit.printed != "8-1R"]
    assert came.name == ("passed" if passed else "failed")
    for unit in tested:
        assert (unit.paatc, unit.failed, unit.known, unit.pinned) == (passed, not passed, not passed, not passed)


@pytest.mark.parametrize(("dr", "passed"), [(6, True), (7, False)])
def test_a_1paatc_adds_one(dr, passed):
    """A Green squad of ML 7 without a leader is Inexperienced, so it passes on 6 or less."""
    s = with_mp(13, UnitOpening("a", "4-4-7", HIDDEN))
    green = replace(s.setup.printed["4-4-7"], unit_class=UnitClass.GREEN)
    s = changed(s, setup=replace(s.setup, printed={**s.setup.printed, "4-4-7": green}))
    assert (combined_paatc(s).then(dr).name == "passed") is passed


@pytest.mark.parametrize(
    ("crew", "riders", "broken"),
    [
        (Crew.GOOD, (), False),
        (Crew.GONE, (), True),
        (Crew.GONE, (RiderOpening("r", "4-6-7", rider=True),), False),
        (Crew.STUNNED, (), False),
    ],
)
def test_a_vehicle_with_nobody_aboard_is_broken(crew, riders, broken):
    """A12.1."""
    s = start(("4-4-7",), opening={"vehicle": {"riders": riders}})
    assert vehicle_broken(changed(s, vehicle=changed(s.vehicle, crew=crew))) is broken


# ------------------------------------------------------------------ the ground


def entered(location: Location, stage: Stage = Stage.BEFORE, **rulings: str) -> State:
    s = start(("4-4-7",), location=location, rulings=rulings)
    return changed(s, stage=stage, fp=Fraction(16), mp=Fraction(2), spent=11)


@pytest.mark.parametrize(
    ("stage", "ruling", "fp", "after"),
    [
        (Stage.BEFORE, "halved", 16, Stage.BEFORE),
        (Stage.BEFORE, "lost", 0, Stage.NONE),
        (Stage.NONE, "lost", 16, Stage.NONE),
    ],
)
def test_what_becomes_of_a_declared_overrun_in_a_cellar_and_in_a_bog(stage, ruling, fp, after):
    """Rulings cellar_ovr and bogged_ovr: the OVR is halved later, or lost."""
    fell = cellar(entered(HOUSE, stage, cellar_ovr=ruling))
    assert (fell.state.fp, fell.state.stage, fell.state.vehicle.hull) == (fp, after, Hull.LEFT)
    assert fell.tally == {"vehicle_eliminated": 1}
    bogged = bog_check(entered(WOODS, stage, bogged_ovr=ruling)).then(12)
    assert (bogged.state.fp, bogged.state.stage, bogged.state.vehicle.hull) == (fp, after, Hull.BOGGED)
    assert (bogged.state.mp, bogged.tally) == (0, {"vehicle_bogged": 1})


@pytest.mark.parametrize(
    ("dr", "colored", "exit"),
    [
        (3, 2, "rubble"),
        (12, 6, "cellar"),
        (8, 2, "rubble_and_bogged"),
        (8, 3, "bogged"),
        (7, 3, "clear"),
        (7, 2, "rubble"),
    ],
)
def test_one_dr_for_bog_rubble_and_cellar(dr, colored, exit):
    """B23.41: +3 wooden building, +1 ground pressure: Bog on 8; colored 2 or less rubbles a Single Story House."""
    assert bog_check(entered(HOUSE)).then((dr, colored)).name == exit


def test_the_ground_keeps_what_happened_before():
    """A second entry of the MPh finds the ground as the first left it."""
    jungle = changed(entered(WOODS), ground=("sangar_removed",))
    assert trail(jungle).state.ground == ("sangar_removed", "partial_trail_break")
    house = changed(entered(HOUSE), ground=("sangar_removed",))
    assert rubble(house).state.ground == ("sangar_removed", "rubbled")
    village = changed(entered(Location(Terrain.HUT)), ground=("sangar_removed",))
    assert hut(village).state.ground == ("sangar_removed", "hut_collapsed")


# ------------------------------------------------------------------ names of options


def test_units_of_one_counter_are_told_apart():
    """Equal units share one name; units that differ in what nobody sees are numbered; spent ones say so."""
    s = changed(start(("4-4-7", "4-4-7", "2-3-7")), stage=Stage.NONE, spent=4)
    m = moment(s)
    first, second, other = (unit for unit in sorted(s.units, key=lambda unit: unit.printed != "4-4-7"))
    tried = changed(second, shots=1)
    assert unit_id(m, (first, second, other), first) == "4-4-7"
    assert unit_id(m, (first, tried, other), other) == "2-3-7"
    assert [unit_id(m, (first, tried, other), unit) for unit in (first, tried)] == ["4-4-7/1", "4-4-7/2"]
    assert unit_id(m, (first, changed(tried, morale=Morale.PINNED)), first) == "4-4-7"
    after = moment(changed(s, stage=Stage.AFTER))
    done = changed(second, failed=True)
    assert lean_unit(after, done) is None
    assert [unit_id(after, (first, done, other), unit) for unit in (first, done)] == ["4-4-7", "4-4-7/spent"]
