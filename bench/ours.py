"""Our side of the chain: from the rules, on the extracted graph, and on the flat one, each in every arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from bench.chain import MEASURES, PAYOFF, PLAN, START, build, chain
from overrun.analysis.game import Game
from overrun.analysis.odds import odds
from overrun.analysis.policy import stated
from overrun.analysis.solve import Solution
from overrun.compiled import policies
from overrun.compiled.flow import Flow
from overrun.compiled.graph import flat
from overrun.compiled.solve import Arithmetic, installed, solve

NAMES = [measure.name for measure in MEASURES]
DEAD = "vehicle_dead"
JOINT = build(joint=True)


def joint_table() -> Fraction:
    """From the rules, every final state apart, as the peers do it."""
    found = odds(JOINT, START, stated(PLAN, JOINT), "plan", ())
    return sum((chance for end, chance in found.outcomes.items() if end.endswith("vehicle 2")), Fraction(0))


def from_rules() -> Fraction:
    """From the rules, the distribution of every measure."""
    return odds(chain.rules, START, stated(PLAN, chain.rules), "plan", NAMES).measures[DEAD].mean


def best_from_rules() -> Fraction:
    """From the rules, the value of best play."""
    return Solution(Game(chain.rules, START, tallies=False), PAYOFF).value[0] / 2


def chances() -> dict[str, Callable[[], Fraction]]:
    """P(vehicle dead), by name of the way. The graphs are made beforehand: what is timed is the question."""
    compiled = flat(Game(chain.rules, START))
    joint = flat(Game(JOINT, START))
    plan, joint_plan = policies.stated(compiled, PLAN), policies.stated(joint, PLAN)

    def ends() -> Fraction:
        found = Flow(joint, joint_plan).outcomes()
        return sum((chance for end, chance in found.items() if end.endswith("vehicle 2")), Fraction(0))

    return {
        "from the rules, the joint table of final states": joint_table,
        "from the rules, every measure": from_rules,
        "flat graph, the joint table of final states, plain Python": ends,
        "flat graph, mean of every measure, plain Python": lambda: Flow(compiled, plan).means()[DEAD],
        "flat graph, distribution of one measure, plain Python": lambda: (
            Flow(compiled, plan).distribution(DEAD).at_least(1)
        ),
    }


def decisions() -> dict[str, Callable[[], Fraction]]:
    """The value of best play, by name of the way."""
    game = Game(chain.rules, START, tallies=False)
    compiled = flat(game)
    ways: dict[str, Callable[[], Fraction]] = {
        "from the rules": best_from_rules,
        "extracted graph": lambda: Solution(game, PAYOFF).value[0] / 2,
    }

    def way(arithmetic: Arithmetic) -> Callable[[], Fraction]:
        return lambda: solve(compiled, PAYOFF, arithmetic).value[0] / 2

    return ways | {f"flat graph, {each}": way(each) for each in Arithmetic if installed(each)}


def chains_per_second(arithmetic: Arithmetic, overruns: int) -> Callable[[], Any]:
    """Sampled chains on the flat graph under the plan."""
    from overrun.compiled.montecarlo import sample  # noqa: PLC0415

    compiled = flat(Game(chain.rules, START))
    plan = policies.stated(compiled, PLAN)
    return lambda: sample(compiled, plan, "plan", NAMES, overruns=overruns, seed=1, arithmetic=arithmetic)
