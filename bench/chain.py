"""The reference chain as a ruleset of ours: the same numbers as cited steps, with the two decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bench.numbers import ATTACK, BOG, MORALE, UNIT_WORTH_TWICE, VEHICLE_WORTH, checked, kill_number
from overrun.kernel import (
    Chance,
    Decision,
    Dice,
    Each,
    End,
    Exit,
    Measure,
    Node,
    Payoff,
    Position,
    Procedure,
    Returned,
    Rules,
    Ruleset,
    Rulings,
    Seat,
    Situation,
    changed,
    work,
)
from overrun.kernel.measure import Kind

cite = work("Chain")
DR = Dice("DR", (6, 6), sum)
UNIT = ("passed", "pinned", "broken", "dead")


@dataclass(frozen=True, slots=True)
class State:
    """Three units, the vehicle, and the trouble that units must check for."""

    units: tuple[int, ...] = (0, 0, 0)
    vehicle: int = 0
    trouble: int = 0


@dataclass(frozen=True, slots=True)
class Sub:
    """What one check reads."""

    unit: int
    morale: int
    trouble: int


def live(step: str, s: State) -> State:
    """After the reaction nobody reads the units again, and after the bog roll nobody reads anything."""
    if step == "over":
        return State(())
    return changed(s, units=()) if step == "bog" else s


def build(*, joint: bool = False) -> Rules[State]:
    """The rules. With `joint` the end names the whole final state, as the peers' answers do, and nothing is dropped."""
    main: Procedure[State] = Procedure("chain", "Chain", cite("1"))
    check: Procedure[Sub] = Procedure("check", "Check", cite("2"), returns=UNIT)

    @main.step(cite("1"), "Declaration", go="attack", decline="over")
    def declare(s: State) -> Node[State]:
        """The attacker may decline."""
        return Decision(Seat.ATTACKER, (Exit("go", s), Exit("decline", s)))

    @main.step(cite("1.1"), "Attack", trouble="checks", nothing="reaction")
    def attack(s: State) -> Node[State]:
        """The attack is rolled on its table; it may kill the first unit."""

        def then(total: int) -> Exit[State]:
            dies, trouble = ATTACK.get(total, (False, 0))
            if dies:
                return Exit("trouble", changed(s, units=(3, *s.units[1:]), trouble=trouble), tally={"dead": 1})
            return Exit("trouble" if trouble else "nothing", changed(s, trouble=trouble))

        return Chance(DR, then, Seat.ATTACKER)

    @check.step(cite("2"), "Check", passed="passed", pinned="pinned", broken="broken", dead="dead")
    def roll(sub: Sub) -> Node[Sub]:
        """A unit checks."""

        def then(total: int) -> Exit[Any]:
            unit = checked(sub.unit, total, sub.trouble, sub.morale)
            return Exit(UNIT[unit], unit, tally={UNIT[unit]: 1} if unit else None)

        return Chance(DR, then, Seat.DEFENDER)

    @main.step(cite("2"), "Checks", calls=("check",), checked="reaction")
    def checks(s: State) -> Node[State]:
        """Every unit that is left checks, in order."""
        places = [place for place, unit in enumerate(s.units) if unit != 3]

        def fold(s: State, index: int, back: Returned) -> State:
            units = list(s.units)
            units[places[index]] = back.state
            return changed(s, units=tuple(units))

        subs = tuple(Sub(s.units[place], MORALE[place], s.trouble) for place in places)
        return Each("check", subs, s, fold, lambda s: Exit("checked", changed(s, trouble=0)))

    @main.step(cite("3"), "Reaction", react="reaction_dr", hold="bog", nobody="bog")
    def reaction(s: State) -> Node[State]:
        """Units that are fit or pinned may attack the vehicle together."""
        if min(s.units) >= 2:
            return Exit("nobody", s)
        return Decision(Seat.DEFENDER, (Exit("react", s), Exit("hold", s)))

    @main.step(cite("3.1"), "Reaction roll", dead="bog", stuck="bog", missed="bog")
    def reaction_dr(s: State) -> Node[State]:
        """The more of them are able, the better the roll."""
        number = kill_number(s.units)

        def then(total: int) -> Exit[State]:
            if total < number:
                return Exit("dead", changed(s, vehicle=2), tally={"vehicle_dead": 1})
            if total == number:
                return Exit("stuck", changed(s, vehicle=1), tally={"vehicle_stuck": 1})
            return Exit("missed", s)

        return Chance(DR, then, Seat.DEFENDER)

    @main.step(cite("4"), "Bog", bogged="over", free="over", not_moving="over")
    def bog(s: State) -> Node[State]:
        """A vehicle that is still fit may bog."""
        if s.vehicle:
            return Exit("not_moving", s)

        def then(total: int) -> Exit[State]:
            if total >= BOG:
                return Exit("bogged", changed(s, vehicle=1), tally={"vehicle_stuck": 1})
            return Exit("free", s)

        return Chance(DR, then, Seat.ATTACKER)

    @main.step(cite("9"), "Over")
    def over(s: State) -> Node[State]:
        """The chain is over."""
        return End(f"units {s.units} vehicle {s.vehicle}" if joint else "over")

    return Rules("chain", (main, check), "declare", live=None if joint else live).freeze()


START: Position[State] = Position("declare", State())
PLAN = {"declare": ["go"], "reaction": ["react"]}
"""The chain without decisions."""

MEASURES = (
    Measure("pinned", "units pinned"),
    Measure("broken", "units broken"),
    Measure("dead", "units dead"),
    Measure("vehicle_stuck", "the vehicle is stuck", Kind.EVENT),
    Measure("vehicle_dead", "the vehicle is dead", Kind.EVENT),
)
PAYOFF = Payoff(
    "worth",
    "twice the worth of units, less twice that of the vehicle",
    {
        "pinned": UNIT_WORTH_TWICE[1],
        "broken": UNIT_WORTH_TWICE[2],
        "dead": UNIT_WORTH_TWICE[3],
        "vehicle_stuck": -2 * VEHICLE_WORTH[1],
        "vehicle_dead": -2 * VEHICLE_WORTH[2],
    },
)

chain = Ruleset(
    id="chain",
    title="The reference chain",
    version="1",
    edition="bench",
    cite=cite("1"),
    seats={Seat.ATTACKER: "vehicle", Seat.DEFENDER: "units"},
    rules=build(),
    rulings=Rulings(()),
    measures=MEASURES,
    payoffs=(PAYOFF,),
    tables=tuple,
    load=lambda document: Situation("chain", START, {}, PLAN),
    schema=dict,
    starter=lambda: "",
    describe=lambda state: [repr(state)],
)
