"""Figures and marks in the templates' words: percentages, fractions, worths, seats."""

from __future__ import annotations

import re
import time
from fractions import Fraction

from markupsafe import Markup, escape

from overrun.kernel import Seat
from overrun.play import wording
from overrun.play.wording import between, number, percent

ABBREVIATIONS = frozenset(
    {"aamg", "af", "afv", "ap", "apfp", "bmg", "bu", "ca", "cc", "ce", "cmg", "cot", "cp", "cr", "cs", "cx", "drm"}
    | {"elr", "fp", "ft", "hip", "id", "ift", "latw", "ma", "mg", "ml", "mp", "paatc", "pf", "prc", "pto", "rof"}
    | {"sw", "tem", "th", "tk", "us", "vca"}
)
"""Terms of the field that are written in capitals."""


def words(name: str) -> str:
    """An identifier as words.

    >>> words("afv_eliminated"), words("cr_lost")
    ('AFV eliminated', 'CR lost')
    """
    return " ".join(
        word.upper() if word.lower().rstrip(":") in ABBREVIATIONS else word
        for word in wording.words(str(name)).split(" ")
    )


def worth(value: Fraction) -> str:
    """A worth with its sign and three decimals.

    >>> worth(Fraction(43, 27)), worth(Fraction(0)), worth(Fraction(-1, 2))
    ('+1.593', '0', '−0.500')
    """
    if value == 0:
        return "0"
    text = f"{float(value):+.3f}" if value.denominator > 1 else f"{int(value):+d}"
    return text.replace("-", "−")


def span(bounds: tuple[Fraction | None, Fraction | None]) -> str:
    """Bounds on a worth in words.

    >>> span((Fraction(-1, 2), Fraction(0))), span((None, Fraction(0))), span((Fraction(1), Fraction(1)))
    ('between −0.500 and 0', 'at most 0', '+1')
    """
    return between(*bounds, worth)


def fraction(value: Fraction, longest: int = 17) -> str:
    """An exact fraction, or nothing when it is too long to be read.

    >>> fraction(Fraction(15, 36)), fraction(Fraction(1, 3) ** 40)
    ('5/12', '')
    """
    text = number(value)
    return text if len(text) <= longest else ""


def decimals(value: Fraction) -> str:
    """A mean with at most three decimals.

    >>> decimals(Fraction(581, 486)), decimals(Fraction(2))
    ('1.195', '2')
    """
    return number(value) if value.denominator == 1 else f"{float(value):.3f}".replace("-", "−")


def points(value: Fraction) -> str:
    """A change of a chance in percentage points, signed."""
    return f"{float(value) * 100:+.2f}".replace("-", "−")


def slug(text: str) -> str:
    """A text as an id of an element.

    >>> slug("ASL D7.11")
    'asl-d7-11'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"


def ago(then: float, now: float | None = None) -> str:
    """How long ago a time was, in words.

    >>> ago(0, 30), ago(0, 7300), ago(0, 200_000)
    ('just now', '2 h ago', '2 days ago')
    """
    seconds = (time.time() if now is None else now) - then
    if seconds < 90:
        return "just now"
    if seconds < 5400:
        return f"{round(seconds / 60)} min ago"
    if seconds < 129_600:
        return f"{round(seconds / 3600)} h ago"
    return f"{round(seconds / 86_400)} days ago"


def sentence(text: str) -> str:
    """A text with a capital at its start and a full stop at its end.

    >>> sentence("no MP is left"), sentence("Why?")
    ('No MP is left.', 'Why?')
    """
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?:" else ".")


def capital(text: str) -> str:
    """A text with a capital at its start."""
    return text[:1].upper() + text[1:]


def seat_word(seat: Seat | str) -> str:
    """The class of a seat in the stylesheet."""
    return str(seat) if str(seat) in {"attacker", "defender"} else "dice"


def breakable(text: str) -> Markup:
    """An identifier that may break after its underscores and colons."""
    return Markup(re.sub(r"([_:/.])", r"\1<wbr>", str(escape(text))))


PARTS = {"1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔"}


def mixed(text: str) -> str:
    """A figure with its fraction as it is printed on counters; other fractions stay as they are.

    >>> mixed("41/2"), mixed("−33/2"), mixed("= 1/2"), mixed("7/9"), mixed("12")
    ('20½', '−16½', '= ½', '7/9', '12')
    """
    found = re.fullmatch(r"(\D*)(\d+)/(\d+)", text)
    if found is None:
        return text
    whole, rest = divmod(int(found[2]), int(found[3]))
    part = PARTS.get(f"{rest}/{found[3]}")
    return text if part is None else f"{found[1]}{whole or ''}{part}"


FILTERS = {
    "percent": percent,
    "number": number,
    "words": words,
    "worth": worth,
    "span": span,
    "fraction": fraction,
    "decimals": decimals,
    "points": points,
    "slug": slug,
    "ago": ago,
    "sentence": sentence,
    "capital": capital,
    "seat": seat_word,
    "breakable": breakable,
    "mixed": mixed,
}
