"""What changes during an overrun and a later rule reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from overrun.kernel import changed
from overrun.rulesets.valor.anti_tank import Shot
from overrun.rulesets.valor.casualties import Action
from overrun.rulesets.valor.setup import Setup


class Fate(StrEnum):
    """How the overrun ends. These are the outcomes of the ruleset; `outcome.FATES` defines each in words."""

    UNDECIDED = "undecided"
    NOT_MADE = "not_made"
    STOPPED = "stopped_before_target"
    IMMOBILISED_ON_APPROACH = "afv_immobilised_on_approach"
    ELIMINATED_ON_APPROACH = "afv_eliminated_on_approach"
    ELIMINATED_IN_TARGET = "afv_eliminated_in_target"
    COMPLETED = "overrun_completed"
    IMMOBILISED_AFTER = "afv_immobilised_after_overrun"
    ELIMINATED_AFTER = "afv_eliminated_after_overrun"


@dataclass(frozen=True, slots=True)
class Condition:
    """A unit's condition. `final`: shot as the AFV left; `led`: led a Final attack; `owes`: a survival roll."""

    eliminated: bool = False
    reduced: bool = False
    pinned: bool = False
    fired: bool = False
    final: bool = False
    led: bool = False
    valorous: bool = False
    owes: bool = False

    @property
    def damage(self) -> tuple[bool, ...]:
        """What orders interchangeable units: the least harmed, unmarked ones first."""
        return (self.eliminated, self.pinned, self.reduced, self.owes, self.final, self.led, self.fired, self.valorous)

    @property
    def words(self) -> tuple[str, ...]:
        """What the counter shows, in words."""
        shown = {
            "reduced": self.reduced,
            "pinned": self.pinned,
            "must roll to survive": self.owes,
            "valorous": self.valorous,
            "Fire marker": self.fired,
        }
        return tuple(word for word, is_shown in shown.items() if is_shown)


ELIMINATED = Condition(eliminated=True)


@dataclass(frozen=True, slots=True)
class Passenger:
    """What an AFV's passenger does in the overrun: `joins` is None until chosen, () when it stays out of it.

    Otherwise it names what he uses: "unit", "weapon:...", "satchel", "grenades".
    """

    joins: tuple[str, ...] | None = None
    valorous: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """Where the overrun stands. `leg` is the index of the hex the AFV is in, -1 at its start."""

    setup: Setup = field(compare=False, repr=False)
    units: tuple[Condition, ...]
    pool: tuple[int, ...]
    attacker_pool: tuple[int, ...] = ()
    passengers: tuple[Passenger, ...] = ()
    leg: int = -1
    fate: Fate = Fate.UNDECIDED
    immobile: bool = False
    shot: Shot | None = None
    firer: int | None = None
    points: int = 0
    allotted: tuple[Action, ...] = ()

    def ordered(self) -> State:
        """The state with interchangeable units in canonical order."""
        return changed(self, units=in_order(self.setup, self.units))


def in_order(setup: Setup, units: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions with interchangeable units in canonical order, so that equal situations are equal states."""
    groups: dict[str, list[int]] = {}
    for index, unit in enumerate(setup.units):
        if unit.group:
            groups.setdefault(unit.group, []).append(index)
    if not groups:
        return units
    ordered = list(units)
    for members in groups.values():
        conditions = sorted((units[i] for i in members), key=lambda condition: condition.damage)
        for index, condition in zip(members, conditions, strict=True):
            ordered[index] = condition
    return tuple(ordered)


@lru_cache(maxsize=65536)
def called(setup: Setup, units: tuple[Condition, ...], at: int) -> str:
    """What players call a unit. Interchangeable units have no names of their own: what they show tells them apart."""
    unit, condition = setup.units[at], units[at]
    if not unit.group or all(
        units[i].words == condition.words
        for i, other in enumerate(setup.units)
        if other.group == unit.group and not units[i].eliminated
    ):
        return unit.label
    return f"{unit.label} ({', '.join(condition.words) or 'unmarked'})"
