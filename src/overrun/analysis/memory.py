"""How much memory this program holds now."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def resident_megabytes() -> float:
    """Resident memory in MB; 0 where the system does not say (then only row limits protect)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        pass
    if sys.platform == "win32":
        return 0.0
    import resource  # noqa: PLC0415  (absent on Windows)

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


@contextmanager
def uncollected() -> Iterator[None]:
    """Leave reference cycles alone for a while: a pass makes none, and looking for them takes an eighth of its time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            # What the pass made counts as old at once: looking through all of it once would take as long again as
            # what was saved.
            gc.freeze()
            gc.unfreeze()
        gc.enable()
