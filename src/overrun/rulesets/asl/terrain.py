"""Terrain of the entered Location: TEM, Open Ground and SMOKE as an overrun reads them (D7.15, B)."""

from __future__ import annotations

from functools import cache

from overrun.kernel import Modifier, Table
from overrun.kernel.table import Cell, load
from overrun.rulesets.asl.setup import Entrenchment, Ground, Hexside, Location, Terrain, asl

BUILDINGS = frozenset({Terrain.WOODEN_BUILDING, Terrain.STONE_BUILDING})
RUBBLE = frozenset({Terrain.WOODEN_RUBBLE, Terrain.STONE_RUBBLE})
JUNGLE = frozenset({Terrain.LIGHT_JUNGLE, Terrain.DENSE_JUNGLE, Terrain.BAMBOO})
WOODS_LIKE = frozenset({Terrain.WOODS, Terrain.FOREST}) | JUNGLE
"""Where a fully-tracked AFV breaks a trail (B13.421)."""
TRAIL_BREAK = WOODS_LIKE
OBSTACLES = BUILDINGS | {Terrain.WOODS, Terrain.FOREST, Terrain.LIGHT_JUNGLE, Terrain.RAILCAR}
"""Obstacles whose hexside a vehicle can use in Bypass; dense jungle and bamboo allow none."""
COMPOUNDING = BUILDINGS | RUBBLE | WOODS_LIKE
"""Woods, buildings and rubble, which double Cases A and E and fix a fired Gun's CA."""

HEXSIDE_TEM = {Hexside.WALL: 2, Hexside.HEDGE: 1, Hexside.BOCAGE: 2}
SHELTER_TEM = {Entrenchment.FOXHOLE: 2, Entrenchment.TRENCH: 2, Entrenchment.SANGAR: 1}
EMPLACEMENT = 2
SMOKE_CAP = 3


@cache
def terrain_table() -> Table[str]:
    """TEM, Open Ground and COT of each terrain."""
    return load("overrun.rulesets.asl.data", "terrain", str)


def fact(terrain: Terrain, column: str) -> Cell[str]:
    """One printed fact of a terrain."""
    return terrain_table().at(terrain.value, column)


def smoke_lines(location: Location) -> tuple[Modifier, ...]:
    """SMOKE Hindrance of fire inside the Location: its counters, at most +3, and +1 for fire within it (A24.8)."""
    if not location.smoke:
        return ()
    hindrance = min(sum(location.smoke), SMOKE_CAP)
    return (
        Modifier(hindrance, "SMOKE in the Location, at most +3", asl("A24.2")),
        Modifier(1, "fire within SMOKE", asl("A24.8")),
    )


def open_ground(location: Location) -> tuple[bool, bool]:
    """Is the terrain Open Ground, whatever entrenchments, wrecks, hexsides or SMOKE it holds; and is that certain?"""
    cell = fact(location.terrain, "open_ground")
    if location.woods_road or location.debris:
        return False, cell.verified
    if location.terrain is Terrain.BRUSH:
        return location.ground is Ground.DEEP_SNOW, cell.verified
    if cell.value == "out_of_season":
        return not location.in_season, cell.verified
    return cell.value == "yes", cell.verified


def terrain_tem(location: Location) -> Modifier:
    """TEM of the terrain itself, with fortification (+1)."""
    cell = fact(location.terrain, "tem")
    value, reason = int(cell.value), f"TEM of {location.terrain.value.replace('_', ' ')}"
    if location.woods_road:
        return Modifier(1, "TEM of a woods-road hex", asl("B13.32"))
    if location.fortified and location.terrain in BUILDINGS:
        return Modifier(value + 1, f"{reason}, fortified", asl("B23.9"), verified=cell.verified)
    return Modifier(value, reason, asl("D7.15"), verified=cell.verified)


def shelter_lines(
    location: Location, crossed: Hexside, *, entrenched: bool, emplaced: bool, wreck_counts: bool
) -> tuple[Modifier, ...]:
    """Every TEM that shelters a unit of the Location on foot beside the terrain's own; only the best one counts.

    A hexside shelters only when the vehicle crossed that very hexside.
    """
    lines: list[Modifier] = []
    if entrenched and location.entrenchment in SHELTER_TEM:
        lines.append(Modifier(SHELTER_TEM[location.entrenchment], f"in a {location.entrenchment.value}", asl("B27.3")))
    if emplaced:
        lines.append(Modifier(EMPLACEMENT, "Emplaced Gun crew", asl("C11.2")))
    if location.shellhole:
        lines.append(Modifier(1, "shellhole", asl("B2.3")))
    if crossed in HEXSIDE_TEM:
        lines.append(Modifier(HEXSIDE_TEM[crossed], f"vehicle crossed the {crossed.value}", asl("B9.31")))
    if location.wreck_tem and wreck_counts:
        lines.append(Modifier(1, "wreck or vehicle in the Location", asl("D7.15"), verified=False))
    if location.debris:
        lines.append(Modifier(1, "debris", asl("D7.15")))
    if location.bridge:
        lines.append(Modifier(1, "on the bridge", asl("D7.15")))
    return tuple(lines)
