"""Lengths as players read them: hundredths of an inch, exact once rounded."""

from __future__ import annotations


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
