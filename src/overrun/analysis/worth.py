"""What any position of play is worth to both seats, also in the middle of a called procedure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from overrun.analysis.algebra import Branch, Choice, Counting, Gained, Key
from overrun.analysis.induction import Induction
from overrun.analysis.payoff import wants
from overrun.analysis.solve import Values
from overrun.analysis.tally import Tally
from overrun.analysis.watch import Watch
from overrun.kernel import Chance, Decision, Exit, Payoff, Position, Restriction, Rules, Seat


class _Worths:
    """The algebra of values: a seat that chooses takes what is worth most to it, the first offered among equals."""

    counting = Counting.MEANS

    def __init__(self, payoff: Payoff) -> None:
        self.wants = wants(payoff, Seat.ATTACKER), wants(payoff, Seat.DEFENDER)

    def end(self, outcome: str) -> Values:
        return Fraction(0), Fraction(0)

    def mix(self, branches: Sequence[Branch[Values]], gained: Gained) -> Values:
        if len(branches) == 1 and not gained:
            return self.gained(branches[0][1], branches[0][2])
        total = sum(weight for weight, _, _ in branches)
        after = [(weight, self.gained(tally, values)) for weight, tally, values in branches]
        one, two = (
            sum((w * values[mine] for w, values in after), wanted(gained.items(), self.wants[mine])) / total
            for mine in (0, 1)
        )
        return one, two

    def decide(self, key: Key, node: Decision[Any], options: Sequence[tuple[str, Tally, Values]]) -> Values:
        mine = 0 if node.seat is Seat.ATTACKER else 1
        return max((self.gained(tally, values) for _, tally, values in options), key=lambda values: values[mine])

    def gained(self, tally: Tally, values: Values) -> Values:
        """The values before something is counted."""
        if not tally:
            return values
        one, two = (values[mine] + wanted(tally, self.wants[mine]) for mine in (0, 1))
        return one, two


def wanted(counts: Iterable[tuple[str, int]], weights: Mapping[str, Fraction]) -> Fraction:
    """What some counts are worth under the weights of a payoff."""
    return sum((weights[name] * count for name, count in counts if name in weights), Fraction(0))


class Worth:
    """Exact values of positions; what two positions share is worked out once.

    `choice` plays for the seats, or for some of them; where it says nothing a seat plays its best.
    """

    def __init__(
        self,
        rules: Rules[Any],
        payoff: Payoff,
        choice: Choice | None = None,
        *,
        restrictions: Sequence[Restriction] = (),
        watch: Watch | None = None,
    ) -> None:
        self.rules, self._algebra = rules, _Worths(payoff)
        self._induction = Induction(rules, self._algebra, choice, restrictions=restrictions, watch=watch)

    def at(self, position: Position[Any]) -> Values:
        """What the attacker and the defender can expect from a position on. Raises `TooLarge`."""
        return self._induction.at(position)

    def after(self, position: Position[Any], exit: Exit[Any]) -> Values:
        """What they can expect once a position is left by an exit; what the exit counts is in it."""
        tally = tuple(sorted((exit.tally or {}).items()))
        return self._algebra.gained(tally, self.at(self.rules.follow(position, exit)))

    def rolls(self, position: Position[Any], node: Chance[Any]) -> list[tuple[Any, int, Values]]:
        """Each reading of the dice that wait, its weight, and what it makes the position worth."""
        return [(value, weight, self.after(position, node.then(value))) for value, weight in node.dice.outcomes]
