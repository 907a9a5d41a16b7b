"""`overrun sensitivity`: which numbers matter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from overrun.cli.options import Json, Payoff, Policy, Restrict, Scenario, Simplify

PLACE = 47


def sensitivity(  # noqa: PLR0913  (each is an option of the command)
    file: Scenario,
    *,
    measure: Annotated[str, typer.Option(metavar="NAME", help="What to watch: a measure, or value.")] = "value",
    by: Annotated[int, typer.Option(metavar="N", min=1, max=20, help="Move each number by 1 to N, both ways.")] = 1,
    only: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="Only numbers whose name has this in it; may be repeated.")
    ] = None,
    policy: Policy = None,
    payoff: Payoff = None,
    restrict: Restrict = None,
    simplify: Simplify = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a tornado plot there.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="The same as PNG (extra `plot`).")] = None,
    processes: Annotated[int, typer.Option(metavar="N", min=1, help="How many run at once.")] = 2,
    json: Json = False,
) -> None:
    """Move every printed fact and modifier, one at a time, and sort them by effect.

    Numbers of the scenario, cells of tables, single figures of the rules, counters and the modifiers of ledgers: every
    one that the answer reads. Says from which number on best play begins with another choice.
    """
    from functools import partial

    from overrun.analysis import sensitivity
    from overrun.analysis.reckon import Job
    from overrun.cli import answers, asking, comparisons, pictures, screen
    from overrun.compiled.graphs import FromCache
    from overrun.drawing import tornado
    from overrun.store import opening

    opened = opening.scenario(file)
    terms = asking.comparison(opened, policy, payoff, restrict or (), simplified=simplify or ())
    for path in filter(None, (svg, png)):
        opening.must_be_new(str(path))
    if png is not None:
        pictures.ready()
    job = Job(opening.system, opened.ruleset.id, opened.situation.document, terms, graphs=FromCache())
    moves = [sign * step for sign in (-1, 1) for step in range(1, by + 1)]
    run = partial(asking.side_by_side, processes=processes)
    found = sensitivity.sensitivity(job, opened.ruleset, run, measure=measure, moves=moves, only=only or ())
    drawn = tornado.svg(tornado.bars(found), f"{opened.situation.title}: {measure}", found.base.measure(measure))
    if svg is not None:
        opening.write_new(str(svg), drawn)
    if png is not None:
        pictures.write_png(png, drawn)
    if json:
        answers.print_json(sensitivity.document(opened.ruleset, terms, found))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    answers.bound(console, opened.ruleset, terms)
    comparisons.sensitive(console, opened.ruleset, found)
    for path in filter(None, (svg, png)):
        console.print(f"Wrote {path}.")
