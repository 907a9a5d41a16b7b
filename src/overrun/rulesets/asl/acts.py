"""What each defending unit may do to the vehicle now, and why not the rest (A-19, A-20, A-38)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
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
from overrun.rulesets.asl.lean import REMEMBERED, Moment, lean_unit, moment
from overrun.rulesets.asl.options import piece_id, unit_id
from overrun.rulesets.asl.presence import sw_left
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

LISTS = 1 << 12
"""How many lists of attacks are remembered."""


def seen(m: Moment) -> Seen:
    """The vehicle as the defensive fire tables ask about it."""
    armored = m.setup.vehicle.armored
    return Seen(m.stage, armored, m.carries, m.soft, in_bypass=m.setup.approach.way is Way.BYPASS)


def firer(m: Moment, unit: Unit) -> Firer:
    """A unit as the defensive fire tables ask about it."""
    return Firer(
        m.printed(unit),
        unit.fired,
        next((gun.fired for gun in unit.guns), Fired.UNMARKED),
        unit.pinned,
        unit.broken,
        melee=unit.has(Trait.MELEE),
        cc_marked=unit.cc,
        sw_left=sw_left(m.setup, unit),
    )


def spent_out(m: Moment, unit: Unit, option: str) -> Refusal | None:
    """The refusal for a unit that failed its PAATC, or attacked as often as the vehicle has spent MP here (A8.1)."""
    if unit.failed and m.stage is Stage.AFTER and not unit.owes:
        return Refusal(option, "It failed its PAATC against this vehicle, so it may not Reaction Fire.", asl("D7.21"))
    if unit.shots < m.most:
        return None
    times = "once" if m.most == 1 else f"{m.most} times"
    return Refusal(option, f"It has attacked {times}, once for each MP that the vehicle spent here.", asl("A8.1"))


def bound_to_react(s: State) -> State:
    """The state with each unit marked that must Reaction Fire (note m)."""
    if not s.vehicle.alive:
        return s
    m = moment(s)
    units = [bound(m, unit) for unit in s.units]
    return s if units == list(s.units) else s.with_units(units)


@lru_cache(REMEMBERED)
def bound(m: Moment, unit: Unit) -> Unit:
    """A unit, marked if it must Reaction Fire."""
    must = able(m, unit) and must_react(firer(m, unit), seen(m), m.setup.rulings)
    return changed(unit, owes=True) if must else unit


def able(m: Moment, unit: Unit) -> bool:
    """Is it a unit that can attack at all?"""
    return not unit.broken and m.printed(unit).kind is not UnitKind.DUMMY


def found(s: State) -> tuple[Found, ...]:
    """Every attack that a defender may expect to be able to make now, legal or refused, in table order."""
    return _found(moment(s), s.units)


@lru_cache(LISTS)
def _found(m: Moment, units: tuple[Unit, ...]) -> tuple[Found, ...]:
    """The same: it depends on the moment and the units alone, and many states share them."""
    twins: dict[Unit, list[Unit]] = {}
    for unit in units:
        twins.setdefault(lean_unit(m, unit) or unit, []).append(unit)
    who = _Defenders(m, seen(m), units, tuple(tuple(twins[lean]) for lean in sorted(twins)))
    return (*_ordnance(who), *_fire(who), *_close(who))


@dataclass(frozen=True, slots=True)
class _Defenders:
    """The defenders in a moment: all units, and those that later steps cannot tell apart, together."""

    moment: Moment
    there: Seen
    units: tuple[Unit, ...]
    alike: tuple[tuple[Unit, ...], ...]

    def name(self, unit: Unit) -> str:
        """A unit as part of an option's id."""
        return unit_id(self.moment, self.units, unit)


# ------------------------------------------------------------------ Guns and LATW


def _ordnance(who: _Defenders) -> Iterator[Found]:
    m, there = who.moment, who.there
    for unit, *_ in who.alike:
        for gun in unit.guns:
            option = f"gun:{who.name(unit)}/{piece_id(m, unit, gun)}"
            verdict = _gun_verdict(m, unit, gun, there, option)
            yield option, _act(m, verdict, Act(Means.GUN, (unit,), None, gun), option)
        for arm in dict.fromkeys(unit.arms):
            weapon = m.setup.weapons[arm.printed]
            means = MEANS.get(weapon.kind, Means.LATW)
            option = f"{means.value}:{who.name(unit)}/{piece_id(m, unit, arm)}"
            verdict = sw_option(
                option,
                firer(m, unit),
                Piece(weapon, arm.fired, arm.malfunctioned),
                there,
                m.setup.rulings,
            )
            if isinstance(verdict, Allowed) and (bar := _sw_bar(m, unit, arm, option)) is not None:
                verdict = bar
            yield option, _act(m, verdict, Act(means, (unit,), None, arm), option)


def _gun_verdict(m: Moment, unit: Unit, gun: GunPiece, there: Seen, option: str) -> Verdict:
    printed = m.setup.guns[gun.printed]
    crewed = Crewed(
        gun.fired,
        gun.malfunctioned,
        gun.limbered,
        printed.no_intensive_fire,
        gun.ca_turns,
        gun.vca_turns,
        gun.ca_fixed,
    )
    verdict = gun_option(option, firer(m, unit), crewed, there, m.setup.rulings)
    if isinstance(verdict, Allowed) and unit.fired is not Fired.UNMARKED and gun.fired is Fired.UNMARKED:
        return Refusal(option, "Its crew has used its own firepower instead.", asl("A7.35"))
    return verdict


