"""The options that every priced answer shares, read into the terms it is given under."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from overrun.analysis.answer import Pricing, Terms, named
from overrun.analysis.bounds import Bounds
from overrun.analysis.errors import AnalysisError, TooLarge
from overrun.analysis.fresh import in_fresh_processes
from overrun.analysis.payoff import read_payoff
from overrun.analysis.policy import Style, read_styles
from overrun.cli import progress
from overrun.compiled import graphs
from overrun.compiled.graphs import FromCache
from overrun.kernel import InputError, Payoff, Problem, Ruleset, Seat, meant
from overrun.play import record
from overrun.play.session import Session
from overrun.store import opening
from overrun.store.opening import Opened, text_of

J = TypeVar("J")
R = TypeVar("R")


READY = (opening.__name__, graphs.__name__, "overrun.cli.models")
"""What the mother of fresh processes has imported: nothing that reads a figure."""


def pricing(
    opened: Opened,
    policy: str | None,
    payoff: str | None,
    restrictions: Sequence[str] = (),
    within: float | None = None,
    *,
    simplified: Sequence[str] = (),
) -> Pricing:
    """The situation under the terms a player asked for.

    Without a policy the stated plan is followed if the file has one; else both seats play their best.
    """
    default = Style.PLAN if opened.situation.plan else Style.BEST
    terms = _terms(opened, policy, payoff, restrictions, default)
    terms = replace(terms, seconds=within, simplified=tuple(simplified))
    return Pricing(opened.ruleset, opened.situation, terms, progress.watch(terms), FromCache())


def bounds_for(asked: Pricing, error: TooLarge) -> Bounds:
    """Bounds where the exact answer is too large. Raises the error, with how to get bounds, where there are none."""
    known = asked.bounded
    if known is None or (known.lower is None and known.upper is None):
        raise too_large(error, asked.terms)
    return known


def too_large(error: AnalysisError, terms: Terms) -> AnalysisError:
    """The error with what to do next about bounds."""
    if terms.seconds is None:
        return AnalysisError(f"{error} Or ask for bounds on the value: --within SECONDS.")
    return AnalysisError(f"{error} No bounds were found in {terms.seconds:g} seconds either: give it more.")


def comparison(
    opened: Opened,
    policy: str | None,
    payoff: str | None,
    restrictions: Sequence[str] = (),
    within: float | None = None,
    *,
    simplified: Sequence[str] = (),
) -> Terms:
    """The terms under which a situation is compared with changed ones.

    Without a policy the stated plan is followed as far as it states something legal: a change may lead off it.
    """
    default = Style.PLAN_ELSE_BEST if opened.situation.plan else Style.BEST
    named(opened.ruleset.rules, restrictions)
    opened.ruleset.simplified(opened.situation, simplified)
    terms = _terms(opened, policy, payoff, restrictions, default)
    return replace(terms, seconds=within, simplified=tuple(simplified))


def _terms(
    opened: Opened, policy: str | None, payoff: str | None, restrictions: Sequence[str], default: Style
) -> Terms:
    seats = opened.ruleset.seats
    styles = dict.fromkeys(Seat, default) if policy is None else read_styles(policy, seats)
    if {Style.PLAN, Style.PLAN_ELSE_BEST} & {*styles.values()} and not opened.situation.plan:
        raise InputError(
            [Problem("policy", "the scenario states no [plan]", "best, uniform, or a scenario with [plan]")]
        )
    return Terms(wanted(opened.ruleset, payoff), styles, tuple(restrictions))


def played(opened: Opened, log: str) -> Session:
    """The session that a log of this very scenario holds. Raises `InputError` when it is of another one."""
    other, kept = opening.log(log)
    if other.ruleset.id != opened.ruleset.id or kept.document != opened.situation.document:
        raise InputError(
            [Problem(log, f"this log is of another scenario ({kept.title})", "a log of the scenario named")]
        )
    return record.replay(kept, opened.session())


def wanted(ruleset: Ruleset, payoff: str | None) -> Payoff:
    """A payoff preset by name, or a player's own weights from a TOML file. Raises `InputError`."""
    presets = {preset.name: preset for preset in ruleset.payoffs}
    if payoff is None:
        return ruleset.payoff()
    if payoff in presets:
        return presets[payoff]
    if not payoff.endswith(".toml") and not Path(payoff).exists():
        what = f"there is no payoff {payoff!r}{meant(payoff, presets)}"
        raise InputError([Problem("payoff", what, f"{', '.join(presets)}, or a .toml file of weights")])
    try:
        document = tomllib.loads(text_of(payoff))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError([Problem(payoff, f"this is not valid TOML: {error}")]) from error
    return read_payoff(document, ruleset.measures)


def side_by_side(work: Callable[[J], R], jobs: Sequence[J], processes: int) -> Iterator[R]:
    """Some work for each job, in a process of its own; how far it is stands on the error stream of a terminal."""
    watched = sys.stderr.isatty()
    for count, result in enumerate(in_fresh_processes(work, jobs, processes, READY), 1):
        if watched:
            print(
                f"\r{count} of {len(jobs)} answers", end="" if count < len(jobs) else "\n", file=sys.stderr, flush=True
            )
        yield result
