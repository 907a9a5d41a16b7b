"""What `overrun draw` draws: a game as it is, a scenario with its chances, a log with its way, a table to scale."""

from __future__ import annotations

from overrun.analysis.flow import flow
from overrun.analysis.game import Game
from overrun.cli import asking
from overrun.drawing.chart import NOTHING, Overlay, chart, stage, way
from overrun.drawing.dot import dot
from overrun.drawing.efg import efg
from overrun.drawing.mermaid import mermaid
from overrun.drawing.svg import svg
from overrun.kernel import InputError, Problem
from overrun.play import record
from overrun.store import opening


def flowchart(
    target: str, written: str, policy: str | None, payoff: str | None, *, plain: bool, only: str | None = None
) -> str:
    """The flowchart of a game, a scenario or a log. Raises `InputError` or `TooLarge`."""
    if only is not None and written != "svg":
        raise InputError([Problem("--stage", f"one stage is not drawn as {written}", "svg")])
    ruleset, title, overlay = None, "", NOTHING
    if opening.is_system(target):
        ruleset = opening.system(target)
        title = ruleset.title
    else:
        opened, kept = opening.scenario_or_log(target)
        ruleset, title = opened.ruleset, f"{opened.ruleset.title}: {opened.situation.title}"
        if kept is not None:
            overlay = way(record.replay(kept, opened.session()))
        elif not plain:
            chances = flow(asking.pricing(opened, policy, payoff))
            overlay = Overlay(steps=chances.steps, exits=chances.exits)
    drawn = chart(ruleset.rules, title)
    if only is not None:
        drawn = stage(drawn, only)
    return {"svg": svg, "mermaid": mermaid, "dot": dot}[written](drawn, overlay)


def table(target: str, written: str) -> str:
    """The situation of a scenario, or where a log has led, as its ruleset pictures it. Raises `InputError`."""
    if written != "svg":
        raise InputError([Problem("--format", f"a table is not drawn as {written}", "svg")])
    if opening.is_system(target):
        raise InputError(
            [Problem("--table", f"{target} is a game; a table belongs to a scenario", "a scenario or a log")]
        )
    opened, kept = opening.scenario_or_log(target)
    if opened.ruleset.picture is None:
        raise InputError([Problem("--table", f"{opened.ruleset.title} has no picture of its table", "leave it out")])
    state = None if kept is None else record.replay(kept, opened.session()).position.state
    return opened.ruleset.picture(opened.situation, state)


def tree(target: str, payoff: str | None) -> str:
    """The game tree of a scenario. Raises `InputError` or `TooLarge`."""
    opened = opening.scenario(target)
    asked = asking.pricing(opened, "best", payoff)
    game = Game(opened.ruleset.rules, opened.situation.start, watch=asked.watch)
    return efg(game, asked.terms.payoff, opened.situation.title)
