"""What each defending unit may do to the vehicle now, and why not the rest (A-19, A-20, A-38)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from overrun.kernel import Refusal, changed
from overrun.rulesets.asl.close_combat import atmm_may_be_used
from overrun.rulesets.asl.counters import WeaponKind
from overrun.rulesets.asl.defensive_table import Allowed, Mode, Verdict, must_react
from overrun.rulesets.asl.lean import lean_unit
from overrun.rulesets.asl.moment import REMEMBERED, Moment, moment
from overrun.rulesets.asl.options import piece_id, unit_id
from overrun.rulesets.asl.state import Act, Means, State, Unit
from overrun.rulesets.asl.verdicts import able, cc_verdict, directs, firer, gun_verdict, ift_verdict, seen, sw_verdict

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


def found(s: State) -> tuple[Found, ...]:
    """Every attack that a defender may expect to be able to make now, legal or refused, in table order."""
    return _found(moment(s), s.units)


@lru_cache(LISTS)
def _found(m: Moment, units: tuple[Unit, ...]) -> tuple[Found, ...]:
    """The same: it depends on the moment and the units alone, and many states share them."""
    twins: dict[Unit, list[Unit]] = {}
    for unit in units:
        twins.setdefault(lean_unit(m, unit) or unit, []).append(unit)
    who = _Defenders(m, units, tuple(tuple(twins[lean]) for lean in sorted(twins)))
    return (*_ordnance(who), *_fire(who), *_close(who))


@dataclass(frozen=True, slots=True)
class _Defenders:
    """The defenders in a moment: all units, and those that later steps cannot tell apart, together."""

    moment: Moment
    units: tuple[Unit, ...]
    alike: tuple[tuple[Unit, ...], ...]

    def name(self, unit: Unit) -> str:
        """A unit as part of an option's id."""
        return unit_id(self.moment, self.units, unit)


# ------------------------------------------------------------------ Guns and LATW


def _ordnance(who: _Defenders) -> Iterator[Found]:
    m = who.moment
    for unit, *_ in who.alike:
        for gun in unit.guns:
            option = f"gun:{who.name(unit)}/{piece_id(m, unit, gun)}"
            yield option, _act(gun_verdict(m, unit, gun, option), Act(Means.GUN, (unit,), None, gun))
        for arm in dict.fromkeys(unit.arms):
            means = MEANS.get(m.setup.weapons[arm.printed].kind, Means.LATW)
            option = f"{means.value}:{who.name(unit)}/{piece_id(m, unit, arm)}"
            yield option, _act(sw_verdict(m, unit, arm, option), Act(means, (unit,), None, arm))


def _act(verdict: Verdict, act: Act) -> Act | Refusal:
    return verdict if isinstance(verdict, Refusal) else changed(act, mode=verdict.mode, notes=verdict.notes)


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
        verdict = ift_verdict(m, unit, option)
        if isinstance(verdict, Refusal):
            yield option, verdict
        else:
            groups.append(twins)
            modes |= dict.fromkeys(twins, verdict)
    leaders = [None, *(twins[0] for twins in who.alike if directs(m, twins[0]))]
    for numbers in product(*(range(len(twins) + 1) for twins in groups)):
        group = tuple(unit for twins, number in zip(groups, numbers, strict=True) for unit in twins[:number])
        if not group:
            continue
        names = "+".join(map(who.name, group))
        worst = max((modes[unit] for unit in group), key=lambda allowed: list(Mode).index(allowed.mode))
        for leader in leaders:
            name = names if leader is None else f"{names}+{who.name(leader)}"
            yield f"ift:{name}", Act(Means.IFT, group, leader, None, worst.mode, worst.notes)


# ------------------------------------------------------------------ CC


def _close(who: _Defenders) -> Iterator[Found]:
    """CC by each MMC alone or with a SMC, and by each SMC alone; each by itself or with a try for an ATMM."""
    m = who.moment
    legal: list[tuple[Unit, Allowed]] = []
    for unit, *_ in who.alike:
        option = f"cc:{who.name(unit)}"
        verdict = cc_verdict(m, unit, option)
        if isinstance(verdict, Refusal):
            yield option, verdict
        else:
            legal.append((unit, verdict))
    for unit, allowed in legal:
        yield from _close_with(who, unit, None, allowed)
        if m.printed(unit).smc:
            continue
        for other, _ in legal:
            if m.printed(other).smc:
                yield from _close_with(who, unit, other, allowed)


def _close_with(who: _Defenders, unit: Unit, other: Unit | None, allowed: Allowed) -> Iterator[Found]:
    name = who.name(unit) if other is None else f"{who.name(unit)}+{who.name(other)}"
    yield f"cc:{name}", Act(Means.CC, (unit,), other, None, allowed.mode, allowed.notes)
    if atmm_may_be_used(who.moment.printed(unit).nation, who.moment.setup.year):
        act = Act(Means.CC, (unit,), other, None, allowed.mode, allowed.notes, atmm=True)
        yield f"cc:{name}/atmm", act
