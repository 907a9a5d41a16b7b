"""Advice agrees with whole histories: the worth of every option, regrets, ties, comparisons, choices of a log."""

import json
import tomllib
from fractions import Fraction
from random import Random

import pytest

from overrun.analysis.advice import advice, advice_document, relative
from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.compare import choices, choices_document, compare, compared_document, judged_here
from overrun.analysis.game import Game
from overrun.analysis.policy import read_styles
from overrun.analysis.solve import Solution
from overrun.analysis.worth import Worth
from overrun.kernel import Chance, Decision, End, Payoff, Position, Seat, Situation
from overrun.play.session import Session, throw
from tests.oracles.histories import best
from tests.rulesets.drill import PAYOFF, drill, position
from tests.rulesets.skirmish import STARTER, skirmish

POINTS = skirmish.payoff()
BRIDGE = skirmish.load(tomllib.loads(STARTER))


def priced(policy: str = "best", situation: Situation = BRIDGE, payoff: Payoff = POINTS) -> Pricing:
    return Pricing(skirmish, situation, Terms(payoff, read_styles(policy, {})))


def played(situation: Situation, seed: int, ruleset=skirmish) -> Session:
    random, session = Random(seed), Session(ruleset.rules, situation.start)
    while not isinstance(node := session.node, End):
        if isinstance(node, Chance):
            session.roll(throw(node.dice, random))
        else:
            session.choose(random.choice(node.options).id)
    return session


def worth_by_histories(at: Position, exit, seat: Seat) -> Fraction:
    gained = sum(POINTS.weights.get(name, 0) * count for name, count in (exit.tally or {}).items())
    value = gained + best(skirmish.rules, skirmish.rules.follow(at, exit), POINTS.weights)
    return value if seat is Seat.ATTACKER else -value


def test_every_option_at_every_decision_is_worth_what_whole_histories_say() -> None:
    decisions, every = advice(priced())
    assert len(decisions) == every > 3
    for one in decisions:
        at = Position(one.step.id, one.state)
        node = skirmish.rules.at(at)
        assert isinstance(node, Decision)
        worths = {exit.id: worth_by_histories(at, exit, one.seat) for exit in node.options}
        assert {option.id: option.worth for option in one.options} == worths
        assert {option.id: option.regret for option in one.options} == {
            id: max(worths.values()) - worth for id, worth in worths.items()
        }
    assert [one.chance for one in decisions] == sorted((one.chance for one in decisions), reverse=True)
    assert decisions[0].chance == 1


def test_reach_is_the_chance_under_best_play() -> None:
    # After the first charge the guard decides unless all three men are hit: DR 6 or less after -1, 3 men at <= 5.
    guard = [one for one in advice(priced())[0] if one.step.id == "guard" and one.state.charges == 1]
    assert sum(one.chance for one in guard) == Fraction(36 - 15, 36)


def test_only_what_the_policy_reaches_is_shown() -> None:
    waiting = skirmish.load({"plan": {"start": ["wait"]}})
    assert advice(priced("attacker=plan,defender=best", waiting)) == ((), 0)
    two, _ = advice(priced("attacker=plan,defender=best"))
    assert {one.seat for one in two} == {Seat.DEFENDER}


def test_ties_are_told_and_the_first_offered_is_played() -> None:
    none = Payoff("none", "", {"men_hit": 0})
    for one in advice(priced(payoff=none))[0]:
        assert list(one.tied) == [option.id for option in one.options]
        assert one.best == one.options[0].id
        assert {relative(option) for option in one.options} == {None}


def test_advice_inside_play_equals_advice_before_it() -> None:
    worth = Worth(drill.rules, PAYOFF)
    session = Session(drill.rules, position(2))
    while not isinstance(node := session.node, End):
        if isinstance(node, Chance):
            session.roll((3, 3))
            continue
        judged = judged_here(worth, session.position, node)
        values = {option.id: option.worth for option in judged}
        for exit in node.options:
            attacker = best_drill(session, exit)
            assert values[exit.id] == (attacker if node.seat is Seat.ATTACKER else -attacker)
        session.choose(next(option.id for option in judged if option.regret == 0))


def best_drill(session: Session, exit) -> Fraction:
    after = drill.rules.follow(session.position, exit)
    gained = sum(PAYOFF.weights.get(name, 0) * count for name, count in (exit.tally or {}).items())
    return gained + Solution(Game(drill.rules, after), PAYOFF).value[0]


def test_comparisons_bracket_best_play() -> None:
    values = {one.play: one.values for one in compare(priced())}
    best_both = values["best"][0]
    assert values["attacker=plan,defender=best"][0] <= best_both <= values["attacker=best,defender=plan"][0]
    assert values["attacker=plan,defender=best"][0] <= values["plan"][0] <= values["attacker=best,defender=plan"][0]
    missing = skirmish.load({"plan": {"start": ["charge"]}})
    told = {one.play: one for one in compare(priced(situation=missing))}
    assert told["plan"].values is None
    assert "plan.guard" in told["plan"].problem
    assert told["attacker=plan,defender=best"].values is not None


@pytest.mark.parametrize("seed", range(6))
def test_the_choices_of_a_log_cost_what_their_regrets_say(seed: int) -> None:
    session = played(BRIDGE, seed)
    chosen = choices(priced(), session)
    assert len(chosen) == sum(isinstance(skirmish.rules.at(event.before), Decision) for event in session.events)
    for one in chosen:
        value = worth_by_histories(one.event.before, one.event.exit, one.seat)
        assert one.took.worth == value
        assert one.took.regret == one.best.worth - value >= 0
    logged = {one.play: one.values for one in compare(priced(), session)}["log"]
    if all(one.took.regret == 0 for one in chosen):
        assert logged == priced().solution.value


def test_the_documents_hold_fractions_and_percentages() -> None:
    pricing, session = priced(), played(BRIDGE, 1)
    found = json.loads(json.dumps(advice_document(pricing)))
    first = found["decisions"][0]
    assert (first["step"], first["best"], first["chance"]["exact"]) == ("start", "charge", "1")
    wait = next(option for option in first["options"] if option["id"] == "wait")
    assert wait["worth"]["exact"] == "0"
    assert Fraction(wait["regret"]["exact"]) == Fraction(found["worth"]["attacker"]["exact"])
    assert wait["regret_percent"] == pytest.approx(100)
    assert (found["zero_sum"], found["ties"]) == (True, "the option that the rules offer first")
    told = json.loads(json.dumps([choices_document(choices(pricing, session)), compared_document(compare(pricing))]))
    assert told[0][0]["took"] in {"charge", "wait"}
    assert [one["play"] for one in told[1]][:2] == ["best", "plan"]
