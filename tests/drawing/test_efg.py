"""Exported game trees, solved by OpenSpiel, are worth what best play says they are (X-05)."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pyspiel
import pytest

from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.errors import TooLarge
from overrun.analysis.game import Game
from overrun.analysis.solve import Solution
from overrun.drawing.efg import efg
from overrun.kernel import Payoff, RulesError
from overrun.store import opening
from tests.rulesets.drill import PAYOFF, drill, position


def solved(path: Path) -> list[float]:
    """The value of each player by OpenSpiel's own tree, every player maximising."""

    def value(state: Any) -> list[float]:
        if state.is_terminal():
            return list(state.returns())
        if state.is_chance_node():
            shares = [(chance, value(state.child(action))) for action, chance in state.chance_outcomes()]
            return [sum(chance * worth[player] for chance, worth in shares) for player in (0, 1)]
        mine = state.current_player()
        return max((value(state.child(action)) for action in state.legal_actions()), key=lambda worth: worth[mine])

    return value(pyspiel.load_game(f"efg_game(filename={path})").new_initial_state())


@pytest.mark.parametrize(("units", "passes"), [(1, 1), (2, 1), (1, 2)])
def test_openspiel_agrees_on_the_drill(tmp_path: Path, units: int, passes: int) -> None:
    game = Game(drill.rules, position(units, passes))
    path = tmp_path / "drill.efg"
    path.write_text(efg(game, PAYOFF, 'Drill "one"'), encoding="utf-8")
    assert solved(path) == pytest.approx([float(value) for value in Solution(game, PAYOFF).value])


@pytest.mark.parametrize("payoff", ["trade", "break_the_hex", "save_the_afv"])
def test_openspiel_agrees_on_the_printed_example(tmp_path: Path, payoff: str) -> None:
    opened = opening.scenario("valor/printed-example")
    wanted = opened.ruleset.payoff(payoff)
    pricing = Pricing(opened.ruleset, opened.situation, Terms(wanted))
    game = Game(opened.ruleset.rules, opened.situation.start)
    path = tmp_path / "example.efg"
    path.write_text(efg(game, wanted, opened.situation.title), encoding="utf-8")
    assert solved(path) == pytest.approx([float(value) for value in pricing.values.values()])


def test_two_payoffs_are_written_apart(tmp_path: Path) -> None:
    own = Payoff("own", "each wants something else", {"lost": 2}, {"tank_lost": Fraction(1, 2), "lost": -1})
    game = Game(drill.rules, position(1, 1))
    path = tmp_path / "drill.efg"
    path.write_text(efg(game, own, "Drill"), encoding="utf-8")
    assert solved(path) == pytest.approx([float(value) for value in Solution(game, own).value])


def test_a_tree_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLarge, match="a game tree of more than 50 nodes"):
        efg(Game(drill.rules, position(2, 2)), PAYOFF, "Drill", limit=50)


def test_a_game_without_tallies_is_refused() -> None:
    with pytest.raises(RulesError, match="extracted with its tallies"):
        efg(Game(drill.rules, position(1, 1), tallies=False), PAYOFF, "Drill")
