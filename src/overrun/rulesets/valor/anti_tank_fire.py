"""One AT attack on the AFV: to hit, armor met, elimination, crew. It is called on a `Shot` and is pure chance."""

from __future__ import annotations

from overrun.kernel import Chance, Dice, Exit, Ledger, Modifier, Node, Op, Procedure, Seat, changed
from overrun.rulesets.valor.anti_tank import Shot, elimination_ledger, elimination_result, roll_ledger
from overrun.rulesets.valor.figures import figure
from overrun.rulesets.valor.hexmap import Aspect, vv

TWO_DICE = Dice("2d6", (6, 6), sum)
DIE = Dice("1d6", (6,), sum)

anti_tank_fire: Procedure[Shot] = Procedure(
    "anti_tank_fire", "Anti-tank attack", vv("18"), returns=("unharmed", "immobilised", "eliminated")
)


@anti_tank_fire.step(vv("18.1"), "Roll to hit", hit="armor_met", missed="survived", natural_two="valor_check")
def to_hit(s: Shot) -> Node[Shot]:
    """Two dice with their modifiers hit at the weapon's number or less. Infantry with a natural 2 check valor."""

    def then(rolled: int) -> Exit[Shot]:
        ledgers = (roll_ledger("To-hit roll", rolled, s.modifiers, "18.1"),)
        hit = rolled + s.modifier <= s.number
        checks = s.valor_number is not None and rolled == figure("valor", "natural")
        name = "natural_two" if checks else "hit" if hit else "missed"
        return Exit(name, changed(s, hit=hit), ledgers=ledgers, tally={"shots_hit": 1} if hit else None)

    return Chance(TWO_DICE, then, Seat.DEFENDER, (Ledger("To-hit modifiers", s.modifiers),))


@anti_tank_fire.step(vv("16.2"), "Valor check", hit="armor_met", missed="survived")
def valor_check(s: Shot) -> Node[Shot]:
    """After a natural 2 the firer becomes valorous on two dice at or below its casualty rating, a leader at 6."""
    number = s.valor_number
    assert number is not None

    def then(rolled: int) -> Exit[Shot]:
        checked = changed(s, valorous=rolled <= number)
        return Exit("hit" if s.hit else "missed", checked, ledgers=(roll_ledger("Valor roll", rolled, (), "16.2"),))

    return Chance(TWO_DICE, then, Seat.DEFENDER, (Ledger("Valor number", (Modifier(number, "check", vv("16.2")),)),))


@anti_tank_fire.step(vv("18.5"), "Armor met", known="elimination", front="elimination", rear="elimination")
def armor_met(s: Shot) -> Node[Shot]:
    """Within a right angle of the facing a hit meets front armor, beyond it rear armor; at the angle a die decides."""
    if s.aspect is not Aspect.SIDEWAYS:
        return Exit("known", s)

    def then(rolled: int) -> Exit[Shot]:
        aspect = Aspect.FRONT if rolled <= figure("sideways", "front_up_to") else Aspect.REAR
        ledger = roll_ledger("Sideways roll", rolled, (), "18.5")
        return Exit(aspect.value, changed(s, aspect=aspect), ledgers=(ledger,))

    return Chance(DIE, then, Seat.DEFENDER)


@anti_tank_fire.step(
    vv("18.4"),
    "Elimination roll",
    eliminated="eliminated",
    without_roll="eliminated",
    immobilised="crew_check",
    no_effect="survived",
    no_number="survived",
)
def elimination(s: Shot) -> Node[Shot]:
    """Two dice below the elimination number eliminate the AFV, the exact number immobilises it, more has no effect."""
    cell = s.armor.cell(s.aspect)
    number, ledger = cell.value, elimination_ledger(cell)
    if not isinstance(number, int):
        return Exit("without_roll" if number == "E" else "no_number", s, ledgers=(ledger,))

    def then(rolled: int) -> Exit[Shot]:
        result = elimination_result(rolled, number, s.equal_eliminates)
        return Exit(result, s, ledgers=(roll_ledger("Elimination roll", rolled, (), "18.4"),))

    return Chance(TWO_DICE, then, Seat.DEFENDER, (ledger,))


@anti_tank_fire.step(vv("18.6"), "Attack survived", mobile="unharmed", immobile="crew_check")
def survived(s: Shot) -> Node[Shot]:
    """An AFV that was immobile already makes a crew check after every attack that it survives, a miss included."""
    return Exit("immobile" if s.immobile else "mobile", s)


@anti_tank_fire.step(vv("18.6"), "Crew check", abandoned="eliminated", stays="immobilised")
def crew_check(s: Shot) -> Node[Shot]:
    """The crew of an immobile AFV abandons it on a die of 1 or 2, which eliminates it."""
    limit = figure("crew", "abandons_at")

    def then(rolled: int) -> Exit[Shot]:
        ledger = roll_ledger("Crew roll", rolled, (), "18.6")
        return Exit("abandoned" if rolled <= limit else "stays", s, ledgers=(ledger,))

    number = Ledger("Crew abandons at", (Modifier(limit, "or less", vv("18.6"), Op.IS),))
    return Chance(DIE, then, Seat.ATTACKER, (number,))
