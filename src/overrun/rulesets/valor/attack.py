"""The overrun attack: into the target hex, who aboard takes part, and the roll (19.3, 19.4)."""

from __future__ import annotations

from collections.abc import Iterator

from overrun.kernel import (
    Chance,
    Decision,
    Each,
    Exit,
    Ledger,
    Modifier,
    Node,
    Op,
    Procedure,
    Refusal,
    Returned,
    Seat,
    changed,
)
from overrun.rulesets.valor.anti_tank import roll_ledger
from overrun.rulesets.valor.anti_tank_fire import TWO_DICE
from overrun.rulesets.valor.figures import figure
from overrun.rulesets.valor.firepower import apfp, casualty_points, roll_modifiers
from overrun.rulesets.valor.hexmap import vv
from overrun.rulesets.valor.mines import mines
from overrun.rulesets.valor.opportunity import key
from overrun.rulesets.valor.outcome import without_snipers
from overrun.rulesets.valor.setup import Counter, Kind, Setup, Unit
from overrun.rulesets.valor.state import State

attack: Procedure[State] = Procedure("attack", "Overrun attack", vv("19.4"))
target_mines = mines.mounted(
    "target_mines", "Mines in the target hex", passed="passengers_join", eliminated="overrun_ends"
)
passenger_valor: Procedure[int] = Procedure(
    "passenger_valor", "Valor check of a passenger", vv("16.2"), returns=("valorous", "unchanged")
)


@attack.step(vv("19.3"), "Enter the target hex", entered="target_mines.roll")
def enter_target(s: State) -> Node[State]:
    """The AFV drives into the target hex; nobody may fire at it there. A sniper in the hex is eliminated."""
    state, tally = without_snipers(changed(s, leg=s.setup.path.target), s.setup.target)
    return Exit("entered", state, tally=tally, label=f"enters {s.setup.target}")


@attack.step(
    vv("19.4"), "Passengers take part", join="passengers_join", stay="passengers_join", all_chosen="overrun_attack"
)
def passengers_join(s: State) -> Node[State]:
    """Infantry aboard may add their APFP undoubled, with light machine guns, satchel charges and grenades."""
    index = next((i for i, passenger in enumerate(s.passengers) if passenger.joins is None), None)
    if index is None:
        return Exit("all_chosen", s)
    unit = s.setup.passengers[index]
    joins = tuple(
        Exit("join", _joined(s, index, used), f"{unit.id}{_detail(used)}", label=f"{unit.label} joins{_words(used)}")
        for used in _ways(s, unit)
    )
    stays = _joined(s, index, ())
    refused = tuple(_barred_weapons(unit))
    total = apfp(s.setup, stays.passengers)
    if int(total.total) < 1 and index == len(s.passengers) - 1:
        refused = (*refused, Refusal(f"stay:{unit.id}", "Without it the overrun has no APFP.", vv("19.4"), unit.label))
        return Decision(Seat.ATTACKER, joins, refused, (total,))
    return Decision(
        Seat.ATTACKER, (*joins, Exit("stay", stays, unit.id, label=f"{unit.label} stays out of it")), refused, (total,)
    )


def _joined(s: State, index: int, used: tuple[str, ...]) -> State:
    passengers = (*s.passengers[:index], changed(s.passengers[index], joins=used), *s.passengers[index + 1 :])
    spent = tuple(
        left - bool((counter.apfp and "satchel" in used) or (counter.grenades and "grenades" in used))
        for (counter, _), left in zip(s.setup.attacker_pool, s.attacker_pool, strict=True)
    )
    return changed(s, passengers=passengers, attacker_pool=spent)


def _ways(s: State, unit: Unit) -> Iterator[tuple[str, ...]]:
    """Every way for a passenger to take part: alone, with one weapon or satchel, each with or without grenades."""
    left = {
        "satchel" if counter.apfp else "grenades": n > 0
        for (counter, _), n in zip(s.setup.attacker_pool, s.attacker_pool, strict=True)
    }
    with_what = ["", *(f"weapon:{weapon.name}" for weapon in unit.weapons if _light(weapon))]
    if left.get("satchel"):
        with_what.append("satchel")
    for what in with_what:
        used = ("unit", what) if what else ("unit",)
        yield used
        if left.get("grenades"):
            yield (*used, "grenades")


