"""What an attack leaves of those who made it (fact sheet 6.1, 7): counters, shots, concealment, dropped weapons.

Covers A-20, A-21 and A-38.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from overrun.rulesets.asl import marks
from overrun.rulesets.asl.aftermath import Shot, of_fire, of_shot
from overrun.rulesets.asl.damage import OnAFV
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.setup import Concealment, Fired
from overrun.rulesets.asl.state import Act, Arm, Crew, GunPiece, Hull, Means, Morale, Unit, Vehicle
from tests.asl.steps.situations import setup, start

MMG, LMG, PF = Arm("mmg"), Arm("lmg"), Arm("pf")
HERE = setup()
ARMED = Unit("4-6-7", arms=(LMG, MMG), owes=True)
GUN = GunPiece("at", ca_turns=2, ca_fixed=True, acquired=-1)
CREW = Unit("2-2-8", guns=(GUN,), owes=True)


def fired(arms: tuple[Arm, ...]) -> dict[str, Fired]:
    return {arm.printed: arm.fired for arm in arms}


def test_a_unit_that_attacks_loses_its_concealment_and_counts_as_one_revealed():
    hidden = Unit("4-6-7", seen=Concealment.CONCEALED)
    assert marks.shown_by_firing(hidden) == (Unit("4-6-7"), {"revealed": 1})
    assert marks.shown_by_firing(Unit("4-6-7")) == (Unit("4-6-7"), {})


@pytest.mark.parametrize(("before", "after", "expected"), [(1, 0, True), (0, 1, True), (0, 0, False), (1, 1, True)])
def test_a_paatc_passed_or_failed_is_remembered(before, after, expected):
    old = Unit("4-6-7", paatc=bool(before), failed=bool(before))
    now = marks.merged_morale(old, Unit("4-6-7", paatc=bool(after), failed=bool(after)))
    assert now is not None
    assert (now.paatc, now.failed) == (expected, expected)


@pytest.mark.parametrize(
    ("was", "cowered", "mark"),
    [
        (Fired.UNMARKED, False, Fired.FIRST),
        (Fired.UNMARKED, True, Fired.FINAL),  # A7.9: who cowers is marked Final Fire
        (Fired.FIRST, False, Fired.FINAL),  # SFF
        (Fired.FIRST, True, Fired.FINAL),
        (Fired.FINAL, False, Fired.FINAL),  # FPF
    ],
)
def test_small_arms_mark_the_unit_and_the_mg_that_fired(was, cowered, mark):
    unit = replace(ARMED, fired=was)
    after = marks.after_ift(HERE, unit, cowered=cowered, malfunction=False)
    assert (after.fired, after.shots, after.owes) == (mark, 1, False)
    # A squad's first fire adds one MG, the better one; in SFF and FPF all of them fire.
    assert fired(after.arms) == {"mmg": mark, "lmg": mark if was is not Fired.UNMARKED else Fired.UNMARKED}


@pytest.mark.parametrize(
    ("was", "mark"), [(Fired.UNMARKED, Fired.FIRST), (Fired.FIRST, Fired.FINAL), (Fired.FINAL, Fired.FINAL)]
)
def test_a_leader_who_directs_is_marked_as_the_units_are(was, mark):
    after = marks.after_directing(Unit("8-1", fired=was, shots=1, owes=True))
    assert (after.fired, after.shots, after.owes) == (mark, 2, False)


def weapon_fired(unit: Unit, arm: Arm, **how: bool) -> Unit:
    shot = {"found": True, "again": False, "malfunction": False} | how
    return marks.after_weapon(HERE, unit, Act(Means.LATW, (unit,), None, arm), **shot)


def test_a_sw_shot_counts_once_and_marks_the_sw_unless_it_kept_its_rof():
    once = weapon_fired(ARMED, MMG)
    assert (once.shots, once.uses, once.owes, once.fired) == (1, 1, False, Fired.UNMARKED)
    assert fired(once.arms) == {"lmg": Fired.UNMARKED, "mmg": Fired.FIRST}
    again = weapon_fired(ARMED, MMG, again=True)
    assert (again.shots, again.uses, again.fired) == (1, 0, Fired.UNMARKED)
    assert fired(again.arms) == {"lmg": Fired.UNMARKED, "mmg": Fired.UNMARKED}


def test_a_squad_is_marked_with_its_second_sw_and_a_half_squad_with_its_first():
    assert weapon_fired(replace(ARMED, uses=1), MMG).fired is Fired.FIRST
    half = Unit("2-4-7", arms=(MMG,))
    assert weapon_fired(half, MMG).fired is Fired.FIRST


def test_who_finds_no_panzerfaust_has_used_no_sw_and_may_not_look_for_it_again():
    unit = Unit("4-6-7", arms=(LMG, PF))
    after = weapon_fired(unit, PF, found=False)
    assert fired(after.arms) == {"lmg": Fired.UNMARKED, "pf": Fired.NO_FIRE}
    assert (after.fired, after.uses, after.shots) == (Fired.UNMARKED, 0, 0)


@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("malfunction", [False, True])
def test_a_gun_shot_turns_its_ca_and_marks_it(broken, malfunction):
    unit = replace(CREW, guns=(replace(GUN, malfunctioned=broken),))
    after = marks.after_gun(Stage.NONE, unit, unit.guns[0], again=False, malfunction=malfunction)
    (gun,) = after.guns
    assert (after.fired, after.shots, after.owes) == (Fired.FIRST, 1, False)
    assert (gun.fired, gun.ca_turns, gun.ca_fixed, gun.acquired) == (Fired.FIRST, 0, False, 0)
    assert gun.malfunctioned is (broken or malfunction)


@pytest.mark.parametrize(
    ("had", "survives", "has"), [(False, True, True), (False, False, False), (True, False, True), (True, True, True)]
)
def test_cc_leaves_a_cc_counter_if_the_vehicle_lives(had, survives, has):
    after = marks.after_close(HERE, replace(ARMED, cc=had), survives=survives)
    assert (after.cc, after.shots, after.owes, after.fired) == (has, 1, False, Fired.FIRST)
    assert fired(after.arms) == {"lmg": Fired.FIRST, "mmg": Fired.FIRST}


def test_a_crew_that_abandons_its_immobilized_vehicle_survives():
    vehicle, tally = marks.hit(Vehicle(), OnAFV.IMMOBILIZED, abandons=True)
    assert (vehicle.hull, vehicle.crew) == (Hull.IMMOBILIZED, Crew.GONE)
    assert tally == {"vehicle_immobilized": 1, "vehicle_abandoned": 1, "crew_survived": 1}


# ------------------------------------------------------------------ all who took part


def test_small_arms_leave_every_firer_and_the_leader_who_directed():
    squad, leader, other = Unit("4-6-7"), Unit("8-1", seen=Concealment.CONCEALED), Unit("2-4-7")
    after = of_fire(HERE, Act(Means.IFT, (squad,), leader), (), cowered=False, malfunction=False)
    s = start(("4-6-7", "8-1", "2-4-7")).with_units((squad, leader, other))
    shot = {"fired": Fired.FIRST, "shots": 1}
    assert after.units_of(s) == tuple(sorted((replace(squad, **shot), Unit("8-1", **shot), other)))
    assert after.tally == {"revealed": 1}


def test_fpf_eliminates_and_breaks_its_firers():
    first, second = Unit("4-6-7", fired=Fired.FINAL), Unit("2-4-7", fired=Fired.FINAL)
    checked = (None, Unit("2-4-7", Morale.BROKEN))
    after = of_fire(HERE, Act(Means.IFT, (first, second)), checked, cowered=False, malfunction=False)
    assert after.units_of(start(()).with_units((first, second))) == (
        Unit("2-4-7", Morale.BROKEN, fired=Fired.FINAL, shots=1),
    )


def test_an_eliminated_firer_drops_its_sw_and_its_gun_but_no_panzerfaust():
    unit = Unit("4-6-7", arms=(replace(MMG, fired=Fired.FIRST), PF), guns=(GunPiece("at"),))
    lost = of_shot(HERE, Stage.BEFORE, Act(Means.LATW, (unit,), None, PF), None, Shot(True, False, False))
    there = replace(start(()), units=(unit,), loose=(LMG,))
    assert lost.units_of(there) == ()
    assert sorted(lost.loose_of(there), key=repr) == sorted((LMG, MMG, GunPiece("at")), key=repr)


def test_who_shoots_and_lives_drops_nothing():
    unit = Unit("4-6-7", arms=(PF,))
    shot = of_shot(HERE, Stage.BEFORE, Act(Means.LATW, (unit,), None, PF), unit, Shot(True, False, False))
    there = replace(start(()), units=(unit,), loose=(LMG,))
    assert shot.loose_of(there) == (LMG,)
