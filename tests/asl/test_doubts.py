"""A figure that is not verified says so wherever it is used."""

from __future__ import annotations

from overrun.analysis.induction import Induction
from overrun.analysis.returns import Returns, came_back
from overrun.kernel import Position
from overrun.rulesets.asl import ruleset
from overrun.rulesets.asl.damage import crew_level
from overrun.rulesets.asl.exposed import Exposure
from overrun.rulesets.asl.state import Crew, Rider
from overrun.rulesets.asl.strike import Aim, Strike
from overrun.rulesets.asl.to_kill import Ammunition, Round
from tests.asl.steps.situations import T34, TRUCK, setup


def test_a_crew_level_of_our_own_is_doubtful_and_one_from_the_file_is_not() -> None:
    assert not crew_level(TRUCK, 7).lines[0].verified
    assert crew_level(TRUCK, 8).lines[0].verified
    assert crew_level(T34, 8).lines[0].verified


def test_the_fp_of_a_dc_beside_the_vehicle_is_doubtful() -> None:
    riders = ((Rider("4-6-7", rider=True), 0),)
    who = Exposure(Crew.GOOD, 8, None, riders)
    shot = Strike(setup(T34), Aim(Round(Ammunition.DC)), None, who, original=7)
    induction = Induction(ruleset.rules, Returns(), back=came_back)
    induction.at(Position("strike.collateral", shot))
    assert "FP of a DC (ASL C7.346)" in induction.watch.doubts
