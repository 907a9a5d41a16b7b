"""`python -m bench [--quick] [--only PAGE]`: measure, check that all engines agree, write the pages in `docs/`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from bench import battles, chain, ours, overruns, sizes, sweeps, work
from bench.numbers import DECISION_VALUE, END_STATES, POSITIONS, TREE_NODES, VEHICLE_DEAD
from bench.pages import Row, machine, rates, ratio, table, target, time_of
from bench.peers import Peer, peers
from bench.timing import in_turn, once, shown
from overrun.analysis.game import Game
from overrun.analysis.watch import Watch
from overrun.compiled.graph import flat
from overrun.compiled.solve import Arithmetic, installed, solve
from overrun.kernel import Position, Rules
from tests.rulesets.drill import drill, position

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = ("benchmarks", "asl-speed", "state-size", "sweep-speed")
SLOW_PEERS = {"OpenSpiel", "Gambit"}


def main(arguments: list[str]) -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out peers that take many seconds")
    parser.add_argument("--only", choices=PAGES, help="write one page only")
    parser.add_argument("--seconds", type=float, default=work.SECONDS, help="for the whole game of one scenario")
    chosen = parser.parse_args(arguments)
    work.SECONDS = chosen.seconds
    pages: dict[str, Callable[[], Iterator[str]]] = {
        "benchmarks": lambda: benchmarks(quick=chosen.quick),
        "asl-speed": asl_speed,
        "state-size": state_size,
        "sweep-speed": sweeps.page,
    }
    for name, make in pages.items():
        if chosen.only in {None, name}:
            path = DOCS / f"{name}.md"
            path.parent.mkdir(exist_ok=True)
            parts: list[str] = []
            for part in make():  # what was measured stays, should the run be stopped
                parts.append(part)
                path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
            print(f"wrote {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")
    return 0


def say(what: str) -> None:
    """Progress, on the error stream."""
    print(f"-- {what}", file=sys.stderr, flush=True)


def benchmarks(*, quick: bool) -> Iterator[str]:
    """The page of speeds."""
    yield "# Speed"
    yield (
        "Written by `python dev.py bench` (`python -m bench`). Times are processor time. Everything in one table was "
        "measured in one run, in turn, and is the median of several rounds; so trust the ratios before the times. "
        f"Machine: {machine()}"
    )
    found = list(peers())
    here = [peer for peer in found if isinstance(peer, Peer)]
    absent = [peer for peer in found if isinstance(peer, str)]
    if quick:
        absent += [peer.name for peer in here if peer.name in SLOW_PEERS]
        here = [peer for peer in here if peer.name not in SLOW_PEERS]
    targets: list[Row] = []
    yield from _chain(here, absent, targets)
    yield from _decisions(here, targets)
    yield from _rates(targets)
    yield from _scenarios(targets)
    yield from _growth()
    yield from _battles(targets)
    yield "## Targets"
    yield table(("target", "measured", ""), targets)
    yield (
        "Targets of sweeps, in process pools and on Dask, stand on [their own page](sweep-speed.md), those of large "
        "ASL overruns on [theirs](asl-speed.md)."
    )


def _chain(here: list[Peer], absent: list[str], targets: list[Row]) -> Iterator[str]:
    say("the chain")
    known = Fraction(VEHICLE_DEAD)
    ways = {f"ours: {name}": way for name, way in ours.chances().items()}
    theirs = {f"{peer.name} {peer.version}".strip(): peer for peer in here if peer.chance}
    works = ways | {name: peer.chance for name, peer in theirs.items() if peer.chance}
    found = {name: way() for name, way in works.items()}
    for name, value in found.items():
        assert value == known if isinstance(value, Fraction) else abs(value - float(known)) < 1e-12, name
    seconds = in_turn(works)
    base = next((seconds[name] for name in seconds if name.startswith("icepool")), None)
    yield "## The reference chain: six rolls"
    yield (
        f"`bench/numbers.py` defines it with every number: {TREE_NODES:,} nodes when nothing is merged, {POSITIONS} "
        f"merged positions, {END_STATES} final states. Every exact engine below finds P(vehicle dead) = {known}; "
        "floats agree to 12 places."
    )
    rows = [
        (name, theirs[name].about if name in theirs else "exact", shown(each), ratio(each, base))
        for name, each in sorted(seconds.items(), key=lambda pair: pair[1])
    ]
    yield table(("engine", "how", "time", "against icepool"), rows)
    yield f"Left out, because not installed or not asked for: {', '.join(absent) or 'none'}."
    if base is not None:
        plain = seconds["ours: flat graph, the joint table of final states, plain Python"] / base
        lean = seconds["ours: flat graph, mean of every measure, plain Python"] / base
        targets += [
            target("chain on the extracted graph, plain Python: 0.3x icepool", f"{plain:.3g}x", plain <= 0.3),
            target("the same, compiled (flat graph, means): 0.02x icepool", f"{lean:.3g}x", lean <= 0.02),
        ]


def _decisions(here: list[Peer], targets: list[Row]) -> Iterator[str]:
    say("the chain with decisions")
    known = Fraction(DECISION_VALUE)
    ways = {f"ours: {name}": way for name, way in ours.decisions().items()}
    theirs = {f"{peer.name} {peer.version}".strip(): peer for peer in here if peer.decision}
    works = ways | {name: peer.decision for name, peer in theirs.items() if peer.decision}
    slow = {name for name, peer in theirs.items() if peer.name in SLOW_PEERS}
    quick = {name: way for name, way in works.items() if name not in slow}
    for name, way in quick.items():
        assert way() == known, name
    seconds = in_turn(quick)
    for name in sorted(slow):
        values: list[Fraction | float] = []
        seconds[name] = once(partial(_kept, works[name], values))
        value = values[0]
        assert value == known if isinstance(value, Fraction) else abs(value - float(known)) < 1e-9, name
    base = seconds["ours: from the rules"]
    yield "## The chain with two decisions"
    yield (
        f"The attacker may decline, the defender may hold. Every exact engine finds the value {known}; OpenSpiel's "
        "floats agree to 9 places. OpenSpiel and Gambit were run once."
    )
    rows = [
        (name, theirs[name].about if name in theirs else "exact", shown(each), ratio(each, base))
        for name, each in sorted(seconds.items(), key=lambda pair: pair[1])
    ]
    yield table(("engine", "how", "time", "against ours from the rules"), rows)
    for name in sorted(slow):
        if name.startswith("OpenSpiel"):
            times = seconds[name] / base
            wanted = "decision solve: 500x faster than an OpenSpiel Python game"
            targets.append(target(wanted, f"{times:,.0f}x", times >= 500))


def _kept(way: Callable[[], Fraction | float], values: list[Fraction | float]) -> None:
    values.append(way())


def _rates(targets: list[Row]) -> Iterator[str]:
    say("rates")
    valor, printed = work.situation("valor/printed-example")
    alone, shared, events = work.steps_per_second(valor.rules, printed.start)
    drilled, drill_shared, drill_events = work.steps_per_second(drill.rules, position(3))
    yield "## Rates"
    yield (
        "An answered step is one choice or roll given to a `Session`, with every automatic step and ledger that "
        "follows. Sessions that share a `Walk` take from it what an earlier one found, as sampling does, and as the "
        "sessions of one opened scenario do."
    )
    yield table(
        ("session", "rate"),
        rates(
            {
                f"valor/printed-example, sessions alone ({events:.1f} events per answer)": alone,
                "valor/printed-example, sessions that share a walk": shared,
                f"drill, 3 units, sessions alone ({drill_events:.1f} events per answer)": drilled,
                "drill, 3 units, sessions that share a walk": drill_shared,
            }
        ),
    )
    targets += [
        target("sessions on the V&V example: 100,000 answered steps/s (alone)", f"{alone:,.0f}/s", alone >= 1e5),
        target("the same, sessions of one opened scenario (they share a walk)", f"{shared:,.0f}/s", shared >= 1e5),
    ]
    starts: dict[str, tuple[Rules[Any], Position[Any]]] = {
        "chain": (chain.chain.rules, chain.START),
        "drill, 4 units": (drill.rules, position(4)),
        "valor/printed-example": (valor.rules, printed.start),
    }

    def game(name: str) -> Game:
        rules, start = starts[name]
        return Game(rules, start, watch=Watch(10**6, 10**4))

    games = {name: game(name) for name in starts}
    seconds = in_turn({name: partial(game, name) for name in starts})
    speed = {name: games[name].watch.transitions / seconds[name] for name in starts}
    yield "A transition is one exit of one step, before equal ones merge; extraction includes the rules themselves."
    yield table(("extraction", "transitions"), rates(speed))
    best = max(speed.values())
    targets.append(
        target("extraction: 0.3 M transitions/s", f"{min(speed.values()):,.0f} to {best:,.0f}/s", best >= 3e5)
    )
    counts = {Arithmetic.PLAIN: 20_000, Arithmetic.NUMPY: 500_000, Arithmetic.NUMBA: 5_000_000}
    chains = {str(each): ours.chains_per_second(each, count) for each, count in counts.items() if installed(each)}
    sampled = {name: counts[Arithmetic(name)] / each for name, each in in_turn(chains, rounds=3).items()}
    yield "Sampled chains on the flat graph, one core; every arithmetic gives the same counts for the same seed."
    yield table(("arithmetic", "chains"), rates(sampled))
    if "numba" in sampled:
        rate = sampled["numba"]
        targets.append(target("compiled Monte Carlo: 20 M chains/s on one core", f"{rate / 1e6:.1f} M/s", rate >= 2e7))
    say("commands")
    spent = work.command_seconds()
    yield "Whole commands, start-up included:"
    yield table(("command", "time"), ((f"`{name}`", shown(each)) for name, each in spent.items()))
    help_time, odds_time = spent["overrun --help"], spent["overrun odds valor/printed-example"]
    targets += [
        target("`overrun --help`: 150 ms", shown(help_time), help_time <= 0.15),
        target("whole answer for the printed example: 0.5 s", shown(odds_time), odds_time <= 0.5),
    ]


def _scenarios(targets: list[Row]) -> Iterator[str]:
    yield "## The shipped scenarios"
    yield (
        "Full best play of both seats. Rows are distinct decisions, positions all distinct positions. `solve` is exact "
        "best play on the extracted graph, `flat` the same for another payoff on the flat graph (plain Python, and the "
        "fastest arithmetic installed), `kept` the answer for a file asked about before (the graph is found in the "
        "cache by what the file says, read, and solved), `odds` every distribution under best play, from the rules."
    )
    rows: list[Row] = []
    worst, fits = 0.0, 0
    names = ("extract", "solve", "flat plain", "flat fast", "kept", "odds")
    for each in work.shipped():
        say(each.name)
        if each.seconds is None:
            rows.append((each.name, "–", "–", "–", each.refused, *[""] * (len(names) - 1)))
            continue
        seconds = each.seconds
        worst, fits = max(worst, seconds["flat fast"]), fits + (seconds["extract"] <= 30)
        times = (shown(seconds[name]) for name in names)
        rows.append((each.name, f"{each.rows:,}", f"{each.positions:,}", f"{each.arcs:,}", *times))
    yield table(("scenario", "rows", "positions", "arcs", *names), rows)
    targets += [
        target("full best play of every shipped scenario: 30 s each", f"{fits} of {len(rows)}", fits == len(rows)),
        target("what-if on payoffs of every scenario that fits: 50 ms", shown(worst), worst <= 0.05),
    ]


def asl_speed() -> Iterator[str]:
    """The page of ASL overruns of growing size."""
    yield "# Whole ASL overruns"
    yield (
        f"Written by `python -m bench --only asl-speed`. Machine: {machine()} A tank in the open against ever more "
        "defenders, ELR in force; Heat of Battle only where it says so. Best play is extraction and solution from the "
        "parsed file on, a stated policy the exact odds of every measure; restrictions make best play a bound. Where "
        "a lower bound (the ATTACKER held to few options) and an upper one (the DEFENDER held) meet, they are the "
        "value of the whole game, and what each seat does when it is held is best play: that is proved by two small "
        "games, whose rows are counted, and says of the options not taken only how bad they are at least. The "
        "last column is what the ATTACKER can expect, in points of the payoff; `overrun_declared` makes him overrun "
        "where he would rather stay out, so such rows compare with each other. Each "
        "question has a process of its own that has read the rules and the catalogue and nothing else, and is given "
        f"up after {overruns.LIMIT:.0f} s of processor time."
    )
    rows: list[Row] = []
    targets: list[Row] = []
    for asked, found in overruns.every():
        say(f"{asked.name}, {asked.terms}")
        counts = ("" if asked.plan else f"{found.rows:,}", "" if asked.by_bounds else f"{found.positions:,}")
        took = found.refused or shown(found.seconds)
        memory = "" if found.refused else f"{found.megabytes:.0f} MB"
        worth = "" if found.worth is None else f"{found.worth:.3f}"
        rows.append((asked.name, asked.terms, *counts, took, memory, worth))
        if asked.target is not None:
            met = not found.refused and found.seconds <= asked.target
            targets.append(target(f"{asked.name}, {asked.terms}: {asked.target:g} s", took, met))
    yield table(("defenders", "played by", "rows", "positions", "time", "memory", "worth"), rows)
    yield "## Targets"
    yield table(("target", "measured", ""), targets)


GROWTH = ((1, 2), (2, 2), (3, 2), (4, 1), (4, 2), (4, 3), (4, 4), (5, 1), (5, 2), (5, 4), (6, 1), (6, 2), (6, 4))
"""Units and passes."""


def _growth() -> Iterator[str]:
    yield "## Growth"
    yield "The drill (a small ruleset of ASL's kind in the tests), units and passes; times as above."
    rows: list[Row] = []
    payoff, use = drill.payoff(), next(each for each in reversed(Arithmetic) if installed(each))
    for units, passes in GROWTH:
        say(f"{units} units, {passes} passes")
        extract = partial(Game, drill.rules, position(units, passes), watch=None, tallies=False)
        game = extract()
        compiled = flat(game)
        works: dict[str, Callable[[], object]] = {
            "extract": extract,
            "plain": partial(solve, compiled, payoff, Arithmetic.PLAIN),
            "fast": partial(solve, compiled, payoff, use),
        }
        seconds = in_turn(works, rounds=3, slow=5.0)
        counts = (units, passes, game.decisions, game.watch.positions, game.watch.transitions, game.arcs)
        rows.append((*(f"{count:,}" for count in counts), *(shown(seconds[name]) for name in works)))
    yield table(
        ("units", "passes", "rows", "positions", "transitions", "arcs", "extract", "flat plain", "flat fast"), rows
    )


def _battles(targets: list[Row]) -> Iterator[str]:
    yield "## Warhammer tables"
    yield "From the parsed file to the exact odds of every measure, geometry included; 20 crowded tables of each size."
    rows: list[Row] = []
    for units in (2, 6, 12, 25, 50, 100):
        say(f"a table of {units} units")
        median, longest = battles.spent(units)
        rows.append((f"{units}", shown(median), shown(longest)))
        if units == 12:
            targets.append(target("a Warhammer table of 12 units: 200 ms, each of 20", shown(longest), longest <= 0.2))
    yield table(("units", "median", "longest"), rows)


def state_size() -> Iterator[str]:
    """The page of what keeps answers small."""
    yield "# What keeps exact answers small"
    yield (
        "Written by `python dev.py bench`. The drill of the tests: an attack on a result table, a morale check per "
        "unit helped by a leader, a reaction by each surviving unit, and a second pass. Each line leaves out one of "
        "the things described in `architecture.md`. Every decision is worth exactly the same with and without each "
        "of them; a test compares them all."
    )
    yield (
        "- **Tally**: what an answer counts is emitted on exits. Without it the state hoards what was lost.\n"
        "- **Live**: a state is cut down to what later steps read.\n"
        "- **Call and Each**: the checks of the units are independent runs of one procedure, folded together. Without "
        "them they are rolled one after the other in the state.\n"
        "- **Folding**: only decisions (and ways to end) are rows. Without it every position is one."
    )
    yield f"Machine: {machine()} Memory is the peak of Python objects during extraction."
    rows: list[Row] = []
    for units, variant, size, memory in sizes.table():
        say(f"{units} units, {variant.name}")
        megabytes = "–" if memory is None else f"{memory:.1f} MB"
        note = size.stopped and f" ({size.stopped})"
        rows.append(
            (str(units), variant.name, f"{size.rows:,}{note}", f"{size.positions:,}", time_of(size.seconds), megabytes)
        )
    yield table(("units", "", "rows", "positions", "extraction", "memory"), rows)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
