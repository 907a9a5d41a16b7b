"""Priced answers on the screen: odds, worth and advice, each with what it stands on."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from overrun.analysis.advice import relative
from overrun.analysis.answer import bounded_document
from overrun.analysis.bounds import Bounds, to_seat
from overrun.analysis.policy import Style
from overrun.cli import screen
from overrun.kernel import Decision, Seat
from overrun.kernel.measure import Kind
from overrun.play.wording import between, number, percent, words

if TYPE_CHECKING:
    from overrun.analysis.advice import Advised
    from overrun.analysis.answer import Pricing, Terms
    from overrun.analysis.odds import Odds
    from overrun.analysis.sample import Sampled
    from overrun.analysis.solve import Judged
    from overrun.kernel import Measure, Ruleset
    from overrun.store.opening import Opened

LONGEST_FRACTION = 15
"""Characters of a fraction that help a reader; longer ones are in the JSON answer."""
BAR = 30
"""Columns of the longest bar."""


def print_json(answer: Mapping[str, Any]) -> None:
    """Print a documented answer."""
    print(json.dumps(answer, indent=2, ensure_ascii=False))


def terms(console: Console, asked: Pricing, found: Odds | Sampled) -> None:
    """Print how the answer was found, and under which policy and payoff."""
    ways = {Style.BEST: "best play", Style.UNIFORM: "uniform choices", Style.PLAN: "the stated plan"}
    ways |= {Style.PLAN_ELSE_BEST: "the stated plan, and best play where it states nothing legal"}
    styles = {seat: ways[style] for seat, style in asked.terms.styles.items()}
    names = asked.ruleset.seats
    same = len(set(styles.values())) == 1
    how = next(iter(styles.values())) if same else "; ".join(f"{names[s]}: {way}" for s, way in styles.items())
    if found.method == "exact":
        method = "Exact"
    else:
        method = f"Sampled, not exact ({getattr(found, 'overruns', 0)} overruns, seed {getattr(found, 'seed', 0)})"
    text = Text.assemble((f"{method}, under {how}", "bold"))
    if any(style.looks_ahead for style in asked.terms.styles.values()):
        text.append(f", for payoff {asked.terms.payoff.name}")
    console.print(text)
    bound(console, asked.ruleset, asked.terms)
    console.print()


def bound(console: Console, ruleset: Ruleset, terms: Terms) -> None:
    """Say so when options were cut, or rules left out."""
    for name in terms.restrictions:
        reason = next(r.reason for r in ruleset.rules.restrictions if r.name == name)
        console.print(Text(f"A bound, not the exact value: {name} ({reason})", style="yellow"))
    for each in ruleset.simplifications:
        if each.name in terms.simplified:
            what = "Of" if terms.restrictions else "Exact for"
            console.print(Text(f"{what} a simpler game: {each.name} ({each.reason})", style="yellow"))


def odds(console: Console, ruleset: Ruleset, found: Odds | Sampled) -> None:
    """Print the chance of each event and outcome, and the distribution of each count."""
    events = [measure for measure in ruleset.measures if measure.kind is Kind.EVENT]
    rows = [(Text(words(m.name), style="bold"), m.meaning, *_chance(found.measures[m.name])) for m in events]
    _table(console, "Chances", rows)
    _table(console, "How it ends", [(Text(words(name)), "", *_chance(c)) for name, c in found.outcomes.items()])
    never: list[str] = []
    for measure in ruleset.measures:
        if measure.kind is Kind.EVENT:
            continue
        count = found.measures[measure.name]
        chances = getattr(count, "chances", None)
        if chances is not None and len(chances) == 1:
            always = next(iter(chances))
            if not always:
                never.append(words(measure.name))
                continue
            console.print(Text.assemble((words(measure.name), "bold"), f": always {always}. {measure.meaning}\n"))
            continue
        console.print(Text.assemble((words(measure.name), "bold"), f": {measure.meaning}"))
        console.print(Text(f"    mean {_mean(count)}"))
        if chances is not None:
            top = max(chances.values())
            longest = min(BAR, max(console.width - 40, 4))
            bars = [(value, *_fraction(chance), bar(chance / top, longest)) for value, chance in _gathered(chances)]
            console.print(screen.columns(console, bars, right=(0, 1, 2), wraps=()))
            _given(console, measure, found.measures)
        console.print()
    if never:
        console.print(Text(f"Never here: {', '.join(never)}.\n"))


def _gathered(chances: Mapping[int, Fraction]) -> list[tuple[str, Fraction]]:
    """Each value of a count with its chance; a tail that no percentage shows is one line (`--json` has it all).

    >>> _gathered({0: Fraction(99_999, 100_000), 2: Fraction(1, 200_000), 3: Fraction(1, 200_000)})[1:]
    [('2 and more', Fraction(1, 100000))]
    """
    shown = sorted(chances.items())
    tail: list[Fraction] = []
    while len(shown) > 1 and sum(tail) + shown[-1][1] < Fraction(1, 10_000):
        last, chance = shown.pop()
        tail.append(chance)
    lines = [(str(value), chance) for value, chance in shown]
    if tail:
        lines.append((f"{last} and more" if len(tail) > 1 else str(last), sum(tail, Fraction(0))))
    return lines


def _given(console: Console, measure: Measure, found: Mapping[str, Any]) -> None:
    """What a measure comes to on average, given the event without which it is 0."""
    given = found[measure.name].given(found[measure.given]) if measure.given else None
    if given is not None:
        console.print(Text(f"    given {words(measure.given)}: mean {_mean(given)}"))


def _table(console: Console, title: str, rows: Sequence[tuple[Text, str, str, str]]) -> None:
    """Names with their meanings and chances; on a narrow screen the meanings are left to `overrun rules`."""
    if rows:
        narrow = console.width < screen.NARROW
        shown = [(name, exact, odds) for name, _, exact, odds in rows] if narrow else rows
        console.print(Text(title, style="bold"))
        console.print(
            screen.columns(console, shown, right=(1, 2) if narrow else (2, 3), wraps=(0,) if narrow else (1,))
        )
        console.print()


def _chance(found: Any) -> tuple[str, str]:
    """A chance as fraction and percentage; a sampled one as percentage and standard error."""
    if hasattr(found, "error"):
        return f"{found.mean * 100:.2f} %", f"± {found.error * 100:.2f}"
    return _fraction(found.mean if hasattr(found, "mean") else found)


def _fraction(chance: Fraction) -> tuple[str, str]:
    exact = str(chance)
    return exact if len(exact) <= LONGEST_FRACTION else "", percent(chance)


def _mean(found: Any) -> str:
    if hasattr(found, "error"):
        return f"{found.mean:.4f} ± {found.error:.4f}"
    return points(found.mean)


def points(value: Fraction) -> str:
    """An exact number with its decimal."""
    exact = number(value)
    if value.denominator == 1:
        return exact
    return f"{exact} = {decimal(value)}" if len(exact) <= LONGEST_FRACTION else decimal(value)


def decimal(value: Fraction) -> str:
    """A number to four places."""
    return number(value) if value.denominator == 1 else f"{float(value):.4f}".replace("-", "−")


def bar(share: Fraction, longest: int = BAR) -> str:
    """A bar of that share of the longest one; what is possible always shows."""
    return "█" * max(1, round(share * longest))


def worth(console: Console, asked: Pricing) -> None:
    """Print what each seat can expect, and in what points."""
    payoff, names = asked.terms.payoff, asked.ruleset.seats
    console.print(Text.assemble(("Payoff ", ""), (payoff.name, "bold"), f": {payoff.meaning}"))
    weights = ", ".join(f"{words(name)} {number(weight)}" for name, weight in payoff.weights.items())
    console.print(Padding(Text(weights, style="dim"), (0, 0, 0, 4)))
    for seat, value in asked.values.items():
        style = asked.terms.styles[seat]
        how = "with best play" if style is Style.BEST else f"with policy {style}"
        console.print(Text(f"    {names[seat]}, {how}: {points(value)}"))
    bound(console, asked.ruleset, asked.terms)
    console.print()


def advised(console: Console, ruleset: Ruleset, decisions: Sequence[Advised], every: int) -> None:
    """Print the likeliest decisions, each option with its worth and what it costs against the best."""
    for place, each in enumerate(decisions, 1):
        head = Text.assemble(f"{place:>2} ", (each.step.title, "bold"), (f"  {each.step.cite}", "dim"))
        head.append(f"  ({ruleset.seats[each.seat]})", style="cyan")
        often = f"comes up in {percent(each.chance)}" if each.chance else "only after another choice"
        head.append(f"  {often}", style="dim")
        console.print(head)
        rows: list[tuple[str | Text, ...]] = []
        say = points if console.width >= screen.NARROW else decimal
        for option, label in zip(each.options, each.labels, strict=True):
            best = option.regret == 0
            cost = Text("best", style="green") if best else Text(f"costs {say(option.regret)}{share_of(option)}")
            name = Text(label or words(option.id), style="bold" if best else "")
            rows.append((say(option.worth), name, cost))
        console.print(screen.columns(console, rows, right=(0,)))
        console.print()
    if every > len(decisions):
        console.print(Text(f"{every - len(decisions)} more are less likely; --decisions {every} shows all.\n"))


def bounded(opened: Opened, asked: Pricing, known: Bounds, reason: str, *, json: bool) -> None:
    """Print bounds on the value, what they rest on, and why there is no exact answer."""
    if json:
        print_json(bounded_document(asked, known, reason))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    console.print(Text(reason, style="yellow"))
    how = "exact all the same, for its bounds meet" if known.exact else "a bound on either side"
    console.print(Text(f"\nThe value for payoff {asked.terms.payoff.name}, {how}:", style="bold"))
    for seat in Seat:
        span = to_seat((known.lower, known.upper), seat)
        console.print(Text(f"    {asked.ruleset.seats[seat]}: {between(*span, points)}"))
    for cut in (*known.restrictions, *known.proof):
        console.print(Text(f"    found with the {cut}"))
    _first_bounds(console, asked, known)
    bound(console, asked.ruleset, asked.terms)
    console.print()
    doubts(console, asked)


def _first_bounds(console: Console, asked: Pricing, known: Bounds) -> None:
    """Print what is known of each option of the decision at the start, to the seat that has it."""
    node = asked.ruleset.rules.at(asked.situation.start)
    if len(known.first) < 2 or not isinstance(node, Decision):
        return
    console.print(Text(f"\nThe first choice, to the {asked.ruleset.seats[node.seat]}:", style="bold"))
    best, rows = known.best(node.seat), list[tuple[str | Text, ...]]()
    for exit in (exit for exit in node.options if exit.id in known.first):
        span = to_seat(known.first[exit.id], node.seat)
        mark = Text("best" if exit.id == best else "", style="green")
        rows.append((between(*span, points), Text(exit.label or words(exit.id)), mark))
    console.print(screen.columns(console, rows, right=(0,)))


def share_of(option: Judged) -> str:
    """What an option costs as a part of what the best is worth; nothing where that is nothing."""
    share = relative(option)
    return "" if share is None else f" ({float(share) * 100:,.1f} %)"


def doubts(console: Console, asked: Pricing) -> None:
    """Name every figure that is not verified and that the answer used."""
    for doubt in asked.doubts:
        console.print(Text(f"Not verified, and used here: {doubt}", style="yellow"))
    if asked.note:
        print(f"overrun: cache: {asked.note}", file=sys.stderr)
