"""What a seat sees of a situation that only the other knows (A-07): the question, the log and how things stand."""

from __future__ import annotations

import tomllib

import pytest

from overrun.kernel import Seat
from overrun.play.explain import Explainer
from overrun.play.session import Session
from overrun.rulesets.asl import ruleset
from overrun.scenarios import text

SECRETS = ("4-6-7", "german", "ummy", "PF")
ANSWERS = ("enter", "paatc", (3, 3), "hold", "overrun", "hold")


def session(concealment: str = "concealed") -> Session:
    document = tomllib.loads(text("asl/concealed-stack")) | {"open_information": False}
    for unit in document["defenders"]:
        unit["concealment"] = concealment
    return Session(ruleset.rules, ruleset.load(document).start)


def shown(played: Session, viewer: Seat) -> str:
    """Everything that a seat can read: each step, the question, and how things stand."""
    explainer = Explainer(ruleset.rules, ruleset.seats, viewer)
    told = [repr(explainer.adjudication(event)) for event in played.events]
    told.append(repr(explainer.question(played)))
    return "\n".join((*told, *ruleset.stands(played.state, viewer)))


@pytest.mark.parametrize("concealment", ["concealed", "hidden"])
def test_the_attacker_reads_nothing_about_units_that_he_does_not_know(concealment: str) -> None:
    played = session(concealment)
    for answer in (*ANSWERS, (4, 3)):
        told = shown(played, Seat.ATTACKER).replace("Dummy stacks use", "")
        assert not [secret for secret in SECRETS if secret in told], played.position.step
        if isinstance(answer, tuple):
            played.roll(answer)
        else:
            played.choose(answer)
    assert "4-6-7" in shown(played, Seat.ATTACKER), "the NMC of the overrun reveals the squad"


def test_the_defender_reads_everything() -> None:
    played = session()
    played.choose("enter")
    assert all(secret in shown(played, Seat.DEFENDER) for secret in ("4-6-7", "ummy", "PF"))


def test_how_things_stand_for_each_seat() -> None:
    concealed, hidden = session().state, session("hidden").state
    assert "concealed: only the DEFENDER knows what is there" in ruleset.stands(concealed, Seat.ATTACKER)
    assert not any("concealed" in line or "4-6-7" in line for line in ruleset.stands(hidden, Seat.ATTACKER))
    assert ruleset.stands(concealed, Seat.DEFENDER) == ruleset.stands(concealed) == ruleset.describe(concealed)
