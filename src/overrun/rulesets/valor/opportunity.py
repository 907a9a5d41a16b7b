"""Who may fire at the overrunning AFV, with what, and how well (12.5, 13.1, 13.6, 13.8, 18.1, 19.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from overrun.kernel import Exit, Ledger, Refusal, changed
from overrun.rulesets.valor.anti_tank import (
    Armor,
    Shot,
    cover_modifiers,
    gun_number,
    leader_modifier,
    number_ledger,
    valorous_modifier,
)
from overrun.rulesets.valor.figures import figure
from overrun.rulesets.valor.hexmap import Aspect, aspect, in_arc, vv
from overrun.rulesets.valor.setup import Counter, Kind, Setup, Unit
from overrun.rulesets.valor.state import Condition, State, called


@dataclass(frozen=True, slots=True)
class Means:
    """An AT weapon that a unit can use: of the player's pool (`pool` is its place there), carried, or its own gun."""

    key: str
    label: str
    at: str
    range: int | None
    pool: int | None = None


@dataclass(frozen=True, slots=True)
class Prospect:
    """A shot that the map allows: its number, its modifiers but for the firer's own, and the armor it may meet.

    Each aspect has the suffix of its option: empty, or the firer's choice between two facings of a turning AFV.
    """

    means: Means
    number: Ledger
    cover: Ledger
    aspects: tuple[tuple[str, Aspect], ...]


@dataclass(frozen=True, slots=True)
class Aim:
    """One way to take a shot: with which leader, at which armor, and whether as Final Opportunity Fire."""

    prospect: Prospect
    leader: int | None
    suffix: str
    side: Aspect
    final: bool


def key(name: str) -> str:
    """A counter's name as part of an option id."""
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


@lru_cache(maxsize=1024)
def means(setup: Setup, unit: int) -> tuple[Means, ...]:
    """The AT weapons open to a unit, whatever its condition. Passengers and towed Guns have none (18.1)."""
    firer = setup.units[unit]
    if firer.carrier is not None or firer.towed:
        return ()
    counter = firer.counter
    if counter.gun is not None:
        return (Means("gun", "its gun", counter.gun.at, None),)
    if not counter.kind.infantry:
        return ()
    carried = (Means(key(w.name), f"the {w.name}", w.at, w.range) for w in firer.weapons if w.at and not w.mortar)
    drawn = (Means(key(w.name), f"a {w.name}", w.at, w.range, place) for place, (w, _) in enumerate(setup.pool) if w.at)
    return (*carried, *drawn)


@lru_cache(maxsize=16384)
def prospect(setup: Setup, unit: int, with_: Means, leg: int, final: bool) -> Prospect | Refusal:
    """Whether a unit can hit the AFV in that hex of its path with that weapon, or the reason why not."""
    firer, at = setup.units[unit], setup.leg(leg)
    id = f"{'final' if final else 'fire'}:{firer.id}:{with_.key}"
    distance = firer.hex.distance(at.hex)
    if with_.range is not None and distance > with_.range:
        reason = f"{at.hex} is {distance} hexes away and {with_.label} reaches {with_.range}."
        return Refusal(id, reason, vv("12.51" if with_.pool is not None else "18.1"), firer.label)
    hindrances = 0
    if distance > 1:
        seen = dict(firer.sees)
        if at.hex not in seen:
            return Refusal(id, f"{firer.label} in {firer.hex} does not see {at.hex}.", vv("13.8"), firer.label)
        hindrances = seen[at.hex]
    if (arc := _arc(setup, firer)) is not None and not in_arc(firer.hex, arc, at.hex):
        return Refusal(id, f"{at.hex} is outside the forward firing arc of {firer.label}.", vv("7.4"), firer.label)
    number = gun_number(distance) if with_.range is None else figure("to_hit", "support_weapon")
    return Prospect(
        with_,
        number_ledger(with_.label, number, distance),
        Ledger("Cover", cover_modifiers(setup.board[at.hex], hindrances)),
        (("", Aspect.REAR),) if final else _aspects(setup, firer, leg),
    )


