"""`overrun rulings`: which readings of ambiguous rules matter here."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import Json, Payoff, Policy, Restrict, Scenario

PLACE = 48


def rulings(
    file: Scenario,
    *,
    policy: Policy = None,
    payoff: Payoff = None,
    restrict: Restrict = None,
    measure: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A measure to show; value, if none is named.")
    ] = None,
    json: Json = False,
) -> None:
    """Answer a scenario under each reading of each ambiguous rule.

    All other rulings stay as the scenario has them. Says which can come up here, and which of those change an answer.
    """
    from overrun.analysis import readings
    from overrun.analysis.reckon import measure_names
    from overrun.cli import answers, asking, comparisons, screen
    from overrun.store import opening

    opened = opening.scenario(file)
    terms = asking.comparison(opened, policy, payoff, restrict or ())
    shown = measure_names(opened.ruleset, measure or ["value"])
    found = readings.readings(opened.ruleset, opened.situation.document, terms)
    if json:
        answers.print_json(readings.document(opened.ruleset, terms, found))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    comparisons.rulings(console, opened.ruleset, found, shown)
