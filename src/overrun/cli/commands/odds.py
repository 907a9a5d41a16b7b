"""`overrun odds`: what will happen, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from overrun.cli.options import Json, Payoff, Policy, Restrict, Scenario, Simplify, Within

if TYPE_CHECKING:
    from overrun.analysis.answer import Terms
    from overrun.store.opening import Opened

PLACE = 40


def odds(  # noqa: PLR0913  (each is an option of the command)
    file: Scenario,
    *,
    policy: Policy = None,
    payoff: Payoff = None,
    restrict: Restrict = None,
    simplify: Simplify = None,
    ruling: Annotated[
        str | None, typer.Option(metavar="NAME", help="Show the answer under each reading of a ruling, side by side.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(metavar="N", help="Estimate from N generated overruns, with standard errors.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of --sample.")] = 1,
    within: Within = None,
    json: Json = False,
) -> None:
    """Price an overrun exactly.

    Every measure and every way to end, as fractions and percentages. Without --policy the seats follow the plan of the
    scenario if it states one, else both play their best.
    """
    from overrun.analysis.answer import document
    from overrun.analysis.errors import TooLarge
    from overrun.cli import answers, asking, screen
    from overrun.store import opening

    opened = opening.scenario(file)
    if ruling is not None:
        _side_by_side(opened, ruling, asking.comparison(opened, policy, payoff, restrict or ()), json=json)
        return
    asked = asking.pricing(opened, policy, payoff, restrict or (), within, simplified=simplify or ())
    try:
        found = asked.odds if sample is None else asked.sampled(sample, seed)
    except TooLarge as error:
        answers.bounded(opened, asked, asking.bounds_for(asked, error), str(error), json=json)
        return
    if json:
        answers.print_json(document(asked, found))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    answers.terms(console, asked, found)
    answers.odds(console, opened.ruleset, found)
    answers.doubts(console, asked)


def _side_by_side(opened: Opened, ruling: str, terms: Terms, *, json: bool) -> None:
    """The answer under each reading of one ruling."""
    from overrun.analysis import readings
    from overrun.cli import answers, comparisons, screen
    from overrun.compiled.graphs import FromCache

    found = readings.readings(opened.ruleset, opened.situation.document, terms, only=ruling, graphs=FromCache())
    if json:
        answers.print_json(readings.document(opened.ruleset, terms, found))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    comparisons.side_by_side(console, opened.ruleset, found)
