"""The worker process: it solves situations, one question at a time, and answers over a pipe.

It is a process of its own so that the pages stay responsive, so that a question that takes too long can be stopped for
certain, and so that its memory goes back to the system when it is.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from multiprocessing import connection, parent_process
from typing import Any

from overrun.kernel import OverrunError
from overrun.play.session import Answer
from overrun.web.answers import Outside, Report, Solved, flow, levers, readings, spans, whole_alone
from overrun.web.prospect import Subject

KEPT_SOLVED = 8
"""Solved situations held in one worker."""
BETWEEN_REPORTS = 0.2
"""Seconds."""


class Asks(StrEnum):
    """The kinds of question."""

    ADVICE = "advice"
    WHOLE = "whole"
    READINGS = "readings"
    LEVERS = "levers"
    FLOW = "flow"
    STATED = "stated"
    BOUNDS = "bounds"


@dataclass(frozen=True, slots=True)
class Question:
    """One question to the analysis. `answers` are those of a session, for advice or bounds; `policy` is for whole odds.

    `whole`: the graph of the whole situation was solved before, so it is kept and better than one begun later.
    """

    asks: Asks
    subject: Subject
    answers: tuple[Answer, ...] = ()
    policy: str = "best"
    whole: bool = field(default=False, compare=False)

    @property
    def begun(self) -> tuple[Answer, ...]:
        """The answers after which a graph for this question begins."""
        return () if self.whole else self.answers


class Dropped(BaseException):
    """Nobody waits for the answer any more; what was solved before stays."""


class Worker:
    """The inside of the process."""

    def __init__(self) -> None:
        self._solved: OrderedDict[tuple[Subject, tuple[Answer, ...]], Solved] = OrderedDict()

    def answer(self, question: Question, report: Report) -> Any:
        """The answer. Raises `OverrunError` where none can be given."""
        alone = {Asks.READINGS: readings, Asks.LEVERS: levers, Asks.FLOW: flow, Asks.STATED: whole_alone}
        if question.asks in alone:
            return alone[question.asks](question.subject, question.policy, report)
        if question.asks is Asks.BOUNDS:
            return spans(question.subject, question.answers, report)
        if question.asks is Asks.ADVICE:
            try:
                return self._graph(question, report).advice(question.answers)
            except Outside:
                return self._begun(replace(question, whole=False), report).advice(question.answers)
        return self._graph(question, report).whole(question.policy)

    def _graph(self, question: Question, report: Report) -> Solved:
        """A solved graph that holds the question: one that begins where its session once stood, or a new one."""
        for begun in self._solved:
            if begun[0] == question.subject and question.answers[: len(begun[1])] == begun[1]:
                self._solved.move_to_end(begun)
                return self._solved[begun]
        return self._begun(question, report)

    def _begun(self, question: Question, report: Report) -> Solved:
        """The graph from where the session stands, or the whole one."""
        begun = question.subject, question.begun
        solved = self._solved[begun] = Solved(question.subject, report, question.begun)
        self._solved.move_to_end(begun)
        while len(self._solved) > KEPT_SOLVED:
            self._solved.popitem(last=False)
        return solved


def run(pipe: connection.Connection[Any, Any]) -> None:
    """Answer questions until the pipe is closed, or the server is gone. None lets go of the question on its way."""
    _end_with_parent()
    worker, last = Worker(), 0.0

    def report(words: str) -> None:
        nonlocal last
        if pipe.poll():
            # While a question is answered nothing comes but the word to let go of it.
            pipe.recv()
            raise Dropped
        if time.monotonic() - last > BETWEEN_REPORTS:
            last = time.monotonic()
            pipe.send(("progress", words))

    while True:
        try:
            question = pipe.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        if question is not None:
            pipe.send(("begun", None))
            pipe.send(_answered(worker, question, report))


def _answered(worker: Worker, question: Question, report: Report) -> tuple[str, Any]:
    try:
        return "answer", worker.answer(question, report)
    except Dropped:
        return "dropped", None
    except OverrunError as error:
        return "refused", (error.code, str(error))
    except MemoryError:
        return "refused", ("analysis.memory", "There is not enough memory on this machine for an exact answer.")
    except Exception as error:
        # A fault of ours: the server is told what kind of fault it was, and its log has the rest.
        return "failed", f"{type(error).__name__}: {error}"


def _end_with_parent() -> None:
    """End at once when the server has ended, also when it was killed in the middle of a question."""
    parent = parent_process()
    if parent is None:
        return

    def watch(sentinels: Sequence[int]) -> None:
        connection.wait(sentinels)
        os._exit(0)

    threading.Thread(target=watch, args=([parent.sentinel],), daemon=True).start()
