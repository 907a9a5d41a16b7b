"""An SVG drawing to scale: shapes in inches of the table, labels that keep out of each other's way.

It uses black, white and greys only, and tells kinds apart by pattern and line, so a copy in black and white loses
nothing. Numbers are written to a tenth of a pixel: the text is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from overrun.rulesets.warhammer.shapes import Point, Polygon, separation

FONT = "font-family='Helvetica, Arial, sans-serif'"
PATTERNS = (
    "<pattern id='wfb-hatch' width='6' height='6' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>"
    "<rect width='6' height='6' fill='#fff'/><path d='M0 0V6' stroke='#777' stroke-width='2.4'/></pattern>"
    "<pattern id='wfb-dots' width='7' height='7' patternUnits='userSpaceOnUse'>"
    "<rect width='7' height='7' fill='#fff'/><circle cx='3.5' cy='3.5' r='1.1' fill='#777'/></pattern>"
    "<pattern id='wfb-cross' width='8' height='8' patternUnits='userSpaceOnUse'>"
    "<rect width='8' height='8' fill='#e4e4e4'/><path d='M0 0L8 8M8 0L0 8' stroke='#777' stroke-width='1'/></pattern>"
    "<pattern id='wfb-bricks' width='12' height='8' patternUnits='userSpaceOnUse'>"
    "<rect width='12' height='8' fill='#eee'/><path d='M0 0H12M0 4H12M6 0V4M0 4V8' stroke='#777'/></pattern>"
)
LETTER = 0.56
"""Width of a letter as a part of the font size: what Helvetica takes on average."""


class Canvas:
    """A drawing of a rectangle of the table, with room for text below it."""

    def __init__(self, low: Point, high: Point, scale: float, *, below: float) -> None:
        self.low, self.high, self.scale = low, high, scale
        self.width, self.tall = (high[0] - low[0]) * scale, (high[1] - low[1]) * scale
        self.height = self.tall + below
        self.body: list[str] = []
        self.taken: list[Polygon] = []
        self._texts: list[str] = []

    def at(self, point: Point) -> Point:
        """A table point in pixels."""
        return (point[0] - self.low[0]) * self.scale, (self.high[1] - point[1]) * self.scale

    def _path(self, points: Sequence[Point], closed: bool) -> str:
        steps = " L".join(f"{x:.1f} {y:.1f}" for x, y in map(self.at, points))
        return f"M{steps}{' Z' if closed else ''}"

    def begin(self, fields: Mapping[str, str]) -> None:
        """Begin a piece that an editor can move: data attribute = the field of the situation file that it changes."""
        marks = "".join(f" data-{name}='{escape(field)}'" for name, field in fields.items())
        self.body.append(f"<g class='piece'{marks}>")

    def end(self) -> None:
        """End the piece."""
        self.body.append("</g>")

    def polygon(self, points: Sequence[Point], style: str) -> None:
        """A closed outline in table inches."""
        self.body.append(f"<path d='{self._path(points, closed=True)}' {style}/>")

    def line(self, points: Sequence[Point], style: str) -> None:
        """A line in table inches."""
        self.body.append(f"<path d='{self._path(points, closed=False)}' fill='none' {style}/>")

    def dot(self, point: Point, radius: float, style: str) -> None:
        """A dot of a radius in pixels."""
        x, y = self.at(point)
        self.body.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius}' {style}/>")

    def keep_clear(self, points: Sequence[Point]) -> None:
        """Keep labels off a convex shape given in table inches."""
        self.taken.append(tuple(self.at(p) for p in reversed(points)))  # y points down in pixels

    def label(self, text: str, near: Iterable[Point], size: float = 13.0, weight: str = "normal") -> None:
        """A label at the first of the places (table inches, its centre) where it covers nothing; else at the last."""
        wide, tall = len(text) * size * LETTER + 4, size + 2
        places = [self._inside(self.at(p), wide, tall) for p in near]
        for x, y in places:
            box = (
                (x - wide / 2, y - tall / 2),
                (x + wide / 2, y - tall / 2),
                (x + wide / 2, y + tall / 2),
                (x - wide / 2, y + tall / 2),
            )
            if all(separation(box, other) > 0.0 for other in self.taken):
                break
        self.taken.append(box)
        style = f"font-size='{size:g}' font-weight='{weight}' text-anchor='middle'"
        place = f"x='{x:.1f}' y='{y + size * 0.35:.1f}' {style}"
        halo = "stroke='#fff' stroke-width='3.5' stroke-linejoin='round' fill='#fff'"
        words = escape(text)
        self._texts.append(f"<text {place} {halo} aria-hidden='true'>{words}</text><text {place}>{words}</text>")

    def _inside(self, place: Point, wide: float, tall: float) -> Point:
        x = min(max(place[0], wide / 2 + 3), self.width - wide / 2 - 3)
        y = min(max(place[1], tall / 2 + 3), self.tall - tall / 2 - 3)
        return x, y

    def write(self, x: float, y: float, text: str, *, size: float = 13.0, weight: str = "normal") -> None:
        """Text at pixels from the left and from the lower border of the table part."""
        style = f"font-size='{size:g}' font-weight='{weight}'"
        self._texts.append(f"<text x='{x:.1f}' y='{self.tall + y:.1f}' {style}>{escape(text)}</text>")

    def svg(self, title: str, words: str) -> str:
        """The whole drawing with its text alternative."""
        size = f"viewBox='0 0 {self.width:.0f} {self.height:.0f}' width='{self.width:.0f}' height='{self.height:.0f}'"
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' {size} role='img' aria-labelledby='wfb-title wfb-words' {FONT}"
            f" data-scale='{self.scale:.3f}'>"
            f"<title id='wfb-title'>{escape(title)}</title><desc id='wfb-words'>{escape(words)}</desc><defs>{PATTERNS}"
            f"<clipPath id='wfb-table'><rect width='{self.width:.1f}' height='{self.tall:.1f}'/></clipPath></defs>"
            f"<rect width='100%' height='100%' fill='#fff'/><g clip-path='url(#wfb-table)'>{''.join(self.body)}</g>"
            f"<g fill='#000'>{''.join(self._texts)}</g></svg>\n"
        )
