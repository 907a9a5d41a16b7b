"""What is printed on a counter: vehicles, units, support weapons and Guns. None of it changes during an overrun."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Nation(StrEnum):
    """Whose counter it is, as far as a rule asks."""

    GERMAN = "german"
    RUSSIAN = "russian"
    AMERICAN = "american"
    USMC = "usmc"
    BRITISH = "british"
    FRENCH = "french"
    ITALIAN = "italian"
    FINNISH = "finnish"
    JAPANESE = "japanese"
    CHINESE_GMD = "chinese_gmd"
    CHINESE_RED = "chinese_red"
    AXIS_MINOR = "axis_minor"
    ALLIED_MINOR = "allied_minor"
    PARTISAN = "partisan"
    ANY = "any"


class UnitKind(StrEnum):
    """Size of a unit. Everything from `LEADER` on is a SMC, except a dummy stack."""

    SQUAD = "squad"
    HALF_SQUAD = "half_squad"
    CREW = "crew"
    LEADER = "leader"
    COMMISSAR = "commissar"
    HERO = "hero"
    DUMMY = "dummy"


class UnitClass(StrEnum):
    """Quality of a MMC; a SMC is `SMC`. Crews are `CREW`, whatever they crew."""

    ELITE = "elite"
    SS = "SS"
    FIRST_LINE = "1st_line"
    SECOND_LINE = "2nd_line"
    GREEN = "green"
    CONSCRIPT = "conscript"
    CREW = "crew"
    SMC = "smc"


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit counter's printed values.

    `ml` and `broken_ml` are Morale Levels (1 to 10), `fp` the printed firepower, `leadership` a leader's modifier
    (None for a unit that is no leader). `reduces_to` names the counter left after Casualty Reduction (a squad's HS, a
    step-reduced Japanese squad), `replaced_by` the lower-quality counter after an ELR failure (None: it cannot be
    replaced), `hardens_to` the better one after battle hardening. All three are keys of `Setup.printed`.
    """

    key: str
    name: str
    nation: Nation
    kind: UnitKind
    unit_class: UnitClass
    fp: int
    range: int
    ml: int
    broken_ml: int
    leadership: int | None = None
    assault_engineer: bool = False
    elr_five: bool = False
    """Its ELR is 5, whatever its side's (underlined Morale Level)."""
    steps_to: str | None = None
    """The counter after the step that a failed MC costs instead of breaking (Japanese squads and crews)."""
    troop: str = ""
    """A people within a nation that a rule singles out: "eritrean", "romanian"."""
    reduces_to: str | None = None
    replaced_by: str | None = None
    hardens_to: str | None = None
    verified: bool = True
    source: str = ""

    @property
    def smc(self) -> bool:
        """Is it a Single-Man Counter?"""
        return self.kind in {UnitKind.LEADER, UnitKind.COMMISSAR, UnitKind.HERO}

    @property
    def self_steps(self) -> bool:
        """Does it lose a step instead of breaking?"""
        return self.steps_to is not None

    @property
    def leader(self) -> bool:
        """Does it have a leadership modifier (commissars included)?"""
        return self.leadership is not None

    @property
    def elr_exempt(self) -> bool:
        """Does ELR not apply (A19.13): crews, heroes, commissars and dummies?"""
        return self.kind in {UnitKind.CREW, UnitKind.HERO, UnitKind.COMMISSAR, UnitKind.DUMMY}

    @property
    def elite(self) -> bool:
        """Does it count as Elite (SS included)?"""
        return self.unit_class in {UnitClass.ELITE, UnitClass.SS}


class Movement(StrEnum):
    """Movement type; it decides the COT column and who may enter what."""

    FULLY_TRACKED = "fully_tracked"
    HALFTRACK = "halftrack"
    TRUCK = "truck"
    ARMORED_CAR = "armored_car"
    SIDECAR = "sidecar"
    MOTORCYCLE = "motorcycle"
    BICYCLE = "bicycle"
    WAGON = "wagon"
    AEROSAN = "aerosan"


class GroundPressure(StrEnum):
    """How hard a vehicle presses on the ground, for bog."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


class Size(StrEnum):
    """Target size."""

    VERY_LARGE = "very_large"
    LARGE = "large"
    AVERAGE = "average"
    SMALL = "small"
    VERY_SMALL = "very_small"


class Turret(StrEnum):
    """How the Main Armament turns; also the mount of a Gun."""

    T = "T"
    ST = "ST"
    RST = "RST"
    ONE_MAN = "1MT"
    NT = "NT"
    NONE = "none"


class MAKind(StrEnum):
    """What the Main Armament is, as D7.11 asks."""

    GUN = "gun"
    IFE = "IFE"
    MG = "MG"
    FT = "FT"
    MTR = "MTR"
    ATR = "ATR"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Armor:
    """Armor Factors by facing; the turret's rear and sides share one factor, as printed."""

    front: int
    side: int
    rear: int
    turret_front: int
    turret_rear: int


