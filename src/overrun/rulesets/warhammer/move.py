"""The move: the roll, the straight path, and what stops it (W-03, W-04, W-11, W-12)."""

from __future__ import annotations

from dataclasses import replace

from overrun.kernel import Chance, Decision, Exit, Ledger, Modifier, Node, Op, Procedure, Refusal, Seat
from overrun.rulesets.warhammer import charge, path
from overrun.rulesets.warhammer.distance import flee_dice
from overrun.rulesets.warhammer.editions import EDITIONS
from overrun.rulesets.warhammer.inches import hundredths
from overrun.rulesets.warhammer.path import What
from overrun.rulesets.warhammer.rulings import wfb
from overrun.rulesets.warhammer.setup import Kind, Setup
from overrun.rulesets.warhammer.shapes import TOUCH
from overrun.rulesets.warhammer.state import State

move: Procedure[State] = Procedure("move", "The overrun move", wfb("overrun"))


def rolled(s: State) -> int:
    """The roll of this overrun; every step after `roll` has one."""
    assert s.roll is not None
    return s.roll


def going(setup: Setup, ahead: float) -> dict[str, int]:
    """The tally of a straight move of that length."""
    tally = {"distance": hundredths(ahead)}
    if harms_chariot(setup, ahead):
        tally["chariot_suffers_terrain"] = 1
    return tally


def harms_chariot(setup: Setup, ahead: float) -> bool:
    """Whether a chariot takes its terrain hits on a straight move of that length."""
    return suffers_terrain(setup) and path.crosses_difficult(setup, ahead)


def suffers_terrain(setup: Setup) -> bool:
    """Whether the unit is a chariot that difficult ground harms."""
    return setup.mover.kind is Kind.CHARIOT and setup.ruled("chariot_terrain_damage", "yes")


@move.step(
    wfb("overrun"),
    "Straight ahead: what comes first",
    fresh_enemy="facing",
    several="which_enemy",
    fleeing_enemy="fleeing_enemy",
    blocked="finish",
    edge="edge",
    by_wheel="facing",
    clear="finish",
)
def straight_on(s: State) -> Node[State]:
    """The unit goes straight on from where it faces. The first thing that it touches within the roll decides."""
    setup, total = s.setup, rolled(s)
    reach = path.reach(setup, total)
    met = path.first(setup, reach, s.passed)
    ledgers = (_ledger(setup, total, reach, met),)
    if not met:
        targets: tuple[str, ...] = ()
        if setup.ruled("contact_rule", "reachable_by_wheel"):
            targets = charge.wheel_targets(setup, total, s.passed)
        if targets:
            return Exit("by_wheel", replace(s, struck=targets), ledgers=ledgers)
        ahead = path.unhindered(setup, reach, s.passed)
        tally = going(setup, ahead) | {"free_next_turn": 1} | _short(ahead, reach)
        return Exit("clear", replace(s, ending="moved"), tally=tally, ledgers=ledgers)
    first = met[0]
    if len(met) > 1:
        return Exit("several", replace(s, struck=tuple(m.id for m in met)), ledgers=ledgers)
    if first.what in (What.FRESH, What.FLEEING):
        name = "fresh_enemy" if first.what is What.FRESH else "fleeing_enemy"
        return Exit(name, replace(s, struck=(first.id,)), ledgers=ledgers)
    if first.what is What.EDGE:
        return Exit("edge", s, ledgers=ledgers)
    tally = going(setup, first.stop) | {"blocked": 1, "free_next_turn": 1} | _short(first.stop, reach)
    return Exit("blocked", replace(s, ending="blocked"), detail=first.id, tally=tally, ledgers=ledgers)


def _short(ahead: float, reach: float) -> dict[str, int]:
    return {"cut_short": 1} if ahead < reach - TOUCH else {}


def _ledger(setup: Setup, total: int, reach: float, met: tuple[path.Met, ...]) -> Ledger:
    lines = [Modifier(total * 100, f"a roll of {total}", wfb("overrun"), Op.IS)]
    if reach < total:
        slow = hundredths(reach) - total * 100
        lines.append(Modifier(slow, "difficult ground, each inch costs two", wfb("movement")))
    for thing in met:
        lines.append(Modifier(hundredths(thing.gap), f"first touch: {named(setup, thing)}", wfb("overrun"), Op.IS))
    return Ledger("straight on, in hundredths of an inch", tuple(lines))


