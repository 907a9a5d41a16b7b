"""Luck: values before and after each roll, and a check of the dice whose false alarms stay rare."""

import json
from fractions import Fraction
from math import exp, log, sqrt

import pytest

from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.luck import bound, document, luck, totals
from overrun.kernel import Chance, Seat
from overrun.play.session import Session
from tests.analysis.test_advise import played, priced
from tests.oracles.histories import best
from tests.rulesets.drill import PAYOFF, SITUATION, drill
from tests.rulesets.skirmish import skirmish

LONG = skirmish.load({"forces": {"speed": 4, "men": 6, "armor": 1, "aim": 1}})


@pytest.mark.parametrize("seed", range(5))
def test_values_before_and_after_a_roll_are_those_of_whole_histories(seed: int) -> None:
    pricing = priced()
    for roll in luck(pricing, played(pricing.situation, seed)):
        sign = 1 if roll.seat is Seat.ATTACKER else -1
        event, weights = roll.event, pricing.terms.payoff.weights
        gained = sum(weights.get(name, 0) * count for name, count in (event.exit.tally or {}).items())
        assert roll.before == sign * best(skirmish.rules, event.before, weights)
        assert roll.after == sign * (gained + best(skirmish.rules, event.after, weights))


def test_before_it_is_rolled_no_roll_is_lucky() -> None:
    """Over all results of one roll: the mean move is 0 and the mean rank 1/2."""
    pricing = priced(situation=LONG)
    session = Session(skirmish.rules, LONG.start)
    session.choose("charge")
    node = session.node
    assert isinstance(node, Chance)
    moves = ranks = chances = Fraction(0)
    for one in range(1, 7):
        for two in range(1, 7):
            session.roll((one, two))
            (roll,) = luck(pricing, session)
            session.undo()
            moves, ranks = moves + roll.moved, ranks + roll.rank
            chances += 1 / roll.chance / 36
    assert moves == 0
    assert ranks == 18
    assert chances == 2  # as many as there are exits: hit and missed


def test_rolls_inside_a_called_procedure_are_valued_too() -> None:
    session = Session(drill.rules, SITUATION.start)
    session.choose("overrun")
    session.roll((1, 3))  # with TEM a morale check for every unit
    checks = 0
    while isinstance(session.node, Chance):
        session.roll((2, 3))
        checks += 1
    assert checks == 2
    rolls = luck(Pricing(drill, SITUATION, Terms(PAYOFF)), session)
    assert [roll.seat for roll in rolls] == [Seat.ATTACKER, Seat.DEFENDER, Seat.DEFENDER]
    first, second, third = rolls
    # What a roll is worth after it is what the next one is worth before it; nothing was counted in between.
    assert second.before == -first.after
    assert third.before == second.after
    for roll in rolls:
        assert roll.counts


def test_the_bound_is_the_stated_one() -> None:
    for rolls in (4, 10, 50):
        for stray in (0, 1, Fraction(rolls, 2)):
            expected = min(1.0, 2 * exp(-6 * float(stray) ** 2 / rolls))
            assert bound(rolls, Fraction(rolls, 2) + stray) == pytest.approx(expected)
            assert bound(rolls, Fraction(rolls, 2) - stray) == pytest.approx(expected)
    assert bound(3, Fraction(3)) > 0.01
    assert bound(4, Fraction(4)) <= 0.01
    assert pytest.approx(sqrt(-log(0.005) / 6), abs=1e-4) == 0.9397


def test_fair_dice_rarely_ring_and_loaded_dice_do() -> None:
    pricing = priced(situation=LONG)
    fair = [total for seed in range(300) for total in totals(luck(pricing, played(LONG, seed)))]
    assert sum(total.counted for total in fair) > 300
    assert sum(total.alarm for total in fair) <= len(fair) // 100
    tough = skirmish.load({"forces": {"speed": 8, "men": 6, "armor": 1, "aim": 1}, "plan": {"guard": ["hold"]}})
    session = Session(skirmish.rules, tough.start)
    while not session.over:
        if isinstance(session.node, Chance):
            session.roll((6, 6))
        else:
            session.choose("charge" if session.step.id == "start" else "hold")
    loaded = {total.seat: total for total in totals(luck(priced("attacker=best,defender=plan", tough), session))}
    assert loaded[Seat.ATTACKER].rolls == 8
    assert loaded[Seat.ATTACKER].alarm
    assert loaded[Seat.ATTACKER].moved < 0
    assert not loaded[Seat.DEFENDER].alarm


def test_the_document_tells_every_roll() -> None:
    pricing, session = priced(), played(priced().situation, 3)
    rolls = luck(pricing, session)
    found = json.loads(json.dumps(document(pricing, rolls, ["something"] * len(rolls))))
    assert [roll["dice"] for roll in found["rolls"]] == [list(a.face) for a in session.answers if a.face]
    assert Fraction(found["totals"]["attacker"]["moved"]["exact"]) == sum(
        roll.moved for roll in rolls if roll.seat is Seat.ATTACKER
    )
    assert found["rolls"][0]["needed"] == "something"
