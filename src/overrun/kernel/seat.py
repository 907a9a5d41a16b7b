"""The two sides of an overrun."""

from __future__ import annotations

from enum import StrEnum


class Seat(StrEnum):
    """Who decides or rolls. A ruleset says what its players call these seats."""

    ATTACKER = "attacker"
    DEFENDER = "defender"

    @property
    def other(self) -> Seat:
        """The opposing seat."""
        return Seat.DEFENDER if self is Seat.ATTACKER else Seat.ATTACKER
