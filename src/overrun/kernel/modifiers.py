"""Numbers that carry their reasons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from overrun.kernel.cite import Cite
from overrun.kernel.frozen import quick
from overrun.kernel.revision import IN_FORCE

Number = int | Fraction


class Op(StrEnum):
    """How a line changes the running total of its ledger."""

    ADD = "+"
    TIMES = "×"
    IS = "="


@quick
@dataclass(frozen=True, slots=True)
class Modifier:
    """One line of a ledger: a figure, the reason for it, and the rule. `verified` is False for doubtful figures."""

    value: Number
    reason: str
    cite: Cite
    op: Op = Op.ADD
    verified: bool = True

    def __str__(self) -> str:
        figure = f"{self.value:+}" if self.op is Op.ADD and isinstance(self.value, int) else f"{self.op}{self.value}"
        doubt = "" if self.verified else ", not verified"
        return f"{figure} {self.reason} ({self.cite}{doubt})"


@quick
@dataclass(frozen=True, slots=True)
class Ledger:
    """A figure unfolded into cited lines. The total is computed from the lines, so the two cannot disagree.

    >>> from overrun.kernel.cite import Cite
    >>> rule = Cite("V&V", "19.4")
    >>> Ledger("APFP", (Modifier(19, "printed APFP", rule), Modifier(2, "doubled", rule, Op.TIMES))).total
    38
    """

    name: str
    lines: tuple[Modifier, ...]

    @property
    def total(self) -> Number:
        """The running total after the last line; 0 for an empty ledger."""
        revision, lines = IN_FORCE.get(), self.lines
        if revision is not None:
            lines = tuple(
                replace(line, value=revision.figure(f"{line.reason} ({line.cite})", line.value)) for line in lines
            )
        total: Number = 0
        for line in lines:
            if line.op is Op.ADD:
                total += line.value
            elif line.op is Op.TIMES:
                total *= line.value
            else:
                total = line.value
        return total

    def with_lines(self, *lines: Modifier) -> Ledger:
        """The same ledger with more lines at its end."""
        return Ledger(self.name, (*self.lines, *lines))

    @property
    def doubtful(self) -> Iterator[str]:
        """The lines whose figure is not verified, in words."""
        return (f"{line.reason} ({line.cite})" for line in self.lines if not line.verified)

    def __str__(self) -> str:
        return f"{self.name} {self.total}: " + "; ".join(map(str, self.lines))
