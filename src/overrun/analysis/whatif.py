"""What if: the same question asked of a changed document, and what the change does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from overrun.analysis import keypath
from overrun.analysis.answer import Terms, bounds_document, exact
from overrun.analysis.graphs import Graphs
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
    def bounded(self) -> bool:
        """Is one of the answers, or are both, too large, so that only bounds on the value are known?"""
        return bool(self.before.refused or self.after.refused)

    @property
    def span(self) -> tuple[Fraction | None, Fraction | None]:
        """Between what the change of the value lies; None where nothing is known."""
        (least, most), (low, high) = self.before.span, self.after.span
        return (
            None if low is None or most is None else low - most,
            None if high is None or least is None else high - least,
        )

    @property
    def flips(self) -> bool:
        """Does best play begin with another choice?"""
        return self.before.first != self.after.first


def what_if(
    ruleset: Ruleset,
    document: Mapping[str, Any],
    terms: Terms,
    settings: Sequence[tuple[keypath.Path, Any]],
    graphs: Graphs | None = None,
) -> WhatIf:
    """Both answers, or bounds where the terms ask for them.

    Raises `InputError` when a setting is impossible, and it or `AnalysisError` when a situation cannot be answered.
    """
    changed, told_settings = dict(document), []
    for path, value in settings:
        try:
            old = keypath.read(changed, path)
        except KeyError:
            old = None
        changed = keypath.changed(changed, path, value)
        told_settings.append((keypath.told(path), old, value))
    ruleset.load(changed)
    before, after = (reckon(ruleset, each, terms, graphs=graphs) for each in (document, changed))
    for when, found in (("as it stands", before), ("changed", after)):
        if found.refused and found.span == (None, None):
            raise found.failure(f"the situation {when}")
    return WhatIf(tuple(told_settings), before, after)


def document(ruleset: Ruleset, terms: Terms, found: WhatIf) -> dict[str, Any]:
    """The documented answer (`docs/json-answers.md`)."""
    head = {
        "system": ruleset.id,
        "ruleset_version": ruleset.version,
        "method": "bounds" if found.bounded else "exact",
        "policy": told(terms.styles),
        "payoff": terms.payoff.name,
        "settings": [{"key": key, "before": old, "after": new} for key, old, new in found.settings],
    }
    if found.bounded:
        sides = {"before": found.before.span, "after": found.after.span, "difference": found.span}
        rest = {"before": found.before.rests_on, "after": found.after.rests_on}
        return head | {
            "value": {side: bounds_document(span) for side, span in sides.items()},
            "rests_on": {side: list(named) for side, named in rest.items()},
            "restrictions": list(terms.restrictions),
            "bound": True,
            "simplified": list(terms.simplified),
        }
    return head | {
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
        "simplified": list(terms.simplified),
        "not_verified": sorted({*found.before.doubts, *found.after.doubts}),
    }
