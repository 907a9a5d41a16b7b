"""Arguments and options that several commands share, so that they are named and explained alike everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

Scenario = Annotated[str, typer.Argument(metavar="FILE", help="A scenario file, or the name of a shipped one.")]
ScenarioOrLog = Annotated[str, typer.Argument(metavar="FILE|LOG", help="A scenario file, a shipped one, or a log.")]
System = Annotated[str, typer.Argument(metavar="SYSTEM", help="A game: asl, valor or warhammer.")]
Json = Annotated[bool, typer.Option("--json", help="Print the documented JSON answer.")]
Policy = Annotated[
    str | None,
    typer.Option(
        metavar="POLICY",
        help="How the seats choose: best, uniform or plan; or one for each, such as attacker=plan,defender=best.",
    ),
]
Payoff = Annotated[
    str | None, typer.Option(metavar="NAME|FILE", help="What best play aims at: a preset, or a .toml file of weights.")
]
Restrict = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Cut options by a restriction of the game, and get a bound.")
]
Simplify = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Leave out a rule, by a simplification of the game.")
]
Within = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        min=0.1,
        help="Where the exact answer takes longer, give bounds on the value, found in as many seconds again.",
    ),
]
Output = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Write there; a file that exists is kept.")
]
