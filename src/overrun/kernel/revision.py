"""Printed figures moved on purpose: what would follow if a table cell, a modifier or a counter said something else.

Rules never know: a figure is moved where it is read from its file (`figures.load`), is looked up in a table
(`Table.at`), or is a line of a ledger that is totalled (`Ledger`). As rulesets remember what they read, a revision
belongs to a whole process: it is put in force before a ruleset is imported, and stays (`analysis.fresh`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

N = TypeVar("N")


@dataclass(frozen=True)
class Revision:
    """`moved` says how far each named figure is moved; `seen` gathers the printed values of every figure read.

    `shown` are the ledger lines that only show a table cell: the cell is the figure, not they.
    """

    moved: Mapping[str, int] = field(default_factory=dict)
    seen: dict[str, set[Any]] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)

    def figure(self, name: str, printed: N) -> N:
        """The figure to use in place of the printed one. What is no number is left alone."""
        if isinstance(printed, bool) or not hasattr(printed, "numerator"):
            return printed
        self.seen.setdefault(name, set()).add(printed)
        return cast("N", cast("int", printed) + self.moved[name]) if name in self.moved else printed

    def table(self, name: str, printed: Mapping[str, Any]) -> Figures:
        """A table of figures, with the tables in it, every figure moved as this revision says."""
        return Figures(self, name, {key: self._moved(f"{name}.{key}", entry) for key, entry in printed.items()})

    def _moved(self, name: str, printed: Any) -> Any:
        if isinstance(printed, Mapping):
            return self.table(name, printed)
        if isinstance(printed, list):
            return [self._moved(f"{name}[{place}]", entry) for place, entry in enumerate(printed, 1)]
        return printed + self.moved.get(name, 0) if type(printed) is int else printed

    def note(self, name: str, moved: Any) -> None:
        """Remember that a figure, or every figure of a list, was read."""
        if isinstance(moved, list):
            for place, entry in enumerate(moved, 1):
                self.note(f"{name}[{place}]", entry)
        elif type(moved) is int:
            self.seen.setdefault(name, set()).add(moved - self.moved.get(name, 0))


class Figures(dict[str, Any]):
    """A table of figures under a revision. It is a dict, so whatever reads one reads the moved figures."""

    def __init__(self, revision: Revision, name: str, moved: Mapping[str, Any]) -> None:
        super().__init__(moved)
        self._revision, self._name = revision, name

    def __getitem__(self, key: str) -> Any:
        found = super().__getitem__(key)
        self._revision.note(f"{self._name}.{key}", found)
        return found

    def get(self, key: str, default: Any = None) -> Any:
        """The figure, or the default."""
        return self[key] if key in self else default  # noqa: SIM401  (it would call itself)

    def __iter__(self) -> Iterator[str]:
        # Having its own `__iter__` makes `{**table}` ask `__getitem__` for every entry.
        return super().__iter__()


IN_FORCE: ContextVar[Revision | None] = ContextVar("overrun_revision", default=None)
"""The revision of this process. None, as in all play: every figure is as printed."""


def as_read(name: str, printed: Mapping[str, Any]) -> Mapping[str, Any]:
    """Figures as rules shall read them: as printed, or under the revision in force."""
    revision = IN_FORCE.get()
    return printed if revision is None else revision.table(name, printed)
