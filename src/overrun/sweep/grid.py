"""The grid file: a base situation, axes over its key paths, and what to measure in each cell."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod
from typing import Any

from overrun.analysis import keypath
from overrun.analysis.answer import Terms
from overrun.analysis.policy import told
from overrun.kernel import InputError, Problem

MOST_CELLS = 1_000_000
"""More cells than this are a mistake, or several sweeps."""

KEYS = ("base", "policy", "payoff", "restrict", "measures", "combine", "axis", "rows", "widest", "simplify")
AXIS_KEYS = ("key", "values", "from", "to", "step")


class Combine(StrEnum):
    """How axes make cells: every combination, or the axes side by side."""

    PRODUCT = "product"
    ZIP = "zip"


@dataclass(frozen=True, slots=True)
class Axis:
    """One key path of the situation and the values that it takes, in order."""

    key: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class GridFile:
    """A grid file as it was read: names are still names. `base` is a scenario file or the name of a shipped one.

    `rows` limits the decisions of a cell; where one is too large, `widest` asks for bounds with each seat held to at
    most so many options.
    """

    base: str
    policy: str | None
    payoff: str | None
    restrict: tuple[str, ...]
    measures: tuple[str, ...]
    combine: Combine
    axes: tuple[Axis, ...]
    rows: int | None = None
    widest: int | None = None
    simplify: tuple[str, ...] = ()


@dataclass(frozen=True)
class Grid:
    """A sweep ready to be carried out, also on another machine. Cells are numbered from 0, the last axis runs fastest.

    `stamp` says which rules and figures answer it.
    """

    system: str
    stamp: str
    document: Mapping[str, Any]
    terms: Terms
    measures: tuple[str, ...]
    combine: Combine
    axes: tuple[Axis, ...]

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return count(self.combine, self.axes)

    def values(self, cell: int) -> tuple[Any, ...]:
        """The value of each axis in a cell."""
        if self.combine is Combine.ZIP:
            return tuple(axis.values[cell] for axis in self.axes)
        found: list[Any] = []
        for axis in reversed(self.axes):
            cell, place = divmod(cell, len(axis.values))
            found.append(axis.values[place])
        return tuple(reversed(found))

    def situation(self, cell: int) -> dict[str, Any]:
        """The scenario document of a cell. Raises `InputError` where a value cannot stand at its key."""
        document = dict(self.document)
        for axis, value in zip(self.axes, self.values(cell), strict=True):
            document = keypath.changed(document, keypath.parse(axis.key), value)
        return document

    @property
    def identity(self) -> str:
        """Equal for sweeps that ask the same question of the same rules; parts of one may stand in for the other's."""
        terms = self.terms
        asked = {
            "stamp": self.stamp,
            "document": self.document,
            "policy": told(terms.styles),
            "payoff": [sorted((name, str(weight)) for name, weight in weights.items()) if weights else None
                       for weights in (terms.payoff.weights, terms.payoff.defender)],
            "restrict": terms.restrictions,
            "simplify": terms.simplified,
            "limits": [terms.row_limit, terms.megabyte_limit, terms.widest],
            "measures": self.measures,
            "combine": self.combine,
            "axes": [[axis.key, axis.values] for axis in self.axes],
        }  # fmt: skip
        return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()[:32]


def count(combine: Combine, axes: Sequence[Axis]) -> int:
    """How many cells axes make together."""
    lengths = [len(axis.values) for axis in axes]
    return prod(lengths) if combine is Combine.PRODUCT else lengths[0]


def read(document: Mapping[str, Any]) -> GridFile:
    """A grid file from its parsed TOML. Raises `InputError` with every problem, and for too many cells."""
    problems = [
        Problem(key, "there is no such key in a grid file", ", ".join(KEYS)) for key in document if key not in KEYS
    ]
    texts = {key: _text(document, key, problems) for key in ("base", "policy", "payoff")}
    if "base" not in document:
        problems.append(Problem("base", "this key is missing", "a scenario file, or the name of a shipped one"))
    combine = str(document.get("combine", "product"))
    if combine not in set(Combine):
        problems.append(Problem("combine", f"{combine!r} is no way to combine axes", ", ".join(Combine)))
        combine = "product"
    lists = {key: _texts(document, key, problems) for key in ("restrict", "simplify", "measures")}
    axes = list(_axes(document.get("axis"), problems))
    keys = [axis.key for axis in axes]
    problems += [
        Problem("axis", f"{key} has two axes", "one axis a key") for key in sorted({*keys}) if keys.count(key) > 1
    ]
    lengths = {len(axis.values) for axis in axes}
    if combine == Combine.ZIP and len(lengths) > 1:
        told_lengths = ", ".join(f"{axis.key} has {len(axis.values)}" for axis in axes)
        problems.append(
            Problem("combine", f"zip needs axes of one length: {told_lengths}", "axes of one length, or product")
        )
    rows, widest = (_whole(document, key, problems) for key in ("rows", "widest"))
    if problems:
        raise InputError(problems)
    if (cells := count(Combine(combine), axes)) > MOST_CELLS:
        what = f"this grid has {cells:,} cells, and one sweep may have {MOST_CELLS:,}"
        raise InputError([Problem("axis", what, "fewer values, zip, or several sweeps")])
    return GridFile(
        texts["base"] or "",
        texts["policy"],
        texts["payoff"],
        lists["restrict"],
        lists["measures"] or ("value",),
        Combine(combine),
        tuple(axes),
        rows,
        widest,
        lists["simplify"],
    )


