"""A throw-away ruleset of ASL's kind: it proves the kernel before any real ruleset is widened.

An attack on a result table, a morale check per unit helped by a leader, a reaction by each surviving unit, and another
overrun while movement lasts. `build` can leave out each of the things that keep answers small, one at a time, so that
their effect is measured and their answers are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from overrun.kernel import (
    Chance,
    Decision,
    Dice,
    Each,
    End,
    Exit,
    Ledger,
    Measure,
    Modifier,
    Node,
    Payoff,
    Position,
    Procedure,
    Refusal,
    Restriction,
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

cite = work("Drill")
DR = Dice("DR", (6, 6), sum)

MORALE = {"leader": 8, "squad": 7, "half": 6}
WORTH = {"leader": 1, "squad": 2, "half": 1}
ATTACK = {2: ("kia", 2), 3: ("kia", 1), 4: ("mc", 3), 5: ("mc", 2), 6: ("mc", 1), 7: ("mc", 0), 8: ("pin", 0)}
"""Final DR of the attack: result and the modifier of the checks it causes; anything higher has no effect."""


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    kind: str
    condition: str = "good"
    mark: str = ""
    """ "fired" after a reaction; "owes" before a morale check that has not been rolled yet."""


@dataclass(frozen=True, slots=True)
class Sub:
    """What one morale check reads."""

    unit: Unit
    drm: int
    pin_only: bool


@dataclass(frozen=True, slots=True)
class State:
    units: tuple[Unit, ...]
    mp: int
    vehicle: str = "ok"
    result: tuple[str, int] | None = None
    reacting: Unit | None = None
    lost: tuple[str, ...] = ()
    """Hoarded only by the variant without tallies."""


def tidy(s: State, **changes: Any) -> State:
    if "units" in changes:
        changes["units"] = tuple(sorted(changes["units"]))
    return changed(s, **changes)


def put(s: State, old: Unit, new: Unit | None) -> tuple[Unit, ...]:
    units = list(s.units)
    units.remove(old)
    return tuple(units) if new is None else (*units, new)


def checked(unit: Unit, dr: int, drm: int, *, pin_only: bool) -> tuple[str, Unit | None]:
    """A morale check: how it came out, and what is left of the unit."""
    clean, final, morale = changed(unit, mark="" if unit.mark == "owes" else unit.mark), dr + drm, MORALE[unit.kind]
    if pin_only:
        return ("pinned", changed(clean, condition="pinned")) if final > morale else ("passed", clean)
    if dr == 12 or (final > morale and unit.condition == "broken"):
        return "eliminated", None
    if final > morale:
        return "broken", changed(clean, condition="broken")
    if final == morale and unit.condition == "good":
        return "pinned", changed(clean, condition="pinned")
    return "passed", clean


def leader_helps(units: Sequence[Unit]) -> bool:
    return any(unit.kind == "leader" and unit.condition == "good" for unit in units)


def live(step: str, s: State) -> State:
    """A broken unit never reacts again, so its mark is dead; after the last pass so is everything but the end."""
    if step == "finish":
        return changed(s, units=(), mp=0, vehicle="")
    units = tuple(changed(u, mark="") if u.condition != "good" and u.mark == "fired" else u for u in s.units)
    if step in {"again"} and (s.mp == 0 or s.vehicle != "ok"):
        units = ()
    return tidy(s, units=units)


def build(*, tallies: bool = True, each: bool = True) -> Rules[State]:  # noqa: PLR0915
    main: Procedure[State] = Procedure("overrun", "Overrun", cite("1"))
    check: Procedure[Sub] = Procedure(
        "check", "Morale check", cite("2"), returns=("passed", "pinned", "broken", "eliminated")
    )

    def left(name: str, s: State, counts: dict[str, int], **changes: Any) -> Exit[State]:
        after = tidy(s, **changes)
        if tallies:
            return Exit(name, after, tally=counts)
        return Exit(
            name, changed(after, lost=tuple(sorted((*s.lost, *(n for n, k in counts.items() for _ in range(k))))))
        )

    @main.step(cite("1"), "Declare", overrun="attack", decline="finish")
    def declare(s: State) -> Node[State]:
        """The tank may overrun."""
        bail = Refusal("bail", "the crew bails out only of an immobilised tank", cite("1"))
        return Decision(Seat.ATTACKER, (Exit("overrun", changed(s, mp=s.mp - 1)), Exit("decline", s)), (bail,))

    @main.step(cite("1.1"), "Attack", kia="morale", checks="morale", pins="morale", no_effect="reaction")
    def attack(s: State) -> Node[State]:
        """The attack is rolled on the table."""
        tem = Ledger("DRM", (Modifier(1, "TEM", cite("1.2")),))

        def then(dr: int) -> Exit[State]:
            result = ATTACK.get(int(dr + tem.total))
            if result is None:
                return Exit("no_effect", s)
            name, drm = result
            if name == "kia":
                victim = max(s.units)
                owing = tuple(changed(u, mark="owes") for u in put(s, victim, None))
                return left("kia", s, {"lost": WORTH[victim.kind]}, units=owing, result=("mc", drm))
            owing = tuple(changed(u, mark="owes") for u in s.units)
            return left("pins" if name == "pin" else "checks", s, {}, units=owing, result=(name, drm))

        return Chance(DR, then, Seat.ATTACKER, (tem,))

    if each:

        @check.step(cite("2"), "Check", passed="passed", pinned="pinned", broken="broken", eliminated="eliminated")
        def roll(sub: Sub) -> Node[Sub]:
            """The unit checks its morale."""

            def then(dr: int) -> Exit[Any]:
                how, unit = checked(sub.unit, dr, sub.drm, pin_only=sub.pin_only)
                return Exit(how, unit, tally=count(how, sub.unit) if tallies else None)

            return Chance(DR, then, Seat.DEFENDER)

        @main.step(cite("2.1"), "Morale", calls=("check",), checked="reaction")
        def morale(s: State) -> Node[State]:
            """Every unit checks its morale, the leader first."""
            assert s.result is not None
            name, drm = s.result
            leaders = [u for u in s.units if u.kind == "leader"]
            order = (*leaders, *(u for u in s.units if u.kind != "leader"))
            modifier = drm - (leader_helps(s.units) if not leaders else 0)
            subs = tuple(Sub(u, modifier, name == "pin") for u in order)

            def fold(s: State, index: int, back: Returned) -> State:
                after = tidy(s, units=put(s, order[index], back.state))
                if tallies or back.exit not in {"broken", "eliminated"}:
                    return after
                counts = count(back.exit, order[index])
                return changed(after, lost=tuple(sorted((*s.lost, *(n for n, k in counts.items() for _ in range(k))))))

            return Each("check", subs, s, fold, lambda s: Exit("checked", changed(s, result=None)))

    else:

        @main.step(cite("2.1"), "Morale", checked="morale", all_checked="reaction")
        def morale(s: State) -> Node[State]:
            """Every unit checks its morale, the leader first."""
            owing = [u for u in s.units if u.mark == "owes"]
            if not owing:
                return Exit("all_checked", changed(s, result=None))
            assert s.result is not None
            name, drm = s.result
            unit = min(owing, key=lambda u: (u.kind != "leader", u))

            def then(dr: int) -> Exit[State]:
                how, after = checked(unit, dr, drm, pin_only=name == "pin")
                return left("checked", s, count(how, unit), units=put(s, unit, after))

            return Chance(DR, then, Seat.DEFENDER)

    @main.step(cite("3"), "Reaction", react="reaction_dr", hold="again", nobody="again")
    def reaction(s: State) -> Node[State]:
        """Each unbroken unpinned unit may attack the tank once."""
        able = sorted({u for u in s.units if u.condition == "good" and u.mark == ""})
        if not able or s.vehicle != "ok":
            return Exit("nobody", s)
        options = (*(Exit("react", changed(s, reacting=u), u.kind) for u in able), Exit("hold", s))
        return Decision(Seat.DEFENDER, options)

    @main.step(cite("3.1"), "Reaction DR", destroyed="again", immobilised="again", missed="reaction", pinned="reaction")
    def reaction_dr(s: State) -> Node[State]:
        """The unit attacks the tank in close combat."""
        unit = s.reacting
        assert unit is not None
        kill = 2 + WORTH[unit.kind] + leader_helps(s.units)

        def then(dr: int) -> Exit[State]:
            if dr < kill:
                return left("destroyed", s, {"tank_lost": 1}, vehicle="dead", reacting=None)
            if dr == kill:
                return left("immobilised", s, {"tank_stuck": 1}, vehicle="stuck", reacting=None)
            if dr > 10:
                pinned = put(s, unit, changed(unit, condition="pinned", mark="fired"))
                return left("pinned", s, {}, units=pinned, reacting=None)
            return left("missed", s, {}, units=put(s, unit, changed(unit, mark="fired")), reacting=None)

        return Chance(DR, then, Seat.DEFENDER)

    @main.step(cite("4"), "Again", again="attack", stop="finish", cannot="finish")
    def again(s: State) -> Node[State]:
        """While it can move and has MP the tank may overrun again."""
        if s.vehicle != "ok" or not s.units or s.mp == 0:
            return Exit("cannot", s)
        return Decision(Seat.ATTACKER, (Exit("again", changed(s, mp=s.mp - 1)), Exit("stop", s)))

    @main.step(cite("9"), "Finish")
    def finish(s: State) -> Node[State]:
        """The overrun is over."""
        return End(f"over {','.join(s.lost)}" if not tallies else "over")

    def keep(position: Position[Any], node: Decision[Any]) -> Sequence[Exit[Any]]:
        return node.options[:1] if position.step == "reaction" else node.options

    first = Restriction(
        "first_reaction_only", "each decision to react offers its first option only", Seat.DEFENDER, keep
    )
    return Rules("drill", (main, check) if each else (main,), "declare", live=live, restrictions=(first,)).freeze()


def count(how: str, unit: Unit) -> dict[str, int]:
    if how == "eliminated":
        return {"lost": WORTH[unit.kind]}
    return {"broken": WORTH[unit.kind]} if how == "broken" and unit.condition != "broken" else {}


UNITS = (Unit("squad"), Unit("leader"), Unit("half"), Unit("squad"), Unit("half"), Unit("squad"))


def position(units: int, passes: int = 2) -> Position[State]:
    return Position("declare", State(tuple(sorted(UNITS[:units])), passes))


MEASURES = (
    Measure("lost", "points of units eliminated"),
    Measure("broken", "points of units broken, counted when they break"),
    Measure("tank_lost", "the tank is destroyed", Kind.EVENT),
    Measure("tank_stuck", "the tank is immobilised", Kind.EVENT),
)
PAYOFF = Payoff(
    "points", "points for units, less the tank", {"lost": 2, "broken": 1, "tank_lost": -6, "tank_stuck": -3}
)
SITUATION = Situation("Drill", position(2), {})

drill = Ruleset(
    id="drill",
    title="Drill",
    version="1",
    edition="test",
    cite=cite("1"),
    seats={Seat.ATTACKER: "tank", Seat.DEFENDER: "infantry"},
    rules=build(),
    rulings=Rulings(()),
    measures=MEASURES,
    payoffs=(PAYOFF,),
    tables=tuple,
    load=lambda document: SITUATION,
    schema=dict,
    starter=lambda: "",
    describe=lambda state: [repr(state)],
)
