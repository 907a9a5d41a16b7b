"""Every arithmetic gives the same fractions as the extracted graph, as whole histories, and as inspection (X-05)."""

from fractions import Fraction
from random import Random

import pytest

from overrun.analysis.game import Game
from overrun.analysis.solve import Solution
from overrun.compiled.graph import flat
from overrun.compiled.solve import Arithmetic, fastest, installed, solve
from overrun.kernel import InputError, Payoff
from tests.compiled.graphs import ATTACKER, DEFENDER, choice
from tests.oracles.histories import best as best_of_histories
from tests.rulesets.drill import MEASURES, PAYOFF, drill, position

ALL = [arithmetic for arithmetic in Arithmetic if installed(arithmetic)]


def random_payoff(seed: int, *, zero_sum: bool) -> Payoff:
    random = Random(seed)
    own, other = (
        {measure.name: Fraction(random.randint(-9, 9), random.randint(1, 7)) for measure in MEASURES} for _ in range(2)
    )
    return Payoff(f"random {seed}", "any weights", own, None if zero_sum else other)


PAYOFFS = [
    PAYOFF,
    Payoff("nothing", "every option ties", {}),
    *(random_payoff(seed, zero_sum=seed % 2 == 0) for seed in range(6)),
]


@pytest.mark.parametrize("arithmetic", ALL)
@pytest.mark.parametrize("units", [1, 2, 3])
def test_every_option_of_every_row_is_worth_the_same(units: int, arithmetic: Arithmetic) -> None:
    game = Game(drill.rules, position(units))
    compiled = flat(game)
    for payoff in PAYOFFS:
        known, found = Solution(game, payoff), solve(compiled, payoff, arithmetic)
        assert found.value == known.value
        for row, values in zip(game.rows, known.values, strict=True):
            if row.seat is not None:
                assert found.best(row.key) == known.best[row.key], payoff.name
                assert found.worth(compiled.row(row.key)) == values
                assert found.judged(row.key) == known.judged(row.key)


@pytest.mark.parametrize("arithmetic", ALL)
def test_best_play_equals_whole_histories(arithmetic: Arithmetic) -> None:
    start = position(1, 1)
    compiled = flat(Game(drill.rules, start, tallies=False))
    known = best_of_histories(drill.rules, start, PAYOFF.weights)
    assert solve(compiled, PAYOFF, arithmetic).value == (known, -known)


@pytest.mark.parametrize("arithmetic", ALL)
@pytest.mark.parametrize("total", [36, 2**31, 10**40])
def test_the_best_option_is_found_where_floats_cannot_tell(total: int, arithmetic: Arithmetic) -> None:
    points = Payoff("points", "one each", {"points": 1})
    third = total // 3
    for seat, gains, best in (
        (ATTACKER, (third, third + 1, third), third + 1),
        (ATTACKER, (third + 1, third, third + 1), third + 1),
        (DEFENDER, (third, third - 1, third), third - 1),
    ):
        found = solve(choice(seat, total, *gains), points, arithmetic)
        assert found.value == (Fraction(best, total), -Fraction(best, total))
        assert found.chosen[1] == gains.index(best)


@pytest.mark.parametrize("arithmetic", ALL)
def test_ties_go_to_the_option_offered_first(arithmetic: Arithmetic) -> None:
    points = Payoff("points", "one each", {"points": 1})
    assert solve(choice(ATTACKER, 10**30, 5, 7, 7, 7), points, arithmetic).chosen[1] == 1
    assert solve(choice(DEFENDER, 36, 9, 9), points, arithmetic).chosen[1] == 0


def test_an_arithmetic_that_is_not_installed_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overrun.compiled.solve.find_spec", lambda name: None)
    compiled = choice(ATTACKER, 36, 1, 2)
    with pytest.raises(InputError, match=r"numpy is not installed here .* Allowed: plain\."):
        solve(compiled, PAYOFF, Arithmetic.NUMPY)
    assert fastest(compiled) is Arithmetic.PLAIN
    assert solve(compiled, Payoff("points", "", {"points": 1})).value[0] == Fraction(1, 18)
