"""Answers from kept graphs are those from the rules, and nothing that matters is left out of a graph's name (X-05)."""

import os
import pickle
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from overrun import scenarios
from overrun.analysis.advice import advice_document
from overrun.analysis.answer import Pricing, Terms, document
from overrun.analysis.compare import compare
from overrun.analysis.errors import TooLarge
from overrun.analysis.graphs import Asked
from overrun.analysis.policy import Style
from overrun.analysis.reckon import reckon
from overrun.analysis.watch import Watch
from overrun.compiled import graphs as module
from overrun.compiled.graphs import FromCache, OnArrays
from overrun.compiled.states import UnknownState, pack, unpack
from overrun.kernel import Payoff, Ruleset, Seat, Situation
from overrun.rulesets import ruleset
from tests.rulesets.drill import drill, position
from tests.rulesets.skirmish import STARTER, skirmish

NAMES = ("valor/printed-example", "valor/crossfire", "warhammer/two-targets", "warhammer/straight-hit")
WAYS = (Style.BEST, Style.PLAN_ELSE_BEST, Style.UNIFORM)


@pytest.fixture(autouse=True)
def keep_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORTH_ASKING", 0.0)
    monkeypatch.setattr(module, "WORTH_KEEPING", 0.0)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def shipped(name: str) -> tuple[Ruleset, Mapping[str, Any]]:
    return ruleset(name.partition("/")[0]), tomllib.loads(scenarios.text(name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("attacker", WAYS)
@pytest.mark.parametrize("defender", [Style.BEST, Style.UNIFORM])
def test_kept_graphs_answer_as_the_rules_do(name: str, attacker: Style, defender: Style, tmp_path: Path) -> None:
    rules, text = shipped(name)
    if attacker is Style.PLAN_ELSE_BEST and "plan" not in text:
        attacker = Style.BEST
    situation = rules.load(text)
    terms = Terms(rules.payoff(), {Seat.ATTACKER: attacker, Seat.DEFENDER: defender})
    fresh = Pricing(rules, situation, terms)
    answers = []
    for _ in range(2):
        kept = Pricing(rules, situation, terms, graphs=FromCache(tmp_path))
        answers.append(
            (document(kept, kept.odds), advice_document(kept), reckon(rules, text, terms, graphs=kept.graphs))
        )
        assert isinstance(kept.solution, OnArrays)
    assert kept.solution.from_cache
    expected = document(fresh, fresh.odds), advice_document(fresh), reckon(rules, text, terms)
    assert answers == [expected, expected]
    assert [one.values for one in compare(kept)] == [one.values for one in compare(fresh)]


@pytest.mark.parametrize("first", [(), ("no_heat_of_battle",)])
def test_a_situation_and_the_same_without_a_rule_are_kept_apart(first: tuple[str, ...], tmp_path: Path) -> None:
    rules, text = shipped("asl/concealed-stack")
    situation, order = rules.load(text), [first, () if first else ("no_heat_of_battle",)]

    def told(left_out: tuple[str, ...], **graphs: Any) -> tuple[Mapping[str, Any], Pricing]:
        pricing = Pricing(rules, situation, Terms(rules.payoff(), simplified=left_out), **graphs)
        return advice_document(pricing), pricing

    fresh = [told(left_out)[0] for left_out in order]
    assert len(fresh[0]["decisions"]) != len(fresh[1]["decisions"])
    for again in (False, True):
        for left_out, expected in zip(order, fresh, strict=True):
            found, kept = told(left_out, graphs=FromCache(tmp_path))
            assert isinstance(kept.solution, OnArrays)
            assert (found, kept.solution.from_cache) == (expected, again)
    assert len(files(tmp_path)) == 2


def test_one_graph_serves_every_payoff(tmp_path: Path) -> None:
    rules, text = shipped("valor/printed-example")
    situation = rules.load(text)
    both = Payoff("own ends", "", {"afv_eliminated": -3, "cr_lost": 1}, {"afv_eliminated": 2})
    for payoff in (*rules.payoffs, both):
        kept = Pricing(rules, situation, Terms(payoff), graphs=FromCache(tmp_path))
        assert kept.values == Pricing(rules, situation, Terms(payoff)).values
    assert len(files(tmp_path)) == 1


def test_what_changes_the_game_changes_the_name(tmp_path: Path) -> None:
    text = tomllib.loads(STARTER)
    graphs = FromCache(tmp_path)

    def found(change: Mapping[str, Any], *styles: Style, made: Ruleset = skirmish) -> bool:
        terms = Terms(made.payoff(), dict(zip(Seat, styles or (Style.BEST, Style.BEST), strict=True)))
        solution = Pricing(made, made.load({**text, **change}), terms, graphs=graphs).solution
        assert isinstance(solution, OnArrays)
        return solution.from_cache

    plan = {"plan": {"start": ["wait"]}}
    assert not found({})
    assert found({})
    forces = text["forces"]
    assert not found({"forces": {**forces, "men": forces["men"] + 1}})
    assert not found({"rulings": {"exact_roll": "miss"}})
    assert not found({}, Style.UNIFORM, Style.BEST)
    assert not found({}, Style.BEST, Style.UNIFORM)
    assert not found({}, made=replace(skirmish, version="9"))
    assert found({**plan})  # a plan that no style reads is no part of the game
    assert not found(plan, Style.PLAN_ELSE_BEST, Style.BEST)
    assert not found({"plan": {"start": ["charge"]}}, Style.PLAN_ELSE_BEST, Style.BEST)
    assert found(plan, Style.PLAN_ELSE_BEST, Style.BEST)


def test_a_kept_graph_is_as_too_large_as_an_extracted_one(tmp_path: Path) -> None:
    rules, text = shipped("valor/printed-example")
    for _ in range(2):
        Pricing(rules, rules.load(text), Terms(rules.payoff()), graphs=FromCache(tmp_path)).solution  # noqa: B018
        for graphs in (None, FromCache(tmp_path)):
            with pytest.raises(TooLarge, match=": 101 decision rows, and the limit is 100"):
                Pricing(rules, rules.load(text), Terms(rules.payoff(), row_limit=100), graphs=graphs).solution  # noqa: B018


PROGRAM = """
import sys
from pathlib import Path
from overrun.analysis.answer import Pricing, Terms
from overrun.compiled import graphs
from invented.rules import rules

graphs.WORTH_KEEPING = 0.0
pricing = Pricing(rules, rules.load({}), Terms(rules.payoff()), graphs=graphs.FromCache(Path(sys.argv[1])))
print(pricing.solution.from_cache, pricing.solution.outlook()[0]["men_hit"])
"""

INVENTED = '''
"""A game of one decision."""
import tomllib
from dataclasses import replace
from pathlib import Path
from overrun.kernel import Decision, End, Exit, Position, Procedure, Rules, Seat, Situation, work
from tests.rulesets.skirmish import skirmish

cite = work("Invented")
FIGURES = tomllib.loads(Path(__file__).with_name("figures.toml").read_text())
main: Procedure[int] = Procedure("main", "Main", cite("1"))


@main.step(cite("1"), "Choose", take="over", leave="over")
def choose(state: int):
    """Take it or leave it."""
    return Decision(Seat.ATTACKER, (Exit("take", 1, tally={"men_hit": FIGURES["worth"]}), Exit("leave", 0)))


@main.step(cite("2"), "Over")
def over(state: int):
    """It is over."""
    return End("over")


rules = replace(
    skirmish,
    id="invented",
    rules=Rules("invented", (main,), "choose").freeze(),
    load=lambda document: Situation("x", Position("choose", 0), {}),
)
'''


def test_a_changed_rule_or_figure_is_a_game_of_its_own(tmp_path: Path) -> None:
    package = tmp_path / "invented"
    package.mkdir()
    (package / "__init__.py").write_text("")
    paths = os.pathsep.join([str(tmp_path), *(path for path in sys.path if path)])

    def ran() -> str:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tmp_path / "cache")],
            env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert not done.stderr
        return done.stdout.strip()

    (package / "figures.toml").write_text("worth = 1")
    (package / "rules.py").write_text(INVENTED)
    assert [ran(), ran()] == ["False 1", "True 1"]
    (package / "figures.toml").write_text("worth = 2")
    assert [ran(), ran()] == ["False 2", "True 2"]
    (package / "rules.py").write_text(INVENTED.replace('FIGURES["worth"]', '3 * FIGURES["worth"]'))
    assert [ran(), ran()] == ["False 6", "True 6"]


