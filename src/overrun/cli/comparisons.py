"""Compared answers on the screen: what if, sensitivity, rulings, luck, ways to play, and old logs under new rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from overrun.analysis.readings import Effect
from overrun.cli import screen
from overrun.cli.answers import LONGEST_FRACTION, points
from overrun.kernel.measure import Kind
from overrun.play.wording import between, number, percent, words

if TYPE_CHECKING:
    from overrun.analysis.compare import Chosen, Compared
    from overrun.analysis.luck import Rolled, Total
    from overrun.analysis.readings import Read
    from overrun.analysis.sensitivity import Sensitivity
    from overrun.analysis.whatif import WhatIf
    from overrun.kernel import Ruleset
    from overrun.play.again import Again


def measured(ruleset: Ruleset, name: str, value: Fraction) -> str:
    """A mean as players read it: an event in percent, a count or a value in points."""
    if not _is_event(ruleset, name):
        return points(value)
    return f"{number(value)} = {percent(value)}" if len(str(value)) <= LONGEST_FRACTION else percent(value)


def signed(ruleset: Ruleset, name: str, value: Fraction) -> str:
    """A difference with its sign."""
    if not value:
        return "no change"
    shown = f"{abs(float(value)) * 100:.2f} %" if _is_event(ruleset, name) else f"{abs(float(value)):.4f}"
    return f"{'+' if value > 0 else '−'}{shown}"


def _is_event(ruleset: Ruleset, name: str) -> bool:
    return any(measure.name == name and measure.kind is Kind.EVENT for measure in ruleset.measures)


def what_if(console: Console, ruleset: Ruleset, found: WhatIf) -> None:
    """Print both answers beside each other and the difference."""
    for key, old, new in found.settings:
        was = "nothing" if old is None else json.dumps(old, ensure_ascii=False, default=str)
        console.print(Text.assemble((key, "bold"), f": {was} → {json.dumps(new, ensure_ascii=False, default=str)}"))
    console.print()
    if found.bounded:
        _bounded(console, found)
        return
    rows: list[Sequence[str | Text]] = [("", Text("before", style="dim"), Text("after", style="dim"), "")]
    for name in ("value", *found.before.means):
        before, after = found.before.measure(name), found.after.measure(name)
        label = "value to the attacker" if name == "value" else words(name)
        change = signed(ruleset, name, after - before)
        rows.append(
            (Text(label, style="bold"), measured(ruleset, name, before), measured(ruleset, name, after), change)
        )
    console.print(screen.columns(console, rows, right=(1, 2, 3)))
    console.print()
    if found.before.game == found.after.game:
        console.print("The change makes no difference to this overrun.")
    elif found.flips:
        first = found.before.first or "nothing to choose"
        console.print(Text(f"Best play begins otherwise: {first} → {found.after.first or 'nothing'}", style="yellow"))
    else:
        console.print(f"Best play begins as before: {found.before.first or 'nothing is to be chosen'}")


def _bounded(console: Console, found: WhatIf) -> None:
    """Print between what the values lie, and why no more is known."""
    for label, one in (("before", found.before), ("after", found.after)):
        console.print(Text.assemble((f"value to the attacker {label}", "bold"), f": {between(*one.span, points)}"))
        for cut in one.rests_on:
            console.print(f"    found with the {cut}")
        if one.refused:
            console.print(Text(f"    {one.refused}", style="yellow"))
    console.print(Text.assemble(("change", "bold"), f": {between(*found.span, points)}"))


def sensitive(console: Console, ruleset: Ruleset, found: Sensitivity) -> None:
    """Print the numbers by effect, with the moves at which best play begins otherwise."""
    base = found.base.measure(found.measure)
    console.print(
        Text.assemble((words(found.measure), "bold"), f" as printed: {measured(ruleset, found.measure, base)}")
    )
    console.print(f"First choice: {found.base.first or 'none'}\n")
    rows: list[Sequence[str | Text]] = []
    for one in found.moved:
        moves = []
        for by in sorted(one.answers):
            change = found.change(one, by)
            told = "refused" if change is None else signed(ruleset, found.measure, change)
            moves.append(f"{'+' if by > 0 else '−'}{abs(by)}: {told}")
        rows.append((Text(one.name, style="bold"), str(one.printed), "   ".join(moves)))
    console.print(screen.columns(console, rows, right=(1,), indent=0))
    console.print()
    for one in found.moved:
        for by, first in found.flips(one).items():
            where = f"{one.name} {one.printed} → {one.printed + by}"
            console.print(Text(f"Best play begins otherwise at {where}: {first}", style="yellow"))
    if found.still:
        console.print(Text(f"Moved without any effect: {', '.join(found.still)}", style="dim"))


def rulings(console: Console, ruleset: Ruleset, found: Sequence[Read], shown: Sequence[str]) -> None:
    """Print each ruling that can come up with the answer under each reading; say which matter."""
    matter = {read.ruling.name for read in found if read.effect in (Effect.ANSWER, Effect.REFUSED)}
    base = next(read for read in found if read.in_force).found if found else None
    for name in dict.fromkeys(read.ruling.name for read in found):
        reads = [read for read in found if read.ruling.name == name]
        if all(read.effect is Effect.NONE for read in reads):
            continue
        ruling = reads[0].ruling
        head = Text.assemble((name, "bold"), f"  {ruling.question}", (f"  {ruling.cite}", "dim"))
        console.print(head)
        for read in reads:
            mark = "in force" if read.in_force else {"none": "no effect", "game": "same answer"}.get(read.effect, "")
            console.print(Padding(Text.assemble((read.reading, "bold"), f"  {mark}"), (0, 0, 0, 4)))
            if read.found.refused:
                console.print(Padding(Text(f"refused: {read.found.refused}", style="yellow"), (0, 0, 0, 8)))
            elif base is not None and (read.in_force or read.effect is Effect.ANSWER):
                told = [
                    _reading(ruleset, measure, read.found.measure(measure), base.measure(measure)) for measure in shown
                ]
                first = "" if read.found.first == base.first else f"; begins with {read.found.first}"
                console.print(Padding(Text("; ".join(filter(None, told)) + first), (0, 0, 0, 8)))
        console.print()
    console.print(f"Matter here: {', '.join(sorted(matter)) or 'none'}.")
    quiet = [r.name for r in ruleset.rulings if all(o.effect is Effect.NONE for o in found if o.ruling.name == r.name)]
    if quiet:
        console.print(Text(f"Cannot come up here: {', '.join(quiet)}.", style="dim"))


def side_by_side(console: Console, ruleset: Ruleset, found: Sequence[Read]) -> None:
    """Print every measure and outcome that is not always 0, one column for each reading of a ruling."""
    ruling = found[0].ruling
    console.print(Text.assemble((ruling.name, "bold"), f"  {ruling.question}", (f"  {ruling.cite}", "dim")))
    for read in found:
        force = ", in force" if read.in_force else ""
        told = f"refused: {read.found.refused}" if read.found.refused else ruling.meaning(read.reading)
        console.print(Padding(Text.assemble((read.reading, "bold"), f"{force}: {told}"), (0, 0, 0, 4)))
    console.print()
    answered = [read for read in found if not read.found.refused]
    rows: list[Sequence[str | Text]] = [("", *(Text(read.reading, style="dim") for read in answered))]
    for name in ("value", *(measure.name for measure in ruleset.measures)):
        values = [read.found.measure(name) for read in answered]
        if any(values) or name == "value":
            label = "value to the attacker" if name == "value" else words(name)
            rows.append((Text(label, style="bold"), *(measured(ruleset, name, value) for value in values)))
    for name in sorted({outcome for read in answered for outcome in read.found.outcomes}):
        chances = (read.found.outcomes.get(name, Fraction(0)) for read in answered)
        rows.append((Text(f"ends: {words(name)}", style="bold"), *(percent(chance) for chance in chances)))
    console.print(screen.columns(console, rows, right=tuple(range(1, len(answered) + 1))))


def _reading(ruleset: Ruleset, name: str, value: Fraction, base: Fraction) -> str:
    change = f" ({signed(ruleset, name, value - base)})" if value != base else ""
    return f"{words(name)} {measured(ruleset, name, value)}{change}"


def luck(
    console: Console, ruleset: Ruleset, rolls: Sequence[Rolled], needed: Sequence[str], sums: Sequence[Total]
) -> None:
    """Print each roll and the totals of each seat."""
    for roll, need in zip(rolls, needed, strict=True):
        step = roll.event.step
        head = Text.assemble(f"{roll.number:>2} ", (step.title, "bold"), (f"  {step.cite}", "dim"))
        head.append(f"  ({ruleset.seats[roll.seat]})", style="cyan")
        console.print(head)
        faces = " ".join(map(str, roll.event.answer.face))
        console.print(f"    rolled {faces}: {roll.event.exit.label or words(roll.event.exit.id)}; {need}")
        move = "cannot move the value" if not roll.counts else f"value {_moved(roll.moved)}"
        rank = f", better than {percent(roll.worse)} of rolls" if roll.counts else ""
        console.print(f"    chance {percent(roll.chance)}, surprise {roll.surprise:.2f} bits; {move}{rank}")
    console.print()
    for total in sums:
        console.print(Text(ruleset.seats[total.seat], style="bold"))
        console.print(f"    {total.rolls} rolls moved its value by {_moved(total.moved)} in all")
        expected = Fraction(total.counted, 2)
        console.print(
            f"    ranks sum to {float(total.ranks):.2f}; fair dice give {float(expected):.1f} on average over "
            f"{total.counted} rolls that count, and stray this far in at most {percent(Fraction(total.chance))} of logs"
        )
        verdict = Text("    ALARM: fair dice rarely do this", style="red") if total.alarm else Text("    no alarm")
        console.print(verdict)


def _moved(value: Fraction) -> str:
    return f"{'+' if value >= 0 else '−'}{abs(float(value)):.4f}"


def compared(console: Console, ruleset: Ruleset, found: Sequence[Compared]) -> None:
    """Print what the attacker can expect from each way to play."""
    console.print(Text("Ways to play", style="bold"))
    rows: list[Sequence[str | Text]] = []
    for one in found:
        told = one.problem if one.values is None else points(one.values[0])
        rows.append((Text(one.play, style="bold"), told))
    console.print(screen.columns(console, rows, right=()))
    console.print(Text("    worth to the attacker; best play where nothing else is said\n", style="dim"))


def choices(console: Console, ruleset: Ruleset, found: Sequence[Chosen]) -> None:
    """Print the choices of a log with what each cost."""
    console.print(Text("Choices of this log", style="bold"))
    rows: list[Sequence[str | Text]] = []
    for one in found:
        cost = (
            Text("best", style="green")
            if not one.took.regret
            else Text(f"costs {points(one.took.regret)}; best: {one.best.id}")
        )
        rows.append((Text(f"{one.number}"), Text.assemble((one.event.step.title, "bold"), f": {one.took.id}"), cost))
    console.print(screen.columns(console, rows))
    for seat, name in ruleset.seats.items():
        lost = sum((one.took.regret for one in found if one.seat is seat), Fraction(0))
        console.print(f"    {name} gave away {points(lost)} in all")
    console.print()


def again(console: Console, found: Again) -> None:
    """Print whether today's rules say what the log says, and the first step where they do not."""
    if found.first is None:
        console.print(f"The rules of today say the same at each of the {found.entries} entries.")
        return
    first = found.first
    console.print(Text(f"First difference at entry {first.place}: {first.entry.step}", style="yellow"))
    console.print(f"    the log says:       {first.about} {first.logged}")
    console.print(f"    the rules of today: {first.about} {first.today}")
    for ledger in first.event.ledgers if first.event else ():
        console.print(Padding(Text(str(ledger)), (0, 0, 0, 4)))
    if found.stopped:
        console.print(f"The same dice and choices lead on to entry {found.given}; then {found.stopped}")
    for name, end in (("then", found.logged), ("today", found.today)):
        told = "not over" if end is None else f"{words(end['outcome'])}, counted {end['counted']}"
        console.print(f"    end {name}: {told}")
