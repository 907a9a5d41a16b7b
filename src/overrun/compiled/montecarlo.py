"""Sampled overruns on the arrays: millions a second, always labelled, and the same counts in every arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from overrun.analysis.errors import AnalysisError
from overrun.analysis.sample import Estimate, Sampled
from overrun.compiled.draws import GOLDEN, MASK, Draws, draws, mixed, start
from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.policies import Weights
from overrun.compiled.solve import Arithmetic, installed


@dataclass(frozen=True, slots=True)
class Counts:
    """What some chains came to: per measure the sum and the sum of squares, per row how many ended there."""

    sums: list[int]
    squares: list[int]
    ends: dict[int, int]


def sample(
    compiled: Compiled,
    policy: Weights,
    name: str,
    measures: Sequence[str],
    *,
    overruns: int,
    seed: int,
    arithmetic: Arithmetic | None = None,
) -> Sampled:
    """Play `overruns` overruns under a policy; `name` is how the answer calls it. Means come with standard errors.

    Raises `AnalysisError` where the graph was made for means only.
    """
    if not compiled.whole:
        raise AnalysisError("This graph was made for means only; extract it whole to sample it.")
    use = arithmetic or next(each for each in reversed(Arithmetic) if installed(each))
    table = draws(compiled, policy)
    if use is Arithmetic.PLAIN:
        counts = _plain(compiled, table, measures, overruns, seed)
    elif use is Arithmetic.NUMPY:
        from overrun.compiled.chains_together import played  # noqa: PLC0415  (numpy may be absent)

        counts = played(compiled, table, measures, overruns, seed)
    else:
        from overrun.compiled.chains_alone import played as alone  # noqa: PLC0415

        counts = alone(compiled, table, measures, overruns, seed)
    outcomes: dict[str, int] = {}
    for row, ended in counts.ends.items():
        outcomes[compiled.words[row]] = outcomes.get(compiled.words[row], 0) + ended
    return Sampled(
        name,
        overruns,
        seed,
        {
            measure: _estimate(total, squares, overruns)
            for measure, total, squares in zip(measures, counts.sums, counts.squares, strict=True)
        },
        {outcome: _estimate(ended, ended, overruns) for outcome, ended in sorted(outcomes.items())},
    )


def counted(compiled: Compiled, measures: Sequence[str]) -> list[list[int]]:
    """For each tally of the graph how much of each measure it counts."""
    return [[dict(tally).get(measure, 0) for measure in measures] for tally in compiled.tallies]


def _plain(compiled: Compiled, table: Draws, measures: Sequence[str], overruns: int, seed: int) -> Counts:
    more = counted(compiled, measures)
    sums, squares, ends = [0] * len(measures), [0] * len(measures), dict[int, int]()
    for chain in range(overruns):
        row, state, totals = compiled.root, start(seed, chain), [0] * len(measures)
        while compiled.seats[row] != ENDED:
            state = (state + GOLDEN) & MASK
            draw, first = mixed(state), table.first[row]
            column = first + ((draw >> 32) * (table.first[row + 1] - first) >> 32)
            arc = table.arc[column] if (draw & 0xFFFFFFFF) < table.threshold[column] else table.other[column]
            row = compiled.to[arc]
            for index, count in enumerate(more[compiled.tally[arc]]):
                totals[index] += count
        ends[row] = ends.get(row, 0) + 1
        for index, total in enumerate(totals):
            sums[index] += total
            squares[index] += total * total
    return Counts(sums, squares, ends)


def _estimate(total: int, squares: int, count: int) -> Estimate:
    mean = total / count
    variance = max(squares / count - mean * mean, 0.0) * count / max(count - 1, 1)
    return Estimate(mean, sqrt(variance / count))
