"""One attack of the vehicle and what it leaves, and the people aboard a vehicle (fact sheet 1.5, 2.2 to 2.5, 8).

Covers A-29, A-37 and A-41: malfunctions, weapons left lying, BFF, Passengers and Riders, enemy vehicles.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from overrun.kernel import Call, Chance, Each, Exit, Returned, changed
from overrun.rulesets.asl.attack import Group, Volley, apply, attack_dr, malfunction, weapons
from overrun.rulesets.asl.bounding import bff_ft, bff_mg, bff_shell, bounding, fp_of
from overrun.rulesets.asl.checks import CheckKind
from overrun.rulesets.asl.counters import MAKind
from overrun.rulesets.asl.exposed import Exposed, bail_out, people_hit
from overrun.rulesets.asl.firepower import Fires
from overrun.rulesets.asl.hits import Hits, Later, Target
from overrun.rulesets.asl.ift import Effect, OnVehicle, Result, ResultKind
from overrun.rulesets.asl.results import leaders_check, others_check
from overrun.rulesets.asl.run_down import Quarry, RunDown, limit, people
from overrun.rulesets.asl.setup import Concealment, Motion, RiderOpening, UnitOpening
from overrun.rulesets.asl.state import Arm, Crew, GunPiece, Hull, Morale, Prey, Rider, State, Unit
from overrun.rulesets.asl.survival import Survivor, survival_dr, survivors
from overrun.rulesets.asl.wreckage import Wreck, destruction_dr
from tests.asl.steps.situations import HALFTRACK, PZ_IIIH, setup, start

SQUAD = Unit("4-4-7")
LMG = Arm("lmg")
MMG = Arm("mmg")
PF = Arm("pf")
GUN = GunPiece("at")
K1 = Result(ResultKind.K, 1)


def rolled(node: Any, *dice: Any) -> Exit:
    assert isinstance(node, Chance)
    return node.then(*dice)


def made(*units: Unit, groups: tuple[Group, ...] = (Group(8, 0),), **more: Any) -> Volley:
    targets = tuple(Target(unit) for unit in units)
    return Volley(setup(guns=True), groups, targets, **more)


# ------------------------------------------------------------------ the DR


@pytest.mark.parametrize(
    ("groups", "original", "kia"),
    [
        ((Group(16, 0), Group(8, 0)), 2, 16),  # 2KIA and 1KIA
        ((Group(8, 0), Group(16, 0)), 2, 16),
        ((Group(16, 0), Group(8, 0)), 3, 16),  # 1KIA and K/2
        ((Group(8, 0),), 2, 8),
        ((Group(8, 0),), 3, None),
        ((Group(None, 0),), 2, None),
    ],
)
def test_weapons_are_checked_on_the_highest_column_with_a_kia(groups, original, kia):
    """A9.74: SW and Guns are checked on the column on which the Final KIA fell."""
    came = rolled(attack_dr(made(SQUAD, groups=groups)), original)
    assert came.state.kia == kia
    assert came.state.original == 0


def test_the_one_weapon_that_can_fail_fails():
    """D7.17: on an Original 12 one contributing weapon malfunctions; of one there is nothing to select."""
    came = malfunction(made(SQUAD, weapons=(Fires("BMG", 3, 12),)))
    assert (came.name, came.state.stops, came.tally) == ("malfunction", ("BMG",), {"vehicle_weapons_disabled": 1})


def test_a_weapon_that_cannot_fail_does_not_fail():
    """D7.17: no weapon whose number is above the Original DR; where none can malfunction the vehicle is immobilized."""
    sound, weak = Fires("MA", 0, 13), Fires("BMG", 3, 12)
    assert malfunction(made(SQUAD, weapons=(sound, weak))).state.stops == ("BMG",)
    came = malfunction(made(SQUAD, weapons=(sound,)))
    assert (came.name, came.state.immobilized, came.tally) == ("immobilized", True, {"vehicle_immobilized": 1})
    assert malfunction(made(SQUAD, weapons=(sound,), bounding=True)).name == "nothing"


# ------------------------------------------------------------------ what is left lying


@pytest.mark.parametrize("piece", [LMG, GUN])
@pytest.mark.parametrize("kia", [None, 16])
def test_what_an_eliminated_unit_possessed_is_left(piece, kia):
    """A unit eliminated by a K or a MC leaves its weapon unpossessed; after a KIA that weapon is checked."""
    held = {"guns": (piece,)} if isinstance(piece, GunPiece) else {"arms": (PF, piece)}
    crew, other = Unit("2-2-8", **held), Unit("2-3-7")
    v = made(crew, other, results=(K1,), kia=kia)
    node = apply(v)
    assert isinstance(node, Call)
    back = Hits(v.setup, (), (Target(None), Target(other)), (crew, other))
    after = node.then(Returned("applied", back)).state
    assert after.gone == (crew,)
    end = weapons(after)
    if kia is None:
        assert (end.name, end.state.loose) == ("none", (piece,))
    else:
        assert isinstance(end, Each)
        assert [sub.piece for sub in end.subs] == [piece]


@pytest.mark.parametrize("piece", [LMG, GUN])
def test_a_lone_unit_leaves_what_it_possessed(piece):
    held = {"guns": (piece,)} if isinstance(piece, GunPiece) else {"arms": (piece,)}
    crew = Unit("2-2-8", **held)
    v = made(crew, results=(K1,))
    node = apply(v)
    assert isinstance(node, Call)
    after = node.then(Returned("applied", Hits(v.setup, (), (Target(None),), (crew,)))).state
    assert weapons(after).state.loose == (piece,)


def test_a_unit_that_stays_keeps_its_weapon():
    squad = changed(SQUAD, arms=(LMG,))
    v = made(squad, results=(K1,))
    node = apply(v)
    half = changed(squad, printed="2-3-7")
    after = node.then(Returned("applied", Hits(v.setup, (), (Target(half),), (squad,)))).state
    assert after.gone == ()
    assert weapons(after).state.loose == ()


def test_each_weapon_is_checked_for_itself():
    """A9.74: what was not eliminated is left, however many there are."""
    v = made(kia=16, loose=(LMG, MMG, GUN))
    node = weapons(v)
    back = [Returned("none", Wreck(v.setup, LMG, 16)), Returned("eliminated", Wreck(v.setup, None, 16))]
    back.append(Returned("none", Wreck(v.setup, GUN, 16)))
    assert node.leave(tuple(back)).state.loose == (LMG, GUN)


@pytest.mark.parametrize(
    ("dr", "broken", "x_number", "left"),
    [
        (3, False, False, None),  # Final 2 on the 8 column: 1KIA
        (4, False, False, True),  # Final 3: a K result makes it malfunction
        (4, True, False, None),  # unless it has malfunctioned already
        (4, False, True, None),  # or has an X#
        (5, False, False, False),  # Final 4: 2MC
        (5, True, True, True),
    ],
)
def test_a_weapon_malfunctions_on_a_k_row_and_is_gone_on_a_kia_row(dr, broken, x_number, left):
    """A9.74, with the -1 of a fully-tracked AFV; `left`: has it malfunctioned then, None if it is gone?"""
    here = setup()
    here = replace(here, weapons=here.weapons | {"lmg": replace(here.weapons["lmg"], x_number=x_number)})
    after = rolled(destruction_dr(Wreck(here, replace(LMG, malfunctioned=broken), 8)), dr)
    assert (None if after.state.piece is None else after.state.piece.malfunctioned) is left
    came = {None: "weapons_lost", True: None if broken else "weapons_malfunctioned", False: None}[left]
    assert dict(after.tally or {}) == ({came: 1} if came else {})


# ------------------------------------------------------------------ Bounding First Fire

FLAME = replace(PZ_IIIH, ft=24, ma_kind=MAKind.GUN)


def stopped(*units: UnitOpening | str, vehicle=FLAME, **more: Any) -> State:
    return start(units, vehicle=vehicle, opening={"vehicle": {"motion": Motion.STOPPED, **more}})


def test_bff_halves_against_concealed_units():
    """MG 3 + 5 Stopped: 8 x 3 / 2 = 12 FP; concealed 6 (A7.23)."""
    s = stopped("4-4-7", UnitOpening("b", "2-3-7", Concealment.CONCEALED))
    node = bff_mg(s)
    columns = {sub.it.printed: node.sub.groups[sub.group].column for sub in node.sub.targets}
    assert columns == {"4-4-7": 12, "2-3-7": 6}


@pytest.mark.parametrize(("fire", "names"), [(bff_mg, ("BMG", "CMG")), (bff_ft, ("FT",))])
def test_only_what_fires_may_malfunction(fire, names):
    node = fire(stopped("4-4-7"))
    assert tuple(sorted(weapon.name for weapon in node.sub.weapons)) == names


def test_weapons_that_lay_there_stay_there_after_bff():
    """BFF runs over nothing: an unpossessed weapon is no target of it, and one that is left joins it."""
    s = changed(stopped("4-4-7"), loose=(LMG,))
    node = bff_mg(s)
    after = node.then(Returned("resolved", changed(node.sub, targets=(Target(SQUAD),)))).state
    assert after.loose == (LMG,)
    node = bff_shell(s)
    burst = Volley(s.setup, (), (Target(None),), loose=(MMG,))
    after = node.then(Returned("resolved", changed(node.sub, volley=burst))).state
    assert (after.units, after.loose) == ((), (LMG, MMG))


def test_bff_shows_the_factors_of_each_weapon_and_its_fp():
    """D3.31: TPBF x 3 and Bounding First Fire / 2, Stopped: 3/2."""
    s = stopped("4-4-7")
    ledger = fp_of(s, "mg")
    assert [(line.value, line.reason) for line in ledger.lines] == [
        (Fraction(9, 2), "BMG 3: TPBF, Bounding First Fire"),
        (Fraction(15, 2), "CMG 5: TPBF, Bounding First Fire"),
    ]
    shown = {option.name: [ledger.total for ledger in option.ledgers] for option in bounding(s).options}
    assert shown == {"mg": [12], "ft": [24], "ma": [], "hold": []}


@pytest.mark.parametrize(
    ("rider", "fp"),
    [
        (RiderOpening("r", "4-6-7", ce=True), 6),
        (RiderOpening("r", "4-6-7"), None),
        (RiderOpening("r", "4-6-7", ce=True, broken=True), None),
        (RiderOpening("r", "8-1", ce=True), None),
    ],
)
def test_which_passengers_join_the_bff(rider, fp):
    """CE halftrack Passengers 3/2 Stopped; none that is BU, broken or without FP."""
    s = stopped("4-4-7", vehicle=HALFTRACK, ce=True, riders=(rider,))
    own = [line.value for line in fp_of(s, "mg").lines if not line.reason.startswith("AAMG")]
    assert own == ([] if fp is None else [fp])


# ------------------------------------------------------------------ the people aboard


def aboard(*riders: Rider) -> Exposed:
    return Exposed(setup(), Crew.GOOD, 8, None, (K1,), tuple((rider, 0) for rider in riders))


@pytest.mark.parametrize(
    ("ce", "morale", "still"),
    [
        (True, Morale.GOOD, True),
        (True, Morale.PINNED, False),
        (True, Morale.BROKEN, False),
        (False, Morale.GOOD, False),
    ],
)
def test_passengers_who_are_pinned_or_broken_go_bu(ce, morale, still):
    """Fact sheet 2.4: halftrack Passengers go BU."""
    e = aboard(Rider("4-6-7", ce=ce))
    node = people_hit(e)
    assert isinstance(node, Call)
    back = changed(node.sub, targets=(Target(Unit("4-6-7", morale)),))
    (left,) = node.then(Returned("applied", back)).state.left
    assert (left.ce, left.morale) == (still, morale)


def test_riders_who_bail_out_check_as_people_of_the_vehicle():
    """D6.24: a NMC, whose losses are those of the vehicle's side."""
    node = bail_out(changed(aboard(), bailing=(Rider("4-6-7", Morale.PINNED, rider=True),)))
    assert isinstance(node, Each)
    ((check,),) = [node.subs]
    assert (check.kind, check.plus, check.prc, check.unit) == (CheckKind.MC, 0, True, Unit("4-6-7", Morale.PINNED))


