"""DRM of the overrun's IFT DR (D7.12, D7.15, D7.16)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from overrun.kernel import Ledger, Modifier
from overrun.rulesets.asl.setup import Approach, Location, asl
from overrun.rulesets.asl.terrain import open_ground, shelter_lines, smoke_lines, terrain_tem

D7_15 = asl("D7.15")


class TargetKind(StrEnum):
    """What kind of target takes the DR; DRM differ by it."""

    INFANTRY = "infantry"
    CAVALRY = "cavalry"
    MOTORCYCLIST = "motorcyclist"
    VEHICLE = "vehicle"
    PRC = "prc"
    """Vulnerable Personnel of a vehicle."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target, or several that share every DRM."""

    kind: TargetKind = TargetKind.INFANTRY
    concealed: bool = False
    entrenched: bool = False
    emplaced: bool = False
    """It mans an Emplaced Gun."""
    in_motion: bool = False
    """The vehicle (or the one it rides in) is in Motion."""
    ce: bool = False
    flamethrowers: int = 0
    overstacked: int = 0
    """Squad-equivalents above the stacking limit, rounded up."""
    hazardous: bool = False
    on_road: bool = False
    """A vehicle on the road of a woods-road hex."""


@dataclass(frozen=True, slots=True)
class Leading:
    """Who can modify the DR: modifiers of the Armor Leader and of a Passenger leader, and the crew's quality."""

    armor_leader: int | None = None
    passenger_leader: int | None = None
    passengers_fire: bool = False
    inexperienced: bool = False
    stun_counter: bool = False


def leadership_lines(leading: Leading, *, ft_alone: bool, rulings: Mapping[str, str]) -> tuple[Modifier, ...]:
    """Leadership: at most one leader, the better one (D7.16); an inexperienced or stunned crew's +1 is mandatory."""
    lines: list[Modifier] = []
    if not ft_alone or rulings["ft_only_leadership"] == "yes":
        leaders: list[Modifier] = []
        if leading.armor_leader is not None:
            leaders.append(Modifier(leading.armor_leader, "Armor Leader", asl("D3.44")))
        directs = leading.passengers_fire or rulings["passenger_leader"] == "always"
        if leading.passenger_leader is not None and directs:
            leaders.append(Modifier(leading.passenger_leader, "Passenger leader directing Passengers", asl("D6.65")))
        if leaders:
            lines.append(min(leaders, key=lambda line: line.value))
    if leading.inexperienced:
        lines.append(Modifier(1, "Inexperienced crew", asl("D3.45")))
    if leading.stun_counter:
        lines.append(Modifier(1, "crew under a +1 counter", asl("D5.34")))
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class Attack:
    """What all targets of one overrun share: the ground, the approach, who leads, and whether only FT FP is used."""

    location: Location
    approach: Approach
    leading: Leading
    ft_alone: bool = False


def overrun_drm(attack: Attack, target: Target, rulings: Mapping[str, str]) -> Ledger:
    """The DRM of an overrun against a target: leadership, the best TEM, SMOKE, Open Ground, and the target's own.

    TEM does not apply when FT FP is the only FP (D7.15); Crest TEM and a gunshield never do.
    """
    lines = list(leadership_lines(attack.leading, ft_alone=attack.ft_alone, rulings=rulings))
    if not attack.ft_alone:
        lines.extend(_tem(attack, target, rulings))
    elif target.kind is TargetKind.PRC and target.ce:
        lines.append(Modifier(2, "CE", asl("D5.31")))
    lines.extend(smoke_lines(attack.location))
    lines.extend(_own(attack.location, target, rulings))
    return Ledger("OVR DRM", tuple(lines))


def _best(lines: Iterable[Modifier]) -> tuple[Modifier, ...]:
    """The best single TEM for the target: positive ones are not cumulative."""
    shown = [line for line in lines if line.value]
    return (max(shown, key=lambda line: line.value),) if shown else ()


def _tem(attack: Attack, target: Target, rulings: Mapping[str, str]) -> tuple[Modifier, ...]:
    own = terrain_tem(attack.location)
    if target.kind in {TargetKind.VEHICLE, TargetKind.PRC}:
        sheltering = [] if attack.location.woods_road and target.on_road else [own]
        if target.kind is TargetKind.PRC and target.ce:
            sheltering.append(Modifier(2, "CE", asl("D5.31")))
        return _best(sheltering)
    if target.kind is TargetKind.CAVALRY:
        return _best([own])
    hexside = attack.approach.hexside
    sheltered = shelter_lines(
        attack.location,
        hexside,
        entrenched=target.entrenched,
        emplaced=target.emplaced,
        wreck_counts=rulings["wreck_tem"] == "apply",
    )
    return _best([own, *sheltered])


def _own(location: Location, target: Target, rulings: Mapping[str, str]) -> Iterable[Modifier]:
    exposed, certain = open_ground(location)
    seen = not target.concealed or rulings["concealed_open_ground"] == "yes"
    match target.kind:
        case TargetKind.INFANTRY if exposed and seen:
            yield Modifier(-1, "Infantry in Open Ground", D7_15, verified=certain)
        case TargetKind.CAVALRY:
            yield Modifier(-2, "Cavalry", asl("A13.5"))
        case TargetKind.MOTORCYCLIST:
            yield Modifier(-1, "mounted motorcyclist", asl("D15.5"))
        case TargetKind.VEHICLE | TargetKind.PRC if target.in_motion:
            yield Modifier(2, "vehicle in Motion", asl("D7.12"))
    if target.flamethrowers:
        yield Modifier(-target.flamethrowers, "possesses a FT", asl("A22.4"))
    if target.overstacked:
        yield Modifier(-target.overstacked, "overstacked", asl("A5.131"))
    if target.hazardous:
        yield Modifier(-2, "Hazardous Movement", asl("A4.62"))
