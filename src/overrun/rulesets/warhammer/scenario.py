"""The situation file: a table, its units and terrain, and the combat just fought. Every problem is reported at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from overrun.kernel import InputError, Position, Problem, Situation, meant
from overrun.rulesets.warhammer import checks
from overrun.rulesets.warhammer.editions import EDITIONS
from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.rulings import RULINGS
from overrun.rulesets.warhammer.setup import (
    UNIT_STRENGTH,
    AttackGroup,
    Combat,
    Fate,
    Ground,
    Kind,
    Opponent,
    Own,
    Setup,
    Terrain,
    Unit,
)
from overrun.rulesets.warhammer.shapes import MM_PER_INCH, Block, Pose, convex_pieces
from overrun.rulesets.warhammer.state import State

MOST_UNITS = 200
"""A file may hold so many units: far more than any army, and the answer still comes within seconds."""


def _length(value: object) -> object:
    """Inches as a number, or millimetres as text such as "25 mm"."""
    if isinstance(value, bool):
        raise ValueError("must be a number of inches, or millimetres such as '25 mm'")
    if isinstance(value, str):
        number, _, unit = value.strip().partition(" ")
        if unit.strip() != "mm":
            raise ValueError("must be a number of inches, or millimetres such as '25 mm'")
        return float(number) / MM_PER_INCH
    return value


Length = Annotated[float, BeforeValidator(_length), Field(allow_inf_nan=False, ge=-1000, le=1000)]
Spot = tuple[Length, Length]
Millimetres = Annotated[float, Field(gt=0, le=300, allow_inf_nan=False)]
Score = Annotated[int, Field(ge=1, le=7)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TableFile(_Part):
    """The table: inches, and where its lower left corner lies."""

    width: Annotated[float, Field(gt=0, le=240, allow_inf_nan=False, description="inches, left to right")] = 72.0
    depth: Annotated[float, Field(gt=0, le=240, allow_inf_nan=False, description="inches, bottom to top")] = 48.0
    corner: Spot = Field(default=(0.0, 0.0), description="where the lower left corner lies")


class PlaceFile(_Part):
    """Where a unit stood as the turn began."""

    position: Spot
    heading: Annotated[float, Field(allow_inf_nan=False)]


class UnitFile(_Part):
    """One unit. It stands at the centre of its front edge; its ranks lie behind it."""

    id: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[\w-]+$", description="a short name, once only")]
    name: str = Field("", description="what players call it; its id if left empty")
    side: Own
    kind: Kind = Kind.INFANTRY
    base: tuple[Millimetres, Millimetres] = Field(description="of one model: width and depth in millimetres")
    files: Annotated[int, Field(ge=1, le=100, description="models side by side")]
    ranks: Annotated[int, Field(ge=1, le=100)] | None = Field(None, description="full ranks; or give models")
    models: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        None, description="how many; the last rank may be short"
    )
    position: Spot = Field(description="centre of its front edge, inches from the table's lower left corner")
    heading: Annotated[float, Field(allow_inf_nan=False)] = Field(
        0.0, description="degrees clockwise; 0 is up, 90 right"
    )
    movement: Annotated[int, Field(ge=1, le=20)] = Field(4, description="its slowest model's, after barding")
    unit_strength: Annotated[int, Field(ge=1, le=20)] | None = Field(None, description="of one model")
    at: list[Spot] = Field([], description="skirmishers: the centre of each base")
    flies: bool = False
    swiftstride: bool = Field(False, description="The Old World and 8th edition only")
    leadership: Annotated[int, Field(ge=1, le=10)] | None = None
    frenzy: bool = False
    causes: Literal["", "fear", "terror"] = ""
    immune: bool = Field(False, description="immune to psychology")
    fleeing: bool = False
    engaged_with: list[str] = Field([], description="ids of the units it is fighting")
    engaged_since_earlier: bool = Field(False, description="it has been fighting since an earlier turn")
    behind_obstacle: bool = Field(False, description="it defends a wall, hedge or the like")
    abandoned: bool = Field(False, description="a machine without crew")
    in_building: bool = False
    shoots: bool = Field(False, description="it has missile weapons")
    overruns_too: bool = Field(False, description="a friend that may overrun in this phase and has not moved yet")
    turn_start: PlaceFile | None = Field(None, description="where it stood as the turn began, if elsewhere")


class TerrainFile(_Part):
    """One piece of terrain: its outline in order."""

    id: Annotated[str, Field(min_length=1, max_length=40)]
    name: str = ""
    ground: Ground
    outline: Annotated[list[Spot], Field(min_length=3, max_length=100, description="its corners in order, once round")]
    occupied: bool = Field(False, description="an enemy garrison holds the building")


class OpponentFile(_Part):
    """One enemy unit of the combat just fought."""

    name: Annotated[str, Field(min_length=1)]
    fate: Fate
    hated: bool = Field(False, description="the overrunning unit hates it")
    models: Annotated[int, Field(ge=1, le=500)] = Field(1, description="left before the attacks still to be rolled")
    model_wounds: Annotated[int, Field(ge=1, le=20)] = Field(1, description="wounds of one model")
    position: Spot | None = Field(
        None, description="where it stood; only the ruling heading_conflict = pivot asks for it"
    )


class AttackFile(_Part):
    """Attacks still to be rolled."""

    name: Annotated[str, Field(min_length=1)]
    attacks: Annotated[int, Field(ge=0, le=100)]
    to_hit: Score = Field(description="score on one die; 1 always, 7 never")
    to_wound: Score = Field(description="score on one die; 1 always, 7 never")
    save: Score = Field(7, description="armour save of the enemy after the strength; 7 none")
    ward: Score = Field(7, description="ward save of the enemy; 7 none")
    wounds: Annotated[int, Field(ge=1, le=20)] = Field(1, description="that each unsaved hit takes off one model")
    against: str = Field(description="name of an opponent that is still to be fought")


class CombatFile(_Part):
    """The combat just fought."""

    round: Annotated[int, Field(ge=1, le=100)] = Field(1, description="in which round the enemy fell")
    charged: bool = Field(True, description="the overrunning unit charged this turn")
    struck_on: Literal["front", "left flank", "right flank", "rear"] = Field(
        "front", description="on which side of the overrunning unit the enemy stood"
    )
    opponents: Annotated[list[OpponentFile], Field(min_length=1, max_length=20)]
    attacks: Annotated[list[AttackFile], Field(max_length=20)] = []
    defends_obstacle: bool = Field(False, description="the overrunning unit stood behind an obstacle")
    last_turn: bool = Field(False, description="the last turn of the game")


class DiceFile(_Part):
    """Rolls already stated, in order: each the faces of its dice."""

    rolls: list[Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=1)]] = []


class File(_Part):
    """A whole situation file."""

    system: Literal["warhammer"] = "warhammer"
    title: str = "Overrun"
    about: str = ""
    edition: str = Field("6e", description="6e, 7e, 8e or tow; what could not be read of an edition is refused")
    overrunner: str = Field(description="id of the unit that may overrun")
    table: TableFile = TableFile()
    units: Annotated[list[UnitFile], Field(min_length=1)]
    terrain: Annotated[list[TerrainFile], Field(max_length=100)] = []
    combat: CombatFile
    rulings: dict[str, str] = {}
    plan: dict[str, list[str]] = {}
    dice: DiceFile = DiceFile()


def load(document: Mapping[str, Any]) -> Situation:
    """A parsed file as a situation. Raises `InputError` with every problem, each with its key path."""
    units = document.get("units")
    if isinstance(units, list) and len(units) > MOST_UNITS:
        raise InputError([Problem("units", f"{len(units)} units are given", f"at most {MOST_UNITS} units")])
    try:
        file = File.model_validate(document)
    except ValidationError as error:
        raise InputError(_problem(item) for item in error.errors()) from None
    problems = list(checks.names(file))
    settled = EDITIONS[file.edition].rulings if file.edition in EDITIONS else {}
    problems += checks.edition(file.edition, file.rulings)
    try:
        rulings = RULINGS.chosen(file.rulings) | dict(settled)
    except InputError as error:
        problems += error.problems
        rulings = RULINGS.chosen({})
    problems += checks.outlines(file)
    if problems:
        raise InputError(problems)
    setup = _setup(file, rulings)
    problems = list(checks.table(setup))
    if not problems:
        problems = list(checks.rules(setup))
    if problems:
        raise InputError(problems)
    left = tuple(opponent.wounds for opponent in setup.combat.opponents) if setup.combat.attacks else ()
    return Situation(
        title=file.title,
        start=Position("fight", State(setup, left)),
        rulings=rulings,
        plan=file.plan,
        dice=tuple(tuple(roll) for roll in file.dice.rolls),
        unverified=tuple(_doubts(file)),
        document=document,
    )


def _doubts(file: File) -> Iterator[str]:
    """Unit strengths that the file leaves to this program and the sources do not settle (fact sheet section 8)."""
    for unit in file.units:
        if unit.unit_strength is not None or not (unit.id == file.overrunner or unit.overruns_too):
            continue
        if unit.kind is Kind.CHARIOT:
            yield f"unit strength of {unit.name or unit.id}: 4, the 7th edition's figure for a chariot"
        elif unit.kind is Kind.MONSTER:
            yield f"unit strength of {unit.name or unit.id}: taken as 1, but a monster has its starting wounds"


def _problem(item: Any) -> Problem:
    """A pydantic finding in a player's words."""
    where = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in item["loc"]).lstrip(".")
    kind, context = item["type"], item.get("ctx", {})
    if kind == "extra_forbidden":
        keys = _keys(item["loc"][:-1])
        return Problem(where, f"there is no such key here{meant(str(item['loc'][-1]), keys)}", ", ".join(keys))
    if kind in {"int_type", "int_from_float"}:
        return Problem(where, f"{item['input']!r} cannot stand here", "a whole number")
    if kind == "missing":
        return Problem(where, "this key is missing")
    if kind in {"enum", "literal_error"}:
        return Problem(where, f"{item['input']!r} is none of the words for it", str(context.get("expected", "")))
    if isinstance(item["input"], float) and not isfinite(item["input"]):
        return Problem(where, "the number must be finite")
    message = str(item["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    return Problem(where, f"{item['input']!r} cannot stand here", message)


def _keys(path: Sequence[int | str]) -> tuple[str, ...]:
    """The keys that the table at a path of the file may have."""
    schema: Any = File.model_json_schema()
    parts = schema.get("$defs", {})
    for step in path:
        schema = schema["items"] if isinstance(step, int) else schema.get("properties", {}).get(step, schema)
        nested = [
            each["$ref"] for each in (schema, *schema.get("anyOf", ()), *schema.get("allOf", ())) if "$ref" in each
        ]
        schema = parts[nested[0].rpartition("/")[2]] if nested else schema
    return tuple(schema.get("properties", ()))


def _setup(file: File, rulings: Mapping[str, str]) -> Setup:
    per_inch = float(rulings["mm_per_inch"])
    units = {unit.id: _unit(unit, per_inch) for unit in file.units}
    corner, wide, deep = file.table.corner, file.table.width, file.table.depth
    table = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
    return Setup(
        edition=file.edition,
        table=tuple((corner[0] + x, corner[1] + y) for x, y in table),
        mover=units.pop(file.overrunner),
        units=tuple(units.values()),
        terrain=tuple(
            Terrain(t.id, t.name or t.id, t.ground, tuple(t.outline), convex_pieces(t.outline), t.occupied)
            for t in file.terrain
        ),
        combat=_combat(file.combat),
        rulings=rulings,
    )


def _unit(unit: UnitFile, per_inch: float) -> Unit:
    models = len(unit.at) or unit.models or unit.files * (unit.ranks or 1)
    pose = Pose(unit.position[0], unit.position[1], unit.heading % 360.0)
    start = unit.turn_start
    return Unit(
        id=unit.id,
        name=unit.name or unit.id,
        side=unit.side,
        kind=unit.kind,
        block=Block(pose, models, min(unit.files, models), unit.base[0] / per_inch, unit.base[1] / per_inch),
        movement=unit.movement,
        unit_strength=unit.unit_strength or UNIT_STRENGTH[unit.kind],
        loose=tuple(unit.at),
        flies=unit.flies or unit.kind is Kind.FLYER,
        swiftstride=unit.swiftstride,
        leadership=unit.leadership,
        frenzy=unit.frenzy,
        causes=unit.causes,
        immune=unit.immune,
        fleeing=unit.fleeing,
        engaged_with=tuple(unit.engaged_with),
        engaged_since_earlier=unit.engaged_since_earlier,
        behind_obstacle=unit.behind_obstacle,
        abandoned=unit.abandoned,
        in_building=unit.in_building,
        shoots=unit.shoots,
        overruns_too=unit.overruns_too,
        at_turn_start=None if start is None else Pose(start.position[0], start.position[1], start.heading % 360.0),
    )


def _combat(combat: CombatFile) -> Combat:
    names = [opponent.name for opponent in combat.opponents]
    return Combat(
        round=combat.round,
        charged=combat.charged,
        struck_on=Facing(combat.struck_on),
        opponents=tuple(
            Opponent(o.name, o.fate, o.hated, _wounds(o), o.model_wounds, o.position) for o in combat.opponents
        ),
        attacks=tuple(
            AttackGroup(a.name, a.attacks, a.to_hit, a.to_wound, a.save, a.ward, a.wounds, names.index(a.against))
            for a in combat.attacks
        ),
        defends_obstacle=combat.defends_obstacle,
        last_turn=combat.last_turn,
    )


def _wounds(opponent: OpponentFile) -> int:
    return opponent.models * opponent.model_wounds if opponent.fate is Fate.TO_BE_FOUGHT else 0


def schema() -> Mapping[str, Any]:
    """The JSON schema of the file."""
    return File.model_json_schema()
