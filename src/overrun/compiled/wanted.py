"""What the seats want, in whole numbers: the form in which a graph is solved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from overrun.analysis.payoff import wants
from overrun.compiled.graph import ENDED, SEATS, Compiled
from overrun.kernel import Payoff, Seat


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whole weights per measure of the graph, `scale` times those of the payoff.

    In a zero-sum game `weights` holds the attacker's only, and the defender wants the opposite; else both seats'.
    """

    scale: int
    weights: tuple[tuple[int, ...], ...]

    @property
    def zero_sum(self) -> bool:
        """Does the defender want exactly what the attacker does not?"""
        return len(self.weights) == 1

    def asks(self, seat: int) -> tuple[int, int]:
        """Which of `weights` a seat maximises, and with which sign."""
        if seat == ENDED or not self.zero_sum:
            return seat % ENDED, 1
        return 0, (1 if SEATS[seat] is Seat.ATTACKER else -1)

    def worth(self, compiled: Compiled, option: int, which: int) -> int:
        """What an option counts before the next decision, out of its total."""
        weights = self.weights[which]
        found = range(compiled.gained[option], compiled.gained[option + 1])
        return sum(weights[compiled.gain_of[g]] * compiled.gains[g] for g in found)


def wanted(compiled: Compiled, payoff: Payoff) -> Wanted:
    """The weights of a payoff on the measures of a graph. What the graph never counts is left out."""
    attacker, defender = (wants(payoff, seat) for seat in SEATS)
    scale = lcm(*(Fraction(weight).denominator for weight in (*attacker.values(), *defender.values())))
    both = (attacker,) if payoff.defender is None else (attacker, defender)
    return Wanted(scale, tuple(tuple(int(own.get(name, 0) * scale) for name in compiled.measures) for own in both))
