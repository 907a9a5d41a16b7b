"""A question on its way, and the worker process that answers it: queued, watched, limited in time, and stopped."""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from overrun.play.session import Answer
from overrun.web.prospect import Subject
from overrun.web.worker import KEPT_SOLVED, Asks, Question, run

WAITING = 40
"""Jobs that may wait in one queue; more are refused."""
LEFT = "analysis.left"
LEFT_AFTER = 45.0
"""Seconds after which a job is stopped that no page and no program asks for any more."""
STARTED_WITHIN = 60.0
"""Seconds that a process has to start: on a busy machine it needs some, which are not the question's."""
DROPPED_WITHIN = 1.5
"""Seconds that a process has to let go of a question."""
OFFERED_AFTER = 4.0
"""Seconds of work after which smaller questions are offered."""
PATIENCE = {Asks.READINGS: 5, Asks.LEVERS: 10}
"""Comparisons solve a situation many times over, so they may take so many times as long."""

AT_LEAST = {Asks.BOUNDS: 60.0}
"""Bounds end by themselves, with what was found, so they may take so long whatever the limit."""

log = logging.getLogger("overrun.web")


class Stands(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    REFUSED = "refused"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass
class Wanted:
    """When somebody last asked for something: pages that wait ask every second or two."""

    last: float = field(default_factory=time.monotonic)

    def now(self) -> None:
        """It was asked for."""
        self.last = time.monotonic()


@dataclass(frozen=True, slots=True)
class Seen:
    """How a job stood at one moment. A page is made of this: the job itself may end while the page is put together."""

    id: str
    stands: Stands
    words: str
    code: str
    answer: Any
    slow: bool


@dataclass(eq=False)
class Job:
    """One question on its way. `answer` is there when it is `DONE`; else `words` say how it stands or why it ended.

    `seconds` is how long its worker has had it, starting included. `watchers` are the sessions whose page waits for it.
    """

    id: str
    question: Question
    wanted: Wanted = field(default_factory=Wanted)
    stands: Stands = Stands.WAITING
    words: str = "waiting for its turn"
    code: str = ""
    answer: Any = None
    seconds: float = 0.0
    over: threading.Event = field(default_factory=threading.Event)
    watchers: set[str] = field(default_factory=set)
    to: Analyst | None = None
    """Another worker that can answer it at once: it goes there."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _left: bool = False

    def finish(self, stands: Stands, words: str = "", code: str = "", answer: Any = None) -> None:
        """Set the end of the job and wake who waits for it."""
        self.words, self.code, self.answer = words, code, answer
        # Last: whoever sees that it is done finds the answer there.
        self.stands = stands
        self.over.set()

    def seen(self) -> Seen:
        """How it stands now."""
        stands = self.stands
        return Seen(self.id, stands, self.words, self.code, self.answer, self.slow)

    def stop(self) -> None:
        """Ask for it to be stopped; its worker is ended if it has begun."""
        self._stop.set()

    def leave(self) -> None:
        """Nobody waits for it any more."""
        self._left = True

    @property
    def left(self) -> bool:
        """Does nobody wait for it any more?"""
        return self._left or time.monotonic() - self.wanted.last > LEFT_AFTER

    @property
    def stopping(self) -> bool:
        """Was it asked to stop?"""
        return self._stop.is_set()

    @property
    def slow(self) -> bool:
        """Did it take so long, or grow so large, that an answer to a smaller question is worth having?"""
        if self.code in {"analysis.too_large", "analysis.too_long", "analysis.memory"}:
            return True
        return self.under_way and self.seconds > OFFERED_AFTER

    @property
    def under_way(self) -> bool:
        """Does it wait or run?"""
        return not self.over.is_set()


class Analyst:
    """One worker process with its queue; a thread hands it one job after another."""

    def __init__(self, limit: float, ended: Callable[[Analyst, Job], None]) -> None:
        self.limit, self.ended = limit, ended
        self.queue: deque[Job] = deque()
        self._solved: OrderedDict[tuple[Subject, tuple[Answer, ...]], None] = OrderedDict()
        self._ready = threading.Condition()
        self._closed = self._busy = False
        self._process: Any = None
        self._pipe: Any = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def load(self) -> int:
        """How many jobs it has before it would begin a new one."""
        return len(self.queue) + self._busy

    def knows(self, question: Question) -> bool:
        """Has its process solved a graph that holds this question?"""
        return any(
            subject == question.subject and question.answers[: len(begun)] == begun
            for subject, begun in self._solved.copy()
        )

    def put(self, job: Job) -> None:
        """Line a job up."""
        with self._ready:
            if len(self.queue) >= WAITING:
                job.finish(Stands.REFUSED, "Too many questions wait already; ask again in a moment.", "analysis.busy")
                return
            self.queue.append(job)
            self._ready.notify()

    def close(self) -> None:
        """End the process."""
        with self._ready:
            self._closed = True
            self._ready.notify()
        self._thread.join(timeout=5)
        self._end()

    def _serve(self) -> None:
        while True:
            with self._ready:
                while not self.queue and not self._closed:
                    self._ready.wait()
                if self._closed:
                    return
                job = self.queue.popleft()
                self._busy = True
            try:
                if not self._let_go(job):
                    self._answer(job)
            except Exception:
                log.exception("a worker failed")
                self._end()
                job.finish(Stands.FAILED, "The analysis failed; the fault is ours.", "analysis.fault")
            self._busy = False
            if job.over.is_set():
                self.ended(self, job)

    def _start(self) -> None:
        if self._process is None or not self._process.is_alive():
            spawn = multiprocessing.get_context("spawn")
            self._solved.clear()
            self._pipe, theirs = spawn.Pipe()
            self._process = spawn.Process(target=run, args=(theirs,), name="overrun-analyst")
            self._process.start()
            theirs.close()

    def _answer(self, job: Job) -> None:
        given = time.monotonic()
        begun: float | None = None
        job.stands, job.words = Stands.RUNNING, "starting"
        self._start()
        # What it has solved already is answered in a moment.
        known = self.knows(job.question)
        self._pipe.send(job.question)
        while True:
            job.seconds = time.monotonic() - given
            ends, elsewhere = job.stopping or self._closed, job.left or job.to is not None
            if ends or (elsewhere and not known):
                if ends:
                    self._end()
                else:
                    self._drop(job)
                self._let_go(job)
                return None
            if self._overdue(job, begun):
                return None
            if not self._pipe.poll(0.05):
                continue
            try:
                kind, value = self._pipe.recv()
            except (EOFError, OSError):
                self._end()
                return job.finish(Stands.FAILED, "The analysis ended unexpectedly.", "analysis.fault")
            if kind == "begun":
                begun = time.monotonic()
                continue
            if kind == "progress":
                job.words = value
                continue
            job.seconds = time.monotonic() - given
            if kind == "answer":
                self._learned(job.question)
                return job.finish(Stands.DONE, answer=value)
            if kind == "refused":
                return job.finish(Stands.REFUSED, value[1], value[0])
            log.error("a question failed in the worker: %s", value)
            return job.finish(Stands.FAILED, "The analysis failed; the fault is ours.", "analysis.fault")

    def _overdue(self, job: Job, begun: float | None) -> bool:
        """End a job that is at work for longer than its limit, or whose process does not start at all."""
        asks = job.question.asks
        limit = max(self.limit * PATIENCE.get(asks, 1), AT_LEAST.get(asks, 0))
        if begun is None and job.seconds > STARTED_WITHIN:
            words = f"The analysis did not start within {STARTED_WITHIN:g} seconds; ask again."
            end = Stands.FAILED, words, "analysis.fault"
        elif begun is not None and time.monotonic() - begun > limit:
            words = f"This takes longer than the limit of {limit:g} seconds, so it was stopped ({job.words})."
            end = Stands.STOPPED, words, "analysis.too_long"
        else:
            return False
        self._end()
        job.finish(*end)
        return True

    def _drop(self, job: Job) -> None:
        """Have the process let go of a question, and end it when it does not soon: with it goes all that it solved."""
        try:
            self._pipe.send(None)
            until = time.monotonic() + DROPPED_WITHIN
            while time.monotonic() < until:
                if self._pipe.poll(0.05):
                    kind, _ = self._pipe.recv()
                    if kind == "answer":
                        self._learned(job.question)
                    if kind not in {"begun", "progress"}:
                        return
        except (EOFError, OSError):
            pass
        self._end()

    def _learned(self, question: Question) -> None:
        if question.asks in (Asks.ADVICE, Asks.WHOLE) and not self.knows(question):
            self._solved[question.subject, question.begun] = None
            while len(self._solved) > KEPT_SOLVED:
                self._solved.popitem(last=False)

    def _let_go(self, job: Job) -> bool:
        """End or pass on a job that is not to be answered here."""
        if job.stopping or self._closed:
            job.finish(Stands.STOPPED, "Stopped.", "analysis.stopped")
        elif job.left:
            job.finish(Stands.STOPPED, "Stopped, for nobody asked for it any more.", LEFT)
        elif job.to not in (None, self):
            analyst, job.to = job.to, None
            job.stands, job.words = Stands.WAITING, "waiting for its turn"
            assert analyst is not None
            analyst.put(job)
        else:
            return False
        return True

    def _end(self) -> None:
        self._solved.clear()
        if self._process is not None:
            self._process.kill()
            self._process.join(timeout=5)
            self._pipe.close()
            self._process = None
