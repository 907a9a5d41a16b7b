"""Where everything of a flowchart goes: stages in columns, steps below each other, arrows in lanes beside them.

Steps stand in the order of the rulebook. An exit to the next step is an arrow down; one to another step of the same
stage runs in the lane of that step, to the right when it leads down and to the left when it leads back; one to another
stage names the number of its step. So nothing can overlap, however large the ruleset is.

A stage drawn alone is cut into parts that stand side by side, so that it fits a sheet of paper on its side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from overrun.drawing.chart import Arrow, Box, Chart, Frame, Overlay
from overrun.drawing.lettering import width, wrapped

ROOM = 300.0
"""Width of a step's box."""
PAD = 8.0
HEADLINE, TITLE, SMALL = 17.0, 13.0, 11.0
"""Sizes of letters, in pixels."""
LINE, TITLE_LINE = 15.0, 17.0
BADGE = 26.0
"""Width of a step's number."""
GAP = 22.0
"""Between steps."""
LANE = 9.0
"""Between arrows that run beside the steps."""
HEAD = 40.0
"""Height of a stage's heading."""
MARGIN = 16.0
PROPORTION = 1.5
"""Width to height that a chart tries to have."""


@dataclass(frozen=True, slots=True)
class Row:
    """An exit as it is written in its box: lines of words, then where it leads and its chance."""

    arrow: Arrow
    lines: tuple[str, ...]
    note: str
    top: float
    taken: bool

    @property
    def middle(self) -> float:
        """Where an arrow leaves."""
        return self.top + LINE * len(self.lines) / 2


@dataclass(frozen=True, slots=True)
class Placed:
    """A step's box with everything written in it."""

    box: Box
    x: float
    y: float
    height: float
    title: tuple[str, ...]
    cite: str
    note: str
    runs: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def entry_y(self) -> float:
        """Where arrows from the side arrive."""
        return self.y + PAD + TITLE_LINE / 2


