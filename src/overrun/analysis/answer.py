"""One question about a whole situation, answered once: the command line, the web page and every comparison ask here."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from overrun.analysis.algebra import Key
from overrun.analysis.bounds import Bounds, bounds, to_seat
from overrun.analysis.errors import HiddenInformation, TooLarge
from overrun.analysis.graphs import Asked, Best, Extracted, Graphs
from overrun.analysis.odds import Distribution, Odds, odds
from overrun.analysis.policy import Style, Styles, told
from overrun.analysis.sample import Estimate, Sampled, sample
from overrun.analysis.watch import MEGABYTE_LIMIT, ROW_LIMIT, Watch
from overrun.kernel import (
    Decision,
    Exit,
    InputError,
    Payoff,
    Position,
    Problem,
    Restriction,
    Rules,
    Ruleset,
    Seat,
    Situation,
    cut,
)
from overrun.kernel.measure import Kind

BEST: Styles = dict.fromkeys(Seat, Style.BEST)


@dataclass(frozen=True, slots=True)
class Terms:
    """How the seats play and what they want, so that answers under equal terms can be compared.

    `restrictions` names the cuts of options in force: an answer under one is a bound. `simplified` names the rules left
    out: an answer without them is exact, and of another game.

    The limits are those of `Watch`; `seconds`, if stated, is a limit too. What outgrows a limit is too large. Then
    there are bounds, if these terms ask for any: those found in as many seconds again, or with each seat held to at
    most `widest` options of a decision.
    """

    payoff: Payoff
    styles: Styles = field(default_factory=lambda: BEST)
    restrictions: tuple[str, ...] = ()
    simplified: tuple[str, ...] = ()
    row_limit: int = ROW_LIMIT
    megabyte_limit: int = MEGABYTE_LIMIT
    seconds: float | None = None
    widest: int | None = None


class Pricing:
    """A situation under some terms. Raises `HiddenInformation` at once when only one seat knows part of it.

    Solved graphs come from `graphs`: a kept one where there is one, else from the rules. What is too large for that has
    `bounds`.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        situation: Situation,
        terms: Terms,
        watch: Watch | None = None,
        graphs: Graphs | None = None,
    ) -> None:
        if situation.hidden:
            raise HiddenInformation(situation.hidden)
        situation = ruleset.simplified(situation, terms.simplified)
        self.ruleset, self.situation, self.terms = ruleset, situation, terms
        self.watch = _timed(watch or Watch(terms.row_limit, terms.megabyte_limit), terms.seconds)
        self.restrictions = named(ruleset.rules, terms.restrictions)
        self.graphs = graphs or Extracted()
        self.asked = Asked(ruleset, situation, terms.styles, self.restrictions)
        self.fixed = self.asked.choice

    @cached_property
    def solution(self) -> Best:
        """Best play of each seat that plays its best, against what the other does. Raises `TooLarge`."""
        with self._offering():
            found = self.graphs.best(self.asked, self.terms.payoff, self.watch)
        self.watch.doubts |= {*found.doubts}
        return found

    @cached_property
    def bounded(self) -> Bounds | None:
        """The best bounds on the attacker's value that the terms allow; None where they ask for none.

        For what is too large. Raises `NotZeroSum`.
        """
        if self.terms.seconds is None and self.terms.widest is None:
            return None
        return deque([Bounds(), *self.bounds()], maxlen=1).pop()

    def bounds(self, on_progress: Callable[[Watch], None] | None = None) -> Iterator[Bounds]:
        """Ever tighter bounds, as far as the terms allow. `on_progress` is called now and then. Raises `NotZeroSum`."""
        return bounds(
            self.ruleset.rules,
            self.situation.start,
            self.terms.payoff,
            seconds=self.terms.seconds,
            widest=self.terms.widest,
            choice=self.fixed,
            restrictions=self.restrictions,
            row_limit=self.terms.row_limit,
            megabyte_limit=self.terms.megabyte_limit,
            on_progress=on_progress,
        )

    @property
    def values(self) -> Mapping[Seat, Fraction]:
        """What each seat can expect, in its own points."""
        return dict(zip(Seat, self.solution.value, strict=True))

    def choice(self, key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        """What is chosen at a decision, for both seats."""
        return self.fixed(key, node) or self.solution.choice(key, node)

    @cached_property
    def odds(self) -> Odds:
        """The exact distribution of every measure and outcome. Raises `TooLarge`."""
        with self._offering():
            return odds(
                self.ruleset.rules,
                self.situation.start,
                self.choice,
                told(self.terms.styles),
                [measure.name for measure in self.ruleset.measures],
                restrictions=self.restrictions,
                watch=self.watch,
            )

    @contextmanager
    def _offering(self) -> Iterator[None]:
        """What is too large may fit under what the game offers, and is not yet in force."""
        try:
            yield
        except TooLarge as error:
            cuts = (each.name for each in self.ruleset.rules.restrictions if each not in self.restrictions)
            leaves_out = (each.name for each in self.ruleset.simpler(self.situation))
            raise TooLarge(error.reached, error.limit, cuts, leaves_out) from None

    def sampled(self, overruns: int, seed: int) -> Sampled:
        """The same by playing seeded overruns; only when it is asked for."""
        if overruns < 1:
            raise InputError([Problem("sample", f"{overruns} overruns cannot be played", "1 or more")])
        names = [measure.name for measure in self.ruleset.measures]
        start, policy = self.situation.start, told(self.terms.styles)
        rules = self.ruleset.rules.under(self.restrictions)

        def choice(key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
            left = cut(self.restrictions, Position(*key), node)
            return [(left.options[0], 1)] if len(left.options) == 1 else self.choice(key, left)

        return sample(rules, start, choice, policy, names, overruns=overruns, seed=seed)

    @property
    def note(self) -> str:
        """What went wrong with keeping the graph of an answer that was given, in words; empty when nothing did."""
        return self.solution.note if "solution" in vars(self) else ""

    @property
    def doubts(self) -> tuple[str, ...]:
        """Every figure that is not verified and that the file states or the answer met."""
        return tuple(sorted({*self.situation.unverified, *self.watch.doubts}))

    @property
    def first(self) -> tuple[str, str] | None:
        """The likeliest first decision of a seat that plays its best: its step and the choice; None without any."""
        return self.solution.first


def _timed(watch: Watch, seconds: float | None) -> Watch:
    """The watch, with a limit of time beside its others."""
    if seconds is None:
        return watch
    begun, progress = time.monotonic(), watch.on_progress

    def look(watch: Watch) -> None:
        if time.monotonic() - begun > seconds:
            raise TooLarge(
                f"{watch.rows} decision rows in {seconds:g} seconds, and more to come", f"{seconds:g} seconds"
            )
        if progress is not None:
            progress(watch)

    watch.on_progress = look
    return watch


def named(rules: Rules[Any], names: Sequence[str]) -> tuple[Restriction, ...]:
    """The restrictions of those names. Raises `InputError` naming those that exist."""
    known = {restriction.name: restriction for restriction in rules.restrictions}
    if unknown := [name for name in names if name not in known]:
        allowed = ", ".join(known) or "this game has none"
        raise InputError([Problem("restriction", f"there is no restriction {name!r}", allowed) for name in unknown])
    return rules.in_order(known[name] for name in dict.fromkeys(names))


# ---------------------------------------------------------------------- as documents


def exact(value: Fraction) -> dict[str, Any]:
    """An exact number as documents hold it: the fraction as text, and the nearest decimal.

    >>> exact(Fraction(83, 108))
    {'exact': '83/108', 'value': 0.7685185185185185}
    """
    return {"exact": str(value), "value": float(value)}


def document(pricing: Pricing, found: Odds | Sampled) -> dict[str, Any]:
    """The documented answer (`docs/json-answers.md`): what was asked, of which rules, how, and every number."""
    ruleset = pricing.ruleset
    head: dict[str, Any] = {
        "system": ruleset.id,
        "ruleset_version": ruleset.version,
        "situation": pricing.situation.title,
        "method": found.method,
        "policy": found.policy,
    }
    if any(style.looks_ahead for style in pricing.terms.styles.values()):
        head["payoff"] = pricing.terms.payoff.name
    if isinstance(found, Sampled):
        head |= {"overruns": found.overruns, "seed": found.seed}
        measures = {m.name: _about(m.kind, m.meaning, found.measures[m.name]) for m in ruleset.measures}
        outcomes = [{"outcome": name, **_estimate(chance)} for name, chance in found.outcomes.items()]
    else:
        measures = {m.name: _about(m.kind, m.meaning, found.measures[m.name]) for m in ruleset.measures}
        for m in ruleset.measures:
            if m.given and (count := found.measures[m.name].given(found.measures[m.given])) is not None:
                measures[m.name]["given"] = {"event": m.given, **_count(count)}
        outcomes = [{"outcome": name, **exact(chance)} for name, chance in found.outcomes.items()]
    return head | {
        "measures": measures,
        "outcomes": outcomes,
        "restrictions": list(pricing.terms.restrictions),
        "bound": bool(pricing.terms.restrictions),
        "simplified": list(pricing.terms.simplified),
        "not_verified": list(pricing.doubts),
    }


def bounds_document(span: tuple[Fraction | None, Fraction | None]) -> dict[str, Any]:
    """Bounds as documents hold them; null where none was found."""
    return {side: None if at is None else exact(at) for side, at in zip(("lower", "upper"), span, strict=True)}


def bounded_document(pricing: Pricing, known: Bounds, reason: str) -> dict[str, Any]:
    """The documented answer where only bounds on the value are known, and why."""
    span = known.lower, known.upper
    return {
        "system": pricing.ruleset.id,
        "ruleset_version": pricing.ruleset.version,
        "situation": pricing.situation.title,
        "method": "bounds",
        "policy": told(pricing.terms.styles),
        "payoff": pricing.terms.payoff.name,
        "reason": reason,
        "worth": {str(seat): bounds_document(to_seat(span, seat)) for seat in Seat},
        "rests_on": list(known.restrictions),
        "proved_by": list(known.proof),
        "first_decision": {id: bounds_document(span) for id, span in known.first.items()},
        "restrictions": list(pricing.terms.restrictions),
        "bound": bool(pricing.terms.restrictions) or not known.exact,
        "simplified": list(pricing.terms.simplified),
        "not_verified": list(pricing.doubts),
    }


def _about(kind: Kind, meaning: str, found: Distribution | Estimate) -> dict[str, Any]:
    about = {"kind": str(kind), "meaning": meaning}
    if isinstance(found, Estimate):
        return _estimate(found) | about
    return (exact(found.mean) if kind is Kind.EVENT else _count(found)) | about


def _count(found: Distribution) -> dict[str, Any]:
    body: dict[str, Any] = exact(found.mean)
    body["distribution"] = [{"count": count, **exact(chance)} for count, chance in found.chances.items()]
    return body


def _estimate(found: Estimate) -> dict[str, Any]:
    return {"value": found.mean, "standard_error": found.error}
