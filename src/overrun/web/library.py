"""What the app has to offer: the systems and the shipped situations, each opened once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from overrun import rulesets, scenarios
from overrun.kernel import InputError, Ruleset
from overrun.store import opening
from overrun.store.opening import Opened


@dataclass(frozen=True, slots=True)
class Example:
    """A shipped situation."""

    name: str
    opened: Opened
    note: str
    length: int


class Library:
    """The systems, in the order of their titles, and the shipped situations of each."""

    @cached_property
    def systems(self) -> Mapping[str, Ruleset]:
        """Each system by its id."""
        found = sorted(rulesets.rulesets().values(), key=lambda ruleset: ruleset.title)
        return {ruleset.id: ruleset for ruleset in found}

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """Every shipped situation that can be read, in the order of their names."""
        found: list[Example] = []
        for name in scenarios.names():
            try:
                text = scenarios.text(name)
                found.append(Example(name, opening.from_text(text, name), first_remark(text), len(text)))
            except InputError:
                continue
        return tuple(found)

    def name_of(self, document: Mapping[str, Any]) -> str:
        """The name of the shipped situation that a document is; empty when it is none."""
        return next((one.name for one in self.examples if one.opened.situation.document == document), "")

    def plainest(self, system: str) -> Example | None:
        """The shipped situation of a system that says the least: the one to begin with."""
        return min(self.of(system), key=lambda example: example.length, default=None)

    def of(self, system: str) -> tuple[Example, ...]:
        """The shipped situations of one system."""
        return tuple(example for example in self.examples if example.opened.ruleset.id == system)


def first_remark(text: str) -> str:
    r"""The remark at the head of a file, as one line.

    >>> first_remark("# A tank.\n# In the woods.\n\nsystem = 'x'")
    'A tank. In the woods.'
    """
    words: list[str] = []
    for line in text.lstrip("\ufeff").splitlines():
        if not line.startswith("#"):
            break
        words.append(line.lstrip("# ").strip())
    return " ".join(words).strip()
