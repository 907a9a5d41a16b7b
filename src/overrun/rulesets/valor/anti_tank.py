"""Anti-tank fire: the number to hit, its modifiers, and the elimination number by armor (ch. 18)."""

from __future__ import annotations

from dataclasses import dataclass, field

from overrun.kernel import Ledger, Modifier, Op
from overrun.kernel.table import Cell
from overrun.rulesets.valor.figures import armor_elimination, figure
from overrun.rulesets.valor.hexmap import Aspect, Ground, hex_cover, vv


@dataclass(frozen=True, slots=True)
class Armor:
    """The elimination numbers of one AT rating against an AFV's front and rear armor: a number, "E" or "-"."""

    at: str
    front: str
    rear: str

    def cell(self, aspect: Aspect) -> Cell[int | str]:
        """The cell of the Armor Elimination Table that a hit from that side uses."""
        return armor_elimination().at(self.at, self.front if aspect is Aspect.FRONT else self.rear)


@dataclass(frozen=True, slots=True)
class Shot:
    """One AT attack on the AFV, ready to be rolled. `immobile` tells whether the AFV is stuck already.

    After a natural 2 the firer becomes valorous on `valor_number` or less; it is None when he never checks.
    """

    number: int
    modifiers: tuple[Modifier, ...] = field(compare=False)
    armor: Armor
    aspect: Aspect
    immobile: bool
    equal_eliminates: bool
    valor_number: int | None
    modifier: int
    hit: bool = False
    valorous: bool = False


def gun_number(distance: int) -> int:
    """The number to hit of a gun at a distance in hexes, 1 or more (18.1).

    >>> gun_number(10), gun_number(11), gun_number(20)
    (10, 8, 6)
    """
    for limit, number in figure("to_hit", "gun"):
        if distance <= limit:
            return int(number)
    return int(figure("to_hit", "gun_beyond"))


def number_ledger(weapon: str, number: int, distance: int) -> Ledger:
    """The number to hit, as a ledger."""
    return Ledger("Number to hit", (Modifier(number, f"{weapon} at range {distance}", vv("18.1"), Op.IS),))


def cover_modifiers(afv_hex: Ground, hindrances: int) -> tuple[Modifier, ...]:
    """What the AFV's hex and the hindrances between add to a to-hit roll (18.1). Positions do not cover an AFV.

    A wall or hedge next to the firer does not count; one farther along is among the hindrances.
    """
    lines = [Modifier(value, f"AFV in {reason}", cite) for value, reason, cite in hex_cover(afv_hex)]
    if hindrances:
        lines.append(Modifier(hindrances, "hindrances between", vv("18.1")))
    return tuple(lines)


def leader_modifier(label: str, leadership: int) -> Modifier:
    """What a leader takes off a roll that he leads (13.6)."""
    return Modifier(-leadership, f"leadership of {label}", vv("13.6"))


def valorous_modifier() -> Modifier:
    """What a valorous firer takes off his to-hit roll (16.2)."""
    return Modifier(figure("to_hit", "valorous"), "valorous firer", vv("16.2"))


def roll_ledger(name: str, rolled: int, modifiers: tuple[Modifier, ...], section: str) -> Ledger:
    """A roll with what modifies it."""
    return Ledger(name, (Modifier(rolled, "roll", vv(section)), *modifiers))


def elimination_ledger(cell: Cell[int | str]) -> Ledger:
    """The elimination number as a ledger; an "E" or "-" stands in the words, with the figure 0."""
    value = cell.value
    if isinstance(value, int):
        return Ledger("Elimination number", (cell.line(value),))
    words = "eliminated without a roll" if value == "E" else "no effect"
    return Ledger("Elimination number", (Modifier(0, f"{cell.reason}: {value}, {words}", cell.cite, Op.IS),))


def elimination_result(rolled: int, number: int, equal_eliminates: bool) -> str:
    """What an elimination roll does: "eliminated" below the number, "immobilised" at it, "no_effect" above (18.4).

    >>> elimination_result(4, 5, False), elimination_result(5, 5, False), elimination_result(11, 5, False)
    ('eliminated', 'immobilised', 'no_effect')
    """
    if rolled < number or (rolled == number and equal_eliminates):
        return "eliminated"
    return "immobilised" if rolled == number else "no_effect"


def elimination_number(at: str, armor: str) -> int | str:
    """The Armor Elimination Table by AT rating and armor letter."""
    return armor_elimination().at(at, armor).value
