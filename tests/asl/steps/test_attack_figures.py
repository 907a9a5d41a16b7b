"""The figures of a chosen attack on the vehicle, one circumstance after another (fact sheet 6 and 7).

Covers A-38, A-39 and A-40: firepower and cowering, To Hit and usage, CCV and CC DRM.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from overrun.kernel import changed
from overrun.rulesets.asl.counters import Nation, UnitClass, Weapon, WeaponKind
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import Mode
from overrun.rulesets.asl.figures import (
    attacker,
    carries_mark,
    close_of,
    cowers,
    fire_fp,
    fusillade_of,
    leadership,
    strike_of,
    tem_and_smoke,
)
from overrun.rulesets.asl.setup import Fired, GunOpening, Location, RiderOpening, Terrain, UnitOpening, WeaponOpening
from overrun.rulesets.asl.state import Act, Arm, Crew, Means, Morale, State, Unit
from tests.asl.steps.situations import BLITZ, HALFTRACK, PRINTED, start

PASSENGER = {"vehicle": {"riders": (RiderOpening("p", "4-6-7", rider=True),)}}


def at_truck(*units: UnitOpening | str, **more) -> State:
    """A truck with a Passenger that has spent 4 MP here, after the OVR."""
    return changed(start(units, vehicle=BLITZ, opening={**PASSENGER, **more}), stage=Stage.AFTER, spent=4)


def at_tank(*units: UnitOpening | str, stage: Stage = Stage.AFTER, spent: int = 4, **more) -> State:
    """A PzKpfw IIIH, BU, that has spent MP here."""
    given = {name: more.pop(name) for name in ("weapons", "guns", "vehicle") if name in more}
    opening = {name: value for name, value in given.items() if value}
    return changed(start(units, guns=bool(given.get("guns")), opening=opening, **more), stage=stage, spent=spent)


def one(s: State, printed: str) -> Unit:
    return next(unit for unit in s.units if unit.printed == printed)


def with_counter(s: State, key: str, **changes) -> State:
    """The state whose counter `key` is printed otherwise."""
    return changed(s, setup=replace(s.setup, printed={**PRINTED, key: replace(PRINTED[key], **changes)}))


# ------------------------------------------------------------------ IFT


def test_a_squad_adds_one_mg_as_first_fire_and_all_of_them_in_sff():
    """A7.35: beside its inherent FP a squad fires one SW, 4 + 5; SFF uses every MG, halved (A8.3): (4 + 5 + 3) / 2."""
    s = at_truck("4-6-7", weapons=(WeaponOpening("m", "mmg", "u1"), WeaponOpening("l", "lmg", "u1")))
    (unit,) = s.units
    assert fire_fp(s, Act(Means.IFT, (unit,))).total == 9 * 3
    late = changed(unit, fired=Fired.FIRST)
    assert fire_fp(s, Act(Means.IFT, (late,), mode=Mode.SFF)).total == Fraction(12 * 3, 2)


def test_a_squad_that_fired_two_sw_keeps_its_inherent_fp_in_sff():
    """A8.3: Area Fire of its inherent FP, 4 x 3 / 2."""
    s = at_truck("4-6-7")
    spent = changed(s.units[0], fired=Fired.FIRST, uses=2)
    assert fire_fp(s, Act(Means.IFT, (spent,), mode=Mode.SFF)).total == 6


def test_a_leader_and_cx_change_the_drm_against_the_truck_and_its_people():
    """A7.53 leadership -1, A4.51 CX +1; without either the DRM in the open are 0."""
    s = at_truck(UnitOpening("a", "4-4-7"), UnitOpening("b", "2-3-7", cx=True), "8-1R")
    squad, half, leader = one(s, "4-4-7"), one(s, "2-3-7"), one(s, "8-1R")

    def drms(*units: Unit, by: Unit | None = None) -> tuple[int | None, int]:
        f = fusillade_of(s, Act(Means.IFT, units, by))
        assert f.who is not None
        return f.vehicle_drm, f.who.riders[0][1]

    assert drms(squad) == (0, 0)
    assert drms(squad, by=leader) == (-1, -1)
    assert drms(half) == (1, 1)
    assert drms(half, by=leader) == (0, 0)
    ledger = fusillade_of(s, Act(Means.IFT, (squad,), leader)).ledgers[1]
    assert [(line.value, line.reason) for line in ledger.lines] == [(-1, "leadership")]


def test_a_leader_and_cx_change_the_drm_against_an_exposed_crew():
    """The crew of an open-topped halftrack: CE DRM +2 (A7.211), with a leader of -1 in all +1, for CX +3."""
    s = start((UnitOpening("a", "4-4-7"), UnitOpening("b", "2-3-7", cx=True), "8-1R"), vehicle=HALFTRACK)
    s = changed(s, stage=Stage.AFTER, spent=4)

    def drm(unit: Unit, by: Unit | None = None) -> int | None:
        who = fusillade_of(s, Act(Means.IFT, (unit,), by)).who
        assert who is not None
        return who.crew_drm

    assert drm(one(s, "4-4-7")) == 2
    assert drm(one(s, "4-4-7"), one(s, "8-1R")) == 1
    assert drm(one(s, "2-3-7")) == 3


def test_a_leader_without_a_modifier_changes_nothing():
    """A 8-0 directs with 0; a wound makes that +1 (A17.2)."""
    s = with_counter(at_truck("4-4-7", "8-1R"), "8-1R", leadership=0)
    leader = one(s, "8-1R")
    assert leadership(s, leader) == 0
    assert leadership(s, None) == 0
    f = fusillade_of(s, Act(Means.IFT, (one(s, "4-4-7"),), leader))
    assert f.vehicle_drm == 0


def test_fpf_is_a_nmc_in_which_the_directing_leader_helps():
    """A8.31: only those in FPF check, with the leadership of whoever directs them."""
    s = at_truck("4-4-7", "8-1R")
    squad, leader = one(s, "4-4-7"), one(s, "8-1R")
    final = changed(squad, fired=Fired.FINAL)
    f = fusillade_of(s, Act(Means.IFT, (final,), leader, mode=Mode.FPF))
    assert (f.fpf, f.lead, len(f.firers)) == (True, -1, 1)
    assert fusillade_of(s, Act(Means.IFT, (final,), mode=Mode.FPF)).lead == 0
    first = fusillade_of(s, Act(Means.IFT, (squad,), leader))
    assert (first.fpf, first.lead, first.firers) == (False, None, ())


@pytest.mark.parametrize(("fired", "fails_on"), [(Fired.UNMARKED, 12), (Fired.FIRST, 10), (Fired.FINAL, 10)])
def test_sustained_fire_lowers_the_breakdown_number_by_two(fired, fails_on):
    """Fact sheet 6.1: MG in SFF and FPF, B# -2."""
    s = at_truck("4-6-7", weapons=(WeaponOpening("m", "mmg", "u1"),))
    unit = changed(s.units[0], fired=fired)
    assert fusillade_of(s, Act(Means.IFT, (unit,))).breakdown == fails_on
    without = changed(unit, arms=())
    assert fusillade_of(s, Act(Means.IFT, (without,))).breakdown > 12


