"""The table as a picture to scale: units, terrain, the straight path, contact, wheel, and where each roll ends."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, sin

from overrun.kernel import Situation
from overrun.rulesets.warhammer import path
from overrun.rulesets.warhammer.canvas import Canvas
from overrun.rulesets.warhammer.distance import most
from overrun.rulesets.warhammer.rolls import Row, percent, rows, text
from overrun.rulesets.warhammer.setup import Ground, Own, Setup, Unit
from overrun.rulesets.warhammer.shapes import Block, Point, Pose, square
from overrun.rulesets.warhammer.state import State
from overrun.rulesets.warhammer.wheel import Side, Wheel

LINE = 20
"""Pixels between the rows of text."""

WIDEST = 900.0
"""Pixels of the widest drawing."""

TERRAIN = {
    Ground.OPEN: "fill='#fff' stroke='#999' stroke-width='1' stroke-dasharray='2 3'",
    Ground.DIFFICULT: "fill='url(#wfb-dots)' stroke='#666' stroke-width='1.2'",
    Ground.OBSTACLE: "fill='#ccc' stroke='#000' stroke-width='1.6'",
    Ground.IMPASSABLE: "fill='url(#wfb-cross)' stroke='#000' stroke-width='1.6'",
    Ground.BUILDING: "fill='url(#wfb-bricks)' stroke='#000' stroke-width='1.6'",
}


def picture(situation: Situation, state: object | None = None) -> str:
    """The situation as SVG, at its start or at a given state. One inch is the same length everywhere in it."""
    setup: Setup = situation.start.state.setup
    found = rows(setup, state if isinstance(state, State) else None)
    shown = text(setup, found)
    canvas = _canvas(setup, found)
    _table(canvas, setup)
    for terrain in setup.terrain:
        canvas.polygon(terrain.outline, TERRAIN[terrain.ground])
    _swept(canvas, setup, found)
    places = _places(situation)
    for unit in setup.units:
        canvas.begin(places.get(unit.id, {}))
        _unit(canvas, unit, setup)
        canvas.end()
    mover = setup.mover
    canvas.begin(places.get(mover.id, {}))
    _block(canvas, path.block(setup) if not mover.loose else mover.block, mover, "fill='#fff' stroke='#000'", 2.4)
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
    if wide < 18:  # room for the rows below
        more = (18 - wide) / 2
        low_corner, high_corner = (low_corner[0] - more, low_corner[1]), (high_corner[0] + more, high_corner[1])
    scale = min(34.0, WIDEST / (high_corner[0] - low_corner[0]))
    return Canvas(low_corner, high_corner, scale, below=LINE * (len(found) + 4.2))


def _standing(setup: Setup, pose: Pose) -> Block:
    """The overrunning unit at a pose of its own frame, on the table."""
    start = path.start(setup)
    x, y = start.table((pose.x, pose.y))
    return setup.mover.block.at(Pose(x, y, start.heading + pose.heading))


def _table(canvas: Canvas, setup: Setup) -> None:
    (left, low), (right, high) = setup.table[0], setup.table[2]
    canvas.polygon([(left, low), (right, low), (right, high), (left, high)], "fill='#fff' stroke='none'")
    for i in range(int(canvas.low[0]), int(canvas.high[0]) + 2):
        if left <= i <= right:
            canvas.line(
                [(i, max(low, canvas.low[1])), (i, min(high, canvas.high[1]))], "stroke='#e6e6e6' stroke-width='1'"
            )
    for i in range(int(canvas.low[1]), int(canvas.high[1]) + 2):
        if low <= i <= high:
            canvas.line(
                [(max(left, canvas.low[0]), i), (min(right, canvas.high[0]), i)], "stroke='#e6e6e6' stroke-width='1'"
            )
    canvas.polygon(setup.table, "fill='none' stroke='#000' stroke-width='4'")


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
        canvas.polygon(
            [start.table(p) for p in shape],
            "fill='#000' fill-opacity='0.07' stroke='#000' stroke-width='1.2' stroke-dasharray='1.5 3.5'",
        )


def _unit(canvas: Canvas, unit: Unit, setup: Setup) -> None:
    fill = "url(#wfb-hatch)" if unit.side is Own.ENEMY else "#fff"
    dash = " stroke-dasharray='5 3'" if unit.fleeing else ""
    _block(canvas, unit.block, unit, f"fill='{fill}' stroke='#000'{dash}", 1.6)


def _block(canvas: Canvas, block: Block, unit: Unit, style: str, weight: float) -> None:
    """Every base, the outline, and an arrow at the front."""
    if unit.loose:
        for piece in unit.pieces:
            canvas.polygon(piece, f"{style} stroke-width='{weight}'")
            canvas.keep_clear(piece)
        return
    for centre in block.centres:
        base = square(centre, block.pose.heading, block.base_width, block.base_depth)
        canvas.polygon(base, f"{style} stroke-width='{weight * 0.45:.2f}'")
    canvas.polygon(block.corners, f"fill='none' stroke='#000' stroke-width='{weight}'")
    canvas.keep_clear(block.corners)
    tip = 0.42
    arrow = [block.pose.table(p) for p in ((-tip / 2, 0.05), (tip / 2, 0.05), (0.0, 0.05 + tip))]
    canvas.polygon(arrow, "fill='#000' stroke='#fff' stroke-width='0.8'")


def _ghost(canvas: Canvas, setup: Setup, letter: str, row: Row) -> None:
    """Where a row's first roll ends: the final place, and for a wheel the way there."""
    if row.pose is None or row.ending == "moved":
        return
    block = _standing(setup, row.pose)
    canvas.polygon(block.corners, "fill='none' stroke='#000' stroke-width='1.5' stroke-dasharray='7 3'")
    arrival = row.arrival
    if arrival is not None:
        wheel = None if arrival.option is None else arrival.option.wheel
        if wheel is not None:
            _wheel(canvas, setup, wheel, arrival.touch)
        if arrival.target is not None:
            start, target = path.start(setup), setup.by_id[arrival.engaged[0]]
            x, y = start.table((arrival.target.x, arrival.target.y))
            turned = target.block.at(Pose(x, y, start.heading + arrival.target.heading))
            canvas.polygon(turned.corners, "fill='none' stroke='#000' stroke-width='1.2' stroke-dasharray='2 3'")
    half, deep = block.width / 2, block.depth
    spots = [(0.0, -deep / 2), (half * 0.6, -deep * 0.6), (-half * 0.6, -deep * 0.6), (half + 0.4, -deep / 2)]
    canvas.label(letter, [block.pose.table(p) for p in spots], 16, "bold")


