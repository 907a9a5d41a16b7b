"""`overrun draw`: the flowchart of a game, with the chances or the way of one overrun on it; or the table itself."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from overrun.cli.options import Output, Payoff, Policy

PLACE = 55


class Format(StrEnum):
    """What a drawing is written in."""

    SVG = "svg"
    MERMAID = "mermaid"
    DOT = "dot"
    EFG = "efg"


def draw(
    target: Annotated[
        str, typer.Argument(metavar="SYSTEM|FILE|LOG", help="A game; a scenario, for its chances; a log, for its way.")
    ],
    *,
    format: Annotated[
        Format, typer.Option(metavar="svg|mermaid|dot|efg", help="efg is a Gambit game tree, of a scenario only.")
    ] = Format.SVG,
    output: Output = None,
    policy: Policy = None,
    payoff: Payoff = None,
    plain: Annotated[bool, typer.Option("--plain", help="Leave the chances of a scenario out.")] = False,
    stage: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Draw this stage alone, to fit a sheet of paper on its side (svg)."),
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Draw the table to scale instead, where the game has a picture of it (svg).")
    ] = False,
) -> None:
    """Draw the flowchart of a game from its rules, or with --table the situation itself.

    For a scenario it shows how likely each step and exit is, exactly, under the policy; for a log, the way it took.
    """
    from overrun.cli import drawings
    from overrun.store import opening

    if table:
        text = drawings.table(target, format)
    elif format is Format.EFG:
        text = drawings.tree(target, payoff)
    else:
        text = drawings.flowchart(target, format, policy, payoff, plain=plain, only=stage)
    if output is None:
        print(text, end="")
    else:
        opening.write_new(output, text)
        print(f"Wrote {output}.")
