"""Facts that stay fixed for the whole overrun: counters, units, path, map, rulings. Equality of states ignores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from overrun.kernel import Ledger, Refusal
from overrun.rulesets.valor.hexmap import Board, Hex


class Kind(StrEnum):
    """What a counter is."""

    LEADER = "leader"
    SQUAD = "squad"
    HALF_SQUAD = "half_squad"
    GUN = "gun"
    VEHICLE = "vehicle"
    AFV = "afv"
    WEAPON = "weapon"
    EXPENDABLE = "expendable"
    SNIPER = "sniper"

    @property
    def infantry(self) -> bool:
        """Leaders, squads and half squads."""
        return self in (Kind.LEADER, Kind.SQUAD, Kind.HALF_SQUAD)

    @property
    def target(self) -> bool:
        """What an overrun may attack: infantry, Guns, unarmored vehicles (19.1)."""
        return self.infantry or self in (Kind.GUN, Kind.VEHICLE)


@dataclass(frozen=True, slots=True)
class Gun:
    """The gun of a Gun or an AFV: AT rating A to F, APFP, and whether a turret turns it all round."""

    at: str
    apfp: int
    turret: bool


@dataclass(frozen=True, slots=True)
class Counter:
    """The printed values of one counter. `verified` is False for placeholders."""

    name: str
    kind: Kind
    source: str
    verified: bool
    apfp: int
    range: int
    cr: int
    leadership: int
    half: Counter | None
    gun: Gun | None
    mg360: int
    ffmg: int
    front: str
    rear: str
    mp: int
    at: str
    size: str
    mortar: bool
    grenades: int
    shield: bool
    transport: str
    tows: bool

    @property
    def printed_apfp(self) -> int:
        """The full, combined APFP of a vehicle: gun and machine guns (19.4)."""
        return (self.gun.apfp if self.gun else 0) + self.mg360 + self.ffmg


@dataclass(frozen=True, slots=True)
class Unit:
    """One counter on the map with what it carries. `sees` are hexes beyond the adjacent ones, with hindrances between.

    Units of one `group` were declared together, share a label and are interchangeable. `carrier` is the index of the
    vehicle it rides.
    """

    id: str
    label: str
    counter: Counter
    hex: Hex
    weapons: tuple[Counter, ...] = ()
    facing: int | None = None
    sees: tuple[tuple[Hex, int], ...] = ()
    group: str = ""
    carrier: int | None = None
    towed: bool = False


@dataclass(frozen=True, slots=True)
class Afv:
    """The overrunning vehicle at the moment of its declaration."""

    label: str
    counter: Counter
    hex: Hex
    facing: int
    immobile: bool = False
    fired: bool = False
    moved: bool = False
    towing: str = ""


@dataclass(frozen=True, slots=True)
class Leg:
    """One hex of the path. `facing` is the AFV's as it enters, `turned` its facing after the turn made there.

    `spent` are the MP used up on entering it; the two MP of the attack come with the target hex.
    """

    hex: Hex
    facing: int
    turned: int
    reverse: bool
    spent: int


@dataclass(frozen=True, slots=True)
class Path:
    """The whole move: approach hexes, the target hex, and the exit hex (missing when it lies off the map).

    `barred` are the rules of movement that forbid it, each with where: "approach", "target" or "exit".
    """

    legs: tuple[Leg, ...]
    target: int
    ledger: Ledger
    barred: tuple[tuple[str, Refusal], ...]

    @property
    def exit(self) -> int | None:
        """The index of the exit hex among the legs."""
        return self.target + 1 if len(self.legs) > self.target + 1 else None


@dataclass(frozen=True, eq=False)
class Setup:
    """One scenario. `pool` and `attacker_pool` are the expendables of each player, with how many at the start."""

    board: Board
    afv: Afv
    passengers: tuple[Unit, ...]
    units: tuple[Unit, ...]
    friends: tuple[Unit, ...]
    path: Path
    pool: tuple[tuple[Counter, int], ...]
    attacker_pool: tuple[tuple[Counter, int], ...]
    rulings: Mapping[str, str]
    phase: str = "movement"

    @property
    def target(self) -> Hex:
        """The target hex."""
        return self.path.legs[self.path.target].hex

    def leg(self, index: int) -> Leg:
        """A hex of the path by its index."""
        return self.path.legs[index]
