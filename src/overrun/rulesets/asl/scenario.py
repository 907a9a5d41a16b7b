"""The situation file: its format, and every problem in it reported at once with its key path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from overrun.kernel import InputError, Problem, meant
from overrun.rulesets.asl import catalogue, setup
from overrun.rulesets.asl.assembly import Built, build

Name = Annotated[str, Field(min_length=1, max_length=60)]
Face = Annotated[int, Field(ge=1, le=6)]
Roll = Annotated[list[Face], Field(min_length=1, max_length=20)]
MP = Annotated[float, Field(ge=0, le=80, multiple_of=0.5)]
Fired = Literal["unmarked", "first", "final"]
GunFired = Literal["unmarked", "first", "final", "intensive", "no_fire"]
Nationality = Literal[
    "german", "russian", "american", "usmc", "british", "french", "italian", "finnish", "japanese",
    "chinese_gmd", "chinese_red", "axis_minor", "allied_minor", "partisan",
]  # fmt: skip
VehicleWeapon = Literal["MA", "BMG", "CMG", "AAMG", "IFE", "FT"]


class Model(BaseModel):
    """Strict: no unknown keys, no silent conversions."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _counter_alone(value: object) -> object:
    return {"counter": value} if isinstance(value, str) else value


class RiderModel(Model):
    """A Passenger or Rider of the vehicle; its `counter` is a key or "nation name" of the catalogue."""

    counter: Name
    nation: Nationality | None = None
    id: Name | None = None
    role: Literal["passenger", "rider"] = "passenger"
    ce: bool = False
    broken: bool = False
    pinned: bool = False
    sw_fp: int = Field(default=0, ge=0, le=40, description="printed FP of its SW; read under ruling passenger_sw")


class VehicleModel(Model):
    """The vehicle that would overrun: its counter, and how it stands."""

    counter: Name
    mp_left: MP | None = Field(default=None, description="MP it may still spend; without it, the printed allotment")
    mp_spent_here: MP = 0
    motion: Literal["moving", "stopped", "motion"] = "moving"
    ce: bool = False
    aamg: bool = Field(default=False, description="an optional AAMG is fitted")
    bounding_fired: bool = False
    prc_bounding_fired: bool = False
    prep_fired: bool = False
    prior_overruns: int = Field(default=0, ge=0, le=20)
    crew: bool = Field(default=True, description="it has an Inherent crew")
    crew_ml: int | None = Field(default=None, ge=1, le=10, description="without it, by nationality (D5.1)")
    armor_leader: int | None = Field(default=None, ge=-3, le=1, description="an Armor Leader's modifier")
    inexperienced: bool = False
    stun_counter: bool = Field(default=False, description="its crew is under a +1 counter")
    immobile: bool = False
    pinned: bool = False
    disabled: list[VehicleWeapon] = []
    outside_ca: list[VehicleWeapon] = []
    turret_to_side: bool = Field(default=True, description="in Bypass its turret points to its side Target Facing")
    bypass_turns: int = Field(default=0, ge=0, le=3, description="hexspines its turret must turn in Bypass")
    escort: int = Field(default=0, ge=0, le=12, description="CC DRM of Infantry moving with it")
    ft_alone: bool = Field(default=False, description="it attacks with FT FP alone")
    overruns: int = Field(default=1, ge=1, le=4, description="how many overruns are played out at most")
    prc: list[Annotated[RiderModel, BeforeValidator(_counter_alone)]] = []


class LocationModel(Model):
    """The Location that the vehicle would enter."""

    terrain: Literal[tuple(terrain.value for terrain in setup.Terrain)] = "open"  # type: ignore[valid-type]
    in_season: bool = True
    single_story: bool = False
    fortified: bool = False
    factory: bool = False
    cellar: bool = True
    upper_level_units: bool = False
    shellhole: bool = False
    entrenchment: Literal["none", "foxhole", "trench", "sangar", "pillbox"] = "none"
    smoke: list[Annotated[int, Field(ge=1, le=3)]] = []
    wrecks: int = Field(default=0, ge=0, le=9)
    wreck_tem: bool = Field(default=False, description="the targets claim the TEM of a wreck or friendly AFV there")
    bridge: bool = False
    debris: bool = False
    wire: bool = False
    ground: Literal["dry", "soft", "mud", "snow", "deep_snow"] = "dry"
    woods_road: bool = False
    pto: bool = False
    enemy_afv: Name | None = Field(default=None, description="counter of an enemy AFV in the Location")


