"""The defender allots the casualty points, unit by unit; then Guns and vehicles roll for survival (14.61 to 14.65)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from overrun.kernel import Chance, Decision, Exit, Ledger, Modifier, Node, Op, Procedure, Refusal, Seat, changed
from overrun.rulesets.valor.anti_tank import roll_ledger
from overrun.rulesets.valor.anti_tank_fire import DIE
from overrun.rulesets.valor.casualties import (
    SPARE,
    Action,
    Attack,
    Target,
    actions,
    allotments,
    gun_result,
    impossible,
    options,
    refusals,
)
from overrun.rulesets.valor.hexmap import in_arc, vv
from overrun.rulesets.valor.setup import Counter, Kind, Setup
from overrun.rulesets.valor.state import ELIMINATED, Condition, State, called

allotment: Procedure[State] = Procedure("allotment", "Casualty points", vv("14.6"))


@allotment.step(
    vv("14.61"),
    "Allot casualty points",
    spare="allot",
    ignore="allot",
    pin="allot",
    reduce="allot",
    reduce_pin="allot",
    eliminate="allot",
    points="allot",
    met="losses_taken",
)
def allot(s: State) -> Node[State]:
    """The owner takes losses unit by unit until the points are met: a pin 1, a reduction the difference, or the rating.

    Unpinned units come first, pinned ones can only be eliminated, and reductions and eliminations come before pins.
    """
    attack = attack_on(s.setup, s.units, s.points)
    if _settled(attack, s.allotted):
        return Exit("met", s, ledgers=(_met(attack, s.allotted),))
    target = attack.targets[len(s.allotted)]
    return Decision(
        Seat.DEFENDER,
        tuple(_option(s, target, action) for action in options(attack, s.allotted)),
        _refused(attack, s.allotted),
        (_met(attack, s.allotted),),
    )


@lru_cache(maxsize=16384)
def _settled(attack: Attack, taken: tuple[Action, ...]) -> bool:
    """Is there nothing left to choose, because the points are met and every unit after these is spared?"""
    rest = {allotment[len(taken) :] for allotment in allotments(attack) if allotment[: len(taken)] == taken}
    return rest == {(SPARE,) * (len(attack.targets) - len(taken))}


@lru_cache(maxsize=16384)
def _met(attack: Attack, taken: tuple[Action, ...]) -> Ledger:
    lines = [
        Modifier(action.cost, f"{WORDS[action.name]} {target.label}", vv("14.61"))
        for target, action in zip(attack.targets, taken, strict=False)
        if action.cost
    ]
    return Ledger(f"Points met of {attack.points}", tuple(lines))


WORDS = {
    "spare": "spare",
    "ignore": "the first point is ignored by",
    "pin": "pin",
    "reduce": "reduce",
    "reduce_pin": "reduce and pin",
    "eliminate": "eliminate",
    "points": "points on",
}


def _id(target: Target, action: Action) -> str:
    return f"{target.id}:{action.cost}" if action.name == "points" else target.id


def _label(target: Target, action: Action, name: str) -> str:
    if action.name == "points":
        done = {"pinned": "pinned", "survival_roll": "it must roll to survive", "eliminated": "eliminated"}
        points = "1 point" if action.cost == 1 else f"{action.cost} points"
        return f"{points} on {name}: {done[gun_result(target, action.cost)]}"
    return f"{WORDS[action.name]} {name} ({action.cost})"


def _option(s: State, target: Target, action: Action) -> Exit[State]:
    state = changed(s, allotted=(*s.allotted, action))
    label = _label(target, action, called(s.setup, s.units, targets_at(s.setup, s.units)[len(s.allotted)]))
    return Exit(action.name, state, _id(target, action), tally=_tally(target, action), label=label)


@lru_cache(maxsize=4096)
def _tally(target: Target, action: Action) -> Mapping[str, int]:
    name = action.name
    if name == "points":
        name = {"pinned": "pin", "eliminated": "eliminate"}.get(gun_result(target, action.cost), "spare")
    if name == "pin":
        return {"units_pinned": 1}
    if name == "eliminate":
        return {"units_eliminated": 1, "cr_lost": target.cr}
    if target.reduces is not None and name in ("reduce", "reduce_pin"):
        return {"units_reduced": 1, "cr_lost": target.reduces, **({"units_pinned": 1} if "pin" in name else {})}
    return {}


@lru_cache(maxsize=16384)
def _refused(attack: Attack, taken: tuple[Action, ...]) -> tuple[Refusal, ...]:
    target = attack.targets[len(taken)]
    closed = [
        Refusal(f"{action.name}:{_id(target, action)}", reason, vv("14.61"), _label(target, action, target.label))
        for action, reason in refusals(attack, taken)
    ]
    known = {action.name for action in actions(target, attack.points)}
    closed.extend(
        Refusal(f"{name}:{target.id}", reason, vv(section), f"{WORDS[name]} {target.label}")
        for name, reason, section in impossible(target)
        if name not in known
    )
    return tuple(closed)


@allotment.step(vv("14.61"), "Losses are taken", taken="survival")
def losses_taken(s: State) -> Node[State]:
    """Pins, reductions and eliminations take effect; what an eliminated unit carries is lost with it."""
    attack = attack_on(s.setup, s.units, s.points)
    units = list(s.units)
    rest = (SPARE,) * (len(attack.targets) - len(s.allotted))
    for at, target, action in zip(targets_at(s.setup, s.units), attack.targets, (*s.allotted, *rest), strict=True):
        units[at] = _after(units[at], target, action)
    passengers, tally = _aboard(s.setup, units)
    for at in passengers:
        units[at] = ELIMINATED
    return Exit("taken", changed(s, units=tuple(units), points=0, allotted=()).ordered(), tally=tally)


def _after(condition: Condition, target: Target, action: Action) -> Condition:
    name = gun_result(target, action.cost) if action.name == "points" and action.cost > target.extra else action.name
    match name:
        case "eliminate" | "eliminated":
            return ELIMINATED
        case "pin" | "pinned":
            return changed(condition, pinned=True)
        case "reduce":
            return changed(condition, reduced=True)
        case "reduce_pin":
            return changed(condition, reduced=True, pinned=True)
        case "survival_roll":
            return changed(condition, owes=True)
        case _:
            return condition


def _aboard(setup: Setup, units: list[Condition]) -> tuple[list[int], Mapping[str, int]]:
    """Passengers and towed Guns whose vehicle is eliminated while they are not, with what their loss counts."""
    lost = [
        at
        for at, unit in enumerate(setup.units)
        if unit.carrier is not None and units[unit.carrier].eliminated and not units[at].eliminated
    ]
    ratings = sum(printed(setup.units[at].counter, units[at]).cr for at in lost)
    return lost, {"units_eliminated": len(lost), "cr_lost": ratings} if lost else {}


@allotment.step(vv("14.64"), "Survival roll", survives="survival", eliminated="survival", none_owed="leave_target")
def survival(s: State) -> Node[State]:
    """A Gun or vehicle with 2 points up to its rating rolls a die: its rating or less pins it, more eliminates it."""
    at = next((i for i, condition in enumerate(s.units) if condition.owes), None)
    if at is None:
        return Exit("none_owed", s)
    unit, here = s.setup.units[at], s.units
    survivor = changed(here[at], owes=False, pinned=True)

    def then(rolled: int) -> Exit[State]:
        ledgers = (roll_ledger(f"Survival roll of {unit.label}", rolled, (), "14.64"),)
        if rolled <= unit.counter.cr:
            state = changed(s, units=(*here[:at], survivor, *here[at + 1 :])).ordered()
            return Exit("survives", state, tally={"units_pinned": 1}, ledgers=ledgers)
        units = [*here[:at], ELIMINATED, *here[at + 1 :]]
        lost, aboard = _aboard(s.setup, units)
        for index in lost:
            units[index] = ELIMINATED
        tally = {
            "units_eliminated": 1 + aboard.get("units_eliminated", 0),
            "cr_lost": unit.counter.cr + aboard.get("cr_lost", 0),
        }
        return Exit("eliminated", changed(s, units=tuple(units)).ordered(), tally=tally, ledgers=ledgers)

    number = Ledger("Survives at", (Modifier(unit.counter.cr, f"or less, {unit.label}", vv("14.64"), Op.IS),))
    return Chance(DIE, then, Seat.DEFENDER, (number,))


# ---------------------------------------------------------------- who is a target, and with what figures


def printed(counter: Counter, condition: Condition) -> Counter:
    """The counter that now stands on the map: a reduced squad's half squad."""
    return counter.half if condition.reduced and counter.half is not None else counter


