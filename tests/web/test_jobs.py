"""Questions to the analysis: equal ones are one, slow ones end at their limit, a lost worker is replaced."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator

import pytest

from overrun.store import opening
from overrun.web import jobs as module
from overrun.web import reference
from overrun.web.jobs import Jobs, Stands
from overrun.web.prospect import Subject, WholeOdds
from overrun.web.worker import Asks, Question

PRINTED = reference.opened("valor/printed-example")


def about(system: str, document: object, policy: str = "best") -> Question:
    return Question(Asks.WHOLE, Subject(system, json.dumps(document, sort_keys=True, default=str)), policy=policy)


def slow() -> Question:
    """A situation that no machine solves in a few seconds: a crowd in the hex."""
    document = dict(opening.from_text(opening.system("asl").starter(), "asl").situation.document)
    document["defenders"] = [
        {"id": f"squad {number}", "counter": "russian 4-4-7"}
        if number % 2
        else {"id": f"l {number}", "counter": "russian 8-1"}
        for number in range(8)
    ]
    return about("asl", document)


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    running = Jobs(analysts=1, limit=90)
    yield running
    running.close()


def test_equal_questions_are_one_job_and_answered_once(jobs: Jobs) -> None:
    question = about("valor", PRINTED.situation.document)
    one, two = jobs.ask(question), jobs.ask(question, 60)
    assert one is two
    assert isinstance(two.answer, WholeOdds)
    assert jobs.find(one.id) is one


def test_what_takes_too_long_ends_at_its_limit_and_the_next_question_is_answered() -> None:
    running = Jobs(analysts=1, limit=1)
    try:
        job = running.ask(slow(), 60)
        assert (job.stands, job.code) == (Stands.STOPPED, "analysis.too_long")
        assert "longer than the limit of 1 seconds" in job.words
        assert running.ask(slow()).stands is Stands.STOPPED
        assert running.ask(slow(), again=True).stands in {Stands.WAITING, Stands.RUNNING}
    finally:
        running.close()


def test_a_worker_that_is_killed_is_replaced(jobs: Jobs) -> None:
    job = jobs.ask(slow())
    until = time.monotonic() + 30
    while job.words in {"waiting for its turn", "starting"} and not job.over.is_set() and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(jobs._analysts[0]._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    job.over.wait(30)
    assert job.stands in {Stands.FAILED, Stands.STOPPED}
    assert isinstance(jobs.ask(about("valor", PRINTED.situation.document), 60).answer, WholeOdds)


def test_what_nobody_asks_for_any_more_is_stopped_and_begun_again_when_somebody_does(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEFT_AFTER", 0.2)
    job = jobs.ask(slow(), 30)
    assert (job.stands, job.code) == (Stands.STOPPED, module.LEFT)
    assert jobs.ask(slow()) is not job


def test_a_question_without_an_answer_says_why(jobs: Jobs) -> None:
    job = jobs.ask(Question(Asks.WHOLE, Subject("valor", json.dumps({"system": "valor"}))), 60)
    assert job.stands is Stands.REFUSED
    assert "this key is missing" in job.words


def test_a_quick_question_does_not_wait_behind_a_slow_one() -> None:
    running = Jobs(analysts=2, limit=90)
    try:
        first = running.ask(slow())
        quick = running.ask(about("valor", PRINTED.situation.document), 60)
        assert isinstance(quick.answer, WholeOdds)
        assert not first.over.is_set()
    finally:
        running.close()
