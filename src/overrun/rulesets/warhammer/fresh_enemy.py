"""Hitting a fresh enemy: a compulsory charge that it can only hold against (W-06 to W-10; fact sheet 4 to 6)."""

from __future__ import annotations

from dataclasses import replace

from overrun.kernel import Chance, Decision, Dice, Exit, Face, Ledger, Modifier, Node, Op, Procedure, Refusal, Seat
from overrun.rulesets.warhammer import charge, path
from overrun.rulesets.warhammer.charge import Alignment, Arrival, How
from overrun.rulesets.warhammer.distance import TWO_DICE
from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.inches import degrees, hundredths
from overrun.rulesets.warhammer.move import flight_refusal, rolled, suffers_terrain
from overrun.rulesets.warhammer.rulings import wfb
from overrun.rulesets.warhammer.setup import Setup
from overrun.rulesets.warhammer.state import State

fresh_enemy: Procedure[State] = Procedure("fresh_enemy", "The charge on a fresh enemy", wfb("overrun"))

ENOUGH = 5
"""Unit strength that a flank or rear attack needs to cancel ranks and keep its bonus (fact sheet C14, WFB-26)."""


def arrival(s: State) -> Arrival:
    """The geometry of this charge."""
    return charge.arrival(s.setup, rolled(s), s.struck, passed=s.passed, zone=s.face)


@fresh_enemy.step(
    wfb("flank and rear charges"),
    "Which face is struck",
    by_place="reaction",
    no_flanks="reaction",
    die="reaction",
    chosen="reaction",
)
def facing(s: State) -> Node[State]:
    """The zone of the enemy that holds most of the charger gives the face; skirmishers and machines have no flanks."""
    tied = charge.zones(s.setup, s.setup.by_id[s.struck[0]])
    if not tied:
        return Exit("no_flanks", s)
    if len(tied) == 1:
        return Exit("by_place", replace(s, face=tied[0]))
    if s.setup.ruled("zone_tie", "charger_chooses"):
        return Decision(
            Seat.ATTACKER,
            tuple(Exit("chosen", replace(s, face=face), detail=face.replace(" ", "_"), label=face) for face in tied),
        )

    def read(face: Face) -> int:
        return (face[0] - 1) * len(tied) // 6

    return Chance(Dice("1D6", (6,), read), lambda which: Exit("die", replace(s, face=tied[which])), Seat.ATTACKER)


@fresh_enemy.step(wfb("overrun"), "Charge reaction", hold="psychology", flee="flight")
def reaction(s: State) -> Node[State]:
    """The enemy is taken by surprise: it holds. Fleeing and standing to shoot are out of the question."""
    target = s.setup.by_id[s.struck[0]]
    why = "an enemy struck by an overrun can only hold"
    if not target.shoots:
        why += "; it has nothing to shoot with either"
    shoot = Refusal("stand_and_shoot", f"{why}.", wfb("overrun"), "Stand and shoot")
    hold = Exit("hold", s, label="Hold")
    no_flight = flight_refusal(s.setup)
    if no_flight is None and any(m.id == target.id for m in path.meetings(s.setup, s.passed)):
        return Decision(Seat.DEFENDER, (hold, Exit("flee", s, label="Flee")), (shoot,))
    refused = (shoot,) if no_flight is None else (no_flight, shoot)
    return Decision(Seat.DEFENDER, (hold,), refused)


def waived(setup: Setup, target: str) -> tuple[str, ...]:
    """The psychology tests that a plain charge would ask for here, and an overrun does not (W-09)."""
    mine, theirs = setup.mover, setup.by_id[target]
    found = []
    for who, other in ((mine, theirs), (theirs, mine)):
        if other.causes and not who.immune:
            found.append(f"{who.name} would test {other.causes} of {other.name}")
    return tuple(found)


@fresh_enemy.step(wfb("overrun"), "Fear and terror", waived="bring_models", nothing_to_waive="bring_models")
def psychology(s: State) -> Node[State]:
    """Neither side tests the fear or terror that a charge would bring; every other test stands, and later turns too."""
    found = waived(s.setup, s.struck[0])
    if not found:
        return Exit("nothing_to_waive", s)
    lines = tuple(Modifier(0, f"{test}: waived", wfb("overrun"), Op.IS) for test in found)
    return Exit("waived", s, tally={"fear_or_terror_waived": 1}, ledgers=(Ledger("tests", lines),))


