"""Bounding First Fire when no OVR is made (D3.3, D2.42): MG, IFE and PRC, FT, and ordnance, at the Location's units."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import lru_cache

from overrun.kernel import Call, Decision, Exit, Ledger, Modifier, Node, Op, Procedure, Refusal, Returned, Seat, changed
from overrun.rulesets.asl import fire_drm
from overrun.rulesets.asl.attack import Group, Volley
from overrun.rulesets.asl.fire_drm import overrun_drm
from overrun.rulesets.asl.firepower import Fires, bounding_fp, weapons
from overrun.rulesets.asl.hits import Target, bare
from overrun.rulesets.asl.ift import column
from overrun.rulesets.asl.moment import may_return
from overrun.rulesets.asl.overrun import in_order, merged_back
from overrun.rulesets.asl.presence import VEHICLES, armament, as_target, exposed, leading, place
from overrun.rulesets.asl.setup import Setup, VehicleOpening, Way, asl
from overrun.rulesets.asl.shell import Shell, shell_at
from overrun.rulesets.asl.state import Morale, State, Unit, Vehicle
from overrun.rulesets.asl.to_hit import refuse_bypass_fire

bff: Procedure[State] = Procedure("bff", "Bounding First Fire", asl("D3.3"))

WHOLE = {"mg": "MG, IFE and riding units", "ft": "FT", "ma": "Main Armament"}


def fires(s: State) -> tuple[Fires, ...]:
    """The vehicle's own weapons that can fire now."""
    return _fires(s.setup, s.given, s.vehicle)


@lru_cache(VEHICLES)
def _fires(setup: Setup, given: VehicleOpening, vehicle: Vehicle) -> tuple[Fires, ...]:
    return weapons(changed(armament(State(setup, given, vehicle)), ft_alone=False), setup.rulings)


def fp_of(s: State, group: str) -> Ledger:
    """FP of one group of weapons in Bounding First Fire."""
    return _fp_of(s.setup, s.given, s.vehicle, group)


@lru_cache(VEHICLES)
def _fp_of(setup: Setup, given: VehicleOpening, vehicle: Vehicle, group: str) -> Ledger:
    s = State(setup, given, vehicle)
    motion = s.vehicle.motion
    lines: list[Modifier] = []
    if group == "ft":
        ft = sum(weapon.fp for weapon in fires(s) if weapon.name == "FT")
        return bounding_fp(ft, "FT", motion, s.setup.rulings)
    for weapon in fires(s):
        if weapon.name not in {"FT", "MA"} and weapon.fp:
            lines.append(_line(bounding_fp(weapon.fp, "MG", motion, s.setup.rulings), f"{weapon.name} {weapon.fp}"))
    halftrack = s.setup.vehicle.armored_halftrack
    for one in s.vehicle.prc:
        fp = s.printed(one).fp
        if not fp or one.morale is Morale.BROKEN or not exposed(s, one):
            continue
        kind = "MG" if halftrack and not one.rider else "mounted"
        lines.append(_line(bounding_fp(fp, kind, motion, s.setup.rulings), s.printed(one).name))
    return Ledger("BFF FP", tuple(lines))


def _line(ledger: Ledger, who: str) -> Modifier:
    factors = ", ".join(line.reason for line in ledger.lines[1:])
    return Modifier(ledger.total, f"{who}: {factors}", asl("D3.31"))


def _bars(s: State) -> Iterator[tuple[str, Refusal | None]]:
    own = {weapon.name for weapon in fires(s)}
    turretless = refuse_bypass_fire(s.setup.vehicle, s.setup.approach.way, points_to_side=s.given.turret_to_side)
    for group, cite in (("mg", "D3.31"), ("ft", "A22.3"), ("ma", "C3.33")):
        there = {"mg": bool(fp_of(s, "mg").lines), "ft": "FT" in own, "ma": "MA" in own}[group]
        if group in s.bff:
            yield group, Refusal(group, f"The {WHOLE[group]} has fired already.", asl("D3.5"))
        elif not there:
            yield group, Refusal(group, f"No {WHOLE[group]} is able to fire.", asl(cite))
        elif turretless is not None:
            yield group, Refusal(group, f"No fire from Bypass: {turretless}.", asl("D2.32"))
        else:
            yield group, None


