"""What is fixed for the whole overrun: the counters, the ground, the approach, outside fire and the rulings chosen.

A `Setup` compares and hashes by identity, so a state may hold it in a field that its own equality ignores. The
`Opening` is how everything stands when the first step is asked; the state is built from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from overrun.kernel import Hashed, hashed, work
from overrun.rulesets.asl.counters import Gun, Unit, Vehicle, Weapon

asl = work("ASL")
"""Cites a rule of the ASL rulebook by its number."""


class Terrain(StrEnum):
    """Terrain of the entered Location; `TERRAIN` in `terrain.py` holds what each does."""

    OPEN = "open"
    BRUSH = "brush"
    ORCHARD = "orchard"
    GRAIN = "grain"
    VINEYARD = "vineyard"
    OLIVE = "olive"
    CACTUS = "cactus"
    WOODS = "woods"
    FOREST = "forest"
    MARSH = "marsh"
    CRAG = "crag"
    GRAVEYARD = "graveyard"
    GULLY = "gully"
    BRIDGE = "bridge"
    RUNWAY = "runway"
    RAILCAR = "railcar"
    LUMBERYARD = "lumberyard"
    WOODEN_BUILDING = "wooden_building"
    STONE_BUILDING = "stone_building"
    WOODEN_RUBBLE = "wooden_rubble"
    STONE_RUBBLE = "stone_rubble"
    HUT = "hut"
    COLLAPSED_HUT = "collapsed_hut"
    LIGHT_JUNGLE = "light_jungle"
    DENSE_JUNGLE = "dense_jungle"
    BAMBOO = "bamboo"
    PALM = "palm"
    KUNAI = "kunai"


class Hexside(StrEnum):
    """The hexside that the vehicle crosses on entry."""

    CLEAR = "clear"
    WALL = "wall"
    HEDGE = "hedge"
    BOCAGE = "bocage"
    DUNE_CREST = "dune_crest"
    OUT_OF_DEPRESSION = "out_of_depression"
    """Leaving a gully, stream or wadi by a non-Depression hexside."""


class Way(StrEnum):
    """How the vehicle enters the Location."""

    TERRAIN = "terrain"
    """Into the terrain itself, at its COT."""
    ROAD = "road"
    WOODS_ROAD = "woods_road"
    TRAIL_BREAK = "trail_break"
    BYPASS = "bypass"
    REVERSE = "reverse"


class Ground(StrEnum):
    """Ground condition for bog."""

    DRY = "dry"
    SOFT = "soft"
    MUD = "mud"
    SNOW = "snow"
    DEEP_SNOW = "deep_snow"


class Entrenchment(StrEnum):
    """What shelters the Infantry of the Location."""

    NONE = "none"
    FOXHOLE = "foxhole"
    TRENCH = "trench"
    SANGAR = "sangar"
    PILLBOX = "pillbox"


@dataclass(frozen=True, slots=True)
class Location:
    """The entered Location.

    `smoke` is the Hindrance of each SMOKE counter in it (1 to 3). `wrecks` counts wrecks and vehicles, for MP and TEM.
    `in_season` is for grain and brush-like crops (June to September).
    """

    terrain: Terrain = Terrain.OPEN
    in_season: bool = True
    single_story: bool = False
    fortified: bool = False
    factory: bool = False
    cellar: bool = True
    """Its building can have a cellar, so a vehicle can fall into it."""
    upper_level_units: bool = False
    shellhole: bool = False
    entrenchment: Entrenchment = Entrenchment.NONE
    smoke: tuple[int, ...] = ()
    wrecks: int = 0
    wreck_tem: bool = False
    """The targets are behind a wreck or friendly AFV of the Location and may claim its TEM."""
    bridge: bool = False
    debris: bool = False
    wire: bool = False
    ground: Ground = Ground.DRY
    woods_road: bool = False
    """A woods-road runs through the hex, whether or not the vehicle uses it."""
    pto: bool = False
    enemy_afv: str = ""
    """Key in `Setup.vehicles` of an enemy AFV in the Location, or empty."""


@dataclass(frozen=True, slots=True)
class Approach:
    """How the vehicle comes in. MP figures are printed or halved MP, so they may be halves.

    `full_mp` means that it pays all its MP where the terrain lets it choose between half and all.
    """

    way: Way = Way.TERRAIN
    hexside: Hexside = Hexside.CLEAR
    hexside_breach: bool = False
    """The hexside is crossed by a road or a breach: no underbelly hits, no hexside COT."""
    uphill: int = 0
    """Levels gained on entry."""
    abrupt_elevation: bool = False
    from_deep_stream: bool = False
    inside_factory: bool = False
    """It moves within one Factory."""
    amphibious: bool = False
    full_mp: bool = False
    towing: bool = False
    began_here: bool = False
    """It began its MPh in this hex and has not left it since."""
    cot: Fraction | None = None
    """COT of the terrain itself, where the chart has none or the map says another; None: by the chart."""
    extra_mp: tuple[tuple[str, Fraction], ...] = ()
    """MP of entry that only the map shows, each with its reason (weather, VCA change)."""
    bog: bool | None = None
    """Is a Bog DR due? None: as the terrain says."""
    extra_bog: tuple[tuple[str, int], ...] = ()
    """Bog DRM that only the map shows, each with its reason."""
    bypass_target: bool = False
    """The targets are themselves in Bypass of the hexside that the vehicle uses."""


class OutsideKind(StrEnum):
    """A Defensive First Fire attack from outside the Location."""

    IFT = "ift"
    ORDNANCE = "ordnance"
    RESULT = "result"


class VehicleFate(StrEnum):
    """A result on the vehicle that is stated, not rolled."""

    NONE = "none"
    PIN = "pin"
    STUN = "stun"
    RECALL = "recall"
    SHOCK = "shock"
    IMMOBILIZED = "immobilized"
    ABANDONED = "abandoned"
    ELIMINATED = "eliminated"
    BURNING = "burning"


@dataclass(frozen=True, slots=True)
class OutsideAttack:
    """One attack from outside the hex against the entry expenditure (or, with `second`, against a later declaration).

    `IFT`: `fp` and `drm`. `ORDNANCE`: To Hit number `th` and its `drm`, basic TK# `tk`, the target facing as the firer
    sees it ("front", "side", "rear"), and `ammunition` ("AP", "APCR", "APDS", "HEAT", "HE"). `RESULT`: `fate`.
    """

    id: str
    kind: OutsideKind
    fp: int = 0
    drm: int = 0
    th: int = 0
    tk: int = 0
    caliber: int = 0
    facing: str = "front"
    ammunition: str = "AP"
    breakdown: int = 12
    fate: VehicleFate = VehicleFate.NONE
    second: bool = False


class Concealment(StrEnum):
    """What the attacker knows of a unit."""

    __hash__ = str.__hash__

    KNOWN = "known"
    CONCEALED = "concealed"
    HIDDEN = "hidden"


class Fired(StrEnum):
    """The fire counter on a unit, SW or Gun."""

    __hash__ = str.__hash__

    UNMARKED = "unmarked"
    FIRST = "first"
    FINAL = "final"
    INTENSIVE = "intensive"
    NO_FIRE = "no_fire"


class Motion(StrEnum):
    """How the vehicle moves when it is fired at."""

    __hash__ = str.__hash__

    STOPPED = "stopped"
    MOVING = "moving"
    """Non-Stopped: it is expending MP of its MPh."""
    MOTION = "motion"


@dataclass(frozen=True, slots=True)
class WeaponOpening:
    """A SW at the start: who has it (a unit id, or "" for unpossessed), which counter, its marks."""

    id: str
    printed: str
    owner: str = ""
    fired: Fired = Fired.UNMARKED
    malfunctioned: bool = False
    in_entrenchment: bool = False


@dataclass(frozen=True, slots=True)
class GunOpening:
    """A Gun at the start: `ca_turns` is how many hexspines its CA must turn to cover the crossed hexside."""

    id: str
    printed: str
    crew: str = ""
    fired: Fired = Fired.UNMARKED
    malfunctioned: bool = False
    emplaced: bool = False
    limbered: bool = False
    ca_turns: int = 0
    vca_turns: int = 0
    """Hexspines to turn so that the CA matches the vehicle's VCA (D7.22)."""
    ca_fixed: bool = False
    """It fired from woods, building or rubble, so its CA may not change."""
    ammunition: str = "AP"
    in_entrenchment: bool = False
    acquired: int = 0


