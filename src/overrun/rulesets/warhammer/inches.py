"""Lengths as players read them: hundredths of an inch, exact once rounded."""

from __future__ import annotations

from math import pi


def hundredths(length: float) -> int:
    """Inches as whole hundredths: the unit of the measure `distance`.

    >>> hundredths(8.0), hundredths(4.0315)
    (800, 403)
    """
    return round(length * 100)


def inches(length: float) -> str:
    """Inches in words.

    >>> inches(6.3657)
    '6.37"'
    """
    return f'{length:.2f}"'


def degrees(angle: float) -> str:
    """Radians in words, to a tenth of a degree.

    >>> degrees(0.4171), degrees(1e-4)
    ('23.9°', 'less than 0.1°')
    """
    turned = f"{angle * 180.0 / pi:.1f}"
    return "less than 0.1°" if turned == "0.0" else f"{turned}°"
