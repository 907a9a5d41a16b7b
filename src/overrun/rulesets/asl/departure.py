"""Leaving or staying (D7.14, A7.212, A9.74, A12.42): the vehicle goes on, stays, or leaves to overrun again."""

from __future__ import annotations

from fractions import Fraction

from overrun.kernel import (
    Chance,
    Decision,
    Dice,
    Each,
    End,
    Exit,
    Ledger,
    Modifier,
    Node,
    Procedure,
    Refusal,
    Returned,
    Seat,
    changed,
)
from overrun.rulesets.asl import bog, movement
from overrun.rulesets.asl.concealment_check import revealed, vehicle_broken
from overrun.rulesets.asl.declare import entering
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.firepower import overrun_fp, weapons
from overrun.rulesets.asl.ift import column
from overrun.rulesets.asl.movement import figure
from overrun.rulesets.asl.presence import armament
from overrun.rulesets.asl.setup import Way, asl
from overrun.rulesets.asl.state import Arm, GunPiece, Hull, State, Unit
from overrun.rulesets.asl.staying import threat
from overrun.rulesets.asl.wreckage import Wreck

departure: Procedure[State] = Procedure("departure", "Leave or stay", asl("D7.14"))

BOG_DR = Dice("Bog DR", (6, 6), sum, ("colored", "white"))


def way_out(s: State) -> Modifier:
    """MP to leave into Open Ground, as far as the situation knows the next hex."""
    vehicle = s.setup.vehicle
    charted = vehicle.movement in movement.COLUMNS
    return Modifier(movement.open_cot(vehicle), "COT of the next hex, Open Ground", asl("D2.1"), verified=charted)


@departure.step(
    asl("D7.14"),
    "Leave, stay, or leave to overrun again?",
    leave="goes",
    leave_off_road="bog_on_leaving",
    again="again",
    stay="stay",
    lost="vehicle_lost",
    cannot="stay",
)
def leave(s: State) -> Node[State]:
    """A vehicle is never held in Melee: it may leave if it can move; it must leave before it may overrun here again."""
    if not s.vehicle.alive:
        return Exit("lost", s)
    out = way_out(s)
    if s.vehicle.immobile or s.mp < out.value:
        return Exit("cannot", s)
    cost = Ledger("MP", (out,))
    after = changed(s, mp=s.mp - out.value)
    options = [Exit("leave", after, label=f"Leave, for {figure(Fraction(out.value))} MP", ledgers=(cost,))]
    if s.setup.approach.way in {Way.WOODS_ROAD, Way.TRAIL_BREAK}:
        options.append(Exit("leave_off_road", after, label="Leave through the woods, with a Bog DR", ledgers=(cost,)))
    bar = _again_bar(s, out)
    refused: tuple[Refusal, ...] = ()
    if bar is None:
        options.append(Exit("again", after, label="Leave, and come back to overrun again"))
    else:
        refused = (bar,)
    if (staying := _staying_bar(s)) is None:
        options.append(Exit("stay", s, label="Stay"))
    else:
        refused = (*refused, staying)
    return Decision(Seat.ATTACKER, tuple(options), refused)


def _staying_bar(s: State) -> Refusal | None:
    """Why the vehicle may not stay in an enemy AFV's hex (D2.6), or None."""
    key = s.setup.location.enemy_afv
    if not key or threat(weapons(armament(s), s.setup.rulings), s.setup.vehicle, s.setup.vehicles[key]) is not None:
        return None
    name = s.setup.vehicles[key].name
    return Refusal("stay", f"On an Original DR of 5 it could neither Shock nor eliminate the {name} here.", asl("D2.6"))


def _again_bar(s: State, out: Modifier) -> Refusal | None:
    if s.overruns == s.given.prior_overruns:
        return Refusal("again", "It has not overrun yet; another entry is a situation of its own.", asl("D7.14"))
    if s.overruns - s.given.prior_overruns >= s.setup.overruns:
        return Refusal("again", "The situation plays out no more overruns of this MPh.", asl("D7.14"))
    cost = movement.entry_cost(entering(s), s.setup.rulings)
    ledger = Ledger("MP", (out, *cost.mp.lines, movement.overrun_mp(s.setup.vehicle)))
    if cost.everything or ledger.total > s.mp:
        needed = figure(Fraction(ledger.total))
        reason = f"Leaving, entering and overrunning again needs {needed} MP; {figure(s.mp)} are left."
        return Refusal("again", reason, asl("D7.14"), ledgers=(ledger,))
    return None