@dataclass(frozen=True, slots=True)
class Vehicle:
    """One vehicle counter's printed values; FP of a weapon it does not carry is 0.

    `armor` is None for an unarmored vehicle. `ma_mount` says where the Main Armament sits: "turret", "bow", "other",
    or "BMG", "CMG", "AAMG" when that MG is the Main Armament. `ife` is the FP of an IFE-capable Main Armament.
    `breakdown` is the B# (or X#, with `x_number`) of the Main Armament, `mg_breakdown` that of its MG.
    """

    key: str
    name: str
    nation: Nation
    movement: Movement
    mp: int
    armor: Armor | None
    ground_pressure: GroundPressure = GroundPressure.NORMAL
    size: Size = Size.AVERAGE
    open_topped: bool = False
    turret: Turret = Turret.NONE
    ma_kind: MAKind = MAKind.NONE
    ma_mount: str = "none"
    ma_caliber: int = 0
    ma_length: str = ""
    ma_smoke_only: bool = False
    rof: int = 0
    breakdown: int = 12
    x_number: bool = False
    ft: int = 0
    ife: int = 0
    bmg: int = 0
    cmg: int = 0
    aamg: int = 0
    aamg_optional: bool = False
    """The AAMG is optional: a file that fits none sets `aamg` to 0."""
    rmg: int = 0
    mg_breakdown: int = 12
    cs: int = 0
    """Crew Survival number."""
    cs_red: bool = False
    """A red CS#: the vehicle burns more easily."""
    pp: int = 0
    """Portage capacity: more than 0 means that it carries Passengers."""
    bulldozer: bool = False
    tankette: bool = False
    """A tankette or Carrier, which dense jungle and bamboo keep out."""
    stabilized: bool = False
    partially_armored: bool = False
    verified: bool = True
    source: str = ""
    notes: str = ""

    @property
    def armored(self) -> bool:
        """Is it an AFV?"""
        return self.armor is not None

    @property
    def fully_tracked(self) -> bool:
        """Is it fully-tracked?"""
        return self.movement is Movement.FULLY_TRACKED

    @property
    def crewed(self) -> bool:
        """Has it an Inherent crew, not just a driver: is it armored or armed?"""
        return self.armored or self.ma_kind is not MAKind.NONE or bool(self.bmg or self.cmg or self.aamg)

    @property
    def armored_halftrack(self) -> bool:
        """Is it an armored halftrack, whose CE Passengers fire their whole FP halved only once (D6.72)?"""
        return self.armored and self.movement is Movement.HALFTRACK


class WeaponKind(StrEnum):
    """Support weapons, inherent anti-tank weapons included."""

    LMG = "LMG"
    MMG = "MMG"
    HMG = "HMG"
    FT = "FT"
    DC = "DC"
    MOL = "MOL"
    MOL_PROJECTOR = "MOL-P"
    PF = "PF"
    PFK = "PFk"
    PSK = "PSK"
    BAZ = "BAZ"
    PIAT = "PIAT"
    ATR = "ATR"
    INF = "INF"
    RCL = "RCL"
    MTR = "MTR"


@dataclass(frozen=True, slots=True)
class Weapon:
    """One support weapon's printed values.

    `to_hit` holds its own To Hit numbers from range 0 up; empty means the ordnance table (black numbers). `to_kill` is
    the basic TK# (0: read the gun tables by `caliber` and `length`, or it has none).
    """

    key: str
    name: str
    nation: Nation
    kind: WeaponKind
    fp: int = 0
    range: int = 0
    rof: int = 0
    breakdown: int = 12
    x_number: bool = False
    to_hit: tuple[int, ...] = ()
    to_kill: int = 0
    caliber: int = 0
    length: str = ""
    ift_fp: int = 0
    """FP of its hit or shot against unarmored targets on the IFT."""
    verified: bool = True
    source: str = ""

    @property
    def machine_gun(self) -> bool:
        """Is it a MG?"""
        return self.kind in {WeaponKind.LMG, WeaponKind.MMG, WeaponKind.HMG}

    @property
    def inherent(self) -> bool:
        """Does it have no counter: it is checked for with a dr when it is used (PF, PFk, MOL)?"""
        return self.kind in {WeaponKind.PF, WeaponKind.PFK, WeaponKind.MOL}

    @property
    def shaped_charge(self) -> bool:
        """Is it one of the shaped-charge LATW that C8 and C13 treat alike?"""
        return self.kind in {WeaponKind.PF, WeaponKind.PFK, WeaponKind.PSK, WeaponKind.BAZ, WeaponKind.PIAT}


@dataclass(frozen=True, slots=True)
class Gun:
    """One Gun counter's printed values. `kind` is AT, INF, ART, AA or MTR; `mount` says how it turns (T, ST, NT)."""

    key: str
    name: str
    nation: Nation
    kind: str
    caliber: int
    length: str = ""
    mount: Turret = Turret.NT
    size: Size = Size.AVERAGE
    rof: int = 0
    breakdown: int = 12
    x_number: bool = False
    ife: int = 0
    no_ap: bool = False
    no_he: bool = False
    no_intensive_fire: bool = False
    quick_set_up: bool = False
    heat: int = 0
    """HEAT Depletion Number, 0 when it has none."""
    apcr: int = 0
    """APCR or APDS Depletion Number, 0 when it has none."""
    apds: bool = False
    """The special round above is APDS."""
    verified: bool = True
    source: str = ""
