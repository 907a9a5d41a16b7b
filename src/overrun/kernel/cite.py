"""Where a rule is printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from overrun.kernel.frozen import quick


@quick
@dataclass(frozen=True, slots=True, order=True)
class Cite:
    """A rule number in a named work. It is the key that joins rules, cases, ledgers and documentation.

    >>> str(Cite("ASL", "D7.2"))
    'ASL D7.2'
    """

    work: str
    section: str

    def __str__(self) -> str:
        return f"{self.work} {self.section}"


def work(name: str) -> Callable[[str], Cite]:
    """The citing function of one work.

    >>> vv = work("V&V")
    >>> vv("19.2")
    Cite(work='V&V', section='19.2')
    """
    return partial(Cite, name)
