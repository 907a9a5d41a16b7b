"""Questions to the analysis: equal ones are one, slow ones end at their limit, a lost worker is replaced."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from overrun.kernel import Chance
from overrun.play.session import Answer, Said
from overrun.store import opening
from overrun.store.sessions import Wishes
from overrun.web import analyst as module
from overrun.web import play_page, reference
from overrun.web.analyst import Job, Stands
from overrun.web.jobs import Jobs
from overrun.web.prospect import Advice, Subject, WholeOdds
from overrun.web.referee import Table
from overrun.web.worker import Asks, Question

PRINTED = reference.opened("valor/printed-example")


def about(system: str, document: object, policy: str = "best") -> Question:
    return Question(Asks.WHOLE, Subject(system, json.dumps(document, sort_keys=True, default=str)), policy=policy)


def slow() -> Question:
    """A situation that no machine solves in a few seconds: a crowd in the hex."""
    document = dict(opening.from_text(opening.system("asl").starter(), "asl").situation.document)
    # Enough MP to enter and overrun once: nothing comes after it.
    document["vehicle"] = {**document["vehicle"], "mp_left": 6}
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


def test_a_page_is_made_of_one_moment_of_a_job_that_may_end_meanwhile() -> None:
    opened, job = PRINTED, Job("x", about("valor", PRINTED.situation.document))
    job.stands = Stands.RUNNING

    class Ends(dict[str, str]):
        """Ends the job while the page is put together."""

        def items(self) -> object:  # type: ignore[override]
            job.finish(Stands.DONE, answer="here")
            return super().items()

    session = opened.session()
    situation = replace(opened.situation, rulings=Ends(opened.situation.rulings))
    table = Table("x", replace(opened, situation=situation), session, opened.record(1), Wishes())
    shown = play_page.view(table, job)
    assert job.over.is_set()
    assert (shown["job"].stands, shown["advice"]) == (Stands.RUNNING, None)
    assert (job.seen().stands, job.seen().answer) == (Stands.DONE, "here")


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


def late_start(pipe: object) -> None:
    """A worker on a machine that is busy with other things."""
    time.sleep(2.5)
    module.run(pipe)  # type: ignore[arg-type]


def test_the_time_a_worker_needs_to_start_is_not_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "run", late_start)
    question = Question(Asks.WHOLE, Subject("valor", json.dumps({"system": "valor"})))
    running = Jobs(analysts=1, limit=2)
    try:
        job = running.ask(question, 60)
        assert (job.stands, job.seconds > 2) == (Stands.REFUSED, True), job.words
    finally:
        running.close()
    monkeypatch.setattr(module, "STARTED_WITHIN", 0.2)
    running = Jobs(analysts=1, limit=2)
    try:
        job = running.ask(question, 60)
        assert (job.stands, job.words) == (Stands.FAILED, "The analysis did not start within 0.2 seconds; ask again.")
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


def late() -> Question:
    """What is asked in the same situation at its end, where hardly anything is left to happen."""
    subject = slow().subject
    session = opening.from_document(json.loads(subject.document), "a crowd").session()
    while session.step.id != "leave":
        if isinstance(session.node, Chance):
            session.take(Answer(Said.ROLL, face=session.node.dice.sides))
        else:
            ids = [option.id for option in session.node.options]
            wanted = next(id for id in ("overrun", "hold", ids[-1]) if id in ids)
            session.take(Answer(Said.CHOICE, choice=wanted))
    return Question(Asks.ADVICE, subject, tuple(session.answers))


def test_what_stands_late_is_answered_while_the_whole_is_too_much() -> None:
    running = Jobs(analysts=2, limit=90)
    try:
        whole = Question(Asks.ADVICE, slow().subject)
        first = running.ask(whole, watcher="a session")
        job = running.ask(late(), watcher="a session")
        job.over.wait(60)
        assert isinstance(job.answer, Advice)
        assert job.answer.best
        # Nothing before is known where the graph begins; and the whole is still wanted, for it would serve an undo too.
        assert job.answer.before is None
        assert first.under_way
        # From here on the session is served from that graph, the step before included.
        after = running.ask(further(late()), 60, watcher="a session")
        assert isinstance(after.answer, Advice)
        assert after.answer.before == job.answer.now
        running.stop(running.ask(whole))
        assert first.stands is Stands.STOPPED
    finally:
        running.close()


def further(question: Question) -> Question:
    session = opening.from_document(json.loads(question.subject.document), "a crowd").session()
    for answer in question.answers:
        session.take(answer)
    return Question(
        Asks.ADVICE, question.subject, (*question.answers, Answer(Said.CHOICE, choice=session.node.options[0].id))
    )


def patient(running: Jobs) -> None:
    """From here on more time: a worker that was stopped needs some to start again."""
    for analyst in running._analysts:
        analyst.limit = 90


def test_what_outgrew_its_limit_is_not_begun_anew_but_what_stands_late_is() -> None:
    running = Jobs(analysts=1, limit=3)
    try:
        whole = Question(Asks.ADVICE, slow().subject)
        assert running.ask(whole, 60).code == "analysis.too_long"
        assert running.ask(slow()).code == "analysis.too_long"
        patient(running)
        job = running.ask(late())
        job.over.wait(60)
        assert isinstance(job.answer, Advice)
    finally:
        running.close()


def test_the_stated_plan_alone_is_priced_although_best_play_is_too_much() -> None:
    running = Jobs(analysts=1, limit=3)
    try:
        subject = slow().subject
        planned = {**json.loads(subject.document), "plan": {"approach": ["stay_out"]}}
        whole = Question(Asks.ADVICE, replace(subject, document=json.dumps(planned)))
        assert running.ask(whole, 60).code == "analysis.too_long"
        patient(running)
        job = running.ask(replace(whole, asks=Asks.STATED, policy="stated"), 60)
        assert isinstance(job.answer, WholeOdds)
        assert job.answer.ahead.outcomes == {"stayed out": 1}
        assert not job.answer.decisions
    finally:
        running.close()


def test_a_session_that_moves_on_lets_go_of_what_it_waited_for() -> None:
    running = Jobs(analysts=2, limit=90)
    try:
        begun = (Answer(Said.CHOICE, choice="overrun"),)
        first = running.ask(Question(Asks.ADVICE, slow().subject, begun), watcher="a session")
        other = running.ask(Question(Asks.ADVICE, slow().subject, begun), watcher="another session")
        assert other is first
        running.ask(late(), watcher="a session")
        assert first.under_way
        assert not first.left
        running.ask(late(), watcher="another session")
        first.over.wait(20)
        assert first.code == module.LEFT
    finally:
        running.close()


def test_what_was_solved_stays_when_a_session_moves_on_quickly() -> None:
    running = Jobs(analysts=1, limit=90)
    try:
        subject = about("valor", PRINTED.situation.document).subject
        assert running.ask(Question(Asks.ADVICE, subject), 60).answer
        process = running._analysts[0]._process
        # Answered from the graph that is there, however quickly the session moves on; then one that would take long.
        taken = (Answer(Said.CHOICE, choice="overrun"), Answer(Said.CHOICE, choice="hold"))
        jobs = [running.ask(Question(Asks.ADVICE, subject, taken[:n]), watcher="a session") for n in (1, 2)]
        slow_one = running.ask(
            Question(Asks.ADVICE, slow().subject, (Answer(Said.CHOICE, choice="overrun"),)), watcher="another"
        )
        until = time.monotonic() + 30
        while "positions" not in slow_one.words and slow_one.under_way and time.monotonic() < until:
            time.sleep(0.05)
        last = running.ask(Question(Asks.ADVICE, subject, taken[:1]), 60, watcher="another")
        assert isinstance(last.answer, Advice)
        assert isinstance(jobs[1].answer, Advice)
        slow_one.over.wait(20)
        assert slow_one.code == module.LEFT
        assert running._analysts[0]._process is process
    finally:
        running.close()


def test_what_a_worker_has_forgotten_is_begun_from_the_start_again_where_it_was_solved() -> None:
    running = Jobs(analysts=1, limit=90)
    try:
        subject = about("valor", PRINTED.situation.document).subject
        assert running.ask(Question(Asks.ADVICE, subject), 60).answer
        analyst = running._analysts[0]
        os.kill(analyst._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        analyst._process.join(20)
        analyst._solved.clear()
        job = running.ask(Question(Asks.ADVICE, subject, (Answer(Said.CHOICE, choice="overrun"),)))
        job.over.wait(60)
        assert isinstance(job.answer, Advice)
        # The step before is known too, so the graph is the whole one.
        assert job.answer.before is not None
    finally:
        running.close()


def test_many_questions_in_one_solved_graph_begin_nothing_anew() -> None:
    running = Jobs(analysts=2, limit=90)
    try:
        subject = about("valor", PRINTED.situation.document).subject
        assert running.ask(Question(Asks.ADVICE, subject), 60).answer
        taken = (Answer(Said.CHOICE, choice="overrun"), Answer(Said.CHOICE, choice="hold"))
        jobs = [running.ask(Question(Asks.ADVICE, subject, taken[:n])) for n in (1, 2)]
        for job in jobs:
            job.over.wait(60)
            assert isinstance(job.answer, Advice)
        assert sum(analyst._process is not None for analyst in running._analysts) == 1
    finally:
        running.close()


def test_what_is_known_answers_those_who_wait_elsewhere() -> None:
    running = Jobs(analysts=2, limit=90)
    try:
        subject = about("valor", PRINTED.situation.document).subject
        waiting = [
            running.ask(Question(Asks.ADVICE, subject, (Answer(Said.CHOICE, choice="overrun"),) * n)) for n in (0, 1)
        ]
        for job in waiting:
            job.over.wait(60)
            assert isinstance(job.answer, Advice)
        assert running.ask(Question(Asks.WHOLE, subject), 60).answer
    finally:
        running.close()


def test_a_page_does_not_wait_for_what_will_take_long() -> None:
    running = Jobs(analysts=2, limit=90)
    try:
        first = running.ask(Question(Asks.ADVICE, slow().subject), 1.5)
        assert first.under_way
        before = time.monotonic()
        running.ask(Question(Asks.ADVICE, slow().subject), 5.0)
        running.ask(Question(Asks.ADVICE, slow().subject, (Answer(Said.CHOICE, choice="overrun"),)), 5.0)
        assert time.monotonic() - before < 2.0
    finally:
        running.close()


def test_a_graph_without_a_rule_advises_before_play_only() -> None:
    running = Jobs(analysts=1, limit=90)
    try:
        document = reference.opened("asl/tank-in-woods").situation.document
        subject = replace(about("asl", document).subject, simplification="no_heat_of_battle")
        assert running.ask(Question(Asks.ADVICE, subject), 60).answer.simplified == ("no_heat_of_battle",)
        # The solved graph of the simpler game holds no answer for a session of the whole one.
        job = running.ask(Question(Asks.ADVICE, subject, (Answer(Said.CHOICE, choice="overrun"),)), 60)
        assert (job.stands, job.code) == (Stands.REFUSED, "input")
        assert "play has begun already" in job.words
    finally:
        running.close()
