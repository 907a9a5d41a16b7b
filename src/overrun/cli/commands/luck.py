"""`overrun luck`: what the dice of a log did."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import Json, Payoff, Policy, Restrict

PLACE = 65


def luck(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log that `overrun play --log` wrote.")],
    *,
    policy: Policy = "best",
    payoff: Payoff = None,
    restrict: Restrict = None,
    json: Json = False,
) -> None:
    """Judge every roll of a log.

    What it needed, how surprising it was, and how far it moved the value of the overrun if both seats play on as the
    policy says. The check of each seat's dice rings by chance in at most one log of a hundred, however many rolls.
    """
    from overrun.analysis import luck
    from overrun.cli import answers, asking, comparisons, screen
    from overrun.play import record
    from overrun.play.explain import Explainer
    from overrun.store import opening

    opened, kept = opening.log(log)
    asked = asking.pricing(opened, policy, payoff, restrict or ())
    session = record.replay(kept, opened.session())
    rolls = luck.luck(asked, session)
    explainer = Explainer(opened.ruleset.rules, opened.ruleset.seats)
    needed = [explainer.needed(roll.event) for roll in rolls]
    if json:
        answers.print_json(luck.document(asked, rolls, needed))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    comparisons.luck(console, opened.ruleset, rolls, needed, luck.totals(rolls))
