"""What cannot be so in one situation, each as a problem with its key path: the sense of a file beyond its format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from overrun.kernel import Problem
from overrun.rulesets.asl.counters import UnitKind, Vehicle
from overrun.rulesets.asl.movement import COLUMNS, ON_ROAD, esb_most, figure
from overrun.rulesets.asl.setup import (
    Concealment,
    Entrenchment,
    Fired,
    Opening,
    OutsideKind,
    RiderOpening,
    Setup,
    UnitOpening,
    VehicleFate,
    Way,
    asl,
)
from overrun.rulesets.asl.terrain import BUILDINGS, OBSTACLES, fact
from overrun.rulesets.asl.to_kill import Ammunition, basic_tk, round_of_gun


def incoherent(setup: Setup, opening: Opening, places: Mapping[str, str]) -> Iterator[Problem]:
    """Every contradiction of a situation; `places` gives the key path of each unit, weapon, Gun and attack."""
    yield from _vehicle(setup, opening, places)
    yield from _ground(setup)
    for unit in opening.units:
        yield from _unit(setup, opening, unit, places[unit.id])
    yield from _pieces(setup, opening, places)
    yield from _outside(setup, places)


def _vehicle(setup: Setup, opening: Opening, places: Mapping[str, str]) -> Iterator[Problem]:
    vehicle, standing = setup.vehicle, opening.vehicle
    most = vehicle.mp + esb_most(vehicle)
    if standing.mp_left > most:
        what = f"{figure(standing.mp_left)} MP are more than the {vehicle.mp} printed and ESB can give"
        yield Problem("vehicle.mp_left", what, f"0 to {most}", asl("D2.5"))
    if standing.ft_alone and not vehicle.ft:
        yield Problem("vehicle.ft_alone", f"the {vehicle.name} has no FT", "false")
    present = {
        "MA": vehicle.ma_kind != "none",
        "BMG": bool(vehicle.bmg),
        "CMG": bool(vehicle.cmg),
        "AAMG": bool(vehicle.aamg),
        "IFE": bool(vehicle.ife),
        "FT": bool(vehicle.ft),
    }
    for key, names in (("disabled", standing.disabled), ("outside_ca", standing.outside_ca)):
        for name in names:
            if not present[name]:
                having = ", ".join(weapon for weapon, there in present.items() if there) or "none"
                yield Problem(f"vehicle.{key}", f"the {vehicle.name} has no {name}", having)
    yield from _riders(setup, vehicle, standing.riders, places)
    for target in opening.vehicles:
        ridden = setup.vehicles[target.printed]
        if target.on_road and not setup.location.woods_road:
            yield Problem(places[target.id], "no woods-road runs through the Location", "on_road = false")
        yield from _riders(setup, ridden, target.riders, places)


def _riders(
    setup: Setup, vehicle: Vehicle, riders: tuple[RiderOpening, ...], places: Mapping[str, str]
) -> Iterator[Problem]:
    for rider in riders:
        place, unit = places[rider.id], setup.printed[rider.printed]
        if unit.kind is UnitKind.DUMMY:
            yield Problem(place, "a dummy stack cannot ride", "a unit")
        if rider.rider and not vehicle.armored:
            yield Problem(place, "only an AFV carries Riders", 'role = "passenger"', asl("D6.2"))
        if not rider.rider and not vehicle.pp:
            yield Problem(place, f"the {vehicle.name} carries no Passengers", 'role = "rider"', asl("D6.1"))
        if rider.ce and not vehicle.armored_halftrack:
            yield Problem(place, "only Passengers of an armored halftrack are CE", "false", asl("D6.61"))


def _ground(setup: Setup) -> Iterator[Problem]:
    location, approach, vehicle = setup.location, setup.approach, setup.vehicle
    terrain = location.terrain
    name = terrain.value.replace("_", " ")
    if location.single_story and terrain not in BUILDINGS:
        yield Problem("location.single_story", f"{name} is no building", "false")
    if location.fortified and terrain not in BUILDINGS:
        yield Problem("location.fortified", f"{name} is no building", "false")
    if location.upper_level_units and (terrain not in BUILDINGS or location.single_story):
        yield Problem("location.upper_level_units", f"{name} has no upper level here", "false")
    if approach.way is Way.WOODS_ROAD and not location.woods_road:
        yield Problem("approach.way", "no woods-road runs through the Location", "location.woods_road = true")
    if approach.way is Way.BYPASS and approach.cot is None:
        yield Problem("approach.cot", "Bypass COT depends on the hexsides used", "the MP of the Bypass", asl("D2.3"))
    if approach.way is Way.BYPASS and terrain not in OBSTACLES | {terrain.LUMBERYARD}:
        yield Problem(
            "approach.way", f"there is nothing to bypass in {name}", "an obstacle in the Location", asl("D2.3")
        )
    plain = approach.cot is None and approach.way not in ON_ROAD | {Way.BYPASS, Way.TRAIL_BREAK}
    known = vehicle.movement in COLUMNS
    if plain and (not known or fact(terrain, vehicle.movement.value).value == "given"):
        who = vehicle.movement.value.replace("_", " ")
        yield Problem("approach.cot", f"the COT of {name} for a {who} vehicle is not in the tables", "its MP")
    if location.enemy_afv and not setup.vehicles[location.enemy_afv].armored:
        yield Problem("location.enemy_afv", "this vehicle is unarmored", "an AFV", asl("D2.6"))


def _unit(setup: Setup, opening: Opening, unit: UnitOpening, place: str) -> Iterator[Problem]:
    printed = setup.printed[unit.printed]
    states = [word for word, on in (("pinned", unit.pinned), ("broken", unit.broken), ("berserk", unit.berserk)) if on]
    if len(states) > 1:
        yield Problem(place, f"a unit cannot be {' and '.join(states)} at once", "one of them")
    if unit.broken and unit.concealment is not Concealment.KNOWN:
        yield Problem(place, "a broken unit is not concealed", 'concealment = "known"', asl("A12.14"))
    if unit.entrenched and setup.location.entrenchment is Entrenchment.NONE:
        yield Problem(place, "the Location has no entrenchment", "location.entrenchment")
    if unit.wounded and not printed.smc:
        yield Problem(place, "only a SMC is wounded", "false", asl("A17.1"))
    if unit.inherent and printed.kind is UnitKind.DUMMY:
        yield Problem(place, "a dummy stack has no weapons", "no inherent weapons")
    if printed.kind is UnitKind.DUMMY:
        if unit.concealment is Concealment.KNOWN:
            yield Problem(place, "a dummy stack is concealed", 'concealment = "concealed"', asl("A12.11"))
        owned = [one.id for one in opening.weapons if one.owner == unit.id]
        owned += [one.id for one in opening.guns if one.crew == unit.id]
        if owned:
            yield Problem(place, f"a dummy stack has no weapons; it has {', '.join(owned)}", "none")


def _pieces(setup: Setup, opening: Opening, places: Mapping[str, str]) -> Iterator[Problem]:
    owners = {unit.id: setup.printed[unit.printed] for unit in opening.units}
    for one in opening.guns:
        gun, place = setup.guns[one.printed], places[one.id]
        crew = owners.get(one.crew)
        if crew is not None and crew.smc:
            yield Problem(place, "a SMC alone cannot man a Gun", "a crew, HS or squad", asl("A21.13"))
        if one.ammunition == "AP" and gun.no_ap:
            yield Problem(place, f"the {gun.name} has no AP", "HEAT or HE", asl("C8.9"))
        if one.ammunition == "HE" and gun.no_he:
            yield Problem(place, f"the {gun.name} has no HE", "AP", asl("C8.9"))
        shell = round_of_gun(gun, Ammunition(one.ammunition))
        if one.ammunition in {"APCR", "APDS", "HEAT"} and basic_tk(shell) is None:
            yield Problem(place, f"there is no {one.ammunition} for the {gun.name} in the tables", "AP or HE")
        if one.in_entrenchment and setup.location.entrenchment is Entrenchment.NONE:
            yield Problem(place, "the Location has no entrenchment", "location.entrenchment")
    for piece in opening.weapons:
        if piece.in_entrenchment and setup.location.entrenchment is Entrenchment.NONE:
            yield Problem(places[piece.id], "the Location has no entrenchment", "location.entrenchment")
        if piece.fired is not Fired.UNMARKED and not piece.owner:
            yield Problem(places[piece.id], "an unpossessed weapon has not fired", 'fired = "unmarked"')


def _outside(setup: Setup, places: Mapping[str, str]) -> Iterator[Problem]:
    for attack in setup.outside:
        place = places[attack.id]
        if attack.kind is OutsideKind.IFT and not attack.fp:
            yield Problem(place, "an IFT attack needs its FP", "fp = 1 or more")
        if attack.kind is OutsideKind.ORDNANCE and not attack.tk:
            yield Problem(place, "a To Hit shot needs its basic TK#", "tk = 1 or more")
        if attack.kind is not OutsideKind.RESULT and attack.fate is not VehicleFate.NONE:
            yield Problem(place, "only a result already rolled has a fate", 'kind = "result"')
