"""The one pass that every exact answer shares: each distinct position once, what it leads to first.

An `Algebra` says what an answer is at an end and how answers mix over weighted branches. The graph of a game, the odds
under a policy and the chance of one measure are all algebras, so none of them can read the rules differently.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any, Generic, Protocol, TypeVar

from overrun.analysis.errors import TooLarge
from overrun.analysis.memory import resident_megabytes
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

Tally = tuple[tuple[str, int], ...]
"""Increments of named measures, sorted by name; zero increments left out."""

A = TypeVar("A")
Branch = tuple[int, Tally, A]
"""Integer weight, what is counted on the way, and the answer there."""

Choice = Callable[[Key, Decision[Any]], Sequence[tuple[Exit[Any], int]]]
"""A policy: the exits a seat takes at a decision, with integer weights."""


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
    """A position whose branches are known and whose answer is not yet. `call` waits for called procedures first."""

    node: Any
    branches: list[tuple[int, Tally, Key]]
    ids: list[str] | None = None
    call: bool = False


@dataclass(frozen=True, slots=True)
class Runs:
    """How a called procedure can come back: each return and tally with its integer weight, out of `total`."""

    total: int
    weights: dict[tuple[Returned, Tally], int]


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
    """Answers of one algebra at positions of one ruleset, remembered across questions."""

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
        self.answers: dict[Key, A] = {}
        self._calls: Induction[Runs] | None = None
        self.watch.start()

    def key(self, step: str, state: Any) -> Key:
        """The memo key of a state at a step."""
        return step, (self.rules.live(step, state) if self.projects else state)

    def at(self, position: Position[Any]) -> A:
        """The answer at a position. Raises `TooLarge`, and `RulesError` where the rules go in a circle."""
        return self._answer(self.key(position.step, position.state))

    def _answer(self, start: Key) -> A:
        answers, opened, stack = self.answers, dict[Key, _Open](), [start]
        while stack:
            key = stack[-1]
            if key in answers:
                stack.pop()
            elif (known := opened.get(key)) is None or known.call:
                fresh = self._open(key) if known is None else self._called(known, key[0])
                opened[key] = fresh
                for _, _, child in fresh.branches:
                    if child not in answers:
                        if child in opened:
                            raise RulesError(f"{self.rules.name}: {child[0]} can come back to itself: {child[1]}")
                        stack.append(child)
            else:
                stack.pop()
                answers[key] = self._close(key, opened.pop(key))
        return answers[start]

    def _open(self, key: Key) -> _Open:
        step, state = key
        self.watch.position(self.rules)
        if step == _BACK:
            return _Open(state, [])
        node = self.rules.steps[step].body(state)
        if isinstance(node, Chance):
            self._read(node.ledgers)
            then = node.then
            return _Open(node, self._merged(step, ((then(value), weight, ()) for value, weight in node.dice.outcomes)))
        if isinstance(node, Decision):
            self._read(node.ledgers)
            return self._decision(key, node)
        if isinstance(node, Exit):
            return _Open(node, self._merged(step, ((node, 1, ()),)))
        if isinstance(node, End):
            return _Open(self.rules.ends(step, node), [])
        return self._called(_Open(node, [], call=True), step)

    def _decision(self, key: Key, node: Decision[Any]) -> _Open:
        options: Sequence[Exit[Any]] = node.options
        for restriction in self.restrictions:
            options = restriction.keep(Position(*key), Decision(node.seat, tuple(options), node.refused))
        if not options:
            raise RulesError(f"{self.rules.name}: {key[0]} offers {node.seat} no option")
        if self.choice is not None:
            chosen = self.choice(key, Decision(node.seat, tuple(options), node.refused))
            return _Open(node, self._merged(key[0], ((exit, weight, ()) for exit, weight in chosen)))
        self.watch.row(self.rules)
        branches = [self._branch(key[0], exit) for exit in options]
        return _Open(node, [(1, *branch) for branch in branches], [exit.id for exit in options])

    def _called(self, known: _Open, step: str) -> _Open:
        node: Call[Any] | Each[Any] = known.node
        if self._calls is None:
            self._calls = Induction(self.rules, _Returns(), watch=self.watch, live=self.projects, back=_came_back)
            self._calls._calls = self._calls
        entry = self.rules.entry_of(node.procedure)
        if isinstance(node, Call):
            runs = self._calls._answer(self._calls.key(entry, node.sub))
            exits = ((node.then(back), weight, tally) for (back, tally), weight in runs.weights.items())
            return _Open(node, self._merged(step, exits))
        merged: dict[tuple[Any, Tally], int] = {(node.state, ()): 1}
        for index, sub in enumerate(node.subs):
            runs = self._calls._answer(self._calls.key(entry, sub))
            following: dict[tuple[Any, Tally], int] = {}
            for (state, tally), weight in merged.items():
                for (back, more), w in runs.weights.items():
                    pair = node.fold(state, index, back), plus(tally, more)
                    following[pair] = following.get(pair, 0) + weight * w
            merged = following
        return _Open(
            node, self._merged(step, ((node.then(state), weight, tally) for (state, tally), weight in merged.items()))
        )

    def _branch(self, step: str, exit: Exit[Any]) -> tuple[Tally, Key]:
        self.watch.transitions += 1
        self.watch.taken.add((step, exit.name))
        if exit.ledgers:
            self._read(exit.ledgers)
        target = self.rules.target(step, exit)
        tally = tuple(sorted(exit.tally.items())) if exit.tally else ()
        if isinstance(target, Return):
            return tally, (_BACK, Returned(target.exit, exit.state))
        return tally, self.key(target, exit.state)

    def _merged(self, step: str, exits: Iterable[tuple[Exit[Any], int, Tally]]) -> list[tuple[int, Tally, Key]]:
        merged: dict[tuple[Tally, Key], int] = {}
        for exit, weight, before in exits:
            tally, child = self._branch(step, exit)
            key = (plus(before, tally) if before else tally), child
            merged[key] = merged.get(key, 0) + weight
        return [(weight, tally, child) for (tally, child), weight in merged.items()]

    def _close(self, key: Key, known: _Open) -> A:
        answers, node = self.answers, known.node
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

    def _read(self, ledgers: Iterable[Ledger]) -> None:
        self.watch.read(ledgers)


_BACK = "(return)"


def plus(one: Tally, two: Tally) -> Tally:
    """The sum of two tallies."""
    if not one or not two:
        return one or two
    counts = dict(one)
    for name, count in two:
        counts[name] = counts.get(name, 0) + count
    return tuple(sorted(counts.items()))
