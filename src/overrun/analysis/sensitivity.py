"""Sensitivity: every printed fact and modifier moved, sorted by what that does to the chosen measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import chain, groupby
from typing import Any

from overrun.analysis import keypath
from overrun.analysis.answer import Terms, exact
from overrun.analysis.policy import told
from overrun.analysis.reckon import VALUE, Job, Reckoned, Run, carry_out, carry_out_together, measure_names
from overrun.kernel import InputError, Problem, Ruleset

TOGETHER = 12
"""Changed situations that one process answers."""
STATED = ("dice", "plan", "rulings")
"""Parts of a document that state play, not facts."""


class Where(StrEnum):
    """Where a number is printed."""

    SITUATION = "situation"
    """In the scenario file, under its key path."""
    RULES = "rules"
    """In a table, a list of figures or a ledger of the rules."""


@dataclass(frozen=True, slots=True)
class Moved:
    """One number moved: the answers by how far. `also` are other names under which moving it does the very same."""

    where: Where
    name: str
    printed: Any
    answers: Mapping[int, Reckoned]
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """`moved` is sorted by effect, the largest first; `still` are the names whose moves leave the game the same."""

    measure: str
    base: Reckoned
    moved: tuple[Moved, ...]
    still: tuple[str, ...]

    def change(self, one: Moved, by: int) -> Fraction | None:
        """What a move does to the measure; None where the situation has no answer then."""
        found = one.answers[by]
        return None if found.refused else found.measure(self.measure) - self.base.measure(self.measure)

    def effect(self, one: Moved) -> Fraction:
        """The largest change among the moves, whichever way."""
        return max((abs(change) for by in one.answers if (change := self.change(one, by)) is not None), default=_NO)

    def flips(self, one: Moved) -> dict[int, str]:
        """The nearest move down and up at which best play begins with another choice, and that choice."""
        found: dict[int, str] = {}
        for sign in (-1, 1):
            for by in sorted((by for by in one.answers if by * sign > 0), key=abs):
                answer = one.answers[by]
                if not answer.refused and answer.first != self.base.first:
                    found[by] = answer.first
                    break
        return found


_NO = Fraction(0)


def sensitivity(
    job: Job,
    ruleset: Ruleset,
    run: Run,
    *,
    measure: str = VALUE,
    moves: Sequence[int] = (-1, 1),
    only: Sequence[str] = (),
) -> Sensitivity:
    """Move every number of the document and of the rules that the answer reads, one at a time, by each of `moves`.

    With `only`, no more than the numbers whose name has one of these words in it.
    Figures that depend on dice or state are computed, not printed, and are left out: a printed one has a single value.
    Raises `InputError` when the situation has no answer as it stands, or `measure` is unknown.
    """
    measure_names(ruleset, [measure])
    if not moves or 0 in moves:
        raise InputError([Problem("by", "a move of nothing changes nothing", "whole numbers other than 0")])
    ((base, seen),) = run(carry_out, [job])
    if base.refused:
        raise base.failure("the situation as it stands")
    facts: list[tuple[Where, str, Any, Callable[[int], Job]]] = [
        (Where.SITUATION, keypath.told(path), value, _fact(job, path, value))
        for path, value in keypath.numbers({k: v for k, v in job.document.items() if k not in STATED})
    ]
    facts += [(Where.RULES, name, values[0], _figure(job, name)) for name, values in seen.items() if len(values) == 1]
    facts = [fact for fact in facts if not only or any(word in fact[1] for word in only)]
    jobs = [change(by) for _, _, _, change in facts for by in moves]
    answers = chain.from_iterable(run(carry_out_together, list(_shared(jobs))))
    every = [Moved(where, name, printed, {by: next(answers) for by in moves}) for where, name, printed, _ in facts]
    same = [one for one in every if all(answer == base for answer in one.answers.values())]
    found = Sensitivity(measure, base, (), tuple(one.name for one in same))
    moved = sorted((one for one in every if one not in same), key=lambda one: -found.effect(one))
    return replace(found, moved=tuple(_merged(moved)))


def _shared(jobs: Sequence[Job]) -> Iterator[Sequence[Job]]:
    """The jobs by process: each that moves a figure alone, the others some together.

    Reading the rules anew takes longer than most answers.
    """
    for moves_figures, group in groupby(jobs, lambda job: bool(job.moved)):
        together = list(group)
        size = 1 if moves_figures else TOGETHER
        yield from (together[place : place + size] for place in range(0, len(together), size))


def _fact(job: Job, path: keypath.Path, value: int) -> Callable[[int], Job]:
    return lambda by: replace(job, document=keypath.changed(job.document, path, value + by))


def _figure(job: Job, name: str) -> Callable[[int], Job]:
    return lambda by: replace(job, moved={name: by})


def _merged(moved: Iterable[Moved]) -> list[Moved]:
    """Numbers whose every move does the very same are one number read in several places."""
    kept: list[Moved] = []
    for one in moved:
        for place, other in enumerate(kept):
            if other.answers == one.answers and other.printed == one.printed:
                kept[place] = replace(other, also=(*other.also, one.name))
                break
        else:
            kept.append(one)
    return kept


def document(ruleset: Ruleset, terms: Terms, found: Sensitivity) -> dict[str, Any]:
    """The documented answer (`docs/json-answers.md`)."""
    return {
        "system": ruleset.id,
        "ruleset_version": ruleset.version,
        "method": "exact",
        "policy": told(terms.styles),
        "payoff": terms.payoff.name,
        "measure": found.measure,
        "base": exact(found.base.measure(found.measure)),
        "first_choice": found.base.first,
        "moved": [
            {
                "name": one.name,
                "where": str(one.where),
                "printed": str(one.printed),
                "also": list(one.also),
                "effect": exact(found.effect(one)),
                "moves": [_move(found, one, by) for by in sorted(one.answers)],
                "flips": [{"by": by, "first_choice": first} for by, first in sorted(found.flips(one).items())],
            }
            for one in found.moved
        ],
        "unmoved": list(found.still),
        "restrictions": list(terms.restrictions),
        "bound": bool(terms.restrictions),
        "simplified": list(terms.simplified),
        "not_verified": list(found.base.doubts),
    }


def _move(found: Sensitivity, one: Moved, by: int) -> dict[str, Any]:
    change, answer = found.change(one, by), one.answers[by]
    if change is None:
        return {"by": by, "refused": answer.refused}
    return {
        "by": by,
        "measure": exact(answer.measure(found.measure)),
        "change": exact(change),
        "first_choice": answer.first,
    }
