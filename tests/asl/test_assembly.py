"""What a file leaves out is filled in: PF shots by the date and the squad-equivalents (fact sheet 6.4).

Half a squad-equivalent counts as one: the sheet rounds down the 1.5 of 1944 and does not speak of halves.
"""

from __future__ import annotations

import pytest

from overrun.kernel import InputError
from overrun.rulesets.asl import ruleset
from overrun.rulesets.asl.selection import random_selection

SQUAD, HALF, CREW, LEADER = "german 4-6-7", "german-2-4-7", "german-2-2-8-crew", "german 8-1"


def pf(date: str, *counters: str, **more: object) -> int:
    defenders = [{"counter": counter} for counter in counters]
    defenders[0]["inherent"] = ["PF"]  # type: ignore[assignment]
    document = {
        "system": "asl",
        "title": "PF",
        "date": date,
        "vehicle": {"counter": "russian T-34 M41"},
        "defenders": defenders,
    }
    state = ruleset.load(document | more).start.state
    return int(state.pf)


@pytest.mark.parametrize(
    ("date", "counters", "shots"),
    [
        ("1943-12", (SQUAD,), 1),
        ("1943-12", (SQUAD, SQUAD), 2),
        ("1944-06", (SQUAD,), 1),
        ("1944-06", (SQUAD, SQUAD), 3),
        ("1944-06", (SQUAD, HALF), 3),
        ("1944-06", (SQUAD, CREW), 3),
        ("1944-06", (SQUAD, LEADER), 1),
        ("1944-12", (SQUAD, SQUAD, SQUAD), 4),
        ("1945-01", (SQUAD,), 2),
        ("1945-01", (HALF,), 2),
        ("1945-01", (HALF, HALF), 2),
        ("1945-01", (HALF, CREW), 2),
        ("1945-01", (CREW, CREW), 2),
        ("1945-01", (SQUAD, SQUAD, HALF), 6),
    ],
)
def test_pf_shots_by_date_and_squad_equivalents(date: str, counters: tuple[str, ...], shots: int) -> None:
    assert pf(date, *counters) == shots


def test_pf_shots_as_given() -> None:
    assert pf("1945-01", SQUAD, pf_shots=7) == 7


def test_the_dice_of_random_selection_name_their_targets() -> None:
    dice = random_selection(3, 1)
    assert (dice.labels, dice.sides) == (("target 1", "target 2", "target 3"), (6, 6, 6))


def test_the_weapons_that_a_vehicle_has_are_named() -> None:
    document = {
        "system": "asl",
        "title": "weapons",
        "vehicle": {"counter": "german PzKpfw IIIH", "disabled": ["AAMG"]},
        "defenders": [{"counter": "russian 4-4-7"}],
    }
    with pytest.raises(InputError) as caught:
        ruleset.load(document)
    assert [problem.allowed for problem in caught.value.problems] == ["MA, BMG, CMG"]


def test_alike_units_have_alike_guns() -> None:
    document = {
        "system": "asl",
        "title": "two Guns",
        "vehicle": {"counter": "german PzKpfw IIIH"},
        "defenders": [{"counter": "russian-2-2-8-crew", "count": 2, "guns": ["russian 45mm PTP obr. 32"]}],
    }
    units = ruleset.load(document).start.state.units
    assert [len(unit.guns) for unit in units] == [1, 1]
