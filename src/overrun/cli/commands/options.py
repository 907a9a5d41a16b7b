"""`overrun options`: what would be legal at a given moment, and why not the rest, without playing."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import Scenario

PLACE = 55


def options(
    file: Scenario,
    stage: Annotated[
        str | None, typer.Option(metavar="NAME", help="The moment, such as before; without it, every one there is.")
    ] = None,
) -> None:
    """Show the options of a moment for the units of a scenario, and the rule against each of the others.

    For Advanced Squad Leader the moments are the three tables of defensive fire: before an overrun, none declared, and
    after it.
    """
    from overrun.cli import screen
    from overrun.kernel import InputError, Position, Problem, meant
    from overrun.play.explain import Explainer
    from overrun.store import opening

    opened = opening.scenario(file)
    moments = opened.ruleset.moments
    if not moments:
        raise InputError([Problem("FILE", f"{opened.ruleset.title} has no moment to ask about", "a scenario of asl")])
    if stage is not None and stage not in moments:
        raise InputError(
            [Problem("--stage", f"there is no moment {stage!r}{meant(stage, moments)}", ", ".join(moments))]
        )
    console = screen.screen()
    screen.situation(console, opened)
    explainer = Explainer(opened.ruleset.rules, opened.ruleset.seats)
    state = opened.situation.start.state
    for name, (step, decision) in moments.items():
        if stage in {None, name}:
            console.print(
                f"\n{name}: {opened.ruleset.rules.procedures[opened.ruleset.rules.steps[step].procedure].title}"
            )
            screen.question(console, explainer.ask(Position(step, state), decision(state)), text=False)