@pytest.mark.parametrize(
    ("shaken", "dr", "lives"), [(False, 6, True), (False, 7, False), (True, 5, True), (True, 6, False)]
)
def test_who_survives(shaken, dr, lives):
    """D5.6: CS# 6 or less; +1 for a crew that was Shocked or Stunned. Passengers roll on it, too."""
    came = rolled(survival_dr(Survivor(setup(), None, shaken)), dr)
    assert (came.name, came.tally) == (("survives", {"crew_survived": 1}) if lives else ("dies", {"crew_lost": 1}))
    if not shaken:
        came = rolled(survival_dr(Survivor(setup(), Rider("4-6-7"))), dr)
        assert came.name == ("survives" if lives else "dies")
        assert (came.tally == {"prc_bailed_out": 1}) is lives


def test_a_lost_vehicle_is_empty():
    s = start(("4-4-7",), opening={"vehicle": {"ce": True, "riders": (RiderOpening("r", "4-6-7", rider=True),)}})
    s = changed(s, vehicle=changed(s.vehicle, hull=Hull.BURNING))
    after = survivors(s, "settled").state.vehicle
    assert (after.crew, after.ce, after.prc) == (Crew.GONE, False, ())


# ------------------------------------------------------------------ enemy vehicles


def trucks(number: int, column: int | None) -> RunDown:
    quarries = tuple(Quarry(Prey("truck"), 0, None, 0, OnVehicle.IMMOBILIZED) for _ in range(number))
    return RunDown(setup(), column, 4, quarries)


