"""The hex map as SVG: the ground, the path of the AFV with its target hex, and every counter where it stands.

Colours are classes, so that a page can give them its own; alone, the drawing has plain ones. Each hex carries the
field of the scenario that a click on it would add to (`data-field`, `data-value`).
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from overrun.kernel import Situation
from overrun.rulesets.valor.hexmap import Ground, Hex
from overrun.rulesets.valor.setup import Kind, Leg, Setup, Unit
from overrun.rulesets.valor.state import Condition, Fate, State

RADIUS, ACROSS, DOWN = 52.0, 78.0, 45.03
"""Of a hex: centre to corner, centre to the next column, and half of the way to the next row."""
MARGIN = 1
"""Hexes shown around everything that matters, in play and on a map too large to be shown whole."""
WHOLE = 9
"""Columns and rows up to which the whole map is shown at the start."""
STACKED = 4
"""Counters drawn in one hex; more are given as a number."""

WOODED = {"woods", "jungle", "orchard", "palm-grove"}
WATER = {"canal", "pond", "marsh", "ocean", "river", "stream"}
PLAIN = (
    "<style>.ground{fill:#fffefa;stroke:#85877b}.woods{fill:#cfdcc2;stroke:#85877b}.water{fill:#d8e6ee;stroke:#85877b}"
    ".building{fill:#d9d2c8;stroke:#85877b}.tree{fill:#59743f}.way{fill:none;stroke:#9a3a12;stroke-width:4}"
    ".next{stroke-dasharray:2 7}.target{fill:none;stroke:#9a3a12;stroke-width:3;stroke-dasharray:7 4}"
    ".dig{fill:none;stroke:#1c2321;stroke-width:1.5}.edge{fill:none;stroke:#59743f;stroke-width:5}"
    "text{font:11px sans-serif}.piece rect{fill:#fff;stroke:#1c2321}.mid{text-anchor:middle}.solid{stroke:none}</style>"
)


def picture(situation: Situation, state: Any | None = None) -> str:
    """The map at the start of a situation, where a path can still be drawn on it; or what matters of it at a state."""
    start = situation.start.state
    shown = state if isinstance(state, State) else start
    return "".join(_Map(shown.setup, shown, at_start=state is None).parts(situation.title))


class _Map:
    """One drawing. `low` and `high` bound the columns and the doubled heights that are shown."""

    def __init__(self, setup: Setup, state: State, *, at_start: bool) -> None:
        self.setup, self.state, self.board = setup, state, setup.board
        matters = [setup.afv.hex, *(leg.hex for leg in setup.path.legs), *(unit.hex for unit in setup.units)]
        whole = WHOLE if at_start else 0
        self.columns = _window([hex.column for hex in matters], self.board.columns, whole)
        self.rows = _window([hex.row - 1 for hex in matters], self.board.rows, whole)

    def parts(self, title: str) -> Iterator[str]:
        width = 16 + ACROSS * (len(self.columns) - 1) + 2 * RADIUS
        height = 16 + DOWN * (2 * len(self.rows) + 1)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing map hexes" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'role="img" aria-label="{escape(title)}">{PLAIN}<desc>{escape(" ".join(self._words()))}</desc>'
        )
        for column in self.columns:
            for row in self.rows:
                yield from self._hex(Hex(column, 2 * (row + 1) - column % 2))
        yield from self._hexsides()
        yield from self._way()
        for hex in sorted({unit.hex for unit in self.setup.units}):
            if self._shows(hex):
                yield from self._stack(hex)
        yield from self._afv()
        yield "</svg>"

    def _shows(self, hex: Hex) -> bool:
        return hex.column in self.columns and hex.row - 1 in self.rows

    def _centre(self, hex: Hex) -> tuple[float, float]:
        top = 2 * (self.rows[0] + 1) - 1
        return 8 + RADIUS + ACROSS * (hex.column - self.columns[0]), 8 + DOWN * (hex.y - top + 1)

    def _words(self) -> Iterator[str]:
        """The drawing in sentences."""
        setup, state = self.setup, self.state
        here = setup.afv.hex if state.leg < 0 else setup.leg(state.leg).hex
        path = ", ".join(str(leg.hex) for leg in setup.path.legs)
        yield f"{setup.afv.label} is in {here}; its path: {path}. It overruns {setup.target}."
        for unit, condition in zip(setup.units, state.units, strict=True):
            if not condition.eliminated:
                yield f"{unit.label} in {unit.hex}{_marks(condition)}."
        for hex, ground in sorted(self.board.hexes.items()):
            if self._shows(hex):
                yield f"{hex}: {ground.words}."

    # ------------------------------------------------------------------ ground

    def _hex(self, hex: Hex) -> Iterator[str]:
        ground, (x, y) = self.board[hex], self._centre(hex)
        yield f'<g class="hex" data-field="afv.path" data-value="{hex}">'
        yield f'<path class="{_ground(ground)}" d="{_outline(x, y, RADIUS)}"/>'
        if ground.terrain in WOODED:
            for dx, dy in ((14, -40), (32, -18), (-38, 0), (30, 18), (-22, 30), (8, 34)):
                yield f'<path class="tree" d="M{x + dx:.1f} {y + dy:.1f}l5.5 9h-11z"/>'
        if ground.position in {"foxholes", "trenches", "caves", "sandbags"}:
            yield f'<path class="dig" d="M{x - 34:.1f} {y + 26:.1f}a6 5 0 0 1 12 0m44 0a6 5 0 0 1 12 0"/>'
        yield f'<text class="small" x="{x - 21:.1f}" y="{y - 30:.1f}">{hex}</text>'
        words = [ground.terrain.replace("-", " ")] if ground.terrain not in {"open", *WOODED} else []
        words += [f"level {ground.level}"] if ground.level else []
        words += [ground.position] if ground.position and ground.position != "foxholes" else []
        words += ["smoke"] if ground.smoke else []
        words += ["mines"] if ground.mines else []
        for place, word in enumerate(words[:2]):
            yield f'<text class="small mid" x="{x:.1f}" y="{y + 39 - 10 * place:.1f}">{escape(word)}</text>'
        yield "</g>"

    def _hexsides(self) -> Iterator[str]:
        for sides, kind in self.board.hexsides.items():
            one, other = sorted(sides)
            if not (self._shows(one) and self._shows(other)):
                continue
            (ax, ay), (bx, by) = self._centre(one), self._centre(other)
            x, y, dx, dy = (ax + bx) / 2, (ay + by) / 2, (bx - ax) * 0.29, (by - ay) * 0.29
            yield f'<path class="edge {escape(kind)}" d="M{x - dy:.1f} {y + dx:.1f}L{x + dy:.1f} {y - dx:.1f}"/>'

    # ------------------------------------------------------------------ the AFV and its path

    def _way(self) -> Iterator[str]:
        legs = self.setup.path.legs
        x, y = self._centre(self.setup.target)
        yield f'<path class="target" d="{_outline(x, y, RADIUS - 2.5)}"/>'
        points = [self._centre(hex) for hex in (self.setup.afv.hex, *(leg.hex for leg in legs))]
        done = self.state.leg + 1
        if done > 0:
            yield f'<path class="way" d="{_line(points[: done + 1])}"/>'
        if len(points) > done + 1 and self.state.fate is Fate.UNDECIDED:
            yield f'<path class="way next" d="{_line(points[done:])}"/>'
            x, y = points[-1]
            yield f'<circle class="end-of-way" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'

    def _afv(self) -> Iterator[str]:
        setup, state = self.setup, self.state
        leg: Leg | None = setup.leg(state.leg) if state.leg >= 0 else None
        gone = state.fate in {Fate.ELIMINATED_ON_APPROACH, Fate.ELIMINATED_IN_TARGET, Fate.ELIMINATED_AFTER}
        hex = leg.hex if leg else setup.afv.hex
        facing = leg.turned if leg else setup.afv.facing
        x, y = self._centre(hex)
        y += 24 if any(unit.hex == hex for unit in setup.units) else 4
        kind = "attacker gone" if gone else "attacker"
        yield f'<g class="piece {kind}" transform="translate({x:.1f} {y:.1f})">'
        yield '<rect x="-14" y="-14" width="28" height="28" rx="3"/>'
        yield f'<g transform="rotate({60 * facing})"><path class="solid" d="M-8 -6h16v13h-16z"/>'
        yield '<path class="solid" d="M-1.4 -20h2.8v15h-2.8z"/></g>'
        mark = "✕" if gone else "!" if state.immobile else ""
        yield f'<text class="mid" y="26" font-size="11">{mark}</text></g>'

    # ------------------------------------------------------------------ the defenders

    def _stack(self, hex: Hex) -> Iterator[str]:
        here = [
            (unit, condition)
            for unit, condition in zip(self.setup.units, self.state.units, strict=True)
            if unit.hex == hex and not condition.eliminated
        ]
        x, y = self._centre(hex)
        shown = here[:STACKED] if len(here) <= STACKED else here[: STACKED - 1]
        step = min(29.0, 84 / max(len(shown), 1))
        for place, (unit, condition) in enumerate(shown):
            yield from _piece(unit, condition, x + step * (place - (len(shown) - 1) / 2), y - 6)
        if len(here) > len(shown):
            yield f'<text class="small" x="{x + 30:.1f}" y="{y + 12:.1f}">+{len(here) - len(shown)}</text>'


def _piece(unit: Unit, condition: Condition, x: float, y: float) -> Iterator[str]:
    yield f'<g class="piece defender" transform="translate({x:.1f} {y:.1f})"><title>{escape(unit.label)}</title>'
    yield '<rect x="-13" y="-14" width="26" height="28" rx="3"/>'
    kind = unit.counter.kind
    if kind is Kind.LEADER:
        yield ('<path class="solid" d="M0 -12.5l1.6 3.6 3.9.4-2.9 2.6.8 3.9L0 -3.9l-3.4 1.9.8-3.9-2.9-2.6 3.9-.4z"/>')
    elif kind is Kind.GUN:
        yield '<path class="solid" d="M-8 -5h16v2.4h-16z"/><circle class="solid" cx="-4" cy="-4" r="3.4"/>'
    elif kind in {Kind.VEHICLE, Kind.AFV}:
        yield '<path class="solid" d="M-8 -10h16v8h-16z"/>'
    else:
        dots = (-7, 0, 7) if kind is Kind.SQUAD and not condition.reduced else (-4, 4)
        for dx in dots:
            yield f'<circle class="solid" cx="{dx}" cy="-7" r="2.8"/>'
    yield f'<text class="mid" y="9" font-size="11">{escape(_short(unit.label))}</text>'
    if marks := _marks(condition):
        yield f'<text class="small mid halo" y="24">{escape(marks.removeprefix(", "))}</text>'
    yield "</g>"


def _short(label: str) -> str:
    """A label for a small counter: its number if it is named with one, or its first letters.

    >>> _short("Squad 12"), _short("Schmidt")
    ('12', 'Sc')
    """
    last = label.rpartition(" ")[2]
    return last if last.isdecimal() else label[:2]


def _marks(condition: Condition) -> str:
    words = [word for word in ("reduced", "pinned", "fired", "valorous") if getattr(condition, word)]
    return f", {', '.join(words)}" if words else ""


def _ground(ground: Ground) -> str:
    if ground.terrain in WOODED:
        return "woods"
    if ground.terrain in WATER:
        return "water"
    return "building" if ground.terrain == "building" else "ground"


def _outline(x: float, y: float, radius: float) -> str:
    half, high = radius / 2, radius * 0.866
    corners = ((radius, 0), (half, high), (-half, high), (-radius, 0), (-half, -high), (half, -high))
    return "M" + "L".join(f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in corners) + "Z"


def _line(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _window(places: list[int], size: int, whole: int) -> range:
    """The part of a row of `size` places that is shown: all of it up to `whole`, else what matters and a margin."""
    if size <= whole:
        return range(size)
    return range(max(min(places) - MARGIN, 0), min(max(places) + MARGIN + 1, size))
