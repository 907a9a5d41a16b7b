"""One question about a whole situation, answered once: the command line, the web page and every comparison ask here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from overrun.analysis.algebra import Key
from overrun.analysis.errors import HiddenInformation
from overrun.analysis.game import Game
from overrun.analysis.induction import Watch
from overrun.analysis.odds import Distribution, Odds, odds
from overrun.analysis.policy import Style, Styles, fixed, told
from overrun.analysis.sample import Estimate, Sampled, sample
from overrun.analysis.solve import Solution
from overrun.kernel import Decision, Exit, InputError, Payoff, Problem, Restriction, Rules, Ruleset, Seat, Situation
from overrun.kernel.measure import Kind

BEST: Styles = dict.fromkeys(Seat, Style.BEST)


@dataclass(frozen=True, slots=True)
class Terms:
    """How the seats play and what they want, so that answers under equal terms can be compared.

    `restrictions` names the cuts of options in force: an answer under one is a bound. The limits are those of `Watch`.
    """

    payoff: Payoff
    styles: Styles = field(default_factory=lambda: BEST)
    restrictions: tuple[str, ...] = ()
    row_limit: int = 50_000
    megabyte_limit: int = 512


class Pricing:
    """A situation under some terms. Raises `HiddenInformation` at once when only one seat knows part of it."""

    def __init__(self, ruleset: Ruleset, situation: Situation, terms: Terms, watch: Watch | None = None) -> None:
        if situation.hidden:
            raise HiddenInformation(situation.hidden)
        self.ruleset, self.situation, self.terms = ruleset, situation, terms
        self.watch = watch or Watch(terms.row_limit, terms.megabyte_limit)
        self.restrictions = named(ruleset.rules, terms.restrictions)
        self.fixed = fixed(terms.styles, situation.plan, ruleset.rules)

    @cached_property
    def solution(self) -> Solution:
        """Best play of each seat that plays its best, against what the other does. Raises `TooLarge`."""
        game = Game(
            self.ruleset.rules,
            self.situation.start,
            choice=self.fixed,
            restrictions=self.restrictions,
            watch=self.watch,
            tallies=False,
        )
        return Solution(game, self.terms.payoff)

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
        return odds(
            self.ruleset.rules,
            self.situation.start,
            self.choice,
            told(self.terms.styles),
            [measure.name for measure in self.ruleset.measures],
            restrictions=self.restrictions,
            watch=self.watch,
        )

    def sampled(self, overruns: int, seed: int) -> Sampled:
        """The same by playing seeded overruns; only when it is asked for."""
        if overruns < 1:
            raise InputError([Problem("sample", f"{overruns} overruns cannot be played", "1 or more")])
        names = [measure.name for measure in self.ruleset.measures]
        start, policy = self.situation.start, told(self.terms.styles)
        return sample(self.ruleset.rules, start, self.choice, policy, names, overruns=overruns, seed=seed)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Every figure that is not verified and that the file states or the answer met."""
        return tuple(sorted({*self.situation.unverified, *self.watch.doubts}))

    @property
    def first(self) -> tuple[str, str] | None:
        """The likeliest first decision of a seat that plays its best: its step and the choice; None without any."""
        game = self.solution.game
        decisions = [(weight, number) for weight, _, number in game.start.arcs if game.rows[number].seat is not None]
        if not decisions:
            return None
        key = game.rows[max(decisions)[1]].key
        return key[0], self.solution.best[key]


def named(rules: Rules[Any], names: Sequence[str]) -> tuple[Restriction, ...]:
    """The restrictions of those names. Raises `InputError` naming those that exist."""
    known = {restriction.name: restriction for restriction in rules.restrictions}
    if unknown := [name for name in names if name not in known]:
        allowed = ", ".join(known) or "this game has none"
        raise InputError([Problem("restriction", f"there is no restriction {name!r}", allowed) for name in unknown])
    return tuple(known[name] for name in names)


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
