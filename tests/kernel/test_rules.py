"""`Rules.freeze` proves the graph, and positions walk it."""

from dataclasses import dataclass

import pytest

from overrun.kernel import (
    Chance,
    Cite,
    Decision,
    Dice,
    Each,
    End,
    Exit,
    Position,
    Procedure,
    Returned,
    Rules,
    RulesError,
    Seat,
)

CITE = Cite("Test", "1")
DR = Dice("dr", (6,), sum)


@dataclass(frozen=True, slots=True)
class State:
    hits: int = 0


def coin() -> Procedure[int]:
    coin: Procedure[int] = Procedure("coin", "Coin", CITE, returns=("heads", "tails"))

    @coin.step(CITE, "Toss", heads="heads", tails="tails")
    def toss(s: int):
        """Toss it."""
        return Chance(DR, lambda dr: Exit("heads" if dr <= 3 else "tails", s), Seat.ATTACKER)

    return coin


def graph(**changes: str) -> Procedure[State]:
    main: Procedure[State] = Procedure("main", "Main", CITE)

    @main.step(CITE, "Start", **({"go": "tosses", "stop": "finish"} | changes))
    def start(s: State):
        """Begin."""
        return Decision(Seat.ATTACKER, (Exit("go", s), Exit("stop", s)))

    @main.step(CITE, "Tosses", calls=("coin",), done="finish")
    def tosses(s: State):
        """Toss two coins."""

        def fold(s: State, index: int, result: Returned) -> State:
            return State(s.hits + (result.exit == "heads"))

        return Each("coin", (1, 2), s, fold, lambda s: Exit("done", s))

    @main.step(CITE, "Finish")
    def finish(s: State):
        """It is over."""
        return End("over")

    return main


def test_a_call_walks_through_the_steps_of_the_called_procedure() -> None:
    rules = Rules("t", (graph(), coin()), "start").freeze()
    position = rules.follow(Position("start", State()), Exit("go", State()))
    for expected_sub, face in ((1, 2), (2, 5)):
        position = rules.enter(position, rules.at(position))
        assert (position.step, position.state) == ("coin.toss", expected_sub)
        position = rules.follow(position, rules.at(position).then(face))
    exit = rules.at(position)
    assert exit == Exit("done", State(1))
    assert rules.follow(position, exit) == Position("finish", State(1))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (lambda: Rules("t", (graph(go="nowhere"), coin()), "start"), "unknown step 'nowhere'"),
        (lambda: Rules("t", (graph(go="finish"), coin()), "start"), r"\['coin.toss', 'tosses'\] can never be reached"),
        (lambda: Rules("t", (graph(),), "start"), "calls 'coin'"),
        (lambda: Rules("t", (graph(), coin()), "begin"), "entry 'begin'"),
    ],
)
def test_freeze_names_what_is_broken(broken, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        broken().freeze()


def test_a_step_that_circles_for_ever_is_found() -> None:
    loop: Procedure[State] = Procedure("loop", "Loop", CITE)

    @loop.step(CITE, "Round", again="round_")
    def round_(s: State):
        """Again."""
        return Exit("again", s)

    with pytest.raises(RulesError, match="can never reach an end"):
        Rules("t", (loop,), "round_").freeze()


def test_an_undeclared_exit_is_refused() -> None:
    rules = Rules("t", (graph(), coin()), "start").freeze()
    with pytest.raises(RulesError, match="start has no exit 'jump'"):
        rules.follow(Position("start", State()), Exit("jump", State()))


def test_a_mounted_procedure_is_wired_twice_under_two_names() -> None:
    heads = coin().mounted("first", heads="second.toss", tails="finish")
    tails = coin().mounted("second", heads="finish", tails="finish")
    finish: Procedure[int] = Procedure("end_", "Over", CITE)

    @finish.step(CITE, "Finish")
    def finish_(s: int):
        """Over."""
        return End("over")

    finish.steps["finish"] = finish.steps.pop("finish_")
    rules = Rules("t", (heads, tails, finish), "first.toss")
    assert rules.steps["first.toss"].exits == {"heads": "second.toss", "tails": "finish"}
    assert rules.steps["second.toss"].procedure == "second"