@dataclass(frozen=True, slots=True)
class Line:
    """An arrow as corners; the last one is its point."""

    corners: tuple[tuple[float, float], ...]
    taken: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """A stage: its frame, its boxes and the arrows among them."""

    frame: Frame
    x: float
    y: float
    width: float
    height: float
    title: tuple[str, ...]
    placed: tuple[Placed, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole chart, laid out."""

    width: float
    height: float
    panels: tuple[Panel, ...]


def laid_out(chart: Chart, overlay: Overlay) -> Sheet:
    """The places of everything."""
    titles = chart.titles
    frames = chart.frames if len(chart.frames) > 1 else _parts(chart.frames[0], titles, overlay)
    measured = [_panel(frame, titles, overlay, 0, 0) for frame in frames]
    columns = _columns(measured) if frames == chart.frames else [[index] for index in range(len(frames))]
    x, tallest = MARGIN, 0.0
    panels: list[Panel] = []
    for column in columns:
        y = MARGIN + 34
        for index in column:
            panels.append(_panel(frames[index], titles, overlay, x, y))
            y += measured[index].height + MARGIN
        tallest = max(tallest, y)
        x += max(measured[index].width for index in column) + MARGIN
    return Sheet(max(x, width(chart.title, HEADLINE, bold=True) + 2 * MARGIN), tallest, tuple(panels))


def _parts(frame: Frame, titles: Mapping[int, str], overlay: Overlay) -> tuple[Frame, ...]:
    """A stage in as many consecutive parts as bring it closest to the proportion of the sheet."""
    heights = [placed.height + GAP for placed in _panel(frame, titles, overlay, 0, 0).placed]
    best: tuple[float, tuple[Frame, ...]] | None = None
    for count in range(1, len(frame.boxes) + 1):
        cut = _cut(heights, count)
        parts = tuple(
            replace(
                frame,
                title=frame.title if len(cut) == 1 else f"{frame.title} ({number} of {len(cut)})",
                boxes=tuple(frame.boxes[index] for index in part),
            )
            for number, part in enumerate(cut, 1)
        )
        panels = [_panel(part, titles, overlay, 0, 0) for part in parts]
        proportion = sum(panel.width + MARGIN for panel in panels) / max(panel.height for panel in panels)
        if best is None or abs(proportion - PROPORTION) < best[0]:
            best = abs(proportion - PROPORTION), parts
    return (frame,) if best is None else best[1]


def _columns(panels: Sequence[Panel]) -> list[list[int]]:
    """Panels in rulebook order, cut into columns so that the sheet comes closest to its proportion."""
    best: tuple[float, list[list[int]]] | None = None
    for count in range(1, len(panels) + 1):
        columns = _cut([panel.height + MARGIN for panel in panels], count)
        wide = sum(max(panels[index].width for index in column) + MARGIN for column in columns)
        high = max(sum(panels[index].height + MARGIN for index in column) for column in columns)
        off = abs(wide / high - PROPORTION)
        if best is None or off < best[0]:
            best = off, columns
    return best[1] if best else []


def _cut(heights: Sequence[float], count: int) -> list[list[int]]:
    """Consecutive heights in at most `count` columns, the tallest as low as can be."""
    low, high = max(heights), sum(heights)
    for _ in range(40):
        middle = (low + high) / 2
        if len(_filled(heights, middle)) <= count:
            high = middle
        else:
            low = middle
    return _filled(heights, high + 0.01)


def _filled(heights: Sequence[float], limit: float) -> list[list[int]]:
    columns: list[list[int]] = [[]]
    used = 0.0
    for index, height in enumerate(heights):
        if columns[-1] and used + height > limit:
            columns.append([])
            used = 0.0
        columns[-1].append(index)
        used += height
    return columns


def _panel(frame: Frame, titles: Mapping[int, str], overlay: Overlay, x: float, y: float) -> Panel:
    inside = {box.number: place for place, box in enumerate(frame.boxes)}
    right, left = _lanes(frame, inside)
    gutter_left = 20 + LANE * max(left.values(), default=-1) + LANE
    gutter_right = 20 + LANE * max(right.values(), default=-1) + LANE
    wide = gutter_left + ROOM + gutter_right
    title = tuple(wrapped(f"{frame.title}  {frame.cite}", 14, wide - 2 * PAD, bold=True))
    box_x, box_y = x + gutter_left, y + HEAD + TITLE_LINE * (len(title) - 1)
    placed: list[Placed] = []
    for box in frame.boxes:
        placed.append(_placed(box, titles, overlay, box_x, box_y))
        box_y += placed[-1].height + GAP
    lines: list[Line] = []
    for place, here in enumerate(placed):
        for row in here.rows:
            to = inside.get(row.arrow.target or 0)
            if to is None or to == place + 1:
                continue
            side, lane = (ROOM, ROOM + 16 + LANE * right[to]) if to > place else (0.0, -16 - LANE * left[to])
            end = placed[to].entry_y
            corners = (box_x + side, row.middle), (box_x + lane, row.middle), (box_x + lane, end), (box_x + side, end)
            lines.append(Line(corners, row.taken))
    for one, two in pairwise(placed):
        down = [row for row in one.rows if row.arrow.target == two.box.number]
        if down:
            middle = box_x + ROOM / 2
            drop = (middle, one.y + one.height), (middle, two.y)
            lines.append(Line(drop, any(row.taken for row in down)))
    height = box_y - GAP - y + PAD + 4
    return Panel(frame, x, y, wide, height, title, tuple(placed), tuple(lines))


def _lanes(frame: Frame, inside: Mapping[int, int]) -> tuple[dict[int, int], dict[int, int]]:
    """The lane of all arrows to one box: to the right of the boxes when they lead down, to the left when back."""
    down: dict[int, list[int]] = {}
    back: dict[int, list[int]] = {}
    for place, box in enumerate(frame.boxes):
        for arrow in box.arrows:
            to = inside.get(arrow.target or 0)
            if to is not None and to > place + 1:
                down.setdefault(to, [to]).append(place)
            elif to is not None and to <= place:
                back.setdefault(to, [to]).append(place)
    return _spread(down), _spread(back)


def _spread(runs: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Lanes such that arrows to two boxes never run in one place; short ones stay near the boxes."""
    lanes: dict[int, int] = {}
    busy: list[list[tuple[int, int]]] = []
    for to, places in sorted(runs.items(), key=lambda run: (max(run[1]) - min(run[1]), run[0])):
        low, high = min(places), max(places)
        free = (n for n, used in enumerate(busy) if all(high < start or low > end for start, end in used))
        lane = next(free, len(busy))
        if lane == len(busy):
            busy.append([])
        busy[lane].append((low, high))
        lanes[to] = lane
    return lanes


def _placed(box: Box, titles: Mapping[int, str], overlay: Overlay, x: float, y: float) -> Placed:
    note = overlay.step_note(box)
    room = ROOM - 2 * PAD - BADGE - 4
    aside = max(width(box.cite, SMALL), width(note, SMALL, bold=True)) + 8
    title = tuple(wrapped(box.title, TITLE, room - aside, bold=True))
    top = y + PAD + max(TITLE_LINE * len(title), TITLE_LINE + (LINE if note else 0)) + 2
    runs: tuple[str, ...] = ()
    if box.calls:
        text = ", ".join(f"{number} {titles[number]}" for number in box.calls)
        runs = tuple(wrapped(f"runs {text}", SMALL, ROOM - 2 * PAD))
        top += LINE * len(runs)
    rows: list[Row] = []
    for arrow in box.arrows:
        odds = overlay.exit_note(box, arrow)
        leads = f"back: {arrow.back}" if arrow.target is None else f"{arrow.target} {titles[arrow.target]}"
        free = ROOM - 2 * PAD - (width(odds, SMALL, bold=True) + 8 if odds else 0)
        lines = tuple(wrapped(f"{arrow.label} → {leads}", SMALL, free - 12))
        rows.append(Row(arrow, lines, odds, top, (box.id, arrow.name) in overlay.taken))
        top += LINE * len(lines)
    return Placed(box, x, y, top - y + PAD - 2, title, box.cite, note, runs, tuple(rows))
