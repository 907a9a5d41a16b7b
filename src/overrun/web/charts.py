"""Charts as SVG without a style attribute: lengths are attributes, colours are classes of the stylesheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from markupsafe import Markup, escape

from overrun.play.wording import percent

TONES = ("hit", "tone-2", "tone-3", "tone-4", "miss")
"""Classes of the bars of a roll, one a band; bands beyond them share the last but one."""


def tone(band: int, bands: int) -> str:
    """The class of a band: the first and the last of several stand apart, those between them alternate."""
    if bands == 1:
        return TONES[0]
    if band == bands - 1:
        return TONES[-1]
    return TONES[0] if band == 0 else TONES[1 + (band - 1) % 3]


def letter(band: int) -> str:
    """The letter of a band, which joins the chart to the table beside it.

    >>> letter(0), letter(27)
    ('a', 'b2')
    """
    return "abcdefghijklmnopqrstuvwxyz"[band % 26] + (str(band // 26 + 1) if band >= 26 else "")


def strip(weights: Sequence[tuple[str, int, int]], bands: int, described: str) -> Markup:
    """The results of a roll side by side: (what the dice show, in how many ways, which band it belongs to)."""
    most = max((ways for _, ways, _ in weights), default=1)
    step, height = 30, 74
    # A single die has few columns: it keeps their width, so that they do not grow tall on a narrow page.
    room = step * max(len(weights), 9)
    parts = [f'<svg class="chart strip" viewBox="0 -16 {room} 124" role="img" aria-label="{escape(described)}">']
    for place, (shown, ways, band) in enumerate(weights):
        x, size = place * step + 2, height * ways / most
        middle = x + 13
        parts.append(
            f'<rect class="{tone(band, bands)}" x="{x}" y="{height - size:.1f}" width="26" '
            f'height="{max(size, 0.5):.1f}"/>'
        )
        parts.append(f'<text class="value" x="{middle}" y="{height - size - 4:.1f}" text-anchor="middle">{ways}</text>')
        parts.append(f'<text x="{middle}" y="88" text-anchor="middle">{escape(shown)}</text>')
        if bands > 1:
            parts.append(f'<text class="value" x="{middle}" y="103" text-anchor="middle">{letter(band)}</text>')
    parts.append(f'<path class="axis" d="M0 74.5H{step * len(weights)}"/></svg>')
    return Markup("".join(parts))


def histogram(
    chances: Mapping[int, Fraction], title: str, unit: str, most: int = 16, *, notes: Sequence[str] = ()
) -> Markup:
    """The chance of each value of a count, as columns; values far up the tail are gathered in the last column.

    `notes` stand below it, each on a line of its own.
    """
    values = sorted(chances)
    shown: list[tuple[str, Fraction]] = [(str(value), chances[value]) for value in values[:most]]
    if len(values) > most:
        rest = sum((chances[value] for value in values[most - 1 :]), Fraction(0))
        shown[-1] = (f"{values[most - 1]}+", rest)
    top = ceiling(max((float(chance) for _, chance in shown), default=1.0))
    width, height, left = 344, 160, 26
    step = (width - left) / max(len(shown), 1)
    bar = min(step * 0.76, 44.0)
    tall = 206 + 16 * len(notes)
    parts = [f'<svg class="chart fit" viewBox="0 0 {width} {tall}" role="img"><title>{escape(title)}</title>']
    for line in range(5):
        y, level = 166 - height * line / 4, top * line / 4
        kind = "rule" if line else "axis"
        parts.append(f'<path class="{kind}" d="M{left} {y:.1f}H{width}"/>')
        parts.append(f'<text x="{left - 4}" y="{y + 3.5:.1f}" text-anchor="end">{level * 100:g}</text>')
    for place, (label, chance) in enumerate(shown):
        x = left + step * place + (step - bar) / 2
        size = height * float(chance) / top
        middle = x + bar / 2
        parts.append(f'<rect class="hit" x="{x:.1f}" y="{166 - size:.1f}" width="{bar:.1f}" height="{size:.1f}"/>')
        parts.append(
            f'<text class="value" x="{middle:.1f}" y="{162 - size:.1f}" text-anchor="middle">'
            f"{in_figures(chance)}</text>"
        )
        parts.append(f'<text x="{middle:.1f}" y="180" text-anchor="middle">{escape(label)}</text>')
    parts.append(f'<text x="{(width + left) / 2:.0f}" y="200" text-anchor="middle">{escape(unit)}, chance in %</text>')
    for line, note in enumerate(notes, 1):
        parts.append(f'<text x="{width / 2:.0f}" y="{200 + 16 * line}" text-anchor="middle">{escape(note)}</text>')
    parts.append("</svg>")
    return Markup("".join(parts))


def in_figures(chance: Fraction) -> str:
    """A chance on top of a column: percent with one decimal, and never 0 for what can happen."""
    if chance and chance < Fraction(1, 2000):
        return "&lt;0.1"
    return f"{float(chance) * 100:.1f}".removesuffix(".0") if chance == 1 else f"{float(chance) * 100:.1f}"


def ceiling(chance: float) -> float:
    """The top of an axis: the next of 4, 8, 20, 40, 60, 80, 100 percent."""
    return next((top for top in (0.04, 0.08, 0.2, 0.4, 0.6, 0.8) if chance <= top), 1.0)


def tornado(rows: Sequence[tuple[str, Fraction, Fraction]], now: Fraction, title: str) -> Markup:
    """How far each change moves a figure: rows of (what changes, the lowest and the highest it becomes)."""
    lowest = min([now, *(low for _, low, _ in rows)])
    highest = max([now, *(high for _, _, high in rows)])
    span = float(highest - lowest) or 1.0
    left, right, step = 44.0, 300.0, 38

    def x(value: Fraction) -> float:
        return left + (right - left) * float(value - lowest) / span

    tall = step * len(rows)
    parts = [f'<svg class="chart fit" viewBox="0 0 344 {tall + 22}" role="img"><title>{escape(title)}</title>']
    for place, (label, low, high) in enumerate(rows):
        y = place * step
        parts.append(f'<text x="4" y="{y + 12}">{escape(label)}</text>')
        if low < now:
            parts.append(
                f'<rect class="down" x="{x(low):.1f}" y="{y + 17}" width="{x(now) - x(low):.1f}" height="13"/>'
            )
            parts.append(
                f'<text class="value" x="{x(low) - 4:.1f}" y="{y + 27.5}" text-anchor="end">{plain(low)}</text>'
            )
        if high > now:
            parts.append(f'<rect class="up" x="{x(now):.1f}" y="{y + 17}" width="{x(high) - x(now):.1f}" height="13"/>')
            parts.append(f'<text class="value" x="{x(high) + 4:.1f}" y="{y + 27.5}">{plain(high)}</text>')
    parts.append(f'<path class="axis" stroke-width="2" d="M{x(now):.1f} 0V{tall + 4}"/>')
    parts.append(f'<text x="{x(now):.1f}" y="{tall + 18}" text-anchor="middle">now {plain(now)}</text></svg>')
    return Markup("".join(parts))


def plain(value: Fraction) -> str:
    """A figure beside a bar."""
    return f"{float(value):.3f}".replace("-", "−")


def described(weights: Sequence[tuple[str, int, int]], results: Sequence[str], total: int) -> str:
    """What a strip shows, in a sentence for who cannot see it."""
    parts = []
    for band, result in enumerate(results):
        ways = sum(each for _, each, where in weights if where == band)
        shown = ", ".join(text for text, _, where in weights if where == band)
        parts.append(f"{shown}: {result}, {ways} of {total} ({percent(Fraction(ways, total))})")
    return "; ".join(parts)
