"""A sign of life on a terminal while a long answer is worked out; pipes and files get none."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from overrun.analysis.answer import Terms
from overrun.analysis.watch import Watch

PATIENCE = 2.0
"""Seconds before the first sign, and between two."""


def watch(terms: Terms) -> Watch:
    """A watch with the limits of the terms, which tells how far a long pass has come."""
    return Watch(terms.row_limit, terms.megabyte_limit, teller() if sys.stderr.isatty() else None)


def teller(clock: Callable[[], float] = time.monotonic) -> Callable[[Watch], None]:
    """Says on standard error, now and then, what a pass has been through."""
    begun = last = clock()

    def tell(watch: Watch) -> None:
        nonlocal last
        now = clock()
        if now - last >= PATIENCE:
            last = now
            done = f"{watch.positions:,} positions, {watch.rows:,} decisions in {now - begun:.0f} s; Ctrl-C stops"
            print(f"\r{done:<70}", end="\r", file=sys.stderr, flush=True)

    return tell