def _sw_bar(m: Moment, unit: Unit, arm: Arm, option: str) -> Refusal | None:
    weapon = m.setup.weapons[arm.printed]
    if weapon.inherent and weapon.kind is not WeaponKind.MOL and not m.pf:
        return Refusal(option, "The side has used all its PF shots.", asl("C13.31"))
    if not sw_left(m.setup, unit) and unit.fired is not Fired.FINAL:
        return Refusal(option, "The unit can fire no more SW as First Fire.", asl("A7.35"))
    return None


def _act(m: Moment, verdict: Verdict, act: Act, option: str) -> Act | Refusal:
    if isinstance(verdict, Refusal):
        return verdict
    if (bar := spent_out(m, act.units[0], option)) is not None:
        return bar
    return changed(act, mode=verdict.mode, notes=verdict.notes)


# ------------------------------------------------------------------ IFT


def _fire(who: _Defenders) -> Iterator[Found]:
    """Every fire group, each with and without a leader who directs it; a refused unit is refused by itself."""
    m = who.moment
    groups: list[tuple[Unit, ...]] = []
    modes: dict[Unit, Allowed] = {}
    for twins in who.alike:
        unit = twins[0]
        if m.printed(unit).leader and not m.printed(unit).fp:
            continue
        option = f"ift:{who.name(unit)}"
        verdict = ift_option(option, firer(m, unit), who.there, m.setup.rulings)
        bar = None if isinstance(verdict, Refusal) else spent_out(m, unit, option) or _ift_bar(unit, option)
        if isinstance(verdict, Refusal) or bar is not None:
            refusal = verdict if isinstance(verdict, Refusal) else bar
            assert refusal is not None
            yield option, refusal
        else:
            groups.append(twins)
            modes |= dict.fromkeys(twins, verdict)
    leaders = [None, *(twins[0] for twins in who.alike if _directs(m, twins[0]))]
    for numbers in product(*(range(len(twins) + 1) for twins in groups)):
        group = tuple(unit for twins, number in zip(groups, numbers, strict=True) for unit in twins[:number])
        if not group:
            continue
        names = "+".join(map(who.name, group))
        worst = max((modes[unit] for unit in group), key=lambda allowed: list(Mode).index(allowed.mode))
        for leader in leaders:
            name = names if leader is None else f"{names}+{who.name(leader)}"
            yield f"ift:{name}", Act(Means.IFT, group, leader, None, worst.mode, worst.notes)


def _ift_bar(unit: Unit, option: str) -> Refusal | None:
    if unit.fired is Fired.UNMARKED and unit.uses >= 2:
        return Refusal(option, "It has fired two SW and has no inherent FP left.", asl("A7.35"))
    return None


def _directs(m: Moment, unit: Unit) -> bool:
    """May a leader direct fire now: Good Order, and not yet marked Final Fire?"""
    return (
        m.printed(unit).leader
        and unit.good
        and unit.fired in {Fired.UNMARKED, Fired.FIRST}
        and not unit.uses
        and unit.shots < m.most
        and not unit.cc
    )


# ------------------------------------------------------------------ CC


def _close(who: _Defenders) -> Iterator[Found]:
    """CC by each MMC alone or with a SMC, and by each SMC alone; each by itself or with a try for an ATMM."""
    m = who.moment
    legal: list[tuple[Unit, Allowed]] = []
    for unit, *_ in who.alike:
        option = f"cc:{who.name(unit)}"
        verdict = cc_option(option, firer(m, unit), who.there, m.setup.rulings)
        bar = spent_out(m, unit, option) or _released(unit, option)
        if isinstance(verdict, Refusal) or bar is not None:
            refusal = verdict if isinstance(verdict, Refusal) else bar
            assert refusal is not None
            yield option, refusal
        else:
            legal.append((unit, verdict))
    for unit, allowed in legal:
        yield from _close_with(who, unit, None, allowed)
        if m.printed(unit).smc:
            continue
        for other, _ in legal:
            if m.printed(other).smc:
                yield from _close_with(who, unit, other, allowed)


def _released(unit: Unit, option: str) -> Refusal | None:
    """The refusal for a pinned unit that owes no Reaction Fire (any more): it attacks in CC only where it must."""
    if not unit.pinned or unit.owes:
        return None
    return Refusal(option, "It is pinned and has no mandatory Reaction Fire left to make.", asl("D7.212"))


def _close_with(who: _Defenders, unit: Unit, other: Unit | None, allowed: Allowed) -> Iterator[Found]:
    name = who.name(unit) if other is None else f"{who.name(unit)}+{who.name(other)}"
    yield f"cc:{name}", Act(Means.CC, (unit,), other, None, allowed.mode, allowed.notes)
    if atmm_may_be_used(who.moment.printed(unit).nation, who.moment.setup.year):
        act = Act(Means.CC, (unit,), other, None, allowed.mode, allowed.notes, atmm=True)
        yield f"cc:{name}/atmm", act
