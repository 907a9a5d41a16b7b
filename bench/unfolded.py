"""A graph in which nothing is folded: every position is a row, chance and automatic steps too. Only for comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from overrun.analysis.algebra import Branch, Counting, Gained, Key
from overrun.analysis.tally import Tally
from overrun.kernel import Decision, Seat

Worth = Callable[[Tally], Fraction]


@dataclass
class Unfolded:
    """The algebra whose answers are row numbers; each row keeps its branches."""

    counting = Counting.TOGETHER
    rows: list[tuple[Key | None, Seat | None, Sequence[tuple[int, Tally, int]], str]] = field(default_factory=list)

    def end(self, outcome: str) -> int:
        """A row of its own for each way to end that is met."""
        return self._row(None, None, (), outcome)

    def mix(self, branches: Sequence[Branch[int]], gained: Gained) -> int:
        """A row for chance or an automatic step."""
        return self._row(None, None, tuple(branches), "")

    def decide(self, key: Key, node: Decision[Any], options: Sequence[tuple[str, Tally, int]]) -> int:
        """A row for a decision."""
        return self._row(key, node.seat, tuple((1, tally, row) for _, tally, row in options), "")

    def _row(self, key: Key | None, seat: Seat | None, branches: Sequence[tuple[int, Tally, int]], end: str) -> int:
        self.rows.append((key, seat, branches, end))
        return len(self.rows) - 1

    def values(self, worth: Worth, end: Callable[[str], Fraction]) -> list[Fraction]:
        """The attacker's value at every row under best play."""
        found: list[Fraction] = []
        for _, seat, branches, outcome in self.rows:
            ahead = [(weight, worth(tally) + found[row]) for weight, tally, row in branches]
            if not branches:
                found.append(end(outcome))
            elif seat is None:
                found.append(sum((w * value for w, value in ahead), Fraction(0)) / sum(w for w, _ in ahead))
            else:
                found.append((max if seat is Seat.ATTACKER else min)(value for _, value in ahead))
        return found