class ApproachModel(Model):
    """How the vehicle comes in."""

    way: Literal["terrain", "road", "woods_road", "trail_break", "bypass", "reverse"] = "terrain"
    hexside: Literal["clear", "wall", "hedge", "bocage", "dune_crest", "out_of_depression"] = "clear"
    hexside_breach: bool = False
    uphill: int = Field(default=0, ge=0, le=4)
    abrupt_elevation: bool = False
    from_deep_stream: bool = False
    inside_factory: bool = False
    amphibious: bool = False
    full_mp: bool = False
    towing: bool = False
    began_here: bool = False
    cot: MP | None = Field(default=None, description="COT of the terrain, if the chart has none or the map another")
    extra_mp: dict[Name, MP] = {}
    bog: bool | None = None
    extra_bog: dict[Name, Annotated[int, Field(ge=-6, le=6)]] = {}
    bypass_target: bool = False


class PieceModel(Model):
    """A SW in a unit's hands or unpossessed. A text alone is its counter."""

    counter: Name
    nation: Nationality | None = None
    id: Name | None = None
    fired: Fired = "unmarked"
    malfunctioned: bool = False
    in_entrenchment: bool = False


class GunModel(Model):
    """A Gun, manned by the unit it is listed under, or unpossessed."""

    counter: Name
    id: Name | None = None
    fired: GunFired = "unmarked"
    malfunctioned: bool = False
    emplaced: bool = False
    limbered: bool = False
    in_entrenchment: bool = False
    ca_turns: int = Field(default=0, ge=0, le=5, description="hexspines to turn to cover the crossed hexside")
    vca_turns: int = Field(default=0, ge=0, le=5, description="hexspines to turn to match the vehicle's VCA")
    ca_fixed: bool = False
    ammunition: Literal["AP", "APCR", "APDS", "HEAT", "HE"] | None = None
    acquired: int = Field(default=0, ge=-2, le=0)


Piece = Annotated[PieceModel, BeforeValidator(_counter_alone)]
Ordnance = Annotated[GunModel, BeforeValidator(_counter_alone)]


class UnitModel(Model):
    """A defending unit, or `count` alike ones with like weapons."""

    counter: Name
    nation: Nationality | None = None
    id: Name | None = None
    count: int = Field(default=1, ge=1, le=6)
    concealment: Literal["known", "concealed", "hidden"] = "known"
    fired: Fired = "unmarked"
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
    melee: bool = False
    street_fighting: bool = Field(default=False, description="in an ADJACENT building of the vehicle's road hex")
    paatc_passed: bool = False
    weapons: list[Piece] = []
    guns: list[Ordnance] = []
    inherent: list[Literal["PF", "PFk", "MOL"]] = []


class TargetModel(Model):
    """An enemy vehicle in the Location, with whoever rides in it."""

    counter: Name
    id: Name | None = None
    in_motion: bool = False
    ce: bool = False
    on_road: bool = Field(default=False, description="it is on the road of a woods-road hex")
    crew_ml: int | None = Field(default=None, ge=1, le=10, description="without it, by nationality (D5.1)")
    prc: list[Annotated[RiderModel, BeforeValidator(_counter_alone)]] = []


class OutsideModel(Model):
    """Defensive First Fire from outside the hex: an IFT attack, a To Hit shot, or a result already rolled."""

    id: Name
    kind: Literal["ift", "ordnance", "result"]
    fp: int = Field(default=0, ge=0, le=100)
    drm: int = Field(default=0, ge=-12, le=12)
    th: int = Field(default=0, ge=-5, le=12)
    tk: int = Field(default=0, ge=0, le=40, description="basic TK#, its range modifier included")
    caliber: int = Field(default=0, ge=0, le=200)
    facing: Literal["front", "side", "rear"] = "front"
    ammunition: Literal["AP", "APCR", "APDS", "HEAT", "HE"] = "AP"
    breakdown: int = Field(default=12, ge=2, le=13)
    fate: Literal[tuple(fate.value for fate in setup.VehicleFate)] = "none"  # type: ignore[valid-type]
    second: bool = Field(default=False, description="it is fired at an overrun declared after the entry")


class DiceModel(Model):
    """Rolls already stated, in order: each the faces of its dice."""

    rolls: list[Roll] = []


