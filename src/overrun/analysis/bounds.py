"""Bounds on best play where the whole game does not fit: each seat in turn is held to a few options of every decision.

A seat that may choose less can only do worse. So the attacker's value with the attacker held is a lower bound on best
play, and with the defender held an upper one. Wider choices tighten both; they are never shown as the value itself
unless nothing was cut, or they meet.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from overrun.analysis.algebra import Choice, Key
from overrun.analysis.errors import NotZeroSum, TooLarge
from overrun.analysis.game import Game
from overrun.analysis.solve import Solution
from overrun.analysis.watch import MEGABYTE_LIMIT, ROW_LIMIT, Watch
from overrun.kernel import Decision, Exit, Payoff, Position, Restriction, Rules, Seat


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt: `held` was kept to `width` options per decision, the last ones where `last`.

    `found` is the value, or None with the reason.
    """

    held: Seat
    width: int
    found: Fraction | None
    rows: int
    seconds: float
    reason: str = ""
    last: bool = False

    @property
    def terms(self) -> str:
        """What the attempt rests on, in words."""
        place = "last " if self.last else ""
        return f"{self.held} held to {self.width} {place}option{'s' if self.width > 1 else ''} per decision"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of the attacker's value under best play; a side is None while no bound was found within the limits.

    `exact` is True when the bounds are the value. `restrictions` names, in every other case, what they rest on.
    """

    lower: Fraction | None = None
    upper: Fraction | None = None
    exact: bool = False
    tries: tuple[Try, ...] = ()

    @property
    def restrictions(self) -> tuple[str, ...]:
        """The cuts behind the bounds that stand, in words."""
        if self.exact:
            return ()
        named = []
        for held, bound in ((Seat.ATTACKER, self.lower), (Seat.DEFENDER, self.upper)):
            behind = [each.terms for each in self.tries if each.held is held and each.found == bound]
            named += behind[:1] if bound is not None else []
        return tuple(named)

    def after(self, attempt: Try, whole: bool) -> Bounds:
        """What is known after one more attempt; `whole` when it cut nothing."""
        tries = (*self.tries, attempt)
        found = attempt.found
        if found is None:
            return replace(self, tries=tries)
        if whole:
            return Bounds(found, found, True, tries)
        lower, upper = self.lower, self.upper
        if attempt.held is Seat.ATTACKER:
            lower = found if lower is None else max(lower, found)
        else:
            upper = found if upper is None else min(upper, found)
        return Bounds(lower, upper, lower == upper, tries)


class _Held:
    """One seat kept to a few options: what was best when it was held more tightly, then one of each kind of exit.

    With `last` it is kept to the options offered last: to hold, to stop, to stay out. That makes the smallest games.
    What `choice` decides without looking ahead stays as it is.
    """

    def __init__(
        self,
        rules: Rules[Any],
        seat: Seat,
        width: int,
        best: dict[Key, str],
        *,
        last: bool = False,
        choice: Choice | None = None,
    ) -> None:
        self.rules, self.seat, self.width, self.best, self.last = rules, seat, width, best, last
        self.choice, self.cut = choice, False

    def keep(self, position: Position[Any], node: Decision[Any]) -> Sequence[Exit[Any]]:
        if node.seat is not self.seat or len(node.options) <= self.width:
            return node.options
        if self.choice is not None and self.choice((position.step, position.state), node):
            return node.options
        self.cut = True
        if self.last:
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
) -> Iterator[Bounds]:
    """Ever tighter bounds on the attacker's value, until they meet, the time is over, or wider choices no longer fit.

    No seat is held to more than `widest` options: unlike a time, that bounds the work alike on every machine. `choice`
    and `restrictions` are those of the game that is bounded. Raises `NotZeroSum` when the seats have payoffs of their
    own: then holding a seat bounds nothing.
    """
    if payoff.defender is not None:
        raise NotZeroSum(
            "Bounds need one payoff that both seats play for; this one gives the defender weights of his own."
        )
    end = time.monotonic() + seconds if seconds is not None else float("inf")
    known = Bounds()
    best: dict[Seat, dict[Key, str]] = {seat: {} for seat in Seat}
    next_up = deque((seat, 1, False) for seat in (Seat.DEFENDER, Seat.ATTACKER))
    while next_up and not known.exact and (now := time.monotonic()) < end:
        # One seat's wide game must not take the time in which the other's bound would tighten.
        until = now + (end - now) / len(next_up)
        seat, width, last = next_up.popleft()
        held = _Held(rules, seat, width, best[seat], last=last, choice=choice)
        watch = Watch(row_limit, megabyte_limit)
        attempt, solution = _attempt(held, start, payoff, until, watch, restrictions=restrictions)
        known = known.after(attempt, whole=not held.cut)
        if solution is not None and not last:
            best[seat] = solution.best
            if widest is None or width * 2 <= widest:
                next_up.append((seat, width * 2, False))
        elif width == 1 and not last:
            next_up.append((seat, 1, True))
        yield known


def _attempt(
    held: _Held,
    start: Position[Any],
    payoff: Payoff,
    end: float,
    watch: Watch,
    *,
    restrictions: Sequence[Restriction],
) -> tuple[Try, Solution | None]:
    def in_time(_: Watch) -> None:
        if time.monotonic() > end:
            raise _OutOfTimeError

    watch.on_progress = in_time
    began = time.monotonic()
    cut = Restriction(f"{held.seat}_{held.width}", "a bound, not the value", held.keep)
    solution, reason = None, ""
    cuts = (*restrictions, cut)
    try:
        game = Game(held.rules, start, choice=held.choice, restrictions=cuts, watch=watch, tallies=False)
        solution = Solution(game, payoff)
    except TooLarge as error:
        reason = f"{error.reached}, and the limit is {error.limit}"
    except _OutOfTimeError:
        reason = "its share of the time is over"
    found = None if solution is None else solution.value[0]
    return Try(held.seat, held.width, found, watch.rows, time.monotonic() - began, reason, held.last), solution
