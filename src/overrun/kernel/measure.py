"""What an answer counts, and what a seat wants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from overrun.kernel.modifiers import Number


class Kind(StrEnum):
    """`EVENT`: happens at most once per overrun, so its mean is its chance. `COUNT`: adds up."""

    EVENT = "event"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Measure:
    """A named counter that exits increment through their tally; `meaning` defines it in words a player can test.

    `given` names an event without which it stays 0; answers then also tell it given that the event happens.
    """

    name: str
    meaning: str
    kind: Kind = Kind.COUNT
    given: str = ""


@dataclass(frozen=True, slots=True)
class Payoff:
    """What the attacker gains: a weight on each measure, in points; the defender gains the opposite.

    A game that is not zero-sum gives the defender weights of his own in `defender` (he maximises them).
    """

    name: str
    meaning: str
    weights: Mapping[str, Number]
    defender: Mapping[str, Number] | None = None
