"""Which of the vehicle's disabled weapons analysis keeps: the fewest that CC and running over weapons read alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from overrun.kernel import changed
from overrun.rulesets.asl.counters import Movement, Turret
from overrun.rulesets.asl.lean_vehicle import lean_vehicle
from overrun.rulesets.asl.state import Crew, Hull, Rider, Vehicle
from tests.asl.steps.situations import BLITZ, HALFTRACK, T34, start

RIDERS = tuple(Rider("4-4-7", rider=True) for _ in range(3))
HALVES = tuple(Rider("2-3-7", rider=True) for _ in range(6))


def kept(
    *disabled: str, printed: Any = T34, closes: bool = False, runs_over: bool = False, pin: str = "ignore", **hurt: Any
) -> tuple[str, ...]:
    s, vehicle = start((), vehicle=printed, rulings={"pinned_crew_ovr": pin}), Vehicle(disabled=disabled, **hurt)
    return lean_vehicle(s.setup, s.given, vehicle, closes=closes, runs_over=runs_over).disabled


def test_what_nothing_asks_for_is_forgotten() -> None:
    assert kept("BMG", "CMG", "MA") == ()
    assert kept("BMG", "CMG", "MA", crew=Crew.SHOCKED, prc=RIDERS) == ()


def test_nothing_else_of_the_vehicle_is_forgotten() -> None:
    s = start((), vehicle=T34)
    whole = Vehicle(Hull.BOGGED, Crew.SHOCKED, ce=True, prc=RIDERS)
    for closes, runs_over in ((False, False), (True, False), (False, True), (True, True)):
        assert lean_vehicle(s.setup, s.given, whole, closes=closes, runs_over=runs_over) is whole
        hurt = changed(whole, disabled=("BMG", "CMG", "MA"))
        lean = lean_vehicle(s.setup, s.given, hurt, closes=closes, runs_over=runs_over)
        assert changed(lean, disabled=()) == whole


@pytest.mark.parametrize(
    ("disabled", "left"),
    [
        (("BMG",), ()),
        (("CMG", "MA"), ()),
        (("MA",), ()),
        (("BMG", "CMG"), ("BMG", "CMG")),
        (("BMG", "CMG", "MA"), ("BMG", "CMG")),
    ],
)
def test_cc_asks_whether_a_manned_mg_is_left(disabled: tuple[str, ...], left: tuple[str, ...]) -> None:
    """A11.51."""
    assert kept(*disabled, closes=True) == left


def test_an_mg_that_is_not_manned_is_none() -> None:
    """An AAMG wants a CE crew (D1.83); a RST is not manned by one, so that only the BMG is left."""
    assert kept("AAMG", printed=HALFTRACK, ce=True, closes=True) == ("AAMG",)
    assert kept("AAMG", printed=HALFTRACK, closes=True) == ()
    assert kept("MA", printed=HALFTRACK, ce=True, closes=True) == ("AAMG",)
    # CE now, it may be buttoned up later: then its CMG counts.
    assert kept("BMG", ce=True, closes=True) == ("BMG",)
    assert kept("BMG", "CMG", ce=True, closes=True) == ("BMG", "CMG")
    assert kept("CMG", ce=True, closes=True) == ()


# Of the columns 2 and 4 do the same to weapons, 6 to 12 do, 16 and 20 do; for a tracked AFV 30 and 36 do too.


@pytest.mark.parametrize(
    ("disabled", "left"),
    [
        # 4 + 3/2 of 6 MG FP is 13. Alike: 2 + 9, 4 + 6, 4 + 3, 2 + 6.
        (("MA",), ()),
        (("BMG",), ()),
        (("CMG",), ()),
        (("BMG", "MA"), ()),
        # 2 + 3 is column 4, and so are 4 and 2.
        (("CMG", "MA"), ("BMG", "CMG")),
        (("BMG", "CMG"), ("BMG", "CMG")),
        (("BMG", "CMG", "MA"), ("BMG", "CMG")),
        (("FT", "IFE"), ()),
    ],
)
def test_what_it_runs_over_with(disabled: tuple[str, ...], left: tuple[str, ...]) -> None:
    """A9.74: on the column of the FP that it has."""
    assert kept(*disabled, runs_over=True) == left


def test_cc_and_running_over_are_both_read() -> None:
    assert kept("CMG", "MA", closes=True) == ()
    assert kept("CMG", "MA", closes=True, runs_over=True) == ("CMG", "MA")
    weak = replace(T34, bmg=0, cmg=1)
    assert kept("CMG", printed=weak, runs_over=True) == ()
    assert kept("CMG", printed=weak, closes=True, runs_over=True) == ("CMG",)


def test_riders_may_be_lost_so_every_future_is_compared() -> None:
    """A rider adds 3/4 of 4 FP, or of 2 when he is reduced, or nothing any more."""
    one = RIDERS[:1]
    assert kept("MA", runs_over=True, prc=one) == ("BMG",)  # 16 with all of it
    assert kept("CMG", runs_over=True, prc=one) == ("BMG",)
    assert kept("BMG", "CMG", runs_over=True, prc=one) == ("BMG", "CMG")  # 7, 5, 4
    assert kept("CMG", "MA", runs_over=True, prc=one) == ("CMG", "MA")  # 8, 6, 5
    assert kept("MA", closes=True, prc=one) == ()


OPEN = replace(T34, turret=Turret.T, open_topped=True)


def test_an_open_topped_crew_may_come_to_be_pinned() -> None:
    """Its MG FP is halved then: 4 + 4 1/2, but 4 + 1 1/2 without the CMG."""
    halved = {"ce": True, "runs_over": True, "pin": "halve"}
    closed = replace(OPEN, open_topped=False)
    assert kept("CMG", printed=closed, **halved) == ()
    for crew in (Crew.GOOD, Crew.PINNED, Crew.SHOCKED):
        assert kept("CMG", printed=OPEN, **halved, crew=crew) == ("CMG",), crew
    # Pinned for good: 4 + 3/4 of 9 FP, or of 5. Not yet pinned it has 17 1/2 or 11 1/2.
    topped = replace(OPEN, bmg=0, cmg=5, aamg=4)
    assert kept("AAMG", printed=topped, **halved, crew=Crew.PINNED) == ()
    assert kept("AAMG", printed=topped, **halved) == ("AAMG",)
    assert kept("AAMG", printed=topped, **(halved | {"ce": False})) == ()
    assert kept("CMG", printed=OPEN, **(halved | {"pin": "ignore"})) == ()


def test_tracks_make_the_highest_columns_one() -> None:
    flame = replace(T34, ft=24)
    assert kept("BMG", printed=flame, runs_over=True) == ()  # 37 or 34
    wheeled = replace(flame, movement=Movement.HALFTRACK)
    assert kept("BMG", printed=wheeled, runs_over=True) == ("BMG",)


def test_too_many_futures_are_not_compared() -> None:
    assert kept("FT", runs_over=True, prc=HALVES) == ()
    assert kept("FT", runs_over=True, prc=(*HALVES[:5], RIDERS[0])) == ("FT",)
    assert kept("FT", closes=True, prc=(*HALVES[:5], RIDERS[0])) == ()


def test_a_truck_has_nothing_to_lose() -> None:
    assert kept("BMG", printed=BLITZ, closes=True, runs_over=True) == ()
