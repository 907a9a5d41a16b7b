"""Who can still attack in Reaction Fire: the pinned row of the table after an OVR (fact sheet 6.2)."""

from __future__ import annotations

from typing import Any

import pytest

from overrun.kernel import changed
from overrun.rulesets.asl import ruleset
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.moment import QUIET, moment
from overrun.rulesets.asl.verdicts import attacks

TANK, TRUCK = "german-pzkpfw-iiih", "german-opel-6700-blitz"
GUN = "russian 45mm PTP obr. 32"


@pytest.mark.parametrize(
    ("vehicle", "defender", "able"),
    [
        (TANK, {"counter": "russian-4-4-7"}, True),  # CC
        (TANK, {"counter": "russian-4-4-7", "pinned": True}, False),  # note p: no CC, and notes a: no IFT
        (TANK, {"counter": "russian-4-4-7", "pinned": True, "weapons": ["russian-atr"]}, True),
        (TANK, {"counter": "russian-4-4-7", "pinned": True, "weapons": ["russian-mmg"]}, False),  # note f
        (TANK, {"counter": "russian-2-2-8-crew", "pinned": True, "guns": [GUN]}, True),
        (TANK, {"counter": "russian-2-2-8-crew", "pinned": True, "guns": [{"counter": GUN, "vca_turns": 1}]}, False),
        (TRUCK, {"counter": "russian-4-4-7", "pinned": True}, True),
        (TRUCK, {"counter": "russian-4-4-7", "broken": True}, False),
    ],
)
def test_who_can_still_attack(vehicle: str, defender: dict[str, Any], able: bool) -> None:
    document = {"system": "asl", "title": "x", "vehicle": {"counter": vehicle}, "defenders": [defender]}
    after = changed(ruleset.load(document).start.state, stage=Stage.AFTER, spent=5)
    assert attacks(moment(after), after.units[0]) is able


@pytest.mark.parametrize(
    ("stage", "quiet", "owes", "able"),
    [
        (Stage.AFTER, False, False, True),
        (Stage.AFTER, True, False, False),
        (Stage.AFTER, True, True, True),
        (Stage.BEFORE, True, False, True),
    ],
)
def test_nobody_reacts_by_choice_where_a_restriction_says_so(stage: Stage, quiet: bool, owes: bool, able: bool) -> None:
    squad = {"counter": "german 4-6-7", "weapons": ["german-atr"]}
    document = {"system": "asl", "title": "x", "vehicle": {"counter": TANK}, "defenders": [squad]}
    start = ruleset.load(document).start.state
    s = changed(start, stage=stage, spent=5, under=(QUIET,) if quiet else ())
    (unit,) = s.units
    assert attacks(moment(s), changed(unit, owes=owes)) is able
