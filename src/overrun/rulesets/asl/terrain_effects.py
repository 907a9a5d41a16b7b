"""Terrain checks on entry (D8.2, B23.41, G5.4, B13.421): bog, rubble, cellar, hut, Trail Break."""

from __future__ import annotations

from overrun.kernel import Chance, Dice, Each, Exit, Face, Node, Procedure, Returned, Seat, changed
from overrun.rulesets.asl import bog
from overrun.rulesets.asl.bog import BuildingFall
from overrun.rulesets.asl.checks import Check, CheckKind
from overrun.rulesets.asl.declare import entering
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.hits import bare, pinnable, unarmed
from overrun.rulesets.asl.setup import asl
from overrun.rulesets.asl.state import Hull, State
from overrun.rulesets.asl.survival import survivors

terrain: Procedure[State] = Procedure("terrain", "Terrain checks", asl("D8.2"))


def _sum_and_colored(faces: Face) -> tuple[int, int]:
    return sum(faces), faces[0]


BOG_DR = Dice("Bog DR", (6, 6), sum, ("colored", "white"))
BUILDING_DR = Dice("Bog DR", (6, 6), _sum_and_colored, ("colored", "white"))


@terrain.step(
    asl("D8.2"),
    "Bog DR",
    none="hut",
    clear="hut",
    bogged="hut",
    rubble="rubble",
    rubble_and_bogged="rubble",
    cellar="cellar",
)
def bog_check(s: State) -> Node[State]:
    """The vehicle bogs on a Final 12 or more; in a building the colored die may also rubble it or open a cellar."""
    here = entering(s)
    if not bog.bog_due(here) or not s.vehicle.alive:
        return Exit("none", s)
    ledger = bog.bog_drm(here)
    if not bog.enters_building(here):
        return Chance(BOG_DR, lambda dr: _bogged(s, bog.bogs(int(dr + ledger.total))), Seat.ATTACKER, (ledger,))

    def then(read: tuple[int, int]) -> Exit[State]:
        dr, colored = read
        fall, rubble_ledger = bog.building_fall(colored, s.setup.location)
        if fall is BuildingFall.CELLAR:
            return Exit("cellar", s, ledgers=(rubble_ledger,))
        exit = _bogged(s, bog.bogs(int(dr + ledger.total)))
        if fall is BuildingFall.NONE:
            return changed(exit, ledgers=(rubble_ledger,))
        name = "rubble_and_bogged" if exit.name == "bogged" else "rubble"
        return changed(exit, name=name, ledgers=(rubble_ledger,))

    return Chance(BUILDING_DR, then, Seat.ATTACKER, (ledger,))


def _bogged(s: State, bogs: bool) -> Exit[State]:
    if not bogs:
        return Exit("clear", s)
    after = changed(s, vehicle=changed(s.vehicle, hull=Hull.BOGGED), mp=0)
    if s.stage is Stage.BEFORE and s.setup.ruled("bogged_ovr") == "lost":
        after = changed(after, stage=Stage.NONE, fp=0)
    return Exit("bogged", after, tally={"vehicle_bogged": 1})


@terrain.step(asl("B23.41"), "The building is rubbled", rubbled="hut")
def rubble(s: State) -> Node[State]:
    """The hex becomes rubble of the same TEM; occupants of a Single Story House, or of the ground level, are unhurt."""
    return Exit("rubbled", changed(s, ground=(*s.ground, "rubbled")))


@terrain.step(asl("B23.41"), "Into the cellar", fell="out_of_the_cellar")
def cellar(s: State) -> Node[State]:
    """On an Original 6 the AFV falls into a cellar and is removed; its crew may get out."""
    lost = s.stage is Stage.BEFORE and s.setup.ruled("cellar_ovr") == "lost"
    after = changed(s, vehicle=changed(s.vehicle, hull=Hull.LEFT), mp=0)
    if lost:
        after = changed(after, stage=Stage.NONE, fp=0)
    return Exit("fell", after, tally={"vehicle_eliminated": 1})


@terrain.step(asl("D5.6"), "Crew Survival", calls=("survivor",), settled="after_terrain")
def out_of_the_cellar(s: State) -> Node[State]:
    """The crew of an AFV in a cellar survives as that of any eliminated vehicle."""
    return survivors(s, "settled")


@terrain.step(asl("G5.4"), "Hut collapse", calls=("check",), collapses="trail", stands="trail")
def hut(s: State) -> Node[State]:
    """A hut collapses when an AFV enters, and every unit in it takes a PTC."""
    if not bog.hut_collapses(entering(s), s.setup.rulings) or "hut_collapsed" in s.ground:
        return Exit("stands", s)
    testing = [unit for unit in s.units if pinnable(unit)]
    subs = tuple(Check(s.setup, unarmed(bare(unit)), CheckKind.TC) for unit in testing)

    def fold(s: State, run: int, back: Returned) -> State:
        return s.swap(testing[run], changed(testing[run], morale=back.state.it.morale))

    after = changed(s, ground=(*s.ground, "hut_collapsed"))
    return Each("check", subs, after, fold, lambda s: Exit("collapses", s))


@terrain.step(asl("B13.421"), "Partial Trail Break", placed="after_terrain", none="after_terrain")
def trail(s: State) -> Node[State]:
    """A fully-tracked AFV that is still Mobile leaves a partial Trail Break in woods, jungle or bamboo."""
    mobile = s.vehicle.hull is Hull.MOBILE
    breaks = bog.breaks_trail(s.setup.vehicle, s.setup.location, s.setup.approach.way, mobile=mobile)
    if not breaks or "partial_trail_break" in s.ground:
        return Exit("none", s)
    return Exit("placed", changed(s, ground=(*s.ground, "partial_trail_break")))


@terrain.step(asl("D7.1"), "The terrain is settled", concealment="concealed_units", fire="expenditure")
def after_terrain(s: State) -> Node[State]:
    """Then comes Defensive First Fire, unless concealed units are still to be asked."""
    return Exit("concealment" if s.setup.ruled("entry_order") == "terrain_first" else "fire", s)
