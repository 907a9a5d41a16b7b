"""Exact answers of analysis against whole histories replayed one by one, and against seeded samples of sessions."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.policy import Style
from overrun.analysis.sample import sample
from overrun.kernel import Seat, Situation
from overrun.play.session import Session
from overrun.rulesets import ruleset
from overrun.scenarios import names, text
from tests.oracles import histories

asl = ruleset("asl")
HOLD = {"before.choose": ["hold"], "none.choose": ["hold"], "after.choose": ["hold"], "leave": ["leave", "stay"]}
OVERRUN = {"approach": ["overrun"]}
TANK = {"counter": "german PzKpfw IIIH"}
TRUCK = {"counter": "german Opel 6700 (Blitz)"}
NO_ESB: dict[str, Any] = {"rulings": {"esb_pays_ovr": "no"}}


def situation(vehicle: dict[str, Any], defenders: list[dict[str, Any]], plan: dict[str, Any], **more: Any) -> Situation:
    document = {"system": "asl", "title": "small", "vehicle": vehicle, "defenders": defenders, "plan": HOLD | plan}
    return asl.load(document | more)


SMALL = {
    "heat of battle": lambda: situation(TRUCK, [{"counter": "russian 2-3-7"}], OVERRUN),
    "a leader in foxholes": lambda: situation(
        TANK,
        [{"counter": "russian 9-1", "entrenched": True}],
        OVERRUN,
        location={"terrain": "brush", "entrenchment": "foxhole"},
    ),
    "concealed": lambda: situation(
        TANK,
        [{"counter": "russian 2-3-7", "concealment": "concealed"}],
        {"approach": ["enter"], "reveal_or_test": ["paatc"], "second_chance": ["decline"], "bounding": ["hold"]},
        open_information=True,
        heat_of_battle=False,
    ),
    "a Gun runs out of crew": lambda: situation(
        TANK,
        [{"counter": "german-2-2-8-crew", "guns": ["german 5cm PaK 38"]}],
        OVERRUN,
        location={"terrain": "stone_building"},
        approach={"bog": False},
        heat_of_battle=False,
    ),
    "a half-squad fires at a truck": lambda: situation(
        TRUCK, [{"counter": "russian 2-3-7"}], {"approach": ["enter"], "none.choose": ["ift:russian-2-3-7", "hold"]}
    ),
    "into a house": lambda: situation(
        TANK,
        [{"counter": "russian-2-2-8-crew"}],
        {"approach": ["enter"], "bounding": ["hold"]},
        location={"terrain": "wooden_building", "single_story": True},
    ),
    "an enemy halftrack": lambda: situation(TANK, [], OVERRUN, vehicles=[{"counter": "american-m3", "ce": True}]),
}


@pytest.mark.parametrize("name", SMALL)
def test_odds_of_the_plan_are_those_of_all_histories(name: str) -> None:
    small = SMALL[name]()
    pricing = Pricing(asl, small, Terms(asl.payoff(), dict.fromkeys(Seat, Style.PLAN)))
    found = histories.played_out(
        asl.rules,
        small.start,
        lambda position, node: pricing.choice((position.step, asl.rules.live(position.step, position.state)), node)[0][
            0
        ],
    )
    outcomes: Counter[str] = Counter()
    means: Counter[str] = Counter()
    for (outcome, tally), chance in found.items():
        outcomes[outcome] += chance  # type: ignore[assignment]
        for count_name, count in tally:
            means[count_name] += count * chance  # type: ignore[assignment]
    assert sum(found.values()) == 1
    assert dict(pricing.odds.outcomes) == outcomes
    exact = {measure: d.mean for measure, d in pricing.odds.measures.items() if d.mean}
    assert exact == {measure: mean for measure, mean in means.items() if mean}


TINY = {
    "one shot at a truck": (
        "enter",
        lambda: situation(TRUCK | {"mp_left": 1}, [{"counter": "russian 2-3-7"}], {}, approach={"cot": 1}, **NO_ESB),
    ),
    "a leader and a truck": (
        "enter",
        lambda: situation(TRUCK | {"mp_left": 1}, [{"counter": "russian 8-1"}], {}, approach={"cot": 1}, **NO_ESB),
    ),
    "a broken half-squad": (
        "overrun",
        lambda: situation(TRUCK, [{"counter": "russian 2-3-7", "broken": True}], {}, heat_of_battle=False),
    ),
}
"""Positions after the first choice, for a vehicle that may stay out does so."""


@pytest.mark.parametrize("payoff", [payoff.name for payoff in asl.payoffs])
@pytest.mark.parametrize("name", TINY)
def test_best_play_is_that_of_all_histories(name: str, payoff: str) -> None:
    first, made = TINY[name]
    session = Session(asl.rules, made().start)
    session.choose(first)
    small = replace(made(), start=session.position)
    value = Pricing(asl, small, Terms(asl.payoff(payoff))).values[Seat.ATTACKER]
    assert value == histories.best(asl.rules, small.start, asl.payoff(payoff).weights)


OVERRUNS = 1_000


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("asl/")])
def test_a_sample_of_the_plan_lies_within_four_standard_errors(name: str) -> None:
    shipped = asl.load(tomllib.loads(text(name)))
    pricing = Pricing(asl, shipped, Terms(asl.payoff(), dict.fromkeys(Seat, Style.PLAN)))
    exact = pricing.odds
    sampled = sample(
        *(asl.rules, shipped.start, pricing.choice, "plan", [measure.name for measure in asl.measures]),
        overruns=OVERRUNS,
        seed=1944,
    )
    for outcome, chance in exact.outcomes.items():
        mean = sampled.outcomes[outcome].mean if outcome in sampled.outcomes else 0.0
        assert _near(mean, float(chance), float(chance * (1 - chance))), outcome
    for measure, distribution in exact.measures.items():
        mean = distribution.mean
        variance = sum((count - mean) ** 2 * chance for count, chance in distribution.chances.items())
        assert _near(sampled.measures[measure].mean, float(mean), float(variance)), measure


def _near(mean: float, expected: float, variance: float) -> bool:
    """Within four standard errors of a mean over so many sessions; rare events may also come up once by chance."""
    return abs(mean - expected) <= max(4 * sqrt(variance / OVERRUNS), 1.5 / OVERRUNS if expected else 0.0)


def test_the_chances_of_a_measure_are_a_distribution() -> None:
    shipped = asl.load(tomllib.loads(text("asl/tank-in-woods")))
    odds = Pricing(asl, shipped, Terms(asl.payoff(), dict.fromkeys(Seat, Style.PLAN))).odds
    assert all(sum(d.chances.values()) == Fraction(1) for d in odds.measures.values())
