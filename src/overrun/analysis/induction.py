"""The one pass that every exact answer shares: each distinct position once, what it leads to first.

An `Algebra` says what an answer is at an end and how answers mix over weighted branches. The graph of a game, the odds
under a policy and the chance of one measure are all algebras, so none of them can read the rules differently.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Generic, Protocol, TypeVar

from overrun.analysis.errors import TooLarge
from overrun.analysis.memory import resident_megabytes, uncollected
from overrun.analysis.tally import Tally, counted, plus
from overrun.kernel import (
    Call,
    Chance,
    Decision,
    Each,
    End,
    Exit,
    Ledger,
    Position,
    Restriction,
    Return,
    Returned,
    Rules,
    RulesError,
)

Key = tuple[str, Hashable]
"""A step and what later steps read of the state there."""

A = TypeVar("A")
Branch = tuple[int, Tally, A]
"""Integer weight, what is counted on the way, and the answer there."""

Choice = Callable[[Key, Decision[Any]], Sequence[tuple[Exit[Any], int]]]
"""A policy: the exits a seat takes at a decision, with integer weights. None at all: the seat decides for itself."""


class Algebra(Protocol[A]):
    """What an answer is."""

    def end(self, outcome: str) -> A:
        """The answer where the overrun is over."""

    def mix(self, branches: Sequence[Branch[A]]) -> A:
        """The answer before branches whose weights are proportional to their chances."""

    def decide(self, key: Key, node: Decision[Any], options: Sequence[tuple[str, Tally, A]]) -> A:
        """The answer where a seat chooses; never asked when a policy chooses for it."""


@dataclass(slots=True)
class Watch:
    """Limits and progress of a long pass, and what was met on the way.

    `rows` are decisions, `positions` all distinct positions. `on_progress` is called now and then and may stop it.
    """

    row_limit: int = 50_000
    megabyte_limit: int = 512
    on_progress: Callable[[Watch], None] | None = None
    rows: int = 0
    positions: int = 0
    transitions: int = 0
    taken: set[tuple[str, str]] = field(default_factory=set)
    doubts: set[str] = field(default_factory=set)
    _floor: float = 0.0

    def start(self) -> None:
        """Measure memory from here."""
        self._floor = resident_megabytes()

    def row(self, rules: Rules[Any]) -> None:
        """Count one more decision."""
        self.rows += 1
        if self.rows > self.row_limit:
            raise TooLarge(f"{self.rows} decision rows", f"{self.row_limit}", (r.name for r in rules.restrictions))

    def position(self, rules: Rules[Any]) -> None:
        """Count one more position; every so often look at the memory and report progress."""
        self.positions += 1
        if self.positions % 2048 == 0:
            used = resident_megabytes() - self._floor
            if used > self.megabyte_limit:
                raise TooLarge(f"{used:.0f} MB", f"{self.megabyte_limit} MB", (r.name for r in rules.restrictions))
            if self.on_progress is not None:
                self.on_progress(self)

    def read(self, ledgers: Iterable[Ledger]) -> None:
        """Remember the doubtful figures of some ledgers."""
        for ledger in ledgers:
            for line in ledger.lines:
                if not line.verified:
                    self.doubts.add(f"{line.reason} ({line.cite})")


@dataclass(slots=True)
class _Open:
    """A position whose branches (by the number of the position they lead to) are known and whose answer is not yet."""

    node: Any
    branches: list[tuple[int, Tally, int]]
    ids: list[str] | None = None


@dataclass(slots=True)
class _Seen:
    """The positions met at one step: their numbers by what later steps read, and by whole states met lately."""

    step: str
    kept: dict[Any, int] = field(default_factory=dict)
    whole: dict[Any, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Way:
    """Where one exit of a step leads: to positions of a step, or back to the caller by the open exit `back`."""

    seen: _Seen
    back: str | None


@dataclass(frozen=True)
class Runs:
    """How a called procedure can come back: each return and tally with its integer weight, out of `total`."""

    total: int
    weights: dict[tuple[Returned, Tally], int]

    @cached_property
    def by_return(self) -> tuple[tuple[Returned, tuple[tuple[Tally, int], ...]], ...]:
        """The same, each return once with its tallies and their weights."""
        grouped: dict[Returned, list[tuple[Tally, int]]] = {}
        for (back, tally), weight in self.weights.items():
            grouped.setdefault(back, []).append((tally, weight))
        return tuple((back, tuple(tallies)) for back, tallies in grouped.items())


class _Returns:
    """The algebra of a called procedure: which of its open exits, in which sub-state, with which tally."""

    def end(self, outcome: str) -> Runs:
        raise RulesError(f"a called procedure ended the overrun ({outcome}); it may only return")

    def decide(self, key: Key, node: Decision[Any], options: Sequence[tuple[str, Tally, Runs]]) -> Runs:
        raise RulesError(f"{key[0]}: a called procedure must be pure chance, and {node.seat} decides here")

    def mix(self, branches: Sequence[Branch[Runs]]) -> Runs:
        common = lcm(*(runs.total for _, _, runs in branches))
        weights: dict[tuple[Returned, Tally], int] = {}
        for weight, tally, runs in branches:
            scale = weight * (common // runs.total)
            for (returned, more), w in runs.weights.items():
                key = returned, plus(tally, more)
                weights[key] = weights.get(key, 0) + w * scale
        return Runs(common * sum(weight for weight, _, _ in branches), weights)


def _came_back(returned: Returned) -> Runs:
    return Runs(1, {(returned, ()): 1})


class Induction(Generic[A]):
    """Answers of one algebra at positions of one ruleset, remembered across questions.

    Positions are numbered when they are first met, so each state is hashed once per branch that leads to it. Rules lead
    to equal states over and over, so the number of a whole state is remembered too, and `live` is asked once for each.
    """

    def __init__(
        self,
        rules: Rules[Any],
        algebra: Algebra[A],
        choice: Choice | None = None,
        *,
        restrictions: Sequence[Restriction] = (),
        watch: Watch | None = None,
        live: bool = True,
        back: Callable[[Returned], A] | None = None,
    ) -> None:
        self.rules, self.algebra, self.choice = rules, algebra, choice
        self.restrictions = tuple(restrictions)
        self.watch = watch or Watch()
        self.projects, self.back = live, back
        self._ways: dict[str, dict[str, _Way]] = {}
        self._seen: dict[str, _Seen] = {}
        self._keys: list[Key] = []
        self._answers: list[A | None] = []
        self._calls: Induction[Runs] | None = None
        self.watch.start()

    def at(self, position: Position[Any]) -> A:
        """The answer at a position. Raises `TooLarge`, and `RulesError` where the rules go in a circle.

        Play may stand in the middle of a called procedure: then the answer is mixed over the ways in which it comes
        back.
        """
        if position.caller is None and not position.results:
            with uncollected():
                return self._answer(self._number(position.step, position.state))
        ahead = self._ahead(position)
        common = lcm(*(chance.denominator for chance, _, _ in ahead))
        return self.algebra.mix([(int(chance * common), tally, self.at(after)) for chance, tally, after in ahead])

    def _ahead(self, position: Position[Any]) -> list[tuple[Fraction, Tally, Position[Any]]]:
        """The positions outside every call to which a position inside one leads, with chance and tally."""
        caller, runs = position.caller, None
        if position.results or caller is None:
            caller = position
        else:
            runs = self._procedures()._answer(self._procedures()._number(position.step, position.state))
        node = self.rules.steps[caller.step].body(caller.state)
        if not isinstance(node, (Call, Each)):
            raise RulesError(f"{self.rules.name}: {caller.step} waits for a procedure that it does not call")
        exits = self._called(caller.step, node, caller.results, runs)
        total = sum(weight for _, weight, _ in exits)
        ahead: list[tuple[Fraction, Tally, Position[Any]]] = []
        for exit, weight, before in exits:
            tally = plus(before, counted(exit.tally or {}))
            after, chance = self.rules.follow(caller, exit), Fraction(weight, total)
            if after.caller is None and not after.results:
                ahead.append((chance, tally, after))
            else:
                ahead += [(chance * more, plus(tally, also), last) for more, also, last in self._ahead(after)]
        return ahead

    def _number(self, step: str, state: Any) -> int:
        return self._numbered(self._seen_at(step), state)

    def _seen_at(self, step: str) -> _Seen:
        seen = self._seen.get(step)
        if seen is None:
            seen = self._seen[step] = _Seen(step)
        return seen

    def _numbered(self, seen: _Seen, state: Any) -> int:
        number = seen.whole.get(state)
        if number is None:
            kept = self.rules.live(seen.step, state) if self.projects else state
            fresh = len(self._keys)
            number = seen.kept.setdefault(kept, fresh)
            if number == fresh:
                self._keys.append((seen.step, kept))
                self._answers.append(None)
            if len(seen.whole) >= _WHOLE_LIMIT:
                seen.whole.clear()
            seen.whole[state] = number
        return number

    def _answer(self, start: int) -> A:
        answers, opened, stack = self._answers, dict[int, _Open](), [start]
        while stack:
            number = stack[-1]
            if answers[number] is not None:
                stack.pop()
            elif (known := opened.get(number)) is None:
                known = opened[number] = self._open(self._keys[number])
                for _, _, child in known.branches:
                    if answers[child] is None:
                        if child in opened:
                            step, state = self._keys[child]
                            raise RulesError(f"{self.rules.name}: {step} can come back to itself: {state}")
                        stack.append(child)
            else:
                stack.pop()
                del opened[number]
                answers[number] = self._close(self._keys[number], known)
        answer = answers[start]
        assert answer is not None
        return answer

    def _open(self, key: Key) -> _Open:
        step, state = key
        self.watch.position(self.rules)
        if step == _BACK:
            return _Open(state, [])
        node = self.rules.steps[step].body(state)
        if isinstance(node, Chance):
            self.watch.read(node.ledgers)
            then = node.then
            return _Open(node, self._merged(step, [(then(value), weight, ()) for value, weight in node.dice.outcomes]))
        if isinstance(node, Decision):
            self.watch.read(node.ledgers)
            return self._decision(key, node)
        if isinstance(node, Exit):
            return _Open(node, self._merged(step, [(node, 1, ())]))
        if isinstance(node, End):
            return _Open(self.rules.ends(step, node), [])
        return _Open(node, self._merged(step, self._called(step, node)))

    def _decision(self, key: Key, node: Decision[Any]) -> _Open:
        options: Sequence[Exit[Any]] = node.options
        for restriction in self.restrictions:
            options = restriction.keep(Position(*key), Decision(node.seat, tuple(options), node.refused))
        if not options:
            raise RulesError(f"{self.rules.name}: {key[0]} offers {node.seat} no option")
        if self.choice is not None:
            chosen = self.choice(key, Decision(node.seat, tuple(options), node.refused))
            if chosen:
                return _Open(node, self._merged(key[0], [(exit, weight, ()) for exit, weight in chosen]))
        self.watch.row(self.rules)
        self.watch.transitions += len(options)
        ways = self._ways.setdefault(key[0], {})
        led = [self._led(key[0], ways, exit) for exit in options]
        branches = [(1, tally, child) for child, tally in led]
        return _Open(node, branches, [exit.id for exit in options])

    def _procedures(self) -> Induction[Runs]:
        """How called procedures come back."""
        if self._calls is None:
            self._calls = Induction(self.rules, _Returns(), watch=self.watch, live=self.projects, back=_came_back)
            self._calls._calls = self._calls
        return self._calls

    def _called(
        self, step: str, node: Call[Any] | Each[Any], done: Sequence[Returned] = (), current: Runs | None = None
    ) -> list[tuple[Exit[Any], int, Tally]]:
        """The weighted exits of a call; `done` are the runs that came back already, `current` the one under way."""
        if node.procedure not in self.rules.steps[step].calls:
            raise RulesError(f"{self.rules.name}: {step} does not declare that it calls {node.procedure!r}")
        calls, entry = self._procedures(), self.rules.entry_of(node.procedure)
        if isinstance(node, Call):
            runs = current or calls._answer(calls._number(entry, node.sub))
            return [(node.then(back), weight, tally) for (back, tally), weight in runs.weights.items()]
        start = node.state
        for index, returned in enumerate(done):
            start = node.fold(start, index, returned)
        merged: dict[Any, dict[Tally, int]] = {start: {(): 1}}
        for index, sub in enumerate(node.subs[len(done) :], len(done)):
            under_way = current if index == len(done) else None
            ways = (under_way or calls._answer(calls._number(entry, sub))).by_return
            following: dict[Any, dict[Tally, int]] = {}
            for state, tallies in merged.items():
                for back, mores in ways:
                    into = following.setdefault(node.fold(state, index, back), {})
                    for tally, weight in tallies.items():
                        for more, w in mores:
                            key = plus(tally, more)
                            into[key] = into.get(key, 0) + weight * w
            merged = following
        leaving = [(node.then(state), tallies) for state, tallies in merged.items()]
        return [(exit, weight, tally) for exit, tallies in leaving for tally, weight in tallies.items()]

    def _merged(self, step: str, exits: Sequence[tuple[Exit[Any], int, Tally]]) -> list[tuple[int, Tally, int]]:
        self.watch.transitions += len(exits)
        ways = self._ways.setdefault(step, {})
        merged: dict[tuple[Tally, int], int] = {}
        last: Exit[Any] | None = None
        for exit, weight, before in exits:
            if exit is not last:
                child, tally = self._led(step, ways, exit)
                last = exit
            key = (plus(before, tally) if before else tally), child
            merged[key] = merged.get(key, 0) + weight
        return [(weight, tally, child) for (tally, child), weight in merged.items()]

    def _led(self, step: str, ways: dict[str, _Way], exit: Exit[Any]) -> tuple[int, Tally]:
        """The number of the position that an exit leads to, and what it counts."""
        way = ways.get(exit.name)
        if way is None:
            way = ways[exit.name] = self._way(step, exit)
        state = exit.state if way.back is None else Returned(way.back, exit.state)
        child = way.seen.whole.get(state)
        if child is None:
            child = self._numbered(way.seen, state)
        if exit.ledgers:
            self.watch.read(exit.ledgers)
        return child, counted(exit.tally) if exit.tally else ()

    def _way(self, step: str, exit: Exit[Any]) -> _Way:
        target = self.rules.target(step, exit)
        self.watch.taken.add((step, exit.name))
        if isinstance(target, Return):
            return _Way(self._seen_at(_BACK), target.exit)
        return _Way(self._seen_at(target), None)

    def _close(self, key: Key, known: _Open) -> A:
        # Every branch has its answer by now: children are closed before their parents.
        answers: Sequence[Any] = self._answers
        node = known.node
        if known.ids is not None:
            options = [
                (id, tally, answers[child]) for id, (_, tally, child) in zip(known.ids, known.branches, strict=True)
            ]
            return self.algebra.decide(key, node, options)
        if isinstance(node, Returned):
            if self.back is None:
                raise RulesError(f"{self.rules.name}: {node.exit} returns, but nothing called it")
            return self.back(node)
        if isinstance(node, End):
            return self.algebra.end(node.outcome)
        return self.algebra.mix([(weight, tally, answers[child]) for weight, tally, child in known.branches])


_BACK = "(return)"
_WHOLE_LIMIT = 20_000
"""Whole states remembered at each step; beyond it they are forgotten, which costs time and changes nothing."""
