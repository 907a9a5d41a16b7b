"""The table as a picture to scale: units, terrain, the straight path, contact, wheel, and where each roll ends."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, sin

from overrun.kernel import Situation
from overrun.rulesets.warhammer import path
from overrun.rulesets.warhammer.canvas import SMALL, Canvas
from overrun.rulesets.warhammer.distance import most
from overrun.rulesets.warhammer.rolls import Row, percent, rows, text
from overrun.rulesets.warhammer.setup import Ground, Own, Setup, Unit
from overrun.rulesets.warhammer.shapes import Block, Point, Pose, square
from overrun.rulesets.warhammer.state import State
from overrun.rulesets.warhammer.wheel import Side, Wheel

WIDEST, LARGEST = 390.0, 34.0
"""Pixels of a drawing across, and of an inch, at most."""
NARROWEST = 11.0
"""Inches that are shown across at least: room for the rows below."""

PATTERN = {Ground.DIFFICULT: "dots", Ground.IMPASSABLE: "cross", Ground.BUILDING: "bricks"}


def picture(situation: Situation, state: object | None = None) -> str:
    """The situation as SVG, at its start or at a given state. One inch is the same length everywhere in it."""
    setup: Setup = situation.start.state.setup
    found = rows(setup, state if isinstance(state, State) else None)
    shown = text(setup, found)
    canvas = _canvas(setup, found)
    _table(canvas, setup)
    for terrain in setup.terrain:
        canvas.polygon(terrain.outline, f"terrain {terrain.ground}", PATTERN.get(terrain.ground, ""))
    _swept(canvas, setup, found)
    places = _places(situation)
    for unit in setup.units:
        enemy = unit.side is Own.ENEMY
        kind = f"{'defender' if enemy else 'attacker'}{' fleeing' if unit.fleeing else ''}"
        canvas.begin(kind, places.get(unit.id, {}))
        _block(canvas, unit.block, unit, "enemy" if enemy else "own")
        canvas.end()
    mover = setup.mover
    canvas.begin("attacker mover", places.get(mover.id, {}))
    _block(canvas, path.block(setup) if not mover.loose else mover.block, mover, "own")
    canvas.end()
    _ticks(canvas, setup, found)
    for letter, row in lettered(found):
        _ghost(canvas, setup, letter, row)
    _labels(canvas, setup)
    _legend(canvas, setup, found)
    return canvas.svg(situation.title, " ".join(shown))


def _places(situation: Situation) -> dict[str, dict[str, str]]:
    """For each unit of the file, which of its fields move and turn it in an editor."""
    return {
        str(unit.get("id")): {"move": f"units[{number}].position", "turn": f"units[{number}].heading"}
        for number, unit in enumerate(situation.document.get("units", ()), 1)
    }


def lettered(found: tuple[Row, ...]) -> Iterable[tuple[str, Row]]:
    """The rows with a letter each, a b c, as they stand below the picture."""
    return zip("abcdefghijklmnopqrstuvwxyz", found, strict=False)


def _canvas(setup: Setup, found: tuple[Row, ...]) -> Canvas:
    points = [p for unit in (setup.mover, *setup.units) for piece in unit.pieces for p in piece]
    start = path.start(setup)
    far = max([p.y for row in found if (p := row.pose) is not None] + [0.0])
    far = max(far, _path_length(setup))
    points += [start.table((x, far)) for part in path.parts(setup) for x in (part.left, part.right)]
    points += [p for row in found if row.pose for p in _standing(setup, row.pose).corners]
    for terrain in setup.terrain:
        points += [p for p in terrain.outline if abs(p[0] - start.x) < 24 and abs(p[1] - start.y) < 24]
    left, low = setup.table[0]
    right, high = setup.table[2]
    low_corner = max(min(p[0] for p in points) - 2, left - 0.5), max(min(p[1] for p in points) - 2, low - 0.5)
    high_corner = min(max(p[0] for p in points) + 2, right + 0.5), min(max(p[1] for p in points) + 2, high + 0.5)
    wide = high_corner[0] - low_corner[0]
    if wide < NARROWEST:
        more = (NARROWEST - wide) / 2
        low_corner, high_corner = (low_corner[0] - more, low_corner[1]), (high_corner[0] + more, high_corner[1])
    scale = min(LARGEST, WIDEST / (high_corner[0] - low_corner[0]))
    return Canvas(low_corner, high_corner, scale)


def _standing(setup: Setup, pose: Pose) -> Block:
    """The overrunning unit at a pose of its own frame, on the table."""
    start = path.start(setup)
    x, y = start.table((pose.x, pose.y))
    return setup.mover.block.at(Pose(x, y, start.heading + pose.heading))


def _table(canvas: Canvas, setup: Setup) -> None:
    (left, low), (right, high) = setup.table[0], setup.table[2]
    for i in range(int(canvas.low[0]), int(canvas.high[0]) + 2):
        if left <= i <= right:
            canvas.line([(i, max(low, canvas.low[1])), (i, min(high, canvas.high[1]))], "grid")
    for i in range(int(canvas.low[1]), int(canvas.high[1]) + 2):
        if low <= i <= high:
            canvas.line([(max(left, canvas.low[0]), i), (min(right, canvas.high[0]), i)], "grid")
    canvas.polygon(setup.table, "rim")


def _path_length(setup: Setup) -> float:
    return min([m.gap for m in path.meetings(setup)[:1]] + [float(most(setup))])


def _swept(canvas: Canvas, setup: Setup, found: tuple[Row, ...]) -> None:
    """The ground of the straight move, as far as the longest roll goes before something stops it."""
    stop, start = _path_length(setup), path.start(setup)
    for part in path.parts(setup):
        shape = [
            (part.left, part.front),
            (part.right, part.front),
            (part.right, part.front + stop),
            (part.left, part.front + stop),
        ]
        canvas.polygon([start.table(p) for p in shape], "swept")


def _block(canvas: Canvas, block: Block, unit: Unit, side: str) -> None:
    """Every base, the outline, and an arrow at the front."""
    pattern = "hatch" if side == "enemy" else ""
    if unit.loose:
        for piece in unit.pieces:
            canvas.polygon(piece, f"base {side}", pattern)
            canvas.keep_clear(piece)
        return
    for centre in block.centres:
        base = square(centre, block.pose.heading, block.base_width, block.base_depth)
        canvas.polygon(base, f"base {side}", pattern)
    canvas.polygon(block.corners, "outline")
    canvas.keep_clear(block.corners)
    tip = 0.5
    arrow = [block.pose.table(p) for p in ((-tip / 2, 0.05), (tip / 2, 0.05), (0.0, 0.05 + tip))]
    canvas.polygon(arrow, "front")


def _ghost(canvas: Canvas, setup: Setup, letter: str, row: Row) -> None:
    """Where a row's first roll ends: the final place, and for a wheel the way there."""
    if row.pose is None or row.ending == "moved":
        return
    block = _standing(setup, row.pose)
    canvas.polygon(block.corners, "ghost")
    arrival = row.arrival
    if arrival is not None:
        wheel = None if arrival.option is None else arrival.option.wheel
        if wheel is not None:
            _wheel(canvas, setup, wheel, arrival.touch)
        if arrival.target is not None:
            start, target = path.start(setup), setup.by_id[arrival.engaged[0]]
            x, y = start.table((arrival.target.x, arrival.target.y))
            turned = target.block.at(Pose(x, y, start.heading + arrival.target.heading))
            canvas.polygon(turned.corners, "ghost faint")
    half, deep = block.width / 2, block.depth
    spots = [(0.0, -deep / 2), (half * 0.6, -deep * 0.6), (-half * 0.6, -deep * 0.6), (half + 0.4, -deep / 2)]
    canvas.label(letter, [block.pose.table(p) for p in spots], "bold")