def _text(document: Mapping[str, Any], key: str, problems: list[Problem]) -> str | None:
    found = document.get(key)
    if found is not None and not isinstance(found, str):
        problems.append(Problem(key, f"{found!r} is of the wrong kind", "text in quotes"))
        return None
    return found


def _whole(document: Mapping[str, Any], key: str, problems: list[Problem]) -> int | None:
    found = document.get(key)
    if found is not None and (type(found) is not int or found < 1):
        problems.append(Problem(key, f"{found!r} is of the wrong kind", "a whole number, 1 or more"))
        return None
    return found


def _texts(document: Mapping[str, Any], key: str, problems: list[Problem]) -> tuple[str, ...]:
    found = document.get(key, [])
    if not isinstance(found, list) or not all(isinstance(entry, str) for entry in found):
        problems.append(Problem(key, f"{found!r} is of the wrong kind", "a list of names in quotes"))
        return ()
    return tuple(dict.fromkeys(found))


def _axes(found: Any, problems: list[Problem]) -> Iterator[Axis]:
    if not isinstance(found, list) or not found or not all(isinstance(entry, dict) for entry in found):
        problems.append(Problem("axis", "a grid needs at least one axis", "[[axis]] with a key and its values"))
        return
    for place, entry in enumerate(found, 1):
        where = f"axis[{place}]"
        unknown = [key for key in entry if key not in AXIS_KEYS]
        problems += [Problem(f"{where}.{key}", "there is no such key", ", ".join(AXIS_KEYS)) for key in unknown]
        key = entry.get("key")
        if not isinstance(key, str):
            problems.append(Problem(f"{where}.key", "the key path is missing", "such as defenders[1].count"))
            continue
        try:
            keypath.parse(key)
        except InputError as error:
            problems += [Problem(f"{where}.key", f"{key!r}: {each.what}", each.allowed) for each in error.problems]
            continue
        values = _values(where, entry, problems)
        if values is not None:
            yield Axis(key, values)


def _values(where: str, entry: Mapping[str, Any], problems: list[Problem]) -> tuple[Any, ...] | None:
    listed, ends = entry.get("values"), (entry.get("from"), entry.get("to"))
    if (listed is None) == (ends == (None, None)):
        problems.append(Problem(where, "an axis has either values or a range", "values = [...], or from, to and step"))
        return None
    return _range(where, entry, problems) if listed is None else _listed(f"{where}.values", listed, problems)


def _listed(where: str, listed: Any, problems: list[Problem]) -> tuple[Any, ...] | None:
    if not isinstance(listed, list) or not listed:
        problems.append(Problem(where, f"{listed!r} is no list of values", "a list with at least one"))
        return None
    if len({json.dumps(value, default=str) for value in listed}) < len(listed):
        problems.append(Problem(where, "a value stands there twice", "each value once"))
        return None
    return tuple(listed)


def _range(where: str, entry: Mapping[str, Any], problems: list[Problem]) -> tuple[Any, ...] | None:
    low, high, step = entry.get("from"), entry.get("to"), entry.get("step", 1)
    if type(low) is not int or type(high) is not int or type(step) is not int or step < 1 or high < low:
        what = f"from {low!r} to {high!r} by {step!r} is no range"
        problems.append(Problem(where, what, "whole numbers, from at most to, step 1 or more"))
        return None
    numbers = range(low, high + 1, step)
    # A range knows its length without its numbers, so one of millions is refused before it is made.
    if len(numbers) > MOST_CELLS:
        problems.append(Problem(where, f"this axis alone has {len(numbers):,} values", f"at most {MOST_CELLS:,}"))
        return None
    return tuple(numbers)