def _arc(setup: Setup, firer: Unit) -> int | None:
    gun = firer.counter.gun
    if gun is not None and not gun.turret:
        return firer.facing
    return setup.board[firer.hex].bunker_facing


def _aspects(setup: Setup, firer: Unit, leg: int) -> tuple[tuple[str, Aspect], ...]:
    at, ruling = setup.leg(leg), setup.rulings["turn_vs_fire"]
    before, after = aspect(at.hex, at.facing, firer.hex), aspect(at.hex, at.turned, firer.hex)
    if before is after or ruling == "before_turn":
        return (("", before),)
    if ruling == "after_turn":
        return (("", after),)
    return ((":before-turn", before), (":after-turn", after))


def shots(s: State, final: bool) -> tuple[tuple[Exit[State], ...], tuple[Refusal, ...]]:
    """Every shot that a unit may take now, as options of the exit "fire" or "final", and every closed one."""
    options: list[Exit[State]] = []
    refused: list[Refusal] = []
    seen: set[tuple[str, Condition]] = set()
    for index, unit in enumerate(s.setup.units):
        condition = s.units[index]
        if condition.eliminated or (final and unit.hex != s.setup.target):
            continue
        refused.extend(_mortars(unit, final))
        usable = [m for m in means(s.setup, index) if m.pool is None or s.pool[m.pool]]
        if not usable:
            continue
        if unit.group:
            if (unit.group, condition) in seen:
                continue
            seen.add((unit.group, condition))
        if (refusal := _closed(s, index, final)) is not None:
            refused.append(refusal)
            continue
        for weapon in usable:
            found = prospect(s.setup, index, weapon, s.leg, final)
            if isinstance(found, Refusal):
                refused.append(found)
            else:
                options.extend(_variants(s, index, found, final))
    return tuple(options), tuple(refused)


def mortars(unit: Unit) -> tuple[str, ...]:
    """The mortars that a unit carries: they have an AT rating and may not opportunity fire (12.61)."""
    return tuple(weapon.name for weapon in unit.weapons if weapon.mortar)


def _mortars(unit: Unit, final: bool) -> Iterator[Refusal]:
    for name in mortars(unit):
        id = f"{'final' if final else 'fire'}:{unit.id}:{key(name)}"
        yield Refusal(id, f"The {name} is a mortar, and mortars make no Opportunity Fire.", vv("12.61"), unit.label)


def _closed(s: State, index: int, final: bool) -> Refusal | None:
    unit, condition = s.setup.units[index], s.units[index]
    if condition.pinned:
        reason, section = f"{unit.label} is pinned and can take no action.", "14.7"
    elif final and (condition.final or condition.led):
        reason, section = f"{unit.label} has had its part in a shot as the AFV leaves.", "19.2"
    elif not final and condition.fired:
        reason, section = f"{unit.label} has a Fire marker: one attack in a turn.", "13.1"
    else:
        return None
    id = f"{'final' if final else 'fire'}:{unit.id}"
    return Refusal(id, reason, vv(section), called(s.setup, s.units, index))


def _variants(s: State, index: int, found: Prospect, final: bool) -> Iterator[Exit[State]]:
    unit = s.setup.units[index]
    leaders: list[int | None] = [None]
    if unit.counter.kind is not Kind.LEADER and unit.counter.kind is not Kind.AFV:
        leaders.extend(_leaders(s, unit, final))
    for leader in leaders:
        for suffix, side in found.aspects:
            yield _option(s, index, Aim(found, leader, suffix, side, final))


def _leaders(s: State, unit: Unit, final: bool) -> Iterator[int]:
    """Leaders in the firer's hex who may still modify a roll: unmarked ones, or for Final fire even marked ones."""
    for index, leader in enumerate(s.setup.units):
        condition = s.units[index]
        if (
            leader.counter.kind is Kind.LEADER
            and leader.hex == unit.hex
            and leader.carrier is None
            and not condition.eliminated
            and not condition.pinned
            and not ((condition.led or (condition.final and condition.fired)) if final else condition.fired)
        ):
            yield index


