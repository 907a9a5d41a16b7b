"""Units under an IFT result, each with what it still owes; and units as an attack or a check sees them.

Units here carry no fire counters, which no step of an attack reads: equal targets are then equal questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from overrun.kernel import Hashed, changed, hashed
from overrun.rulesets.asl import counters
from overrun.rulesets.asl.ift import Effect, Result
from overrun.rulesets.asl.morale import current_leadership
from overrun.rulesets.asl.setup import Fired, Setup
from overrun.rulesets.asl.state import Arm, GunPiece, Morale, Trait, Unit

UNITS = 1 << 15
"""How many units are remembered as an attack sees them and leaves them."""


@hashed
@dataclass(frozen=True, slots=True)
class Later(Hashed):
    """What is read of a unit after an attack: for each unit that it may become the one that stands for it."""

    stands: tuple[tuple[Unit, Unit | None], ...]

    def of(self, unit: Unit | None) -> Unit | None:
        """What stands for a unit as a check sees it; the unit itself where nothing else does."""
        return unit if unit is None else _stands(self).get(unit, unit)


@lru_cache(1 << 12)
def _stands(later: Later) -> Mapping[Unit, Unit | None]:
    return dict(later.stands)


@hashed
@dataclass(frozen=True, slots=True)
class Target(Hashed):
    """One target: None once it is eliminated. `group` is its place in `Hits.results`, `owes` what it still suffers.

    Analysis says in `later` what is read of it when the attack is over; in play everything is.
    """

    unit: Unit | None
    group: int = 0
    owes: Effect | None = None
    later: Later | None = None

    @property
    def it(self) -> Unit:
        """The unit, which is there until it is eliminated."""
        assert self.unit is not None
        return self.unit

    def now(self, unit: Unit | None, owes: Effect | None = None) -> Target:
        """The target as a result left it, and what it still owes."""
        return Target(unit, 0, owes, self.later)

    @property
    def settled(self) -> Target:
        """The target once it owes nothing more: as much of it as is read later."""
        if self.unit is None or self.later is None:
            return Target(self.unit)
        return Target(after_check(self.unit, self.later.of(unarmed(self.unit))))


class Loss(NamedTuple):
    """A leader lost: eliminated or broken, his modifier reversed, his ML. The greater one is the worse."""

    eliminated: bool
    modifier: int
    ml: int


@hashed
@dataclass(frozen=True, slots=True)
class Hits(Hashed):
    """Targets in groups that suffer one result each (None: none, or applied). Targets keep their places.

    `before` are the units as they were, for Leader Loss, and `losses` the leaders who were lost, once all leaders have
    checked. `prc`: they are the vehicle's Passengers or Riders.
    """

    setup: Setup = field(compare=False, repr=False)
    results: tuple[Result | None, ...]
    targets: tuple[Target, ...]
    before: tuple[Unit, ...]
    prc: bool = False
    losses: tuple[Loss, ...] = ()

    def printed(self, unit: Unit) -> counters.Unit:
        """The counter of a unit."""
        return self.setup.printed[unit.printed]

    def put(self, index: int, target: Target) -> Hits:
        """The hits with one target changed."""
        return changed(self, targets=(*self.targets[:index], target, *self.targets[index + 1 :]))


@lru_cache(UNITS)
def bare(unit: Unit) -> Unit:
    """A unit as an attack sees it: no fire counters on it or on what it possesses."""
    arms = tuple(sorted(changed(arm, fired=Fired.UNMARKED) for arm in unit.arms))
    guns = tuple(
        GunPiece(
            gun.printed,
            malfunctioned=gun.malfunctioned,
            emplaced=gun.emplaced,
            limbered=gun.limbered,
            entrenched=gun.entrenched,
        )
        for gun in unit.guns
    )
    return Unit(unit.printed, unit.morale, unit.seen, arms=arms, guns=guns, traits=unit.traits)


@lru_cache(UNITS)
def dressed(result: Unit, original: Unit) -> Unit:
    """A unit that came back from an attack, with the fire counters and the possessions that it had."""
    return changed(original, printed=result.printed, morale=result.morale, seen=result.seen, traits=result.traits)


def unarmed(unit: Unit) -> Unit:
    """A unit as a check sees it: its counter, its condition and its lasting conditions."""
    return Unit(unit.printed, unit.morale, unit.seen, traits=unit.traits)


def after_check(unit: Unit, checked: Unit | None) -> Unit | None:
    """A unit as a check left it; None once it is eliminated."""
    if checked is None:
        return None
    return changed(unit, printed=checked.printed, morale=checked.morale, traits=checked.traits)


def possessed(units: Iterable[Unit]) -> tuple[Arm | GunPiece, ...]:
    """What some units possess."""
    held: list[Arm | GunPiece] = []
    for unit in units:
        held += unit.arms
        held += unit.guns
    return tuple(held)


def helper(h: Hits, unit: Unit) -> int | None:
    """The modifier of the leader who helps a unit in its check, None without one.

    He is unbroken and unpinned, and of higher ML than a leader whom he helps (A10.72).
    """
    printed = h.printed(unit)
    best: int | None = None
    for target in h.targets:
        if target.unit is None or target.unit.morale is not Morale.GOOD:
            continue
        other = h.printed(target.unit)
        modifier = current_leadership(other, wounded=target.unit.has(Trait.WOUNDED))
        if modifier is not None and (not printed.leader or other.ml > printed.ml):
            best = modifier if best is None else min(best, modifier)
    return best


def pinnable(unit: Unit) -> bool:
    """Can a Task Check pin it?"""
    return unit.good and not unit.has(Trait.HEROIC) and not unit.has(Trait.CAVALRY)