@pytest.mark.parametrize(
    ("key", "changes", "fanatic", "can"),
    [
        ("4-4-7", {}, False, True),
        ("4-4-7", {}, True, False),
        ("4-4-7", {"nation": Nation.FINNISH}, False, False),
        ("4-4-7", {"nation": Nation.BRITISH}, False, False),
        ("4-4-7", {"nation": Nation.BRITISH, "unit_class": UnitClass.ELITE}, False, False),
        ("4-4-7", {"nation": Nation.BRITISH, "unit_class": UnitClass.SECOND_LINE}, False, True),
        ("6-2-8", {}, False, True),
        ("1-4-9", {}, False, False),
    ],
)
def test_who_cowers(key, changes, fanatic, can):
    """A7.9: Infantry that no leader directs, but no SMC, Finn, British Elite or 1st Line, nor Fanatic unit."""
    s = with_counter(at_truck(UnitOpening("a", key, fanatic=fanatic), "8-1R"), key, **changes)
    unit = one(s, key)
    assert cowers(s, Act(Means.IFT, (unit,))) is can
    assert cowers(s, Act(Means.IFT, (unit,), one(s, "8-1R"))) is False


# ------------------------------------------------------------------ To Hit


def test_tem_and_smoke_are_two_cases():
    """Woods +1 is TEM; a +2 SMOKE counter is +3 for fire within its Location (A24.8)."""
    s = at_tank("4-4-7", location=Location(Terrain.WOODS, smoke=(2,)))
    assert tem_and_smoke(s) == (1, 3)


def gun_aim(s: State, mode: Mode = Mode.FIRST, fired: Fired = Fired.UNMARKED, ca_turns: int = 0, **unit):
    crew = s.units[0]
    gun = changed(crew.guns[0], fired=fired, ca_turns=ca_turns)
    aim = strike_of(s, Act(Means.GUN, (changed(crew, guns=(gun,), **unit),), None, gun, mode)).aim
    assert aim is not None
    return aim