@lru_cache(maxsize=16384)
def targets_at(setup: Setup, units: tuple[Condition, ...]) -> tuple[int, ...]:
    """The places of the units that can take points: those in the target hex still there, towed Guns left out."""
    return tuple(
        at
        for at, unit in enumerate(setup.units)
        if unit.hex == setup.target and unit.counter.kind.target and not unit.towed and not units[at].eliminated
    )


@lru_cache(maxsize=16384)
def attack_on(setup: Setup, units: tuple[Condition, ...], points: int) -> Attack:
    """The casualty points with every unit that can take them."""
    places = targets_at(setup, units)
    targets = tuple(_target(setup, units, at, places) for at in places)
    return Attack(
        targets,
        points,
        setup.rulings["over_allocation"] == "irredundant",
        setup.rulings["pinned_pay_after_pins"] == "yes",
    )


def _target(setup: Setup, units: tuple[Condition, ...], at: int, places: tuple[int, ...]) -> Target:
    unit, condition = setup.units[at], units[at]
    counter = printed(unit.counter, condition)
    half = counter.half if counter.kind is Kind.SQUAD else None
    load = sum(
        printed(other.counter, units[i]).cr
        for i, other in enumerate(setup.units)
        if other.carrier == at and not other.towed and not units[i].eliminated
    )
    return Target(
        unit.id,
        unit.label,
        counter.cr,
        counter.cr - half.cr if half is not None else None,
        condition.pinned,
        condition.valorous or _shielded(setup, at),
        counter.kind in (Kind.GUN, Kind.VEHICLE),
        places.index(unit.carrier) if unit.carrier is not None else None,
        load if condition.pinned else 0,
        unit.group,
    )


def _shielded(setup: Setup, at: int) -> bool:
    """Does a Gun's shield face the hex that the AFV came from?"""
    unit, target = setup.units[at], setup.path.target
    entered_from = setup.leg(target - 1).hex if target else setup.afv.hex
    return unit.counter.shield and unit.facing is not None and in_arc(unit.hex, unit.facing, entered_from)