@dataclass(frozen=True, slots=True)
class UnitOpening:
    """A defending unit at the start. `printed` is its key in `Setup.printed`; `id` is what players call it."""

    id: str
    printed: str
    concealment: Concealment = Concealment.KNOWN
    fired: Fired = Fired.UNMARKED
    pinned: bool = False
    broken: bool = False
    berserk: bool = False
    fanatic: bool = False
    heroic: bool = False
    wounded: bool = False
    cx: bool = False
    cavalry: bool = False
    motorcyclist: bool = False
    entrenched: bool = False
    """It is in the Location's entrenchment."""
    melee: bool = False
    """In Melee, so unable to Reaction Fire."""
    street_fighting: bool = False
    """In an ADJACENT building of the vehicle's road hex: it may attack in CC, and no overrun hits it (A11.8)."""
    paatc_passed: bool = False
    inherent: tuple[str, ...] = ()
    """Keys in `Setup.weapons` of inherent anti-tank weapons it may check for (PF, MOL)."""


@dataclass(frozen=True, slots=True)
class RiderOpening:
    """A Passenger or Rider: a unit id, its counter, and how it rides."""

    id: str
    printed: str
    rider: bool = False
    ce: bool = False
    sw_fp: int = 0
    """Printed FP of its SW; read only under ruling `passenger_sw`."""
    broken: bool = False
    pinned: bool = False


