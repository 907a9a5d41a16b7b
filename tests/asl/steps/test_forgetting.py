"""What analysis forgets of a state at each step, and what it keeps: states that differ in nothing read are one.

Conformance proves that nothing is forgotten which is read; here stands that what nobody reads is forgotten.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from overrun.kernel import changed
from overrun.rulesets.asl.counters import Movement
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import Mode
from overrun.rulesets.asl.live import live
from overrun.rulesets.asl.setup import Approach, Concealment, Entrenchment, Fired, Location, Motion, Terrain, Way
from overrun.rulesets.asl.state import (
    Act,
    Arm,
    Crew,
    GunPiece,
    Hull,
    Means,
    Morale,
    Prey,
    Rider,
    State,
    Trait,
    Unit,
    Vehicle,
)
from tests.asl.steps.situations import BLITZ, HALFTRACK, T34, start

SQUAD, LEADER = Unit("4-4-7", shots=1), Unit("8-1R", shots=1)
MMG, GUN = Arm("mmg", Fired.FIRST), GunPiece("at", Fired.FINAL)
ADJACENT = Trait.STREET_FIGHTING
TRUCK = Prey("truck")
SIDECAR = replace(BLITZ, movement=Movement.SIDECAR)


def after(*units: Unit, vehicle: Any = T34, **more: Any) -> State:
    """The overrun is over, and nobody has reacted yet."""
    document = {name: more.pop(name) for name in list(more) if name in SETUP}
    begun = start((), vehicle=vehicle, guns=True, **document)
    return replace(begun, **{"units": units, "stage": Stage.AFTER, "spent": 3, "overruns": 1, "mp": 5, **more})


SETUP = {"location", "approach", "heat_of_battle", "opening", "pf_shots", "rulings"}


def same(step: str, one: State, **change: Any) -> bool:
    """Are the state and the changed one the same to what follows?"""
    return live(step, one) == live(step, replace(one, **change))


def hull(**change: Any) -> Vehicle:
    return Vehicle(**change)


# ---------------------------------------------------------------------- the end


@pytest.mark.parametrize("step", ["left", "stayed", "vehicle_lost", "stays_out"])
def test_at_the_end_nothing_is_read(step: str) -> None:
    s = after(SQUAD, LEADER, vehicle=T34)
    assert same(step, s, vehicle=Vehicle(Hull.BURNING), units=(), loose=(MMG,), mp=0, overruns=2, ground=("x",), pf=1)
    assert live(step, s).setup is s.setup


def test_where_the_vehicle_goes_only_the_ground_is_read() -> None:
    s = after(SQUAD, ground=("rubble",))
    assert same("goes", s, vehicle=Vehicle(Hull.BOGGED), units=(), loose=(MMG,), mp=0, overruns=2)
    assert not same("goes", s, ground=())
    assert live("goes", s).ground == ("rubble",)


# ---------------------------------------------------------------------- the vehicle is lost


def test_of_a_wreck_its_crew_and_riders_are_read() -> None:
    s = after(SQUAD, vehicle=T34, loose=(MMG,))
    s = replace(s, vehicle=Vehicle(Hull.BURNING, Crew.SHOCKED, prc=(Rider("4-6-7"),)))
    gone = "after.wrecked"
    assert live(gone, s).vehicle == s.vehicle
    assert same(gone, s, units=(), loose=(), mp=0, pf=2, ground=("rubble",), overruns=4)
    assert same(gone, s, vehicle=changed(s.vehicle, ce=True, disabled=("MA",), motion=Motion.STOPPED))
    for other in ({"hull": Hull.ELIMINATED}, {"crew": Crew.GOOD}, {"prc": ()}):
        assert not same(gone, s, vehicle=changed(s.vehicle, **other))
    assert live(gone, s).overruns == 1


@pytest.mark.parametrize("step", ["after.choose", "reactions", "leave", "stay"])
def test_a_lost_vehicle_ends_what_is_read(step: str) -> None:
    s = replace(after(SQUAD, LEADER, loose=(MMG,)), vehicle=Vehicle(Hull.BURNING, Crew.GONE))
    assert same(step, s, vehicle=Vehicle(Hull.ELIMINATED), units=(), loose=(), mp=0, ground=("rubble",))
    assert live(step, s).vehicle.hull is Hull.ELIMINATED


NEW = {field: getattr(start(()), field) for field in ("known_on_entry", "second", "outside", "esb", "bff", "final_kia")}


@pytest.mark.parametrize(
    ("step", "kept"),
    [
        ("before.choose", {"second", "outside", "esb", "bff", "final_kia"}),
        ("after.choose", ()),
        ("bounding", {"bff", "final_kia"}),
        ("leave", ()),
    ],
)
def test_what_is_forgotten_stands_as_it_was_at_first(step: str, kept: Collection[str]) -> None:
    stage = Stage.BEFORE if step == "before.choose" else Stage.AFTER
    old = {"known_on_entry": True, "second": True, "outside": ("a",), "esb": 2, "bff": ("mg",), "final_kia": True}
    left = live(step, after(SQUAD, stage=stage, **old))
    assert {field: getattr(left, field) for field in NEW} == NEW | {field: old[field] for field in kept}
    assert (live("bounding", after(SQUAD, fp=16, pf=1)).fp, live("bounding", after(SQUAD, pf=1)).pf) == (0, 0)


# ---------------------------------------------------------------------- while another overrun may come


@pytest.mark.parametrize("step", ["after.choose", "reactions", "leave", "stay", "bounding", "resolve"])
def test_before_another_overrun_nothing_is_forgotten(step: str) -> None:
    stage = Stage.BEFORE if step == "resolve" else Stage.AFTER
    s = after(Unit("4-4-7", Morale.BROKEN, fired=Fired.FINAL, failed=True), known_on_entry=True, stage=stage)
    s = replace(s, setup=replace(s.setup, overruns=2), overruns=0)
    assert live(step, s) is s
    last = replace(s, overruns=2)
    assert live(step, last) != last


# ---------------------------------------------------------------------- leaving


LEAVES = ["leave", "stay", "run_over_weapons", "bog_on_leaving"]


@pytest.mark.parametrize("step", LEAVES)
def test_on_leaving_known_units_are_not_read(step: str) -> None:
    s = after(SQUAD, LEADER, Unit("2-3-7", seen=Concealment.HIDDEN), ground=("rubble",))
    assert same(step, s, units=())
    assert same(step, s, fp=16, final_kia=True, esb=2, bff=("mg",), second=True, known_on_entry=True, spent=9, pf=3)
    assert same(step, s, vehicle=Vehicle(Hull.MOBILE, motion=Motion.STOPPED, ce=True, prc=(Rider("4-6-7"),)))
    assert not same(step, s, vehicle=Vehicle(Hull.BOGGED))
    assert live(step, s).vehicle.hull is Hull.MOBILE
    assert same(step, replace(s, vehicle=Vehicle(Hull.BOGGED)), vehicle=Vehicle(Hull.IMMOBILIZED))
    assert same(step, replace(s, vehicle=Vehicle(Hull.BOGGED)), vehicle=Vehicle(Hull.MOBILE, Crew.SHOCKED))
    assert not same(step, s, ground=())
    assert same(step, s, vehicle=Vehicle(disabled=("BMG",)))


@pytest.mark.parametrize(
    ("vehicle", "out"),
    [(T34, 1), (HALFTRACK, 1), (BLITZ, 4), (SIDECAR, 4)],
    ids=["fully tracked", "halftrack", "truck", "sidecar"],
)
@pytest.mark.parametrize("step", ["leave", "after.choose", "bounding"])
def test_of_the_mp_only_whether_they_let_it_leave(step: str, vehicle: Any, out: int) -> None:
    s = after(SQUAD, vehicle=vehicle, mp=out)
    assert same(step, s, mp=out + 5)
    assert not same(step, s, mp=out - 1)
    assert same(step, replace(s, mp=out - 1), mp=0)
    assert live(step, s).mp == out


@pytest.mark.parametrize("step", LEAVES)
def test_in_bypass_the_hidden_units_and_the_hull_are_read(step: str) -> None:
    hidden = Unit("2-3-7", seen=Concealment.HIDDEN, fired=Fired.FIRST, shots=2, arms=(MMG,))
    s = after(SQUAD, hidden, approach=Approach(way=Way.BYPASS))
    assert same(step, s, units=(hidden,))
    assert not same(step, s, units=(SQUAD,))
    assert same(step, s, units=(SQUAD, changed(hidden, fired=Fired.FINAL, shots=1)))
    assert not same(step, s, units=(SQUAD, changed(hidden, arms=())))
    assert not same(step, s, vehicle=Vehicle(crew=Crew.PINNED))
    assert same(step, s, vehicle=Vehicle(ce=True, disabled=("MA",)))
    assert live(step, s).vehicle == Vehicle()


@pytest.mark.parametrize("step", LEAVES)
def test_what_it_may_run_over_is_read_with_its_weapons(step: str) -> None:
    s = after(SQUAD, loose=(MMG,))
    assert not same(step, s, loose=())
    assert not same(step, s, vehicle=Vehicle(disabled=("BMG", "CMG", "MA")))
    assert not same(step, s, vehicle=Vehicle(crew=Crew.PINNED))
    # Without weapons that lie here none of them fires.
    assert same(step, replace(s, loose=()), vehicle=Vehicle(disabled=("BMG", "CMG", "MA")))


@pytest.mark.parametrize("vehicle", [HALFTRACK, BLITZ])
def test_only_a_fully_tracked_afv_runs_over_weapons(vehicle: Any) -> None:
    s = after(SQUAD, vehicle=vehicle, loose=(MMG,))
    assert same("leave", s, loose=())


def test_an_abandoned_gun_is_run_over_with_what_lies_here() -> None:
    crew = Unit("2-2-8", guns=(GUN,))
    s = after(crew)
    assert not same("leave", s, units=(changed(crew, guns=()),))
    assert live("leave", s).loose == (GunPiece("at"),)
    both = replace(s, loose=(MMG,))
    assert set(live("leave", both).loose) == {GunPiece("at"), MMG}
    hidden = changed(crew, seen=Concealment.HIDDEN)
    beside = after(hidden, approach=Approach(way=Way.BYPASS))
    assert live("leave", beside).loose == ()
    assert live("leave", beside).units == (
        changed(crew, seen=Concealment.HIDDEN, guns=(GunPiece("at", Fired.NO_FIRE),)),
    )
    known = after(crew, approach=Approach(way=Way.BYPASS))
    assert live("leave", known).loose == (GunPiece("at"),)


def test_an_enemy_afv_asks_for_each_weapon() -> None:
    s = after(SQUAD, location=Location(enemy_afv="t34"))
    for step in ("leave", "after.choose", "bounding"):
        assert not same(step, s, vehicle=Vehicle(disabled=("BMG",))), step
    assert not same("leave", s, vehicle=Vehicle(ce=True))


# ---------------------------------------------------------------------- Reaction Fire


REACTS = ["reactions", "after.choose", "after.close_in", "enemy_vehicles", "sangar"]


@pytest.mark.parametrize("step", REACTS)
def test_who_cannot_react_any_more_is_forgotten(step: str) -> None:
    s = after(changed(SQUAD, shots=0), Unit("2-3-7", Morale.BROKEN))
    assert same(step, s, units=(changed(SQUAD, shots=0),))
    assert not same(step, s, units=(Unit("2-3-7", Morale.BROKEN),))
    for change in ({"known_on_entry": True}, {"second": True}, {"esb": 3}, {"bff": ("mg",)}, {"final_kia": True}):
        assert same(step, s, **change), change
    assert same(step, s, outside=("a",))
    assert same(step, s, vehicle=Vehicle(disabled=("MA",)))
    assert not same(step, s, vehicle=Vehicle(disabled=("BMG", "CMG")))
    assert live(step, s).overruns == live(step, replace(s, overruns=3)).overruns == 1
    assert not same(step, s, vehicle=Vehicle(crew=Crew.PINNED))


def test_who_must_react_is_marked_before() -> None:
    """Note m: a unit marked Final Fire must."""
    s = after(Unit("4-4-7", fired=Fired.FINAL))
    for step in ("reactions", "enemy_vehicles", "sangar"):
        assert [unit.owes for unit in live(step, s).units] == [True], step


@pytest.mark.parametrize("step", ["enemy_vehicles", "sangar"])
def test_in_a_sangar_nothing_is_forgotten_before_it_is_left(step: str) -> None:
    """Who is hurt by it is not known yet."""
    s = after(Unit("4-4-7", Morale.BROKEN), location=Location(entrenchment=Entrenchment.SANGAR))
    assert not same(step, s, units=())
    assert not same(step, s, vehicle=Vehicle(disabled=("MA",)))
    assert same("reactions", s, units=())
    trench = after(Unit("4-4-7", Morale.BROKEN), location=Location(entrenchment=Entrenchment.FOXHOLE))
    assert same(step, trench, units=())


def test_enemy_vehicles_that_were_met_are_forgotten() -> None:
    s = after(SQUAD, prey=(TRUCK,))
    assert same("reactions", s, prey=())
    assert same("after.choose", s, prey=())
    before = replace(s, stage=Stage.BEFORE)
    assert not same("resolve", before, prey=())
    # While they are there nothing of the units is forgotten.
    assert not same("enemy_vehicles", s, units=(SQUAD, Unit("2-3-7", Morale.BROKEN)))


def test_loose_weapons_are_read_in_reaction_fire_by_a_tracked_afv_alone() -> None:
    for vehicle, read in ((T34, True), (HALFTRACK, False)):
        s = after(SQUAD, vehicle=vehicle)
        assert same("after.choose", s, loose=(MMG,)) is not read


def test_a_broken_crew_leaves_its_gun_to_the_tracks() -> None:
    crew = Unit("2-2-8", Morale.BROKEN, guns=(GUN,))
    kept = live("after.choose", after(SQUAD, crew))
    assert kept.loose == (GunPiece("at"),)
    assert [unit.printed for unit in kept.units] == ["4-4-7"]
    kept = live("after.choose", after(SQUAD, crew, vehicle=HALFTRACK))
    assert (kept.loose, [unit.printed for unit in kept.units]) == ((), ["4-4-7"])


def test_its_weapons_are_read_where_one_may_come_to_lie_here() -> None:
    """A SW or Gun that a unit may lose or drop is run over with the FP that is left."""
    tank = {"disabled": ("CMG", "MA")}
    assert same("after.choose", after(SQUAD), vehicle=Vehicle(**tank))
    for holder in (changed(SQUAD, arms=(MMG,)), Unit("2-2-8", guns=(GunPiece("at"),))):
        assert not same("after.choose", after(holder), vehicle=Vehicle(**tank)), holder
        assert same("after.choose", after(holder, vehicle=HALFTRACK), vehicle=Vehicle(disabled=("FT",))), holder
    # What is inherent stays with its unit; a unit that does nothing any more loses nothing.
    assert same("after.choose", after(changed(SQUAD, arms=(Arm("pf"),))), vehicle=Vehicle(**tank))
    spent = changed(SQUAD, arms=(MMG,), morale=Morale.BROKEN)
    assert same("after.choose", after(SQUAD, spent), vehicle=Vehicle(**tank))
    assert not same("after.choose", after(SQUAD, spent, loose=(MMG,)), vehicle=Vehicle(**tank))


def test_a_halftrack_reads_nothing_of_its_weapons_but_its_mg() -> None:
    manned = replace(after(SQUAD, vehicle=HALFTRACK), vehicle=Vehicle(ce=True))
    assert not same("after.choose", manned, vehicle=Vehicle(ce=True, disabled=("AAMG",)))
    assert same("after.choose", manned, vehicle=Vehicle(ce=True, disabled=("FT",)))
    # No CC: nobody asks.
    pinned = after(changed(SQUAD, morale=Morale.PINNED), vehicle=BLITZ)
    assert same("after.choose", pinned, vehicle=Vehicle(disabled=("AAMG",)))


# ---------------------------------------------------------------------- inherent LATW shots of the side


@pytest.mark.parametrize("step", ["after.choose", "before.choose"])
def test_only_as_many_latw_shots_as_the_units_can_take(step: str) -> None:
    stage = Stage(step.partition(".")[0])
    two = changed(SQUAD, printed="4-6-7", shots=0, arms=(Arm("pf"), Arm("pf")))
    s = after(two, stage=stage, pf=2, pf_shots=3)
    assert live(step, s).pf == 2
    assert same(step, s, pf=3)
    assert not same(step, s, pf=1)
    one = after(changed(two, printed="2-4-7", arms=(Arm("pf"),)), stage=stage, pf=3, pf_shots=3)
    assert live(step, one).pf == 1
    assert live(step, after(SQUAD, stage=stage, pf=3, pf_shots=3)).pf == 0


@pytest.mark.parametrize("step", ["after.choose", "before.choose"])
def test_heat_of_battle_may_make_units_that_fire_them(step: str) -> None:
    one = Unit("2-4-7", shots=0, arms=(Arm("pf"),))
    common = {"stage": Stage(step.partition(".")[0]), "pf": 3, "pf_shots": 3}
    assert live(step, after(one, **common)).pf == 1
    assert live(step, after(one, heat_of_battle=True, **common)).pf == 3
    assert live(step, after(SQUAD, heat_of_battle=True, **common)).pf == 0


# ---------------------------------------------------------------------- before the OVR


SANGAR = Location(entrenchment=Entrenchment.SANGAR)


@pytest.mark.parametrize(
    "step", ["before.choose", "before.close_in", "personnel", "run_over", "resolve", "enemy_vehicles", "sangar"]
)
def test_before_the_attack_the_counters_of_who_is_done_are_forgotten(step: str) -> None:
    done = Unit("4-4-7", Morale.BROKEN, fired=Fired.FIRST, shots=2, arms=(MMG,))
    s = after(done, stage=Stage.BEFORE, location=SANGAR)
    assert same(step, s, units=(changed(done, fired=Fired.FINAL, shots=0, arms=(Arm("mmg"),)),))
    assert not same(step, s, units=(changed(done, arms=()),))
    assert not same(step, s, units=())
    assert not same(step, s, units=(changed(done, morale=Morale.PINNED),))
    assert same(step, s, known_on_entry=True)
    assert not same(step, s, esb=1)
    assert not same(step, s, fp=16)


@pytest.mark.parametrize("step", ["before.choose", "resolve"])
def test_before_the_attack_who_may_still_attack_stays(step: str) -> None:
    able = Unit("4-4-7", fired=Fired.FIRST, shots=2)
    s = after(able, stage=Stage.BEFORE)
    assert not same(step, s, units=(changed(able, shots=1),))
    assert not same(step, s, units=(changed(able, fired=Fired.UNMARKED),))


def test_what_is_forgotten_before_the_attack_is_so_only_there() -> None:
    done = Unit("4-4-7", Morale.BROKEN, fired=Fired.FIRST)
    s = after(done, stage=Stage.BEFORE)
    assert not same("declare", s, units=(changed(done, fired=Fired.FINAL),))
    entering = replace(s, stage=Stage.NONE)
    assert not same("resolve", entering, units=(changed(done, fired=Fired.FINAL),))


def test_the_attack_on_its_way_forgets_the_same_of_its_units() -> None:
    done = Unit("4-4-7", Morale.PINNED, fired=Fired.FIRST, shots=1, uses=1, arms=(MMG,))
    head = Unit("8-1R", Morale.BROKEN, fired=Fired.FIRST)
    act = Act(Means.CC, (done,), leader=head, mode=Mode.FIRST)
    s = after(done, head, stage=Stage.BEFORE, act=act)
    kept = live("before.close_in", s).act
    assert kept is not None
    assert kept.units[0] in live("before.close_in", s).units
    assert kept.leader in live("before.close_in", s).units
    assert (kept.means, kept.mode, kept.piece) == (Means.CC, Mode.FIRST, None)
    assert kept.leader == changed(head, fired=Fired.UNMARKED)
    alone = live("before.close_in", replace(s, act=changed(act, leader=None))).act
    assert alone is not None
    assert alone.leader is None
    assert live("before.close_in", replace(s, act=None)).act is None


def test_an_attacker_of_whom_nothing_is_read_stays_in_its_attack() -> None:
    spent = Unit("4-4-7", fired=Fired.FINAL, shots=3, cc=True)
    s = after(spent, act=Act(Means.CC, (spent,)))
    kept = live("after.close_in", s)
    assert kept.units == ()
    assert kept.act is not None
    assert kept.act.units == (spent,)


# ---------------------------------------------------------------------- Bounding First Fire


def bounding(*units: Unit, **more: Any) -> State:
    return after(*units, **more)


@pytest.mark.parametrize("step", ["bounding", "bff_mg", "bff_shell"])
def test_targets_of_bounding_first_fire_have_no_counters(step: str) -> None:
    armed = changed(SQUAD, arms=(MMG,))
    s = bounding(armed, vehicle=T34)
    assert same(step, s, units=(Unit("4-4-7", fired=Fired.FINAL, shots=3, uses=1, failed=True, arms=(Arm("mmg"),)),))
    assert not same(step, s, units=(changed(armed, morale=Morale.PINNED),))
    assert not same(step, s, units=(SQUAD,))
    assert not same(step, s, units=(changed(armed, seen=Concealment.CONCEALED),))
    assert same(step, s, known_on_entry=True, second=True, outside=("a",), fp=16, pf=2, esb=1)
    assert not same(step, s, bff=("ma",))


def test_what_has_fired_needs_no_mark() -> None:
    s = bounding(SQUAD, vehicle=T34, bff=("mg",))
    assert same("bounding", s, vehicle=Vehicle(disabled=("BMG", "CMG")))
    assert not same("bounding", s, vehicle=Vehicle(disabled=("MA",)))
    gun = replace(s, bff=("ma",))
    assert same("bounding", gun, vehicle=Vehicle(disabled=("MA",)))
    assert not same("bounding", gun, vehicle=Vehicle(disabled=("BMG",)))
    # Weapons that may come to lie here are run over with the FP that is left.
    lying = replace(s, loose=(MMG,))
    assert not same("bounding", lying, vehicle=Vehicle(disabled=("BMG", "CMG")))
    for holder in (changed(SQUAD, arms=(MMG,)), Unit("2-2-8", guns=(GunPiece("at"),))):
        assert not same("bounding", replace(s, units=(holder,)), vehicle=Vehicle(disabled=("BMG", "CMG")))
    inherent = replace(s, units=(changed(SQUAD, arms=(Arm("pf"),)),))
    assert same("bounding", inherent, vehicle=Vehicle(disabled=("BMG", "CMG")))
    half = bounding(changed(SQUAD, arms=(MMG,)), vehicle=HALFTRACK, bff=("mg",))
    assert same("bff_shell", half, vehicle=Vehicle(disabled=("AAMG",)))


def test_when_all_has_fired_it_only_leaves() -> None:
    s = bounding(SQUAD, vehicle=T34, bff=("ma", "mg"))
    assert same("bounding", s, units=(Unit("2-3-7"),))
    assert live("bounding", s) == live("leave", s)
    # Within a shot its targets still stand there.
    assert not same("bff_mg", s, units=(Unit("2-3-7"),))


def test_who_stands_where_no_shell_can_hit_is_one() -> None:
    """C5: the DRM of a shell fired on the move, within its own Location, into SMOKE and stone are too many."""
    stone = Location(terrain=Terrain.STONE_BUILDING, smoke=(3,))
    s = bounding(SQUAD, Unit("2-3-7"), vehicle=T34, bff=("mg",), location=stone)
    for step in ("bounding", "bff_shell"):
        assert same(step, s, units=(Unit("6-2-8", Morale.BROKEN),)), step
        assert len(live(step, s).units) == 1
        assert not same(step, s, units=()), step
        assert not same(step, replace(s, bff=()), units=(Unit("2-3-7"),)), step
        assert not same(step, replace(s, loose=(MMG,)), units=(Unit("2-3-7"),)), step
        beside = replace(s, setup=replace(s.setup, approach=Approach(way=Way.BYPASS)))
        assert not same(step, beside, units=(Unit("2-3-7"),)), step
        burning = replace(s, setup=replace(s.setup, vehicle=replace(T34, ft=24)))
        assert not same(step, burning, units=(Unit("2-3-7"),)), step
        assert same(step, replace(burning, bff=("ft", "mg")), units=(Unit("2-3-7"),)), step
    assert not same("bff_mg", s, units=(Unit("2-3-7"),))
    plain = replace(bounding(SQUAD, bff=("mg",)), vehicle=Vehicle(motion=Motion.STOPPED, ce=True), spent=9)
    assert not same("bounding", plain, units=(Unit("2-3-7"),))
    assert live("bounding", s).units[0].printed != "?"