@departure.step(asl("D7.14"), "Back again", approaches="approach")
def again(s: State) -> Node[State]:
    """Out of the hex and before it once more: the next entry is a new expenditure, with a new declaration."""
    return Exit("approaches", changed(s, stage=Stage.NONE, second=False, fp=0, ground=_completed(s)))


@departure.step(asl("B13.41"), "Bog DR on leaving", clear="goes", bogged="stay")
def bog_on_leaving(s: State) -> Node[State]:
    """Leaving woods off the road or Trail Break by which it came, the vehicle makes a Bog DR."""
    ledger = bog.bog_drm(changed(entering(s), approach=changed(s.setup.approach, way=Way.TERRAIN)))

    def then(dr: int) -> Exit[State]:
        if bog.bogs(int(dr + ledger.total)):
            stuck = changed(s, vehicle=changed(s.vehicle, hull=Hull.BOGGED), mp=0)
            return Exit("bogged", stuck, tally={"vehicle_bogged": 1})
        return Exit("clear", s)

    return Chance(BOG_DR, then, Seat.ATTACKER, (ledger,))


def _completed(s: State) -> tuple[str, ...]:
    """The ground with the vehicle's Trail Break completed as it leaves."""
    return tuple("trail_break" if word == "partial_trail_break" else word for word in s.ground)


@departure.step(asl("B13.421"), "The vehicle goes on", trail_break="left", left="left")
def goes(s: State) -> Node[State]:
    """A fully-tracked AFV that leaves woods, jungle or bamboo completes its Trail Break."""
    ground = _completed(s)
    return Exit("left" if ground == s.ground else "trail_break", changed(s, ground=ground))


# ------------------------------------------------------------------ staying


@departure.step(asl("A12.42"), "The vehicle stays", revealed="run_over_weapons", nothing="run_over_weapons")
def stay(s: State) -> Node[State]:
    """An unbroken vehicle that ends its MPh in Bypass reveals every concealed and hidden unit of the Location."""
    hidden = tuple(unit for unit in s.units if not unit.known)
    staying = changed(s, stays=True)
    if s.setup.approach.way is not Way.BYPASS or vehicle_broken(s) or not hidden:
        return Exit("nothing", staying)
    after, tally = revealed(staying, hidden)
    return Exit("revealed", after, tally=tally)


@departure.step(asl("A9.74"), "Random SW Destruction", calls=("wreckage",), checked="stayed", none="stayed")
def run_over_weapons(s: State) -> Node[State]:
    """A fully-tracked AFV that ends its MPh here checks unpossessed weapons and unlimbered Guns, not the entrenched."""
    printed = s.setup.vehicle
    head = column(overrun_fp(armament(s), s.setup.rulings).total)
    if not (printed.armored and printed.fully_tracked) or head is None:
        return Exit("none", s)
    loose = [piece for piece in s.loose if not piece.entrenched and not _limbered(piece)]
    manned = [unit for unit in s.units if any(not gun.entrenched and not gun.limbered for gun in unit.guns)]
    if not loose and not manned:
        return Exit("none", s)
    subs = [Wreck(s.setup, piece, head) for piece in loose]
    subs += [Wreck(s.setup, unit.guns[0], head) for unit in manned]

    def fold(s: State, run: int, back: Returned) -> State:
        piece = back.state.piece
        if run < len(loose):
            left = list(s.loose)
            left.remove(loose[run])
            return changed(s, loose=tuple(sorted((*left, *(() if piece is None else (piece,))), key=repr)))
        unit = manned[run - len(loose)]
        return s.swap(unit, _with_gun(unit, piece))

    return Each("wreckage", tuple(subs), s, fold, lambda s: Exit("checked", s))


def _limbered(piece: Arm | GunPiece) -> bool:
    return isinstance(piece, GunPiece) and piece.limbered


def _with_gun(unit: Unit, gun: GunPiece | None) -> Unit:
    return changed(unit, guns=() if gun is None else (gun,))


# ------------------------------------------------------------------ ends


@departure.step(asl("D7.14"), "The vehicle has left")
def left(s: State) -> Node[State]:
    """The vehicle has left the Location; the units there keep their counters."""
    return End("left")


@departure.step(asl("A7.212"), "The vehicle has stayed")
def stayed(s: State) -> Node[State]:
    """Every unit carries a CC counter and may fire within the Location only; who can may attack in the coming CCPh."""
    return End("stayed")


@departure.step(asl("D5.6"), "The vehicle is lost")
def vehicle_lost(s: State) -> Node[State]:
    """The vehicle is a wreck, or gone."""
    return End("vehicle lost")
