"""Which units Reaction Fire still reads of: those that can attack, and the leaders who help them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from overrun.rulesets.asl.counters import UnitClass
from overrun.rulesets.asl.lean import idle, reactor
from overrun.rulesets.asl.moment import REMEMBERED, Moment
from overrun.rulesets.asl.morale import current_leadership
from overrun.rulesets.asl.setup import Setup
from overrun.rulesets.asl.state import Trait, Unit


class Reactors(NamedTuple):
    """Who still matters in Reaction Fire; of them all but broken crews of Guns; and may any of them attack in CC?"""

    units: tuple[Unit, ...]
    manning: tuple[Unit, ...]
    closes: bool


@lru_cache(REMEMBERED)
def reactors(m: Moment, units: tuple[Unit, ...]) -> Reactors:
    """Who of these units still matters in Reaction Fire; leaders who only help in a PAATC as long as one may be due."""
    kept = [kept for unit in units if (kept := reactor(m, unit)) is not None]
    if not _green(m.setup) and not any(_tested(m, unit) for unit in kept):
        kept = [unit for unit in kept if unit.guns or not idle(m, unit)]
    elif not any((_modifier(m, unit) or 0) > 0 for unit in kept):
        kept = [unit for unit in kept if unit.guns or not idle(m, unit) or _modifier(m, unit)]
    kept.sort()
    manning = tuple(unit for unit in kept if not (unit.broken and unit.guns))
    return Reactors(tuple(kept), manning, any(_closes(m, unit) for unit in kept))


def _modifier(m: Moment, unit: Unit) -> int | None:
    return current_leadership(m.printed(unit), wounded=unit.has(Trait.WOUNDED))


def _tested(m: Moment, unit: Unit) -> bool:
    """May a unit still come to take a PAATC, in which a leader helps?"""
    return m.setup.vehicle.armored and not unit.paatc and _closes(m, unit)


def _closes(m: Moment, unit: Unit) -> bool:
    """May a unit still attack in CC in Reaction Fire?"""
    return not idle(m, unit) and (unit.owes or not unit.pinned)


@lru_cache(256)
def _green(setup: Setup) -> bool:
    """Are there Green units, which fight better while a leader is there?"""
    return any(printed.unit_class is UnitClass.GREEN for printed in setup.printed.values())
