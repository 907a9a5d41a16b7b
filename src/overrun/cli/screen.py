"""How the command line looks: the plain values of `play.explain`, laid out for a terminal, a pipe or a file."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, TextIO, cast

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from overrun.play.wording import words

if TYPE_CHECKING:
    from overrun.play.explain import Adjudication, Band, Die, Ending, Figure, Option, Question, Refused, Rule
    from overrun.store.opening import Opened

WIDEST = 100
"""Columns; longer lines are hard to read."""
NARROW = 66
"""Columns under which everything gives way but numbers."""
MANY = 5
"""Numbers side by side that no narrow screen can hold."""


class Trimmed:
    """Text that goes out without the blanks that pad its lines."""

    def __init__(self, out: TextIO) -> None:
        self.out = out

    def write(self, text: str) -> int:
        """Pass on the text, its lines trimmed; what is printed at once is always whole lines."""
        self.out.write("\n".join(line.rstrip(" ") for line in text.split("\n")))
        return len(text)

    def flush(self) -> None:
        """Pass on at once."""
        self.out.flush()

    def isatty(self) -> bool:
        """It is no terminal."""
        return False


class Screen(Console):
    """A console whose reader may go away (`overrun ... | head`): then nothing is left to say, and nothing is wrong."""

    def on_broken_pipe(self) -> None:
        """Leave in silence."""
        sys.stdout = io.StringIO()
        raise SystemExit(0)


def screen() -> Console:
    """Standard output. Colors only on a terminal; a pipe gets plain text of a fixed width, the same on any machine."""
    terminal = sys.stdout.isatty()
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isdecimal() and int(columns) >= 20 else None
    if not terminal:
        wide = min(width or WIDEST, WIDEST)
        plain = cast("IO[str]", Trimmed(sys.stdout))
        return Screen(file=plain, width=wide, highlight=False, color_system=None, emoji=False, markup=False)
    found = Screen(highlight=False, emoji=False, markup=False)
    found.width = min(width or found.width, WIDEST)
    return found


def columns(
    console: Console,
    rows: Iterable[Sequence[str | Text]],
    right: Sequence[int] = (0,),
    indent: int = 4,
    wraps: Sequence[int] = (1,),
) -> Padding:
    """Rows in aligned columns without lines; those in `right` are aligned to the right and never wrap.

    The columns in `wraps` give way where there is too little room; on a narrow screen every other one does too.
    """
    listed = [list(row) for row in rows]
    grid = Table.grid(padding=(0, 2, 0, 0))
    for place in range(max((len(row) for row in listed), default=0)):
        gives_way = (place in wraps or console.width < NARROW) and (place not in right or len(right) > MANY)
        grid.add_column(justify="right" if place in right else "left", no_wrap=not gives_way, overflow="fold")
    for row in listed:
        grid.add_row(*row)
    return Padding(grid, (0, 0, 0, indent))


def figure(console: Console, figure: Figure, indent: int = 4) -> RenderableType:
    """A ledger: its name and total, then a line for each reason with its rule."""
    stepwise = any(not line.figure.startswith(("+", "−")) for line in figure.lines[1:])
    rows: list[list[str | Text]] = []
    for line in figure.lines:
        doubt = "" if line.verified else "  [not verified]"
        row: list[str | Text] = [line.figure, Text(line.reason + doubt), Text(line.cite, style="dim")]
        rows.append([*row, Text(f"→ {line.total}", style="dim")] if stepwise else row)
    head = Text.assemble(" " * indent, (f"{figure.name}: {figure.total}", "bold"))
    return Group(head, columns(console, rows, indent=indent + 2)) if rows else head


def situation(console: Console, opened: Opened, *, doubts: bool = True) -> None:
    """Print what is refereed: the situation, game and edition, rulings that are not the default, doubtful figures."""
    ruleset, situation = opened.ruleset, opened.situation
    console.print(Text.assemble((situation.title, "bold"), (f"  {opened.name}", "dim")))
    console.print(Text(f"{ruleset.title}, {ruleset.edition}; ruleset {ruleset.version}", style="dim"))
    for name, reading in situation.rulings.items():
        if reading != ruleset.rulings[name].default:
            console.print(Text(f"Ruling {name}: {reading} (the default is {ruleset.rulings[name].default})"))
    for doubt in situation.unverified if doubts else ():
        console.print(Text(f"Not verified: {doubt}", style="yellow"))
    console.print()


def rulings(console: Console, opened: Opened) -> None:
    """Print every ruling of the game with the reading in force."""
    for ruling in opened.ruleset.rulings:
        chosen = opened.situation.rulings.get(ruling.name, ruling.default)
        head = Text.assemble((ruling.name, "bold"), f" = {chosen}", (f"  {ruling.cite}", "dim"))
        console.print(Padding(head, (0, 0, 0, 3)))
        console.print(Padding(Text(ruling.meaning(chosen), style="dim italic"), (0, 0, 0, 6)))
    console.print()


def heading(number: str, rule: Rule, seat: str = "") -> Text:
    """A step: its number, title, cite, and who answers."""
    text = Text.assemble(f"{number} ", (rule.title, "bold"), ("  " + rule.cite, "dim"))
    if seat:
        text.append(f"  ({seat})", style="cyan")
    return text


def faces(dice: Sequence[Die]) -> str:
    """Rolled dice: their faces, each with its label where the dice differ."""
    if all(die.label.startswith("die ") for die in dice):
        return " ".join(str(die.face) for die in dice)
    return ", ".join(f"{die.label} {die.face}" for die in dice)


def adjudication(console: Console, number: int, step: Adjudication, *, asked: bool = True, text: bool = True) -> None:
    """Print one step that was left; without what was `asked` when the question stands right above.

    A brief step takes one line, without its text.
    """
    if step.brief:
        head = heading(f"{number:>2}", step.rule)
        head.append("  ▸ ", style="green")
        console.print(head.append(step.result))
        return
    console.print(heading(f"{number:>2}", step.rule, step.seat))
    if asked and text:
        console.print(Padding(Text(step.rule.text, style="dim italic"), (0, 0, 0, 3)))
    if step.dice:
        read = f" = {step.reading}" if step.reading else ""
        console.print(Text.assemble("   ", f"{step.dice_name}: {faces(step.dice)}{read}"))
    for each in (*(step.asked if asked else ()), *step.answered):
        console.print(figure(console, each))
    console.print(Padding(Text.assemble(("▸ ", "green"), (step.result, "bold green")), (0, 0, 0, 3)))
    console.print()


def question(console: Console, question: Question, *, text: bool = True) -> None:
    """Print what play waits for."""
    console.print(heading("? ", question.rule, question.seat))
    if text:
        console.print(Padding(Text(question.rule.text, style="dim italic"), (0, 0, 0, 3)))
    for each in question.figures:
        console.print(figure(console, each))
    if question.rolls:
        console.print(Text(f"   {question.dice_name}:"))
        console.print(bands(console, question.bands))
    else:
        console.print(options(console, question.options))
    for refused in question.refused:
        console.print(refusal(console, refused))


def options(console: Console, options: Sequence[Option]) -> RenderableType:
    """The options of a decision, numbered, with their ids and figures."""
    parts: list[RenderableType] = []
    for option in options:
        same = option.label.replace(" ", "_") == option.id.replace(": ", ":").replace(" ", "_")
        id = "" if same else f"  [{option.id}]"
        head = Text.assemble((f"{option.number}. ", "bold"), option.label, (id, "dim"))
        parts.append(Padding(head, (0, 0, 0, 4)))
        parts += [figure(console, each, indent=7) for each in option.figures]
    return Group(*parts)


def refusal(console: Console, refused: Refused) -> RenderableType:
    """An option that is not legal here, with the reason and the rule."""
    head = Text.assemble(("✗ ", "red"), f"{refused.label}: {refused.reason} ", (f"({refused.cite})", "dim"))
    parts: list[RenderableType] = [Padding(head, (0, 0, 0, 4))]
    parts += [figure(console, each, indent=7) for each in refused.figures]
    return Group(*parts)


def bands(console: Console, bands: Sequence[Band]) -> RenderableType:
    """What each result of a roll does, with its exact chance."""
    rows = [
        (Text(band.needs), Text(band.result), Text(f"({band.final})" if band.final else "", style="dim"), band.odds)
        for band in bands
    ]
    return columns(console, rows, right=(0, 3))


def ending(console: Console, ending: Ending) -> None:
    """Print how it ended."""
    console.print()
    console.print(Text.assemble(("End: ", "bold"), (ending.outcome, "bold"), ("  " + ending.rule.cite, "dim")))
    for line in ending.state:
        console.print(Padding(Text(line), (0, 0, 0, 3)))
    if ending.counted:
        counted = ", ".join(f"{words(name)} {count}" for name, count in ending.counted)
        console.print(Padding(Text(f"Counted: {counted}"), (0, 0, 0, 3)))
