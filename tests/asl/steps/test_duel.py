"""Gun Duels (C2.2401): whose To Hit DRM are lower, and where they are equal by the Final To Hit DR of both."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from overrun import testing
from overrun.kernel import Call, Chance, Decision, Exit, Position, Refusal, Returned, Situation, changed
from overrun.rulesets.asl import duel, ruleset
from overrun.rulesets.asl.attack import Volley
from overrun.rulesets.asl.damage import OnAFV
from overrun.rulesets.asl.defensive_fire import duel_equal, gun_duel
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.equal_duel import EqualDuel, ends, unit_fires, unit_rolls, vehicle_fires, vehicle_rolls
from overrun.rulesets.asl.hits import Target
from overrun.rulesets.asl.setup import Approach, GunOpening, Location, Motion, Terrain, UnitOpening, Way
from overrun.rulesets.asl.shell import shell_dr
from overrun.rulesets.asl.state import Act, Crew, GunPiece, Hull, Means, State, Vehicle
from overrun.rulesets.asl.strike import to_hit
from overrun.rulesets.asl.to_hit import Duel
from tests.asl.steps.situations import PZ_IIIH, start

GYRO = replace(PZ_IIIH, stabilized=True)
ROLLS = tuple(product(range(1, 7), repeat=2))


def dueling(*, turns: int = 1, tie: str = "final_dr", unit: UnitOpening | None = None, **more: Any) -> State:
    """A Stopped gyrostabilized tank, CE, with 2 +1 +2; a NT Gun that turns by 1 has 3 +2."""
    opening = {
        "vehicle": {"ce": True, "motion": Motion.STOPPED} | more.pop("it", {}),
        "guns": (GunOpening("g", "at", "u1", ca_turns=turns),),
    }
    s = start(
        (unit or UnitOpening("u1", "2-2-8"), *more.pop("others", ())),
        vehicle=GYRO,
        guns=True,
        opening=opening,
        rulings={"duel_tie": tie},
        **more,
    )
    crew = next(one for one in s.units if one.guns)
    return changed(s, stage=Stage.NONE, spent=4, act=Act(Means.GUN, (crew,), None, crew.guns[0]))


def node_of(body: Any, state: Any) -> Any:
    return body(state)


# ---------------------------------------------------------------------- who may, and who is first


@pytest.mark.parametrize(
    ("turns", "tie", "first"),
    [
        (2, "none", Duel.ATTACKER),
        (2, "final_dr", Duel.ATTACKER),
        (1, "final_dr", Duel.BY_FINAL_DR),
        (1, "none", None),
        (0, "final_dr", None),
    ],
)
def test_who_fires_first_by_the_totals(turns: int, tie: str, first: Duel | None) -> None:
    s = dueling(turns=turns, tie=tie)
    found = duel.first(s)
    assert [int(ledger.total) for ledger in duel.totals(s)] == [5, {0: 2, 1: 5, 2: 6}[turns]]
    if first is None:
        assert isinstance(found, Refusal)
        assert "is not below" in found.reason
    else:
        assert found is first


@pytest.mark.parametrize("motion", [Motion.MOVING, Motion.MOTION, Motion.STOPPED])
def test_case_c4_does_not_count(motion: Motion) -> None:
    """Neither the doubling of the lower die nor the +1 of a gyrostabilizer."""
    vehicle, _ = duel.totals(dueling(it={"motion": motion}))
    assert vehicle.total == 5


@pytest.mark.parametrize(("acquired", "total"), [(0, 6), (-1, 5), (-2, 4)])
def test_acquisition_counts(acquired: int, total: int) -> None:
    s = dueling(turns=2)
    act = s.act
    assert act is not None
    assert isinstance(act.piece, GunPiece)
    _, unit = duel.totals(changed(s, act=changed(act, piece=changed(act.piece, acquired=acquired))))
    assert unit.total == total


def test_backblast_in_a_building_counts() -> None:
    """Case C3; a SW has neither Case A nor Case E."""
    for terrain, total in ((Terrain.OPEN, 0), (Terrain.STONE_BUILDING, 2)):
        s = start((UnitOpening("a", "4-6-7", inherent=("pf",)),), pf_shots=1, location=Location(terrain))
        _, unit = duel.totals(changed(s, act=Act(Means.LATW, s.units, None, s.units[0].arms[0])))
        assert unit.total == total, terrain


@pytest.mark.parametrize(
    ("it", "why"),
    [
        ({"bypass_turns": 1}, "would have to change its CA"),
        ({"turret_to_side": False}, "the turret must point to its side Target Facing"),
        ({}, None),
    ],
)
def test_from_bypass_only_where_it_may_fire_without_turning(it: dict[str, Any], why: str | None) -> None:
    """D2.32, C2.2401."""
    found = duel.first(dueling(turns=2, it=it, approach=Approach(way=Way.BYPASS)))
    assert isinstance(found, Refusal) is (why is not None)
    if isinstance(found, Refusal):
        assert why is not None
        assert why in found.reason
    beside_nothing = duel.first(dueling(turns=2, it=it))
    assert beside_nothing is Duel.ATTACKER


def test_nobody_duels_out_of_the_location() -> None:
    s = dueling(unit=UnitOpening("u1", "2-2-8", street_fighting=True), turns=2)
    found = duel.first(s)
    assert isinstance(found, Refusal)
    assert "out of the Location" in found.reason
    node = gun_duel(s)
    assert isinstance(node, Exit)
    assert node.name == "none"


def test_the_attacker_chooses_to_roll_for_it() -> None:
    node = gun_duel(dueling())
    assert isinstance(node, Decision)
    assert [option.name for option in node.options] == ["equal", "no_duel"]
    assert [option.state.bff for option in node.options] == [("ma",), ()]


# ---------------------------------------------------------------------- both roll


def after_rolls(s: State) -> Counter[str]:
    """How often each exit of the second roll comes, of 1,296."""
    found: Counter[str] = Counter()
    for fired in ROLLS:
        node = unit_rolls(EqualDuel(s, fired))
        assert isinstance(node, Chance)
        found.update(node.then(rolled).name for rolled in ROLLS)
    return found


def brute(*, vehicle: int, unit: int, doubled: bool = False) -> Counter[str]:
    found: Counter[str] = Counter()
    for (a, b), (c, d) in product(ROLLS, repeat=2):
        one, two = a + b + (min(a, b) if doubled else 0) + vehicle, c + d + unit
        found["at_once" if one == two else "vehicle_first" if one < two else "unit_first"] += 1
    return found


def test_equal_totals_and_no_other_drm_are_a_fair_race() -> None:
    found = after_rolls(dueling())
    assert found == {"at_once": 146, "vehicle_first": 575, "unit_first": 575}


def test_every_drm_counts_in_the_final_dr() -> None:
    """Woods: +1 TEM against the shell, rough for Case B, E and A; the Gun has Case J1 against a moving vehicle."""
    moving = dueling(it={"motion": Motion.MOVING})
    assert after_rolls(moving) == brute(vehicle=5 + 1, unit=5 + 2)
    woods = dueling(location=Location(Terrain.WOODS), turns=0)
    node = unit_rolls(EqualDuel(woods, (2, 2)))
    assert isinstance(node, Chance)
    final, _, drm = node.ledgers
    assert (final.name, final.total) == ("Final TH DR, vehicle", 4 + 3 + 1 + 4 + 1)
    assert "TEM, SMOKE and concealment of the unit" in [line.reason for line in final.lines]
    assert after_rolls(woods) == brute(vehicle=9, unit=int(drm.total))


def test_case_c4_doubles_the_lower_die_of_the_final_dr() -> None:
    s = dueling(it={"motion": Motion.MOVING})
    plain = changed(s, setup=replace(s.setup, vehicle=PZ_IIIH))
    assert after_rolls(plain) == brute(vehicle=6, unit=7, doubled=True)
    for state, told in ((plain, "To Hit DR, lower die doubled"), (s, "To Hit DR")):
        node = unit_rolls(EqualDuel(state, (2, 3)))
        assert isinstance(node, Chance)
        assert node.ledgers[0].lines[0].reason == told


def test_the_vehicle_rolls_first_and_nothing_is_decided() -> None:
    node = vehicle_rolls(EqualDuel(dueling()))
    assert isinstance(node, Chance)
    assert {ledger.name for ledger in node.ledgers} == {"TH#", "BFF TH DRM"}
    assert [node.then(rolled).state.vehicle_dr for rolled in ROLLS] == list(ROLLS)


# ---------------------------------------------------------------------- both fire


def fired(node: Any, state: Any, exit: str = "resolved") -> Exit[EqualDuel]:
    assert isinstance(node, Call)
    came = node.then(Returned(exit, state))
    assert isinstance(came, Exit)
    return came


def strike_that(node: Any, fate: OnAFV) -> Any:
    return changed(node.sub, fate=fate, aim=node.sub.aim)


def shell_that(node: Any, unit: Any) -> Any:
    return changed(node.sub, volley=Volley(node.sub.setup, (), (Target(unit),)))


def test_what_was_rolled_is_what_hits() -> None:
    s = dueling()
    node = vehicle_fires(EqualDuel(s, (1, 2), (4, 4)))
    assert isinstance(node, Call)
    assert node.sub.rolled == (1, 2)
    hit, missed = shell_dr(node.sub), shell_dr(changed(node.sub, rolled=(2, 2)))
    assert isinstance(hit, Exit)
    assert isinstance(missed, Exit)
    assert (hit.name, missed.name) == ("hit", "miss")  # TH 8 -5 is 3
    assert hit.state.rolled is None
    node = unit_fires(EqualDuel(s, None, (2, 3)))
    assert isinstance(node, Call)
    hit = to_hit(node.sub)
    assert isinstance(hit, Exit)
    assert hit.name == "hit"  # TH 10 -5 is 5
    assert hit.state.figures.rolled is None
    node = unit_fires(EqualDuel(s, None, (3, 3)))
    assert isinstance(node, Call)
    missed = to_hit(node.sub)
    assert isinstance(missed, Exit)
    assert missed.name == "miss"


def test_a_unit_that_the_shell_breaks_does_not_shoot() -> None:
    s = dueling()
    node = vehicle_fires(EqualDuel(s, (1, 1), (4, 4)))
    assert isinstance(node, Call)
    (stood,) = node.sub.targets
    came = fired(node, shell_that(node, stood.unit))
    assert (came.name, came.state.vehicle_dr, came.state.unit_dr) == ("answered", None, (4, 4))
    assert came.state.s.act == s.act
    came = fired(node, shell_that(node, None))
    assert (came.name, came.state.s.units, came.state.s.act) == ("silenced", (), None)


def test_a_main_armament_that_is_hit_does_not_answer() -> None:
    for fate, name in ((OnAFV.ELIMINATED, "silenced"), (OnAFV.NONE, "answered"), (OnAFV.IMMOBILIZED, "answered")):
        node = unit_fires(EqualDuel(dueling(), (4, 4), (1, 1)))
        came = fired(node, strike_that(node, fate))
        assert came.name == name, fate
        assert (came.state.vehicle_dr, came.state.unit_dr, came.state.s.act) == ((4, 4), None, None)
    shocked = unit_fires(EqualDuel(dueling(), (4, 4), (1, 1)))
    assert isinstance(shocked, Call)
    came = fired(shocked, changed(shocked.sub, fate=OnAFV.SHOCK))
    assert came.state.s.vehicle.crew in {Crew.SHOCKED, Crew.STUNNED}
    assert came.name == "silenced"


def test_at_once_neither_hinders_the_other() -> None:
    s = dueling()
    rolls = unit_rolls(EqualDuel(s, (1, 1)))
    assert isinstance(rolls, Chance)
    tied = rolls.then((1, 1))
    assert (tied.name, tied.state.as_it_was) == ("at_once", s.vehicle)
    node = unit_fires(tied.state)
    came = fired(node, strike_that(node, OnAFV.BURNING))
    assert (came.name, came.state.s.vehicle.hull) == ("answered", Hull.BURNING)
    node = vehicle_fires(came.state)
    assert isinstance(node, Call)
    assert node.sub.fire == vehicle_fires_first(s).fire
    last = fired(node, shell_that(node, None))
    assert (last.name, last.state.s.units, last.state.s.vehicle.hull) == ("last", (), Hull.BURNING)


def vehicle_fires_first(s: State) -> Any:
    node = vehicle_fires(EqualDuel(s, (1, 1), (2, 2)))
    assert isinstance(node, Call)
    return node.sub


def test_when_both_have_fired_the_dice_are_forgotten() -> None:
    s = dueling()
    over = ends(EqualDuel(s, (1, 1), (2, 2), Vehicle()))
    assert isinstance(over, Exit)
    assert over.state == EqualDuel(s)
    for hull, name in ((Hull.MOBILE, "again"), (Hull.BURNING, "lost")):
        node = duel_equal(s)
        assert isinstance(node, Call)
        came = node.then(Returned("over", EqualDuel(changed(s, vehicle=Vehicle(hull)))))
        assert isinstance(came, Exit)
        assert (came.name, came.state.act) == (name, None)


def test_the_last_to_fire_ends_it() -> None:
    s = dueling()
    node = unit_fires(EqualDuel(s, None, (4, 4)))
    assert fired(node, strike_that(node, OnAFV.NONE)).name == "last"
    node = vehicle_fires(EqualDuel(changed(s, act=None), (4, 4)))
    assert isinstance(node, Call)
    assert fired(node, shell_that(node, node.sub.targets[0].unit)).name == "last"


def test_every_law_holds_in_a_duel_between_equals() -> None:
    testing.check_situation(ruleset, Situation("a duel", Position("none.gun_duel", dueling()), {}), small=10, plays=15)