GUN = (GunOpening("g", "at", "u1"),)


def test_reaction_fire_of_a_gun_has_no_case_a():
    """D7.22: its CA matched the vehicle's VCA first, so Case A is NA; before the OVR an NT turn costs +3."""
    after = at_tank("2-2-8", guns=GUN)
    assert gun_aim(after, ca_turns=1).drm == gun_aim(after).drm == 2  # Case J alone
    before = changed(after, stage=Stage.BEFORE)
    assert gun_aim(before).drm == 4  # J and E
    assert gun_aim(before, ca_turns=1).drm == 7


@pytest.mark.parametrize(
    ("stage", "mode", "fired", "nmc"),
    [
        (Stage.AFTER, Mode.FIRST, Fired.UNMARKED, False),
        (Stage.AFTER, Mode.INTENSIVE, Fired.FIRST, True),
        (Stage.BEFORE, Mode.PREVENTION, Fired.UNMARKED, True),
        (Stage.BEFORE, Mode.PREVENTION, Fired.INTENSIVE, True),
        (Stage.NONE, Mode.INTENSIVE, Fired.FIRST, False),
        (Stage.NONE, Mode.FIRST, Fired.UNMARKED, False),
    ],
)
def test_when_the_to_hit_dr_of_a_gun_is_a_nmc(stage, mode, fired, nmc):
    """OVR Prevention, whatever the Gun's mark (C5.641), and Intensive Fire after the OVR (D7.22); nothing else."""
    s = at_tank("2-2-8", guns=GUN, stage=stage)
    assert gun_aim(s, mode, fired).nmc is nmc
    assert gun_aim(s, mode, fired).breakdown == (12 if fired is Fired.UNMARKED else 10)


def test_a_pinned_or_intensive_firing_crew_keeps_no_rate_of_fire():
    """Case D: no ROF; Intensive Fire is one shot. Any other shot may keep it, the last that the MP allow as well: a Gun
    that kept its ROF is not marked, whatever the vehicle spends next (C2.24)."""
    s = at_tank("2-2-8", guns=GUN, stage=Stage.NONE)
    assert gun_aim(s).rof == 3
    assert gun_aim(s, shots=3).rof == 3
    assert gun_aim(s, morale=Morale.PINNED).rof == 0
    assert gun_aim(s, Mode.INTENSIVE, Fired.FIRST).rof == 0


def latw_aim(s: State, means: Means = Means.LATW, **unit):
    firer = changed(next(unit for unit in s.units if unit.arms), **unit)
    aim = strike_of(s, Act(means, (firer,), None, firer.arms[0])).aim
    assert aim is not None
    return aim


def test_a_pinned_unit_keeps_no_rate_of_fire_with_its_mg():
    s = at_tank("4-6-7", weapons=(WeaponOpening("m", "mmg", "u1"),), vehicle={"ce": True}, stage=Stage.NONE)
    assert latw_aim(s, Means.MG).rof == 2
    assert latw_aim(s, Means.MG, shots=3).rof == 2
    assert latw_aim(s, Means.MG, morale=Morale.PINNED).rof == 0


def test_a_panzerfaust_shows_its_check_and_its_to_hit_figures():
    """C13.31 half-squad +1; TH# 10 at range 0."""
    s = at_tank(UnitOpening("a", "2-4-7", inherent=("pf",)), pf_shots=1)
    aim = latw_aim(s)
    assert aim.find == 1
    assert [ledger.total for ledger in aim.find_ledgers] == [1]
    assert aim.ledgers[0].total == 10


def test_a_molotov_shows_its_check_and_a_flamethrower_has_none():
    """A22.611: crew +1 in a MOL check; a FT has a counter."""
    molotov = Weapon("mol", "MOL", Nation.ANY, WeaponKind.MOL)
    flames = Weapon("ft", "FT", Nation.RUSSIAN, WeaponKind.FT, fp=24, breakdown=10)
    assert molotov.inherent
    s = at_tank(UnitOpening("u1", "2-2-8", inherent=("mol",)))
    s = changed(s, setup=replace(s.setup, weapons={"mol": molotov, "ft": flames}))
    aim = latw_aim(s, Means.MOL)
    assert (aim.find, [ledger.total for ledger in aim.find_ledgers]) == (1, [1])
    assert aim.breakdown > 12
    aim = latw_aim(changed(s, units=(changed(s.units[0], arms=(Arm("ft"),)),)), Means.FT)
    assert (aim.find, aim.find_ledgers, aim.breakdown) == (None, (), 10)


