"""`overrun examples`: the shipped scenarios."""

from __future__ import annotations

from typing import Annotated

import typer

PLACE = 10


def examples(
    show: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Print the file of this scenario, to copy and change it.")
    ] = None,
) -> None:
    """List the shipped scenarios, or print the file of one."""
    from overrun import scenarios
    from overrun.cli import screen
    from overrun.kernel import InputError, Problem, meant
    from overrun.store import opening

    if show is not None:
        if show not in scenarios.names():
            what = f"there is no shipped scenario {show!r}{meant(show, scenarios.names())}"
            raise InputError([Problem("NAME", what, ", ".join(scenarios.names()))])
        print(scenarios.text(show), end="")
        return
    console = screen.screen()
    rows = [(name, opening.scenario(name).situation.title) for name in scenarios.names()]
    console.print(screen.columns(console, rows, right=(), indent=0))
