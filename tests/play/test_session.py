"""The session answers, refuses, undoes, and walks through called procedures (X-03, X-06)."""

from random import Random

import pytest

from overrun.kernel import Chance, Decision, End, PlayError
from overrun.play.session import Answer, Said, Session, throw
from tests.rulesets.drill import SITUATION, drill


@pytest.fixture
def session() -> Session:
    return Session(drill.rules, SITUATION.start)


def test_choosing_leads_on_and_is_logged(session: Session) -> None:
    assert isinstance(session.node, Decision)
    session.choose("overrun")
    assert session.answers == [Answer(Said.CHOICE, choice="overrun")]
    assert session.events[0].step.id == "declare"


def test_a_refused_option_gives_its_reason_rule_and_what_is_legal(session: Session) -> None:
    with pytest.raises(
        PlayError, match=r"Cannot choose bail: .* \(Drill 1\)\. Legal here: overrun, decline\."
    ) as caught:
        session.choose("bail")
    assert caught.value.refusal is not None
    assert session.answers == []


def test_rolling_where_a_choice_waits_is_refused(session: Session) -> None:
    with pytest.raises(PlayError, match=r"nothing is rolled here\. Choose an option"):
        session.roll((1, 1))


@pytest.mark.parametrize("face", [(7, 1), (0, 1), (1,), (1, 2, 3)])
def test_impossible_dice_are_refused(session: Session, face: tuple[int, ...]) -> None:
    session.choose("overrun")
    with pytest.raises(PlayError):
        session.roll(face)


def test_undo_restores_position_node_and_events_and_stays_in_the_log(session: Session) -> None:
    before = (session.position, session.node, list(session.events))
    session.choose("overrun")
    session.undo()
    assert (session.position, session.node, session.events) == before
    assert [answer.said for answer in session.answers] == [Said.CHOICE, Said.UNDO]
    with pytest.raises(PlayError, match="nothing to undo"):
        session.undo()


def test_a_seeded_playthrough_ends_and_replays_to_the_same_end() -> None:
    for seed in range(30):
        random, session = Random(seed), Session(drill.rules, SITUATION.start)
        while not session.over:
            if isinstance(session.node, Chance):
                session.roll(throw(session.node.dice, random))
            elif isinstance(session.node, Decision):
                session.choose(random.choice(session.node.options).id)
            if random.random() < 0.2:
                session.undo()
        again = Session(drill.rules, SITUATION.start)
        for answer in session.answers:
            again.take(answer)
        assert isinstance(again.node, End)
        assert (again.position, again.tally()) == (session.position, session.tally())


def test_the_state_inside_a_called_procedure_is_that_of_the_step_that_called_it(session: Session) -> None:
    session.choose("overrun")
    session.roll((2, 2))
    assert session.position.caller is not None
    assert session.state == session.position.caller.state
    assert not isinstance(session.position.state, type(session.state))
