"""Old logs under rules of today that differ: the first difference is found, dice and choices are kept."""

import tomllib
from dataclasses import replace

from overrun.play.again import referee_again
from overrun.play.record import Record, Stamp
from overrun.play.session import Session
from tests.rulesets.skirmish import STARTER, skirmish

DOCUMENT = tomllib.loads(STARTER)


def logged(*answers: str | tuple[int, ...], document: dict = DOCUMENT) -> Record:
    record = Record(Stamp("skirmish", "1", "x"), "The bridge", document)
    session = Session(skirmish.rules, skirmish.load(document).start)
    for answer in answers:
        if answer == "undo":
            session.undo()
        elif isinstance(answer, str):
            session.choose(answer)
        else:
            session.roll(answer)
        record = record.with_answer(session)
    return record


def today(**forces: int) -> Session:
    return Session(skirmish.rules, skirmish.load({**DOCUMENT, "forces": {**DOCUMENT["forces"], **forces}}).start)


WHOLE = logged("charge", (3, 4), "undo", (3, 5), "fire", (4,), "charge", (6, 6), "hold")


def test_equal_rules_say_the_same() -> None:
    found = referee_again(WHOLE, today())
    assert (found.same, found.given, found.entries, found.stopped) == (True, 9, 9, "")
    assert (
        found.logged
        == found.today
        == {"outcome": "over", "counted": {"men_hit": 1}} | {"counted": found.today["counted"]}
    )


def test_a_roll_that_comes_out_otherwise_is_the_first_difference() -> None:
    # Aim 4 is hit by a 4 where 2 was missed: the overrun is over and the second charge meets no question.
    found = referee_again(WHOLE, today(aim=4))
    assert found.first is not None
    assert (found.first.place, found.first.about, found.first.logged, found.first.today) == (
        6,
        "exit",
        "missed",
        "car_lost",
    )
    assert found.first.event is not None
    assert [ledger.name for ledger in found.first.event.ledgers] == ["number"]
    assert found.given == 6
    assert "entry 7 meets another question" in found.stopped
    assert found.today == {"outcome": "over", "counted": {"car_lost": 1, "men_hit": 1}} | {
        "counted": found.today["counted"]
    }


def test_another_count_at_the_end_is_a_difference() -> None:
    found = referee_again(WHOLE, today(armor=1))
    assert found.first is not None
    assert found.first.place <= 9
    assert not found.same


def test_an_answer_that_is_not_legal_today_is_the_first_difference() -> None:
    other = replace(WHOLE, entries=(replace(WHOLE.entries[0], choice="ram", exit="ram"), *WHOLE.entries[1:]))
    found = referee_again(other, today())
    assert found.first is not None
    assert (found.first.place, found.first.about, found.given) == (1, "answer", 0)
    assert "no such option" in found.first.today


def test_a_log_that_goes_on_where_today_it_is_over() -> None:
    found = referee_again(WHOLE, today(speed=1))
    assert found.first is not None
    assert (found.first.about, found.first.place) == ("end", 7)