def test_an_inexperienced_firer_of_a_panzerfaust_is_reduced_on_11_too():
    """C13.36: Conscripts always, Green units without a leader."""
    s = at_tank(UnitOpening("a", "4-2-6", inherent=("pf",)), UnitOpening("b", "4-4-7", inherent=("pf",)), pf_shots=2)

    def green(s: State, key: str) -> bool:
        unit = one(s, key)
        aim = strike_of(s, Act(Means.LATW, (unit,), None, unit.arms[0])).aim
        assert aim is not None
        assert aim.inherent
        return aim.green

    assert green(s, "4-2-6") is True
    assert green(s, "4-4-7") is False
    led = with_counter(
        at_tank(UnitOpening("a", "4-4-7", inherent=("pf",)), "8-1R"), "4-4-7", unit_class=UnitClass.GREEN
    )
    assert green(led, "4-4-7") is False


# ------------------------------------------------------------------ CC


def test_what_counts_as_a_mark():
    """D7.213: a counter on the unit or on any SW or Gun of it; an inherent weapon that was not found has none."""
    s = at_tank(
        UnitOpening("u1", "4-6-7", inherent=("pf",)), "2-2-8",
        weapons=(WeaponOpening("m", "mmg", "u1"),), guns=(GunOpening("g", "at", "u2"),),
    )  # fmt: skip
    squad, crew = one(s, "4-6-7"), one(s, "2-2-8")
    arms = {arm.printed: arm for arm in squad.arms}
    sought = changed(arms["pf"], fired=Fired.NO_FIRE)
    marks = {
        "nothing": (squad, False),
        "itself": (changed(squad, fired=Fired.FIRST), True),
        "its MG": (changed(squad, arms=(changed(arms["mmg"], fired=Fired.FIRST), arms["pf"])), True),
        "a PF not found": (changed(squad, arms=(arms["mmg"], sought)), False),
        "an unmarked Gun": (crew, False),
        "its Gun": (changed(crew, guns=(changed(crew.guns[0], fired=Fired.INTENSIVE),)), True),
    }
    for why, (unit, mark) in marks.items():
        assert carries_mark(s.setup, unit) is mark, why
        assert attacker(s, Act(Means.CC, (unit,))).marked is mark, why


def test_heroes_and_leaders_in_cc():
    """A11.5: hero -1, alone or with others; leadership only of a leader who takes part."""
    s = at_tank("4-4-7", "8-1R", "1-4-9")
    squad, leader, hero = one(s, "4-4-7"), one(s, "8-1R"), one(s, "1-4-9")

    def who(unit: Unit, other: Unit | None = None) -> tuple[bool, int | None, bool]:
        made = attacker(s, Act(Means.CC, (unit,), other))
        return made.hero, made.leadership, made.with_smc

    assert who(squad) == (False, None, False)
    assert who(squad, leader) == (False, -1, True)
    assert who(squad, hero) == (True, None, True)
    assert who(leader) == (False, -1, False)
    assert who(hero) == (True, None, False)


def test_a_heroic_leader_gives_both_modifiers():
    s = at_tank("4-4-7", UnitOpening("b", "8-1R", heroic=True))
    squad, leader = one(s, "4-4-7"), one(s, "8-1R")
    for act in (Act(Means.CC, (squad,), leader), Act(Means.CC, (leader,))):
        made = attacker(s, act)
        assert (made.hero, made.leadership) == (True, -1)


@pytest.mark.parametrize(
    ("crew", "reduced"),
    [(Crew.GOOD, True), (Crew.STUNNED, False), (Crew.SHOCKED, False), (Crew.GONE, False)],
)
def test_whom_an_original_12_reduces(crew, reduced):
    """A11.62: attackers of a crewed vehicle that is neither Shocked nor Stunned."""
    s = at_tank("4-4-7")
    s = changed(s, vehicle=changed(s.vehicle, crew=crew))
    assert close_of(s, Act(Means.CC, s.units)).casualties is reduced


def test_the_try_for_an_atmm_shows_its_drm():
    """C13.7: half-squad +1."""
    s = at_tank("2-4-7", vehicle=None)
    made = close_of(s, Act(Means.CC, s.units, atmm=True))
    assert made.atmm == 1
    assert [ledger.total for ledger in made.atmm_ledgers] == [1]
    plain = close_of(s, Act(Means.CC, s.units))
    assert (plain.atmm, plain.atmm_ledgers) == (None, ())
