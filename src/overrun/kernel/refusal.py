"""Why something is not legal."""

from __future__ import annotations

from dataclasses import dataclass

from overrun.kernel.cite import Cite
from overrun.kernel.frozen import quick
from overrun.kernel.modifiers import Ledger
from overrun.kernel.seat import Seat


@quick
@dataclass(frozen=True, slots=True)
class Refusal:
    """An option that is not legal here: the reason in one sentence, with its figures, and the rule."""

    id: str
    reason: str
    cite: Cite
    label: str = ""
    ledgers: tuple[Ledger, ...] = ()
    seen_by: Seat | None = None
