"""How wide text is, measured so that it never outgrows its box in any common sans-serif font."""

from __future__ import annotations

NARROW = set("iljtfrI.,:;'|!()[]/ -")
WIDE = set("mwMW@%—×→▸●")


def width(text: str, size: float, *, bold: bool = False) -> float:
    """An upper estimate in pixels for a font of `size` pixels."""
    ems = sum(0.40 if sign in NARROW else 1.0 if sign in WIDE else 0.70 if sign.isupper() else 0.635 for sign in text)
    return ems * size * (1.08 if bold else 1.0)


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """The text in lines no wider than `room`; a word too long for a line is broken."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width(longer, size, bold=bold) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _broken(word, size, room, bold=bold)
        lines += full
    return [*lines, line]


def _broken(word: str, size: float, room: float, *, bold: bool) -> list[str]:
    """A word in parts that each fit; one letter always does."""
    parts = [""]
    for sign in word:
        if parts[-1] and width(parts[-1] + sign, size, bold=bold) > room:
            parts.append("")
        parts[-1] += sign
    return parts
