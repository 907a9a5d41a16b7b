"""`overrun advise`: what to do, and what each mistake costs."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import Json, Payoff, Policy, Restrict, Scenario, Simplify, Within

PLACE = 45


def advise(  # noqa: PLR0913  (each is an option of the command)
    file: Scenario,
    *,
    policy: Policy = "best",
    payoff: Payoff = None,
    restrict: Restrict = None,
    simplify: Simplify = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare best play with the stated plan and the best replies to it.")
    ] = False,
    log: Annotated[
        str | None, typer.Option(metavar="LOG", help="Judge the choices of this log of the scenario, too.")
    ] = None,
    decisions: Annotated[int, typer.Option(metavar="N", min=1, help="How many decisions to show.")] = 10,
    within: Within = None,
    json: Json = False,
) -> None:
    """Advise both seats: the best option at each decision.

    Shows what each other option costs. With --policy one seat can be held to the stated plan (defender=plan).
    """
    from overrun.analysis import compare as ways_to_play
    from overrun.analysis.advice import advice, advice_document
    from overrun.analysis.errors import TooLarge
    from overrun.cli import answers, asking, comparisons, screen
    from overrun.store import opening

    opened = opening.scenario(file)
    asked = asking.pricing(opened, policy, payoff, restrict or (), within, simplified=simplify or ())
    try:
        asked.solution  # noqa: B018  (it may turn out to be too large: that is told before anything is printed)
    except TooLarge as error:
        answers.bounded(opened, asked, asking.bounds_for(asked, error), str(error), json=json)
        return
    session = None if log is None else asking.played(opened, log)
    ways = ways_to_play.compare(asked, session) if compare or session is not None else []
    chosen = [] if session is None else ways_to_play.choices(asked, session)
    if json:
        found = advice_document(asked, decisions)
        found |= {"comparison": ways_to_play.compared_document(ways)} if ways else {}
        found |= {"choices": ways_to_play.choices_document(chosen)} if session is not None else {}
        answers.print_json(found)
        return
    shown, every = advice(asked, decisions)
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    answers.worth(console, asked)
    answers.advised(console, opened.ruleset, shown, every)
    if ways:
        comparisons.compared(console, opened.ruleset, ways)
    if session is not None:
        comparisons.choices(console, opened.ruleset, chosen)
    answers.doubts(console, asked)
