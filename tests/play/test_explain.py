"""Steps in words: what is asked, what each result does, and why (X-02, X-03)."""

from fractions import Fraction

import pytest

from overrun.kernel import Chance, Decision, Dice, Exit, Ledger, Modifier, Op, Position, Procedure, Rules, Seat, work
from overrun.kernel.node import End, Node
from overrun.play.explain import Band, Explainer, Line, figure
from overrun.play.session import Session
from overrun.play.wording import needs, percent
from overrun.store import opening
from tests.rulesets.drill import SITUATION, drill

cite = work("Test")


@pytest.fixture
def session() -> Session:
    return Session(drill.rules, SITUATION.start)


@pytest.fixture
def explainer() -> Explainer:
    return Explainer(drill.rules, drill.seats)


def test_a_decision_shows_numbered_options_and_refusals_with_their_rule(session: Session, explainer: Explainer) -> None:
    asked = explainer.question(session)
    assert (asked.seat, asked.rule.title, asked.rule.cite) == ("tank", "Declare", "Drill 1")
    assert [(option.number, option.id, option.leads_to) for option in asked.options] == [
        (1, "overrun", "Attack"),
        (2, "decline", "Finish"),
    ]
    refused = asked.refused[0]
    assert (refused.id, refused.cite) == ("bail", "Drill 1")
    assert "immobilised" in refused.reason
    assert refused.label == "bail"
    assert not asked.rolls


def test_a_roll_shows_what_each_band_does_with_its_chance(session: Session, explainer: Explainer) -> None:
    session.choose("overrun")
    asked = explainer.question(session)
    # The drill's table with its +1 TEM: 2 is a KIA, 3 to 6 checks, 7 pins.
    assert [(band.needs, band.result, band.odds) for band in asked.bands] == [
        ("2", "kia", "1/36 = 2.78 %"),
        ("3 to 6", "checks", "14/36 = 38.89 %"),
        ("7", "pins", "6/36 = 16.67 %"),
        ("8 or more", "no effect", "15/36 = 41.67 %"),
    ]
    assert sum(band.chance for band in asked.bands) == 1
    assert [figure.total for figure in asked.figures] == ["1"]


def test_an_event_shows_dice_reading_figures_and_exit(session: Session, explainer: Explainer) -> None:
    session.choose("overrun")
    session.roll((3, 4))
    told = explainer.adjudication(session.events[1])
    assert ([die.face for die in told.dice], told.reading, told.result) == ([3, 4], "7", "pins")
    assert [figure.name for figure in told.asked] == ["DRM"]
    assert told.leads_to == "Morale"
    assert told.seat == "tank"
    assert explainer.needed(session.events[1]) == "needed 7 (6/36 = 16.67 %)"
    assert explainer.needed(session.events[0]) == ""


def test_the_end_tells_outcome_and_counts(session: Session, explainer: Explainer) -> None:
    with pytest.raises(ValueError, match="not over"):
        explainer.ending(session)
    session.choose("decline")
    assert explainer.ending(session, ["all is quiet"]).state == ("all is quiet",)
    with pytest.raises(ValueError, match="asks nothing"):
        explainer.question(session)


def test_a_ledger_shows_running_totals_and_doubts() -> None:
    rule = cite("4")
    lines = (Modifier(19, "printed", rule), Modifier(2, "doubled", rule, Op.TIMES), Modifier(-1, "odd", rule))
    told = figure(Ledger("APFP", (*lines, Modifier(Fraction(1, 2), "half", rule, verified=False))))
    assert told.total == "75/2"
    assert told.lines[1] == Line("× 2", "doubled", "Test 4", "38", True)
    assert [line.figure for line in told.lines] == ["+19", "× 2", "−1", "+1/2"]
    assert [line.verified for line in told.lines] == [True, True, True, False]


def test_chances_never_round_to_impossible_or_certain() -> None:
    assert percent(Fraction(0)) == "0 %"
    assert percent(Fraction(1)) == "100 %"
    assert percent(Fraction(99999, 100000)) == "> 99.99 %"
    assert percent(Fraction(1, 100000)) == "< 0.01 %"
    assert percent(0.25) == "25.00 %"


