"""The catalogue of well-known counters, a player's own, and counters written out in a file: one format for all.

A catalogue is a folder with `vehicles.csv`, `units.csv`, `weapons.csv` and `guns.csv`. Each counter says where it comes
from and whether its values are verified; an answer names every unverified counter that it used.
"""

from __future__ import annotations

import csv
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from overrun.kernel import InputError, Problem
from overrun.rulesets.asl.counters import (
    Armor,
    GroundPressure,
    Gun,
    MAKind,
    Movement,
    Nation,
    Size,
    Turret,
    Unit,
    UnitClass,
    UnitKind,
    Vehicle,
    Weapon,
    WeaponKind,
)

Row = Mapping[str, object]
Counter = TypeVar("Counter", Vehicle, Unit, Weapon, Gun)


@dataclass(frozen=True, slots=True)
class Cell:
    """How one column is read, from the text of a CSV cell or from a TOML value; `read` raises `ValueError`."""

    read: Callable[[object], Any]
    allowed: str
    required: bool = False


def _whole(low: int, high: int, *, required: bool = False) -> Cell:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        number = int(value)
        if not low <= number <= high:
            raise ValueError
        return number

    return Cell(read, f"a whole number from {low} to {high}", required)


def _flag() -> Cell:
    def read(value: object) -> bool:
        if isinstance(value, bool):
            return value
        return {"true": True, "false": False}[str(value)]

    return Cell(read, "true or false")


def _text(*, required: bool = False) -> Cell:
    def read(value: object) -> str:
        if not isinstance(value, str) or not value:
            raise ValueError
        return value

    return Cell(read, "text", required)


def _one_of(options: type[StrEnum] | tuple[str, ...], *, required: bool = False) -> Cell:
    names = tuple(str(option) for option in options)
    make: Callable[[str], Any] = options if isinstance(options, type) else str

    def read(value: object) -> Any:
        if value not in names:
            raise ValueError
        return make(str(value))

    return Cell(read, ", ".join(names), required)


def _numbers() -> Cell:
    def read(value: object) -> tuple[int, ...]:
        words = value.split() if isinstance(value, str) else value
        if not isinstance(words, list):
            raise ValueError
        return tuple(int(word) for word in words)

    return Cell(read, "To Hit numbers from range 0 up")


COMMON = {"nation": _one_of(Nation, required=True), "verified": _flag(), "source": _text(), "notes": _text()}
NAMED = {"name": _text(required=True)} | COMMON
FP, FIGURE, BREAKDOWN = _whole(0, 40), _whole(0, 99), _whole(2, 13)

UNIT = NAMED | {
    "kind": _one_of(UnitKind, required=True),
    "unit_class": _one_of(UnitClass, required=True),
    "fp": FP,
    "range": FIGURE,
    "ml": _whole(1, 10, required=True),
    "broken_ml": _whole(0, 10),
    "leadership": _whole(-3, 1),
    "assault_engineer": _flag(),
    "elr_five": _flag(),
    "troop": _one_of(("eritrean", "romanian")),
    "reduces_to": _text(),
    "steps_to": _text(),
    "replaced_by": _text(),
    "hardens_to": _text(),
}
AF = _whole(0, 26)
ARMOR = ("af_front", "af_side", "af_rear", "turret_front", "turret_rear")
VEHICLE = NAMED | {
    "movement": _one_of(Movement, required=True),
    "mp": _whole(1, 60, required=True),
    "ground_pressure": _one_of(GroundPressure),
    "size": _one_of(Size),
    **dict.fromkeys(ARMOR, AF),
    "open_topped": _flag(),
    "turret": _one_of(Turret),
    "ma_kind": _one_of(MAKind),
    "ma_mount": _one_of(("turret", "bow", "other", "BMG", "CMG", "AAMG", "none")),
    "ma_caliber": _whole(0, 200),
    "ma_length": _one_of(("", "*", "L", "LL")),
    "ma_smoke_only": _flag(),
    "rof": _whole(0, 3),
    "breakdown": BREAKDOWN,
    "x_number": _flag(),
    "mg_breakdown": BREAKDOWN,
    **dict.fromkeys(("ft", "ife", "bmg", "cmg", "aamg", "rmg"), FP),
    "aamg_optional": _flag(),
    "cs": _whole(0, 12),
    "cs_red": _flag(),
    "pp": FIGURE,
    "bulldozer": _flag(),
    "tankette": _flag(),
    "stabilized": _flag(),
    "partially_armored": _flag(),
}
PIECE = NAMED | {
    "rof": _whole(0, 3),
    "breakdown": BREAKDOWN,
    "x_number": _flag(),
    "caliber": _whole(0, 200),
    "length": _one_of(("", "*", "L", "LL")),
}
WEAPON = PIECE | {
    "kind": _one_of(WeaponKind, required=True),
    "fp": FP,
    "range": FIGURE,
    "to_hit": _numbers(),
    "to_kill": _whole(0, 40),
    "ift_fp": FP,
}
GUN = PIECE | {
    "kind": _one_of(("AT", "INF", "ART", "AA", "MTR"), required=True),
    "mount": _one_of(Turret),
    "size": _one_of(Size),
    "ife": FP,
    **dict.fromkeys(("no_ap", "no_he", "no_intensive_fire", "quick_set_up", "apds"), _flag()),
    **dict.fromkeys(("heat", "apcr"), _whole(0, 12)),
}