@fresh_enemy.step(
    wfb("overrun"),
    "As many models as possible",
    straight="align",
    wheels="align",
    halts="finish",
)
def bring_models(s: State) -> Node[State]:
    """The charger must bring as many of its own models into contact as it can.

    It goes straight on, or makes one wheel that the roll pays for, and moves until the units touch.
    """
    found = arrival(s)
    setup = s.setup
    tally = {"distance": hundredths(found.travelled)}
    if found.how is How.HALT:
        tally |= {"cut_short": 1, "free_next_turn": 1}
        return Exit("halts", replace(s, struck=(), ending="halted"), tally=tally, ledgers=(_move(s, found),))
    if suffers_terrain(setup) and charge.crosses_difficult(setup, found):
        tally["chariot_suffers_terrain"] = 1
    tally |= {
        "contact": 1,
        "target": setup.number(found.engaged[0]),
        "models": found.count.open,
        "models_with_corners": found.count.closed,
    }
    if len(found.engaged) > 1:
        tally["second_target"] = setup.number(found.engaged[1])
    if found.defenders:
        tally["enemy_models"] = found.defenders
    after = replace(s, struck=found.engaged)
    if found.how is How.WHEEL:
        return Exit("wheels", after, tally=tally | {"wheels": 1}, ledgers=(_move(s, found), _models(found)))
    return Exit("straight", after, tally=tally, ledgers=(_move(s, found), _models(found)))


def _move(s: State, found: Arrival) -> Ledger:
    wheel = None if found.option is None else found.option.wheel
    if wheel is None:
        lines = [Modifier(hundredths(found.travelled), "straight on", wfb("overrun"))]
    else:
        arc = found.travelled - wheel.before - wheel.after
        lines = [Modifier(hundredths(arc), f"wheel to the {wheel.side}, {degrees(wheel.angle)}", wfb("wheel"))]
        if wheel.before > 0:
            lines.insert(0, Modifier(hundredths(wheel.before), "straight before the wheel", wfb("charge manoeuvre")))
        lines.append(Modifier(hundredths(wheel.after), "straight after the wheel", wfb("charge manoeuvre")))
    return Ledger(f"hundredths of an inch, of a roll of {s.roll}", tuple(lines))


def _models(found: Arrival) -> Ledger:
    count = found.count
    lines = [Modifier(count.open, "files that overlap the enemy's edge", wfb("aligning the combatants"))]
    if count.closed > count.open:
        lines.append(Modifier(count.closed - count.open, "touch it at a corner only", wfb("skirmishers")))
    return Ledger("models in contact", tuple(lines))


@fresh_enemy.step(
    wfb("aligning the combatants"),
    "Alignment",
    flush="panic",
    target_turns="panic",
    unaligned="panic",
    line="panic",
)
def align(s: State) -> Node[State]:
    """The charger turns flush about the touch point, free of charge; if its place is taken the charged unit turns."""
    match arrival(s).alignment:
        case Alignment.TARGET_TURNS:
            return Exit("target_turns", s)
        case Alignment.UNALIGNED:
            return Exit("unaligned", s)
        case Alignment.LINE:
            return Exit("line", s)
        case _:
            return Exit("flush", s)


def flanked(face: Facing | None) -> bool:
    """Whether a charge strikes a flank or the rear."""
    return face is not None and face is not Facing.FRONT


@fresh_enemy.step(
    wfb("panic"), "Panic of a unit struck in flank or rear", no_test="next_turn", steady="next_turn", panics="finish"
)
def panic(s: State) -> Node[State]:
    """A unit that has been fighting since an earlier turn tests panic when it is charged in the flank or rear.

    That test is not one of fear or terror, so it stands.
    """
    target = s.setup.by_id[s.struck[0]]
    exposed = target.engaged_since_earlier and flanked(arrival(s).facing) and not target.immune
    if not exposed or s.setup.ruled("flank_panic", "waive") or target.leadership is None:
        return Exit("no_test", s)
    leadership = target.leadership

    def then(total: int) -> Exit[State]:
        if total <= leadership:
            return Exit("steady", s)
        return Exit("panics", replace(s, ending="target_panics"), tally={"target_panics": 1})

    ledger = Ledger("Leadership", (Modifier(leadership, target.name, wfb("panic"), Op.IS),))
    return Chance(TWO_DICE, then, Seat.DEFENDER, (ledger,))


def bonuses(face: Facing | None, strength: int) -> dict[str, int]:
    """What the next turn's combat looks like from the face struck and the charger's unit strength (C14)."""
    tally = {"fights_next_turn": 1}
    if face is Facing.FRONT:
        tally["strikes_front"] = 1
    elif face is Facing.REAR:
        tally["strikes_rear"] = 1
    elif face is not None:
        tally["strikes_flank"] = 1
    if flanked(face) and strength >= ENOUGH:
        tally["cancels_ranks"] = 1
    return tally


def flank_bonus(face: Facing, strength_at_end: int) -> int:
    """Combat result of a flank (1) or rear (2) attack, judged at the end of the round: it needs unit strength 5."""
    if face == Facing.FRONT or strength_at_end < ENOUGH:
        return 0
    return 2 if face == Facing.REAR else 1


@fresh_enemy.step(wfb("overrun"), "The combat of the following turn", engaged="finish")
def next_turn(s: State) -> Node[State]:
    """The fight waits for the following turn, and the overrunning unit counts as charging then.

    It strikes first and has every bonus, even against an enemy that charges it in between.
    """
    found = arrival(s)
    tally = bonuses(found.facing, s.setup.mover.strength)
    if s.setup.by_id[s.struck[0]].behind_obstacle:
        tally["defended_obstacle"] = 1
    return Exit("engaged", replace(s, ending="contact"), tally=tally)
