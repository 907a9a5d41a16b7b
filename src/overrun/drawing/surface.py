"""A measure over one axis as a line, or over two as a heat map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from overrun.drawing.lettering import width
from overrun.drawing.sheet import brief, sheet, text, ticks

TOP, MARGIN, WIDE, HIGH = 60.0, 20.0, 560.0, 360.0
LOW_COLOR, HIGH_COLOR = (255, 255, 229), (0, 69, 41)
"""The heat map's ends: light to dark of one hue, so it is readable in black and white too."""


def line(xs: Sequence[Any], values: Mapping[Any, float | None], title: str, x_name: str, y_name: str) -> str:
    """A measure over one axis. Numbers stand at their places, the rest at equal distances; gaps are not bridged."""
    known = [value for value in values.values() if value is not None]
    low, high = _room(known)
    left = MARGIN + 70
    places = _places(xs, left, WIDE)
    scale = HIGH / (high - low)
    bottom = TOP + HIGH

    def y_of(value: float) -> float:
        return bottom - (value - low) * scale

    body = [text(left, 46, y_name, 12, kind="quiet")]
    for tick in ticks(low, high):
        body.append(f'<path class="grid" d="M{left:.1f} {y_of(tick):.1f}H{left + WIDE:.1f}"/>')
        body.append(text(left - 8, y_of(tick) + 4, brief(tick), 11, anchor="end"))
    for x, place in _thinned(list(zip(xs, places, strict=True))):
        body.append(text(place, bottom + 18, str(x), 11, anchor="middle"))
    body.append(f'<path class="axis" d="M{left:.1f} {TOP:.1f}V{bottom:.1f}H{left + WIDE:.1f}"/>')
    body.extend(_curve([(place, values.get(x)) for x, place in zip(xs, places, strict=True)], y_of, bottom))
    body.append(text(left + WIDE / 2, bottom + 40, x_name, 12, anchor="middle"))
    told = "; ".join(f"{x}: {_told(values.get(x))}" for x in xs)
    return sheet(left + WIDE + 40, bottom + 56, title, f"{y_name} over {x_name}. {told}.", body)


def _curve(points: Sequence[tuple[float, float | None]], y_of: Any, bottom: float) -> Iterator[str]:
    path, pen = "", "M"
    for x, value in points:
        if value is None:
            pen = "M"
            yield f'<path class="refused" d="M{x - 4:.1f} {bottom - 4:.1f}l8 8m0 -8l-8 8"/>'
            continue
        path += f"{pen}{x:.1f} {y_of(value):.1f}"
        pen = "L"
        yield f'<circle class="high" cx="{x:.1f}" cy="{y_of(value):.1f}" r="3.5"/>'
    if path:
        yield f'<path class="curve" stroke="#01665e" d="{path}"/>'


def heat(
    xs: Sequence[Any],
    ys: Sequence[Any],
    values: Mapping[tuple[Any, Any], float | None],
    title: str,
    names: tuple[str, str, str],
) -> str:
    """A measure over two axes. `names` are those of x, y and the measure. A crossed field is refused."""
    x_name, y_name, measure = names
    known = [value for value in values.values() if value is not None]
    low, high = _room(known)
    left = MARGIN + max([40.0, *(width(str(y), 11) for y in ys)]) + 12
    side_x, side_y = max(4.0, min(64.0, 900 / len(xs))), max(4.0, min(40.0, 700 / len(ys)))
    bottom = TOP + 14 + side_y * len(ys)
    body = [text(MARGIN, 46, f"{measure}: {brief(low)} (light) to {brief(high)} (dark)", 12, kind="quiet")]
    body.append(text(MARGIN, TOP + 8, y_name, 11, kind="quiet"))
    for row, y in enumerate(ys):
        top = TOP + 14 + side_y * row
        if side_y >= 11 or row % (int(11 / side_y) + 1) == 0:
            body.append(text(left - 8, top + side_y / 2 + 4, str(y), 11, anchor="end"))
        for column, x in enumerate(xs):
            if (x, y) in values:
                body.extend(_field((left + side_x * column, top), (side_x, side_y), values[x, y], (low, high)))
    marks = [(x, left + side_x * (column + 0.5)) for column, x in enumerate(xs)]
    body += [text(place, bottom + 16, str(x), 11, anchor="middle") for x, place in _thinned(marks)]
    body.append(text(left + side_x * len(xs) / 2, bottom + 38, x_name, 12, anchor="middle"))
    told = "; ".join(f"{x}, {y}: {_told(value)}" for (x, y), value in values.items())
    across = max(left + side_x * len(xs), width(title, 15, bold=True), 360.0)
    return sheet(across + 40, bottom + 54, title, f"{measure} over {x_name} and {y_name}. {told}.", body)


def _field(
    place: tuple[float, float], size: tuple[float, float], value: float | None, ends: tuple[float, float]
) -> Iterator[str]:
    (x, y), (wide, high) = place, size
    if value is None:
        yield f'<rect class="refused" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"/>'
        yield f'<path class="refused" d="M{x:.1f} {y:.1f}l{wide:.1f} {high:.1f}m0 {-high:.1f}l{-wide:.1f} {high:.1f}"/>'
        return
    share = (value - ends[0]) / (ends[1] - ends[0])
    color = ",".join(str(round(a + (b - a) * share)) for a, b in zip(LOW_COLOR, HIGH_COLOR, strict=True))
    yield f'<rect fill="rgb({color})" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"/>'
    if wide >= 44 and high >= 16:
        ink = "#fff" if share > 0.55 else "#1a1a1a"
        middle = f'x="{x + wide / 2:.1f}" y="{y + high / 2 + 4:.1f}"'
        yield f'<text {middle} font-size="10" text-anchor="middle" style="fill:{ink}">{brief(round(value, 3))}</text>'


def _room(known: Sequence[float]) -> tuple[float, float]:
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _places(xs: Sequence[Any], left: float, room: float) -> list[float]:
    if all(isinstance(x, int | float) and not isinstance(x, bool) for x in xs) and len(xs) > 1:
        low, high = min(xs), max(xs)
        return [left + 12 + (x - low) / (high - low) * (room - 24) for x in xs]
    return [left + room * (place + 0.5) / len(xs) for place in range(len(xs))]


def _thinned(marks: Sequence[tuple[Any, float]]) -> Iterator[tuple[Any, float]]:
    """As many marks as stand side by side without touching."""
    last = float("-inf")
    for words, place in marks:
        half = width(str(words), 11) / 2 + 3
        if place - half >= last:
            yield words, place
            last = place + half


def _told(value: float | None) -> str:
    return "refused or unknown" if value is None else brief(value)
