"""One shot and one CC attack on the vehicle, step by step (fact sheet 6.3 to 6.6, 7).

Covers A-39 and A-40: usage, To Hit, OVR Prevention, To Kill, collateral effects; PAATC, ATMM and FPF in CC.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from overrun.kernel import Call, Chance, Exit, Returned, changed
from overrun.rulesets.asl.checks import Check, CheckKind
from overrun.rulesets.asl.close import Close, atmm, close_dr, paatc_first
from overrun.rulesets.asl.damage import OnAFV
from overrun.rulesets.asl.exposed import Exposure
from overrun.rulesets.asl.ift import OnVehicle
from overrun.rulesets.asl.state import Crew, Morale, Rider, Unit
from overrun.rulesets.asl.strike import (
    Aim,
    Strike,
    collateral,
    dc_position,
    firer_check,
    leaves,
    shock_check,
    to_hit,
    to_kill,
    usage,
    which_hit,
)
from overrun.rulesets.asl.to_hit import Facing, Hit
from overrun.rulesets.asl.to_kill import Ammunition, Round, Struck
from tests.asl.steps.situations import HALFTRACK, PZ_IIIH, setup

SQUAD = Unit("4-4-7")
CREW = Unit("2-2-8")
BU = Exposure(Crew.GOOD, 8, None, ())
AP = Round(Ammunition.AP, 45, "L")
SIDE = Struck(Hit.HULL, Facing.SIDE)
PLAIN = Aim(AP, 10)


def shot(aim: Aim, firer: Unit | None = None, who: Exposure = BU, vehicle: Any = PZ_IIIH, **more: Any) -> Strike:
    return Strike(setup(vehicle), aim, firer, who, **more)


def rolled(node: Any, *dice: Any) -> Exit:
    assert isinstance(node, Chance)
    return node.then(*dice)


# ------------------------------------------------------------------ To Hit and the firer


@pytest.mark.parametrize(
    ("dr", "morale", "exit", "after"),
    [
        (2, Morale.GOOD, "found", Morale.GOOD),
        (3, Morale.GOOD, "not_found", Morale.GOOD),
        (6, Morale.GOOD, "pinned", Morale.PINNED),
        (6, Morale.PINNED, "broke", Morale.BROKEN),
    ],
)
def test_a_panzerfaust_that_is_not_found_is_no_shot(dr, morale, exit, after):
    """C13.31 with a drm of +1: Final 3 or less finds it; Original 6 pins, and breaks a pinned firer."""
    came = rolled(usage(shot(Aim(AP, 10, find=1, inherent=True), Unit("2-4-7", morale))), dr)
    assert (came.name, came.state.found, came.state.firer.morale) == (exit, exit == "found", after)


def test_the_to_hit_number_is_shown():
    """A To Hit DR that nobody explained otherwise shows its number."""
    node = to_hit(shot(Aim(AP, 8)))
    assert [(ledger.name, ledger.total) for ledger in node.ledgers] == [("TH#", 8)]


@pytest.mark.parametrize(
    ("aim", "dice", "exit", "again"),
    [
        (Aim(AP, 10, rof=3), (3, 4), "hit", True),
        (Aim(AP, 10, rof=3), (4, 3), "hit", False),
        (Aim(AP, 10, rof=3, breakdown=9), (3, 6), "malfunction", False),
        (Aim(AP, 10, rof=6, inherent=True), (6, 6), "casualty", False),
    ],
)
def test_a_weapon_that_fails_keeps_no_rate_of_fire(aim, dice, exit, again):
    """C2.24: the colored die keeps ROF, but not for a weapon that malfunctions or costs its firer."""
    came = rolled(to_hit(shot(aim, SQUAD)), dice)
    assert (came.name, came.state.again) == (exit, again)


@pytest.mark.parametrize(
    ("morale", "exit"),
    [(Morale.GOOD, "stands"), (Morale.PINNED, "voided"), (Morale.BROKEN, "voided"), (None, "voided")],
)
def test_overrun_prevention_is_void_when_the_crew_pins_or_breaks(morale, exit):
    """C5.64: pin or break voids the shot and its rate of fire; else hit and rate stand."""
    k = shot(Aim(AP, 10, nmc=True, rof=3), CREW, hit=SIDE, original=5, again=True)
    node = firer_check(k)
    assert isinstance(node, Call)
    assert node.sub.given == 5
    unit = None if morale is None else changed(CREW, morale=morale)
    came = node.then(Returned("checked", Check(k.setup, unit, CheckKind.MC)))
    stands = exit == "stands"
    assert (came.name, came.state.hit, came.state.again, came.state.firer) == (
        exit,
        SIDE if stands else None,
        stands,
        unit,
    )


@pytest.mark.parametrize(
    ("dr", "place", "under"), [(1, Hit.CRITICAL, False), (2, Hit.TURRET, True), (3, Hit.HULL, False)]
)
def test_an_improbable_turret_hit_may_strike_the_underbelly(dr, place, under):
    """D4.3: a turret hit becomes the underbelly hit, no other."""
    k = shot(PLAIN, hit=Struck(Hit.IMPROBABLE, Facing.SIDE, underbelly=True))
    came = rolled(which_hit(k), dr)
    assert (came.state.hit.hit, came.state.hit.underbelly) == (place, under)


@pytest.mark.parametrize(
    ("drm", "dr", "exit", "under"),
    [
        (0, 5, "aerial", True),
        (0, 6, "hull", False),
        (0, 8, "hull", False),
        (1, 5, "hull", False),
        (-1, 6, "aerial", True),
    ],
)
def test_where_a_dc_lies(drm, dr, exit, under):
    """C7.346: Final 5 or less Aerial AF, 6 to 8 the AF."""
    came = rolled(dc_position(shot(Aim(Round(Ammunition.DC), placed=drm))), dr)
    assert (came.name, came.state.hit.underbelly) == (exit, under)


# ------------------------------------------------------------------ To Kill and the crew

SHELL = Aim(Round(Ammunition.AP, 45, "L"), 10)
"""Basic TK# 10, +1 at range 0; against the side AF of 3: 8."""


