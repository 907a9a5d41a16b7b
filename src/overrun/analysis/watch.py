"""Limits and progress of a long pass over positions, and what was met on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from overrun.analysis.errors import TooLarge
from overrun.analysis.memory import resident_megabytes
from overrun.kernel import Ledger, Rules

ROW_LIMIT, MEGABYTE_LIMIT = 100_000, 1_536
"""Where a pass stops unless told otherwise: two ASL squads with Heat of Battle fit (58,757 rows, about 1 GB)."""


POSITION, LOOK = 16, 16_384
"""The work of one position beside the ways that lead on from it, and after how much of it a pass looks up."""


@dataclass(slots=True)
class Watch:
    """Limits and progress of a long pass, and what was met on the way.

    `rows` are decisions, `positions` all distinct positions. `on_progress` is called now and then and may stop it.
    """

    row_limit: int = ROW_LIMIT
    megabyte_limit: int = MEGABYTE_LIMIT
    on_progress: Callable[[Watch], None] | None = None
    rows: int = 0
    positions: int = 0
    transitions: int = 0
    taken: set[tuple[str, str]] = field(default_factory=set)
    doubts: set[str] = field(default_factory=set)
    _floor: float = 0.0
    _work: int = 0

    def start(self) -> None:
        """Measure memory from here."""
        self._floor = resident_megabytes()

    def row(self, rules: Rules[Any]) -> None:
        """Count one more decision."""
        self.rows += 1
        if self.rows > self.row_limit:
            raise TooLarge(f"{self.rows} decision rows", f"{self.row_limit}", (r.name for r in rules.restrictions))

    def position(self, rules: Rules[Any]) -> None:
        """Count one more position."""
        self.positions += 1
        self.work(rules, POSITION)

    def work(self, rules: Rules[Any], amount: int) -> None:
        """Count work at one position; every so often look at the memory and report progress.

        The runs of many units together are one position that may take long.
        """
        self._work += amount
        if self._work >= LOOK:
            self._work = 0
            used = resident_megabytes() - self._floor
            if used > self.megabyte_limit:
                raise TooLarge(f"{used:.0f} MB", f"{self.megabyte_limit} MB", (r.name for r in rules.restrictions))
            if self.on_progress is not None:
                self.on_progress(self)

    def read(self, ledgers: Iterable[Ledger]) -> None:
        """Remember the doubtful figures of some ledgers."""
        for ledger in ledgers:
            self.doubts.update(ledger.doubtful)
