"""Best play on the arrays: exact, whichever arithmetic found it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any

from overrun.analysis.algebra import Key
from overrun.analysis.solve import Judged, Values
from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.wanted import Wanted, wanted
from overrun.kernel import Decision, Exit, Payoff


@dataclass(frozen=True)
class Solved:
    """The value of every row under a payoff, and the option chosen there; ties go to the option offered first.

    `numerator(row, which)` is the worth of a row to one of the wants, in the row's own denominator.
    """

    compiled: Compiled
    payoff: Payoff
    wanted: Wanted
    chosen: Sequence[int]
    numerator: Callable[[int, int], int]
    arithmetic: str

    @property
    def value(self) -> Values:
        """What the attacker and the defender get from the start, each in his own points."""
        return self.worth(self.compiled.root)

    def worth(self, row: int) -> Values:
        """The same from a row on."""
        mine, yours = (Fraction(self.numerator(row, which), self._over(row)) for which in (0, -1))
        return mine, (-mine if self.wanted.zero_sum else yours)

    def best(self, key: Key) -> str:
        """The id of the option that best play takes at a decision. Raises `KeyError` where there is none."""
        return self.compiled.names[self.chosen[self.compiled.row(key)]]

    def choice(self, key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        """Best play as a policy of the rules."""
        best = self.best(key)
        return [(exit, 1) for exit in node.options if exit.id == best][:1]

    def judged(self, key: Key) -> tuple[Judged, ...]:
        """Each option of a decision with its exact worth to the seat that chooses, and its regret."""
        row = self.compiled.row(key)
        which, sign = self.wanted.asks(self.compiled.seats[row])
        options = self.compiled.options(row)
        worths = [Fraction(sign * self._option(row, option, which), self._over(row)) for option in options]
        best = max(worths)
        names = (self.compiled.names[option] for option in options)
        return tuple(Judged(name, worth, best - worth) for name, worth in zip(names, worths, strict=True))

    def _over(self, row: int) -> int:
        return self.compiled.denominators[row] * self.wanted.scale

    def _option(self, row: int, option: int, which: int) -> int:
        compiled = self.compiled
        own, total = compiled.denominators[row], compiled.totals[option]
        ahead = self.wanted.worth(compiled, option, which) * (own // total)
        for arc in range(compiled.arcs[option], compiled.arcs[option + 1]):
            to = compiled.to[arc]
            scale = own // (total * compiled.denominators[to])
            ahead += compiled.weights[arc] * scale * self.numerator(to, which)
        return ahead


def solve_plainly(compiled: Compiled, payoff: Payoff) -> Solved:
    """Best play of both seats in whole numbers of any size; needs nothing but Python."""
    want = wanted(compiled, payoff)
    shares, own, first, arcs, to = compiled.shares, compiled.denominators, compiled.first, compiled.arcs, compiled.to
    worths: list[list[int]] = [[] for _ in want.weights]
    chosen: list[int] = []
    for row, seat in enumerate(compiled.seats):
        if seat == ENDED:
            chosen.append(0)
            for worth in worths:
                worth.append(0)
            continue
        which, sign = want.asks(seat)
        best, most = first[row], None
        for option in range(first[row], first[row + 1]):
            ahead = want.worth(compiled, option, which) * (own[row] // compiled.totals[option])
            start, stop = arcs[option], arcs[option + 1]
            ahead += sum(map(mul, shares[start:stop], map(worths[which].__getitem__, to[start:stop])))
            if most is None or ahead * sign > most * sign:
                best, most = option, ahead
        chosen.append(best)
        for other, worth in enumerate(worths):
            if other == which and most is not None:
                worth.append(most)
            else:
                start, stop = arcs[best], arcs[best + 1]
                ahead = want.worth(compiled, best, other) * (own[row] // compiled.totals[best])
                worth.append(ahead + sum(map(mul, shares[start:stop], map(worth.__getitem__, to[start:stop]))))
    return Solved(compiled, payoff, want, chosen, lambda row, which: worths[which][row], "plain")