def named(setup: Setup, met: path.Met) -> str:
    """What the path meets, by its name."""
    if met.what is What.EDGE:
        return str(met.what)
    things = setup.by_id if met.id in setup.by_id else {terrain.id: terrain for terrain in setup.terrain}
    return f"{met.what}, {things[met.id].name}"


@move.step(wfb("overrun"), "Two enemies touched at once", picks="facing", both="facing")
def which_enemy(s: State) -> Node[State]:
    """When the move touches several enemies at the same moment the player picks one.

    Another that cannot be left out is engaged as well.
    """
    if s.setup.ruled("multi_contact", "both"):
        return Exit("both", s)
    options = []
    for id in s.struck:
        others = tuple(other for other in s.struck if other != id)
        options.append(Exit("picks", replace(s, struck=(id, *others)), detail=id, label=s.setup.by_id[id].name))
    return Decision(Seat.ATTACKER, tuple(options))


@move.step(
    wfb("fleeing"), "A fleeing enemy is touched", destroyed="finish", flees_again="flight", goes_by="straight_on"
)
def fleeing_enemy(s: State) -> Node[State]:
    """A fleeing enemy can only run. The ruling says whether it is destroyed at once, flees again, or is passed by."""
    id = s.struck[0]
    if s.setup.ruled("fleeing_contact", "destroyed"):
        ahead = path.first(s.setup, path.reach(s.setup, rolled(s)), s.passed)[0].gap
        tally = going(s.setup, ahead) | {"ran_down": 1, "free_next_turn": 1}
        return Exit("destroyed", replace(s, ending="ran_down"), tally=tally)
    if s.setup.ruled("fleeing_contact", "ignore"):
        return Exit("goes_by", replace(s, struck=(), passed=(*s.passed, id)))
    return Exit("flees_again", s)


@move.step(wfb("fleeing"), "It flees: is it caught?", caught="finish", escapes="straight_on")
def flight(s: State) -> Node[State]:
    """It runs two or three dice by its Movement, straight away. The overrun catches it when its roll reaches so far."""
    target = s.setup.by_id[s.struck[0]]
    reach = path.reach(s.setup, rolled(s))
    gap = next(m.gap for m in path.meetings(s.setup, s.passed) if m.id == target.id)

    def then(fled: int) -> Exit[State]:
        if reach + TOUCH >= gap + fled:
            tally = going(s.setup, gap + fled) | {"ran_down": 1, "free_next_turn": 1}
            return Exit("caught", replace(s, ending="ran_down", dice=fled), tally=tally)
        return Exit("escapes", replace(s, struck=(), passed=tuple(sorted((*s.passed, target.id)))))

    return Chance(flee_dice(target), then, Seat.DEFENDER)


@move.step(wfb("off the table"), "The table's edge", comes_back="finish", lost="finish", stops="finish")
def edge(s: State) -> Node[State]:
    """Touching the edge takes the whole unit off; the ruling says what becomes of it.

    A unit that is off as the game ends is not destroyed for that.
    """
    ahead = path.first(s.setup, path.reach(s.setup, rolled(s)), s.passed)[0].gap
    tally = going(s.setup, ahead)
    if s.setup.ruled("edge_rule", "stop_at_edge"):
        return Exit("stops", replace(s, ending="stopped_at_edge"), tally=tally | {"cut_short": 1, "free_next_turn": 1})
    if s.setup.ruled("edge_rule", "destroyed"):
        return Exit("lost", replace(s, ending="lost"), tally=tally | {"leaves_table": 1, "unit_lost": 1})
    if s.setup.combat.last_turn:
        return Exit("comes_back", replace(s, ending="off_at_the_end"), tally=tally | {"leaves_table": 1})
    return Exit("comes_back", replace(s, ending="left_table"), tally=tally | {"leaves_table": 1, "returns_later": 1})


def flight_refusal(setup: Setup) -> Refusal | None:
    """Why a struck enemy may not flee; `None` in an edition that lets it."""
    if EDITIONS[setup.edition].may_flee:
        return None
    return Refusal("flee", "an enemy struck by an overrun can only hold.", wfb("overrun"), "Flee")
