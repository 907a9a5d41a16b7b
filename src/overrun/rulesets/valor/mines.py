"""Mines in a hex that the AFV enters: rolled at once, before any fire (20.7). Mounted for each part of the move."""

from __future__ import annotations

from overrun.kernel import Chance, Exit, Ledger, Modifier, Node, Op, Procedure, Seat
from overrun.rulesets.valor.anti_tank import roll_ledger
from overrun.rulesets.valor.anti_tank_fire import DIE
from overrun.rulesets.valor.figures import figure
from overrun.rulesets.valor.hexmap import vv
from overrun.rulesets.valor.outcome import afv_eliminated, afv_lost
from overrun.rulesets.valor.state import State

mines: Procedure[State] = Procedure("mines", "Mines", vv("20.7"), returns=("passed", "eliminated"))


@mines.step(vv("20.7"), "Mines", no_mines="passed", safe="passed", eliminated="eliminated")
def roll(s: State) -> Node[State]:
    """An AFV that enters a mined hex is eliminated with all aboard on a die of 1 to 3."""
    if not s.setup.board[s.setup.leg(s.leg).hex].mines:
        return Exit("no_mines", s)
    limit = figure("mines", "eliminates_at")

    def then(rolled: int) -> Exit[State]:
        ledgers = (roll_ledger("Mine roll", rolled, (), "20.7"),)
        if rolled <= limit:
            return Exit("eliminated", afv_eliminated(s), tally=afv_lost(s.setup), ledgers=ledgers)
        return Exit("safe", s, ledgers=ledgers)

    number = Ledger("Mines eliminate at", (Modifier(limit, "or less", vv("20.7"), Op.IS),))
    return Chance(DIE, then, Seat.DEFENDER, (number,))
