"""Enemy vehicles in the Location under an OVR: who is exposed, and what becomes of each (fact sheet 2.3, 2.4; A-24)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from overrun.analysis.induction import Induction
from overrun.analysis.returns import Returns, came_back
from overrun.kernel import Call, Chance, Exit, Position
from overrun.rulesets.asl.aboard import Aboard, Escape, crew_checks, escape_dr, fate
from overrun.rulesets.asl.flow import rules
from overrun.rulesets.asl.ift import OnVehicle
from overrun.rulesets.asl.overrun import enemy_vehicles
from overrun.rulesets.asl.run_down import Quarry
from overrun.rulesets.asl.setup import Setup, TargetVehicle
from overrun.rulesets.asl.state import Morale, Prey, Rider
from tests.asl.steps.situations import HALFTRACK, T34, TRUCK, setup, start
from tests.asl.steps.test_vectors import runs

ARMED_TRUCK = replace(TRUCK, key="armed", aamg=4)
VEHICLES = {one.key: one for one in (T34, HALFTRACK, TRUCK, ARMED_TRUCK)}


def quarry(target: TargetVehicle) -> Quarry:
    s = start((), opening={"vehicles": (target,)})
    made: Setup = replace(s.setup, vehicles=VEHICLES)
    node = enemy_vehicles(replace(s, setup=made, fp=16))
    assert isinstance(node, Call)
    return node.sub.quarries[0]


@pytest.mark.parametrize(
    ("target", "vehicle", "crew"),
    [
        # A crew is exposed if CE, or in an open-topped or unarmored vehicle: DRM of the vehicle and of its crew.
        (TargetVehicle("t", "t34"), None, None),
        (TargetVehicle("t", "t34", ce=True), None, 2),
        (TargetVehicle("t", "spw"), None, 2),
        (TargetVehicle("t", "spw", ce=True), None, 2),
        (TargetVehicle("t", "armed"), 0, 0),
        (TargetVehicle("t", "armed", in_motion=True), 2, 2),
        (TargetVehicle("t", "t34", ce=True, in_motion=True), None, 4),
        (TargetVehicle("t", "truck"), 0, None),  # no crew
    ],
)
def test_which_crew_an_overrun_reaches(target, vehicle, crew):
    found = quarry(target)
    assert (found.vehicle_drm, found.crew_drm) == (vehicle, crew)


def here(printed: str, what: OnVehicle, *riders: str, **changes) -> Aboard:
    made = replace(setup(), vehicles=VEHICLES | changes.pop("vehicles", {}))
    prey = Prey(printed, riders=tuple(Rider(rider) for rider in riders), **changes)
    return Aboard(made, prey, what, 16, 7, None, 0)


@pytest.mark.parametrize(
    ("printed", "tally"),
    [
        ("armed", {"prey_eliminated": 1, "prey_crews_lost": 1, "steps_lost": 2}),
        ("truck", {"prey_eliminated": 1, "steps_lost": 2}),  # nobody but its driver
    ],
)
def test_who_dies_in_a_burning_wreck(printed, tally):
    node = fate(here(printed, OnVehicle.BURNING, "4-4-7"))
    assert isinstance(node, Exit)
    assert node.tally == tally


def test_an_immobilized_vehicle_moves_no_more():
    node = fate(here("truck", OnVehicle.IMMOBILIZED, in_motion=True))
    assert isinstance(node, Exit)
    assert (node.state.prey.in_motion, node.state.prey.immobile) == (False, True)


def tallies(begin: Aboard) -> dict[str, Fraction]:
    """Expected counts."""
    found = Induction(rules, Returns(), back=came_back).at(Position(rules.entry_of("aboard"), begin))
    means: dict[str, Fraction] = {}
    for (_, tally), weight in found.weights.items():
        for name, count in tally:
            means[name] = means.get(name, Fraction(0)) + Fraction(weight * count, found.total)
    return means


@pytest.mark.parametrize(("cs", "die"), [(6, Fraction(21, 36)), (4, Fraction(30, 36)), (0, Fraction(1))])
def test_passengers_survive_on_the_cs_number_or_less(cs, die):
    """D5.6; without a CS# no DR is low enough."""
    begin = here("truck", OnVehicle.ELIMINATED, "2-3-7", vehicles={"truck": replace(TRUCK, cs=cs)})
    assert tallies(begin) == {"prey_eliminated": 1, "steps_lost": die}


def test_the_figures_of_a_survival_roll():
    node = escape_dr(Escape(setup(), 6, Rider("4-4-7")))
    assert isinstance(node, Chance)
    assert [(ledger.name, ledger.total) for ledger in node.ledgers] == [("CS#", 6)]


@pytest.mark.parametrize(
    ("original", "drm"), [(9, (("crew ML", 8), ("MC DRM", 1))), (10, (("crew ML", 8), ("MC DRM", 0)))]
)
def test_the_figures_of_a_crew_check(original, drm):
    """16 FP: a Final 9 is a 1MC, a Final 10 a NMC (fact sheet 2.1)."""
    node = crew_checks(replace(here("spw", OnVehicle.NONE, crew_ml=8), original=original, crew_drm=0))
    assert isinstance(node, Chance)
    assert tuple((ledger.name, ledger.total) for ledger in node.ledgers) == drm


def test_passengers_of_an_unhurt_vehicle_stay_aboard_as_the_result_left_them():
    """16 FP, a Final 10 is a NMC: ML 7 pins on 7 and breaks on more, an Original 12 reduces (fact sheet 2.1, 2.2)."""
    begin = replace(here("truck", OnVehicle.NONE, "2-3-7G"), original=10)
    left: dict[Morale | None, Fraction] = {}
    for (_, after), chance in runs("aboard", begin).items():
        morale = after.prey.riders[0].morale if after.prey.riders else None
        left[morale] = left.get(morale, Fraction(0)) + chance
    expected = {Morale.GOOD: 15, Morale.PINNED: 6, Morale.BROKEN: 14, None: 1}
    assert left == {morale: Fraction(ways, 36) for morale, ways in expected.items()}
