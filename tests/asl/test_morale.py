"""Checks, Heat of Battle and the exact odds vectors of the fact sheet, section 12 (A-37)."""

from collections import Counter
from fractions import Fraction

import pytest

from overrun.rulesets.asl.counters import Nation, Unit, UnitClass, UnitKind
from overrun.rulesets.asl.ift import Casualty, effect, look_up
from overrun.rulesets.asl.morale import (
    Check,
    LeaderNear,
    Nerve,
    best_leader,
    check_drm,
    current_leadership,
    heat_drm,
    heat_of_battle,
    heat_of_battle_due,
    inexperienced,
    leader_loss_drm,
    morale_level,
    passes,
    wound,
)

TWO_DICE = {total: Fraction(6 - abs(total - 7), 36) for total in range(2, 13)}


def unit(kind=UnitKind.SQUAD, unit_class=UnitClass.FIRST_LINE, nation=Nation.GERMAN, **values) -> Unit:
    return Unit("key", "unit", nation, kind, unit_class, 4, 6, **({"ml": 7, "broken_ml": 7} | values))


def vector(fp: int, drm: int, ml: int, hs_ml: int) -> dict[str, Fraction]:
    """Fates of a lone unbroken squad under one IFT attack."""
    fates: Counter[str] = Counter()
    for original, chance in TWO_DICE.items():
        result, _ = look_up(fp, original + drm)
        what = effect(result, selected=True, breakable=True, smc=False, pinnable=True)
        if what.casualty is Casualty.ELIMINATED:
            fates["elim"] += chance
            continue
        small = what.casualty is Casualty.REDUCED
        name, level = ("HS ", hs_ml) if small else ("", ml)
        if what.check is None:
            for dr, share in TWO_DICE.items():
                pinned = what.pin_check and not passes(dr, 0, level)
                fates[name + ("pin" if pinned else "ok")] += chance * share
            continue
        for dr, share in TWO_DICE.items():
            end = Check(level, what.check).read(dr)
            match end:
                case "reduced_and_broke":
                    fates["elim" if small else "HS broken"] += chance * share
                case "broke":
                    fates[name + "broken"] += chance * share
                case "pinned":
                    fates[name + "pin"] += chance * share
                case _:
                    fates[name + "ok"] += chance * share
    return {fate: chance for fate, chance in fates.items() if chance}


def exact(**fates: str) -> dict[str, Fraction]:
    return {fate.replace("HS_", "HS "): Fraction(chance) for fate, chance in fates.items()}


@pytest.mark.parametrize(
    ("attack", "expected"),
    [
        (
            (16, -1, 7, 7),
            exact(
                elim="55/324",
                HS_broken="47/432",
                HS_pin="1/108",
                HS_ok="1/108",
                broken="49/108",
                pin="121/1296",
                ok="101/648",
            ),
        ),
        (
            (12, -2, 7, 7),
            exact(
                elim="55/324",
                HS_broken="47/432",
                HS_pin="1/108",
                HS_ok="1/108",
                broken="49/108",
                pin="121/1296",
                ok="101/648",
            ),
        ),
        (
            (8, -1, 7, 7),
            exact(
                elim="37/432",
                HS_broken="11/144",
                HS_ok="1/72",
                HS_pin="1/108",
                broken="167/432",
                pin="10/81",
                ok="395/1296",
            ),
        ),
        (
            (16, 1, 8, 8),
            exact(
                elim="19/648",
                HS_broken="77/1296",
                HS_ok="1/108",
                HS_pin="1/162",
                broken="445/1296",
                pin="173/1296",
                ok="181/432",
            ),
        ),
    ],
)
def test_exact_odds(attack, expected):
    assert vector(*attack) == expected


def test_exact_odds_in_a_stone_building():
    fates = vector(16, 3, 7, 7)
    assert {fate: fates[fate] for fate in ("broken", "HS broken", "pin", "ok")} == exact(
        broken="209/648", HS_broken="7/432", pin="179/1296", ok="113/216"
    )


def test_raw_results_of_16_fp_at_minus_1():
    found: Counter[str] = Counter()
    for original, chance in TWO_DICE.items():
        found[str(look_up(16, original - 1)[0])] += chance * 36
    assert found == {
        "3KIA": 1,
        "2KIA": 2,
        "1KIA": 3,
        "K/3": 4,
        "3MC": 5,
        "2MC": 11,
        "1MC": 7,
        "NMC": 2,
        "PTC": 1,
    }


@pytest.mark.parametrize(
    ("check", "results"),
    [
        (Check(7), {2: "passed", 6: "passed", 7: "pinned", 8: "broke", 11: "broke", 12: "reduced_and_broke"}),
        (Check(7, 2), {4: "passed", 5: "pinned", 6: "broke"}),
        (Check(7, broken=True), {7: "passed", 8: "reduced", 12: "eliminated"}),
        (Check(9, unbreakable=True), {9: "passed", 10: "reduced", 12: "reduced"}),
        (Check(9, unbreakable=True, hero=True), {10: "reduced", 12: "wounded"}),
        (Check(7, pinnable=False), {7: "passed", 8: "broke"}),
        (Check(10, -2), {11: "passed", 12: "reduced_and_broke"}),
    ],
)
def test_morale_check(check, results):
    assert {dr: check.read(dr) for dr in results} == results


