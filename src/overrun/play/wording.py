"""Names, figures and readings of dice in the words that players read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any


def percent(chance: Fraction | float, digits: int = 2) -> str:
    """A chance in percent; one that is neither impossible nor certain never reads as such.

    >>> percent(Fraction(15, 36)), percent(Fraction(1, 10**6)), percent(Fraction(1))
    ('41.67 %', '< 0.01 %', '100 %')
    """
    if chance in (0, 1):
        return f"{chance * 100} %"
    least = Fraction(1, 10 ** (digits + 2))
    if chance < least:
        return f"< {float(least) * 100:.{digits}f} %"
    if 1 - chance < least:
        return f"> {100 - float(least) * 100:.{digits}f} %"
    return f"{float(chance) * 100:.{digits}f} %"


def number(value: int | Fraction) -> str:
    """A figure as players write it.

    >>> number(Fraction(7, 2)), number(Fraction(4, 1)), number(-3)
    ('7/2', '4', '−3')
    """
    return str(value).replace("-", "−")


def between(lower: Fraction | None, upper: Fraction | None, say: Callable[[Fraction], str]) -> str:
    """Bounds in words, with each figure as `say` says it.

    >>> between(Fraction(1, 2), Fraction(2), number), between(Fraction(0), None, number), between(None, None, number)
    ('between 1/2 and 2', 'at least 0', 'unknown')
    """
    if lower is None or upper is None:
        told = [f"at least {say(lower)}"] if lower is not None else []
        told += [f"at most {say(upper)}"] if upper is not None else []
        return "".join(told) or "unknown"
    return say(lower) if lower == upper else f"between {say(lower)} and {say(upper)}"


def words(name: str) -> str:
    """An identifier as words.

    >>> words("no_eligible_unit"), words("fire:squad-1")
    ('no eligible unit', 'fire: squad-1')
    """
    head, colon, tail = name.partition(":")
    return head.replace("_", " ") + (f": {tail}" if colon else "")


def inline(name: str) -> str:
    """A name within a sentence.

    >>> inline("Casualty points"), inline("AP roll")
    ('casualty points', 'AP roll')
    """
    return name[0].lower() + name[1:] if name[1:2].islower() else name


def read(value: Any) -> str:
    """What was read from the dice, in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(read, value))
    return number(value) if isinstance(value, int | Fraction) else str(value)


def needs(readings: Sequence[Any], every: Sequence[Any]) -> str:
    """The shortest words for some of all possible readings.

    >>> needs([2, 3, 4], range(2, 13)), needs([9, 10, 11, 12], range(2, 13)), needs([5, 6, 8], range(2, 13))
    ('4 or less', '9 or more', '5 to 6, or 8')
    >>> needs([(7, 1), (3, 1)], [(7, 1), (3, 1), (7, 2)])
    'second number 1'
    """
    if set(readings) == set(every):
        return "any result"
    if all(isinstance(reading, tuple) for reading in every):
        return _one_of_several(readings, every)
    if not all(isinstance(reading, int | Fraction) and not isinstance(reading, bool) for reading in every):
        return ", or ".join(sorted({read(reading) for reading in readings}))
    order = sorted(set(every))
    return ", or ".join(_run(run, order) for run in _runs(sorted(set(readings)), order))


def _run(run: Sequence[Any], order: Sequence[Any]) -> str:
    low, high = number(run[0]), number(run[-1])
    if run[0] == order[0] and len(run) > 1:
        return f"{high} or less"
    if run[-1] == order[-1] and len(run) > 1:
        return f"{low} or more"
    return low if low == high else f"{low} to {high}"


def _runs(values: Sequence[Any], order: Sequence[Any]) -> Iterable[Sequence[Any]]:
    place = {value: index for index, value in enumerate(order)}
    run: list[Any] = []
    for value in values:
        if run and place[value] != place[run[-1]] + 1:
            yield run
            run = []
        run.append(value)
    yield run


def _one_of_several(readings: Sequence[Any], every: Sequence[Any]) -> str:
    """Readings of several numbers: in terms of the one that decides, or, when none does, listed if they are few."""
    chosen = set(readings)
    for place, name in enumerate(("first", "second", "third")[: len(every[0])]):
        values = {reading[place] for reading in chosen}
        if not any(reading[place] in values for reading in every if reading not in chosen):
            return f"{name} number {needs(sorted(values), [reading[place] for reading in every])}"
    few = sorted({read(reading) for reading in chosen})
    return "; ".join(few) if len(few) <= 4 else f"{len(few)} of {len(set(every))} results"
