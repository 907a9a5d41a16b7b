"""One situation reckoned from its document, as plain values that can be compared, kept, and sent between processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.errors import AnalysisError, NotZeroSum, TooLarge
from overrun.analysis.graphs import Graphs
from overrun.kernel import InputError, OverrunError, Problem, RulesError, Ruleset
from overrun.kernel.revision import IN_FORCE, Revision

Find = Callable[[str], Ruleset]
"""What finds a ruleset by its id. Another process finds it by the name of this function, so it must have one."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """The answer to one situation. `refused` says why there is none; then nothing else is meant.

    `means` holds each measure's mean (the chance, for an event), `values` what attacker and defender can expect,
    `first` the likeliest first choice of best play, `game` the fingerprint of the whole game.
    """

    values: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    means: Mapping[str, Fraction] = field(default_factory=dict)
    outcomes: Mapping[str, Fraction] = field(default_factory=dict)
    first: str = ""
    game: str = ""
    doubts: tuple[str, ...] = ()
    refused: str = ""
    code: str = ""
    """The code of the error that refused it."""
    lower: Fraction | None = None
    """Where an answer is refused as too large and the terms ask for bounds: of what the attacker can expect."""
    upper: Fraction | None = None
    rests_on: tuple[str, ...] = ()
    """The cuts of options behind the bounds, in words; none where the bounds are the value."""

    def failure(self, where: str) -> OverrunError:
        """The refusal as an error again: the answer is impossible (`AnalysisError`), or the situation is wrong."""
        if self.code.startswith(AnalysisError.code):
            error = AnalysisError(self.refused)
            error.code = self.code
            return error
        return InputError([Problem(where, self.refused.rstrip("."))])

    @property
    def span(self) -> tuple[Fraction | None, Fraction | None]:
        """Between what the attacker's value lies: twice the value, or bounds; None where nothing is known."""
        return (self.lower, self.upper) if self.refused else (self.values[0], self.values[0])

    def measure(self, name: str) -> Fraction:
        """A measure's mean, or the attacker's value under the name `value`."""
        return self.values[0] if name == VALUE else self.means[name]


VALUE = "value"
"""What the attacker can expect under the payoff; it may be chosen like a measure."""


def measure_names(ruleset: Ruleset, names: Sequence[str]) -> list[str]:
    """Names of measures, `value` among them, in the order given. Raises `InputError` for one that does not exist."""
    known = [VALUE, *(measure.name for measure in ruleset.measures)]
    if unknown := [name for name in names if name not in known]:
        raise InputError([Problem("measure", f"there is no measure {name!r}", ", ".join(known)) for name in unknown])
    return list(dict.fromkeys(names))


@dataclass(frozen=True)
class Job:
    """One document to reckon under some terms, in this process or another; `moved` revises printed figures."""

    find: Find
    system: str
    document: Mapping[str, Any]
    terms: Terms
    moved: Mapping[str, int] = field(default_factory=dict)
    graphs: Graphs | None = None


Run = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]
"""What carries out some work for each of several things in fresh processes, in their order."""


def reckon(
    ruleset: Ruleset,
    document: Mapping[str, Any],
    terms: Terms,
    *,
    whole: bool = True,
    means: bool = True,
    graphs: Graphs | None = None,
) -> Reckoned:
    """The answer to a document, or the reason why there is none. Raises nothing that the document can cause.

    Not `whole`: without the fingerprint of the game. Without `means`: neither means nor outcomes.
    """
    try:
        pricing = Pricing(ruleset, ruleset.load(document), terms, graphs=graphs)
        solution = pricing.solution
        each, outcomes = solution.outlook() if means else ({}, {})
    except InputError as error:
        return Reckoned(refused="; ".join(str(problem) for problem in error.problems), code=error.code)
    except TooLarge as error:
        return _bounded(pricing, error)
    except AnalysisError as error:
        return Reckoned(refused=str(error), code=error.code)
    first = ": ".join(pricing.first or ())
    game = solution.fingerprint() if whole else ""
    return Reckoned(solution.value, each, dict(outcomes), first, game, pricing.doubts)


def _bounded(pricing: Pricing, error: TooLarge) -> Reckoned:
    refused = Reckoned(refused=str(error), code=error.code)
    try:
        known = pricing.bounded
    except NotZeroSum:
        return refused
    return (
        refused
        if known is None
        else replace(refused, lower=known.lower, upper=known.upper, rests_on=known.restrictions)
    )


def answered(job: Job) -> Reckoned:
    """Reckon a job that moves no figure."""
    return reckon(job.find(job.system), job.document, job.terms, graphs=job.graphs)


def carry_out(job: Job) -> tuple[Reckoned, dict[str, list[Any]]]:
    """Reckon a job, and say which printed figures its answer read. A job that moves figures needs a fresh process.

    Where a moved figure leads off a printed table the answer is refused with that reason.
    """
    revision = Revision(job.moved)
    token = IN_FORCE.set(revision)
    try:
        found = reckon(job.find(job.system), job.document, job.terms, graphs=job.graphs)
    except RulesError as error:
        found = Reckoned(refused=str(error))
    except Exception as error:
        if not job.moved:
            raise
        # A moved figure can contradict what the rules rely on, such as a table that never goes below 0.
        found = Reckoned(refused=f"the rules have no answer with {_told(revision)} ({type(error).__name__})")
    finally:
        IN_FORCE.reset(token)
    return found, {name: sorted(values) for name, values in revision.seen.items() if name not in revision.shown}


def carry_out_together(jobs: Sequence[Job]) -> list[Reckoned]:
    """Reckon some jobs one after the other. One that moves figures must be alone: it needs a process of its own."""
    if any(job.moved for job in jobs):
        (job,) = jobs
        return [carry_out(job)[0]]
    found: list[Reckoned] = []
    for job in jobs:
        try:
            found.append(answered(job))
        except RulesError as error:
            found.append(Reckoned(refused=str(error)))
    return found


def _told(revision: Revision) -> str:
    """The figures that a revision moves, and what they are then."""
    told: list[str] = []
    for name, by in revision.moved.items():
        printed = revision.seen.get(name, set())
        told.append(f"{name} at {next(iter(printed)) + by}" if len(printed) == 1 else f"{name} moved by {by}")
    return ", ".join(told)