def test_elr():
    assert not Check(7, elr=3).fails_elr(10)
    assert Check(7, elr=3).fails_elr(11)
    assert Check(7, 2, elr=3).fails_elr(9)
    assert Check(7, elr=3).fails_elr(12)
    assert not Check(7, elr=3, broken=True).fails_elr(11)
    assert not Check(7, elr=3, unbreakable=True).fails_elr(11)
    assert not Check(7).fails_elr(11)


def test_leader_helps_only_lower_ml_leaders():
    leader = LeaderNear(9, -2)
    assert check_drm(7, 1, leader).total == -1
    assert check_drm(8, 0, leader, is_leader=True).total == -2
    assert check_drm(9, 0, leader, is_leader=True).total == 0
    assert check_drm(7, 2, LeaderNear(9, -2, able=False)).total == 2
    assert check_drm(7, 0, LeaderNear(6, 1)).total == 1
    assert check_drm(7, 3, None).total == 3
    assert best_leader([LeaderNear(8, -1), LeaderNear(9, -2, able=False), LeaderNear(8, 0)]) == LeaderNear(8, -1)
    assert best_leader([]) is None


def test_morale_levels():
    squad = unit(ml=7, broken_ml=6)
    assert morale_level(Nerve(squad)).total == 7
    assert morale_level(Nerve(squad, broken=True)).total == 6
    assert morale_level(Nerve(squad, fanatic=True)).total == 8
    assert morale_level(Nerve(squad, berserk=True)).total == 10
    assert morale_level(Nerve(squad, wounded=True)).total == 6


def test_leader_losses():
    assert [leader_loss_drm(modifier).value for modifier in (-2, -1, 0, 1)] == [2, 1, 0, 0]
    leader = unit(UnitKind.LEADER, UnitClass.SMC, leadership=-1)
    assert [current_leadership(leader, wounded=w) for w in (False, True)] == [-1, 0]
    assert current_leadership(unit(), wounded=True) is None


@pytest.mark.parametrize(
    ("nation", "unit_class", "broken", "green", "drm"),
    [
        (Nation.GERMAN, UnitClass.FIRST_LINE, False, False, 0),
        (Nation.GERMAN, UnitClass.SS, False, False, -1),
        (Nation.GERMAN, UnitClass.ELITE, True, False, 0),
        (Nation.GERMAN, UnitClass.CONSCRIPT, True, True, 2),
        (Nation.BRITISH, UnitClass.ELITE, False, False, -2),
        (Nation.FINNISH, UnitClass.FIRST_LINE, False, False, -1),
        (Nation.FRENCH, UnitClass.FIRST_LINE, False, False, 1),
        (Nation.PARTISAN, UnitClass.FIRST_LINE, False, False, 1),
        (Nation.RUSSIAN, UnitClass.FIRST_LINE, False, False, 2),
        (Nation.ALLIED_MINOR, UnitClass.FIRST_LINE, False, False, 2),
        (Nation.AXIS_MINOR, UnitClass.FIRST_LINE, False, False, 3),
        (Nation.ITALIAN, UnitClass.FIRST_LINE, False, False, 3),
        (Nation.JAPANESE, UnitClass.FIRST_LINE, False, False, 4),
    ],
)
def test_heat_drm(nation, unit_class, broken, green, drm):
    assert heat_drm(unit(nation=nation, unit_class=unit_class), broken=broken, inexperienced=green).total == drm


def test_heat_results():
    german, italian = unit(), unit(nation=Nation.ITALIAN)
    assert [str(heat_of_battle(dr, german)) for dr in (1, 4, 5, 6, 7, 8, 9, 11, 12, 15)] == [
        "hero",
        "hero",
        "hero_and_hardened",
        "hero_and_hardened",
        "hardened",
        "hardened",
        "berserk",
        "berserk",
        "surrender",
        "surrender",
    ]
    assert [str(heat_of_battle(dr, italian)) for dr in (9, 10)] == ["berserk", "surrender"]
    assert heat_of_battle(10, unit(nation=Nation.AXIS_MINOR)) == "surrender"
    assert heat_of_battle(10, unit(nation=Nation.ITALIAN, unit_class=UnitClass.ELITE)) == "berserk"


def test_who_gets_heat_of_battle():
    free = {"berserk": False, "cavalry": False, "prc": False, "unarmed": False}
    assert heat_of_battle_due(2, unit=unit(), **free)
    assert not heat_of_battle_due(3, unit=unit(), **free)
    for bar in free:
        assert not heat_of_battle_due(2, unit=unit(), **(free | {bar: True}))
    for kind in (UnitKind.HERO, UnitKind.CREW):
        assert not heat_of_battle_due(2, unit=unit(kind), **free)


def test_inexperienced():
    assert inexperienced(unit(unit_class=UnitClass.CONSCRIPT), leader_present=True)
    assert inexperienced(unit(unit_class=UnitClass.GREEN), leader_present=False)
    assert not inexperienced(unit(unit_class=UnitClass.GREEN), leader_present=True)
    assert not inexperienced(unit(), leader_present=False)


def test_wounds():
    assert [wound(dr, already_wounded=False) for dr in range(1, 7)] == ["minor"] * 4 + ["dead"] * 2
    assert [wound(dr, already_wounded=True) for dr in (3, 4)] == ["minor", "dead"]
    assert [wound(dr, already_wounded=False, drm=1) for dr in (3, 4)] == ["minor", "dead"]
