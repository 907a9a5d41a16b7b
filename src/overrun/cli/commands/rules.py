"""`overrun rules`: a game's steps, rulings, tables, measures and payoffs."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import Json, System

PLACE = 65


def rules(
    system: System,
    *,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Show which cases test each statement of the source document.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the rules of a game as the program carries them out.

    Steps with their cites, rulings with readings and reasons, tables with their source, measures and payoffs.
    """
    from overrun.cli import answers, rulebook, screen
    from overrun.kernel import InputError, Problem
    from overrun.play.rulebook import coverage as covered
    from overrun.play.rulebook import document
    from overrun.store import opening

    ruleset = opening.system(system)
    found = covered(ruleset)
    if coverage and found is None:
        raise InputError([Problem("--coverage", f"{system} ships no coverage report", "a game of this package")])
    if json:
        answers.print_json(document(ruleset) | ({"coverage": found} if coverage else {}))
    elif coverage:
        rulebook.coverage(screen.screen(), ruleset, found or [])
    else:
        rulebook.rules(screen.screen(), document(ruleset))
