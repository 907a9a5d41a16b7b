"""A step that carries on what its predecessor kept is not asked what may be forgotten, and is held to have nothing."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from overrun.analysis.game import Game
from overrun.kernel import Cite, Decision, End, Exit, Node, Position, Procedure, Rules, RulesError, Seat, changed
from overrun.testing import check_position

CITE = Cite("a game", "1")


@dataclass(frozen=True, slots=True)
class Aim:
    scrap: int = 0
    hot: bool = False


def build(*, spoils: bool, asked: list[str]) -> Rules[Aim]:
    """Choose to aim, then whether to fire; `scrap` is read nowhere. Where it `spoils`, aiming makes some."""
    main: Procedure[Aim] = Procedure("main", "Main", CITE)

    @main.step(CITE, "Aim?", aim="fire", rest="over")
    def aim(s: Aim) -> Node[Aim]:
        """Aim or rest."""
        aimed = changed(s, hot=True, scrap=s.scrap + spoils)
        return Decision(Seat.ATTACKER, (Exit("aim", aimed), Exit("rest", s)))

    @main.step(CITE, "Fire?", carries=True, shot="over", held="over")
    def fire(s: Aim) -> Node[Aim]:
        """Fire or hold."""
        return Decision(Seat.ATTACKER, (Exit("shot", s), Exit("held", s)))

    @main.step(CITE, "Over")
    def over(s: Aim) -> Node[Aim]:
        """It is over."""
        return End("over")

    def live(step: str, s: Aim) -> Aim:
        asked.append(step)
        return changed(s, scrap=0)

    return Rules("aiming", (main,), "aim", live=live).freeze()


def test_nothing_is_asked_where_the_step_carries_on() -> None:
    asked: list[str] = []
    game = Game(build(spoils=False, asked=asked), Position("aim", Aim(3)))
    assert "fire" not in asked
    assert [row.key for row in game.rows if row.seat is not None] == [("fire", Aim(0, hot=True)), ("aim", Aim())]


def test_a_question_that_starts_there_forgets_all_the_same() -> None:
    game = Game(build(spoils=False, asked=[]), Position("fire", Aim(3, hot=True)))
    assert game.rows[-1].key == ("fire", Aim(0, hot=True))


def test_the_law_finds_what_could_be_forgotten() -> None:
    check_position(build(spoils=False, asked=[]), Position("aim", Aim(3)), frozenset())
    with pytest.raises(RulesError, match="fire carries what could be forgotten"):
        check_position(build(spoils=True, asked=[]), Position("aim", Aim(3)), frozenset())