def _option(s: State, index: int, aim: Aim) -> Exit[State]:
    setup, weapon, leader, final = s.setup, aim.prospect.means, aim.leader, aim.final
    unit, condition = setup.units[index], s.units[index]
    shot = _shot(setup, index, (condition.reduced, condition.valorous), aim, s.immobile)
    by = f":{setup.units[leader].id}" if leader is not None else ""
    led_by = f", led by {setup.units[leader].label}" if leader is not None else ""
    label = f"{called(setup, s.units, index)} fires {weapon.label} at the {aim.side.value} armor{led_by}"
    once = final or (s.leg == setup.path.exit and setup.rulings["exit_shots"] == "one")
    own_lead = final and unit.counter.kind is Kind.LEADER
    units = list(s.units)
    units[index] = changed(condition, fired=True, final=condition.final or once, led=condition.led or own_lead)
    if leader is not None:
        units[leader] = changed(units[leader], fired=True, led=units[leader].led or final)
    pool = s.pool
    if weapon.pool is not None:
        pool = tuple(n - (place == weapon.pool) for place, n in enumerate(pool))
    return Exit(
        "final" if final else "fire",
        changed(s, units=tuple(units), pool=pool, shot=shot, firer=index),
        f"{unit.id}:{weapon.key}{by}{aim.suffix}",
        ledgers=(aim.prospect.number, Ledger("To-hit modifiers", shot.modifiers)),
        label=f"{label} (Final Opportunity Fire)" if final else label,
        tally={"shots_fired": 1} if weapon.pool is None else {"shots_fired": 1, "expendables_spent": 1},
    )


@lru_cache(maxsize=16384)
def _shot(setup: Setup, index: int, reduced_valorous: tuple[bool, bool], aim: Aim, immobile: bool) -> Shot:
    unit, afv = setup.units[index], setup.afv.counter
    reduced, valorous = reduced_valorous
    counter = unit.counter.half if reduced and unit.counter.half is not None else unit.counter
    lines = list(aim.prospect.cover.lines)
    led_by = unit if unit.counter.kind is Kind.LEADER else setup.units[aim.leader] if aim.leader is not None else None
    if led_by is not None and led_by.counter.leadership:
        lines.append(leader_modifier(led_by.label, led_by.counter.leadership))
    if valorous:
        lines.append(valorous_modifier())
    return Shot(
        number=int(aim.prospect.number.total),
        modifiers=tuple(lines),
        armor=Armor(aim.prospect.means.at, afv.front, afv.rear),
        aspect=aim.side,
        immobile=immobile,
        equal_eliminates=setup.rulings["en_equal"] == "eliminate",
        valor_number=_valor_number(setup, counter, valorous),
        modifier=sum(int(line.value) for line in lines),
    )


def _valor_number(setup: Setup, counter: Counter, valorous: bool) -> int | None:
    """What the firer must roll to become valorous after a natural 2; None for those who never check (16.2)."""
    if valorous or setup.rulings["valor_checks"] == "off" or not counter.kind.infantry:
        return None
    return int(figure("valor", "leader_number")) if counter.kind is Kind.LEADER else counter.cr


def afv_beyond_stacking(setup: Setup, leg: int) -> bool:
    """Would an AFV stuck in that hex break stacking with its friends there (6.9)?"""
    here = [unit for unit in setup.friends if unit.hex == setup.leg(leg).hex]
    infantry = sum(unit.counter.kind.infantry for unit in here)
    return overstacked(len(here) - infantry + 1, infantry)


def overstacked(vehicles: int, infantry: int) -> bool:
    """Do vehicles and Guns, with infantry, exceed what a hex holds at the end of movement (6.9)?

    >>> overstacked(2, 0), overstacked(1, 2), overstacked(2, 1), overstacked(1, 3)
    (False, False, True, True)
    """
    if infantry:
        with_infantry = figure("stacking", "vehicles_with_infantry"), figure("stacking", "infantry_with_vehicle")
        return bool(vehicles > with_infantry[0] or infantry > with_infantry[1])
    return bool(vehicles > figure("stacking", "vehicles"))
