"""What a ruleset shows to the readers: play, analysis, drawing, command line and web know no more of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from overrun.kernel.cite import Cite
from overrun.kernel.dice import Face
from overrun.kernel.errors import InputError, Problem
from overrun.kernel.measure import Measure, Payoff
from overrun.kernel.node import Decision, Position
from overrun.kernel.rules import Rules
from overrun.kernel.ruling import Rulings
from overrun.kernel.seat import Seat
from overrun.kernel.table import Table


@dataclass(frozen=True, slots=True)
class Situation:
    """One real situation, read from a file and ready to be played or priced.

    `plan` is the stated choices: for a step, the options preferred there, best first. `dice` are rolls already stated,
    in order. `unverified` names each counter or figure of the file whose printed value is doubtful. `hidden` names what
    only one seat knows: while it is not empty, exact answers are refused.
    """

    title: str
    start: Position[Any]
    rulings: Mapping[str, str]
    plan: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dice: tuple[Face, ...] = ()
    unverified: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    document: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Simplification:
    """A named change of a situation file that leaves a rule out, for analyses too large with it. Play never uses it.

    The answer is exact, and of another game: it says so. `changes` are keys of the file; `applies` says of a starting
    state whether they change anything there.
    """

    name: str
    reason: str
    changes: Mapping[str, Any]
    applies: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A system: its rules, its files and its words.

    `load` turns a parsed TOML document into a `Situation` and raises `InputError` with every problem. `describe` puts a
    state into lines that a player reads (the end state of an overrun, or where it stands); `told`, where seats know
    different things, does so for one seat. `simplifications` leave rules out of analyses. `picture`, if there is one,
    draws a situation as SVG, at its start or at a given state. `moments` are those for which a player may ask what
    would be legal then, without playing: each names a decision step and makes its decision from a starting state.
    """

    id: str
    title: str
    version: str
    edition: str
    cite: Cite
    seats: Mapping[Seat, str]
    rules: Rules[Any]
    rulings: Rulings
    measures: tuple[Measure, ...]
    payoffs: tuple[Payoff, ...]
    tables: Callable[[], Sequence[Table[Any]]]
    load: Callable[[Mapping[str, Any]], Situation]
    schema: Callable[[], Mapping[str, Any]]
    starter: Callable[[], str]
    describe: Callable[[Any], Sequence[str]]
    picture: Callable[[Situation, Any | None], str] | None = None
    moments: Mapping[str, tuple[str, Callable[[Any], Decision[Any]]]] = field(default_factory=dict)
    told: Callable[[Any, Seat], Sequence[str]] | None = None
    simplifications: tuple[Simplification, ...] = ()

    def simplified(self, situation: Situation, names: Sequence[str]) -> Situation:
        """The situation under simplifications, from its start.

        Raises `InputError` naming those that exist, and for a situation in the middle of play.
        """
        known = {each.name: each for each in self.simplifications}
        if unknown := [name for name in names if name not in known]:
            allowed = ", ".join(known) or "this game has none"
            raise InputError(Problem("simplify", f"there is no simplification {name!r}", allowed) for name in unknown)
        changes: dict[str, Any] = {}
        for name in names:
            changes |= known[name].changes
        if not changes:
            return situation
        if situation.start != self.load(situation.document).start:
            raise InputError([Problem("simplify", "play has begun already", "the situation as its file states it")])
        return self.load({**situation.document, **changes})

    def simpler(self, situation: Situation) -> tuple[Simplification, ...]:
        """The simplifications that leave something out of a situation."""
        return tuple(each for each in self.simplifications if each.applies(situation.start.state))

    def stands(self, state: Any, viewer: Seat | None = None) -> Sequence[str]:
        """How things stand, in lines, as far as a seat knows it; all of it without a seat."""
        return self.describe(state) if viewer is None or self.told is None else self.told(state, viewer)

    def payoff(self, name: str | None = None) -> Payoff:
        """The payoff preset of that name; the first preset when no name is given. Raises `KeyError`."""
        if name is None:
            return self.payoffs[0]
        return {payoff.name: payoff for payoff in self.payoffs}[name]
