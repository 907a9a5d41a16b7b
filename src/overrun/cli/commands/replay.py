"""`overrun replay`: verify a log."""

from __future__ import annotations

from typing import Annotated

import typer

PLACE = 60


def replay(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log that `overrun play --log` wrote.")],
) -> None:
    """Play a log again and check every entry against the rules.

    An entry that was edited, or that the rules now answer differently, is named with what was expected.
    """
    from overrun.cli import screen
    from overrun.play import record
    from overrun.play.explain import Explainer
    from overrun.store import logfile, opening

    opened, kept = opening.log(log)
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
