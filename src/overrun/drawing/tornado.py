"""A tornado plot: how far each moved number moves the measure, the largest on top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from overrun.analysis.sensitivity import Sensitivity
from overrun.drawing.lettering import width
from overrun.drawing.sheet import brief, sheet, text, ticks

ROW, TOP, PLOT, MARGIN = 22.0, 64.0, 460.0, 16.0
MOST = 40
"""Bars that a reader can still take in; smaller ones are counted."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One number: what moving it down and up does to the measure (None: no answer), and whether best play flips."""

    name: str
    down: Fraction | None
    up: Fraction | None
    flips: bool


def bars(found: Sensitivity) -> list[Bar]:
    """The numbers of a sensitivity at their farthest moves, the largest effect first."""
    return [
        Bar(
            f"{one.name} = {one.printed}",
            found.change(one, min(one.answers)),
            found.change(one, max(one.answers)),
            bool(found.flips(one)),
        )
        for one in found.moved
        if found.effect(one)
    ]


def svg(bars: Sequence[Bar], title: str, base: Fraction) -> str:
    """The plot. Brown bars are moves down, green ones moves up; a dashed frame marks where best play flips."""
    shown = bars[:MOST]
    changes = [float(change) for bar in shown for change in (bar.down, bar.up) if change is not None]
    low, high = min([0.0, *changes]), max([0.0, *changes])
    if low == high:
        low, high = -1.0, 1.0
    names = max([120.0, *(width(bar.name, 12) for bar in shown)])
    left = MARGIN + names + 12
    scale = PLOT / (high - low)
    bottom = TOP + ROW * len(shown)
    legend = f"as printed: {brief(float(base))}; brown: moved down, green: moved up"
    if any(bar.flips for bar in shown):
        legend += "; dashed: best play begins otherwise"
    body: list[str] = [text(16, 46, legend, 12, kind="quiet")]
    for tick in ticks(low, high):
        x = left + (tick - low) * scale
        body.append(f'<path class="grid" d="M{x:.1f} {TOP:.1f}V{bottom:.1f}"/>')
        body.append(text(x, bottom + 16, f"{'+' if tick > 0 else ''}{brief(tick)}", 11, anchor="middle"))
    for place, bar in enumerate(shown):
        body.extend(_bar(bar, TOP + ROW * place, left, left - low * scale, scale))
    zero = left - low * scale
    body.append(f'<path class="axis" d="M{zero:.1f} {TOP:.1f}V{bottom:.1f}"/>')
    if len(bars) > len(shown):
        body.append(text(MARGIN, bottom + 34, f"{len(bars) - len(shown)} smaller ones are not drawn", 11, kind="quiet"))
    return sheet(left + PLOT + 40, bottom + 44, title, told(shown), body)


def told(bars: Sequence[Bar]) -> str:
    """The plot in words."""
    return " ".join(
        f"{bar.name}: down {_number(bar.down)}, up {_number(bar.up)}{', best play flips' if bar.flips else ''}."
        for bar in bars
    )


def _number(change: Fraction | None) -> str:
    return "refused" if change is None else brief(float(change))


def _bar(bar: Bar, y: float, left: float, zero: float, scale: float) -> Iterator[str]:
    yield text(left - 8, y + 15, bar.name, 12, anchor="end", bold=bar.flips)
    ends = [zero]
    for change, kind, drop in ((bar.down, "low", 4.0), (bar.up, "high", 11.0)):
        if change:
            to = zero + float(change) * scale
            ends.append(to)
            x, wide = min(zero, to), abs(to - zero)
            yield f'<rect class="{kind}" x="{x:.1f}" y="{y + drop:.1f}" width="{wide:.1f}" height="7"/>'
    if bar.flips:
        wide = max(ends) - min(ends) + 6
        yield f'<rect class="flip" x="{min(ends) - 3:.1f}" y="{y + 1:.1f}" width="{wide:.1f}" height="20"/>'
