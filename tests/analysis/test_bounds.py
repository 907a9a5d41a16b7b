"""Bounds enclose best play, tighten, and say what they rest on (X-05)."""

from fractions import Fraction
from itertools import pairwise

import pytest

from overrun.analysis.bounds import Bounds, bounds
from overrun.analysis.errors import NotZeroSum
from overrun.analysis.game import Game
from overrun.analysis.solve import Solution
from overrun.kernel import Payoff, Seat
from tests.rulesets.drill import MEASURES, PAYOFF, drill, position

LARGE = 10**12


@pytest.mark.parametrize("units", [1, 2, 3])
@pytest.mark.parametrize("sign", [1, -1])
def test_bounds_enclose_the_value_and_tighten_to_it(units: int, sign: int) -> None:
    payoff = Payoff("points", "", {name: sign * weight for name, weight in PAYOFF.weights.items()})
    value = Solution(Game(drill.rules, position(units)), payoff).value[0]
    found = list(bounds(drill.rules, position(units), payoff, seconds=60))
    for each in found:
        assert (each.lower if each.lower is not None else -LARGE) <= value
        assert value <= (each.upper if each.upper is not None else LARGE)
    for one, two in pairwise(found):
        assert one.lower is None or (two.lower is not None and two.lower >= one.lower)
        assert one.upper is None or (two.upper is not None and two.upper <= one.upper)
    last = found[-1]
    assert (last.exact, last.lower, last.upper, last.restrictions) == (True, value, value, ())


def test_a_bound_names_what_it_rests_on() -> None:
    first = next(bounds(drill.rules, position(3), PAYOFF, seconds=60))
    assert (first.exact, first.lower) == (False, None)
    assert first.upper is not None
    assert first.restrictions == ("defender held to 1 option per decision",)


def test_what_does_not_fit_is_no_bound_and_says_why() -> None:
    found = list(bounds(drill.rules, position(4), PAYOFF, seconds=60, row_limit=400))
    last = found[-1]
    assert not last.exact
    reasons = [(each.held, each.width, each.reason) for each in last.tries if each.found is None]
    assert reasons == [
        (Seat.ATTACKER, 1, "401 decision rows, and the limit is 400"),
        (Seat.DEFENDER, 2, "401 decision rows, and the limit is 400"),
    ]
    value = Solution(Game(drill.rules, position(4)), PAYOFF).value[0]
    assert last.lower is not None
    assert last.upper is not None
    assert last.lower == 0 <= value <= last.upper  # the attacker may always decline, and does so where he is held to it
    assert last.restrictions == (
        "attacker held to 1 last option per decision",
        "defender held to 1 option per decision",
    )


def test_no_time_gives_no_bounds() -> None:
    assert list(bounds(drill.rules, position(4), PAYOFF, seconds=0)) == []
    assert Bounds().restrictions == ()


def test_bounds_need_one_payoff() -> None:
    own = Payoff("own", "", {"lost": 1}, {measure.name: Fraction(1) for measure in MEASURES})
    with pytest.raises(NotZeroSum, match="one payoff"):
        next(bounds(drill.rules, position(1), own, seconds=1))
