"""The figures printed in the rules, read once from the files beside this package."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from overrun.kernel import Table, figures
from overrun.kernel.table import load

PACKAGE = "overrun.rulesets.valor.data"


@cache
def _file(name: str) -> Mapping[str, Any]:
    return figures.load(PACKAGE, name)


@cache
def figure(group: str, name: str) -> Any:
    """A single printed figure, such as `figure("crew", "abandons_at")`."""
    return _file("figures")[group][name]


def terrain_facts(kind: str, name: str) -> Mapping[str, Any]:
    """The facts of a terrain, hexside or position: `mp`, `cover`, `cite` and what else its line in the file says."""
    facts: Mapping[str, Any] = _file("terrain")[kind][name]
    return facts


def terrain_names(kind: str) -> tuple[str, ...]:
    """Every known terrain, hexside or position."""
    return tuple(_file("terrain")[kind])


def printed_counters() -> Mapping[str, Mapping[str, Any]]:
    """Every known counter by its name, as the file has it."""
    return _file("counters")


@cache
def ap_combat() -> Table[int]:
    """The AP Combat Table: casualty points by attacking APFP and modified roll."""
    return load(PACKAGE, "ap_combat", int)


@cache
def armor_elimination() -> Table[int | str]:
    """The Armor Elimination Table: a number, "E" (eliminated without a roll) or "-" (no effect)."""
    return load(PACKAGE, "armor_elimination", _elimination)


@cache
def close_assault() -> Table[int]:
    """The Close Assault table: the kill number by odds."""
    return load(PACKAGE, "close_assault", int)


def _elimination(text: str) -> int | str:
    if text in ("E", "-"):
        return text
    return int(text)
