"""One question, one answer: policies by seat, doubts, hidden information and the document that others read."""

import json
import tomllib
from fractions import Fraction

import pytest

from overrun.analysis.answer import Pricing, Terms, document
from overrun.analysis.errors import HiddenInformation
from overrun.analysis.policy import Style, read_styles, told
from overrun.kernel import InputError, Seat, changed
from tests.oracles.histories import best, played_out
from tests.rulesets.drill import SITUATION, drill
from tests.rulesets.skirmish import STARTER, skirmish

POINTS = skirmish.payoff()
BRIDGE = skirmish.load(tomllib.loads(STARTER))


def priced(policy: str = "best", situation=BRIDGE, **terms: object) -> Pricing:
    return Pricing(skirmish, situation, Terms(POINTS, read_styles(policy, skirmish.seats), **terms))


def test_best_play_and_its_odds_agree_with_whole_histories() -> None:
    pricing = priced()
    assert pricing.values[Seat.ATTACKER] == best(skirmish.rules, BRIDGE.start, POINTS.weights)
    worth = sum(weight * pricing.odds.measures[name].mean for name, weight in POINTS.weights.items())
    assert worth == pricing.values[Seat.ATTACKER] == -pricing.values[Seat.DEFENDER]
    assert pricing.first == ("start", "charge")


def test_the_stated_plan_of_both_seats_agrees_with_whole_histories() -> None:
    plan = {"start": "charge", "guard": "fire"}
    whole = played_out(
        skirmish.rules,
        BRIDGE.start,
        lambda at, node: next(exit for exit in node.options if exit.id == plan[at.step]),
    )
    hit = sum((chance * dict(tally).get("men_hit", 0) for (_, tally), chance in whole.items()), Fraction(0))
    assert priced("plan").odds.measures["men_hit"].mean == hit


@pytest.mark.parametrize("other", ["plan", "uniform"])
def test_a_best_reply_is_worth_at_least_what_the_plan_is(other: str) -> None:
    whole = priced(f"attacker=plan,defender={other}").solution.value
    reply = priced(f"attacker=best,defender={other}")
    assert reply.solution.value[0] >= whole[0]
    assert priced(f"attacker={other},defender=best").solution.value[0] <= priced(other).solution.value[0]
    means = reply.odds.measures
    assert sum(weight * means[name].mean for name, weight in POINTS.weights.items()) == reply.solution.value[0]


def test_a_policy_is_read_by_seat_and_told_again() -> None:
    styles = read_styles("car=plan,defender=uniform", skirmish.seats)
    assert styles == {Seat.ATTACKER: Style.PLAN, Seat.DEFENDER: Style.UNIFORM}
    assert read_styles(told(styles), {}) == styles
    assert read_styles("guard=uniform", skirmish.seats)[Seat.ATTACKER] is Style.BEST
    for text in ("worst", "attacker=worst", "", "tank=best", "attacker=best,car=plan"):
        with pytest.raises(InputError, match="best, uniform, plan"):
            read_styles(text, skirmish.seats)


def test_the_document_names_doubts_restrictions_and_method() -> None:
    dark = skirmish.load({"forces": {"dark": 1}})
    pricing = priced(situation=dark)
    found = json.loads(json.dumps(document(pricing, pricing.odds)))
    assert found["method"] == "exact"
    assert found["not_verified"] == ["darkness (Skirmish 4)"]
    assert found["payoff"] == "points"
    chances = [Fraction(entry["exact"]) for entry in found["measures"]["men_hit"]["distribution"]]
    assert sum(chances) == 1
    mean = sum(Fraction(entry["exact"]) * entry["count"] for entry in found["measures"]["men_hit"]["distribution"])
    assert mean == Fraction(found["measures"]["men_hit"]["exact"])
    assert "distribution" not in found["measures"]["car_lost"]
    sampled = document(pricing, pricing.sampled(200, seed=3))
    assert (sampled["method"], sampled["overruns"], sampled["seed"]) == ("sampled", 200, 3)
    assert set(sampled["measures"]["men_hit"]) == {"value", "standard_error", "kind", "meaning"}


def test_a_restricted_answer_is_called_a_bound() -> None:
    terms = Terms(drill.payoff(), restrictions=("first_reaction_only",))
    pricing = Pricing(drill, SITUATION, terms)
    found = document(pricing, pricing.odds)
    assert (found["restrictions"], found["bound"]) == (["first_reaction_only"], True)
    with pytest.raises(InputError, match=r"no restriction 'other'.*Allowed: first_reaction_only"):
        Pricing(drill, SITUATION, Terms(drill.payoff(), restrictions=("other",)))


def test_what_only_one_seat_knows_has_no_exact_answer() -> None:
    with pytest.raises(HiddenInformation, match="the dummy stack"):
        priced(situation=changed(BRIDGE, hidden=("the dummy stack",)))


def test_sampling_no_overrun_is_refused() -> None:
    with pytest.raises(InputError, match="0 overruns"):
        priced().sampled(0, 1)
