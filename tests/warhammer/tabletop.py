"""Situations for the tests: documents built from a few numbers, and what the rules make of them."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

from hypothesis import strategies as st

from overrun.kernel import Position
from overrun.rulesets.warhammer import path, ruleset
from overrun.rulesets.warhammer.charge import Arrival, arrival, zones
from overrun.rulesets.warhammer.distance import most
from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.path import What
from overrun.rulesets.warhammer.setup import Setup
from overrun.rulesets.warhammer.shapes import Block, Polygon, Pose, separation

Document = dict[str, Any]

ME: Document = {"id": "me", "side": "own", "base": [20, 20], "files": 5, "ranks": 4, "position": [0, 0], "movement": 4}


def document(units: list[Document], **more: Any) -> Document:
    """A table without near edges; the overrunner is the unit "me"."""
    whole: Document = {
        "system": "warhammer",
        "overrunner": "me",
        "table": {"width": 240, "depth": 240, "corner": [-120, -120]},
        "units": units,
        "combat": {"opponents": [{"name": "Victims", "fate": "slain"}]},
        "plan": {"choose": ["overrun"], "reaction": ["hold"]},
    }
    return whole | more


def setup(whole: Document) -> Setup:
    """The facts of a document."""
    start: Position[Any] = ruleset.load(whole).start
    facts: Setup = start.state.setup
    return facts


def strike(facts: Setup, roll: int, zone: Facing | None = None) -> Arrival | None:
    """What a roll does to the first fresh enemy on the straight path, in the first of its tied zones or that one."""
    met = path.first(facts, path.reach(facts, roll))
    if not met or met[0].what is not What.FRESH:
        return None
    tied = zones(facts, facts.by_id[met[0].id])
    chosen = zone if zone in tied else tied[0] if tied else None
    return arrival(facts, roll, tuple(m.id for m in met), passed=(), zone=chosen)


def rolls(facts: Setup) -> range:
    """Every total that the dice can show."""
    return range(2, most(facts) + 1)


def moved(whole: Document, turn: float, across: float, up: float) -> Document:
    """The same document with everything turned about the origin, clockwise in degrees, then shifted."""
    c, s = cos(radians(turn)), sin(radians(turn))

    def place(spot: list[float]) -> list[float]:
        x, y = spot
        return [x * c + y * s + across, y * c - x * s + up]

    units = [u | {"position": place(u["position"]), "heading": u.get("heading", 0) + turn} for u in whole["units"]]
    terrain = [t | {"outline": [place(p) for p in t["outline"]]} for t in whole.get("terrain", [])]
    return whole | {"units": units, "terrain": terrain}


def mirrored(whole: Document) -> Document:
    """The mirror image at x = 0."""
    units = [
        u | {"position": [-u["position"][0], u["position"][1]], "heading": -u.get("heading", 0)} for u in whole["units"]
    ]
    terrain = [t | {"outline": [[-x, y] for x, y in reversed(t["outline"])]} for t in whole.get("terrain", [])]
    return whole | {"units": units, "terrain": terrain}


def number(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False, width=32).map(lambda x: round(float(x), 3) + 0.0001)


headings = st.integers(0, 3590).map(lambda tenths: tenths / 10 + 0.0371)
"""Degrees. No two sides are nearly parallel without being parallel: where they meet is then lost in rounding."""

BASES = st.sampled_from([[20, 20], [25, 25], [25, 50], [40, 40], [50, 50]])


@st.composite
def enemies(draw: st.DrawFn, id: str) -> Document:
    """An enemy somewhere ahead, roughly facing the overrunner or turned by any angle."""
    return {
        "id": id,
        "side": draw(st.sampled_from(["enemy", "enemy", "enemy", "own"])) if id != "e0" else "enemy",
        "base": draw(BASES),
        "files": draw(st.integers(1, 7)),
        "ranks": draw(st.integers(1, 4)),
        "position": [draw(number(-7, 7)), draw(number(2, 14))],
        "heading": draw(headings),
    }


@st.composite
def situations(draw: st.DrawFn, others: int) -> Document:
    """An overrunner at the origin and up to so many units ahead, none overlapping."""
    mover = ME | {"base": draw(BASES), "files": draw(st.integers(1, 6)), "ranks": draw(st.integers(1, 3))}
    kept = [mover]
    for i in range(draw(st.integers(1, others))):
        unit = draw(enemies(f"e{i}"))
        if all(separation(shape(unit), shape(other)) > 1e-3 for other in kept):
            kept.append(unit)
    return document(kept)


def shape(unit: Document) -> Polygon:
    """The footprint of a unit of a document."""
    wide, deep = unit["base"]
    pose = Pose(*unit["position"], unit.get("heading", 0))
    return Block(pose, unit["files"] * unit["ranks"], unit["files"], wide / 25.4, deep / 25.4).corners
