"""The overrun attack: its APFP with every part, its modifiers, and the casualty points (ch. 14, 19.4)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from overrun.kernel import Ledger, Modifier, Op
from overrun.rulesets.valor.figures import ap_combat, figure, terrain_facts
from overrun.rulesets.valor.hexmap import hex_cover, vv
from overrun.rulesets.valor.setup import Counter, Kind, Setup, Unit
from overrun.rulesets.valor.state import Passenger


def afv_lines(counter: Counter) -> Iterator[Modifier]:
    """The AFV's own APFP, part by part, doubled (19.4). Printed ranges and arcs do not limit it."""
    if counter.gun is not None:
        yield Modifier(counter.gun.apfp, "gun", vv("19.4"), verified=counter.verified)
    if counter.mg360:
        yield Modifier(counter.mg360, "360 machine gun", vv("19.4"), verified=counter.verified)
    if counter.ffmg:
        yield Modifier(counter.ffmg, "forward machine gun", vv("19.4"), verified=counter.verified)
    yield Modifier(figure("overrun", "times"), "the AFV's APFP doubled", vv("19.4"), Op.TIMES)


def passenger_lines(unit: Unit, joins: tuple[str, ...], satchels: Counter | None, valorous: bool) -> Iterator[Modifier]:
    """A passenger's APFP, never doubled: his own, or with a light machine gun or satchel charge (12.3, 19.4)."""
    weapon = next((w for w in unit.weapons if f"weapon:{w.name}" in joins), None)
    leader_with_gun = unit.counter.kind is Kind.LEADER and weapon is not None
    if joins and not leader_with_gun:
        yield Modifier(unit.counter.apfp, unit.label, vv("19.4"), verified=unit.counter.verified)
        if valorous:
            yield Modifier(figure("valor", "apfp"), f"{unit.label} valorous", vv("16.3"))
    if weapon is not None:
        yield Modifier(weapon.apfp, f"{weapon.name} of {unit.label}", vv("19.4"), verified=weapon.verified)
    if "satchel" in joins and satchels is not None:
        yield Modifier(satchels.apfp, f"{satchels.name} of {unit.label}", vv("19.4"), verified=satchels.verified)


@lru_cache(maxsize=4096)
def apfp(setup: Setup, passengers: tuple[Passenger, ...]) -> Ledger:
    """The total APFP of the overrun."""
    lines = list(afv_lines(setup.afv.counter))
    satchels = next((counter for counter, _ in setup.attacker_pool if counter.apfp), None)
    for unit, passenger in zip(setup.passengers, passengers, strict=True):
        lines.extend(passenger_lines(unit, passenger.joins or (), satchels, passenger.valorous))
    return Ledger("Overrun APFP", tuple(lines))


@lru_cache(maxsize=4096)
def roll_modifiers(setup: Setup, passengers: tuple[Passenger, ...]) -> Ledger:
    """What modifies the overrun's roll: cover of the target hex, positions, smoke, passengers' leader and grenades."""
    ground = setup.board[setup.target]
    covers_smoke = setup.rulings["smoke_covers_target"] == "yes"
    lines = [
        Modifier(value, reason, cite)
        for value, reason, cite in hex_cover(ground)
        if covers_smoke or not reason.startswith("smoke")
    ]
    if ground.position:
        facts = terrain_facts("position", ground.position)
        lines.append(Modifier(facts["cover"], ground.position.replace("-", " "), vv(facts["cite"])))
    joined = [(u, p) for u, p in zip(setup.passengers, passengers, strict=True) if p.joins]
    leaders = [u for u, _ in joined if u.counter.kind is Kind.LEADER and u.counter.leadership]
    if leaders and setup.rulings["passenger_leader"] == "modifies":
        best = max(leaders, key=lambda unit: unit.counter.leadership)
        lines.append(Modifier(-best.counter.leadership, f"leadership of {best.label}", vv("13.6")))
    grenades = sum("grenades" in (p.joins or ()) for _, p in joined)
    if grenades and setup.rulings["grenade_stacking"] == "once":
        grenades = 1
    if grenades:
        each = next(counter.grenades for counter, _ in setup.attacker_pool if counter.grenades)
        lines.append(Modifier(-each * grenades, "grenades of passengers", vv("12.52")))
    return Ledger("AP roll modifiers", tuple(lines))


def casualty_points(apfp: int, modified: int, low_roll: str = "clamp") -> tuple[int, Ledger]:
    """The casualty points of an AP attack: total APFP (1 or more) against the modified roll, with the ledger.

    >>> casualty_points(38, 5)[0], casualty_points(38, 0)[0], casualty_points(38, 0, "extrapolate")[0]
    (6, 9, 11)
    """
    lowest = 2
    cell = ap_combat().at(apfp, max(modified, lowest))
    lines = [cell.line(cell.value)]
    if modified < lowest and low_roll == "extrapolate":
        lines.append(Modifier(lowest - modified, f"roll {lowest - modified} below {lowest}", vv("14")))
    ledger = Ledger("Casualty points", tuple(lines))
    return int(ledger.total), ledger
