"""Close assault on an AFV that an overrun has left beside the survivors: odds, kill number, and what it costs (ch. 15).

It is fought in the enemy's turn, after the overrun; the end state names its odds.
"""

from __future__ import annotations

from overrun.kernel import Ledger, Modifier, Op
from overrun.rulesets.valor.figures import close_assault, figure
from overrun.rulesets.valor.hexmap import vv

_LONGEST = 4
"""The table ends at 4-1 and 1-4."""


def odds(attack: int, defence: int) -> str:
    """The column of the odds, the fraction rounded in the defender's favour; beyond the table its last column.

    >>> odds(13, 11), odds(5, 9), odds(30, 2), odds(1, 7)
    ('1-1', '1-2', '4-1', '1-4')
    """
    if defence <= 0:
        return f"{_LONGEST}-1"
    if attack <= 0:
        return f"1-{_LONGEST}"
    if attack >= defence:
        return f"{min(attack // defence, _LONGEST)}-1"
    return f"1-{min(-(-defence // attack), _LONGEST)}"


def kill_number(attack: int, defence: int, defender_leadership: int = 0) -> tuple[int, Ledger]:
    """What the attackers must roll or less on two dice; a leader among the defenders lowers it."""
    cell = close_assault().at("kill number", odds(attack, defence))
    lines = [cell.line(cell.value)]
    if defender_leadership:
        lines.append(Modifier(-defender_leadership, "leadership of a defender", vv("15")))
    ledger = Ledger("Kill number", tuple(lines))
    return int(ledger.total), ledger


def assault_roll(rolled: int, leadership: int = 0, grenades: int = 0) -> tuple[int, Ledger]:
    """The attackers' roll with their leader and grenades; cover does not change it."""
    lines = [Modifier(rolled, "roll", vv("15"), Op.IS)]
    if leadership:
        lines.append(Modifier(-leadership, "leadership of an attacker", vv("15")))
    if grenades:
        lines.append(Modifier(-grenades, "grenades", vv("12.52")))
    ledger = Ledger("Assault roll", tuple(lines))
    return int(ledger.total), ledger


def points_taken(cover: int, unpinned_defenders: int, hexsides: int = 0, levels_up: int = 0) -> tuple[int, Ledger]:
    """The casualty points of attackers who win their way into the hex; those who fail take the miss margin as well."""
    each = figure("assault", "points")
    lines = [
        Modifier(cover, "cover of the hex", vv("15")),
        Modifier(hexsides * each, "hexside crossed", vv("15")),
        Modifier(unpinned_defenders * each, "unpinned defending units", vv("15")),
        Modifier(levels_up * each, "levels uphill", vv("15")),
    ]
    ledger = Ledger("Attackers take", tuple(line for line in lines if line.value))
    return int(ledger.total), ledger