@pytest.mark.parametrize(
    ("readings", "every", "said"),
    [
        (range(2, 13), range(2, 13), "any result"),
        ([2], range(2, 13), "2"),
        ([12], range(2, 13), "12"),
        ([3, 4], range(2, 13), "3 to 4"),
        ([2, 3, 7, 11, 12], range(2, 13), "3 or less, or 7, or 11 or more"),
        ([2, 4], [2, 4, 8], "4 or less"),
        ([True], [True, False], "yes"),
        (["kia"], ["kia", "mc"], "kia"),
        ([(2, 1), (3, 1)], [(2, 1), (3, 1), (2, 5), (3, 5)], "second number 1"),
        ([(2, 1), (3, 5)], [(2, 1), (3, 1), (2, 5), (3, 5)], "2, 1; 3, 5"),
    ],
)
def test_some_results_are_told_in_the_fewest_words(readings: list[object], every: list[object], said: str) -> None:
    assert needs(list(readings), list(every)) == said


def secret() -> Rules[int]:
    main: Procedure[int] = Procedure("main", "Main", cite("1"))
    ledger = Ledger("Final dr", (Modifier(3, "base", cite("1")),))

    @main.step(cite("1"), "Hide", hide="roll", show="roll")
    def hide(s: int) -> Node[int]:
        """Place the unit hidden or in the open."""
        private = Exit("hide", 1, "north", label="Hide in the north", seen_by=Seat.DEFENDER, ledgers=(ledger,))
        return Decision(Seat.DEFENDER, (private, Exit("show", 0)))

    @main.step(cite("2"), "Roll", found="over", lost="over")
    def roll(s: int) -> Node[int]:
        """Look for it."""

        def then(dr: int) -> Exit[int]:
            final = Ledger("Final dr", (Modifier(dr, "roll", cite("2")), Modifier(-1, "leader", cite("2"))))
            return Exit("found" if final.total <= 3 else "lost", s, ledgers=(final,))

        return Chance(Dice("dr", (6,), sum, ("white",)), then, Seat.ATTACKER)

    @main.step(cite("3"), "Over")
    def over(s: int) -> Node[int]:
        """It is over."""
        return End("over")

    return Rules("secret", (main,), "hide").freeze()


def test_what_one_seat_alone_may_see_is_hidden_from_the_other() -> None:
    rules, seats = secret(), {Seat.ATTACKER: "tank", Seat.DEFENDER: "infantry"}
    session = Session(rules, Position("hide", 0))
    session.choose("hide:north")
    event = session.events[0]
    for viewer, result, figures in ((None, "Hide in the north", 1), (Seat.DEFENDER, "Hide in the north", 1)):
        told = Explainer(rules, seats, viewer).adjudication(event)
        assert (told.result, len(told.answered)) == (result, figures)
    told = Explainer(rules, seats, Seat.ATTACKER).adjudication(event)
    assert (told.result, told.said, told.answered) == ("hide", "hide", ())


def test_bands_tell_the_final_result_where_a_ledger_gives_it() -> None:
    rules = secret()
    node = rules.at(Position("roll", 0))
    assert isinstance(node, Chance)
    asked = Explainer(rules, dict.fromkeys(Seat, "seat")).ask(Position("roll", 0), node)
    assert [(band.needs, band.final) for band in asked.bands] == [
        ("4 or less", "Final dr 3 or less"),
        ("5 or more", "Final dr 4 or more"),
    ]
    assert asked.dice[0].label == "white"


def test_what_a_roll_needed_is_told_also_where_figures_tell_its_results_apart() -> None:
    opened = opening.scenario("valor/printed-example")
    session, dice = opened.session(), iter(opened.situation.dice)
    while not session.over:
        if isinstance(session.node, Chance):
            session.roll(next(dice))
        elif isinstance(session.node, Decision):
            wishes = opened.situation.plan[session.step.id]
            session.choose(next(w for w in wishes if w in {exit.id for exit in session.node.options}))
    explainer = Explainer(opened.ruleset.rules, opened.ruleset.seats)
    needed = [explainer.needed(event) for event in session.events if event.dice]
    # The example rolls 7 to hit and 11 to eliminate; with +3 for cover, 38 APFP cause casualties up to a 7.
    assert needed == [
        "needed 3 to 9 (29/36 = 80.56 %)",
        "needed 6 or more (26/36 = 72.22 %)",
        "needed 7 or less (21/36 = 58.33 %)",
    ]


@pytest.mark.parametrize(
    ("ways", "total", "said"),
    [
        (6, 216, "6/216 = 2.78 %"),
        (36, 1296, "1/36 = 2.78 %"),
        (1, 6**9, "1/10077696, < 0.01 %"),
        (5, 6**20, "< 0.01 %"),
    ],
)
def test_the_odds_of_many_dice_are_a_short_fraction_or_none(ways: int, total: int, said: str) -> None:
    assert Band("", "", ways, total, "", "").odds == said
