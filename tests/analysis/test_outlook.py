"""Odds in the middle of play: what a roll may bring, weighted, is what stood before it. Covers X-04."""

from fractions import Fraction
from random import Random

from overrun.analysis.odds import Odds, Outlook
from overrun.analysis.policy import uniform
from overrun.kernel import Chance, Decision, Position
from overrun.play.session import Session, throw
from tests.rulesets import drill

NAMES = [measure.name for measure in drill.MEASURES]


def after(session: Session, odds: Odds) -> dict[str, dict[int, Fraction]]:
    """The distributions at the end of the overrun: what was counted so far is added to what lies ahead."""
    so_far = session.tally()
    return {
        name: {value + so_far.get(name, 0): chance for value, chance in odds.measures[name].chances.items()}
        for name in NAMES
    }


def mixed(session: Session, outlook: Outlook) -> dict[str, dict[int, Fraction]]:
    """The same from every single fall of the dice, each taken and taken back."""
    node, mix = session.node, {name: dict[int, Fraction]() for name in NAMES}
    faces: list[tuple[int, ...]]
    if isinstance(node, Chance):
        faces = [(one, two) for one in range(1, 7) for two in range(1, 7)]
        for face in faces:
            session.roll(face)
            add(mix, after(session, outlook.at(session.position)), len(faces))
            session.undo()
    elif isinstance(node, Decision):
        for exit in node.options:
            session.choose(exit.id)
            add(mix, after(session, outlook.at(session.position)), len(node.options))
            session.undo()
    return mix


def add(mix: dict[str, dict[int, Fraction]], more: dict[str, dict[int, Fraction]], among: int) -> None:
    for name, chances in more.items():
        for value, chance in chances.items():
            mix[name][value] = mix[name].get(value, Fraction(0)) + chance / among


def test_odds_before_a_step_are_the_mean_of_the_odds_after_it_also_inside_called_procedures() -> None:
    random, inside = Random(4), 0
    for _ in range(12):
        start: Position[object] = drill.position(3, 1)
        session, outlook = Session(drill.drill.rules, start), Outlook(drill.drill.rules, uniform, "uniform", NAMES)
        while not session.over:
            inside += session.position.caller is not None
            assert mixed(session, outlook) == after(session, outlook.at(session.position)), session.position
            node = session.node
            if isinstance(node, Chance):
                session.roll(throw(node.dice, random))
            elif isinstance(node, Decision):
                session.choose(random.choice(node.options).id)
    assert inside > 10
