"""How far an overrun goes: the dice by Movement (W-03; fact sheet section 2)."""

from __future__ import annotations

from overrun.kernel import Dice, Ledger, Modifier, Op
from overrun.rulesets.warhammer import path
from overrun.rulesets.warhammer.editions import EDITIONS
from overrun.rulesets.warhammer.rulings import wfb
from overrun.rulesets.warhammer.setup import Setup, Unit

TWO_DICE = Dice("2D6", (6, 6), sum)
THREE_DICE = Dice("3D6", (6, 6, 6), sum)
SLOW = 6
"""The highest Movement that still rolls two dice."""


def flee_dice(unit: Unit) -> Dice[int]:
    """The dice of a unit that flees from the charge, by the same threshold."""
    return THREE_DICE if unit.movement > SLOW or unit.flies else TWO_DICE


def overrun_dice(setup: Setup) -> tuple[Dice[int], Ledger]:
    """The dice of the overrun and why: Movement above 6 rolls three, and so does a flyer that is not kept down."""
    mover, edition = setup.mover, EDITIONS[setup.edition]
    if edition.swift_die:
        line = Modifier(3 if mover.swiftstride else 2, _swift(mover), edition.cite, Op.IS)
    elif not edition.threshold:
        line = Modifier(2, f"{edition.title} rolls two dice", edition.cite, Op.IS)
    elif mover.flies and not path.grounded(setup):
        line = Modifier(3, "it flies", wfb("flyers"), Op.IS)
    else:
        kept_down = "; it flies, but stands in difficult ground" if mover.flies else ""
        quick = mover.movement > SLOW
        why = f"Movement {mover.movement} is {'more than' if quick else 'not more than'} {SLOW}{kept_down}"
        line = Modifier(3 if quick else 2, why, wfb("overrun"), Op.IS)
    return (THREE_DICE if line.value == THREE_DICE.outcomes[0][0] else TWO_DICE), Ledger("dice", (line,))


def _swift(mover: Unit) -> str:
    return "swiftstride rolls a third die" if mover.swiftstride else "without swiftstride two dice are rolled"


def most(setup: Setup) -> int:
    """The longest roll that these dice allow, in inches."""
    return sum(overrun_dice(setup)[0].sides)
