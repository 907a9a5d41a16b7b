"""The Location as SVG: its terrain, the hexside that is crossed, the vehicle, and plain counters of whoever is there.

Colours are classes, so that a page can give them its own; alone, the drawing has plain ones. What a click on a part of
it would change in the situation file is named by `data-field`.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import atan2, cos, degrees, radians, sin
from typing import Any

from overrun.kernel import Situation
from overrun.rulesets.asl.counters import UnitKind
from overrun.rulesets.asl.outcome import describe
from overrun.rulesets.asl.setup import Concealment, Entrenchment, Hexside, Location, Setup, Terrain, Way
from overrun.rulesets.asl.state import Hull, Morale, State, Unit

CENTRE = (196.0, 150.0)
RADIUS = 130.0
ACROSS = 4
"""Counters in one row."""
MOST = 12
"""Counters drawn; more are given as a number."""

WOODED = {Terrain.WOODS, Terrain.FOREST, Terrain.ORCHARD, Terrain.OLIVE, Terrain.LIGHT_JUNGLE, Terrain.DENSE_JUNGLE}
WOODED |= {Terrain.BAMBOO, Terrain.PALM, Terrain.BRUSH}
BUILT = {Terrain.WOODEN_BUILDING, Terrain.STONE_BUILDING, Terrain.HUT, Terrain.RAILCAR, Terrain.WOODEN_RUBBLE}
BUILT |= {Terrain.STONE_RUBBLE, Terrain.COLLAPSED_HUT}
TREES = ((-74, -62), (-98, -14), (80, -62), (104, -12), (94, 30), (66, 70), (22, 94), (-44, 90), (-20, -62))
PLAIN = (
    "<style>.ground{fill:#fffefa;stroke:#85877b}.woods{fill:#cfdcc2;stroke:#85877b}.building{fill:#d9d2c8;stroke:#85877b}"
    ".tree{fill:#59743f}.way{fill:none;stroke:#9a3a12;stroke-width:4}.next{stroke-dasharray:2 7}"
    ".end-of-way{fill:#9a3a12}.crossed{fill:none;stroke:#9a3a12;stroke-width:3;stroke-dasharray:7 4}"
    ".edge{stroke:#59743f;stroke-width:7}.dig{fill:none;stroke:#1c2321;stroke-width:1.5}text{font:11px sans-serif}"
    ".mid{text-anchor:middle}.piece rect{fill:#fff;stroke:#1c2321}.solid{stroke:none}</style>"
)
GONE = {Hull.ELIMINATED, Hull.BURNING, Hull.LEFT}


def picture(situation: Situation, state: Any | None = None) -> str:
    """The Location at the start of a situation, or at a given state."""
    start: State = situation.start.state
    shown = state if isinstance(state, State) else start
    entered = shown.spent > 0 or shown.mp != start.mp or shown.overruns > 0
    return "".join(_parts(situation.title, shown, entered))


def _parts(title: str, state: State, entered: bool) -> Iterator[str]:
    setup, x, y = state.setup, *CENTRE
    told = " ".join(f"{line.strip()}." for line in describe(state))
    how = _entry_words(setup)
    where = f"has entered{', ' * bool(how)}{how}" if entered else f"is about to enter{', ' * bool(how)}{how}"
    words = f"{_ground_words(setup.location)}. The vehicle {where}. {told}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing map location" viewBox="0 14 350 276" role="img" '
        f'aria-label="{escape(title)}">{PLAIN}<desc>{escape(words)}</desc>'
    )
    ground = _ground(setup.location.terrain)
    yield f'<g class="hex" data-field="location.terrain"><path class="{ground}" d="{_outline()}"/>'
    if setup.location.terrain in WOODED:
        for dx, dy in TREES:
            yield f'<path class="tree" d="M{x + dx:.0f} {y + dy - 6:.0f}l7 12h-14z"/>'
    yield f'<text class="mid t-lab" x="{x:.0f}" y="{y - 86:.0f}">{escape(_ground_words(setup.location))}</text></g>'
    yield from _shelter(setup.location)
    yield from _hexside(setup)
    yield from _vehicle(state, entered)
    yield from _units(state)
    yield "</svg>"


def _outline() -> str:
    x, y = CENTRE
    half, high = RADIUS / 2, RADIUS * 0.866
    corners = ((RADIUS, 0), (half, high), (-half, high), (-RADIUS, 0), (-half, -high), (half, -high))
    return "M" + "L".join(f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in corners) + "Z"


def _ground(terrain: Terrain) -> str:
    return "woods" if terrain in WOODED else "building" if terrain in BUILT else "ground"


def _ground_words(location: Location) -> str:
    words = [str(location.terrain).replace("_", " ").capitalize()]
    words += [str(location.entrenchment)] if location.entrenchment is not Entrenchment.NONE else []
    words += [f"smoke +{sum(location.smoke)}"] if location.smoke else []
    words += ["wire"] if location.wire else []
    words += [f"{location.wrecks} wrecks"] if location.wrecks else []
    words += ["woods-road"] if location.woods_road else []
    return ", ".join(words)


def _shelter(location: Location) -> Iterator[str]:
    x, y = CENTRE
    if location.entrenchment is not Entrenchment.NONE:
        for dx in (-24, 18, 60):
            yield f'<path class="dig" d="M{x + dx - 10:.0f} {y + 64:.0f}a10 8 0 0 1 20 0"/>'


def _hexside(setup: Setup) -> Iterator[str]:
    """The hexside that the vehicle crosses, or along which it goes in Bypass: always drawn as the lower left one."""
    x, y = CENTRE
    half, high = RADIUS / 2, RADIUS * 0.866
    line = f"M{x - RADIUS:.1f} {y:.1f}L{x - half:.1f} {y + high:.1f}"
    yield '<g class="hex" data-field="approach.hexside">'
    if setup.approach.hexside is not Hexside.CLEAR:
        yield f'<path class="edge {setup.approach.hexside}" d="{line}"/>'
    yield f'<path class="crossed target" d="{line}"/>'
    yield f'<text class="t-lab" x="{x - 118:.0f}" y="{y + 126:.0f}">{escape(_entry_words(setup))}</text></g>'


def _entry_words(setup: Setup) -> str:
    approach = setup.approach
    words = [str(approach.hexside).replace("_", " ")] if approach.hexside is not Hexside.CLEAR else []
    words += ["in reverse" if approach.way is Way.REVERSE else f"by {approach.way}".replace("_", " ")] * (
        approach.way is not Way.TERRAIN
    )
    words += [f"uphill {approach.uphill}"] if approach.uphill else []
    return ", ".join(words)


def _came(setup: Setup) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """The way in: where the vehicle waits, where it turns, and where it stands once it has entered."""
    x, y = CENTRE
    if setup.approach.way is Way.BYPASS:  # along the hexside, inside the hex
        return (x - 168, y - 28), (x - 110, y + 4), (x - 78, y + 60)
    return (x - 148, y + 92), (x - 148, y + 92), (x - 62, y + 40)


def _vehicle(state: State, entered: bool) -> Iterator[str]:
    """The vehicle and its way in, with a head that says whither; the way is full once it was gone."""
    setup, hull = state.setup, state.vehicle.hull
    start, turn, end = _came(setup)
    heading = degrees(atan2(end[0] - turn[0], turn[1] - end[1]))
    here = end if entered else start
    tip = (end[0] - 30 * sin(radians(heading)), end[1] + 30 * cos(radians(heading))) if entered else end
    line = "L".join(f"{px:.0f} {py:.0f}" for px, py in dict.fromkeys((start, turn, tip)))
    yield f'<path class="way{"" if entered else " next"}" d="M{line}"/>'
    yield f'<g transform="translate({tip[0]:.0f} {tip[1]:.0f}) rotate({heading:.0f})">'
    yield '<path class="end-of-way" d="M0 -7l8 14h-16z"/></g>'
    kind = "attacker gone" if hull in GONE else "attacker"
    first = degrees(atan2(turn[0] - start[0], start[1] - turn[1])) if turn != start and not entered else heading
    faces = first + (180 if setup.approach.way is Way.REVERSE else 0)
    yield f'<g class="piece {kind}" transform="translate({here[0]:.0f} {here[1]:.0f})">'
    yield f"<title>{escape(setup.vehicle.name)}</title>"
    yield '<rect x="-24" y="-22" width="48" height="44" rx="4"/>'
    yield f'<g transform="rotate({faces:.0f})"><rect class="solid" x="-9" y="-9" width="18" height="18" rx="5"/>'
    yield '<path class="solid" d="M-2 -26h4v20h-4z"/></g>'
    marks = [] if hull is Hull.MOBILE else [str(hull)]
    marks += ["CE"] if state.vehicle.ce else []
    yield f'<text class="small mid" y="33">{escape(", ".join(marks))}</text></g>'


def _units(state: State) -> Iterator[str]:
    x, y = CENTRE
    shown = state.units[:MOST]
    rows = [shown[at : at + ACROSS] for at in range(0, len(shown), ACROSS)]
    for number, row in enumerate(rows):
        top = y - 34 + 52 * (number - (len(rows) - 1) / 2)
        for place, unit in enumerate(row):
            yield from _piece(state, unit, x + 14 + 50 * (place - (len(row) - 1) / 2), top)
    if len(state.units) > MOST:
        yield f'<text class="t-lab" x="{x + 60:.0f}" y="{y + 100:.0f}">and {len(state.units) - MOST} more</text>'


def _piece(state: State, unit: Unit, x: float, y: float) -> Iterator[str]:
    printed = state.printed(unit)
    unknown = unit.seen is not Concealment.KNOWN
    yield f'<g class="piece defender" transform="translate({x:.1f} {y:.1f})"><title>{escape(printed.name)}</title>'
    yield '<rect x="-22" y="-20" width="44" height="40" rx="4"/>'
    if printed.smc:
        yield ('<path class="solid" d="M0 -17l3 6.6 7.2.8-5.4 4.9 1.5 7.2-6.3-3.6-6.3 3.6 1.5-7.2-5.4-4.9 7.2-.8z"/>')
    else:
        dots = {UnitKind.SQUAD: (-11, 0, 11), UnitKind.HALF_SQUAD: (-6, 6), UnitKind.CREW: (-6, 6)}
        for dx in dots.get(printed.kind, (0,)):
            yield f'<circle class="solid" cx="{dx}" cy="-8" r="4.2"/>'
    yield f'<text class="mid" y="13" font-size="12">{escape(printed.name[:7])}</text>'
    marks = ["?"] if unknown else []
    marks += [str(unit.morale)] if unit.morale is not Morale.GOOD else []
    marks += [f"{len(unit.arms)} SW"] if unit.arms else []
    marks += ["Gun"] if unit.guns else []
    yield f'<text class="small mid" y="30">{escape(", ".join(marks))}</text></g>'