class Document(Model):
    """One situation: a vehicle about to enter a Location, and who waits there."""

    system: Literal["asl"]
    title: Name
    note: str = ""
    date: Annotated[str, Field(pattern=r"^19[3-4][0-9]-(0[1-9]|1[0-2])$", description="year and month, as 1944-06")] = (
        "1944-06"
    )
    elr: int = Field(default=3, ge=0, le=5)
    heat_of_battle: bool = True
    open_information: bool = Field(default=False, description="both players know what is concealed or hidden")
    pf_shots: int | None = Field(default=None, ge=0, le=40, description="PF shots left; else by the units listed")
    vehicle: VehicleModel
    location: LocationModel = LocationModel()
    approach: ApproachModel = ApproachModel()
    defenders: list[UnitModel] = []
    vehicles: list[Annotated[TargetModel, BeforeValidator(_counter_alone)]] = []
    unpossessed: list[Piece] = []
    abandoned_guns: list[Ordnance] = []
    outside: list[OutsideModel] = []
    counters: dict[str, dict[Name, dict[str, Any]]] = {}
    rulings: dict[str, str] = {}
    plan: dict[str, list[str]] = {}
    dice: DiceModel = DiceModel()


def schema() -> Mapping[str, Any]:
    """The format as JSON Schema; `examples` of a counter are the known ones, `x-unverified` the doubtful among them."""
    found = Document.model_json_schema()
    shipped = catalogue.shipped()
    kinds: Mapping[str, Mapping[str, Any]] = {
        "VehicleModel": shipped.vehicles,
        "TargetModel": shipped.vehicles,
        "UnitModel": shipped.units,
        "RiderModel": shipped.units,
        "PieceModel": shipped.weapons,
        "GunModel": shipped.guns,
    }
    for model, counters in kinds.items():
        counter = found["$defs"][model]["properties"]["counter"]
        counter["examples"] = list(counters)
        counter["x-unverified"] = [key for key, one in counters.items() if not one.verified]
    return found


def read(document: Mapping[str, Any]) -> Built:
    """A parsed situation file as everything that play starts from. Raises `InputError` with every problem found."""
    try:
        content = Document.model_validate(document)
    except ValidationError as error:
        raise InputError([_problem(found) for found in error.errors()]) from None
    return build(content, document)


_KINDS = {
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text in quotes",
    "list_type": "a list in [ ]",
    "dict_type": "a table",
    "model_type": "a table",
}


def _problem(found: Any) -> Problem:
    path = [part for part in found["loc"] if part != "[key]"]
    place, limit, given = _path(path), found.get("ctx", {}), found["input"]
    if found["type"] == "extra_forbidden":
        keys = _keys(path[:-1])
        return Problem(place, f"there is no such key here{meant(str(path[-1]), keys)}", ", ".join(keys))
    if found["type"] in _KINDS:
        return Problem(place, f"{given!r} is of the wrong kind", _KINDS[found["type"]])
    words: dict[str, tuple[str, str]] = {
        "missing": ("this key is missing", ""),
        "literal_error": (f"{given!r} is not known here", str(limit.get("expected")).replace("'", "")),
        "string_pattern_mismatch": (f"{given!r} is no date", "year and month, as 1944-06"),
        "greater_than_equal": (f"{given!r} is too small", f"{limit.get('ge')} or more"),
        "less_than_equal": (f"{given!r} is too large", f"{limit.get('le')} or less"),
        "multiple_of": (f"{given!r} is no figure of MP", "whole and half MP"),
        "too_short": ("too few are given", f"at least {limit.get('min_length')}"),
        "too_long": ("too many are given", f"at most {limit.get('max_length')}"),
        "string_too_short": ("it is empty", f"{limit.get('min_length')} letter or more"),
        "string_too_long": ("it is too long", f"{limit.get('max_length')} letters or fewer"),
    }
    return Problem(place, *words.get(found["type"], (str(found["msg"]).lower(), "")))


def _path(parts: Iterable[int | str]) -> str:
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix(".")


def _keys(path: Iterable[int | str]) -> tuple[str, ...]:
    """The keys allowed in the table at a path of the document."""
    model: type[BaseModel] = Document
    for part in path:
        if isinstance(part, str) and part in model.model_fields:
            model = _inner(model.model_fields[part].annotation) or model
    return tuple(model.model_fields)


def _inner(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        if (found := _inner(argument)) is not None:
            return found
    return None
