"""Jobs in processes of their own: none sees what another has read or remembered."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from overrun.analysis.errors import AnalysisError

J = TypeVar("J")
R = TypeVar("R")

PRELOADED = ("pydantic", "overrun.analysis.reckon")
"""What the mother of the processes holds, to start them faster."""


class Lost(AnalysisError):  # noqa: N818  (the field's name for it)
    """A process was ended from outside before it had answered."""

    code = "analysis.lost"


def in_fresh_processes(
    work: Callable[[J], R], jobs: Sequence[J], processes: int, preload: Sequence[str] = ()
) -> Iterator[R]:
    """What `work` makes of each job, in the order of the jobs, each in a new process; `processes` run at once.

    `preload` names modules that every process needs; never a ruleset, for that remembers what it reads.
    Raises `Lost` when a process is killed. Everything must be picklable, `work` by its name.
    """
    forks = "forkserver" in multiprocessing.get_all_start_methods()
    start = multiprocessing.get_context("forkserver" if forks else "spawn")
    if forks:
        start.set_forkserver_preload([*PRELOADED, *preload])
    results: dict[int, R] = {}
    running: dict[Connection, tuple[int, Any]] = {}
    waiting = iter(enumerate(jobs))
    told = 0
    try:
        while told < len(jobs):
            while len(running) < max(1, processes) and (following := next(waiting, None)) is not None:
                number, job = following
                here, there = start.Pipe(duplex=False)
                process = start.Process(target=_child, args=(there, work, job), daemon=True)  # type: ignore[attr-defined]
                process.start()
                there.close()
                running[here] = number, process
            for ready in wait(list(running)):
                assert isinstance(ready, Connection)
                number, process = running.pop(ready)
                results[number] = _received(ready, process)
            while told in results:
                yield results.pop(told)
                told += 1
    finally:
        for connection, (_, process) in running.items():
            process.kill()
            process.join()
            connection.close()


def _received(connection: Connection, process: Any) -> Any:
    try:
        failed, result = connection.recv()
    except EOFError:
        process.join()
        raise Lost(f"A process was ended (status {process.exitcode}) before it had answered.") from None
    finally:
        connection.close()
    process.join()
    if failed:
        raise result
    return result


def _child(connection: Connection, work: Callable[[Any], Any], job: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to answer; it ends its children
    try:
        answer = False, work(job)
    except Exception as error:
        answer = True, error
    connection.send(answer)
    connection.close()