@hashed
@dataclass(frozen=True, slots=True)
class VehicleOpening(Hashed):
    """The overrunning vehicle at the start.

    `mp_left` is what it may still spend; `mp_spent_here` what it has already spent in this Location. `crew_ml` is the
    crew's Morale Level (D5.1), `armor_leader` a modifier or None. `disabled` names weapons that do not work
    ("MA", "BMG", "CMG", "AAMG", "IFE", "FT").
    """

    mp_left: Fraction
    motion: Motion = Motion.MOVING
    ce: bool = False
    bounding_fired: bool = False
    prc_bounding_fired: bool = False
    prep_fired: bool = False
    prior_overruns: int = 0
    crew_ml: int = 8
    armor_leader: int | None = None
    inexperienced: bool = False
    stun_counter: bool = False
    crew: bool = True
    immobile: bool = False
    pinned: bool = False
    mp_spent_here: Fraction = Fraction(0)
    disabled: tuple[str, ...] = ()
    outside_ca: tuple[str, ...] = ()
    """Weapons whose CA does not include the crossed hexside; read only under ruling `ovr_ca`."""
    riders: tuple[RiderOpening, ...] = ()
    turret_to_side: bool = True
    """In Bypass its turret points to its side Target Facing, so that it may Bounding First Fire (D2.32)."""
    bypass_turns: int = 0
    """Hexspines that the turret must turn for Bounding First Fire from Bypass."""
    escort: int = 0
    """Unbroken, unpinned Infantry moving with it in the Location, as CC DRM (+1 per HS or crew, +2 per squad)."""
    ft_alone: bool = False
    """It declines its base and MG FP, so that only FT FP attacks (TEM is then NA)."""


@dataclass(frozen=True, slots=True)
class TargetVehicle:
    """An enemy vehicle in the Location: a target itself if unarmored, and by its Vulnerable PRC (D7.1, A7.308).

    `printed` is its key in `Setup.vehicles`; `ce`: its crew is CE (an open-topped crew is Vulnerable even BU).
    """

    id: str
    printed: str
    in_motion: bool = False
    ce: bool = False
    on_road: bool = False
    crew_ml: int = 7
    riders: tuple[RiderOpening, ...] = ()


@dataclass(frozen=True, slots=True)
class Opening:
    """How everything stands at the first step."""

    vehicle: VehicleOpening
    units: tuple[UnitOpening, ...] = ()
    weapons: tuple[WeaponOpening, ...] = ()
    guns: tuple[GunOpening, ...] = ()
    vehicles: tuple[TargetVehicle, ...] = ()


@dataclass(frozen=True, eq=False)
class Setup:
    """Every fact that no roll and no choice changes.

    `printed`, `weapons` and `guns` map keys to counters and hold every counter that a result can bring into play
    (half-squads, replacements, heroes). `unverified` names each counter or figure that rests on a doubtful source.
    """

    vehicle: Vehicle
    printed: Mapping[str, Unit] = field(default_factory=dict)
    weapons: Mapping[str, Weapon] = field(default_factory=dict)
    guns: Mapping[str, Gun] = field(default_factory=dict)
    vehicles: Mapping[str, Vehicle] = field(default_factory=dict)
    location: Location = Location()
    approach: Approach = Approach()
    outside: tuple[OutsideAttack, ...] = ()
    rulings: Mapping[str, str] = field(default_factory=dict)
    year: int = 1944
    month: int = 6
    elr: int = 3
    heat_of_battle: bool = True
    pf_shots: int = 0
    """PF shots that the defender may still take (C13.31); 0 when there are none."""
    unverified: tuple[str, ...] = ()
    overruns: int = 1
    """How many overruns of this MPh are played out at most, MP permitting."""

    def elr_of(self, unit: Unit) -> int | None:
        """The ELR of a unit (A19.13): None when it is exempt, 5 when its Morale Level is underlined."""
        if unit.elr_exempt:
            return None
        return 5 if unit.elr_five else self.elr

    def ruled(self, name: str) -> str:
        """The chosen reading of a ruling."""
        return self.rulings[name]
