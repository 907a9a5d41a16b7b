"""Bog, rubble, cellars, huts and Trail Breaks on entry (D8.2, B13.4, B23.41, G5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from overrun.kernel import Ledger, Modifier
from overrun.rulesets.asl.counters import GroundPressure, Movement, Vehicle
from overrun.rulesets.asl.movement import ON_ROAD, Entering
from overrun.rulesets.asl.setup import Ground, Hexside, Location, Terrain, Way, asl
from overrun.rulesets.asl.terrain import BUILDINGS, RUBBLE, TRAIL_BREAK, WOODS_LIKE

D8_21 = asl("D8.21")
BOGS_AT = 12
EXEMPT = frozenset({Movement.MOTORCYCLE, Movement.SIDECAR, Movement.AEROSAN})
PRESSURE = {GroundPressure.LOW: 0, GroundPressure.NORMAL: 1, GroundPressure.HIGH: 2}
SLOW_GOING = WOODS_LIKE | RUBBLE | {Terrain.GRAVEYARD, Terrain.WOODEN_BUILDING}
CHECKED = WOODS_LIKE | RUBBLE | BUILDINGS | {Terrain.GRAVEYARD}


def bog_due(entering: Entering) -> bool:
    """Does this entry call for a Bog DR (D8.2)? A road, a Trail Break or Bypass avoids that of the terrain."""
    vehicle, location, approach = entering.vehicle, entering.location, entering.approach
    if vehicle.movement in EXEMPT:
        return False
    if approach.bog is not None:
        return approach.bog
    if approach.way in ON_ROAD:
        return False
    crossing = approach.hexside is Hexside.BOCAGE and not approach.hexside_breach
    into = approach.way in {Way.TERRAIN, Way.REVERSE}
    collapsed = location.terrain is Terrain.COLLAPSED_HUT and not vehicle.fully_tracked
    terrain = into and (location.terrain in CHECKED or collapsed)
    soaked = location.ground in {Ground.MUD, Ground.DEEP_SNOW}
    return terrain or crossing or soaked or location.debris or location.wire


def bog_drm(entering: Entering) -> Ledger:
    """DRM of the Bog DR, all cumulative (D8.21); the vehicle bogs on a Final 12 or more."""
    return Ledger("Bog DRM", (*_vehicle_lines(entering), *_ground_lines(entering)))


def _vehicle_lines(entering: Entering) -> Iterator[Modifier]:
    vehicle = entering.vehicle
    if pressure := PRESSURE[vehicle.ground_pressure]:
        yield Modifier(pressure, f"{vehicle.ground_pressure.value} ground pressure", D8_21)
    if not vehicle.fully_tracked:
        yield Modifier(1, "not fully-tracked", D8_21)
    if vehicle.movement is Movement.TRUCK:
        yield Modifier(1, "Truck-type MP", D8_21)
    if entering.approach.towing:
        yield Modifier(1, "towing", D8_21)


def _ground_lines(entering: Entering) -> Iterator[Modifier]:
    vehicle, location, approach = entering.vehicle, entering.location, entering.approach
    terrain = location.terrain
    if location.ground in {Ground.SOFT, Ground.MUD, Ground.SNOW}:
        yield Modifier(1, f"{location.ground.value} ground", D8_21)
    if location.ground is Ground.DEEP_SNOW:
        yield Modifier(1, "Deep Snow", D8_21)
    if approach.abrupt_elevation:
        yield Modifier(1, "abrupt elevation change", D8_21)
    if approach.from_deep_stream and not approach.amphibious:
        yield Modifier(1, "leaving a Deep Stream", D8_21)
    if approach.uphill and terrain in WOODS_LIKE:
        yield Modifier(1, "gaining elevation into woods", D8_21)
    if location.debris:
        yield Modifier(1, "debris", D8_21)
    if location.wire:
        yield Modifier(2, "Wire", D8_21)
    if approach.way in {Way.TERRAIN, Way.REVERSE}:
        if terrain in SLOW_GOING and vehicle.fully_tracked and not _all_mp(entering):
            yield Modifier(3, f"into {terrain.value.replace('_', ' ')} at half MP", D8_21)
        if terrain is Terrain.STONE_BUILDING:
            yield Modifier(1 if approach.inside_factory else 4, "into a stone building at half MP", asl("B23.41"))
        if terrain in {Terrain.DENSE_JUNGLE, Terrain.BAMBOO} and not vehicle.bulldozer:
            yield Modifier(2, "dense jungle or bamboo", asl("G2.21"))
    for reason, drm in approach.extra_bog:
        yield Modifier(drm, reason, D8_21)


def _all_mp(entering: Entering) -> bool:
    """Does it pay all its MP for woods, so that the +3 does not apply?"""
    return entering.location.terrain in WOODS_LIKE and entering.approach.full_mp


def bogs(final: int) -> bool:
    """Does a Final Bog DR bog the vehicle?"""
    return final >= BOGS_AT


class BuildingFall(StrEnum):
    """What the colored die of the Bog DR does to a building and the AFV that enters it (B23.41)."""

    NONE = "none"
    RUBBLE = "rubble"
    CELLAR = "cellar"


def enters_building(entering: Entering) -> bool:
    """Does it drive into the building obstacle itself, so that rubble and cellar are tested?"""
    return entering.approach.way in {Way.TERRAIN, Way.REVERSE} and entering.location.terrain in BUILDINGS


def building_fall(colored: int, location: Location) -> tuple[BuildingFall, Ledger]:
    """Rubble when the colored dr (-1 wooden, -1 Single Story House) is 0 or less; cellar on an Original 6."""
    lines = [Modifier(colored, "colored die of the Bog DR", asl("B23.41"))]
    if location.terrain is Terrain.WOODEN_BUILDING:
        lines.append(Modifier(-1, "wooden building", asl("B23.41")))
    if location.single_story:
        lines.append(Modifier(-1, "Single Story House", asl("B23.41")))
    ledger = Ledger("Rubble dr", tuple(lines))
    if ledger.total <= 0:
        return BuildingFall.RUBBLE, ledger
    if colored == 6 and location.cellar:
        return BuildingFall.CELLAR, ledger
    return BuildingFall.NONE, ledger


def hut_collapses(entering: Entering, rulings: Mapping[str, str]) -> bool:
    """Does the hut collapse, with a PTC for every unit in it (G5.4, G5.5)?"""
    into = entering.location.terrain is Terrain.HUT and entering.approach.way in {Way.TERRAIN, Way.REVERSE}
    return into and entering.vehicle.armored and rulings["hut_collapse"] == "automatic"


def breaks_trail(vehicle: Vehicle, location: Location, way: Way, *, mobile: bool) -> bool:
    """Is a partial Trail Break placed on entry, and completed on exit, by this vehicle (B13.421)?"""
    off_road = way in {Way.TERRAIN, Way.REVERSE}
    return vehicle.armored and vehicle.fully_tracked and mobile and off_road and location.terrain in TRAIL_BREAK