@pytest.mark.parametrize(
    ("crew", "dr", "fate"),
    [
        (Crew.GOOD, 7, OnAFV.ELIMINATED),
        (Crew.GONE, 7, OnAFV.ELIMINATED),
        (Crew.SHOCKED, 7, OnAFV.ELIMINATED),
        (Crew.GONE, 4, OnAFV.BURNING),
        (Crew.GONE, 8, OnAFV.IMMOBILIZED),
        (Crew.GOOD, 9, OnAFV.SHOCK_CHECK),
        (Crew.SHOCKED, 9, OnAFV.NONE),
        (Crew.GONE, 9, OnAFV.NONE),
    ],
)
def test_a_crew_that_is_gone_or_shocked_is_not_shocked_again(crew, dr, fate):
    """Fact sheet 6.5 against TK# 8: half burns, below eliminates, equal immobilizes, +1 may Shock a crew."""
    k = shot(SHELL, who=Exposure(crew, 8, None, ()), hit=SIDE)
    assert rolled(to_kill(k), dr).state.fate is fate


def test_crew_checks_show_and_use_the_crews_morale_level():
    """Possible Shock and the Immobilization TC: ML 8 or less passes."""
    for step, passed, failed in ((shock_check, "steady", "shocked"), (leaves, "stays", "abandons")):
        node = step(shot(PLAIN, who=BU, fate=OnAFV.SHOCK_CHECK))
        assert isinstance(node, Chance)
        assert [(ledger.name, ledger.total) for ledger in node.ledgers] == [("crew ML", 8)]
        assert [node.then(dr).name for dr in (8, 9)] == [passed, failed]


@pytest.mark.parametrize(
    ("fate", "abandons", "hurt"),
    [
        (OnAFV.NONE, False, True),
        (OnAFV.SHOCK, False, False),
        (OnAFV.STUN, False, False),
        (OnAFV.IMMOBILIZED, False, True),
        (OnAFV.IMMOBILIZED, True, False),
    ],
)
def test_no_collateral_effect_on_a_crew_that_is_shocked_stunned_or_gone(fate, abandons, hurt):
    """D.8A: 2 FP for a 45L, Original 4 with the CE DRM of +2: DR 6 is a PTC against whoever is exposed."""
    who = Exposure(Crew.GOOD, 8, 2, ((Rider("4-6-7", rider=True), 2),))
    node = collateral(shot(SHELL, who=who, vehicle=HALFTRACK, original=4, fate=fate, abandons=abandons))
    assert isinstance(node, Call)
    assert (node.sub.crew_result is not None) is hurt
    assert any(node.sub.results)
    names = [ledger.name for ledger in node.then(Returned("settled", node.sub)).ledgers]
    # Its FP, then the DR against the crew if it is hurt, and against the Rider.
    assert names[0] == "collateral FP"
    assert len(names) == (3 if hurt else 2)


