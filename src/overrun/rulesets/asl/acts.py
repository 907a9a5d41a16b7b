"""What each defending unit may do to the vehicle now, and why not the rest (A-19, A-20, A-38)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from overrun.kernel import Refusal, changed
from overrun.rulesets.asl.close_combat import atmm_may_be_used
from overrun.rulesets.asl.counters import UnitKind, WeaponKind
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import (
    Allowed,
    Crewed,
    Firer,
    Mode,
    Piece,
    Seen,
    Verdict,
    cc_option,
    gun_option,
    ift_option,
    must_react,
    sw_option,
)
from overrun.rulesets.asl.lean import lean_unit
from overrun.rulesets.asl.options import piece_id, unit_id
from overrun.rulesets.asl.presence import exposure, sw_left
from overrun.rulesets.asl.setup import Fired, Way, asl
from overrun.rulesets.asl.state import Act, Arm, GunPiece, Means, State, Trait, Unit

MEANS = {
    WeaponKind.FT: Means.FT,
    WeaponKind.DC: Means.DC,
    WeaponKind.MOL: Means.MOL,
    WeaponKind.MOL_PROJECTOR: Means.MOL,
    WeaponKind.LMG: Means.MG,
    WeaponKind.MMG: Means.MG,
    WeaponKind.HMG: Means.MG,
}

Found = tuple[str, Act | Refusal]
"""An option's id, and the attack or the reason against it."""


def seen(s: State) -> Seen:
    """The vehicle as the defensive fire tables ask about it."""
    vehicle = s.setup.vehicle
    return Seen(
        s.stage, vehicle.armored, bool(s.vehicle.prc), exposure(s).anybody, in_bypass=s.setup.approach.way is Way.BYPASS
    )


def firer(s: State, unit: Unit) -> Firer:
    """A unit as the defensive fire tables ask about it."""
    return Firer(
        s.printed(unit),
        unit.fired,
        next((gun.fired for gun in unit.guns), Fired.UNMARKED),
        unit.pinned,
        unit.broken,
        melee=unit.has(Trait.MELEE),
        cc_marked=unit.cc,
        sw_left=sw_left(s, unit),
    )


def spent_out(s: State, unit: Unit, option: str) -> Refusal | None:
    """The refusal for a unit that failed its PAATC, or attacked as often as the vehicle has spent MP here (A8.1)."""
    most = max(1, s.spent)
    if unit.failed and s.stage is Stage.AFTER and not unit.owes:
        return Refusal(option, "It failed its PAATC against this vehicle, so it may not Reaction Fire.", asl("D7.21"))
    if unit.shots < most:
        return None
    times = "once" if most == 1 else f"{most} times"
    return Refusal(option, f"It has attacked {times}, once for each MP that the vehicle spent here.", asl("A8.1"))


def owing(s: State) -> tuple[Unit, ...]:
    """The units that must Reaction Fire now (note m)."""
    there = seen(s)
    return tuple(unit for unit in s.units if must_react(firer(s, unit), there, s.setup.rulings) and able(s, unit))


def bound_to_react(s: State) -> State:
    """The state with each unit marked that must Reaction Fire."""
    bound = set(owing(s))
    if not s.vehicle.alive or not bound:
        return s
    return s.with_units(changed(unit, owes=True) if unit in bound else unit for unit in s.units)


def able(s: State, unit: Unit) -> bool:
    """Is it a unit that can attack at all?"""
    return not unit.broken and s.printed(unit).kind is not UnitKind.DUMMY


def found(s: State) -> Iterator[Found]:
    """Every attack that a defender may expect to be able to make now, legal or refused, in table order."""
    alike: dict[Unit, list[Unit]] = {}
    for unit in s.units:
        alike.setdefault(lean_unit(s, unit) or unit, []).append(unit)
    alike = dict(sorted(alike.items()))
    units = tuple(twins[0] for twins in alike.values())
    there = seen(s)
    yield from _ordnance(s, units, there)
    yield from _fire(s, tuple(map(tuple, alike.values())), there)
    yield from _close(s, units, there)


# ------------------------------------------------------------------ Guns and LATW


def _ordnance(s: State, units: tuple[Unit, ...], there: Seen) -> Iterator[Found]:
    for unit in units:
        for gun in unit.guns:
            option = f"gun:{unit_id(s, unit)}/{piece_id(gun)}"
            verdict = _gun_verdict(s, unit, gun, there, option)
            yield option, _act(s, verdict, Act(Means.GUN, (unit,), None, gun), option)
        for arm in dict.fromkeys(unit.arms):
            weapon = s.setup.weapons[arm.printed]
            means = MEANS.get(weapon.kind, Means.LATW)
            option = f"{means.value}:{unit_id(s, unit)}/{piece_id(arm)}"
            verdict = sw_option(
                option,
                firer(s, unit),
                Piece(weapon, arm.fired, arm.malfunctioned),
                there,
                s.setup.rulings,
            )
            if isinstance(verdict, Allowed) and (bar := _sw_bar(s, unit, arm, option)) is not None:
                verdict = bar
            yield option, _act(s, verdict, Act(means, (unit,), None, arm), option)


def _gun_verdict(s: State, unit: Unit, gun: GunPiece, there: Seen, option: str) -> Verdict:
    printed = s.setup.guns[gun.printed]
    crewed = Crewed(
        gun.fired,
        gun.malfunctioned,
        gun.limbered,
        printed.no_intensive_fire,
        gun.ca_turns,
        gun.vca_turns,
        gun.ca_fixed,
    )
    verdict = gun_option(option, firer(s, unit), crewed, there, s.setup.rulings)
    if isinstance(verdict, Allowed) and unit.fired is not Fired.UNMARKED and gun.fired is Fired.UNMARKED:
        return Refusal(option, "Its crew has used its own firepower instead.", asl("A7.35"))
    return verdict


