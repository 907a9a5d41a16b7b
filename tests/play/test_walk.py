"""Sessions that share a walk play exactly as sessions that walk alone (X-02)."""

from random import Random

import pytest

from overrun.kernel import Chance, Decision, PlayError
from overrun.play.session import Session, Walk, throw
from tests.rulesets.drill import drill, position


def played(seed: int, walk: Walk | None) -> Session:
    random, session = Random(seed), Session(drill.rules, position(2), walk)
    while not session.over:
        node = session.node
        if isinstance(node, Chance):
            session.roll(throw(node.dice, random))
        elif isinstance(node, Decision):
            session.choose(random.choice(node.options).id)
        if random.random() < 0.2:
            session.undo()
    return session


@pytest.mark.parametrize("limit", [1, 7, 20_000])
def test_a_shared_walk_changes_nothing(limit: int) -> None:
    walk = Walk(drill.rules, limit)
    for seed in [*range(60), *range(60)]:
        alone, shared = played(seed, None), played(seed, walk)
        assert (shared.position, shared.node) == (alone.position, alone.node)
        assert shared.answers == alone.answers
        assert [(e.step.id, e.answer, e.seat, e.before, e.exit, e.after, e.ledgers) for e in shared.events] == [
            (e.step.id, e.answer, e.seat, e.before, e.exit, e.after, e.ledgers) for e in alone.events
        ]
        assert shared.tally() == alone.tally()


def test_a_shared_walk_refuses_the_same() -> None:
    walk = Walk(drill.rules)
    for _ in range(2):
        session = Session(drill.rules, position(2), walk)
        with pytest.raises(PlayError, match="crew bails out"):
            session.choose("bail")
        with pytest.raises(PlayError, match="nothing is rolled"):
            session.roll((1, 2))
        session.choose("overrun")
        with pytest.raises(PlayError, match="nothing to choose"):
            session.choose("overrun")
        with pytest.raises(PlayError, match="1 to 6"):
            session.roll((1, 7))
        session.roll((3, 4))


def test_a_second_session_takes_what_the_first_one_found() -> None:
    walk = Walk(drill.rules)
    one, two = played(5, walk), played(5, walk)
    assert all(first is second for first, second in zip(one.events, two.events, strict=True))
