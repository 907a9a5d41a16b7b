"""Where the solved graph of a question comes from: from the rules here, or from wherever one is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from overrun.analysis.algebra import Choice, Key
from overrun.analysis.fingerprint import fingerprint
from overrun.analysis.game import Game, Option, Row
from overrun.analysis.odds import odds
from overrun.analysis.policy import Style, Styles, fixed, told
from overrun.analysis.solve import Judged, Solution, Values
from overrun.analysis.watch import Watch
from overrun.kernel import Decision, Exit, Payoff, Restriction, Ruleset, Seat, Situation

STATED = {Style.PLAN, Style.PLAN_ELSE_BEST}
"""The styles that read the plan of a situation."""


@dataclass(frozen=True)
class Asked:
    """Everything that a graph depends on. What the seats want is no part of it: one graph serves every payoff."""

    ruleset: Ruleset
    situation: Situation
    styles: Styles
    restrictions: tuple[Restriction, ...] = ()

    @cached_property
    def choice(self) -> Choice:
        """What is chosen without looking ahead; nothing where a seat plays its best. Raises `InputError`."""
        return fixed(self.styles, self.situation.plan, self.ruleset.rules)

    @property
    def ways(self) -> tuple[str, Mapping[str, Sequence[str]]]:
        """How the seats play as far as the graph knows it: the styles, and the plan where one of them reads it."""
        return told(self.styles), self.situation.plan if STATED & {*self.styles.values()} else {}

    def game(self, watch: Watch | None = None) -> Game:
        """The graph, extracted from the rules; it knows means, not distributions. Raises `TooLarge`."""
        return Game(
            self.ruleset.rules,
            self.situation.start,
            choice=self.choice,
            restrictions=self.restrictions,
            watch=watch,
            tallies=False,
        )


class Graph(Protocol):
    """The rows of a graph, children first, and what happens before the first decision."""

    @property
    def rows(self) -> Sequence[Row]:
        """Every decision and every way to end."""

    @property
    def start(self) -> Option:
        """Where chance leads from the start."""

    @property
    def decisions(self) -> int:
        """How many distinct decisions there are."""


class Best(Protocol):
    """A graph solved for one payoff."""

    @property
    def note(self) -> str:
        """What went wrong with keeping the graph, in words; empty when nothing did."""

    @property
    def value(self) -> Values:
        """What attacker and defender can expect, each in his own points."""

    @property
    def game(self) -> Graph:
        """The rows, states included."""

    @property
    def doubts(self) -> Sequence[str]:
        """The unverified figures that extraction met."""

    @property
    def first(self) -> tuple[str, str] | None:
        """The step of the likeliest first decision and the choice there; None without any."""

    def __contains__(self, key: Key) -> bool:
        """Does a decision come up in this graph?"""

    def taken(self, row: int) -> str:
        """The id of the option that best play takes at a row."""

    def choice(self, key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        """Best play as a policy."""

    def judged(self, key: Key) -> tuple[Judged, ...]:
        """Each option of a decision with its worth and regret."""

    def outlook(self) -> tuple[Mapping[str, Fraction], Mapping[str, Fraction]]:
        """The mean of every measure and the chance of every way to end, under best play."""

    def fingerprint(self) -> str:
        """Equal for games that no player could tell apart."""


class Graphs(Protocol):
    """Where solved graphs come from. Whichever it is, the answers are the same."""

    def best(self, asked: Asked, payoff: Payoff, watch: Watch) -> Best:
        """The graph of a question, solved for a payoff. Raises `TooLarge`."""


class Extracted:
    """Every graph is extracted from the rules, and forgotten with its answer."""

    def best(self, asked: Asked, payoff: Payoff, watch: Watch) -> Best:
        """The graph of a question, solved for a payoff. Raises `TooLarge`."""
        return FromRules(asked, Solution(asked.game(watch), payoff))


@dataclass(frozen=True)
class FromRules:
    """Best play on a graph that was extracted just now."""

    asked: Asked
    solution: Solution
    note: str = ""

    @property
    def value(self) -> Values:
        """What attacker and defender can expect, each in his own points."""
        return self.solution.value

    @property
    def game(self) -> Game:
        """The rows, states included."""
        return self.solution.game

    @property
    def doubts(self) -> Sequence[str]:
        """The unverified figures that extraction met."""
        return tuple(sorted(self.game.watch.doubts))

    @property
    def first(self) -> tuple[str, str] | None:
        """The step of the likeliest first decision and the choice there; None without any."""
        row = likeliest(self.game.start, lambda row: self.game.rows[row].seat)
        return None if row is None else (self.game.rows[row].key[0], self.taken(row))

    def __contains__(self, key: Key) -> bool:
        return key in self.solution

    def taken(self, row: int) -> str:
        """The id of the option that best play takes at a row."""
        return self.solution.best[self.game.rows[row].key]

    def choice(self, key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        """Best play as a policy."""
        return self.solution.choice(key, node)

    def judged(self, key: Key) -> tuple[Judged, ...]:
        """Each option of a decision with its worth and regret."""
        return self.solution.judged(key)

    def outlook(self) -> tuple[Mapping[str, Fraction], Mapping[str, Fraction]]:
        """The mean of every measure and the chance of every way to end, under best play: the rules followed once."""
        asked = self.asked
        names = [measure.name for measure in asked.ruleset.measures]
        rules, start = asked.ruleset.rules, asked.situation.start
        choice: Choice = lambda key, node: asked.choice(key, node) or self.choice(key, node)  # noqa: E731
        found = odds(rules, start, choice, "", names, restrictions=asked.restrictions)
        return {name: distribution.mean for name, distribution in found.measures.items()}, found.outcomes

    def fingerprint(self) -> str:
        """Equal for games that no player could tell apart."""
        return fingerprint(self.game)


def likeliest(start: Option, seat: Callable[[int], Seat | None]) -> int | None:
    """The row of the likeliest first decision, of equal ones the last; None where the overrun ends without any."""
    decisions = [(weight, row) for weight, _, row in start.arcs if seat(row) is not None]
    return max(decisions)[1] if decisions else None
