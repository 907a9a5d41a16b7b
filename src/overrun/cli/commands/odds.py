"""`overrun odds`: what will happen, exactly."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import Json, Payoff, Policy, Restrict, Scenario

PLACE = 40


def odds(
    file: Scenario,
    *,
    policy: Policy = None,
    payoff: Payoff = None,
    restrict: Restrict = None,
    sample: Annotated[
        int | None, typer.Option(metavar="N", help="Estimate from N generated overruns, with standard errors.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of --sample.")] = 1,
    json: Json = False,
) -> None:
    """Price an overrun exactly.

    Every measure and every way to end, as fractions and percentages. Without --policy the seats follow the plan of the
    scenario if it states one, else both play their best.
    """
    from overrun.analysis.answer import document
    from overrun.cli import answers, asking, screen
    from overrun.store import opening

    opened = opening.scenario(file)
    asked = asking.pricing(opened, policy, payoff, restrict or ())
    found = asked.odds if sample is None else asked.sampled(sample, seed)
    if json:
        answers.print_json(document(asked, found))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    answers.terms(console, asked, found)
    answers.odds(console, opened.ruleset, found)
    answers.doubts(console, asked)
