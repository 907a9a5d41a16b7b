"""Exact answers agree with whole histories, with each other, and with sampling (X-04, X-05)."""

from fractions import Fraction

import pytest

from overrun.analysis.errors import TooLarge
from overrun.analysis.game import Game
from overrun.analysis.odds import Outlook, joint, odds
from overrun.analysis.perft import perft
from overrun.analysis.policy import stated, uniform
from overrun.analysis.sample import sample
from overrun.analysis.solve import Solution
from overrun.analysis.watch import LOOK, POSITION, Watch
from overrun.kernel import (
    Chance,
    Cite,
    Dice,
    End,
    Exit,
    InputError,
    Payoff,
    Position,
    Procedure,
    Rules,
    RulesError,
    Seat,
)
from tests.oracles.histories import best, histories, played_out
from tests.rulesets.drill import MEASURES, PAYOFF, build, drill, position

NAMES = [measure.name for measure in MEASURES]


def test_best_play_equals_whole_histories() -> None:
    start = position(1, 1)
    assert Solution(Game(drill.rules, start), PAYOFF).value[0] == best(drill.rules, start, PAYOFF.weights)


def test_odds_of_a_stated_plan_equal_whole_histories() -> None:
    plan = {"declare": ["overrun"], "reaction": ["react"], "again": ["stop"]}
    choice = stated(plan, drill.rules)
    found = odds(drill.rules, position(1, 1), choice, "plan", NAMES)
    whole = played_out(drill.rules, position(1, 1), lambda at, node: choice((at.step, at.state), node)[0][0])
    assert sum(whole.values()) == 1
    for name in NAMES:
        for value, chance in found.measures[name].chances.items():
            assert chance == sum(c for (_, tally), c in whole.items() if dict(tally).get(name, 0) == value), (
                name,
                value,
            )
    assert joint(drill.rules, position(1, 1), choice, ("lost", "tank_lost")) == {
        pair: chance
        for pair in sorted({(dict(t).get("lost", 0), dict(t).get("tank_lost", 0)) for _, t in whole})
        if (
            chance := sum(
                c for (_, t), c in whole.items() if (dict(t).get("lost", 0), dict(t).get("tank_lost", 0)) == pair
            )
        )
    }


@pytest.mark.parametrize("units", [1, 2, 3])
def test_each_thing_that_keeps_answers_small_changes_no_answer(units: int) -> None:
    start = position(units)
    lean = Solution(Game(drill.rules, start), PAYOFF)
    one_by_one = build(each=False)
    assert Solution(Game(drill.rules, start, live=False), PAYOFF).value == lean.value
    assert Solution(Game(drill.rules, start, tallies=False), PAYOFF).value == lean.value
    assert Solution(Game(one_by_one, start), PAYOFF).value == lean.value
    assert odds(one_by_one, start, uniform, "", NAMES).measures == odds(drill.rules, start, uniform, "", NAMES).measures


@pytest.mark.parametrize("units", [1, 2, 3])
def test_best_odds_are_worth_the_value_of_the_game(units: int) -> None:
    solution = Solution(Game(drill.rules, position(units), tallies=False), PAYOFF)
    found = odds(drill.rules, position(units), solution.choice, "best", NAMES)
    assert sum(weight * found.measures[name].mean for name, weight in PAYOFF.weights.items()) == solution.value[0]
    for distribution in found.measures.values():
        assert sum(distribution.chances.values()) == 1
        assert distribution.mean == sum(distribution.at_least(value) for value in range(1, 20))


def test_regret_is_the_cost_against_the_best_option() -> None:
    solution = Solution(Game(drill.rules, position(2)), PAYOFF)
    for key in solution.best:
        judged = solution.judged(key)
        assert min(option.regret for option in judged) == 0
        assert {option.worth + option.regret for option in judged} == {max(option.worth for option in judged)}
        assert next(option for option in judged if option.regret == 0).id == solution.best[key]


def test_two_payoffs_let_each_seat_maximise_its_own() -> None:
    game = Game(drill.rules, position(2))
    careless = Payoff("careless", "", {"lost": 1}, defender={"tank_lost": 0})
    attacker, defender = Solution(game, careless).value
    assert defender == 0
    assert attacker > 0
    assert (
        Solution(game, Payoff("same", "", {"lost": 1}, defender={"lost": -1})).value
        == Solution(game, Payoff("same", "", {"lost": 1})).value
    )


