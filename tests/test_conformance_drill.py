"""The drill keeps every law; and each law catches a ruleset that breaks it."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from overrun.kernel import Decision, Exit, Refusal, RulesError, Seat, Situation, Step
from overrun.testing import check_position, check_ruleset, check_situation, coverage, reachable
from tests.rulesets.drill import MEASURES, SITUATION, State, build, changed, drill, position

NAMES = frozenset(measure.name for measure in MEASURES)


def test_the_drill_conforms() -> None:
    check_ruleset(drill, [Situation("one", position(1, 1), {}), Situation("two", position(2, 1), {}), SITUATION])


def with_body(step: str, change: Callable[[Any], Any]) -> Any:
    rules = build()
    old: Step[Any] = rules.steps[step]
    rules.steps[step] = replace(old, body=lambda s: change(old.body(s)))
    return rules


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (with_body("declare", lambda node: Decision(Seat.ATTACKER, ())), "options are missing"),
        (with_body("declare", lambda node: replace(node, options=node.options * 2)), "named twice"),
        (
            with_body("declare", lambda node: replace(node, refused=(Refusal("overrun", "no", node.refused[0].cite),))),
            "both legal and refused",
        ),
        (
            with_body("declare", lambda node: replace(node, refused=(Refusal("bail", "", node.refused[0].cite),))),
            "without a reason",
        ),
        (
            with_body(
                "declare", lambda node: replace(node, options=(Exit("decline", node.options[0].state, tally={"x": 1}),))
            ),
            "no declared measures",
        ),
    ],
)
def test_a_broken_decision_is_caught(rules: Any, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        check_position(rules, position(1), NAMES)


def test_a_live_state_that_refuses_what_the_full_state_does_not_is_caught() -> None:
    asked = count()
    rules = with_body(
        "declare",
        lambda node: replace(
            node, refused=(*node.refused, Refusal(f"bail {next(asked)}", "Not now.", node.refused[0].cite))
        ),
    )
    with pytest.raises(RulesError, match="the live state refuses"):
        check_position(rules, position(1), NAMES)


def test_a_live_projection_that_drops_what_a_later_step_reads_is_caught() -> None:
    rules = build()
    rules._live |= {"reaction": lambda step, s: changed(s, vehicle="ok")}
    greedy = replace(drill, rules=rules)
    with pytest.raises(RulesError, match="live"):
        check_situation(greedy, Situation("two", position(2, 1), {}))


def test_every_declared_exit_of_the_drill_is_taken() -> None:
    from overrun.analysis.game import Game  # noqa: PLC0415

    taken = set[tuple[str, str]]()
    for units in (1, 2, 3):
        taken |= Game(drill.rules, position(units)).watch.taken
    assert coverage(drill.rules, taken) == set()
    assert coverage(drill.rules, set(taken) - {("again", "again")}) == {"again.again"}


def test_reachable_gives_up_above_its_limit() -> None:
    assert reachable(drill.rules, position(3), 50) is None
    assert isinstance(position(1).state, State)