@pytest.mark.parametrize(("column", "most"), [(1, 1), (2, 2), (16, 4)])
def test_random_selection_only_where_one_dr_hits_too_many(column, most):
    """A7.308: the highest KIA number of the column; 16 is 4 (fact sheet 13, 43)."""
    assert limit(trucks(most, column)).name == "all"
    assert isinstance(limit(trucks(most + 1, column)), Chance)


def test_every_vehicle_that_is_not_lost_is_left():
    node = people(trucks(2, 16))
    assert isinstance(node, Each)
    back = tuple(Returned("settled", sub) for sub in node.subs)
    assert len(node.leave(back).state.left) == 2


def test_a_leader_of_whom_nothing_is_read_later_still_helps_those_who_check():
    """A10.72: he is forgotten after the others have checked, not before; a unit without check is forgotten at once."""
    leader, idle = Unit("8-1R"), Unit("2-2-8")
    forgotten = {unit: Later(((unit, None),)) for unit in (leader, idle)}
    targets = (
        Target(leader, later=forgotten[leader]),
        Target(SQUAD, owes=Effect(check=1)),
        Target(idle, later=forgotten[idle]),
    )
    left = leaders_check(Hits(setup(), (), targets, (leader, SQUAD, idle)))
    assert isinstance(left, Exit)
    assert [target.unit for target in left.state.targets] == [leader, SQUAD, None]
    node = others_check(left.state)
    assert isinstance(node, Each)
    assert [sub.leadership for sub in node.subs] == [-1]
    assert [target.unit for target in node.state] == [None, SQUAD, None]
