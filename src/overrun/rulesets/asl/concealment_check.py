"""Concealed Personnel when an unbroken vehicle enters (A12.41): reveal, or share one combined PAATC."""

from __future__ import annotations

from overrun.kernel import Chance, Decision, Dice, Exit, Node, Procedure, Seat, changed
from overrun.rulesets.asl.concealment import exempt, no_paatc, paatc
from overrun.rulesets.asl.counters import UnitKind
from overrun.rulesets.asl.moment import moment
from overrun.rulesets.asl.options import unit_id, unit_label
from overrun.rulesets.asl.presence import leaders_near, nerve_of
from overrun.rulesets.asl.setup import Concealment, asl
from overrun.rulesets.asl.state import Crew, Morale, State, Trait, Unit

concealment: Procedure[State] = Procedure("concealment", "Concealed Personnel", asl("A12.41"))

PAATC_DR = Dice("PAATC DR", (6, 6), sum, ("colored", "white"))


def testing(s: State) -> tuple[Unit, ...]:
    """The concealed and hidden units that must reveal or test: all but the exempt and those that passed already."""
    return tuple(
        unit
        for unit in s.units
        if not unit.known
        and not unit.paatc
        and not unit.broken
        and not unit.has(Trait.STREET_FIGHTING)
        and exempt(nerve_of(s, unit), s.setup.rulings) is None
    )


def vehicle_broken(s: State) -> bool:
    """Is the vehicle without Inherent crew, Passenger and Rider (A12.1)?"""
    return s.vehicle.crew is Crew.GONE and not s.vehicle.prc


def reveal(s: State, unit: Unit, *, pinned: bool = False) -> tuple[tuple[Unit, ...], dict[str, int]]:
    """What is left of a unit that loses its concealment, and what that counts; a dummy stack is removed."""
    if s.printed(unit).kind is UnitKind.DUMMY:
        return (), {"dummies_removed": 1}
    shown = changed(unit, seen=Concealment.KNOWN)
    if pinned and unit.good:
        return (changed(shown, morale=Morale.PINNED, failed=True),), {"revealed": 1, "pinned": 1}
    return (shown,), {"revealed": 1}


def revealed(s: State, units: tuple[Unit, ...], *, pinned: bool = False) -> tuple[State, dict[str, int]]:
    """The state once several units lost their concealment, and what that counts."""
    tally: dict[str, int] = {}
    left: list[Unit] = []
    for unit in units:
        shown, counts = reveal(s, unit, pinned=pinned)
        left.extend(shown)
        for name, count in counts.items():
            tally[name] = tally.get(name, 0) + count
    return s.swap_all(units, left), tally


@concealment.step(
    asl("A12.41"), "Must concealed units reveal or test?", test="reveal_or_test", none="after_concealment"
)
def concealed_units(s: State) -> Node[State]:
    """Concealed Personnel react to an unbroken vehicle that enters neither in Bypass nor by a woods-road."""
    bar = no_paatc(s.setup.location, s.setup.approach, vehicle_broken=vehicle_broken(s))
    return Exit("none" if bar is not None or not testing(s) else "test", s)


@concealment.step(
    asl("A12.41"),
    "Reveal, or take one combined PAATC",
    reveal="reveal_or_test",
    reveal_all="after_concealment",
    paatc="combined_paatc",
)
def reveal_or_test(s: State) -> Node[State]:
    """Each concealed unit that is not exempt drops its concealment, or joins one PAATC on the lowest Morale Level."""
    members = testing(s)
    options: list[Exit[State]] = []
    if len(members) > 1:
        for unit in dict.fromkeys(members):
            after, tally = revealed(s, (unit,))
            label, name = f"Reveal {unit_label(s, unit)}", unit_id(moment(s), s.units, unit)
            options.append(Exit("reveal", after, name, tally=tally, label=label, seen_by=Seat.DEFENDER))
    after, tally = revealed(s, members)
    options.append(Exit("reveal_all", after, tally=tally, label="Reveal all that would have to test"))
    options.append(Exit("paatc", s, label="Take one combined PAATC"))
    return Decision(Seat.DEFENDER, tuple(options))


@concealment.step(asl("A12.41"), "Combined PAATC", passed="after_concealment", failed="after_concealment")
def combined_paatc(s: State) -> Node[State]:
    """One DR on the lowest ML of the stack, a leader helping: passing keeps concealment, failing reveals and pins."""
    members = testing(s)
    nerves = [nerve_of(s, unit) for unit in members]
    date = (s.setup.year, s.setup.month)
    ml, drm = paatc(nerves, leaders_near(s), date=date, rulings=s.setup.rulings)

    def then(dr: int) -> Exit[State]:
        if dr + drm.total <= ml.total:
            return Exit("passed", s.swap_all(members, [changed(unit, paatc=True) for unit in members]))
        after, tally = revealed(s, members, pinned=True)
        return Exit("failed", after, tally=tally)

    return Chance(PAATC_DR, then, Seat.DEFENDER, (ml, drm), seen_by=Seat.DEFENDER)


@concealment.step(asl("D7.1"), "Concealment is settled", terrain="bog_check", fire="expenditure")
def after_concealment(s: State) -> Node[State]:
    """Then come the terrain checks, unless they came first."""
    first = s.setup.ruled("entry_order") == "terrain_first"
    return Exit("fire" if first else "terrain", s)
