"""Carry out a sweep: cut it into chunks by what cells cost, have them answered, keep each part as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from overrun.sweep.cells import Chunk, Work
from overrun.sweep.executors import Executor
from overrun.sweep.parts import Parts, gaps

SECONDS = 0.5
"""Processor time of a chunk: long against the cost of sending it, short against the patience of who waits."""
SHORTEST = 0.1
"""The least of it while there are cells for it: sending one costs some hundredths of a second."""
LARGEST = 5_000
"""Cells in a chunk at most: what a lost worker can lose, and what is held in memory at once."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sweep is. `rate` is cells a second since it began here, `left` the seconds that the rest may take."""

    done: int
    cells: int
    here: int
    seconds: float

    @property
    def rate(self) -> float:
        """Cells answered a second."""
        return self.here / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that the rest may take; None while nothing is known."""
        return (self.cells - self.done) / self.rate if self.rate else None


class Cutter:
    """Cuts gaps into chunks, each as long as the cells answered so far cost. It begins with single cells."""

    def __init__(self, gaps: list[Chunk], workers: int) -> None:
        self._gaps, self._workers = list(reversed(gaps)), workers
        self._left = sum(len(gap) for gap in gaps)
        self._cost = 0.0

    def learn(self, cells: int, seconds: float) -> None:
        """Take in what a chunk cost."""
        cost = seconds / cells
        self._cost = cost if not self._cost else 0.7 * self._cost + 0.3 * cost

    def __iter__(self) -> Iterator[Chunk]:
        while self._gaps:
            gap = self._gaps.pop()
            size = min(self._size(), len(gap))
            if size < len(gap):
                self._gaps.append(Chunk(gap.start + size, gap.stop))
            self._left -= size
            yield Chunk(gap.start, gap.start + size)

    def _size(self) -> int:
        if not self._cost:
            return 1
        # Towards the end chunks grow shorter, so that no worker waits long for the last one.
        fair = max(round(SHORTEST / self._cost), self._left // (2 * self._workers))
        return max(1, min(LARGEST, fair, round(SECONDS / self._cost)))


def carry_out(
    work: Work,
    folder: Path,
    executor: Executor,
    *,
    redo_damaged: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> Progress:
    """Answer every cell that the folder does not hold yet, and keep each once.

    Interrupt it at any time: finished parts are safe, and the same call goes on. Raises `InputError`.
    """
    with Parts(folder, work.grid) as parts:
        missing = gaps(parts.finished(redo_damaged=redo_damaged), work.grid.cells)
        before = work.grid.cells - sum(len(gap) for gap in missing)
        cutter, begun, here = Cutter(missing, executor.workers), monotonic(), 0
        progress = Progress(before, work.grid.cells, 0, 0.0)
        for answered in executor.run(work, iter(cutter)):
            parts.keep(answered)
            cutter.learn(len(answered.chunk), answered.seconds)
            here += len(answered.chunk)
            progress = Progress(before + here, work.grid.cells, here, monotonic() - begun)
            if on_progress is not None:
                on_progress(progress)
        return progress
