"""Bounds on best play where the whole game does not fit: each seat in turn is held to a few options of every decision.

A seat that may choose less can only do worse. So the attacker's value with the attacker held is a lower bound on best
play, and with the defender held an upper one. Wider choices tighten both; they are never shown as the value itself
unless nothing was cut, or they meet. Where the rules have restrictions of a seat it is first held by these, which know
what little they cost.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from overrun.analysis.algebra import Choice, Key
from overrun.analysis.errors import NotZeroSum, TooLarge
from overrun.analysis.game import Game
from overrun.analysis.solve import Solution
from overrun.analysis.watch import MEGABYTE_LIMIT, ROW_LIMIT, Watch
from overrun.kernel import Decision, Exit, Payoff, Position, Restriction, Rules, Seat, cut

Span = tuple[Fraction | None, Fraction | None]
"""A lower and an upper bound, as far as they are known."""


def to_seat(span: Span, seat: Seat) -> Span:
    """Bounds on what something is worth to the attacker, as a seat sees them.

    >>> to_seat((Fraction(-1), None), Seat.DEFENDER)
    (None, Fraction(1, 1))
    """
    lower, upper = span
    if seat is Seat.ATTACKER:
        return span
    return None if upper is None else -upper, None if lower is None else -lower


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt: `held` was kept to `width` options per decision, the last ones where `last`.

    `by` names restrictions of that seat in force as well. `found` is the value, or None with the reason.
    """

    held: Seat
    width: int
    found: Fraction | None
    rows: int
    seconds: float
    reason: str = ""
    last: bool = False
    by: tuple[str, ...] = ()
    cut: bool = True
    """Did the width cut anything?"""
    first: Mapping[str, Fraction] = field(default_factory=dict)
    """What each option of the decision at the start is worth to the attacker then."""

    @property
    def whole(self) -> bool:
        """Was nothing cut?"""
        return not self.cut and not self.by

    @property
    def terms(self) -> str:
        """What the attempt rests on, in words."""
        place = "last " if self.last else ""
        width = f"to {self.width} {place}option{'s' if self.width > 1 else ''} per decision"
        held = [f"by {', '.join(self.by)}"] if self.by else []
        held += [width] if self.cut or not self.by else []
        return f"{self.held} held {' and '.join(held)}"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of the attacker's value under best play; a side is None while no bound was found within the limits.

    `exact` is True when the bounds are the value. `restrictions` names, in every other case, what they rest on.
    """

    lower: Fraction | None = None
    upper: Fraction | None = None
    exact: bool = False
    tries: tuple[Try, ...] = ()
    first: Mapping[str, Span] = field(default_factory=dict)
    """For each option of the decision at the start, bounds on what it is worth to the attacker; empty without one."""

    @property
    def restrictions(self) -> tuple[str, ...]:
        """The cuts that bounds which are not the value rest on, in words."""
        return () if self.exact else self._behind

    @property
    def proof(self) -> tuple[str, ...]:
        """Where the bounds meet: under which cuts, one for each seat. Nothing where the whole game was answered."""
        answered = any(each.whole and each.found is not None for each in self.tries)
        return self._behind if self.exact and not answered else ()

    @property
    def _behind(self) -> tuple[str, ...]:
        named = []
        for held, bound in ((Seat.ATTACKER, self.lower), (Seat.DEFENDER, self.upper)):
            behind = [each.terms for each in self.tries if each.held is held and each.found == bound]
            named += behind[:1] if bound is not None else []
        return tuple(named)

    def best(self, seat: Seat) -> str | None:
        """The option of the decision at the start that is proved best for the seat that has it; None where none is."""
        for id, span in self.first.items():
            others = [other for name, other in self.first.items() if name != id]
            if seat is Seat.ATTACKER and all(_no_less(span[0], upper) for _, upper in others):
                return id
            if seat is Seat.DEFENDER and all(_no_less(lower, span[1]) for lower, _ in others):
                return id
        return None

    def after(self, attempt: Try) -> Bounds:
        """What is known after one more attempt."""
        tries = (*self.tries, attempt)
        found = attempt.found
        if found is None:
            return replace(self, tries=tries)
        lower, upper = _tightened((self.lower, self.upper), attempt, found)
        worths = attempt.first
        first = {id: _tightened(s, attempt, worths[id]) if id in worths else s for id, s in self.first.items()}
        return Bounds(lower, upper, lower == upper, tries, first)


def _no_less(one: Fraction | None, two: Fraction | None) -> bool:
    return one is not None and two is not None and one >= two


def _tightened(known: Span, attempt: Try, found: Fraction) -> Span:
    lower, upper = known
    if attempt.whole or attempt.held is Seat.ATTACKER:
        lower = found if lower is None else max(lower, found)
    if attempt.whole or attempt.held is Seat.DEFENDER:
        upper = found if upper is None else min(upper, found)
    return lower, upper


@dataclass(frozen=True, slots=True)
class _Rung:
    """How a seat is held: to so many options per decision, the last ones where `last`, and `by` restrictions."""

    seat: Seat
    width: int
    by: tuple[Restriction, ...] = ()
    last: bool = False

    def after(self, attempt: Try, own: tuple[Restriction, ...], widest: int | None) -> _Rung | None:
        """How the seat is held next, more loosely where the attempt fitted; None where nothing is left to try."""
        if self.last:
            return _Rung(self.seat, 1, own) if self.seat is Seat.ATTACKER else None
        if attempt.found is None:
            tightest = self.width == 1 and self.seat is Seat.DEFENDER
            return _Rung(self.seat, 1, last=True) if tightest else None
        too_wide = widest is not None and self.width * 2 > widest
        if self.by and (too_wide or not attempt.cut):
            return _Rung(self.seat, 1)
        return None if too_wide else replace(self, width=self.width * 2)


class _Held:
    """A seat kept to a few options: what was best when it was held more tightly, then one of each kind of exit.

    To the last options offered it is kept to hold, to stop, to stay out. That makes the smallest games. What `choice`
    decides without looking ahead stays as it is.
    """

    def __init__(
        self, rules: Rules[Any], rung: _Rung, best: Mapping[Key, str], *, choice: Choice | None = None
    ) -> None:
        self.rules, self.rung, self.width, self.best = rules, rung, rung.width, best
        self.choice, self.cut = choice, False

    def keep(self, position: Position[Any], node: Decision[Any]) -> Sequence[Exit[Any]]:
        if len(node.options) <= self.width:
            return node.options
        if self.choice is not None and self.choice((position.step, position.state), node):
            return node.options
        self.cut = True
        if self.rung.last:
            return node.options[-self.width :]
        known = self.best.get((position.step, position.state))
        met: dict[str, int] = {}
        rank: dict[str, tuple[bool, int]] = {}
        for exit in node.options:
            met[exit.name] = met.get(exit.name, 0) + 1
            rank[exit.id] = exit.id != known, met[exit.name]
        kept = {exit.id for exit in sorted(node.options, key=lambda exit: rank[exit.id])[: self.width]}
        return tuple(exit for exit in node.options if exit.id in kept)


class _OutOfTimeError(Exception):
    pass


def bounds(  # noqa: PLR0913  (each says what is bounded, or bounds the work)
    rules: Rules[Any],
    start: Position[Any],
    payoff: Payoff,
    *,
    seconds: float | None = None,
    widest: int | None = None,
    choice: Choice | None = None,
    restrictions: Sequence[Restriction] = (),
    row_limit: int = ROW_LIMIT,
    megabyte_limit: int = MEGABYTE_LIMIT,
    on_progress: Callable[[Watch], None] | None = None,
) -> Iterator[Bounds]:
    """Ever tighter bounds on the attacker's value, until they meet, the time is over, or wider choices no longer fit.

    No seat is held to more than `widest` options: unlike a time, that bounds the work alike on every machine. `choice`
    and `restrictions` are those of the game that is bounded. `on_progress` is called now and then. Raises `NotZeroSum`
    when the seats have payoffs of their own: then holding a seat bounds nothing.
    """
    if payoff.defender is not None:
        raise NotZeroSum(
            "Bounds need one payoff that both seats play for; this one gives the defender weights of his own."
        )
    end = time.monotonic() + seconds if seconds is not None else float("inf")
    known = Bounds(first=dict.fromkeys(_options(rules, start, choice, restrictions), (None, None)))
    best: dict[_Rung, dict[Key, str]] = {}
    own = {seat: _own(rules, seat, restrictions) for seat in Seat}
    # The attacker may always stay out: a bound that costs nothing.
    next_up = deque((_Rung(Seat.ATTACKER, 1, last=True), _Rung(Seat.DEFENDER, 1, own[Seat.DEFENDER])))
    while next_up and not known.exact and (now := time.monotonic()) < end:
        # One seat's wide game must not take the time in which the other's bound would tighten.
        until = now + (end - now) * (Fraction(2, 3) if len(next_up) > 1 else 1)
        rung = next_up.popleft()
        held = _Held(rules, rung, best.get(replace(rung, width=1), {}), choice=choice)
        watch = Watch(row_limit, megabyte_limit, on_progress)
        attempt, solution = _attempt(held, start, payoff, until, watch, restrictions=restrictions)
        known = known.after(attempt)
        if solution is not None and not rung.last:
            best[replace(rung, width=1)] = solution.best
        if (after := rung.after(attempt, own[rung.seat], widest)) is not None:
            next_up.append(after)
        yield known


def _own(rules: Rules[Any], seat: Seat, others: Sequence[Restriction]) -> tuple[Restriction, ...]:
    """The restrictions of a seat that cost it little, as far as they are not in force already."""
    return tuple(each for each in rules.restrictions if each.seat is seat and not each.harsh and each not in others)


def _attempt(
    held: _Held,
    start: Position[Any],
    payoff: Payoff,
    end: float,
    watch: Watch,
    *,
    restrictions: Sequence[Restriction],
) -> tuple[Try, Solution | None]:
    told = watch.on_progress

    def in_time(watch: Watch) -> None:
        if time.monotonic() > end:
            raise _OutOfTimeError
        if told is not None:
            told(watch)

    watch.on_progress = in_time
    began, rung = time.monotonic(), held.rung
    width = Restriction(f"{rung.seat}_{rung.width}", "a bound, not the value", rung.seat, held.keep)
    solution, reason, first = None, "", dict[str, Fraction]()
    cuts = (*restrictions, *rung.by, width)
    try:
        game = Game(held.rules, start, choice=held.choice, restrictions=cuts, watch=watch, tallies=False)
        solution = Solution(game, payoff)
        first = _worths(held, start, cuts, solution)
    except TooLarge as error:
        reason = f"{error.reached}, and the limit is {error.limit}"
    except _OutOfTimeError:
        reason = "its share of the time is over"
    found = None if solution is None else solution.value[0]
    by = tuple(each.name for each in rung.by)
    seconds = time.monotonic() - began
    attempt = Try(rung.seat, rung.width, found, watch.rows, seconds, reason, rung.last, by, held.cut, first)
    return attempt, solution


def _options(
    rules: Rules[Any], start: Position[Any], choice: Choice | None, cuts: Sequence[Restriction]
) -> tuple[str, ...]:
    """The options of the decision at the start; none where there is nothing to decide, or a policy decides."""
    node = rules.at(start)
    if not isinstance(node, Decision):
        return ()
    left = cut(cuts, start, node)
    if choice is not None and choice((start.step, rules.under(cuts).live(start.step, start.state)), left):
        return ()
    return tuple(exit.id for exit in left.options)


def _worths(held: _Held, start: Position[Any], cuts: Sequence[Restriction], solution: Solution) -> dict[str, Fraction]:
    """What options of the decision at the start are worth to the attacker; where one is left, that is the value."""
    left = _options(held.rules, start, held.choice, cuts)
    if len(left) == 1:
        return {left[0]: solution.value[0]}
    key = start.step, held.rules.under(cuts).live(start.step, start.state)
    node = held.rules.at(start)
    if key not in solution or not isinstance(node, Decision):
        return {}
    sign = 1 if node.seat is Seat.ATTACKER else -1
    return {option.id: sign * option.worth for option in solution.judged(key)}
