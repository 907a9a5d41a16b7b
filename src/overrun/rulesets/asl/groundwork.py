"""The Location, the approach and the fire from outside, from their parts of a validated file."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from overrun.rulesets.asl.setup import (
    Approach,
    Entrenchment,
    Ground,
    Hexside,
    Location,
    OutsideAttack,
    OutsideKind,
    Terrain,
    VehicleFate,
    Way,
)

if TYPE_CHECKING:
    from overrun.rulesets.asl.scenario import ApproachModel, LocationModel, OutsideModel


def location_of(model: LocationModel, enemy: str) -> Location:
    """The entered Location; `enemy` is the key of an enemy AFV in it, or empty."""
    return Location(
        Terrain(model.terrain),
        model.in_season,
        model.single_story,
        model.fortified,
        model.factory,
        model.cellar,
        model.upper_level_units,
        model.shellhole,
        Entrenchment(model.entrenchment),
        tuple(model.smoke),
        model.wrecks,
        model.wreck_tem,
        model.bridge,
        model.debris,
        model.wire,
        Ground(model.ground),
        model.woods_road,
        model.pto,
        enemy,
    )


def approach_of(model: ApproachModel) -> Approach:
    """How the vehicle comes in."""
    return Approach(
        way=Way(model.way),
        hexside=Hexside(model.hexside),
        hexside_breach=model.hexside_breach,
        uphill=model.uphill,
        abrupt_elevation=model.abrupt_elevation,
        from_deep_stream=model.from_deep_stream,
        inside_factory=model.inside_factory,
        amphibious=model.amphibious,
        full_mp=model.full_mp,
        towing=model.towing,
        began_here=model.began_here,
        cot=None if model.cot is None else Fraction(model.cot),
        extra_mp=tuple((reason, Fraction(mp)) for reason, mp in model.extra_mp.items()),
        bog=model.bog,
        extra_bog=tuple(model.extra_bog.items()),
        bypass_target=model.bypass_target,
    )


def attack_of(model: OutsideModel) -> OutsideAttack:
    """One attack from outside the hex."""
    return OutsideAttack(
        model.id,
        OutsideKind(model.kind),
        model.fp,
        model.drm,
        model.th,
        model.tk,
        model.caliber,
        model.facing,
        model.ammunition,
        model.breakdown,
        VehicleFate(model.fate),
        model.second,
    )
