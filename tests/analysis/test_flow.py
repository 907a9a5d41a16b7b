"""The chances on a flowchart, against whole histories replayed one by one (X-04, X-07)."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.flow import flow
from overrun.analysis.policy import Style
from overrun.kernel import Call, Chance, Decision, Each, End, Position, Seat
from overrun.store import opening
from tests.rulesets.drill import PAYOFF, SITUATION, drill, position

Seen = Counter[frozenset[tuple[str, str]]]


def histories(at: Position[Any], choose: Any, seen: frozenset[tuple[str, str]], chance: Fraction) -> Seen:
    """The chance of each set of steps and exits that a whole overrun passes, nothing merged."""
    rules, found, here = drill.rules, Counter[frozenset[tuple[str, str]]](), seen | {(at.step, "")}

    def leave(exit: Any, share: Fraction) -> None:
        passed = here | {(at.step, exit.name)}
        found.update(histories(rules.follow(at, exit), choose, passed, chance * share))

    match rules.at(at):
        case End():
            found[here] += chance  # type: ignore[assignment]
        case Decision() as node:
            leave(choose(node), Fraction(1))
        case Chance(dice=dice, then=then):
            for reading, weight in dice.outcomes:
                leave(then(reading), Fraction(weight, dice.total))
        case Call() | Each() as call:
            found.update(histories(rules.enter(at, call), choose, here, chance))
        case exit:
            leave(exit, Fraction(1))
    return found


@pytest.mark.parametrize("pick", [0, -1])
def test_chances_of_steps_and_exits_are_those_of_whole_histories(pick: int) -> None:
    start = position(1, 2)
    plan = {
        "declare": ("overrun",),
        "again": ("again", "stop"),
        "reaction": ("react", "hold") if pick == 0 else ("hold",),
    }
    situation = replace(SITUATION, start=start, plan=plan)
    found = flow(Pricing(drill, situation, Terms(PAYOFF, dict.fromkeys(Seat, Style.PLAN))))

    def choose(node: Decision[Any]) -> Any:
        return node.options[-1 if node.options[0].name == "react" and pick else 0]

    oracle = histories(start, choose, frozenset(), Fraction(1))
    steps = {step: sum(share for seen, share in oracle.items() if (step, "") in seen) for step in drill.rules.steps}
    assert dict(found.steps) == steps
    for (step, exit), chance in found.exits.items():
        assert chance == sum(share for seen, share in oracle.items() if (step, exit) in seen), (step, exit)


def test_the_printed_example_shows_its_known_chances() -> None:
    opened = opening.scenario("valor/printed-example")
    terms = Terms(opened.ruleset.payoff(), dict.fromkeys(Seat, Style.PLAN))
    found = flow(Pricing(opened.ruleset, opened.situation, terms))
    # Fact sheet W1: hit 5/6, eliminated 55/324, the overrun proceeds 83/108.
    assert found.steps["anti_tank_fire.armor_met"] == Fraction(5, 6)
    assert found.exits["approach_shot", "eliminated"] == Fraction(55, 324)
    assert found.steps["overrun_attack"] == Fraction(83, 108)
    assert found.steps["overrun_ends"] == 1
