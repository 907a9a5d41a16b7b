"""`overrun rulings`: which readings of ambiguous rules matter here."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import Json, Payoff, Policy, Restrict, Scenario, Simplify

PLACE = 48


def rulings(
    file: Scenario,
    *,
    policy: Policy = None,
    payoff: Payoff = None,
    restrict: Restrict = None,
    simplify: Simplify = None,
    measure: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A measure to show; value, if none is named.")
    ] = None,
    processes: Annotated[int, typer.Option(metavar="N", min=1, help="How many run at once.")] = 2,
    json: Json = False,
) -> None:
    """Answer a scenario under each reading of each ambiguous rule.

    All other rulings stay as the scenario has them. Says which can come up here, and which of those change an answer.
    """
    from functools import partial

    from overrun.analysis import readings
    from overrun.analysis.reckon import Job, answered, measure_names
    from overrun.cli import answers, asking, comparisons, screen
    from overrun.compiled.graphs import FromCache
    from overrun.store import opening

    opened = opening.scenario(file)
    terms = asking.comparison(opened, policy, payoff, restrict or (), simplified=simplify or ())
    shown = measure_names(opened.ruleset, measure or ["value"])
    document = opened.situation.document
    jobs = partial(Job, opening.system, opened.ruleset.id, terms=terms, graphs=FromCache())
    side_by_side = partial(asking.side_by_side, answered, processes=processes)
    found = readings.readings(
        opened.ruleset, document, terms, lambda changed: side_by_side([jobs(document=each) for each in changed])
    )
    if json:
        answers.print_json(readings.document(opened.ruleset, terms, found))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    answers.bound(console, opened.ruleset, terms)
    comparisons.rulings(console, opened.ruleset, found, shown)
