"""A Gun Duel between equal To Hit DRM (C2.2401): both roll, the lower Final DR fires first, equal ones at once."""

from __future__ import annotations

from dataclasses import dataclass

from overrun.kernel import Call, Chance, Exit, Node, Procedure, Returned, Seat, changed
from overrun.rulesets.asl.duel import answered, can_fire
from overrun.rulesets.asl.figures import strike_of
from overrun.rulesets.asl.incoming import shooting
from overrun.rulesets.asl.overrun import in_order
from overrun.rulesets.asl.setup import asl
from overrun.rulesets.asl.shell import SHELL_DR, Shell, shell_at
from overrun.rulesets.asl.state import State, Unit, Vehicle
from overrun.rulesets.asl.strike import TH_DR, to_hit_ledgers

DR = tuple[int, int]


@dataclass(frozen=True, slots=True)
class EqualDuel:
    """Two shots that were declared; a DR is there from its roll until its shot.

    `as_it_was` is the vehicle at the moment of both shots, when they come at once: what the unit's shot does to it no
    longer matters to its own.
    """

    s: State
    vehicle_dr: DR | None = None
    unit_dr: DR | None = None
    as_it_was: Vehicle | None = None


duel: Procedure[EqualDuel] = Procedure("duel", "A Gun Duel between equals", asl("C2.2401"), returns=("over",))


def _shell(d: EqualDuel, order: tuple[Unit, ...]) -> Shell:
    """The vehicle's shell at these targets, its DR rolled or not."""
    s = d.s if d.as_it_was is None else changed(d.s, vehicle=d.as_it_was)
    return changed(shell_at(s, order), rolled=d.vehicle_dr)


@duel.step(asl("C2.2401"), "The vehicle's To Hit DR", rolled="unit_rolls")
def vehicle_rolls(d: EqualDuel) -> Node[EqualDuel]:
    """The vehicle rolls To Hit with its Main Armament."""

    def then(dr: DR) -> Exit[EqualDuel]:
        return Exit("rolled", changed(d, vehicle_dr=dr))

    return Chance(SHELL_DR, then, Seat.ATTACKER, _shell(d, in_order(d.s)).ledgers)


@duel.step(
    asl("C2.2401"), "The unit's To Hit DR", vehicle_first="vehicle_fires", unit_first="unit_fires", at_once="unit_fires"
)
def unit_rolls(d: EqualDuel) -> Node[EqualDuel]:
    """The unit rolls To Hit; of both Final DR, all DRM included, the lower fires first."""
    s, fired = d.s, d.vehicle_dr
    assert s.act is not None
    assert fired is not None
    order = in_order(s)
    vehicle = _shell(d, order).final(order.index(s.act.units[0]), fired)
    aim = strike_of(s, s.act).figures

    def then(dr: DR) -> Exit[EqualDuel]:
        rolled, unit = changed(d, unit_dr=dr), sum(dr) + aim.drm
        if unit == vehicle.total:
            return Exit("at_once", changed(rolled, as_it_was=s.vehicle))
        return Exit("vehicle_first" if vehicle.total < unit else "unit_first", rolled)

    return Chance(TH_DR, then, Seat.DEFENDER, (vehicle, *to_hit_ledgers(aim)))


@duel.step(asl("C2.2401"), "The vehicle's shell", calls=("shell",), answered="unit_fires", silenced="ends", last="ends")
def vehicle_fires(d: EqualDuel) -> Node[EqualDuel]:
    """The shell of the Main Armament; a unit that it breaks, or pins where it must not be, does not shoot after it."""
    s, order = d.s, in_order(d.s)

    def then(back: Returned) -> Exit[EqualDuel]:
        after = changed(d, s=answered(s, order, back), vehicle_dr=None, as_it_was=None)
        if d.unit_dr is None:
            return Exit("last", after)
        return Exit("silenced" if after.s.act is None else "answered", after)

    return Call("shell", _shell(d, order), then)


@duel.step(asl("C2.2401"), "The unit's shot", calls=("strike",), answered="vehicle_fires", silenced="ends", last="ends")
def unit_fires(d: EqualDuel) -> Node[EqualDuel]:
    """The shot at the vehicle; a Main Armament that it silences does not fire after it, unless both fire at once."""
    shot = shooting(d.s, d.unit_dr)

    def then(back: Returned) -> Exit[EqualDuel]:
        s, tally = shot.after(back)
        after = changed(d, s=s, unit_dr=None)
        if d.vehicle_dr is None:
            return Exit("last", after, tally=tally)
        answers = d.as_it_was is not None or can_fire(s)
        return Exit("answered" if answers else "silenced", after, tally=tally)

    # Without saying what is read: a shell may still come at those who stand here, though the vehicle be lost.
    return Call("strike", shot.attack, then)


@duel.step(asl("C2.2401"), "Both have fired", over="over")
def ends(d: EqualDuel) -> Node[EqualDuel]:
    """What both shots did stands."""
    return Exit("over", EqualDuel(d.s))
