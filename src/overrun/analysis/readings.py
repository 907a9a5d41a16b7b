"""Rulings: the answer under each reading of each ambiguous rule, and which of them matter in this situation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from overrun.analysis import keypath
from overrun.analysis.answer import Terms, exact
from overrun.analysis.graphs import Graphs
from overrun.analysis.policy import told
from overrun.analysis.reckon import VALUE, Reckoned, reckon
from overrun.kernel import InputError, Problem, Ruleset, Ruling, meant


class Effect(StrEnum):
    """What another reading does here."""

    NONE = "none"
    """The ruling cannot come up: the whole game is the same."""
    GAME = "game"
    """The game differs, the answer does not."""
    ANSWER = "answer"
    """The answer differs."""
    REFUSED = "refused"
    """The situation has no answer under this reading."""


@dataclass(frozen=True, slots=True)
class Read:
    """The answer under one reading, all other rulings as the situation has them; `in_force` marks its own reading."""

    ruling: Ruling
    reading: str
    in_force: bool
    effect: Effect
    found: Reckoned


Answer = Callable[[Sequence[Mapping[str, Any]]], Iterable[Reckoned]]
"""What reckons documents, in their order; it may do so side by side."""


def readings(
    ruleset: Ruleset,
    document: Mapping[str, Any],
    terms: Terms,
    answer: Answer | None = None,
    *,
    only: str | None = None,
    graphs: Graphs | None = None,
) -> list[Read]:
    """The situation under each reading of each ruling, or of the one ruling named, in rulebook order.

    Without `answer` they are reckoned here, one after the other, on graphs from `graphs`. Raises `InputError` or
    `AnalysisError` when the situation has no answer as it stands.
    """
    in_force = ruleset.load(document).rulings
    asked = [ruling for ruling in ruleset.rulings if only in (None, ruling.name)]
    if not asked:
        known = [ruling.name for ruling in ruleset.rulings]
        what = f"there is no ruling {only!r}{meant(only or '', known)}"
        raise InputError([Problem("ruling", what, ", ".join(known))])
    pairs = [(rule, reading) for rule in asked for reading in rule.readings(in_force.get(rule.name, rule.default))]
    others = [(rule.name, reading) for rule, reading in pairs if reading != in_force.get(rule.name, rule.default)]
    documents = [document, *(keypath.changed(document, ("rulings", name), reading) for name, reading in others)]
    base, *rest = answer(documents) if answer else (reckon(ruleset, each, terms, graphs=graphs) for each in documents)
    if base.refused:
        raise base.failure("the situation as it stands")
    answers = dict(zip(others, rest, strict=True))
    found: list[Read] = []
    for ruling, reading in pairs:
        other = answers.get((ruling.name, reading), base)
        forced = (ruling.name, reading) not in answers
        found.append(Read(ruling, reading, forced, effect(base, other), other))
    return found


def effect(base: Reckoned, other: Reckoned) -> Effect:
    """What separates two answers."""
    if other.refused:
        return Effect.REFUSED
    if any((base.values != other.values, base.means != other.means, base.outcomes != other.outcomes)):
        return Effect.ANSWER
    if base.first != other.first:
        return Effect.ANSWER
    return Effect.NONE if base.game == other.game else Effect.GAME


def reachable(found: Iterable[Read]) -> list[Read]:
    """The readings of those rulings that can come up in the situation."""
    kept = list(found)
    names = {read.ruling.name for read in kept if read.effect is not Effect.NONE}
    return [read for read in kept if read.ruling.name in names]


def document(ruleset: Ruleset, terms: Terms, found: list[Read]) -> dict[str, Any]:
    """The documented answer (`docs/json-answers.md`)."""
    by_ruling: dict[str, list[Read]] = {}
    for read in found:
        by_ruling.setdefault(read.ruling.name, []).append(read)
    matters: Callable[[list[Read]], bool] = lambda reads: any(  # noqa: E731
        read.effect in (Effect.ANSWER, Effect.REFUSED) for read in reads
    )
    return {
        "system": ruleset.id,
        "ruleset_version": ruleset.version,
        "method": "exact",
        "policy": told(terms.styles),
        "payoff": terms.payoff.name,
        "rulings": [
            {
                "ruling": name,
                "question": reads[0].ruling.question,
                "cite": str(reads[0].ruling.cite),
                "default": reads[0].ruling.default,
                "reachable": any(read.effect is not Effect.NONE for read in reads),
                "matters": matters(reads),
                "readings": [_reading(read) for read in reads],
            }
            for name, reads in by_ruling.items()
        ],
        "matter": [name for name, reads in by_ruling.items() if matters(reads)],
        "restrictions": list(terms.restrictions),
        "bound": bool(terms.restrictions),
        "simplified": list(terms.simplified),
        "not_verified": sorted({doubt for read in found for doubt in read.found.doubts}),
    }


def _reading(read: Read) -> dict[str, Any]:
    head = {
        "reading": read.reading,
        "meaning": read.ruling.options[read.reading],
        "in_force": read.in_force,
        "effect": str(read.effect),
    }
    if read.found.refused:
        return {**head, "refused": read.found.refused}
    measures = {name: exact(read.found.measure(name)) for name in (VALUE, *read.found.means)}
    return {**head, "first_choice": read.found.first, "measures": measures}
