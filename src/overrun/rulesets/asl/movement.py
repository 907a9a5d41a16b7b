"""MP of entry and overrun, and what may enter or overrun at all (D2, D7.1, D7.13, B23.41)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from overrun.kernel import Cite, Ledger, Modifier, Refusal
from overrun.rulesets.asl.counters import Movement, Nation, Vehicle
from overrun.rulesets.asl.setup import Approach, Entrenchment, Hexside, Location, Terrain, Way, asl
from overrun.rulesets.asl.terrain import BUILDINGS, WOODS_LIKE, fact

NEVER = frozenset({Movement.WAGON, Movement.BICYCLE, Movement.MOTORCYCLE})
THICK = frozenset({Terrain.DENSE_JUNGLE, Terrain.BAMBOO})
ON_ROAD = frozenset({Way.ROAD, Way.WOODS_ROAD})
COLUMNS = frozenset({Movement.FULLY_TRACKED, Movement.HALFTRACK, Movement.TRUCK, Movement.ARMORED_CAR})
ESB_NATION = {
    Nation.AMERICAN: 0,
    Nation.USMC: 0,
    Nation.RUSSIAN: 1,
    Nation.CHINESE_GMD: 1,
    Nation.CHINESE_RED: 1,
    Nation.BRITISH: 2,
    Nation.GERMAN: 2,
}
"""ESB DRM by nation; +3 for any other."""
OPEN_COT = {"fully_tracked": 1, "halftrack": 1, "truck": 4, "armored_car": 3}


@dataclass(frozen=True, slots=True)
class Entering:
    """A vehicle about to enter: its counter, whether its crew is CE, whether it carries Riders, and the ground."""

    vehicle: Vehicle
    location: Location
    approach: Approach
    ce: bool = False
    riders: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """What else bears on a declaration: MP, and what the vehicle has done this turn. MP may be halves."""

    mp_left: Fraction
    bounding_fired: bool = False
    prc_bounding_fired: bool = False
    prep_fired: bool = False
    immobile: bool = False
    began_here: bool = False
    overran_here: bool = False
    """It already overran in this Location and has not left it since (D7.14)."""


@dataclass(frozen=True, slots=True)
class Cost:
    """MP to enter; `everything` means that the terrain takes the whole allotment, so nothing is left for an overrun."""

    mp: Ledger
    everything: bool = False


def overrun_mp(vehicle: Vehicle) -> Modifier:
    """MP of the overrun itself: a quarter of the printed allotment, rounded up (D7.1); weather never changes it."""
    return Modifier(-(-vehicle.mp // 4), f"overrun: a quarter of {vehicle.mp} MP, rounded up", asl("D7.1"))


def esb_most(vehicle: Vehicle) -> int:
    """The most MP that ESB can add in a MPh: a quarter of the printed allotment, rounded down (D2.5)."""
    return vehicle.mp // 4


def half_mp(vehicle: Vehicle, rulings: Mapping[str, str]) -> Fraction:
    """Half of the printed allotment; 13 MP is 6.5 unless the ruling `half_mp` rounds it."""
    half = Fraction(vehicle.mp, 2)
    return half if rulings["half_mp"] == "exact" else Fraction(-(-vehicle.mp // 2))


def entry_cost(entering: Entering, rulings: Mapping[str, str]) -> Cost:
    """MP of entering the Location: COT, hexside, wrecks, SMOKE, elevation, towing, and what the map adds.

    Where `refuse_entry` bars it, the cost is the whole allotment.
    """
    cot, everything = _cot(entering, rulings)
    if everything:
        return Cost(Ledger("MP", (cot,)), everything=True)
    given = (Modifier(mp, reason, asl("D2.1")) for reason, mp in entering.approach.extra_mp)
    return Cost(Ledger("MP", (cot, *_extras(entering, rulings), *given)))


def _cot(entering: Entering, rulings: Mapping[str, str]) -> tuple[Modifier, bool]:
    approach = entering.approach
    if approach.cot is not None:
        return Modifier(approach.cot, f"COT of {_name(entering.location)}, as given", asl("D2.1")), False
    if approach.way in ON_ROAD:
        if entering.vehicle.armored and not entering.ce:
            return Modifier(1, "COT by road, BU AFV", asl("B3.4")), False
        return Modifier(Fraction(1, 2), "COT by road", asl("B3.4")), False
    if approach.way is Way.TRAIL_BREAK:
        return Modifier(
            half_mp(entering.vehicle, rulings), "COT along a Trail Break: half the MP", asl("B13.421")
        ), False
    return _terrain_cot(entering, rulings)


def _terrain_cot(entering: Entering, rulings: Mapping[str, str]) -> tuple[Modifier, bool]:
    vehicle, location = entering.vehicle, entering.location
    cell = fact(location.terrain, _column(vehicle))
    by_choice = cell.value == "half" and entering.approach.full_mp and location.terrain in WOODS_LIKE
    mp: int | Fraction
    if cell.value in {"NA", "given"}:
        return Modifier(vehicle.mp, f"{_name(location)} may not be entered", cell.cite), True
    if cell.value == "all" or by_choice:
        mp, how = vehicle.mp, "all MP by choice" if by_choice else "all MP"
    elif cell.value == "half":
        mp, how = half_mp(vehicle, rulings), f"half of {vehicle.mp} MP"
    elif cell.value.endswith("+"):
        mp, how = int(cell.value[:-1]) + open_cot(vehicle), "with its Open Ground"
    else:
        mp, how = int(cell.value), "by the chart"
    line = Modifier(mp, f"COT of {_name(location)}, {how}", cell.cite, verified=cell.verified)
    return line, cell.value == "all" or by_choice


def _name(location: Location) -> str:
    return location.terrain.value.replace("_", " ")


def open_cot(vehicle: Vehicle) -> int:
    """MP into Open Ground, by the chart; what has no column of its own pays as a truck."""
    return OPEN_COT[_column(vehicle)]


def _column(vehicle: Vehicle) -> str:
    return vehicle.movement.value if vehicle.movement in COLUMNS else Movement.TRUCK.value


def _extras(entering: Entering, rulings: Mapping[str, str]) -> Iterator[Modifier]:
    location, approach = entering.location, entering.approach
    by_road = approach.way in ON_ROAD
    if not approach.hexside_breach:
        match approach.hexside:
            case Hexside.WALL | Hexside.HEDGE:
                yield Modifier(1, f"crossing the {approach.hexside.value}", asl("B9.4"))
            case Hexside.BOCAGE:
                yield Modifier(half_mp(entering.vehicle, rulings), "crossing the bocage: half the MP", asl("B9.54"))
    if location.wrecks:
        each = (2 if by_road else 1) * (2 if location.terrain in WOODS_LIKE else 1)
        yield Modifier(each * location.wrecks, f"wrecks or vehicles: {location.wrecks} at {each} MP", asl("D2.14"))
    if location.smoke:
        yield Modifier(1, "entering SMOKE", asl("A24.7"))
    if approach.uphill:
        yield Modifier((2 if by_road else 4) * approach.uphill, "uphill", asl("B10.51"))
    if approach.towing:
        yield Modifier(1, "towing", asl("C10.1"))


Bar = tuple[bool, str, Cite]
"""Whether something bars an option, why, and the rule."""


def _first(option: str, bars: Iterable[Bar]) -> Refusal | None:
    return next((Refusal(option, reason, cite) for applies, reason, cite in bars if applies), None)


def refuse_entry(option: str, entering: Entering, rulings: Mapping[str, str]) -> Refusal | None:
    """Why the vehicle may not enter the Location in this way at all, or None."""
    way, terrain = entering.approach.way, entering.location.terrain
    bars: list[Bar] = [
        (
            terrain is Terrain.LUMBERYARD and way is not Way.BYPASS,
            "A vehicle enters a Lumberyard hex in Bypass only.",
            asl("B23.211"),
        ),
        (way is Way.BYPASS and terrain in THICK, "Dense jungle and bamboo allow no Bypass.", asl("G2.2")),
    ]
    if way in {Way.TERRAIN, Way.REVERSE}:
        bars.extend(_terrain_bars(entering, rulings))
    return _first(option, bars)


def _terrain_bars(entering: Entering, rulings: Mapping[str, str]) -> Iterator[Bar]:
    vehicle, terrain = entering.vehicle, entering.location.terrain
    if terrain in BUILDINGS and (lacks := next(_building_lacks(entering), None)):
        reason = f"Only a fully-tracked, closed-topped, BU AFV without Riders may enter a building; {lacks}."
        yield True, reason, asl("B23.41")
    yield (
        terrain is Terrain.HUT and rulings["hut_entry"] == "bu_afv" and (not vehicle.armored or entering.ce),
        "Only a BU AFV may enter a hut that has not collapsed.",
        asl("G5.4"),
    )
    yield (
        terrain in THICK and not vehicle.bulldozer and (vehicle.tankette or not _tracked_afv(vehicle)),
        "Only a fully-tracked AFV, no tankette or Carrier, may enter dense jungle or bamboo.",
        asl("G2.21"),
    )
    yield (
        entering.riders and terrain in WOODS_LIKE,
        "A vehicle with Riders may not enter woods off-road.",
        asl("D6.21"),
    )
    yield (
        entering.approach.cot is None and fact(terrain, _column(vehicle)).value == "NA",
        f"A {vehicle.movement.value.replace('_', ' ')} vehicle may not enter {_name(entering.location)}.",
        asl("D2.1"),
    )


def _tracked_afv(vehicle: Vehicle) -> bool:
    return vehicle.fully_tracked and vehicle.armored


def _building_lacks(entering: Entering) -> Iterator[str]:
    vehicle = entering.vehicle
    if not vehicle.armored:
        yield "it is unarmored"
    if not vehicle.fully_tracked:
        yield "it is not fully-tracked"
    if vehicle.open_topped:
        yield "it is open-topped"
    if entering.ce:
        yield "its crew is CE"
    if entering.riders:
        yield "it carries Riders"


def refuse_overrun(option: str, entering: Entering, standing: Standing, rulings: Mapping[str, str]) -> Refusal | None:
    """Why the vehicle may not declare an overrun with this entry, or None.

    Names the first bar in rulebook order; with too few MP the refusal carries the ledger of what it would cost.
    """
    return (
        _barred(option, entering, standing, rulings)
        or refuse_entry(option, entering, rulings)
        or _too_dear(option, entering, standing.mp_left, rulings)
    )


def _barred(option: str, entering: Entering, standing: Standing, rulings: Mapping[str, str]) -> Refusal | None:
    vehicle, approach, location = entering.vehicle, entering.approach, entering.location
    prc_counts = rulings["prc_bounding_fire_bars"] == "yes"
    bars: tuple[Bar, ...] = (
        (vehicle.movement in NEVER, "Wagons, bicycles and motorcycles without sidecar may not overrun.", asl("D7.1")),
        (
            vehicle.movement is Movement.AEROSAN and rulings["aerosan_ovr"] == "no",
            "An aerosan may not overrun.",
            asl("D7.1"),
        ),
        (standing.immobile, "An Immobile vehicle may not overrun.", asl("D7.1")),
        (standing.prep_fired, "A vehicle that Prep Fired may not move, so it may not overrun.", asl("D7.1")),
        (standing.bounding_fired, "The vehicle has Bounding First Fired this MPh.", asl("D7.1")),
        (standing.prc_bounding_fired and prc_counts, "Its PRC have Bounding First Fired this MPh.", asl("D7.1")),
        (
            standing.began_here,
            "It began its MPh in this hex; it must leave and re-enter before it may overrun here.",
            asl("D7.13"),
        ),
        (standing.overran_here, "It must leave the Location before it may overrun again.", asl("D7.14")),
        (approach.way is Way.REVERSE, "No overrun by Reverse Movement.", asl("D7.13")),
        (
            approach.way is Way.BYPASS and not approach.bypass_target,
            "No overrun from Bypass, except against units in Bypass.",
            asl("A12.42"),
        ),
        (location.terrain is Terrain.LUMBERYARD, "No overrun in a Lumberyard hex.", asl("B23.211")),
        (location.entrenchment is Entrenchment.PILLBOX, "No overrun against a pillbox.", asl("D7.13")),
        (
            approach.towing and rulings["towing_bars_ovr"] == "yes",
            "A towing vehicle may not overrun.",
            asl("D7.1"),
        ),
    )
    return _first(option, bars)


def _too_dear(option: str, entering: Entering, mp_left: Fraction, rulings: Mapping[str, str]) -> Refusal | None:
    cost = entry_cost(entering, rulings)
    needed = cost.mp.with_lines(overrun_mp(entering.vehicle))
    if cost.everything:
        return Refusal(
            option,
            "Entry takes all MP, so none are left for the overrun.",
            asl("D2.7"),
            ledgers=(needed,),
        )
    if needed.total > mp_left:
        return Refusal(
            option,
            f"Cannot overrun: it needs {figure(needed.total)} MP and {figure(mp_left)} are left.",
            asl("D7.1"),
            ledgers=(needed,),
        )
    return None


def refuse_late_overrun(option: str, vehicle: Vehicle, standing: Standing) -> Refusal | None:
    """Why no overrun may be declared after an entry that found no Known enemy (A12.41), or None.

    It costs the quarter alone, as a second expenditure.
    """
    if standing.immobile:
        return Refusal(option, "An Immobile vehicle may not overrun.", asl("D7.1"))
    mp = Ledger("MP", (overrun_mp(vehicle),))
    if mp.total > standing.mp_left:
        reason = f"Cannot overrun: it needs {figure(mp.total)} MP and {figure(standing.mp_left)} are left."
        return Refusal(option, reason, asl("D7.1"), ledgers=(mp,))
    return None


def figure(mp: Fraction | int) -> str:
    """MP as players write them: 6.5, 11.

    >>> figure(Fraction(13, 2)), figure(Fraction(4))
    ('6.5', '4')
    """
    value = Fraction(mp)
    return str(value.numerator) if value.denominator == 1 else str(float(value))


def esb_drm(vehicle: Vehicle, mp: int) -> Ledger:
    """DRM of an ESB DR for `mp` extra MP: +1 each, and the nation's (D2.5); it fails on a Final 12 or more."""
    nation = ESB_NATION.get(vehicle.nation, 3)
    lines = [Modifier(mp, f"{mp} MP of ESB", asl("D2.5"))]
    if nation:
        lines.append(Modifier(nation, vehicle.nation.value.replace("_", " "), asl("D2.5")))
    return Ledger("ESB DRM", tuple(lines))