# ------------------------------------------------------------------ CC


def cc(*units: Unit, ccv: int = 5, drm: int = 0, **more: Any) -> Close:
    return Close(setup(), units, ccv, drm, **more)


def test_a_failed_paatc_is_remembered_and_pins():
    """D7.21: 8 on ML 7 fails; the unit is pinned and may not Reaction Fire; as FPF it attacks with a CCV less."""
    node = paatc_first(cc(SQUAD, tester=0, ml=7))
    assert rolled(node, 7).name == "passed"
    failed = rolled(node, 8)
    (unit,) = failed.state.attackers
    assert (failed.name, unit.failed, unit.morale, failed.tally) == ("failed", True, Morale.PINNED, {"pinned": 1})
    anyway = rolled(paatc_first(cc(SQUAD, tester=0, ml=7, fpf=True)), 8)
    assert (anyway.name, anyway.state.ccv, anyway.state.attackers[0].failed) == ("attacks_anyway", 4, True)


@pytest.mark.parametrize(
    ("dr", "drm", "exit", "ccv", "total"),
    [
        (3, 0, "found", 5, -3),
        (4, 0, "none", 5, 0),
        (2, 1, "found", 5, -3),
        (3, 1, "none", 5, 0),
        (6, 0, "pinned", 4, 0),
        (6, -3, "pinned", 4, 0),
    ],
)
def test_the_try_for_an_atmm(dr, drm, exit, ccv, total):
    """C13.7: Final 3 or less finds it (-3); an Original 6 pins and costs a CCV."""
    came = rolled(atmm(cc(SQUAD, atmm=drm)), dr)
    pinned = exit == "pinned"
    assert (came.name, came.state.ccv, came.state.drm) == (exit, ccv, total)
    assert came.state.attackers[0].pinned is pinned
    assert came.tally == ({"pinned": 1} if pinned else None)


def test_an_atmm_check_pins_nobody_who_is_pinned_already():
    pinned = changed(SQUAD, morale=Morale.PINNED)
    came = rolled(atmm(cc(pinned, atmm=0)), 6)
    assert (came.name, came.state.ccv, came.tally) == ("none", 4, None)


BERSERK = changed(SQUAD, morale=Morale.BERSERK)


@pytest.mark.parametrize(
    ("unit", "fpf", "original", "fate"),
    [
        (SQUAD, True, 7, OnVehicle.NONE),  # ML 7 pins: CCV 6, so 7 misses; see also the next
        (SQUAD, False, 7, OnVehicle.IMMOBILIZED),
        (SQUAD, True, 6, OnVehicle.ELIMINATED),
        (SQUAD, True, 8, OnVehicle.NONE),
        (changed(SQUAD, morale=Morale.PINNED), True, 7, OnVehicle.IMMOBILIZED),
        (BERSERK, True, 7, OnVehicle.IMMOBILIZED),
        (Unit("1-4-9"), True, 7, OnVehicle.IMMOBILIZED),
    ],
)
def test_fpf_that_pins_the_attacker_costs_one_ccv(unit, fpf, original, fate):
    """Fact sheet 7.8: the Original DR equal to the ML pins whoever was not pinned, which is CCV -1 in that attack."""
    came = rolled(close_dr(cc(unit, ccv=7, fpf=fpf)), original)
    assert came.state.fate is fate


@pytest.mark.parametrize(
    ("unit", "fate"),
    [
        (Unit("1-4-9"), OnVehicle.IMMOBILIZED),
        (Unit("8-1R", traits=()), OnVehicle.NONE),
    ],
)
def test_a_hero_is_never_pinned_by_fpf(unit, fate):
    """An Original 8 on a leader's ML of 8 pins him; a hero of ML 8 takes no pin."""
    made = setup()
    made = replace(made, printed={**made.printed, "1-4-9": replace(made.printed["1-4-9"], ml=8)})
    came = rolled(close_dr(Close(made, (unit,), 8, 0, fpf=True)), 8)
    assert came.state.fate is fate


def test_an_eliminated_partner_is_not_asked():
    came = rolled(close_dr(cc(SQUAD, None, ccv=7, fpf=True)), 7)
    assert came.state.fate is OnVehicle.NONE