def _wheel(canvas: Canvas, setup: Setup, wheel: Wheel, touch: Pose) -> None:
    start, half = path.start(setup), setup.mover.block.width / 2
    sign = 1.0 if wheel.side is Side.LEFT else -1.0
    pivot, width = (-sign * half, wheel.before), 2 * half
    arc = []
    for i in range(25):
        angle = wheel.angle * i / 24
        arc.append((pivot[0] + sign * width * cos(angle), pivot[1] + width * sin(angle)))
    canvas.line([start.table(p) for p in arc], "arc")
    end = (pivot[0] - sign * wheel.after * sin(wheel.angle), pivot[1] + wheel.after * cos(wheel.angle))
    canvas.line([start.table(p) for p in (pivot, end)], "measure then")
    canvas.dot(start.table(pivot), 4, "pivot")
    canvas.polygon(_standing(setup, touch).corners, "ghost faint")


def _labels(canvas: Canvas, setup: Setup) -> None:
    for unit in (setup.mover, *setup.units):
        block = path.block(setup) if unit is setup.mover else unit.block
        half, deep, pose = block.width / 2, block.depth, block.pose
        if unit.loose:  # around the middle of its models
            mean = [sum(p[i] for p in unit.loose) / len(unit.loose) for i in (0, 1)]
            half, deep, pose = block.base_width, block.base_depth, Pose(mean[0], mean[1], block.pose.heading)
        note = " (fleeing)" if unit.fleeing else ""
        spots: list[Point] = []
        for away in (0.55, 0.9, 1.4, 2.0):
            spots += [
                (0.0, -deep - away),
                (half + away + 1.0, -deep / 2),
                (-half - away - 1.0, -deep / 2),
                (0.0, away + 0.3),
            ]
        side = "foe" if unit.side is Own.ENEMY else "friend"
        kind = f"bold {side}" if unit is setup.mover else side
        canvas.label(f"{unit.name}{note}", [pose.table(p) for p in spots], kind)
    for terrain in setup.terrain:
        x = sum(p[0] for p in terrain.outline) / len(terrain.outline)
        y = sum(p[1] for p in terrain.outline) / len(terrain.outline)
        canvas.label(terrain.name, [(x, y), (x, y + 1), (x, y - 1), (x, min(p[1] for p in terrain.outline) - 0.5)])


