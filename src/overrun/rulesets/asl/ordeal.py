"""What one unit goes through under an IFT result: its Morale or Task Check, then Leader Loss (A7.304, A10.2).

Pure chance, called for every unit by itself: once the leaders have checked, no unit's checks touch another's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from overrun.kernel import Call, Exit, Hashed, Node, Procedure, Returned, changed, hashed
from overrun.rulesets.asl.checks import Check, CheckKind
from overrun.rulesets.asl.counters import UnitKind
from overrun.rulesets.asl.hits import Later, Loss, pinnable
from overrun.rulesets.asl.ift import Effect
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Morale, Trait, Unit


@hashed
@dataclass(frozen=True, slots=True)
class Ordeal(Hashed):
    """One unit, what it `owes`, the modifier of the leader who helps it (or None), and the leaders that were lost.

    `prc`: it is a Passenger or Rider. `later` says what analysis reads of it at the end. `born` holds a unit that Heat
    of Battle created. `unit` is None once it is eliminated.
    """

    setup: Setup = field(compare=False, repr=False)
    unit: Unit | None
    owes: Effect | None
    leadership: int | None = None
    losses: tuple[Loss, ...] = ()
    prc: bool = False
    later: Later | None = None
    born: tuple[Unit, ...] = ()


ordeal: Procedure[Ordeal] = Procedure("ordeal", "The checks of one unit", asl("A7.304"), returns=("over",))


def check_owed(setup: Setup, unit: Unit, owes: Effect, leadership: int | None, *, prc: bool) -> Check:
    """The check that a unit owes: a MC with its number, or else a TC."""
    kind = CheckKind.TC if owes.check is None else CheckKind.MC
    return Check(setup, unit, kind, owes.check or 0, leadership, prc=prc)


def _checked(o: Ordeal, back: Returned) -> Ordeal:
    return changed(o, unit=back.state.unit, owes=None, born=(*o.born, *back.state.born))


@ordeal.step(asl("A7.304"), "Morale or Task Check", calls=("check",), checked="leader_loss", none="leader_loss")
def first_check(o: Ordeal) -> Node[Ordeal]:
    """A unit that owes a check takes it, helped by the leader if there is one."""
    if o.owes is None or o.unit is None:
        return Exit("none", o)
    check = check_owed(o.setup, o.unit, o.owes, o.leadership, prc=o.prc)
    return Call("check", check, lambda back: Exit("checked", _checked(o, back)))


@ordeal.step(asl("A10.2"), "Leader Loss", calls=("check",), checked="over", none="over")
def leader_loss(o: Ordeal) -> Node[Ordeal]:
    """A leader who was eliminated causes a LLMC with his modifier reversed, one who broke a LLTC, for lower ML.

    A unit takes one check for all the leaders lost in one attack, the worst that concerns it.
    """
    loss = None if o.unit is None else _felt(o, o.unit)
    if loss is None:
        return Exit("none", _over(o))
    kind = CheckKind.MC if loss.eliminated else CheckKind.TC
    check = Check(o.setup, o.unit, kind, loss.modifier, o.leadership, prc=o.prc, leader_lost=True)
    return Call("check", check, lambda back: Exit("checked", _over(_checked(o, back))))


def _over(o: Ordeal) -> Ordeal:
    """What became of the unit stands, as much of it as is read later; how it came about is forgotten."""
    unit = o.unit if o.later is None else o.later.of(o.unit)
    return Ordeal(o.setup, unit, None, born=o.born)


def _felt(o: Ordeal, unit: Unit) -> Loss | None:
    """The worst loss of a leader of higher ML that a unit feels; who cannot be pinned feels no leader who broke."""
    printed = o.setup.printed[unit.printed]
    if unit.morale is Morale.BERSERK or printed.kind is UnitKind.DUMMY:
        return None
    feels = {True: not unit.has(Trait.HEROIC), False: pinnable(unit)}
    return max((loss for loss in o.losses if loss.ml > printed.ml and feels[loss.eliminated]), default=None)