def values(row: Row, cells: Mapping[str, Cell], where: str) -> tuple[dict[str, Any], list[Problem]]:
    """The values of a row and a problem for each column that is unknown, missing or wrong. Empty cells are left out."""
    found: dict[str, Any] = {}
    problems = [
        Problem(f"{where}.{name}", "there is no such key for this kind of counter", ", ".join(cells))
        for name in row
        if name not in cells
    ]
    for name, cell in cells.items():
        value = row.get(name, "")
        if value == "":
            if cell.required:
                problems.append(Problem(f"{where}.{name}", "this is missing", cell.allowed))
            continue
        try:
            found[name] = cell.read(value)
        except (ValueError, KeyError):
            problems.append(Problem(f"{where}.{name}", f"{value!r} is not right here", cell.allowed))
    return found, problems


def unit(key: str, row: Row, where: str) -> tuple[Unit | None, list[Problem]]:
    """A unit counter from its row."""
    found, problems = values(row, UNIT, where)
    found.pop("notes", None)
    return (None if problems else Unit(key=key, **{"fp": 0, "range": 0, "broken_ml": 0} | found)), problems


def vehicle(key: str, row: Row, where: str) -> tuple[Vehicle | None, list[Problem]]:
    """A vehicle counter from its row; without any AF it is unarmored."""
    found, problems = values(row, VEHICLE, where)
    factors = {name: found.pop(name) for name in ARMOR if name in found}
    if factors and len(factors) < len(ARMOR):
        missing = ", ".join(name for name in ARMOR if name not in factors)
        problems.append(Problem(where, f"an armored vehicle needs all its AF; missing: {missing}", "AF of 0 to 26"))
    if problems:
        return None, problems
    armor = Armor(*(factors[name] for name in ARMOR)) if factors else None
    return Vehicle(key=key, armor=armor, **found), problems


def weapon(key: str, row: Row, where: str) -> tuple[Weapon | None, list[Problem]]:
    """A support weapon counter from its row."""
    found, problems = values(row, WEAPON, where)
    found.pop("notes", None)
    return (None if problems else Weapon(key=key, **found)), problems


def gun(key: str, row: Row, where: str) -> tuple[Gun | None, list[Problem]]:
    """A Gun counter from its row."""
    found, problems = values(row, GUN, where)
    found.pop("notes", None)
    if not problems and not found.get("caliber"):
        problems.append(Problem(f"{where}.caliber", "this is missing", "the caliber in mm"))
    return (None if problems else Gun(key=key, **found)), problems


@dataclass(frozen=True)
class Catalogue:
    """Counters by key. Later ones replace earlier ones of the same key."""

    units: Mapping[str, Unit] = field(default_factory=dict)
    vehicles: Mapping[str, Vehicle] = field(default_factory=dict)
    weapons: Mapping[str, Weapon] = field(default_factory=dict)
    guns: Mapping[str, Gun] = field(default_factory=dict)

    def joined(self, more: Catalogue) -> Catalogue:
        """Both catalogues as one; `more` wins."""
        return Catalogue(
            {**self.units, **more.units},
            {**self.vehicles, **more.vehicles},
            {**self.weapons, **more.weapons},
            {**self.guns, **more.guns},
        )


