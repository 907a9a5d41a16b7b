"""The chain with its two decisions in Gambit: the tree that our graph writes out, solved by Gambit's linear program."""

from __future__ import annotations

from fractions import Fraction
from io import StringIO
from typing import Any

import pygambit  # type: ignore[import-not-found,import-untyped,unused-ignore]

from bench.chain import PAYOFF, START, chain
from overrun.analysis.game import Game
from overrun.drawing.efg import efg
from overrun.kernel import Seat


def value() -> Fraction:
    """The attacker's value at the equilibrium of the tree, in rationals."""
    text = efg(Game(chain.rules, START), PAYOFF, "chain")
    tree: Any = pygambit.read_efg(StringIO(text))
    result: Any = pygambit.nash.lp_solve(tree, rational=True)
    found = result.equilibrium.payoffs if hasattr(result, "equilibrium") else result.equilibria[0].payoffs()
    paid = found[str(Seat.ATTACKER)]
    return Fraction(int(paid.numerator), int(paid.denominator)) / 2
