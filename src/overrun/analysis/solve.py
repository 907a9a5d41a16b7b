"""Best play of both seats by backward induction, and the cost of each mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from overrun.analysis.algebra import Key
from overrun.analysis.game import Game, Option
from overrun.analysis.payoff import wants
from overrun.kernel import Decision, Exit, Payoff, Seat

Values = tuple[Fraction, Fraction]
"""What the attacker and the defender get, each in his own points."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An option with its exact worth to the seat that chooses, and its regret: how much less that is than the best."""

    id: str
    worth: Fraction
    regret: Fraction


class Solution:
    """The value of every row of a game under a payoff, when each seat maximises its own from there on.

    Ties are broken by the order in which the rules offer the options. The value of a restricted game is a bound, not
    the value of the game.
    """

    def __init__(self, game: Game, payoff: Payoff) -> None:
        self.game, self.payoff = game, payoff
        self._wants = {seat: _whole(wants(payoff, seat)) for seat in Seat}
        self.values: list[Values] = []
        self.best: dict[Key, str] = {}
        self._row = {row.key: index for index, row in enumerate(game.rows) if row.seat is not None}
        for row in game.rows:
            if row.seat is None:
                self.values.append((Fraction(0), Fraction(0)))
                continue
            worths = [self._worth(option) for option in row.options]
            mine = 0 if row.seat is Seat.ATTACKER else 1
            best = max(range(len(worths)), key=lambda index: worths[index][mine])
            self.best[row.key] = row.options[best].id
            self.values.append(worths[best])
        self.value: Values = self._worth(game.start)

    def judged(self, key: Key) -> tuple[Judged, ...]:
        """Each option of a decision with its worth and regret, in the order in which the rules offer them."""
        row = self.game.rows[self._row[key]]
        mine = 0 if row.seat is Seat.ATTACKER else 1
        worths = [self._worth(option)[mine] for option in row.options]
        best = max(worths)
        return tuple(Judged(option.id, worth, best - worth) for option, worth in zip(row.options, worths, strict=True))

    def __contains__(self, key: Key) -> bool:
        return key in self._row

    def choice(self, key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        """Best play as a policy."""
        best = self.best[key]
        return [(exit, 1) for exit in node.options if exit.id == best][:1]

    def along(self) -> Iterator[Key]:
        """The decisions that are reached when both seats play their best, nearest the start first."""
        reached = {row for _, _, row in self.game.start.arcs}
        for index in range(len(self.game.rows) - 1, -1, -1):
            row = self.game.rows[index]
            if index in reached and row.seat is not None:
                yield row.key
                chosen = next(option for option in row.options if option.id == self.best[row.key])
                reached.update(child for _, _, child in chosen.arcs)

    def _worth(self, option: Option) -> Values:
        mine = self._sum(option, 0)
        return mine, (-mine if self.payoff.defender is None else self._sum(option, 1))

    def _sum(self, option: Option, mine: int) -> Fraction:
        values = self.values
        weights, unit = self._wants[Seat.ATTACKER if mine == 0 else Seat.DEFENDER]
        common = lcm(*{values[child][mine].denominator for _, _, child in option.arcs})
        ahead = 0
        for weight, _, child in option.arcs:
            value = values[child][mine]
            ahead += weight * value.numerator * (common // value.denominator)
        gained = sum(weights[name] * gain for name, gain in option.gains.items() if name in weights)
        return Fraction(ahead * unit + gained * common, common * unit * option.total)


def _whole(weights: Mapping[str, Fraction]) -> tuple[Mapping[str, int], int]:
    """Weights as whole numbers of one unit fraction: sums of integers are ten times as fast as sums of fractions."""
    unit = lcm(*(weight.denominator for weight in weights.values()))
    return {name: weight.numerator * (unit // weight.denominator) for name, weight in weights.items()}, unit


def means(weights: Mapping[str, Fraction], counts: Mapping[str, Fraction]) -> Fraction:
    """The worth of mean counts under weights."""
    return sum((weight * counts.get(name, Fraction(0)) for name, weight in weights.items()), Fraction(0))
