"""`overrun serve`: the app in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLACE = 5


def serve(
    *,
    host: Annotated[
        str, typer.Option(metavar="NAME", help="Where it listens; anything but loopback opens it to others.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 takes any free one.")] = 8642,
    database: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where sessions are kept; default: in your own data folder.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the app in the browser.")] = True,
    limit: Annotated[float, typer.Option(metavar="SECONDS", min=1, help="The longest time for one analysis.")] = 300.0,
) -> None:
    """Open the app: set up, play, price and learn in the browser.

    It answers on this machine alone unless --host says otherwise, and loads nothing from anywhere.
    """
    from overrun.web.serving import run

    run(host, port, database, browser=browser, limit=limit)