def _ticks(canvas: Canvas, setup: Setup, found: tuple[Row, ...]) -> None:
    """For rolls that meet nobody: how far the front goes, marked on the left side of the path."""
    part, start = path.parts(setup)[0], path.start(setup)
    met = path.meetings(setup)[:1]
    for row in found:
        if row.ending != "moved":
            continue
        for roll in row.rolls:
            ahead = path.unhindered(setup, path.reach(setup, roll))
            if met and ahead > met[0].gap:
                continue
            left = part.left
            canvas.line([start.table((left - 0.18, ahead)), start.table((left + 0.18, ahead))], "measure")
            canvas.label(str(roll), [start.table((left - 0.55, ahead))], size=SMALL)
    for thing in met:
        if thing.meeting is not None and thing.gap <= most(setup):
            x, y = thing.meeting.point
            canvas.dot(start.table((x, y)), 4.5, "first-touch")


def _legend(canvas: Canvas, setup: Setup, found: tuple[Row, ...]) -> None:
    """Every row with its letter, rolls and chance, what it brings below them; then what the lines mean."""
    for letter, row in lettered(found):
        canvas.write(letter, kind="t-lab bold")
        canvas.write(f"{row.span}, {percent(row.chance)}", 26, "t-lab bold", on=True)
        canvas.write(row.words, 26)
    arrow = "Dotted: straight path. Circle: first touch. Heavy arc: wheel. Dashed: where it ends. Hatched: enemy."
    canvas.write(f"{arrow} Squares are inches; edition {setup.edition}.", kind="small")