def test_graphs_that_are_made_faster_than_found_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORTH_ASKING", 1.0)
    monkeypatch.setattr(module, "WORTH_KEEPING", 1000.0)
    graphs, looked = FromCache(tmp_path), []
    monkeypatch.setattr(module.Cache, "_read", lambda *_: (looked.append(1), (None, ""))[1])
    asked = Asked(drill, Situation("drill", position(1), {}), dict.fromkeys(Seat, Style.BEST))
    for _ in range(12):
        graphs.best(asked, drill.payoff(), Watch())
    assert (len(looked), list(tmp_path.iterdir())) == (8, [])
    # That one ruleset is quickly asked says nothing of another.
    other = replace(asked, ruleset=replace(drill, id="other"))
    graphs.best(other, drill.payoff(), Watch())
    assert len(looked) == 9


# ---------------------------------------------------------------------- states


def test_nothing_but_values_of_the_rules_is_read() -> None:
    game = Asked(skirmish, skirmish.load(tomllib.loads(STARTER)), dict.fromkeys(Seat, Style.BEST)).game()
    states = [None if row.seat is None else row.key[1] for row in game.rows]
    assert unpack(pack(game), ["tests.rulesets", "overrun.kernel"]) == states
    with pytest.raises(UnknownState, match="is no part of the rules"):
        unpack(pack(game), ["overrun.kernel"])
    harmful = zlib.compress(pickle.dumps([os.getcwd]))
    with pytest.raises(UnknownState, match="is no part of the rules"):
        unpack(harmful, ["tests.rulesets"])
    with pytest.raises(UnknownState, match="is no class"):
        unpack(zlib.compress(pickle.dumps([position])), ["tests.rulesets"])
    for block in (b"", b"x", zlib.compress(b"\x80"), zlib.compress(pickle.dumps(1))):
        with pytest.raises(UnknownState):
            unpack(block, ["tests.rulesets"])


def test_without_kept_states_the_rows_are_extracted_again(tmp_path: Path) -> None:
    rules, text = shipped("valor/halftrack-with-riders")
    pricing = Pricing(rules, rules.load(text), Terms(rules.payoff()), graphs=FromCache(tmp_path))
    found = pricing.solution
    assert isinstance(found, OnArrays)
    bare = replace(found, solved=replace(found.solved, compiled=replace(found.compiled, states=b"")))
    assert [row.key for row in bare.game.rows] == [row.key for row in found.game.rows]
