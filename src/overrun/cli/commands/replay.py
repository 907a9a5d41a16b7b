"""`overrun replay`: verify a log."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from overrun.cli.options import Json

PLACE = 60


class Against(StrEnum):
    """Whose rules an old log is held against."""

    CURRENT = "current"


def replay(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log that `overrun play --log` wrote.")],
    *,
    against: Annotated[
        Against | None,
        typer.Option(metavar="current", help="Referee an old log by the rules of today; show where they first differ."),
    ] = None,
    json: Json = False,
) -> None:
    """Play a log again and check every entry against the rules.

    An entry that was edited, or that the rules now answer differently, is named with what was expected. With --against
    current a difference is no fault: the same dice and choices are refereed by today's rules and figures.
    """
    from overrun.cli import refereed, screen
    from overrun.kernel import InputError, Problem
    from overrun.play import record
    from overrun.play.explain import Explainer
    from overrun.store import logfile, opening

    opened, kept = opening.log(log)
    if against is not None:
        refereed.referee(opened, kept, json=json)
        return
    if json:
        raise InputError([Problem("--json", "only a comparison with today's rules has one", "--against current")])
    console = screen.screen()
    screen.situation(console, opened)
    if kept.stamp != opened.stamp():
        console.print(f"Refereed by {logfile.told(kept)}; the rules here are {logfile.told(opened.record())}.\n")
    session = record.replay(kept, opened.session())
    count = len(kept.entries)
    console.print(f"Verified: {count} {'entry' if count == 1 else 'entries'}, each as the rules say.")
    if session.over:
        explainer = Explainer(opened.ruleset.rules, opened.ruleset.seats)
        screen.ending(console, explainer.ending(session, opened.ruleset.describe(session.position.state)))
    else:
        console.print(f"It is not over; go on with: overrun play {log}")
