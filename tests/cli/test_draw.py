"""`overrun draw`: a game, a scenario with its chances, a log with its way (X-07)."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(("format", "begins"), [("svg", "<svg "), ("mermaid", "flowchart TD"), ("dot", 'digraph "')])
def test_a_game_is_drawn_in_every_format(run: Run, format: str, begins: str) -> None:
    ran = run("draw", "valor", "--format", format)
    assert (ran.code, ran.out.startswith(begins)) == (0, True)
    assert "76.85 %" not in ran.out


def test_a_scenario_is_drawn_with_its_exact_chances(run: Run) -> None:
    assert "76.85 %" in run("draw", "valor/printed-example").out  # 83/108 under the stated plan
    assert "76.85 %" not in run("draw", "valor/printed-example", "--policy", "uniform").out
    assert " %" not in run("draw", "valor/printed-example", "--plain").out


def test_a_log_is_drawn_with_its_way(run: Run) -> None:
    run("play", "valor/printed-example", "--log", "a.json", typed="1\n3\n")
    text = run("draw", "a.json").out
    assert text.count('class="box here"') == 1
    assert "The overrun is here." in text


def test_a_drawing_is_written_to_a_new_file_only(run: Run, tmp_path: Path) -> None:
    assert run("draw", "valor", "--output", "a.svg").out == "Wrote a.svg.\n"
    ElementTree.parse(tmp_path / "a.svg")
    assert "this file exists and is kept" in run("draw", "valor", "--output", "a.svg").err


def test_a_game_tree_is_of_a_scenario(run: Run) -> None:
    assert run("draw", "valor/printed-example", "--format", "efg").out.startswith('EFG 2 R "M4A3E8')
    assert run("draw", "valor", "--format", "efg").code == 2


@pytest.mark.parametrize("target", ["chess", "none.toml"])
def test_what_cannot_be_drawn_is_named(run: Run, target: str) -> None:
    ran = run("draw", target)
    assert (ran.code, f"{target}: there is no such file" in ran.err) == (2, True)
    assert run("draw", "valor", "--format", "png").code == 2


def test_a_table_is_drawn_to_scale_where_the_game_has_one(run: Run) -> None:
    ran = run("draw", "warhammer/wheel-needed", "--table")
    assert (ran.code, ran.out[:4]) == (0, "<svg")
    assert "strikes Orcs in the front: 5 models" in ran.out
    assert "belongs to a scenario" in run("draw", "warhammer", "--table").err
    assert "not drawn as dot" in run("draw", "warhammer/wheel-needed", "--table", "--format", "dot").err


def test_a_log_is_drawn_where_it_has_led(run: Run) -> None:
    run("play", "warhammer/wheel-needed", "--log", "b.json", typed="1\n3 4\n1\n")
    text = run("draw", "b.json", "--table").out
    assert "strikes Orcs in the front: 5 models" in text
    assert "meets nobody" not in text
