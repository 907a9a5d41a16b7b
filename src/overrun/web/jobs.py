"""All questions to the analysis: equal ones are one job, and each goes to the worker that answers it soonest."""

from __future__ import annotations

import atexit
import secrets
import threading
from collections import OrderedDict
from dataclasses import replace

from overrun.web.analyst import LEFT, Analyst, Job, Stands, Wanted
from overrun.web.prospect import Subject
from overrun.web.worker import Asks, Question

REMEMBERED = 400
"""Finished jobs whose answers are kept."""
BRIEFLY = 0.1
"""Seconds that a page waits for an answer that is not likely to be there soon."""
SOON = 1.0
"""Seconds at work after which an answer is not likely to be there soon."""

FINAL = {"analysis.stopped", "analysis.hidden"}
"""How a job can end so that no other question about the same situation is begun unasked."""
LASTING = {*FINAL, "analysis.too_long", "analysis.too_large", "analysis.memory"}
"""How a job can end so that other questions about the whole situation would end likewise."""
SOLVES = {Asks.ADVICE, Asks.WHOLE}


class Jobs:
    """All questions. Equal questions are one job; what was answered once is answered at once the next time.

    The graph of a whole situation can take long or be too large. Meanwhile, and after that, advice for a session that
    has moved on is worked out from where it stands, by another worker: what can still happen there is less. Whichever
    is ready first answers.
    """

    def __init__(self, analysts: int = 2, limit: float = 300.0) -> None:
        self.limit = limit
        self._analysts = [Analyst(limit, self._ended) for _ in range(analysts)]
        self._by_question: OrderedDict[Question, Job] = OrderedDict()
        self._by_id: dict[str, Job] = {}
        self._trouble: dict[Subject, Job] = {}
        self._wanted: OrderedDict[Subject, Wanted] = OrderedDict()
        self._watching: OrderedDict[str, Job] = OrderedDict()
        self._at: dict[Job, Analyst] = {}
        self._lock = threading.Lock()
        # However the app ends, its workers end with it: Python waits for processes that are still there.
        atexit.register(self.close)

    def ask(self, question: Question, wait: float = 0.0, *, again: bool = False, watcher: str = "") -> Job:
        """The job of a question, after waiting at most `wait` seconds for its answer; less when it will take longer.

        A job that was stopped or failed stays so until it is asked `again`. A `watcher` waits for one job at a time:
        asking for another one, it lets go of the one before.
        """
        with self._lock:
            job = self._by_question.get(question)
            unanswered = job is not None and job.over.is_set() and job.stands is not Stands.DONE
            if again:
                self._trouble.pop(question.subject, None)
            self._moved_on(watcher, question)
            if (
                job is None
                or (again and unanswered)
                or job.code in {"analysis.busy", LEFT}
                or (job.under_way and job.left)
            ):
                job = self._line_up(question)
            self._watch(watcher, job)
            job.wanted.now()
            self._wanted_of(question.subject).now()
            self._by_question.move_to_end(question)
            if job.under_way and self._takes_long(job):
                wait = min(wait, BRIEFLY)
        if wait > 0:
            job.over.wait(wait)
        return job

    def find(self, id: str) -> Job | None:
        """The job of that id."""
        with self._lock:
            job = self._by_id.get(id)
            if job is not None:
                job.wanted.now()
                self._wanted_of(job.question.subject).now()
        return job

    def stop(self, job: Job) -> None:
        """Stop a job; where it is advice, all that is under way for the same situation. Wait until it is over."""
        with self._lock:
            same = [job]
            if job.question.asks is Asks.ADVICE:
                same += [one for one in self._at if one.question.subject == job.question.subject and one.under_way]
        for one in same:
            one.stop()
        job.over.wait(2)

    def close(self) -> None:
        """End all processes."""
        atexit.unregister(self.close)
        for analyst in self._analysts:
            analyst.close()

    # ------------------------------------------------------------------ who waits for what

    def _wanted_of(self, subject: Subject) -> Wanted:
        found = self._wanted.setdefault(subject, Wanted())
        self._wanted.move_to_end(subject)
        while len(self._wanted) > REMEMBERED:
            self._wanted.popitem(last=False)
        return found

    def _moved_on(self, watcher: str, question: Question) -> None:
        """Let go of what a session waited for before it moved on; a whole graph serves the rest of it too."""
        before = self._watching.get(watcher)
        if before is not None and before.question != question:
            del self._watching[watcher]
            before.watchers.discard(watcher)
            if before.under_way and before.question.answers and not before.watchers:
                before.leave()

    def _watch(self, watcher: str, job: Job) -> None:
        if watcher:
            job.watchers.add(watcher)
            self._watching[watcher] = job
            self._watching.move_to_end(watcher)
            while len(self._watching) > REMEMBERED:
                _, old = self._watching.popitem(last=False)
                old.watchers.clear()

    # ------------------------------------------------------------------ who answers what

    def _line_up(self, question: Question) -> Job:
        solved = self._by_question.get(replace(question, asks=Asks.ADVICE, answers=(), policy="best"))
        if question.answers and solved is not None and solved.stands is Stands.DONE:
            question = replace(question, whole=True)
        wanted = Wanted() if question.answers else self._wanted_of(question.subject)
        wanted.now()
        job = Job(secrets.token_urlsafe(9), question, wanted)
        old = self._by_question.get(question)
        if old is not None:
            self._by_id.pop(old.id, None)
        self._by_question[question], self._by_id[job.id] = job, job
        while len(self._by_question) > REMEMBERED:
            _, forgotten = self._by_question.popitem(last=False)
            forgotten.stop()
            self._by_id.pop(forgotten.id, None)
        trouble = self._trouble.get(question.subject)
        whole = not question.answers and question.asks is not Asks.STATED
        # Bounds are for what is too large.
        bounds = question.asks is Asks.BOUNDS
        if trouble is not None and not bounds and (whole or (question.answers and trouble.code in FINAL)):
            # What was stopped, or outgrew its limits, is not begun anew with each step of a session.
            job.finish(trouble.stands, trouble.words, trouble.code)
            return job
        self._at = {one: analyst for one, analyst in self._at.items() if one.under_way}
        self._at[job] = analyst = self._analyst_for(question)
        analyst.put(job)
        return job

    def _analyst_for(self, question: Question) -> Analyst:
        """The worker that has solved the situation already, unless it is at something long and another one is free."""
        alike = [one for one in self._at if one.question.subject == question.subject and one.under_way and not one.left]
        if question.asks in SOLVES:
            # What begins at the same place is answered right after it; what begins earlier may take long.
            for one in alike:
                if one.question.asks in SOLVES and one.question.answers == question.answers:
                    return self._at[one]
        taken = {self._at[one] for one in alike}
        free = min(self._analysts, key=lambda analyst: (analyst in taken, analyst.load))
        knows = next((analyst for analyst in self._analysts if analyst.knows(question)), free)
        # What it has solved is answered in a moment, so a queue of that is no reason to begin anew elsewhere.
        at_length = any(one.under_way and not knows.knows(one.question) for one in self._at if self._at[one] is knows)
        return free if at_length and not free.load else knows

    def _takes_long(self, job: Job) -> bool:
        """Is its answer not likely to be there soon?"""
        analyst, subject = self._at.get(job), job.question.subject
        if job.question.asks not in SOLVES:
            return job.seconds > SOON
        if analyst is None or analyst.knows(job.question):
            return False
        alike = [one for one in self._at if one.question.subject == subject and one.under_way]
        return subject in self._trouble or any(one is not job or one.seconds > SOON for one in alike)

    def _ended(self, analyst: Analyst, job: Job) -> None:
        question = job.question
        with self._lock:
            self._at.pop(job, None)
            if question.asks in SOLVES and job.code in LASTING and (not question.answers or job.code in FINAL):
                self._trouble[question.subject] = job
            if job.stands is Stands.DONE and question.asks in SOLVES:
                for one in self._at:
                    elsewhere = one.under_way and self._at[one] is not analyst
                    if elsewhere and one.question.asks in SOLVES and analyst.knows(one.question):
                        one.to = self._at[one] = analyst
