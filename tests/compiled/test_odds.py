"""Odds and samples on the arrays against odds from the rules (X-04, X-05)."""

import pytest

from overrun.analysis import policy
from overrun.analysis.errors import AnalysisError
from overrun.analysis.game import Game
from overrun.analysis.odds import Odds
from overrun.analysis.odds import odds as odds_of_rules
from overrun.analysis.solve import Solution
from overrun.compiled import policies
from overrun.compiled.flow import Flow, odds
from overrun.compiled.graph import ENDED, Compiled, flat
from overrun.compiled.montecarlo import sample
from overrun.compiled.solve import Arithmetic, installed, solve
from overrun.kernel import InputError
from tests.rulesets.drill import MEASURES, PAYOFF, drill, position

NAMES = [measure.name for measure in MEASURES]
PLAN = {"declare": ["overrun"], "reaction": ["react"], "again": ["stop"]}


@pytest.fixture(scope="module")
def compiled() -> Compiled:
    return flat(Game(drill.rules, position(3)))


def answers(compiled: Compiled) -> dict[str, tuple[policies.Weights, Odds]]:
    start = position(3)
    best = Solution(Game(drill.rules, start), PAYOFF).choice
    ways = {
        "best": (policies.best(solve(compiled, PAYOFF)), best),
        "uniform": (policies.uniform(compiled), policy.uniform),
        "plan": (policies.stated(compiled, PLAN), policy.stated(PLAN, drill.rules)),
    }
    return {name: (own, odds_of_rules(drill.rules, start, rules, name, NAMES)) for name, (own, rules) in ways.items()}


def test_odds_equal_those_from_the_rules(compiled: Compiled) -> None:
    for name, (own, known) in answers(compiled).items():
        assert odds(compiled, own, name, NAMES) == known
        means = Flow(compiled, own).means()
        assert {measure: means[measure] for measure in NAMES} == {m: known.measures[m].mean for m in NAMES}


def test_every_overrun_that_starts_ends(compiled: Compiled) -> None:
    for own in (policies.uniform(compiled), policies.best(solve(compiled, PAYOFF))):
        reach = Flow(compiled, own).reach()
        assert sum(chance for row, chance in reach.items() if compiled.seats[row] == ENDED) == 1
        assert reach[compiled.root] == 1
        assert all(0 < chance <= 1 for chance in reach.values())


def test_samples_are_the_same_in_every_arithmetic_and_near_the_odds(compiled: Compiled) -> None:
    for name, (own, known) in answers(compiled).items():
        found = [
            sample(compiled, own, name, NAMES, overruns=4_000, seed=3, arithmetic=arithmetic)
            for arithmetic in Arithmetic
            if installed(arithmetic)
        ]
        assert all(each == found[0] for each in found)
        assert (found[0].method, found[0].overruns, found[0].seed) == ("sampled", 4_000, 3)
        for measure in NAMES:
            estimate = found[0].measures[measure]
            assert abs(estimate.mean - known.measures[measure].mean) < 5 * estimate.error + 1e-9


def test_another_seed_gives_another_sample(compiled: Compiled) -> None:
    own = policies.uniform(compiled)
    one, two = (sample(compiled, own, "uniform", NAMES, overruns=500, seed=seed) for seed in (1, 2))
    assert one.measures != two.measures


def test_a_plan_that_misses_a_step_is_refused(compiled: Compiled) -> None:
    with pytest.raises(InputError, match=r"plan\.reaction.*hold"):
        policies.stated(compiled, {"declare": ["overrun"]})
    uniform = policies.uniform(compiled)
    assert sum(policies.stated(compiled, {"declare": ["overrun"]}, uniform)) > sum(policies.stated(compiled, PLAN))


def test_a_graph_made_for_means_refuses_distributions() -> None:
    lean = flat(Game(drill.rules, position(2), tallies=False))
    own = policies.uniform(lean)
    assert Flow(lean, own).means() == Flow(flat(Game(drill.rules, position(2))), own).means()
    with pytest.raises(AnalysisError, match="means only"):
        odds(lean, own, "uniform", NAMES)
    with pytest.raises(AnalysisError, match="means only"):
        sample(lean, own, "uniform", NAMES, overruns=1, seed=1)