def _wheel(canvas: Canvas, setup: Setup, wheel: Wheel, touch: Pose) -> None:
    start, half = path.start(setup), setup.mover.block.width / 2
    sign = 1.0 if wheel.side is Side.LEFT else -1.0
    pivot, width = (-sign * half, wheel.before), 2 * half
    arc = []
    for i in range(25):
        angle = wheel.angle * i / 24
        arc.append((pivot[0] + sign * width * cos(angle), pivot[1] + width * sin(angle)))
    canvas.line([start.table(p) for p in arc], "stroke='#000' stroke-width='2.2'")
    end = (pivot[0] - sign * wheel.after * sin(wheel.angle), pivot[1] + wheel.after * cos(wheel.angle))
    canvas.line([start.table(p) for p in (pivot, end)], "stroke='#000' stroke-width='1.4' stroke-dasharray='6 4'")
    canvas.dot(start.table(pivot), 4, "fill='#000'")
    at_touch = _standing(setup, touch)
    canvas.polygon(at_touch.corners, "fill='none' stroke='#000' stroke-width='0.9' stroke-dasharray='2 2'")


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
        canvas.label(
            f"{unit.name}{note}", [pose.table(p) for p in spots], 13, "bold" if unit is setup.mover else "normal"
        )
    for terrain in setup.terrain:
        x = sum(p[0] for p in terrain.outline) / len(terrain.outline)
        y = sum(p[1] for p in terrain.outline) / len(terrain.outline)
        canvas.label(terrain.name, [(x, y), (x, y + 1), (x, y - 1), (x, min(p[1] for p in terrain.outline) - 0.5)], 12)


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
            canvas.line(
                [start.table((left - 0.18, ahead)), start.table((left + 0.18, ahead))],
                "stroke='#000' stroke-width='1.4'",
            )
            canvas.label(str(roll), [start.table((left - 0.5, ahead))], 11)
    for thing in met:
        if thing.meeting is not None and thing.gap <= most(setup):
            x, y = thing.meeting.point
            canvas.dot(start.table((x, y)), 4.5, "fill='#fff' stroke='#000' stroke-width='2'")


def _legend(canvas: Canvas, setup: Setup, found: tuple[Row, ...]) -> None:
    y = LINE * 1.0
    canvas.write(8, y, "Roll", weight="bold")
    canvas.write(95, y, "Chance", weight="bold")
    canvas.write(175, y, "What happens if it overruns", weight="bold")
    for i, (letter, row) in enumerate(lettered(found), start=1):
        canvas.write(8, y + i * LINE, letter, weight="bold")
        canvas.write(26, y + i * LINE, row.span)
        canvas.write(95, y + i * LINE, percent(row.chance))
        canvas.write(175, y + i * LINE, row.words)
    y += (len(found) + 1) * LINE
    signs = ("White: own", "Hatched: enemy", "Dotted: straight path", "Circle: first touch", "Heavy arc: wheel")
    canvas.write(8, y + 4, ". ".join((*signs, "Dashed: where it ends.")), size=11)
    scale = f"Edition {setup.edition}, scale {canvas.scale:.0f} pixels an inch."
    canvas.write(8, y + 4 + LINE * 0.9, f"Squares are inches. A unit's arrow shows its front. {scale}", size=11)
