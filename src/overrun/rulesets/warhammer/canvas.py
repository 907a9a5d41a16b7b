"""An SVG drawing to scale: shapes in inches of the table, labels that keep out of each other's way.

Kinds are told apart by pattern and line, so a copy in black and white loses nothing. Colours are classes, so that a
page can give them its own; alone, the drawing has black, white and greys. Numbers are written to a tenth of a pixel:
the text is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from overrun.rulesets.warhammer.shapes import Point, Polygon, separation

PATTERNS = (
    "<pattern id='wfb-hatch' class='enemy' width='6' height='6' patternUnits='userSpaceOnUse'"
    " patternTransform='rotate(45)'><rect class='under' width='6' height='6'/><path class='over' d='M1.2 0V6'"
    " stroke-width='1.6'/></pattern>"
    "<pattern id='wfb-dots' width='7' height='7' patternUnits='userSpaceOnUse'>"
    "<rect class='under' width='7' height='7'/><path class='over' d='M2.6 3.5h1.8' stroke-width='1.8'/></pattern>"
    "<pattern id='wfb-cross' width='8' height='8' patternUnits='userSpaceOnUse'>"
    "<rect class='under' width='8' height='8'/><path class='over' d='M0 0L8 8M8 0L0 8' stroke-width='1'/></pattern>"
    "<pattern id='wfb-bricks' width='12' height='8' patternUnits='userSpaceOnUse'>"
    "<rect class='under' width='12' height='8'/><path class='over' d='M0 0H12M0 4H12M6 0V4M0 4V8' stroke-width='1'/>"
    "</pattern>"
)
PLAIN = (
    "<style>text{font:14px Helvetica,Arial,sans-serif}.paper,.under,.own{fill:#fff}.over{stroke:#777;fill:none}"
    ".grid{stroke:#e6e6e6;fill:none}.rim{fill:none;stroke:#000;stroke-width:3}.terrain{stroke:#000;stroke-width:1.4}"
    ".terrain.open{stroke:#999;stroke-dasharray:2 3}.terrain.open,.terrain.obstacle{fill:#ddd}"
    ".base{stroke:#000;stroke-width:.8}.outline{fill:none;stroke:#000;stroke-width:1.6}"
    ".mover .outline{stroke-width:2.4}.front{fill:#000;stroke:#fff;stroke-width:.8}.fleeing{stroke-dasharray:5 3}"
    ".swept{fill:#000;fill-opacity:.07;stroke:#000;stroke-dasharray:1.5 3.5}"
    ".ghost{fill:none;stroke:#000;stroke-width:1.4;stroke-dasharray:7 3}.faint{stroke-width:.9;stroke-dasharray:2 3}"
    ".arc{fill:none;stroke:#000;stroke-width:2.4}.measure{fill:none;stroke:#000;stroke-width:1.4}"
    ".then{stroke-dasharray:6 4}.pivot{fill:#000}.first-touch{fill:#fff;stroke:#000;stroke-width:2}"
    ".mid{text-anchor:middle}.bold{font-weight:bold}.small{font-size:12px}"
    ".halo{paint-order:stroke;stroke:#fff;stroke-width:3.5px}</style>"
)
LETTER = 0.56
"""Width of a letter as a part of the font size: what Helvetica takes on average."""
SIZE, SMALL = 15.0, 12.5
"""Of letters, in pixels: what pages show at most. The drawing is some 400 pixels wide: they can be read on a phone."""
LINE = 19.0
"""Pixels between two lines of text."""


class Canvas:
    """A drawing of a rectangle of the table, with room for text below it."""

    def __init__(self, low: Point, high: Point, scale: float) -> None:
        self.low, self.high, self.scale = low, high, scale
        self.width, self.tall = (high[0] - low[0]) * scale, (high[1] - low[1]) * scale
        self.height = self.tall
        self.body: list[str] = []
        self.taken: list[Polygon] = []
        self._texts: list[str] = []

    def at(self, point: Point) -> Point:
        """A table point in pixels."""
        return (point[0] - self.low[0]) * self.scale, (self.high[1] - point[1]) * self.scale

    def _path(self, points: Sequence[Point], closed: bool) -> str:
        steps = " L".join(f"{x:.1f} {y:.1f}" for x, y in map(self.at, points))
        return f"M{steps}{' Z' if closed else ''}"

    def begin(self, kind: str, fields: Mapping[str, str]) -> None:
        """Begin a piece that an editor can move: data attribute = the field of the situation file that it changes."""
        marks = "".join(f" data-{name}='{escape(field)}'" for name, field in fields.items())
        self.body.append(f"<g class='unit {kind}'{marks}>")

    def end(self) -> None:
        """End the piece."""
        self.body.append("</g>")

    def polygon(self, points: Sequence[Point], kind: str, pattern: str = "") -> None:
        """A closed outline in table inches, of a class, filled with a pattern or as its class says."""
        fill = f" fill='url(#wfb-{pattern})'" if pattern else ""
        self.body.append(f"<path class='{kind}' d='{self._path(points, closed=True)}'{fill}/>")

    def line(self, points: Sequence[Point], kind: str) -> None:
        """A line in table inches."""
        self.body.append(f"<path class='{kind}' d='{self._path(points, closed=False)}'/>")

    def dot(self, point: Point, radius: float, kind: str) -> None:
        """A dot of a radius in pixels."""
        x, y = self.at(point)
        self.body.append(f"<circle class='{kind}' cx='{x:.1f}' cy='{y:.1f}' r='{radius}'/>")

    def keep_clear(self, points: Sequence[Point]) -> None:
        """Keep labels off a convex shape given in table inches."""
        self.taken.append(tuple(self.at(p) for p in reversed(points)))  # y points down in pixels

    def label(self, text: str, near: Iterable[Point], kind: str = "", size: float = SIZE) -> None:
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
        kind = f"{'small' if size < SIZE else 't-lab'} mid halo {kind}".rstrip()
        self._texts.append(f"<text class='{kind}' x='{x:.1f}' y='{y + size * 0.35:.1f}'>{escape(text)}</text>")

    def _inside(self, place: Point, wide: float, tall: float) -> Point:
        x = min(max(place[0], wide / 2 + 3), self.width - wide / 2 - 3)
        y = min(max(place[1], tall / 2 + 3), self.tall - tall / 2 - 3)
        return x, y

    def write(self, text: str, x: float = 8.0, kind: str = "t-lab", *, on: bool = False) -> None:
        """Text below the table, wrapped, `x` pixels from the left: in a new line, or `on` in the same one."""
        size = SMALL if kind == "small" else SIZE
        lines = wrapped(text, (self.width - x - 4) / (size * LETTER))
        self.height += 0 if on else LINE
        parts = []
        for number, line in enumerate(lines):
            self.height += LINE * (size / SIZE) if number else 0
            parts.append(f"<tspan x='{x:.1f}' y='{self.height:.1f}'>{escape(line)}</tspan>")
        self._texts.append(f"<text class='{kind}'>{' '.join(parts)}</text>")

    def svg(self, title: str, words: str) -> str:
        """The whole drawing with its text alternative."""
        high = self.height + (LINE * 0.6 if self.height > self.tall else 0)
        size = f"viewBox='0 0 {self.width:.0f} {high:.0f}' width='{self.width:.0f}' height='{high:.0f}'"
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' class='drawing map tabletop' {size} role='img'"
            f" aria-label='{escape(title)}' data-scale='{self.scale:.3f}'"
            f" data-main='0 0 {self.width:.0f} {self.tall:.0f}'>{PLAIN}"
            f"<title>{escape(title)}</title><desc>{escape(words)}</desc><defs>{PATTERNS}"
            f"<clipPath id='wfb-table'><rect width='{self.width:.1f}' height='{self.tall:.1f}'/></clipPath></defs>"
            f"<rect class='paper' width='100%' height='100%'/><g clip-path='url(#wfb-table)'>{''.join(self.body)}</g>"
            f"<g>{''.join(self._texts)}</g></svg>\n"
        )


def wrapped(text: str, letters: float) -> list[str]:
    """A text in lines of at most so many letters; a longer word has a line of its own.

    >>> wrapped("strikes Orcs in the front", 12)
    ['strikes Orcs', 'in the front']
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) > letters and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
