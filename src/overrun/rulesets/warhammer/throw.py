"""The roll of the overrun, and what each total will bring (W-03)."""

from __future__ import annotations

from dataclasses import replace

from overrun.kernel import Chance, Exit, Node, Procedure, Seat
from overrun.rulesets.warhammer.distance import overrun_dice
from overrun.rulesets.warhammer.rolls import brings
from overrun.rulesets.warhammer.rulings import wfb
from overrun.rulesets.warhammer.state import State

throw: Procedure[State] = Procedure("throw", "How far it goes", wfb("overrun"))


@throw.step(wfb("overrun"), "Roll for distance", rolled="straight_on")
def roll(s: State) -> Node[State]:
    """Two dice, or three for Movement above 6: the inches that the unit moves straight on. Terrain takes none off."""
    dice, ledger = overrun_dice(s.setup)

    def then(total: int) -> Exit[State]:
        return Exit("rolled", replace(s, roll=total), label=brings(s.setup, total))

    return Chance(dice, then, Seat.ATTACKER, (ledger,))
