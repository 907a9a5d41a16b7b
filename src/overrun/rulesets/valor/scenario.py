"""The scenario file: its format, and every problem in it reported at once with its key path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from overrun.kernel import InputError, Problem, Situation, meant
from overrun.rulesets.valor.figures import printed_counters, terrain_names
from overrun.rulesets.valor.hexmap import DIRECTIONS

Direction = Literal["N", "NE", "SE", "S", "SW", "NW"]
Rating = Literal["A", "B", "C", "D", "E", "F"]
Name = Annotated[str, Field(min_length=1, max_length=60)]
HexName = Annotated[str, Field(pattern=r"^[A-Z]{1,2}[1-9][0-9]?$", description="a hex, as D4")]
Face = Annotated[int, Field(ge=1, le=6)]
Roll = Annotated[list[Face], Field(min_length=1, max_length=2)]


class Model(BaseModel):
    """Strict: no unknown keys, no silent conversions."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _terrain_alone(value: object) -> object:
    return {"terrain": value} if isinstance(value, str) else value


class HexModel(Model):
    """One hex of the map. `D2 = "woods"` is short for `D2 = { terrain = "woods" }`."""

    terrain: Literal[
        "open", "beach", "field", "desert", "river-bank", "road", "bridge", "woods", "jungle", "stream", "gully",
        "wadi", "orchard", "palm-grove", "hay-stack", "crops", "building", "canal", "pond", "marsh", "ocean", "river",
    ] = "open"  # fmt: skip
    level: int = Field(0, ge=0, le=5, description="hill level, 0 is ground")
    position: Literal["foxholes", "trenches", "caves", "sandbags", "bunker-earth", "bunker-concrete"] | None = None
    bunker_facing: Direction | None = Field(None, description="where a Bunker's units may fire")
    smoke: int = Field(0, ge=0, le=2, description="smoke marker 1 or 2")
    mines: bool = False
    wire: bool = Field(False, description="barbed wire; it does not hinder an AFV")
    road: list[HexName] = Field([], description="the hexes that the road in this hex leads to (needed for a bridge)")


class HexsideModel(Model):
    """A wall, hedge or hedgerow between two adjacent hexes."""

    between: Annotated[list[HexName], Field(min_length=2, max_length=2)]
    kind: Literal["wall", "hedge", "hedgerow"]


class MapModel(Model):
    """The map: columns from A to the one named, rows 1 downwards; hexes not listed are open ground."""

    columns: Annotated[str, Field(pattern=r"^[A-Z]{1,2}$")]
    rows: int = Field(ge=1, le=99)
    hexes: dict[HexName, Annotated[HexModel, BeforeValidator(_terrain_alone)]] = {}
    hexsides: list[HexsideModel] = []


class GunModel(Model):
    """The gun of a Gun or AFV."""

    at: Rating
    apfp: int = Field(ge=0, le=60)
    turret: bool


class ArmorModel(Model):
    """Armor letters; the same letter twice for a single printed one."""

    front: Rating
    rear: Rating


class CounterModel(Model):
    """Printed values of a counter. A counter of the same name in the catalogue gives what is left out here."""

    kind: Literal["leader", "squad", "half_squad", "gun", "vehicle", "afv", "weapon", "expendable", "sniper"]
    source: str = "this scenario file"
    verified: bool = True
    apfp: int = Field(0, ge=0, le=60)
    range: int = Field(0, ge=0, le=60)
    cr: int = Field(0, ge=0, le=12)
    leadership: int = Field(0, ge=0, le=4, description="what a leader takes off a roll")
    half: Name | None = Field(None, description="the counter of a squad's half squad")
    gun: GunModel | None = None
    mg360: int = Field(0, ge=0, le=30)
    ffmg: int = Field(0, ge=0, le=30)
    armor: ArmorModel | None = None
    mp: int = Field(0, ge=0, le=60)
    at: Rating | None = None
    size: Literal["L", "H"] | None = None
    mortar: bool = False
    grenades: int = Field(0, ge=0, le=3)
    shield: bool = False
    transport: Literal["TH", "T1", "T2", "T3", "T4"] | None = None
    tows: bool = False


class PassengerModel(Model):
    """Infantry aboard a vehicle."""

    name: Name
    counter: Name
    weapons: list[Name] = []
    valorous: bool = False


class AfvModel(Model):
    """The AFV, where it stands, and the path of hexes that it would enter, in order."""

    name: Name | None = None
    counter: Name
    hex: HexName
    facing: Direction
    path: Annotated[list[HexName], Field(min_length=1, max_length=40)]
    target: HexName | None = Field(None, description="the hex to overrun; without it, the last but one of the path")
    reverse: list[HexName] = Field([], description="hexes of the path that are entered in reverse")
    fired: bool = False
    moved: bool = False
    immobile: bool = False
    towing: Name | None = None
    passengers: list[PassengerModel] = []


class UnitModel(Model):
    """One counter of the defender, or `count` alike ones. Adjacent hexes are always seen; `sees` names farther ones."""

    name: Name
    counter: Name
    hex: HexName
    count: int = Field(1, ge=1, le=4)
    weapons: list[Name] = []
    facing: Direction | None = None
    sees: list[HexName] = []
    hindrances: dict[HexName, Annotated[int, Field(ge=0, le=9)]] = {}
    pinned: bool = False
    fired: bool = False
    valorous: bool = False
    passengers: list[PassengerModel] = []
    tows: Name | None = None