@bff.step(asl("D3.3"), "Bounding First Fire", mg="bff_mg", ft="bff_ft", ma="bff_shell", hold="leave", barred="leave")
def bounding(s: State) -> Node[State]:
    """A vehicle that made no OVR may Bounding First Fire at the units here; it may not overrun after that."""
    if not s.vehicle.crew_fights or not s.units:
        return Exit("barred", s)
    options: list[Exit[State]] = []
    refused: list[Refusal] = []
    for group, bar in _bars(s):
        if bar is not None:
            refused.append(bar)
            continue
        ledgers = () if group == "ma" else (fp_of(s, group),)
        options.append(
            Exit(
                group, changed(s, bff=tuple(sorted((*s.bff, group)))), label=f"Fire the {WHOLE[group]}", ledgers=ledgers
            )
        )
    if not options and s.bff:
        return Exit("barred", s)
    options.append(Exit("hold", s, label="No Bounding First Fire"))
    return Decision(Seat.ATTACKER, tuple(options), tuple(refused))


def drm_of(s: State, unit: Unit, *, ft: bool) -> Ledger:
    """DRM of BFF on the IFT: leadership, TEM and SMOKE; units that do not move give no Open Ground modifier."""
    attack = fire_drm.Attack(place(s), s.setup.approach, leading(s), ft)
    target = as_target(s, unit)
    ledger = overrun_drm(attack, target, s.setup.rulings)
    lines = tuple(line for line in ledger.lines if line.reason != "Infantry in Open Ground")
    return Ledger("BFF DRM", lines)


@bff.step(asl("D3.31"), "BFF of MG, IFE and PRC", calls=("volley",), resolved="bounding")
def bff_mg(s: State) -> Node[State]:
    """One attack on the IFT strikes every unit of the Location, concealed ones with half the firepower."""
    return _on_ift(s, "mg")


@bff.step(asl("A22.3"), "BFF of the FT", calls=("volley",), resolved="bounding")
def bff_ft(s: State) -> Node[State]:
    """The FT attacks every unit of the Location with its whole firepower, halved when Non-Stopped."""
    return _on_ift(s, "ft")


def _on_ift(s: State, group: str) -> Node[State]:
    fp = fp_of(s, group)
    order = in_order(s)
    groups: dict[tuple[bool, int | None, int], int] = {}
    made: list[Group] = []
    targets: list[Target] = []
    for unit in order:
        own = fp if unit.known else fp.with_lines(Modifier(Fraction(1, 2), "concealed target", asl("A7.23"), Op.TIMES))
        drm = drm_of(s, unit, ft=group == "ft")
        key = (not unit.known, column(own.total), int(drm.total))
        if key not in groups:
            groups[key] = len(made)
            made.append(Group(key[1], key[2], (own, drm)))
        targets.append(Target(bare(unit), groups[key]))
    used = tuple(w for w in fires(s) if (w.name == "FT") == (group == "ft") and w.name != "MA")
    attack = Volley(s.setup, tuple(made), tuple(targets), (), used, bounding=True)
    reads = read_on_leaving if all_fired(s) else None
    return Call(
        "volley", attack, lambda back: Exit("resolved", merged_back(s, order, back.state, keep_loose=True)), reads
    )


def all_fired(s: State) -> bool:
    """Has everything fired, so that of the units nothing is read any more but what the vehicle may run over?"""
    fired = {"mg", "ma", "ft"} if s.setup.vehicle.ft else {"mg", "ma"}
    over = fired <= {*s.bff} and not may_return(s)
    return over and s.setup.approach.way is not Way.BYPASS and not s.setup.location.enemy_afv


def read_on_leaving(back: Returned) -> Hashable:
    """What is read of the last attack: weapons that lie here (the others are possessed still), and the vehicle."""
    v = back.state.volley if isinstance(back.state, Shell) else back.state
    assert isinstance(v, Volley)
    return v.loose, v.stops, v.immobilized


@bff.step(asl("C3.33"), "BFF with ordnance", calls=("shell",), resolved="bounding")
def bff_shell(s: State) -> Node[State]:
    """The Main Armament rolls To Hit against the Infantry here, with Cases E and C to C4; never as Area Target."""
    order = in_order(s)
    attack: Shell = shell_at(s, order)

    def then(back: Returned) -> Exit[State]:
        v = back.state
        return Exit("resolved", merged_back(s, order, v.volley, keep_loose=True))

    return Call("shell", attack, then, read_on_leaving if all_fired(s) else None)
