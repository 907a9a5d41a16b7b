"""`overrun advise`: what to do, and what each mistake costs."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import Json, Payoff, Policy, Restrict, Scenario

PLACE = 45


def advise(
    file: Scenario,
    *,
    policy: Policy = "best",
    payoff: Payoff = None,
    restrict: Restrict = None,
    decisions: Annotated[int, typer.Option(metavar="N", min=1, help="How many decisions to show.")] = 10,
    json: Json = False,
) -> None:
    """Advise both seats: the best option at each decision.

    Shows what each other option costs. With --policy one seat can be held to the stated plan (defender=plan).
    """
    from overrun.analysis.advice import advice, advice_document
    from overrun.cli import answers, asking, screen
    from overrun.store import opening

    opened = opening.scenario(file)
    asked = asking.pricing(opened, policy, payoff, restrict or ())
    if json:
        answers.print_json(advice_document(asked, decisions))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    answers.worth(console, asked)
    answers.advised(console, opened.ruleset, *advice(asked, decisions))
    answers.doubts(console, asked)
