"""Named cuts of the defender's options, for situations too large for all of them. Best play under one is a bound."""

from __future__ import annotations

from overrun.kernel import Restriction

RESTRICTIONS: tuple[Restriction, ...] = ()