def _light(weapon: Counter) -> bool:
    return weapon.size == "L" and weapon.apfp > 0


def _barred_weapons(unit: Unit) -> Iterator[Refusal]:
    for weapon in unit.weapons:
        if not _light(weapon):
            reason = f"Passengers use light machine guns, grenades and satchel charges only, not the {weapon.name}."
            yield Refusal(f"join:{unit.id}:{key(weapon.name)}", reason, vv("18.1" if weapon.at else "19.4"), unit.label)


def _detail(used: tuple[str, ...]) -> str:
    with_what = "+".join(key(part.removeprefix("weapon:")) for part in used if part != "unit")
    return f":{with_what}" if with_what else ""


def _words(used: tuple[str, ...]) -> str:
    with_what = " and ".join(part.removeprefix("weapon:") for part in used if part != "unit")
    return f" with {with_what}" if with_what else ""


@attack.step(
    vv("19.4"), "Overrun roll", casualties="allot", no_effect="leave_target", natural_two="passengers_check_valor"
)
def overrun_attack(s: State) -> Node[State]:
    """Two dice, modified by the cover of the hex, on the AP Combat Table with the AFV's doubled APFP and passengers."""
    setup = s.setup
    total, modifiers = apfp(setup, s.passengers), roll_modifiers(setup, s.passengers)
    added, power, low = int(modifiers.total), int(total.total), setup.rulings["low_roll"]
    checks = setup.rulings["valor_checks"] == "on" and any(p.joins for p in s.passengers)

    def then(rolled: int) -> Exit[State]:
        points, ledger = casualty_points(power, rolled + added, low)
        ledgers = (roll_ledger("AP roll", rolled, modifiers.lines, "19.4"), ledger)
        state = changed(s, points=points)
        tally = {"overrun_proceeds": 1, "casualty_points": points}
        if rolled == figure("valor", "natural") and checks:
            return Exit("natural_two", state, tally=tally, ledgers=ledgers)
        return Exit("casualties" if points else "no_effect", state, tally=tally, ledgers=ledgers)

    return Chance(TWO_DICE, then, Seat.ATTACKER, (total, modifiers))


@passenger_valor.step(vv("16.2"), "Valor check of a passenger", valorous="valorous", unchanged="unchanged")
def check(number: int) -> Node[int]:
    """Two dice at or below a passenger's casualty rating, 6 for a leader, make it valorous."""

    def then(rolled: int) -> Exit[int]:
        name = "valorous" if rolled <= number else "unchanged"
        return Exit(name, 0, ledgers=(roll_ledger("Valor roll", rolled, (), "16.2"),))

    return Chance(
        TWO_DICE, then, Seat.ATTACKER, (Ledger("Valor number", (Modifier(number, "or less", vv("16.2"), Op.IS),)),)
    )


@attack.step(
    vv("16.2"),
    "Passengers check valor",
    calls=(passenger_valor.id,),
    casualties="allot",
    no_effect="leave_target",
)
def passengers_check_valor(s: State) -> Node[State]:
    """A natural 2 brings a valor check to every passenger who took part. The AFV itself never checks."""
    joined = tuple(i for i, passenger in enumerate(s.passengers) if passenger.joins and not passenger.valorous)

    def fold(state: State, index: int, returned: Returned) -> State:
        at = joined[index]
        checked = changed(state.passengers[at], valorous=returned.exit == "valorous")
        return changed(state, passengers=(*state.passengers[:at], checked, *state.passengers[at + 1 :]))

    numbers = tuple(_valor_number(s.setup, at) for at in joined)
    name = "casualties" if s.points else "no_effect"
    return Each(passenger_valor.id, numbers, s, fold, lambda state: Exit(name, state))


def _valor_number(setup: Setup, passenger: int) -> int:
    counter = setup.passengers[passenger].counter
    return int(figure("valor", "leader_number")) if counter.kind is Kind.LEADER else counter.cr
