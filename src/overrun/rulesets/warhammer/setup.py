"""Facts that stay fixed for the whole overrun: the table, the units, the combat just fought, the rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.shapes import Block, Point, Polygon, Pose, square


class Kind(StrEnum):
    """What a unit is."""

    INFANTRY = "infantry"
    CAVALRY = "cavalry"
    CHARIOT = "chariot"
    MONSTER = "monster"
    FLYER = "flyer"
    SKIRMISHERS = "skirmishers"
    WAR_MACHINE = "war_machine"
    CHARACTER = "character"


class Own(StrEnum):
    """Whose unit it is, seen from the overrunning player."""

    OWN = "own"
    ENEMY = "enemy"


class Ground(StrEnum):
    """What a piece of terrain does to the move."""

    OPEN = "open"
    DIFFICULT = "difficult"
    OBSTACLE = "obstacle"
    IMPASSABLE = "impassable"
    BUILDING = "building"


class Fate(StrEnum):
    """What became of an opponent in the combat just fought."""

    SLAIN = "slain"
    CRUMBLED = "crumbled"
    BROKE = "broke"
    FIGHTS_ON = "fights_on"
    CAUGHT = "caught_fleeing"
    FLED_CHARGE = "fled_from_charge"
    ABANDONED_MACHINE = "abandoned_machine"
    TO_BE_FOUGHT = "to_be_fought"


UNIT_STRENGTH = {
    Kind.INFANTRY: 1,
    Kind.CAVALRY: 2,
    Kind.CHARIOT: 4,
    Kind.MONSTER: 1,
    Kind.FLYER: 1,
    Kind.SKIRMISHERS: 1,
    Kind.WAR_MACHINE: 3,
    Kind.CHARACTER: 1,
}
"""Unit strength of one model where the file gives none (fact sheet section 8; chariots as in 7th edition)."""


@dataclass(frozen=True)
class Unit:
    """One unit on the table. Bases and places in inches; `unit_strength` is that of one model."""

    id: str
    name: str
    side: Own
    kind: Kind
    block: Block
    movement: int
    unit_strength: int
    loose: tuple[Point, ...] = ()
    flies: bool = False
    swiftstride: bool = False
    leadership: int | None = None
    frenzy: bool = False
    causes: str = ""
    immune: bool = False
    fleeing: bool = False
    engaged_with: tuple[str, ...] = ()
    engaged_since_earlier: bool = False
    behind_obstacle: bool = False
    abandoned: bool = False
    in_building: bool = False
    shoots: bool = False
    overruns_too: bool = False
    at_turn_start: Pose | None = None

    @cached_property
    def pieces(self) -> tuple[Polygon, ...]:
        """Its footprint as convex pieces: the block, or one base for each skirmisher placed apart."""
        if not self.loose:
            return (self.block.corners,)
        heading, block = self.block.pose.heading, self.block
        return tuple(square(p, heading, block.base_width, block.base_depth) for p in self.loose)

    @property
    def models(self) -> int:
        """How many models it has."""
        return self.block.models

    @property
    def strength(self) -> int:
        """Unit strength of the whole unit."""
        return self.unit_strength * self.models

    @property
    def formed(self) -> bool:
        """Whether it stands in ranks, has flanks and can be aligned to."""
        return self.kind not in (Kind.SKIRMISHERS, Kind.WAR_MACHINE)


@dataclass(frozen=True)
class Terrain:
    """A piece of terrain: its outline as it was given, and its convex pieces."""

    id: str
    name: str
    ground: Ground
    outline: tuple[Point, ...]
    pieces: tuple[Polygon, ...]
    occupied: bool = False


@dataclass(frozen=True, slots=True)
class Opponent:
    """One enemy unit of the combat just fought. `wounds` is what it had left, `toughest` the wounds of one model."""

    name: str
    fate: Fate
    hated: bool = False
    wounds: int = 0
    model_wounds: int = 1
    position: Point | None = None


@dataclass(frozen=True, slots=True)
class AttackGroup:
    """Attacks still to be rolled against one opponent (its index): the scores needed, 7 = none, 1 = always.

    `wounds` is how many each unsaved hit takes off one model.
    """

    name: str
    attacks: int
    to_hit: int
    to_wound: int
    save: int
    ward: int
    wounds: int
    against: int


@dataclass(frozen=True, slots=True)
class Combat:
    """The combat just fought, as far as the overrun reads it."""

    round: int
    charged: bool
    struck_on: Facing
    opponents: tuple[Opponent, ...]
    attacks: tuple[AttackGroup, ...]
    defends_obstacle: bool = False
    last_turn: bool = False


@dataclass(frozen=True, eq=False)
class Setup:
    """One scenario. `memo` holds geometry already worked out: it is only ever the value of a pure function."""

    edition: str
    table: Polygon
    mover: Unit
    units: tuple[Unit, ...]
    terrain: tuple[Terrain, ...]
    combat: Combat
    rulings: Mapping[str, str]
    memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def by_id(self) -> Mapping[str, Unit]:
        """Every unit but the overrunning one."""
        return {unit.id: unit for unit in self.units}

    def number(self, unit: str) -> int:
        """The place of a unit in the file, from 1: how the measure `target` names it."""
        return [u.id for u in self.units].index(unit) + 1

    def ruled(self, ruling: str, reading: str) -> bool:
        """Whether that reading of the ruling was chosen."""
        return self.rulings[ruling] == reading