def test_a_restriction_only_hurts_the_seat_it_restricts() -> None:
    (first,) = drill.rules.restrictions
    whole = Solution(Game(drill.rules, position(3)), PAYOFF).value[1]
    restricted = Game(drill.rules, position(3), restrictions=(first,))
    assert [restriction.name for restriction in restricted.restrictions] == ["first_reaction_only"]
    assert Solution(restricted, PAYOFF).value[1] < whole


def test_too_large_says_what_would_fit() -> None:
    with pytest.raises(
        TooLarge,
        match=r"limit is 20\. .*state a policy for the seats or cut options by a restriction \(first_reaction_only\)",
    ):
        Game(drill.rules, position(3), watch=Watch(row_limit=20))


def test_progress_is_reported_and_may_stop_the_pass() -> None:
    def stop(watch: Watch) -> None:
        raise TimeoutError(watch.positions)

    with pytest.raises(TimeoutError) as stopped:
        Game(drill.rules, position(4), watch=Watch(on_progress=stop))
    assert 0 < int(str(stopped.value)) <= LOOK // POSITION


def test_a_pass_that_was_stopped_may_be_asked_again() -> None:
    looks = 0

    def stop(watch: Watch) -> None:
        nonlocal looks
        looks += 1
        if looks in {1, 3}:
            raise TimeoutError

    outlook = Outlook(drill.rules, uniform, "uniform", NAMES, watch=Watch(on_progress=stop))
    for _ in range(2):
        with pytest.raises(TimeoutError):
            outlook.at(position(4))
    assert outlook.at(position(4)) == odds(drill.rules, position(4), uniform, "uniform", NAMES)


def test_perft_counts_the_histories_of_both_ways_to_check_morale() -> None:
    assert perft(drill.rules, position(1, 1)) == perft(build(each=False), position(1, 1))
    assert perft(drill.rules, position(1, 1)) == histories(drill.rules, position(1, 1))
    assert perft(drill.rules, position(2)) == perft(build(each=False), position(2))


def test_sampling_is_labelled_and_within_four_standard_errors() -> None:
    exact = odds(drill.rules, position(2), uniform, "uniform", NAMES)
    found = sample(drill.rules, position(2), uniform, "uniform", NAMES, overruns=2_000, seed=7)
    assert (found.method, exact.method) == ("sampled", "exact")
    for name in NAMES:
        estimate = found.measures[name]
        assert estimate.error > 0
        assert abs(estimate.mean - exact.measures[name].mean) < 4 * estimate.error
    assert sample(drill.rules, position(2), uniform, "uniform", NAMES, overruns=50, seed=7) == sample(
        drill.rules, position(2), uniform, "uniform", NAMES, overruns=50, seed=7
    )


def test_rules_that_come_back_to_the_same_position_are_found() -> None:
    cite = Cite("Test", "1")
    loop: Procedure[int] = Procedure("loop", "Loop", cite)

    @loop.step(cite, "Roll", again="roll", done="finish")
    def roll(s: int):
        """Roll until it is a six."""
        return Chance(Dice("dr", (6,), sum), lambda dr: Exit("done" if dr == 6 else "again", s), Seat.ATTACKER)

    @loop.step(cite, "Finish")
    def finish(s: int):
        """Over."""
        return End("over")

    rules = Rules("loop", (loop,), "roll").freeze()
    with pytest.raises(RulesError, match="roll can come back to itself"):
        Game(rules, Position_of("roll"))


def Position_of(step: str):

    return Position(step, 0)


def test_a_plan_that_misses_a_decision_says_which() -> None:
    with pytest.raises(InputError, match=r"plan\.reaction: the plan names no option.*Allowed: react:"):
        odds(drill.rules, position(1), stated({"declare": ["overrun"]}, drill.rules), "plan", NAMES)
    with pytest.raises(InputError, match=r"plan\.nonsense: the rules have no such step"):
        stated({"nonsense": ["overrun"]}, drill.rules)


def test_the_minimal_graph_is_close() -> None:
    game = Game(drill.rules, position(3))
    assert game.minimal() <= game.decisions <= Fraction(8, 5) * game.minimal()
