"""Questions to the analysis as jobs: asked of worker processes, watched, limited in time, and stopped on request."""

from __future__ import annotations

import atexit
import logging
import multiprocessing
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from overrun.web.prospect import Subject
from overrun.web.worker import Asks, Question, run

REMEMBERED = 400
"""Finished jobs whose answers are kept."""
WAITING = 40
"""Jobs that may wait in one queue; more are refused."""

LEFT = "analysis.left"
LEFT_AFTER = 45.0
"""Seconds after which a job is stopped that no page and no program asks for any more."""
LASTING = {"analysis.stopped", "analysis.too_long", "analysis.too_large", "analysis.hidden", "analysis.memory"}
"""How a job can end so that other questions about the same situation would end likewise."""

PATIENCE = {Asks.READINGS: 5, Asks.LEVERS: 10}
"""Comparisons solve a situation many times over, so they may take so many times as long."""

log = logging.getLogger("overrun.web")


class Stands(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    REFUSED = "refused"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(eq=False)
class Job:
    """One question on its way. `answer` is there when it is `DONE`; else `words` say how it stands or why it ended."""

    id: str
    question: Question
    stands: Stands = Stands.WAITING
    words: str = "waiting for its turn"
    code: str = ""
    answer: Any = None
    seconds: float = 0.0
    asked: float = field(default_factory=time.monotonic)
    over: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)

    def finish(self, stands: Stands, words: str = "", code: str = "", answer: Any = None) -> None:
        """Set the end of the job and wake who waits for it."""
        self.stands, self.words, self.code, self.answer = stands, words, code, answer
        self.over.set()

    def stop(self) -> None:
        """Ask for it to be stopped; its worker is ended if it has begun."""
        self._stop.set()

    @property
    def left(self) -> bool:
        """Has nobody asked for it for a while? Pages that wait ask every second or two."""
        return time.monotonic() - self.asked > LEFT_AFTER

    @property
    def stopping(self) -> bool:
        """Was it asked to stop?"""
        return self._stop.is_set()


class Analyst:
    """One worker process with its queue; a thread hands it one job after another."""

    def __init__(self, limit: float, ended: Callable[[Job], None]) -> None:
        self.limit, self.ended = limit, ended
        self.queue: deque[Job] = deque()
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
            if job.stopping or job.left:
                self._dropped(job)
                self._busy = False
                continue
            try:
                self._answer(job)
            except Exception:
                log.exception("a worker failed")
                self._end()
                job.finish(Stands.FAILED, "The analysis failed; the fault is ours.", "analysis.fault")
            self._busy = False
            self.ended(job)

    def _start(self) -> None:
        if self._process is None or not self._process.is_alive():
            spawn = multiprocessing.get_context("spawn")
            self._pipe, theirs = spawn.Pipe()
            self._process = spawn.Process(target=run, args=(theirs,), name="overrun-analyst")
            self._process.start()
            theirs.close()

    def _answer(self, job: Job) -> None:
        begun = time.monotonic()
        job.stands, job.words = Stands.RUNNING, "starting"
        self._start()
        self._pipe.send(job.question)
        while True:
            job.seconds = time.monotonic() - begun
            if job.stopping or job.left or self._closed:
                self._end()
                return self._dropped(job)
            limit = self.limit * PATIENCE.get(job.question.asks, 1)
            if job.seconds > limit:
                self._end()
                words = f"This takes longer than the limit of {limit:g} seconds, so it was stopped ({job.words})."
                return job.finish(Stands.STOPPED, words, "analysis.too_long")
            if not self._pipe.poll(0.05):
                continue
            try:
                kind, value = self._pipe.recv()
            except (EOFError, OSError):
                self._end()
                return job.finish(Stands.FAILED, "The analysis ended unexpectedly.", "analysis.fault")
            if kind == "progress":
                job.words = value
                continue
            job.seconds = time.monotonic() - begun
            if kind == "answer":
                return job.finish(Stands.DONE, answer=value)
            if kind == "refused":
                return job.finish(Stands.REFUSED, value[1], value[0])
            log.error("a question failed in the worker: %s", value)
            return job.finish(Stands.FAILED, "The analysis failed; the fault is ours.", "analysis.fault")

    @staticmethod
    def _dropped(job: Job) -> None:
        if job.stopping or not job.left:
            job.finish(Stands.STOPPED, "Stopped.", "analysis.stopped")
        else:
            job.finish(Stands.STOPPED, "Stopped, for nobody asked for it any more.", LEFT)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(timeout=5)
            self._pipe.close()
            self._process = None


class Jobs:
    """All questions. Equal questions are one job; what was answered once is answered at once the next time."""

    def __init__(self, analysts: int = 2, limit: float = 300.0) -> None:
        self.limit = limit
        self._analysts = [Analyst(limit, self._ended) for _ in range(analysts)]
        self._by_question: OrderedDict[Question, Job] = OrderedDict()
        self._by_id: dict[str, Job] = {}
        self._trouble: dict[Subject, Job] = {}
        self._knows: OrderedDict[Subject, Analyst] = OrderedDict()
        self._lock = threading.Lock()
        # However the app ends, its workers end with it: Python waits for processes that are still there.
        atexit.register(self.close)

    def ask(self, question: Question, wait: float = 0.0, *, again: bool = False) -> Job:
        """The job of a question, after waiting at most `wait` seconds for its answer.

        A job that was stopped or failed stays so until it is asked `again`.
        """
        with self._lock:
            job = self._by_question.get(question)
            unanswered = job is not None and job.over.is_set() and job.stands is not Stands.DONE
            if again:
                self._trouble.pop(question.subject, None)
            if job is None or (again and unanswered) or job.code in {"analysis.busy", LEFT}:
                job = self._line_up(question)
            job.asked = time.monotonic()
            self._by_question.move_to_end(question)
        if wait > 0:
            job.over.wait(wait)
        return job

    def find(self, id: str) -> Job | None:
        """The job of that id."""
        with self._lock:
            job = self._by_id.get(id)
        if job is not None:
            job.asked = time.monotonic()
        return job

    def _ended(self, job: Job) -> None:
        if job.code in LASTING:
            with self._lock:
                self._trouble[job.question.subject] = job

    def close(self) -> None:
        """End all processes."""
        atexit.unregister(self.close)
        for analyst in self._analysts:
            analyst.close()

    def _line_up(self, question: Question) -> Job:
        job = Job(secrets.token_urlsafe(9), question)
        old = self._by_question.get(question)
        if old is not None:
            self._by_id.pop(old.id, None)
        self._by_question[question], self._by_id[job.id] = job, job
        while len(self._by_question) > REMEMBERED:
            _, forgotten = self._by_question.popitem(last=False)
            forgotten.stop()
            self._by_id.pop(forgotten.id, None)
        trouble = self._trouble.get(question.subject)
        if trouble is not None:
            # What was stopped, or outgrew its limits, is not begun anew with each step of a session.
            job.finish(trouble.stands, trouble.words, trouble.code)
            return job
        self._analyst_for(question.subject).put(job)
        return job

    def _analyst_for(self, subject: Subject) -> Analyst:
        """The worker that has solved the situation already, unless it is busy and another one is free."""
        free = min(self._analysts, key=lambda analyst: analyst.load)
        knows = self._knows.get(subject, free)
        chosen = free if knows.load and not free.load else knows
        self._knows[subject] = chosen
        self._knows.move_to_end(subject)
        while len(self._knows) > REMEMBERED:
            self._knows.popitem(last=False)
        return chosen
