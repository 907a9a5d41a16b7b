"""Best play on a flat graph, in the fastest arithmetic that is installed; every arithmetic gives the same fractions."""

from __future__ import annotations

from enum import StrEnum
from importlib.util import find_spec

from overrun.compiled.graph import Compiled
from overrun.compiled.solved import Solved, solve_plainly
from overrun.compiled.wanted import wanted
from overrun.kernel import InputError, Payoff, Problem


class Arithmetic(StrEnum):
    """How a graph is solved. `PLAIN` needs nothing; the others need the extra `fast`, and `NUMBA` numba as well."""

    PLAIN = "plain"
    NUMPY = "numpy"
    NUMBA = "numba"


WORTH_IT = 100_000
"""Arcs from which on machine words pay for being set up."""


def installed(arithmetic: Arithmetic) -> bool:
    """Can this arithmetic be used here?"""
    needs = {Arithmetic.PLAIN: (), Arithmetic.NUMPY: ("numpy",), Arithmetic.NUMBA: ("numpy", "numba")}[arithmetic]
    return all(find_spec(name) is not None for name in needs)


def fastest(compiled: Compiled) -> Arithmetic:
    """The arithmetic to use for a graph of this size."""
    if len(compiled.to) < WORTH_IT:
        return Arithmetic.PLAIN
    return next(each for each in (Arithmetic.NUMBA, Arithmetic.NUMPY, Arithmetic.PLAIN) if installed(each))


def solve(compiled: Compiled, payoff: Payoff, arithmetic: Arithmetic | None = None) -> Solved:
    """Best play of both seats under a payoff, exact. Raises `InputError` for an arithmetic that is not installed."""
    use = arithmetic or fastest(compiled)
    if not installed(use):
        have = ", ".join(each for each in Arithmetic if installed(each))
        raise InputError([Problem("arithmetic", f"{use} is not installed here (pip install 'overrun[fast]')", have)])
    if use is Arithmetic.PLAIN:
        return solve_plainly(compiled, payoff)
    from overrun.compiled.modular import Search  # noqa: PLC0415  (numpy may be absent)

    if use is Arithmetic.NUMBA:
        from overrun.compiled.by_row import search  # noqa: PLC0415
    else:
        from overrun.compiled.by_level import search  # noqa: PLC0415
    want = wanted(compiled, payoff)
    found = Search(compiled, want)
    search(compiled, found)
    return Solved(compiled, payoff, want, found.chosen.tolist(), found.numerator, str(use))
