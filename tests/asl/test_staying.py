"""Staying with an enemy AFV, and TPBF limits: fact sheet 9 (A-49, A-52)."""

from dataclasses import replace

import pytest

from overrun.rulesets.asl.counters import Armor, MAKind
from overrun.rulesets.asl.firepower import Armament, weapons
from overrun.rulesets.asl.staying import limits_targets, threat

from .counters import HALFTRACK, TANK, TRUCK


def afv(hull_rear: int, turret_rear: int = 26):
    return replace(TANK, armor=Armor(26, 26, hull_rear, 26, turret_rear))


@pytest.mark.parametrize(
    ("vehicle", "ce", "enemy", "stays"),
    [
        # 50mm AP: 11 + 1 rear + 1 range = 13. TK# 6 eliminates, 5 immobilizes hull or shocks turret, 4 may shock.
        (TANK, False, afv(7), True),
        (TANK, False, afv(8), False),
        (TANK, False, afv(26, 8), True),
        (TANK, False, afv(9, 26), True),
        (TANK, False, afv(10, 26), False),
        (TANK, False, afv(26, 9), True),
        (TANK, False, afv(26, 10), False),
        # MG: 4 + 1 + 2 = 7; it only stuns on an equal DR.
        (HALFTRACK, True, afv(1), True),
        (HALFTRACK, True, afv(2), False),
        (HALFTRACK, False, afv(0), False),
        # FT: 8 + 1 against any armor.
        (replace(TANK, ma_kind=MAKind.FT, ft=24), False, afv(26), True),
        (replace(TANK, ma_kind=MAKind.NONE, bmg=0, cmg=0), False, afv(0), False),
        (replace(TANK, ma_caliber=81, bmg=0, cmg=0), False, afv(3), True),
        (replace(TANK, ma_caliber=81, bmg=0, cmg=0), False, afv(6), False),
        (TRUCK, False, afv(0), False),
    ],
)
def test_staying(vehicle, ce, enemy, stays, rulings):
    assert (threat(weapons(Armament(vehicle, ce=ce), rulings), vehicle, enemy) is not None) == stays


def test_limits(rulings):
    harmless = {"armored": False, "armed": False, "vulnerable_prc": False, "known": True}
    assert not limits_targets(**harmless, rulings=rulings)
    assert limits_targets(**(harmless | {"armed": True}), rulings=rulings)
    assert not limits_targets(**(harmless | {"vulnerable_prc": True}), rulings=rulings)
    assert limits_targets(**(harmless | {"armored": True}), rulings=rulings)
    assert not limits_targets(**(harmless | {"armored": True, "known": False}), rulings=rulings)
    printed = rulings | {"tpbf_limit_exception": "no_vulnerable_prc"}
    assert limits_targets(**(harmless | {"vulnerable_prc": True}), rulings=printed)
    assert not limits_targets(**(harmless | {"armed": True}), rulings=printed)
