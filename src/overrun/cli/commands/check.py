"""`overrun check`: is a scenario right?"""

from __future__ import annotations

from overrun.cli.options import Scenario

PLACE = 20


def check(
    file: Scenario,
) -> None:
    """Check a scenario and name everything that is wrong with it."""
    from overrun.cli import screen
    from overrun.store import opening

    opened = opening.scenario(file)
    console = screen.screen()
    screen.situation(console, opened)
    for line in opened.ruleset.describe(opened.situation.start.state):
        console.print(f"   {line}")
    console.print("The scenario is right.")