class FriendModel(Model):
    """A unit of the AFV's own side; it matters for stacking."""

    name: Name
    counter: Name
    hex: HexName


class ExpendablesModel(Model):
    """One-use weapons in each player's pool: counter name = how many."""

    defender: dict[Name, Annotated[int, Field(ge=0, le=20)]] = {}
    attacker: dict[Name, Annotated[int, Field(ge=0, le=20)]] = {}


class DiceModel(Model):
    """Rolls already stated, in order: each the faces of its dice."""

    rolls: list[Roll] = []


class Document(Model):
    """A scenario of armor overruns."""

    system: Literal["valor"]
    title: Name
    note: str = ""
    phase: Literal["command", "fire", "movement", "advance", "assault", "after-action"] = "movement"
    map: MapModel
    afv: AfvModel
    defenders: list[UnitModel] = []
    friends: list[FriendModel] = []
    expendables: ExpendablesModel = ExpendablesModel()
    counters: dict[Name, dict[str, Any]] = {}
    rulings: dict[str, str] = {}
    plan: dict[str, list[str]] = {}
    dice: DiceModel = DiceModel()


def schema() -> Mapping[str, Any]:
    """The format as JSON Schema; `examples` of a counter are the known ones, `x-unverified` the doubtful among them."""
    found = Document.model_json_schema()
    for model, kinds in _COUNTERS.items():
        counter = found["$defs"][model]["properties"]["counter"]
        known = {name: facts for name, facts in printed_counters().items() if facts["kind"] in kinds}
        counter["examples"] = list(known)
        counter["x-unverified"] = [name for name, facts in known.items() if not facts.get("verified", True)]
    return found


def load(document: Mapping[str, Any]) -> Situation:
    """A parsed scenario as a situation ready to be played. Raises `InputError` with every problem found."""
    from overrun.rulesets.valor.assembly import situation  # noqa: PLC0415  (assembly reads these models)

    return situation(read(Document, document, ""), document)


def read(model: type[Any], content: object, where: str) -> Any:
    """Content as a model, or `InputError` with one problem for each mistake."""
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise InputError(_problems(error, model, where)) from None


def _problems(error: ValidationError, model: type[BaseModel], where: str) -> Iterable[Problem]:
    for found in error.errors():
        path = [part for part in found["loc"] if part not in ("[key]",)]
        place = where + _path(path, bool(where))
        yield _problem(place, path, found, model)


def _path(parts: Iterable[int | str], nested: bool) -> str:
    text = ""
    for part in parts:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}"
    return text if nested else text.removeprefix(".")


_COUNTERS = {
    "AfvModel": {"afv"},
    "UnitModel": {"leader", "squad", "half_squad", "gun", "vehicle"},
    "PassengerModel": {"leader", "squad", "half_squad"},
}
"""Where a scenario names a counter, and of which kinds it may be."""

_KINDS = {
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_type": "text in quotes",
    "list_type": "a list in [ ]",
    "dict_type": "a table",
    "model_type": "a table",
}


def _problem(place: str, path: list[int | str], found: Any, model: type[BaseModel]) -> Problem:
    limit, given = found.get("ctx", {}), found["input"]
    if found["type"] == "extra_forbidden":
        keys = _keys(model, path[:-1])
        return Problem(place, f"there is no such key here{meant(str(path[-1]), keys)}", ", ".join(keys))
    if found["type"] in _KINDS:
        return Problem(place, f"{given!r} is of the wrong kind", _KINDS[found["type"]])
    hexes = "[1-9]" in str(limit.get("pattern"))
    words: dict[str, tuple[str, str]] = {
        "missing": ("this key is missing", ""),
        "literal_error": (f"{given!r} is not known here", str(limit.get("expected")).replace("'", "")),
        "string_pattern_mismatch": (f"{given!r} is no hex", "a column letter and a row, as D4")
        if hexes
        else (f"{given!r} is no column", "the letter of the last column, as F"),
        "greater_than_equal": (f"{given!r} is too small", f"{limit.get('ge')} or more"),
        "less_than_equal": (f"{given!r} is too large", f"{limit.get('le')} or less"),
        "too_short": ("too few are given", f"at least {limit.get('min_length')}"),
        "too_long": ("too many are given", f"at most {limit.get('max_length')}"),
        "string_too_short": ("it is empty", f"{limit.get('min_length')} letter or more"),
        "string_too_long": ("it is too long", f"{limit.get('max_length')} letters or fewer"),
    }
    return Problem(place, *words.get(found["type"], (str(found["msg"]).lower(), "")))


def _keys(model: type[BaseModel], path: Iterable[int | str]) -> tuple[str, ...]:
    """The keys allowed in the table at a path below a model."""
    keys = tuple(model.model_fields)
    for part in path:
        if isinstance(part, int) or part not in model.model_fields:
            continue
        inner = _inner(model.model_fields[part].annotation)
        if inner is not None:
            model, keys = inner, tuple(inner.model_fields)
    return keys


def _inner(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in reversed(getattr(annotation, "__args__", ())):
        if (found := _inner(argument)) is not None:
            return found
    return None


assert set(HexModel.model_fields["terrain"].annotation.__args__) == set(terrain_names("terrain"))  # type: ignore[union-attr]
assert set(DIRECTIONS) == set(Direction.__args__)  # type: ignore[attr-defined]
