"""What if: the same question asked of a changed document, and what the change does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from overrun.analysis import keypath
from overrun.analysis.answer import Terms, exact
from overrun.analysis.policy import told
from overrun.analysis.reckon import VALUE, Reckoned, reckon
from overrun.kernel import Ruleset


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Two answers to one question. `settings` are the changes as key paths with what stood there (None: nothing)."""

    settings: tuple[tuple[str, Any, Any], ...]
    before: Reckoned
    after: Reckoned

    def difference(self, name: str) -> Fraction:
        """How much a measure (or `value`) changes."""
        return self.after.measure(name) - self.before.measure(name)

    @property
    def flips(self) -> bool:
        """Does best play begin with another choice?"""
        return self.before.first != self.after.first


def what_if(
    ruleset: Ruleset, document: Mapping[str, Any], terms: Terms, settings: Sequence[tuple[keypath.Path, Any]]
) -> WhatIf:
    """Both answers. Raises `InputError` when a setting is impossible or either situation cannot be answered."""
    changed, told_settings = dict(document), []
    for path, value in settings:
        try:
            old = keypath.read(changed, path)
        except KeyError:
            old = None
        changed = keypath.changed(changed, path, value)
        told_settings.append((keypath.told(path), old, value))
    ruleset.load(changed)
    before, after = reckon(ruleset, document, terms), reckon(ruleset, changed, terms)
    for when, found in (("as it stands", before), ("changed", after)):
        if found.refused:
            raise found.failure(f"the situation {when}")
    return WhatIf(tuple(told_settings), before, after)


def document(ruleset: Ruleset, terms: Terms, found: WhatIf) -> dict[str, Any]:
    """The documented answer (`docs/json-answers.md`)."""
    return {
        "system": ruleset.id,
        "ruleset_version": ruleset.version,
        "method": "exact",
        "policy": told(terms.styles),
        "payoff": terms.payoff.name,
        "settings": [{"key": key, "before": old, "after": new} for key, old, new in found.settings],
        "measures": {
            name: {
                "before": exact(found.before.measure(name)),
                "after": exact(found.after.measure(name)),
                "difference": exact(found.difference(name)),
            }
            for name in (VALUE, *found.before.means)
        },
        "outcomes": {
            name: {
                "before": exact(found.before.outcomes.get(name, Fraction(0))),
                "after": exact(found.after.outcomes.get(name, Fraction(0))),
            }
            for name in sorted({*found.before.outcomes, *found.after.outcomes})
        },
        "first_choice": {"before": found.before.first, "after": found.after.first, "flips": found.flips},
        "same_game": found.before.game == found.after.game,
        "restrictions": list(terms.restrictions),
        "bound": bool(terms.restrictions),
        "not_verified": sorted({*found.before.doubts, *found.after.doubts}),
    }
