"""Where chunks are answered: here, in a pool of processes, or on a Dask cluster. One small port serves them all."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Any, Protocol

from overrun.kernel import InputError, Problem
from overrun.sweep.cells import Answered, Chunk, Work, answer

ATTEMPTS = 3
"""How often a chunk is tried whose worker was lost."""


class Executor(Protocol):
    """Answers chunks in any order. Chunks are taken one by one, so the next can be cut by what earlier ones cost."""

    workers: int

    def run(self, work: Work, chunks: Iterator[Chunk]) -> Iterator[Answered]:
        """Each chunk answered once. Closing the iterator stops the work."""

    def close(self) -> None:
        """Give back processes and connections."""


class Here:
    """Answers in this process, one chunk after the other."""

    workers = 1

    def run(self, work: Work, chunks: Iterator[Chunk]) -> Iterator[Answered]:
        """Each chunk answered once, in order."""
        for chunk in chunks:
            yield answer(work, chunk)

    def close(self) -> None:
        """Nothing is held."""


def serve() -> None:
    """How a worker lives: Ctrl-C is for the driver to answer, and without a driver there is nothing to live for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (driver := multiprocessing.parent_process()) is not None:
        Thread(target=_follow, args=(driver,), daemon=True).start()


def _follow(driver: Any) -> None:
    driver.join()
    os._exit(1)


PATIENCE = 5.0
"""Seconds in which the thread that keeps a pool must have ended."""


class Pool:
    """Answers in processes of this machine. A lost process is replaced and its chunk tried again."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool = self._fresh()

    def _fresh(self) -> ProcessPoolExecutor:
        forks = "forkserver" in multiprocessing.get_all_start_methods()
        start = multiprocessing.get_context("forkserver" if forks else "spawn")
        return ProcessPoolExecutor(self.workers, start, initializer=serve)

    def run(self, work: Work, chunks: Iterator[Chunk]) -> Iterator[Answered]:
        """Each chunk answered once. Raises `InputError` for a chunk that loses its process again and again."""
        running: dict[Future[Answered], Chunk] = {}
        tries: dict[Chunk, int] = {}
        again: list[Chunk] = []
        try:
            while True:
                broken = not self._fill(work, chunks, running, again)
                if not running and not broken:
                    return
                lost: list[Chunk] = []
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    chunk = running.pop(future)
                    try:
                        answered = future.result()
                    except BrokenProcessPool:
                        lost.append(chunk)
                    else:
                        yield answered
                if lost or broken:
                    # A pool that lost a process is of no more use, and nobody knows whose chunk it was.
                    again += [*lost, *running.values()]
                    running.clear()
                    self._end()
                    self._pool = self._fresh()
                    for chunk in lost:
                        _count(tries, chunk)
        finally:
            for future in running:
                future.cancel()

    def _fill(
        self, work: Work, chunks: Iterator[Chunk], running: dict[Future[Answered], Chunk], again: list[Chunk]
    ) -> bool:
        """Give every worker a chunk and one to go on with. False when the pool has lost a process meanwhile."""
        while len(running) < 2 * self.workers:
            chunk = again.pop() if again else next(chunks, None)
            if chunk is None:
                return True
            try:
                running[self._pool.submit(answer, work, chunk)] = chunk
            except BrokenProcessPool:
                again.append(chunk)
                return False
        return True

    def close(self) -> None:
        """End the processes; chunks under way are given up."""
        self._end()

    def _end(self) -> None:
        processes = list((self._pool._processes or {}).values())
        keeper: Any = self._pool._executor_manager_thread
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        if keeper is not None:
            # It closes its pipes when it sees the processes gone. Python, leaving meanwhile, would write into them.
            keeper.join(PATIENCE)


def _count(tries: dict[Chunk, int], chunk: Chunk) -> None:
    tries[chunk] = tries.get(chunk, 0) + 1
    if tries[chunk] >= ATTEMPTS:
        where = f"cells {chunk.start} to {chunk.stop - 1}"
        what = f"their process was lost {ATTEMPTS} times, perhaps for lack of memory"
        raise InputError([Problem(where, what, "fewer --workers, or a machine with more memory")])


class Cluster:
    """Answers on the workers of a Dask scheduler. A lost worker's chunks go to the others."""

    def __init__(self, address: str, expected: Callable[[], str], stamp: str, patience: float = 20.0) -> None:
        self._client = _connected(address, patience)
        self.address = address
        try:
            self._client.wait_for_workers(1, timeout=patience)
        except TimeoutError as error:
            self.close()
            what = f"the scheduler at {address} has no worker"
            raise InputError([Problem("--scheduler", what, f"start one: dask worker {address}")]) from error
        self._agree(expected, stamp)
        self.workers = max(1, sum(self._client.nthreads().values()))

    def _agree(self, expected: Callable[[], str], stamp: str) -> None:
        """Raise `InputError` when a worker cannot answer, or would answer by other rules or figures."""
        try:
            found = self._client.run(expected)
        except Exception as error:
            self.close()
            what = f"a worker cannot find the rules ({type(error).__name__}: {error})"
            raise InputError([Problem("--scheduler", what, "workers that have this version of overrun")]) from error
        if others := sorted({worker for worker, theirs in found.items() if theirs != stamp}):
            self.close()
            what = f"other rules or figures are in force at {', '.join(others)}"
            raise InputError([Problem("--scheduler", what, "workers that have this version of overrun")])

    def run(self, work: Work, chunks: Iterator[Chunk]) -> Iterator[Answered]:
        """Each chunk answered once. Raises `InputError` when the scheduler is gone."""
        from distributed import as_completed  # noqa: PLC0415  (an extra)

        running: Any = as_completed(loop=self._client.loop, raise_errors=False)  # type: ignore[no-untyped-call]
        under_way = 0

        def submit() -> bool:
            chunk = next(chunks, None)
            if chunk is None:
                return False
            running.add(self._client.submit(answer, work, chunk, pure=False, retries=ATTEMPTS))
            return True

        while under_way < 2 * self.workers and submit():
            under_way += 1
        while under_way:
            answered = self._answer(running)
            under_way -= 1
            yield answered
            while under_way < 2 * self.workers and submit():
                under_way += 1

    def _answer(self, running: Any) -> Answered:
        """The next chunk that is done. Raises `InputError` for one that the cluster gave up, or without a scheduler."""
        allowed = "the same command again goes on where this one ended"
        try:
            future = next(running)
            error = future.exception() if future.status == "error" else None
            if error is None:
                answered: Answered = future.result()
                future.release()
                return answered
        except (OSError, TimeoutError, CancelledError, StopIteration) as gone:
            what = f"the scheduler is gone ({type(gone).__name__}); every finished part is safe"
            raise InputError([Problem("--scheduler", what, allowed)]) from gone
        what = f"the cluster gave a chunk up ({type(error).__name__}: {error}); every finished part is safe"
        raise InputError([Problem("--scheduler", what, allowed)])

    def close(self) -> None:
        """Leave the cluster as it is."""
        self._client.close(timeout=5)


def _connected(address: str, patience: float) -> Any:
    try:
        from distributed import Client  # noqa: PLC0415  (an extra)
    except ImportError as error:
        what = "a Dask scheduler needs the extra `cluster`, which is not installed"
        raise InputError([Problem("--scheduler", what, 'pip install "overrun[cluster]", or --workers')]) from error
    try:
        return Client(address, timeout=patience, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        what = f"there is no Dask scheduler at {address!r} ({error})"
        raise InputError(
            [Problem("--scheduler", what, "the address that dask scheduler prints, tcp://host:port")]
        ) from error
