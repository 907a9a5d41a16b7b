"""What every plot shares: an SVG sheet without outside fonts or scripts, its words, and round numbers along an axis."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import floor, log10

from overrun.drawing.lettering import width as wide

STYLE = """
.op text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;fill:#1a1a1a}
.op .axis{stroke:#555;fill:none}
.op .grid{stroke:#d8d8d4;fill:none}
.op .low{fill:#8c510a}
.op .high{fill:#01665e}
.op .flip{fill:none;stroke:#000;stroke-width:2;stroke-dasharray:4 2}
.op .quiet{fill:#6a6a6a}
.op .refused{fill:#fff;stroke:#999}
.op .curve{fill:none;stroke-width:2}
""".strip()


def sheet(width: float, height: float, title: str, told: str, body: Iterable[str]) -> str:
    """A whole SVG document; `told` says in words what is drawn, for who cannot see it. It is as wide as its title."""
    width = max(width, wide(title, 15, bold=True) + 32)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="op" width="{width:.0f}" height="{height:.0f}"'
            f' viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-labelledby="op-title op-desc">',
            f'<title id="op-title">{escape(title)}</title>',
            f'<desc id="op-desc">{escape(told)}</desc>',
            f"<style>{STYLE}</style>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
            text(16, 26, title, 15, bold=True),
            *body,
            "</svg>\n",
        ]
    )


def text(
    x: float, y: float, words: str, size: float = 12, *, anchor: str = "start", bold: bool = False, kind: str = ""
) -> str:
    """Words at a place; `anchor` is start, middle or end."""
    look = (' font-weight="bold"' if bold else "") + (f' class="{kind}"' if kind else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}"{look}>{escape(words)}</text>'


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers from `low` to `high`, about so many.

    >>> ticks(0, 1), ticks(-0.2, 0.35, 4)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [-0.2, 0.0, 0.2])
    """
    if high <= low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = floor(low / step + 0.999999)
    count = floor(high / step + 1e-6) - first
    return [round((first + place) * step, 10) + 0.0 for place in range(count + 1)]


def brief(number: float) -> str:
    """A number for a plot.

    >>> brief(0.25), brief(-3.0), brief(1234.5), brief(0.000012)
    ('0.25', '−3', '1234.5', '1.2e-05')
    """
    return f"{number:.6g}".replace("-", "−", 1) if not 0 < abs(number) < 1e-4 else f"{number:.2g}"
