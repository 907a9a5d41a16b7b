"""The drill with and without each of the things that keep exact answers small: rows, time, memory, equal values."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from bench.unfolded import Unfolded
from overrun.analysis.errors import TooLarge
from overrun.analysis.game import Game
from overrun.analysis.induction import Induction
from overrun.analysis.tally import Tally
from overrun.analysis.watch import Watch
from overrun.kernel import Rules, Seat
from tests.rulesets.drill import PAYOFF, build, position


@dataclass(frozen=True, slots=True)
class Variant:
    """What is in force."""

    name: str
    tally: bool = True
    live: bool = True
    each: bool = True
    folded: bool = True

    @property
    def rules(self) -> Rules[Any]:
        """The drill, built so."""
        return build(tallies=self.tally, each=self.each)


VARIANTS = (
    Variant("all of them"),
    Variant("without Tally", tally=False),
    Variant("without Live", live=False),
    Variant("without Call and Each", each=False),
    Variant("without folding", folded=False),
    Variant("none of them", tally=False, live=False, each=False, folded=False),
)

SECONDS = 120.0
ROWS, MEGABYTES = 2_000_000, 4_000


@dataclass(frozen=True, slots=True)
class Size:
    """What a variant came to; `values` are those of its decisions, by step and state. A reason says why it stopped."""

    rows: int
    positions: int
    seconds: float
    values: dict[Any, Fraction]
    stopped: str = ""


class _SlowError(Exception):
    pass


def worth(tally: Tally) -> Fraction:
    """What a tally is worth to the attacker."""
    return sum((Fraction(PAYOFF.weights.get(name, 0)) * count for name, count in tally), Fraction(0))


def ended(outcome: str) -> Fraction:
    """What an end is worth that names what was lost, as the variant without tallies does."""
    lost = outcome.removeprefix("over").strip()
    return sum((Fraction(PAYOFF.weights[name]) for name in lost.split(",") if name), Fraction(0))


def extracted(variant: Variant, units: int, seconds: float = SECONDS) -> Size:
    """The graph of a variant, timed, and the value of each of its decisions."""
    begin = time.process_time()

    def in_time(_: Watch) -> None:
        if time.process_time() - begin > seconds:
            raise _SlowError

    watch = Watch(ROWS, MEGABYTES, in_time)
    rules, start = variant.rules, position(units)
    try:
        if variant.folded:
            game = Game(rules, start, watch=watch, live=variant.live)
            spent = time.process_time() - begin
            return Size(game.decisions, watch.positions, spent, _values(game))
        graph = Unfolded()
        Induction(rules, graph, watch=watch, live=variant.live).at(start)
        spent = time.process_time() - begin
        found = graph.values(worth, ended)
        return Size(
            len(graph.rows),
            watch.positions,
            spent,
            {row[0]: value for row, value in zip(graph.rows, found, strict=True) if row[0] is not None},
        )
    except (TooLarge, _SlowError) as error:
        reason = str(error).split(",")[0] if isinstance(error, TooLarge) else f"stopped after {seconds:.0f} s"
        return Size(watch.rows, watch.positions, time.process_time() - begin, {}, reason)


def _values(game: Game) -> dict[Any, Fraction]:
    found: list[Fraction] = []
    for row in game.rows:
        if row.seat is None:
            found.append(ended(row.outcome))
            continue
        options = [
            sum((w * (worth(tally) + found[child]) for w, tally, child in option.arcs), Fraction(0)) / option.total
            for option in row.options
        ]
        found.append((max if row.seat is Seat.ATTACKER else min)(options))
    return {row.key: value for row, value in zip(game.rows, found, strict=True) if row.seat is not None}


def megabytes(variant: Variant, units: int) -> float:
    """Peak memory of Python objects during extraction. Measured apart, for measuring it takes time."""
    tracemalloc.start()
    try:
        extracted(variant, units)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def table(most: int = 4) -> Iterator[tuple[int, Variant, Size, float | None]]:
    """Every variant on 1 to `most` units; memory is left out where the extraction was stopped."""
    for units in range(1, most + 1):
        for variant in VARIANTS:
            size = extracted(variant, units)
            yield units, variant, size, None if size.stopped or size.seconds > 20 else megabytes(variant, units)
