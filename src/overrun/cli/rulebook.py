"""A ruleset and its coverage on the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from overrun.cli import screen
from overrun.kernel import Ruleset
from overrun.play.rulebook import cases_told
from overrun.play.wording import words


def rules(console: Console, laid: Mapping[str, Any]) -> None:
    """Print everything that `play.rulebook.document` holds."""
    console.print(Text.assemble((laid["title"], "bold"), f"  {laid['edition']}; ruleset {laid['ruleset_version']}\n"))
    _stages(console, laid)
    _rulings(console, laid)
    for table in laid["tables"]:
        console.print(Text.assemble((table["title"], "bold"), (f"  {table['cite']}", "dim")))
        console.print(Padding(Text(f"{table['source']}; {table['confidence']}", style="dim"), (0, 0, 0, 4)))
        rows = [[head, *cells] for head, cells in table["rows"].items()]
        every = [[f"{table['row']} \\ {table['column']}", *table["columns"]], *rows]
        console.print(screen.columns(console, every, right=range(1, len(every[0]))))
        console.print()
    console.print(Text("Measures", style="bold"))
    rows = [[Text(m["name"], style="bold"), Text(m["meaning"])] for m in laid["measures"]]
    console.print(screen.columns(console, rows, right=()))
    console.print(Text("\nPayoffs", style="bold"))
    rows = [[Text(p["name"], style="bold"), Text(p["meaning"])] for p in laid["payoffs"]]
    console.print(screen.columns(console, rows, right=()))
    for restriction in laid["restrictions"]:
        console.print(Text(f"\nRestriction {restriction['name']}: {restriction['reason']}"))
    for simplification in laid["simplifications"]:
        console.print(Text(f"\nSimplification {simplification['name']}: {simplification['reason']}"))


def _stages(console: Console, laid: Mapping[str, Any]) -> None:
    steps = [step for stage in laid["stages"] for step in stage["steps"]]
    numbers = {step["id"]: place for place, step in enumerate(steps, 1)}
    for stage in laid["stages"]:
        back = "  (comes back to where it is run)" if stage["called"] else ""
        console.print(Text.assemble((stage["title"], "bold underline"), (f"  {stage['cite']}{back}", "dim")))
        for step in stage["steps"]:
            head = Text.assemble(f"{numbers[step['id']]:>3} ", (step["title"], "bold"), (f"  {step['cite']}", "dim"))
            console.print(head.append(f"  {step['id']}", style="dim"))
            console.print(Padding(Text(step["text"]), (0, 0, 0, 4)))
            exits = [
                f"{words(exit)} → {numbers[to['to']] if 'to' in to else 'back: ' + words(to['back'])}"
                for exit, to in step["exits"].items()
            ]
            console.print(Padding(Text(", ".join(exits) or "the overrun is over", style="green"), (0, 0, 0, 4)))
        console.print()


def _rulings(console: Console, laid: Mapping[str, Any]) -> None:
    for ruling in laid["rulings"]:
        console.print(Text.assemble("Ruling ", (ruling["name"], "bold"), (f"  {ruling['cite']}", "dim")))
        console.print(Padding(Text(ruling["question"]), (0, 0, 0, 4)))
        rows = [
            [Text(option, style="bold" if option == ruling["default"] else ""), Text(meaning)]
            for option, meaning in ruling["options"].items()
        ]
        console.print(screen.columns(console, rows, right=(), indent=6))
        console.print(Padding(Text(f"Default {ruling['default']}: {ruling['reason']}", style="dim"), (0, 0, 0, 4)))
        console.print()


def coverage(console: Console, ruleset: Ruleset, found: Sequence[Mapping[str, Any]]) -> None:
    """Print each requirement with the cases that test it."""
    scoped = [entry for entry in found if not entry["out_of_scope"]]
    covered = sum(bool(entry["cases"]) for entry in scoped)
    left = f", {len(found) - len(scoped)} out of scope" if len(found) > len(scoped) else ""
    console.print(Text(f"{ruleset.title}: {covered} of {len(scoped)} statements are tested by cases{left}.\n", "bold"))
    rows = [[Text(entry["id"], "bold"), Text(f"{entry['about']} [{cases_told(entry)}]")] for entry in found]
    console.print(screen.columns(console, rows, right=(), indent=0))
