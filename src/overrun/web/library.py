"""What the app has to offer: the systems and the shipped situations, each opened once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup

from overrun import rulesets, scenarios
from overrun.kernel import InputError, Ruleset
from overrun.store import opening
from overrun.store.opening import Opened
from overrun.web import picture


@dataclass(frozen=True, slots=True)
class Example:
    """A shipped situation."""

    name: str
    opened: Opened
    note: str
    length: int
    picture: Markup | None


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
                opened = opening.from_text(text, name)
                drawing = picture.small(opened.ruleset, opened.situation, f"n{len(found)}-")
                found.append(Example(name, opened, first_remark(text), len(text), drawing))
            except InputError:
                continue
        return tuple(found)

    @cached_property
    def cards(self) -> tuple[tuple[Ruleset, Example | None, Markup | None], ...]:
        """Each system with the situation to begin with, and a picture of it."""
        found = []
        for ruleset in self.systems.values():
            first = self.plainest(ruleset.id)
            drawing = picture.small(ruleset, first.opened.situation, f"{ruleset.id}-") if first else None
            found.append((ruleset, first, drawing))
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
