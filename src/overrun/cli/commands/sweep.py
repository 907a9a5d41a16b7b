"""`overrun sweep`: one question over a grid of situations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from overrun.cli.main import guarded
from overrun.cli.options import Json

PLACE = 49


class RunFirst(TyperGroup):
    """The subcommands; `overrun sweep GRID.toml` is short for `overrun sweep run GRID.toml`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `run` before a grid file."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


group = typer.Typer(
    cls=RunFirst, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True
)


@group.callback()
def sweep() -> None:
    """Answer one question over a grid of situations.

    `overrun sweep GRID.toml --out DIR` is short for `overrun sweep run`. Needs the extra `cluster`.
    """


@group.command()
@guarded
def run(
    grid: Annotated[str, typer.Argument(metavar="GRID.toml", help="The base situation, the axes, the measures.")],
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the parts are kept; one that was begun goes on.")],
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=256, help="Processes of this machine.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:PORT", help="Answer on the workers of this Dask scheduler.")
    ] = None,
    redo_damaged: Annotated[
        bool, typer.Option("--redo-damaged", help="Set damaged parts aside and answer their cells again.")
    ] = False,
    json: Json = False,
) -> None:
    """Answer every cell of a grid.

    A cell whose situation is illegal is recorded as refused, with the reason. Interrupt at any time: finished parts
    are safe, and the same command goes on. Parts are Parquet files; each cell stands in exactly one.
    """
    from overrun.cli import answers, sweeping
    from overrun.sweep import parts, show
    from overrun.sweep.run import carry_out

    parts.arrow()
    work = sweeping.work_of(grid)
    executor = sweeping.executor_of(work, workers, scheduler)
    try:
        try:
            carry_out(work, out, executor, redo_damaged=redo_damaged, on_progress=sweeping.Ticker())
        finally:
            executor.close()
        state = show.state(out)
    except KeyboardInterrupt:
        # Also when it comes after the last cell, while the workers are sent home.
        state = show.state(out)
        kept = state["answered"] + state["refused"] + state["bounded"]
        print(f"\nStopped. {kept:,} of {state['cells']:,} cells are safe; the same command goes on.")
        raise
    if json:
        answers.print_json(state | {"out": str(out)})
        return
    bounded = f"{state['bounded']:,} bounded, " if state["bounded"] else ""
    print(f"{state['answered']:,} cells answered, {bounded}{state['refused']:,} refused; in {out}.")


@group.command()
@guarded
def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The --out of a sweep.")],
    *,
    x: Annotated[str, typer.Option(metavar="KEY", help="The axis from left to right.")],
    y: Annotated[str | None, typer.Option(metavar="KEY", help="The axis downwards; else a line is drawn.")] = None,
    measure: Annotated[str, typer.Option(metavar="NAME", help="What is drawn.")] = "value",
    where: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="The value of another axis; may be repeated.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SVG there.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Write PNG there (extra `plot`).")] = None,
) -> None:
    """Draw a measure over one axis or two.

    Without --svg and --png the SVG is printed. Cells without a value are crossed.
    """
    from overrun.analysis import keypath
    from overrun.cli import pictures
    from overrun.drawing import surface
    from overrun.store import opening
    from overrun.sweep import parts
    from overrun.sweep import show as reading

    settings = (keypath.setting(text) for text in where or ())
    fixed = {keypath.told(path): value for path, value in settings}
    found = reading.plot(folder, x, y, measure, fixed)
    title = str(parts.manifest(folder)["situation"].get("title", "Sweep"))
    title += "".join(f", {key} {value}" for key, value in fixed.items())
    if y is None:
        values = {place: value for (place, _), value in found.values.items()}
        drawn = surface.line(found.xs, values, title, x, measure)
    else:
        drawn = surface.heat(found.xs, found.ys, found.values, title, (x, y, measure))
    if svg is not None:
        opening.write_new(str(svg), drawn)
    if png is not None:
        pictures.write_png(png, drawn)
    if svg is None and png is None:
        print(drawn, end="")
        return
    for path in filter(None, (svg, png)):
        print(f"Wrote {path}." + (f" {found.missing} cells are not answered yet." if found.missing else ""))


@group.command()
@guarded
def query(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The --out of a sweep.")],
    sql: Annotated[str, typer.Argument(metavar="SQL", help="A question about `cells`.")],
    *,
    json: Json = False,
) -> None:
    """Ask the cells of a sweep in SQL.

    The table is `cells`: cell, a column for each axis, status, reason, first_choice, and for each measure the nearest
    decimal and, under its name with _exact, the fraction. The question can read nothing else.
    """
    from overrun.cli import answers
    from overrun.sweep import show as reading

    names, rows, more = reading.query(folder, sql)
    if json:
        answers.print_json({"columns": list(names), "rows": [list(row) for row in rows], "rows_left_off": more})
        return
    shown = [tuple(names), *(tuple("" if value is None else str(value) for value in row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    if more:
        print(f"More rows were left off; ask for at most {reading.MOST_ROWS:,}.")
