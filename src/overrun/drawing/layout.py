"""Where everything of a flowchart goes: stages in columns, steps below each other, arrows in lanes beside them.

Steps stand in the order of the rulebook. An exit to the next step is an arrow down; one to another step of the same
stage runs in a lane of its own, to the right when it leads down and to the left when it leads back; one to another
stage names the number of its step. So nothing can overlap, however large the ruleset is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from overrun.drawing.chart import Arrow, Box, Chart, Frame, Overlay
from overrun.drawing.lettering import width, wrapped

ROOM = 300.0
"""Width of a step's box."""
PAD = 8.0
TITLE, SMALL = 13.0, 11.0
"""Sizes of letters, in pixels."""
LINE, TITLE_LINE = 15.0, 17.0
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
    titles = {box.number: box.title for box in chart.boxes}
    measured = [_panel(frame, titles, overlay, 0, 0) for frame in chart.frames]
    columns = _columns(measured)
    x, tallest = MARGIN, 0.0
    panels: list[Panel] = []
    for column in columns:
        y = MARGIN + 34
        for index in column:
            panels.append(_panel(chart.frames[index], titles, overlay, x, y))
            y += measured[index].height + MARGIN
        tallest = max(tallest, y)
        x += max(measured[index].width for index in column) + MARGIN
    return Sheet(x, tallest, tuple(panels))


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


def _panel(frame: Frame, titles: dict[int, str], overlay: Overlay, x: float, y: float) -> Panel:
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
    for here in placed:
        for row in here.rows:
            key = here.box.number, row.arrow.name
            if key in right:
                lane = box_x + ROOM + 16 + LANE * right[key]
                to = placed[inside[row.arrow.target or 0]]
                corners = (box_x + ROOM, row.middle), (lane, row.middle), (lane, to.entry_y), (box_x + ROOM, to.entry_y)
                lines.append(Line(corners, row.taken))
            elif key in left:
                lane = box_x - 16 - LANE * left[key]
                to = placed[inside[row.arrow.target or 0]]
                corners = (box_x, row.middle), (lane, row.middle), (lane, to.entry_y), (box_x, to.entry_y)
                lines.append(Line(corners, row.taken))
    for one, two in pairwise(placed):
        down = [row for row in one.rows if row.arrow.target == two.box.number]
        if down:
            middle = box_x + ROOM / 2
            drop = (middle, one.y + one.height), (middle, two.y)
            lines.append(Line(drop, any(row.taken for row in down)))
    height = box_y - GAP - y + PAD + 4
    return Panel(frame, x, y, wide, height, title, tuple(placed), tuple(lines))


def _lanes(frame: Frame, inside: dict[int, int]) -> tuple[dict[tuple[int, str], int], dict[tuple[int, str], int]]:
    """The lane of each arrow that runs beside the boxes: to the right when it leads down, to the left when back."""
    down: list[tuple[int, int, tuple[int, str]]] = []
    back: list[tuple[int, int, tuple[int, str]]] = []
    for place, box in enumerate(frame.boxes):
        for arrow in box.arrows:
            if arrow.target not in inside:
                continue
            to = inside[arrow.target]
            if to > place + 1:
                down.append((place, to, (box.number, arrow.name)))
            elif to <= place:
                back.append((to, place, (box.number, arrow.name)))
    return _spread(down), _spread(back)


def _spread(spans: Iterable[tuple[int, int, tuple[int, str]]]) -> dict[tuple[int, str], int]:
    """Lanes such that arrows of one lane never run side by side; short ones stay near the boxes."""
    lanes: dict[tuple[int, str], int] = {}
    busy: list[list[tuple[int, int]]] = []
    for low, high, key in sorted(spans, key=lambda span: (span[1] - span[0], span[0])):
        lane = next(
            (n for n, used in enumerate(busy) if all(high < start or low > end for start, end in used)), len(busy)
        )
        if lane == len(busy):
            busy.append([])
        busy[lane].append((low, high))
        lanes[key] = lane
    return lanes


def _placed(box: Box, titles: dict[int, str], overlay: Overlay, x: float, y: float) -> Placed:
    note = overlay.step_note(box)
    room = ROOM - 2 * PAD - 24
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