def _sw_bar(s: State, unit: Unit, arm: Arm, option: str) -> Refusal | None:
    weapon = s.setup.weapons[arm.printed]
    if weapon.inherent and weapon.kind is not WeaponKind.MOL and not s.pf:
        return Refusal(option, "The side has used all its PF shots.", asl("C13.31"))
    if not sw_left(s, unit) and unit.fired is not Fired.FINAL:
        return Refusal(option, "The unit can fire no more SW as First Fire.", asl("A7.35"))
    return None


def _act(s: State, verdict: Verdict, act: Act, option: str) -> Act | Refusal:
    if isinstance(verdict, Refusal):
        return verdict
    if (bar := spent_out(s, act.units[0], option)) is not None:
        return bar
    return changed(act, mode=verdict.mode, notes=verdict.notes)


# ------------------------------------------------------------------ IFT


def _fire(s: State, alike: tuple[tuple[Unit, ...], ...], there: Seen) -> Iterator[Found]:
    """Every fire group, each with and without a leader who directs it; a refused unit is refused by itself."""
    groups: list[tuple[Unit, ...]] = []
    modes: dict[Unit, Allowed] = {}
    for twins in alike:
        unit = twins[0]
        if s.printed(unit).leader and not s.printed(unit).fp:
            continue
        option = f"ift:{unit_id(s, unit)}"
        verdict = ift_option(option, firer(s, unit), there, s.setup.rulings)
        bar = None if isinstance(verdict, Refusal) else spent_out(s, unit, option) or _ift_bar(unit, option)
        if isinstance(verdict, Refusal) or bar is not None:
            refusal = verdict if isinstance(verdict, Refusal) else bar
            assert refusal is not None
            yield option, refusal
        else:
            groups.append(twins)
            modes |= dict.fromkeys(twins, verdict)
    leaders = [None, *(twins[0] for twins in alike if _directs(s, twins[0]))]
    for numbers in product(*(range(len(twins) + 1) for twins in groups)):
        group = tuple(unit for twins, number in zip(groups, numbers, strict=True) for unit in twins[:number])
        if not group:
            continue
        names = "+".join(unit_id(s, unit) for unit in group)
        worst = max((modes[unit] for unit in group), key=lambda allowed: list(Mode).index(allowed.mode))
        for leader in leaders:
            name = names if leader is None else f"{names}+{unit_id(s, leader)}"
            yield f"ift:{name}", Act(Means.IFT, group, leader, None, worst.mode, worst.notes)


def _ift_bar(unit: Unit, option: str) -> Refusal | None:
    if unit.fired is Fired.UNMARKED and unit.uses >= 2:
        return Refusal(option, "It has fired two SW and has no inherent FP left.", asl("A7.35"))
    return None


def _directs(s: State, unit: Unit) -> bool:
    """May a leader direct fire now: Good Order, and not yet marked Final Fire?"""
    return (
        s.printed(unit).leader
        and unit.good
        and unit.fired in {Fired.UNMARKED, Fired.FIRST}
        and not unit.uses
        and unit.shots < max(1, s.spent)
        and not unit.cc
    )


# ------------------------------------------------------------------ CC


def _close(s: State, units: tuple[Unit, ...], there: Seen) -> Iterator[Found]:
    """CC by each MMC alone or with a SMC, and by each SMC alone; each by itself or with a try for an ATMM."""
    legal: list[tuple[Unit, Allowed]] = []
    for unit in units:
        option = f"cc:{unit_id(s, unit)}"
        verdict = cc_option(option, firer(s, unit), there, s.setup.rulings)
        bar = spent_out(s, unit, option) or _released(unit, option)
        if isinstance(verdict, Refusal) or bar is not None:
            refusal = verdict if isinstance(verdict, Refusal) else bar
            assert refusal is not None
            yield option, refusal
        else:
            legal.append((unit, verdict))
    for unit, allowed in legal:
        yield from _close_with(s, unit, None, allowed)
        if s.printed(unit).smc:
            continue
        for other, _ in legal:
            if s.printed(other).smc:
                yield from _close_with(s, unit, other, allowed)


def _released(unit: Unit, option: str) -> Refusal | None:
    """The refusal for a pinned unit that owes no Reaction Fire (any more): it attacks in CC only where it must."""
    if not unit.pinned or unit.owes:
        return None
    return Refusal(option, "It is pinned and has no mandatory Reaction Fire left to make.", asl("D7.212"))


def _close_with(s: State, unit: Unit, other: Unit | None, allowed: Allowed) -> Iterator[Found]:
    name = unit_id(s, unit) if other is None else f"{unit_id(s, unit)}+{unit_id(s, other)}"
    yield f"cc:{name}", Act(Means.CC, (unit,), other, None, allowed.mode, allowed.notes)
    if atmm_may_be_used(s.printed(unit).nation, s.setup.year):
        act = Act(Means.CC, (unit,), other, None, allowed.mode, allowed.notes, atmm=True)
        yield f"cc:{name}/atmm", act


def legal(s: State) -> tuple[tuple[str, Act], ...]:
    """The attacks that may be made now, with their ids."""
    if not s.vehicle.alive:
        return ()
    return tuple((option, act) for option, act in found(s) if isinstance(act, Act))


def refused(s: State) -> tuple[Refusal, ...]:
    """The attacks that may not be made now, each with its reason."""
    return tuple(act for _, act in found(s) if isinstance(act, Refusal))