KINDS: Mapping[str, Callable[[str, Row, str], tuple[Any, list[Problem]]]] = {
    "units": unit,
    "vehicles": vehicle,
    "weapons": weapon,
    "guns": gun,
}


def from_tables(tables: Mapping[str, Mapping[str, Row]], where: str) -> tuple[Catalogue, list[Problem]]:
    """Counters written out: kind ("units", "vehicles", "weapons", "guns"), then key, then its row."""
    found: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    problems: list[Problem] = []
    for kind, rows in tables.items():
        if kind not in KINDS:
            problems.append(Problem(f"{where}.{kind}", "there is no such kind of counter", ", ".join(KINDS)))
            continue
        for key, row in rows.items():
            counter, wrong = KINDS[kind](key, row, f"{where}.{kind}.{key}")
            problems.extend(wrong)
            if counter is not None:
                found[kind][key] = counter
    return Catalogue(**found), problems


def _rows(file: Traversable | Path) -> Iterator[tuple[str, Row]]:
    for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()):
        yield row.get("key") or "", {name: value or "" for name, value in row.items() if name and name != "key"}


def tables_in(folder: Traversable | Path) -> dict[str, dict[str, Row]]:
    """The rows of the catalogue files of a folder, by kind and key; a missing file is an empty one."""
    present = {kind: folder.joinpath(f"{kind}.csv") for kind in KINDS}
    return {kind: dict(_rows(file)) for kind, file in present.items() if file.is_file()}


def read_folder(folder: Traversable | Path, where: str) -> Catalogue:
    """A catalogue folder. Raises `InputError` with every wrong cell, named by file, key and column."""
    catalogue, problems = from_tables(tables_in(folder), where)
    if problems:
        raise InputError(problems)
    return catalogue


@cache
def shipped() -> Catalogue:
    """The catalogue that comes with the package."""
    return read_folder(files("overrun.rulesets.asl.data"), "catalogue")


def find(counters: Mapping[str, Counter], wanted: str) -> Counter | None:
    """A counter by its key, by "nation name" ("german 4-6-7"), or by its name where only one has it."""
    if wanted in counters:
        return counters[wanted]
    folded = wanted.casefold()
    by_both = [one for one in counters.values() if f"{one.nation} {one.name}".casefold() == folded]
    by_name = [one for one in counters.values() if one.name.casefold() == folded]
    for candidates in (by_both, by_name):
        if candidates:
            return candidates[0] if len({one.key for one in candidates}) == 1 else None
    return None


def unknown(counters: Mapping[str, Counter], wanted: str, where: str) -> Problem:
    """The problem of a counter that cannot be found, with the nearest names."""
    folded = wanted.casefold()
    same = [
        key for key, one in counters.items() if folded in {one.name.casefold(), f"{one.nation} {one.name}".casefold()}
    ]
    if same:
        return Problem(where, f"{wanted!r} names several counters", ", ".join(same))
    near = difflib.get_close_matches(folded.replace(" ", "-"), list(counters), n=5, cutoff=0.4)
    return Problem(
        where, f"there is no counter {wanted!r} in the catalogue", ", ".join(near) or "a key of the catalogue"
    )


def named(counter: Counter, nation: str | None) -> Counter:
    """The counter, for a counter of any nation as one of `nation`."""
    if nation is None or counter.nation is not Nation.ANY:
        return counter
    return replace(counter, nation=Nation(nation))


def followers(units: Mapping[str, Unit], keys: Iterable[str]) -> set[str]:
    """Every counter that these can turn into: reduced, stepped down, replaced or hardened."""
    seen: set[str] = set()
    todo = list(keys)
    while todo:
        key = todo.pop()
        if key in seen or key not in units:
            continue
        seen.add(key)
        one = units[key]
        todo.extend(link for link in (one.reduces_to, one.steps_to, one.replaced_by, one.hardens_to) if link)
    return seen
