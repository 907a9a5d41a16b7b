"""Bounds enclose best play, tighten, and say what they rest on (X-05)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from overrun.analysis.algebra import Key
from overrun.analysis.bounds import Bounds, Try, bounds
from overrun.analysis.errors import NotZeroSum, TooLarge
from overrun.analysis.game import Game
from overrun.analysis.solve import Solution
from overrun.analysis.watch import Watch
from overrun.kernel import Decision, Exit, Payoff, Seat
from overrun.rulesets.asl import ruleset as asl
from tests.rulesets.drill import MEASURES, PAYOFF, drill, position

LARGE = 10**12
RIDERS = {
    "system": "asl",
    "title": "riders against Panzerfausts",
    "date": "1943-11",
    "heat_of_battle": False,
    "pf_shots": 2,
    "vehicle": {"counter": "russian T-34 M41", "prc": [{"counter": "russian 4-4-7", "role": "rider"}]},
    "location": {"terrain": "open"},
    "defenders": [{"counter": "german 4-6-7", "inherent": ["PF"]}] * 2,
}


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
    first, second, *_ = bounds(drill.rules, position(3), PAYOFF, seconds=60)
    assert not first.exact
    assert first.lower == 0
    assert first.upper is None
    assert first.restrictions == ("attacker held to 1 last option per decision",)
    assert second.upper is not None
    assert second.restrictions == (*first.restrictions, "defender held by first_reaction_only")


@pytest.mark.parametrize("units", [1, 2])
def test_every_option_of_the_first_decision_is_enclosed_too(units: int) -> None:
    whole = Solution(Game(drill.rules, position(units)), PAYOFF)
    worth = {option.id: option.worth for option in whole.judged(whole.game.rows[-1].key)}
    found = list(bounds(drill.rules, position(units), PAYOFF, seconds=60))
    for each in found:
        for id, (lower, upper) in each.first.items():
            assert (-LARGE if lower is None else lower) <= worth[id] <= (LARGE if upper is None else upper)
    assert found[-1].first["decline"] == (Fraction(0), Fraction(0))
    assert found[-1].first["overrun"][1] == worth["overrun"]


def test_a_seat_is_held_by_its_own_restrictions_first() -> None:
    by_name = {each.name: each for each in asl.rules.restrictions}
    found = list(bounds(asl.rules, asl.load(RIDERS).start, asl.payoffs[0], seconds=60, row_limit=400))
    of_defender = next(each for each in found[-1].tries if each.held is Seat.DEFENDER)
    assert of_defender.by == (
        "no_mg_to_hit",
        "three_attacks",
        "no_late_fire_by_choice",
        "one_fire_group",
        "heaviest_first",
    )
    assert all(by_name[name].seat is Seat.DEFENDER for name in of_defender.by)


def test_bounds_that_meet_prove_best_play_of_a_game_that_does_not_fit() -> None:
    """Staying out is worth 0; a defender who fires as his restrictions let him already makes the rest worth less."""
    start = asl.load(RIDERS).start
    with pytest.raises(TooLarge):
        Game(asl.rules, start, watch=Watch(row_limit=1_000), tallies=False)
    *_, last = bounds(asl.rules, start, asl.payoffs[0], seconds=60, row_limit=1_000)
    assert last.exact
    assert last.lower == last.upper == 0
    assert last.first["stay_out"] == (Fraction(0), Fraction(0))
    assert all(upper is not None and upper < 0 for id, (_, upper) in last.first.items() if id != "stay_out")


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
        "defender held by first_reaction_only",
    )


def test_no_time_gives_no_bounds() -> None:
    assert list(bounds(drill.rules, position(4), PAYOFF, seconds=0)) == []
    assert Bounds().restrictions == ()


def test_bounds_need_one_payoff() -> None:
    own = Payoff("own", "", {"lost": 1}, {measure.name: Fraction(1) for measure in MEASURES})
    with pytest.raises(NotZeroSum, match="one payoff"):
        next(bounds(drill.rules, position(1), own, seconds=1))


def test_the_best_option_is_the_one_that_is_proved_so() -> None:
    spans = {"a": (Fraction(1), None), "b": (Fraction(0), Fraction(1)), "c": (None, Fraction(1, 2))}
    assert Bounds(first=spans).best(Seat.ATTACKER) == "a"
    assert Bounds(first=spans).best(Seat.DEFENDER) is None
    other = {"a": (Fraction(1), None), "b": (None, Fraction(1))}
    assert Bounds(first=other).best(Seat.DEFENDER) == "b"
    assert Bounds(first={"a": (Fraction(0), Fraction(2)), "b": (Fraction(1), None)}).best(Seat.ATTACKER) is None


def test_bounds_that_meet_name_their_proof_and_a_whole_game_needs_none() -> None:
    *_, met = bounds(asl.rules, asl.load(RIDERS).start, asl.payoffs[0], seconds=60, row_limit=1_000)
    assert met.restrictions == ()
    assert [words.split(" held ")[0] for words in met.proof] == ["attacker", "defender"]
    whole = Bounds().after(Try(Seat.DEFENDER, 4, Fraction(2), 5, 0.1, cut=False))
    assert (whole.exact, whole.proof) == (True, ())


def test_an_option_is_not_best_while_others_are_unknown() -> None:
    """Staying out alone is known at first: that makes it no proof against the overrun."""
    first = next(bounds(asl.rules, asl.load(RIDERS).start, asl.payoffs[0], seconds=60, row_limit=1_000))
    assert first.first["stay_out"] == (Fraction(0), None)
    assert first.first["overrun"] == (None, None)
    assert first.best(Seat.ATTACKER) is None


def test_what_restrictions_or_a_policy_decide_is_no_first_decision() -> None:
    start = asl.load(RIDERS).start
    declared = [each for each in asl.rules.restrictions if each.name == "overrun_declared"]
    *_, cut_to_one = bounds(asl.rules, start, asl.payoffs[0], seconds=60, row_limit=400, restrictions=declared)
    assert set(cut_to_one.first) == {"overrun"}

    def choice(key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        return [(node.options[0], 1)] if node.seat is Seat.ATTACKER else []

    *_, fixed = bounds(asl.rules, start, asl.payoffs[0], seconds=60, row_limit=400, choice=choice)
    assert fixed.first == {}


def test_a_width_that_limits_restrictions_still_leads_to_the_free_seat() -> None:
    *_, last = bounds(drill.rules, position(3), PAYOFF, widest=1)
    assert [(each.held, each.width, each.by, each.last) for each in last.tries] == [
        (Seat.ATTACKER, 1, (), True),
        (Seat.DEFENDER, 1, ("first_reaction_only",), False),
        (Seat.ATTACKER, 1, (), False),
        (Seat.DEFENDER, 1, (), False),
    ]
