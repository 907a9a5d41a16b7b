"""Exact answers of analysis against whole histories replayed one by one, and against icepool on dice alone."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from typing import Any

import icepool
import pytest

from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.perft import perft
from overrun.analysis.policy import Style
from overrun.kernel import Seat, Situation
from overrun.rulesets import ruleset
from overrun.scenarios import text
from tests.oracles import histories

valor = ruleset("valor")
F = Fraction


def situation(name: str, **changes: Any) -> Situation:
    return valor.load(tomllib.loads(text(f"valor/{name}")) | changes)


def tiny() -> Situation:
    """A half squad with a Panzerfaust, overrun from the next hex: one attack, one Final shot, every choice."""
    document = tomllib.loads(text("valor/printed-example"))
    document["afv"] |= {"hex": "D3", "facing": "N", "path": ["D2", "D1"]}
    document["defenders"] = [{"name": "Half", "counter": "US rifle half squad", "hex": "D2"}]
    document["plan"] = {"declaration": ["overrun"], "allot": ["*"], "exit_fire": ["final", "hold"]}
    return valor.load(document | {"rulings": {"valor_checks": "off"}})


@pytest.mark.parametrize("small", [tiny(), situation("halftrack-with-riders")], ids=lambda s: s.title)
def test_odds_of_the_plan_are_those_of_all_histories(small: Situation) -> None:
    plan = {step: list(wishes) for step, wishes in small.plan.items()} | {"allot": ["*"]}
    stated = Situation(small.title, small.start, small.rulings, plan)
    pricing = Pricing(valor, stated, Terms(valor.payoff(), dict.fromkeys(Seat, Style.PLAN)))
    found = histories.played_out(
        valor.rules, small.start, lambda position, node: pricing.choice((position.step, position.state), node)[0][0]
    )
    outcomes: Counter[str] = Counter()
    means: Counter[str] = Counter()
    for (outcome, tally), chance in found.items():
        outcomes[outcome] += chance
        for name, count in tally:
            means[name] += count * chance
    assert dict(pricing.odds.outcomes) == outcomes
    assert {name: d.mean for name, d in pricing.odds.measures.items() if d.mean} == {
        n: m for n, m in means.items() if m
    }


@pytest.mark.parametrize("payoff", ["trade", "break_the_hex"])
def test_best_play_is_that_of_all_histories(payoff: str) -> None:
    small = tiny()
    pricing = Pricing(valor, small, Terms(valor.payoff(payoff)))
    assert pricing.values[Seat.ATTACKER] == histories.best(valor.rules, small.start, valor.payoff(payoff).weights)


def test_perft_counts_the_histories() -> None:
    assert perft(valor.rules, tiny().start) == histories.histories(valor.rules, tiny().start)


def dr(modifier: int = 0) -> icepool.Die[int]:
    return 2 @ icepool.d6 + modifier


def chance(event: icepool.Die[bool]) -> Fraction:
    return event.probability(True)


@pytest.mark.parametrize(
    ("number", "modifier", "elimination"), [(8, -1, 5), (8, -1, 9), (8, 1, 9), (10, 0, 3), (10, 0, 7), (10, 2, 7)]
)
def test_an_at_attack_by_icepool(number: int, modifier: int, elimination: int) -> None:
    hit = chance(dr(modifier) <= number)
    killed = hit * (chance(dr() < elimination) + chance(dr() == elimination) * chance(icepool.d6 <= 2))
    stuck = hit * chance(dr() == elimination) * chance(icepool.d6 > 2)
    known = {
        (8, -1, 5): (F(55, 324), F(5, 81)),
        (8, -1, 9): (F(205, 324), F(5, 81)),
        (8, 1, 9): (F(287, 648), None),
        (10, 0, 3): (F(55, 1296), F(11, 324)),
        (10, 0, 7): (F(187, 432), F(11, 108)),
        (10, 2, 7): (F(221, 648), F(13, 162)),
    }
    wanted = known[number, modifier, elimination]
    assert killed == wanted[0], "the fact sheet's figure, which the cases compare with the rules"
    assert wanted[1] in (stuck, None)


def test_the_printed_attack_by_icepool() -> None:
    points = dr(3).map(lambda roll: max(0, 11 - min(roll, 12)))
    odds = Pricing(valor, situation("printed-example"), Terms(valor.payoff(), dict.fromkeys(Seat, Style.PLAN))).odds
    proceeds = odds.measures["overrun_proceeds"].mean
    for value in points.outcomes():
        if value:
            assert odds.measures["casualty_points"].chances[value] / proceeds == points.probability(value)
