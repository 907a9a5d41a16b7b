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
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Revision:
    """`moved` says how far each named figure is moved; `seen` gathers the printed values of every figure read."""

    moved: Mapping[str, int] = field(default_factory=dict)
    seen: dict[str, set[Any]] = field(default_factory=dict)

    def figure(self, name: str, printed: N) -> N:
        """The figure to use in place of the printed one. What is no number is left alone."""
        if isinstance(printed, bool) or not hasattr(printed, "numerator"):
            return printed
        self.seen.setdefault(name, set()).add(printed)
        return cast("N", cast("int", printed) + self.moved[name]) if name in self.moved else printed

    def watched(self, name: str, printed: Any) -> Any:
        """A table or list of figures whose entries are looked up through this revision."""
        if isinstance(printed, Mapping):
            return Figures(self, name, printed)
        if isinstance(printed, list):
            return [self.watched(f"{name}[{place}]", entry) for place, entry in enumerate(printed, 1)]
        return self.figure(name, printed)


class Figures(Mapping[K, Any]):
    """Printed figures under a revision: each is moved, and noted, when it is read."""

    def __init__(self, revision: Revision, name: str, printed: Mapping[K, Any]) -> None:
        self._revision, self._name, self._printed = revision, name, printed

    def __getitem__(self, key: K) -> Any:
        return self._revision.watched(f"{self._name}.{key}", self._printed[key])

    def __iter__(self) -> Iterator[K]:
        return iter(self._printed)

    def __len__(self) -> int:
        return len(self._printed)


IN_FORCE: ContextVar[Revision | None] = ContextVar("overrun_revision", default=None)
"""The revision of this process. None, as in all play: every figure is as printed."""


def as_read(name: str, printed: Mapping[K, V]) -> Mapping[K, V]:
    """Figures as rules shall read them: as printed, or under the revision in force."""
    revision = IN_FORCE.get()
    return printed if revision is None else Figures(revision, name, printed)
