"""What analysis forgets of a unit and its weapons: its counters are dead once it will not attack the vehicle again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from overrun.kernel import changed
from overrun.rulesets.asl.counters import UnitClass
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.lean import finished, idle, latw_left, lean_piece, lean_unit, reactor, without_tags
from overrun.rulesets.asl.moment import Moment, moment
from overrun.rulesets.asl.reactors import reactors
from overrun.rulesets.asl.setup import Fired
from overrun.rulesets.asl.state import Arm, GunPiece, Morale, Trait, Unit
from tests.asl.steps.situations import BLITZ, HALFTRACK, PRINTED, T34, start

UNMARKED, FIRST, FINAL, INTENSIVE, NO_FIRE = (
    Fired.UNMARKED,
    Fired.FIRST,
    Fired.FINAL,
    Fired.INTENSIVE,
    Fired.NO_FIRE,
)
PINNED, BROKEN = Morale.PINNED, Morale.BROKEN
PF, MMG, LMG, GUN = Arm("pf"), Arm("mmg"), Arm("lmg"), GunPiece("at")
SQUAD, CREW, LEADER = Unit("4-6-7"), Unit("2-2-8"), Unit("8-1")


def at(stage: Stage, vehicle: Any = T34, **more: Any) -> Moment:
    """A moment of three MP in which the side has PF shots left."""
    setup = {name: more.pop(name) for name in ("rulings", "heat_of_battle") if name in more}
    now = moment(start((), vehicle=vehicle, guns=True, pf_shots=2, **setup))
    return changed(now, stage=stage, **{"most": 3, "pf": True, "soft": not vehicle.armored, **more})


NONE, BEFORE, AFTER = (at(stage) for stage in (Stage.NONE, Stage.BEFORE, Stage.AFTER))
SOFT_BEFORE, SOFT = changed(BEFORE, soft=True), changed(AFTER, soft=True)
HALF = at(Stage.AFTER, HALFTRACK)


def unit(of: Unit = SQUAD, **change: Any) -> Unit:
    return changed(of, **change)


# ---------------------------------------------------------------------- who will not attack again


@pytest.mark.parametrize("now", [BEFORE, AFTER, SOFT])
def test_broken_units_and_dummies_never_attack(now: Moment) -> None:
    assert idle(now, unit(morale=BROKEN, guns=(GUN,)))
    assert idle(now, Unit("?"))
    assert not idle(now, SQUAD)


def test_who_owes_an_attack_makes_it_while_the_vehicle_has_mp_for_it() -> None:
    """A8.1: as often as the vehicle has spent MP here."""
    owing = unit(fired=FINAL, owes=True, failed=True, morale=PINNED)
    assert [idle(AFTER, unit(owing, shots=shots)) for shots in (0, 2, 3, 4)] == [False, False, True, True]
    assert [idle(BEFORE, unit(owing, shots=shots)) for shots in (2, 3)] == [False, True]


@pytest.mark.parametrize(
    ("one", "able"),
    [
        (unit(), True),
        (unit(fired=FINAL), True),  # CC in Reaction Fire is mandatory then
        (unit(morale=PINNED), False),
        (unit(morale=PINNED, fired=FINAL), True),
        (unit(morale=PINNED, fired=FIRST), False),
        (unit(morale=PINNED, arms=(PF,)), True),
        (unit(morale=PINNED, arms=(changed(PF, fired=FIRST),)), False),
        (unit(morale=PINNED, arms=(changed(MMG, malfunctioned=True),)), False),
        (unit(morale=PINNED, arms=(changed(MMG, malfunctioned=True), PF)), True),
        (unit(morale=PINNED, uses=2, arms=(PF,)), False),
        (unit(morale=PINNED, uses=1, arms=(PF,)), True),
        (unit(morale=PINNED, uses=1, fired=FIRST, arms=(PF,)), False),
        (unit(CREW, morale=PINNED, guns=(GUN,)), True),
        (unit(CREW, morale=PINNED, guns=(changed(GUN, malfunctioned=True),)), False),
        (unit(CREW, morale=PINNED, guns=(changed(GUN, limbered=True),)), False),
        (unit(CREW, morale=PINNED, guns=(changed(GUN, fired=FIRST),)), True),
        # A Gun marked so is CC's counter on its crew (D7.2): the crew must react.
        (unit(CREW, morale=PINNED, guns=(changed(GUN, fired=FINAL, malfunctioned=True),)), True),
        (unit(CREW, morale=PINNED, guns=(changed(GUN, fired=NO_FIRE),)), True),
        (unit(CREW, morale=PINNED, guns=(changed(GUN, fired=FIRST, malfunctioned=True),)), False),
    ],
)
def test_who_may_still_attack_before_the_ovr(one: Unit, able: bool) -> None:
    assert idle(BEFORE, one) is not able
    assert finished(BEFORE, one) is not able
    assert not finished(at(Stage.BEFORE, heat_of_battle=True), one)


def test_pinned_units_fire_small_arms_where_they_hurt() -> None:
    pinned = unit(morale=PINNED)
    assert not idle(SOFT_BEFORE, pinned)
    assert not idle(SOFT, pinned)
    assert idle(AFTER, pinned)
    leader = Unit("8-1", PINNED)
    assert idle(SOFT_BEFORE, leader)


def test_only_the_sides_shots_fire_a_pf() -> None:
    armed = unit(morale=PINNED, arms=(PF,))
    dry = changed(BEFORE, pf=False)
    assert idle(dry, armed)
    assert not idle(dry, unit(morale=PINNED, arms=(MMG,)))


def test_an_unmarked_sw_in_fpf_is_a_ruling() -> None:
    late = at(Stage.BEFORE, rulings={"fpf_unmarked_sw": "yes"})
    spent = {"morale": PINNED, "uses": 2}
    assert idle(BEFORE, unit(arms=(MMG,), **spent))
    assert not idle(late, unit(arms=(MMG,), **spent))
    assert idle(late, unit(arms=(PF,), **spent))


# ---------------------------------------------------------------------- inherent LATW shots


@pytest.mark.parametrize(
    ("one", "shots"),
    [
        (unit(arms=(PF, PF)), 2),
        (unit(arms=(PF,)), 2),  # at most: the side's shots are counted apart
        (unit(arms=(PF,), fired=FIRST), 1),
        (unit(arms=(PF,), uses=1), 1),
        (unit(arms=(PF,), uses=2), 0),
        (unit(arms=(PF,), morale=BROKEN), 0),
        (unit(arms=(changed(PF, fired=FIRST),)), 0),
        (unit(arms=(MMG,)), 0),
        (unit(Unit("2-4-7"), arms=(PF,)), 1),
        (unit(Unit("2-4-7"), arms=(PF,), fired=FIRST), 0),
        (unit(arms=(PF,), fired=FINAL), 0),
    ],
)
def test_how_many_a_unit_can_still_take(one: Unit, shots: int) -> None:
    assert latw_left(BEFORE, one) == shots


# ---------------------------------------------------------------------- nothing is forgotten yet


@pytest.mark.parametrize("now", [changed(AFTER, returns=True), changed(BEFORE, returns=True), NONE])
def test_when_all_of_a_unit_is_read(now: Moment) -> None:
    spent = unit(morale=BROKEN, fired=FINAL, shots=3, arms=(changed(MMG, fired=FIRST),))
    assert lean_unit(now, spent) is spent
    assert lean_piece(now, spent, spent.arms[0]) is spent.arms[0]
    crew = unit(CREW, morale=BROKEN, guns=(changed(GUN, fired=FIRST),))
    assert lean_piece(now, crew, crew.guns[0]) is crew.guns[0]


# ---------------------------------------------------------------------- before the OVR


def test_a_target_that_will_not_attack_again_has_no_counters() -> None:
    crew = unit(CREW, morale=BROKEN, fired=FIRST, uses=1, shots=2, arms=(MMG, PF, LMG), cc=True, paatc=True)
    crew = unit(crew, failed=True, guns=(changed(GUN, acquired=2, ca_turns=3, fired=FIRST, limbered=True),))
    bare = unit(CREW, morale=BROKEN, arms=(changed(LMG, fired=FIRST), changed(MMG, fired=FIRST)))
    bare = unit(bare, guns=(GunPiece("at", NO_FIRE, limbered=True),))
    assert lean_unit(BEFORE, crew) == bare
    assert without_tags(BEFORE.setup, crew) == bare
    assert lean_unit(at(Stage.BEFORE, heat_of_battle=True), crew) == crew
    assert [lean_piece(BEFORE, crew, piece) for piece in crew.arms] == [changed(a, fired=FIRST) for a in crew.arms]
    assert lean_piece(BEFORE, crew, crew.guns[0]) == changed(crew.guns[0], fired=NO_FIRE)


def test_who_may_attack_keeps_its_counters_but_spent_inherent_weapons_are_spent() -> None:
    dry, out = changed(BEFORE, pf=False), changed(PF, fired=NO_FIRE)
    holder = unit(fired=FIRST, shots=1, uses=1, arms=(MMG, PF), cc=True)
    assert lean_unit(BEFORE, holder) == unit(holder, arms=(MMG, out))  # one SW beside its inherent FP
    fresh = unit(shots=1, uses=1, arms=(MMG, PF))
    assert lean_unit(BEFORE, fresh) == fresh
    assert lean_unit(dry, fresh) == unit(fresh, arms=(MMG, out))
    assert lean_unit(BEFORE, unit(arms=(PF, MMG))) == unit(arms=(MMG, PF))
    hot = at(Stage.BEFORE, heat_of_battle=True, pf=False)
    assert lean_unit(hot, fresh) == fresh
    assert lean_piece(dry, fresh, PF) == out
    assert lean_piece(dry, fresh, MMG) is MMG
    assert lean_piece(BEFORE, fresh, PF) is PF
    assert lean_piece(hot, fresh, PF) is PF
    crew = unit(CREW, guns=(changed(GUN, fired=FIRST),))
    assert lean_piece(BEFORE, crew, crew.guns[0]) is crew.guns[0]


@pytest.mark.parametrize(
    ("one", "uses"),
    [
        (unit(uses=1), 0),
        (unit(uses=2), 2),  # no inherent FP is left (A7.35)
        (unit(uses=2, fired=FIRST), 0),
        (unit(uses=1, arms=(MMG,)), 1),
        (unit(uses=1, arms=(changed(MMG, fired=FIRST),)), 0),
        (unit(uses=1, arms=(changed(MMG, malfunctioned=True),)), 0),
        (unit(LEADER, uses=1), 1),  # who has fired does not direct
    ],
)
def test_the_count_of_sw_is_read_as_far_as_it_bars_anything(one: Unit, uses: int) -> None:
    assert lean_unit(BEFORE, one) == unit(one, uses=uses)


# ---------------------------------------------------------------------- Reaction Fire


def test_who_does_nothing_in_reaction_fire_is_gone() -> None:
    spent = unit(morale=BROKEN, fired=FINAL, arms=(MMG, PF))
    assert reactor(AFTER, spent) is None
    assert lean_unit(AFTER, spent) is None
    assert reactor(AFTER, unit(shots=3)) is None
    assert reactor(AFTER, unit(failed=True)) is None
    assert reactor(AFTER, unit(morale=PINNED)) is None


def test_a_gun_of_who_does_nothing_is_left_to_a_tracked_afv() -> None:
    crew = unit(CREW, shots=3, uses=1, fired=FIRST, arms=(MMG,), guns=(changed(GUN, fired=FIRST, emplaced=True),))
    assert reactor(AFTER, crew) == Unit("2-2-8", BROKEN, guns=(changed(GUN, emplaced=True),))
    assert reactor(HALF, crew) is None


def test_a_good_order_leader_who_does_nothing_still_helps() -> None:
    led = unit(LEADER, shots=3, uses=1, fired=FIRST, arms=(PF,), guns=(changed(GUN, fired=FIRST),))
    led = unit(led, traits=(Trait.WOUNDED,))
    kept = Unit("8-1", shots=3, failed=True, guns=(GUN,), traits=(Trait.WOUNDED,))
    assert reactor(AFTER, led) == kept
    assert reactor(HALF, led) == changed(kept, guns=())
    assert reactor(AFTER, unit(led, morale=PINNED)) == Unit("8-1", BROKEN, guns=(GUN,))
    assert reactor(AFTER, unit(LEADER, failed=True)) == Unit("8-1", shots=3, failed=True)


OWING = unit(morale=PINNED, fired=FINAL, owes=True)
USED, BROKEN_MMG = changed(MMG, fired=FIRST), changed(MMG, malfunctioned=True)


@pytest.mark.parametrize(
    ("now", "one", "kept"),
    [
        (AFTER, unit(uses=1, arms=(PF,)), unit(uses=1, arms=(PF,))),
        # Marked CC, it fires nothing more: what it holds is read by a tracked AFV alone.
        (AFTER, unit(fired=FIRST, cc=True, uses=1, arms=(MMG, PF)), unit(fired=FIRST, arms=(USED,))),
        (HALF, unit(fired=FIRST, cc=True, uses=1, arms=(MMG, PF)), unit(fired=FIRST)),
        # CC bars Non-CC fire where there is any to bar.
        (SOFT, unit(fired=FIRST, cc=True, uses=1), unit(fired=FIRST, cc=True)),
        (AFTER, unit(CREW, fired=FIRST, cc=True, guns=(GUN,)), unit(CREW, fired=FIRST, cc=True, guns=(GUN,))),
        (SOFT, unit(LEADER, fired=FIRST, cc=True), unit(LEADER, fired=FIRST, cc=True)),
        (AFTER, unit(LEADER, fired=FIRST, cc=True), unit(LEADER, fired=FIRST)),
        # A PF that is used up is gone.
        (AFTER, unit(arms=(changed(PF, fired=FIRST),)), unit()),
        (changed(AFTER, pf=False), unit(arms=(PF,)), unit()),
        # A SW that only CC asks about: its counter does not matter beside the unit's own.
        (AFTER, unit(fired=FINAL, arms=(MMG,)), unit(fired=FINAL, arms=(USED,))),
        (HALF, unit(fired=FINAL, arms=(MMG,)), unit(fired=FINAL)),
        (HALF, unit(uses=1, arms=(USED,)), unit(arms=(USED,))),
        (HALF, unit(arms=(changed(MMG, fired=FINAL),)), unit(arms=(USED,))),
        (HALF, unit(arms=(BROKEN_MMG,)), unit()),
        (AFTER, unit(arms=(BROKEN_MMG,)), unit(arms=(BROKEN_MMG,))),
        # Small arms that hurt read every SW of the unit, but no inherent one that is used up.
        (SOFT, unit(arms=(changed(MMG, fired=FINAL),)), unit(arms=(changed(MMG, fired=FINAL),))),
        (SOFT, unit(arms=(changed(PF, fired=FIRST),)), unit()),
        (SOFT, unit(uses=2), unit(uses=2)),
        (SOFT, unit(uses=1), unit()),
        (AFTER, unit(uses=2), unit()),
        # A PAATC that was passed is read by who may attack in CC an AFV.
        (AFTER, unit(paatc=True), unit(paatc=True)),
        (AFTER, unit(morale=PINNED, arms=(PF,), paatc=True), unit(morale=PINNED, arms=(PF,))),
        (AFTER, unit(OWING, paatc=True), unit(OWING, paatc=True, shots=2)),
        (at(Stage.AFTER, BLITZ), unit(paatc=True), unit()),
        # Pinned and with nothing but what it owes it attacks once.
        (AFTER, OWING, unit(OWING, shots=2)),
        (AFTER, unit(fired=FINAL, owes=True), unit(fired=FINAL, owes=True)),
        (AFTER, unit(morale=PINNED, arms=(PF,)), unit(morale=PINNED, arms=(PF,))),
        (SOFT, OWING, OWING),
        (AFTER, unit(OWING, printed="2-2-8", guns=(GUN,)), unit(OWING, printed="2-2-8", guns=(GUN,))),
        (AFTER, unit(traits=(Trait.FANATIC,), fired=FIRST), unit(traits=(Trait.FANATIC,), fired=FIRST)),
        (AFTER, unit(arms=(PF, MMG)), unit(arms=(MMG, PF))),
    ],
)
def test_what_is_kept_of_who_may_react(now: Moment, one: Unit, kept: Unit) -> None:
    assert reactor(now, one) == kept
    assert lean_unit(now, one) == kept


def test_an_unmarked_sw_in_fpf_keeps_a_pinned_unit_firing() -> None:
    late = at(Stage.AFTER, rulings={"fpf_unmarked_sw": "yes"})
    armed = unit(morale=PINNED, fired=FINAL, owes=True, arms=(PF, LMG))
    kept = reactor(late, armed)
    assert kept == unit(armed, arms=(LMG,))
    dry = unit(armed, arms=(changed(LMG, fired=FIRST),))
    assert reactor(late, dry) == unit(dry, shots=2)


def test_what_is_kept_of_a_weapon_in_reaction_fire() -> None:
    one = unit(fired=FINAL, arms=(MMG, PF))
    assert lean_piece(AFTER, one, MMG) == changed(MMG, fired=FIRST)
    assert lean_piece(AFTER, one, PF) is PF  # not kept by its unit, so as it is
    assert lean_piece(SOFT, one, MMG) is MMG
    leader = unit(LEADER, fired=FINAL, arms=(MMG,))
    assert lean_piece(SOFT, leader, MMG) == changed(MMG, fired=FIRST)
    gun = changed(GUN, fired=FIRST)
    crew = unit(CREW, guns=(gun,))
    assert lean_piece(AFTER, crew, gun) is gun
    assert lean_piece(AFTER, unit(crew, morale=BROKEN), gun) == GUN


# ---------------------------------------------------------------------- all of them together

TESTED = unit(paatc=True)
HELPER = unit(LEADER, shots=3, failed=True)
"""A leader who does nothing himself but help in a PAATC."""


def kept(now: Moment, *units: Unit) -> tuple[str, ...]:
    return tuple(one.printed for one in reactors(now, tuple(sorted(units))).units)


def test_a_leader_helps_as_long_as_a_paatc_may_be_due() -> None:
    assert kept(AFTER, HELPER, SQUAD) == ("4-6-7", "8-1")
    assert kept(AFTER, HELPER, TESTED) == ("4-6-7",)
    assert kept(AFTER, HELPER, TESTED, Unit("2-4-7")) == ("2-4-7", "4-6-7", "8-1")
    assert kept(AFTER, HELPER) == ()
    assert kept(at(Stage.AFTER, BLITZ), HELPER, SQUAD) == ("4-6-7",)
    assert kept(AFTER, HELPER, unit(morale=PINNED, arms=(PF,))) == ("4-6-7",)
    assert kept(AFTER, HELPER, unit(fired=FINAL, morale=PINNED, owes=True)) == ("4-6-7", "8-1")
    assert kept(AFTER, unit(LEADER), TESTED) == ("4-6-7", "8-1")
    assert kept(AFTER, unit(HELPER, guns=(GUN,)), TESTED) == ("4-6-7", "8-1")


def led(modifier: int) -> Moment:
    printed = {**PRINTED, "8-0": replace(PRINTED["8-1"], key="8-0", leadership=modifier)}
    return changed(AFTER, setup=replace(AFTER.setup, printed=printed))


def test_a_leader_without_a_modifier_helps_nobody_unless_another_harms() -> None:
    """A wounded 8-0, and any 6+1, adds to the PAATC; whoever is there may choose between leaders."""
    zero = changed(HELPER, printed="8-0")
    assert kept(led(0), zero, SQUAD) == ("4-6-7",)
    assert kept(led(1), zero, SQUAD) == ("4-6-7", "8-0")
    assert kept(led(-1), zero, SQUAD) == ("4-6-7", "8-0")
    wounded = changed(zero, traits=(Trait.WOUNDED,))
    assert kept(led(0), wounded, SQUAD) == ("4-6-7", "8-0")
    assert kept(led(0), zero, wounded, SQUAD) == ("4-6-7", "8-0", "8-0")
    assert kept(led(0), changed(zero, guns=(GUN,)), SQUAD) == ("4-6-7", "8-0")
    assert kept(led(0), Unit("8-0"), SQUAD) == ("4-6-7", "8-0")


def test_green_units_fight_better_beside_any_leader() -> None:
    printed = {**PRINTED, "green": replace(PRINTED["4-4-7"], key="green", unit_class=UnitClass.GREEN)}
    green = changed(AFTER, setup=replace(AFTER.setup, printed=printed))
    assert kept(green, HELPER, TESTED) == ("4-6-7", "8-1")


def test_broken_crews_are_read_for_their_guns_alone() -> None:
    crew, holder = unit(CREW, morale=BROKEN, guns=(GUN,)), unit(CREW, guns=(GUN,))
    found = reactors(AFTER, (crew, SQUAD))
    assert found.units == (crew, SQUAD)
    assert found.manning == (SQUAD,)
    assert reactors(AFTER, (holder, SQUAD)).manning == (holder, SQUAD)
    assert reactors(HALF, (crew, SQUAD)) == ((SQUAD,), (SQUAD,), True)
    assert reactors(AFTER, (unit(Unit("8-1R"), shots=3), SQUAD, crew)).units == tuple(
        sorted((crew, SQUAD, Unit("8-1R", shots=3, failed=True)))
    )


@pytest.mark.parametrize(
    ("one", "closes"),
    [
        (SQUAD, True),
        (unit(morale=PINNED, arms=(PF,)), False),
        (unit(morale=PINNED, fired=FINAL, owes=True), True),
        (unit(morale=BROKEN), False),
        (unit(shots=3), False),
        (HELPER, False),
    ],
)
def test_who_may_attack_in_cc(one: Unit, closes: bool) -> None:
    assert reactors(AFTER, (one,)).closes is closes
