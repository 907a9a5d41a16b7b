"""`overrun new`: a scenario to start from."""

from __future__ import annotations

from overrun.cli.options import Output, System

PLACE = 15


def new(
    system: System,
    *,
    output: Output = None,
) -> None:
    """Print a commented scenario to start from."""
    from overrun.store import opening

    text = opening.system(system).starter()
    if output is None:
        print(text, end="")
    else:
        opening.write_new(output, text)
        print(f"Wrote {output}. Change it, then: overrun check {output}")
