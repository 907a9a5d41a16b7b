"""The example printed with section 19, scripted from the shipped scenario, and its exact odds (fact sheet W1)."""

import tomllib
from fractions import Fraction

from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.policy import Style
from overrun.kernel import Decision, Seat, Situation
from overrun.play.session import Session
from overrun.rulesets import ruleset
from overrun.scenarios import text
from overrun.testing import check_ruleset

valor = ruleset("valor")
F = Fraction


def printed_example() -> Situation:
    return valor.load(tomllib.loads(text("valor/printed-example")))


def scripted(situation: Situation) -> Session:
    session, dice = Session(valor.rules, situation.start), list(situation.dice)
    while not session.over:
        if isinstance(session.node, Decision):
            legal = [option.id for option in session.node.options]
            wished = situation.plan.get(session.position.step, legal)
            session.choose(next(choice for choice in wished if choice in legal))
        else:
            session.roll(dice.pop(0))
    assert not dice
    return session


def test_the_ledgers_show_every_number_of_the_example() -> None:
    session = scripted(printed_example())
    totals = [(ledger.name, ledger.total) for event in session.events for ledger in event.ledgers]
    for name, total in [
        ("Movement points", 7),
        ("Number to hit", 8),
        ("To-hit roll", 6),
        ("Elimination number", 5),
        ("Elimination roll", 11),
        ("Overrun APFP", 38),
        ("AP roll", 5),
        ("Casualty points", 6),
    ]:
        assert total in [t for n, t in totals if n == name], name
    apfp = next(ledger for event in session.events for ledger in event.ledgers if ledger.name == "Overrun APFP")
    assert [line.value for line in apfp.lines] == [12, 4, 3, 2]


def test_the_end_state_of_the_example() -> None:
    lines = valor.describe(scripted(printed_example()).position.state)
    assert "M4A3E8: in D1, facing N, Move marker; 7 of 10 MP spent." in lines
    assert "Squad: in D2, pinned." in lines
    assert "Squad: eliminated." in lines
    assert "Schmidt: in D2, Fire marker." in lines
    assert "Panzerfaust in the defender's pool: 0 left of 1." in lines


def test_the_exact_odds_of_the_stated_plan() -> None:
    odds = Pricing(valor, printed_example(), Terms(valor.payoff(), dict.fromkeys(Seat, Style.PLAN))).odds
    mean = {name: distribution.mean for name, distribution in odds.measures.items()}
    assert mean["afv_eliminated"] == F(55, 324)
    assert mean["afv_immobilised"] == F(5, 81)
    assert mean["overrun_proceeds"] == F(83, 108)
    assert mean["casualty_points"] == F(581, 486)
    assert mean["casualty_points"] / mean["overrun_proceeds"] == F(14, 9)
    points = odds.measures["casualty_points"]
    proceeds = F(83, 108)
    assert {n: points.chances[n] / proceeds for n in range(1, 7)} == {
        n: F(weight, 36) for n, weight in {1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1}.items()
    }
    assert points.at_least(1) == F(581, 1296)
    assert points.chances[6] == F(83, 3888)


def test_the_laws() -> None:
    check_ruleset(valor, [printed_example(), valor.load(tomllib.loads(valor.starter()))])
