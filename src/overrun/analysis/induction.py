"""The one pass that every exact answer shares: each distinct position once, what it leads to first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, Generic, cast

from overrun.analysis.algebra import A, Algebra, Choice, Counting, Gained, Key, Separate
from overrun.analysis.memory import uncollected
from overrun.analysis.returns import Returns, Runs, came_back
from overrun.analysis.tally import ALONE, Spread, Tally, counted, mixed, plus
from overrun.analysis.watch import Watch
from overrun.kernel import (
    Call,
    Chance,
    Decision,
    Each,
    End,
    Exit,
    Node,
    Position,
    Restriction,
    Return,
    Returned,
    Rules,
    RulesError,
    cut,
)


@dataclass(slots=True)
class _Open:
    """A position whose branches (by the number of the position they lead to) are known and whose answer is not yet."""

    node: Any
    branches: list[tuple[int, Tally, int]]
    gained: Gained = field(default_factory=dict)
    ids: list[str] | None = None
    spreads: list[tuple[Spread, int]] | None = None
    """The branches where each measure is counted for itself."""

    def children(self) -> Iterator[int]:
        """The numbers of the positions that it leads to."""
        if self.spreads is not None:
            return (child for _, child in self.spreads)
        return (child for _, _, child in self.branches)


@dataclass(slots=True)
class _Seen:
    """The positions met at one step: their numbers by what later steps read, and by whole states met lately."""

    step: str
    forgets: bool
    kept: dict[Any, int] = field(default_factory=dict)
    whole: dict[Any, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Way:
    """Where one exit of a step leads: to positions of a step, or back to the caller by the open exit `back`."""

    seen: _Seen
    back: str | None


@dataclass(slots=True)
class _Exits:
    """Exits of a step with their integer weights and what was counted before each; `gained` over all of them."""

    exits: list[tuple[Exit[Any], int, Tally]]
    gained: Gained = field(default_factory=dict)
    spreads: list[tuple[Exit[Any], Spread]] | None = None
    """The same where each measure is counted for itself; the weight is that of the spread."""


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
        self.rules, self.algebra, self.choice = rules.under(restrictions), algebra, choice
        self.restrictions = rules.in_order(restrictions)
        self.watch = watch or Watch()
        self.projects, self.back = live, back
        self.separate = algebra.counting is Counting.SEPARATE
        self._ways: dict[str, dict[str, _Way]] = {}
        self._seen: dict[str, _Seen] = {}
        self._keys: list[Key] = []
        self._answers: list[A | None] = []
        self._waiting: dict[int, Node[Any]] = {}
        self._passing: set[Key] = set()
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
        if self.separate:
            apart = self._spread_ahead(position)
            whole = lcm(*(chance.denominator for chance, _, _ in apart))
            blend = cast("Separate[A]", self.algebra).blend
            return blend([(spread.weighing(int(chance * whole)), self.at(after)) for chance, spread, after in apart])
        ahead, gained = self._ahead(position)
        common = lcm(*(chance.denominator for chance, _, _ in ahead), *(mean.denominator for mean in gained.values()))
        return self.algebra.mix(
            [(int(chance * common), tally, self.at(after)) for chance, tally, after in ahead],
            {name: int(mean * common) for name, mean in gained.items()},
        )

    def _ahead(
        self, position: Position[Any]
    ) -> tuple[list[tuple[Fraction, Tally, Position[Any]]], dict[str, Fraction]]:
        """The positions outside every call to which a position inside one leads, with chance and tally.

        Also the means of what is counted on the way, where means do.
        """
        caller, called = self._waiting_call(position)
        total = sum(weight for _, weight, _ in called.exits)
        ahead: list[tuple[Fraction, Tally, Position[Any]]] = []
        gained = {name: Fraction(count, total) for name, count in called.gained.items()}
        for exit, weight, before in called.exits:
            tally = plus(before, counted(exit.tally or {}))
            after, chance = self.rules.follow(caller, exit), Fraction(weight, total)
            if after.caller is None and not after.results:
                ahead.append((chance, tally, after))
                continue
            further, more = self._ahead(after)
            ahead += [(chance * part, plus(tally, also), last) for part, also, last in further]
            for name, mean in more.items():
                gained[name] = gained.get(name, Fraction(0)) + chance * mean
        return ahead, gained

    def _spread_ahead(self, position: Position[Any]) -> list[tuple[Fraction, Spread, Position[Any]]]:
        """The same where each measure is counted for itself."""
        caller, called = self._waiting_call(position)
        found = called.spreads or []
        total = sum(spread.weight for _, spread in found)
        ahead: list[tuple[Fraction, Spread, Position[Any]]] = []
        for exit, before in found:
            spread, chance = before.after(counted(exit.tally or {})), Fraction(before.weight, total)
            after = self.rules.follow(caller, exit)
            if after.caller is None and not after.results:
                ahead.append((chance, spread, after))
                continue
            ahead += [(chance * part, spread.plus(also), last) for part, also, last in self._spread_ahead(after)]
        return ahead

    def _waiting_call(self, position: Position[Any]) -> tuple[Position[Any], _Exits]:
        """The position whose call is under way at another one, and how that call will be left."""
        caller, runs = position.caller, None
        if position.results or caller is None:
            caller = position
        else:
            runs = self._procedures()._answer(self._procedures()._number(position.step, position.state))
        node = self.rules.steps[caller.step].body(caller.state)
        if not isinstance(node, (Call, Each)):
            raise RulesError(f"{self.rules.name}: {caller.step} waits for a procedure that it does not call")
        return caller, self._called(caller.step, node, caller.results, runs)

    def _number(self, step: str, state: Any) -> int:
        seen = self._seen_at(step)
        # Where a question starts, nothing was forgotten at a step before.
        kept = self.rules.live(step, state) if self.projects and not seen.forgets else state
        return self._numbered(seen, kept)

    def _seen_at(self, step: str) -> _Seen:
        seen = self._seen.get(step)
        if seen is None:
            known = self.rules.steps.get(step)
            seen = self._seen[step] = _Seen(step, self.projects and known is not None and not known.carries)
        return seen

    def _numbered(self, seen: _Seen, state: Any) -> int:
        number = seen.whole.get(state)
        if number is None:
            kept = self.rules.live(seen.step, state) if seen.forgets else state
            number = seen.kept.get(kept)
            if number is None:
                number = seen.kept[kept] = self._met((seen.step, kept))
            if len(seen.whole) >= _WHOLE_LIMIT:
                seen.whole.clear()
            seen.whole[state] = number
        return number

    def _met(self, key: Key) -> int:
        """The number of a position met for the first time: of another one where it only leads on and counts nothing."""
        if key[0] == _BACK:
            return self._fresh(key)
        node = self._asked(key)
        if not isinstance(node, Exit) or node.tally:
            number = self._fresh(key)
            self._waiting[number] = node
            return number
        if key in self._passing:
            raise RulesError(f"{self.rules.name}: {key[0]} can come back to itself: {key[1]}")
        self._passing.add(key)
        try:
            number, _ = self._led(key[0], self._ways.setdefault(key[0], {}), node)
        finally:
            self._passing.remove(key)
        return number

    def _asked(self, key: Key) -> Node[Any]:
        node = self.rules.steps[key[0]].body(key[1])
        return self._left(key, node) if isinstance(node, Decision) else node

    def _fresh(self, key: Key) -> int:
        self._keys.append(key)
        self._answers.append(None)
        return len(self._keys) - 1

    def _answer(self, start: int) -> A:
        answers, opened, stack = self._answers, dict[int, _Open](), [start]
        while stack:
            number = stack[-1]
            if answers[number] is not None:
                stack.pop()
            elif (known := opened.get(number)) is None:
                known = opened[number] = self._open(number)
                for child in known.children():
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

    def _open(self, number: int) -> _Open:
        step, state = key = self._keys[number]
        self.watch.position(self.rules)
        if step == _BACK:
            return _Open(state, [])
        # It waits since it was met, unless a pass that was stopped had taken it up already.
        node = self._waiting.pop(number, None) or self._asked(key)
        if isinstance(node, Chance):
            self.watch.read(node.ledgers)
            then = node.then
            rolled = _Exits([(then(value), weight, ()) for value, weight in node.dice.outcomes])
            return self._merged(step, node, rolled)
        if isinstance(node, Decision):
            return self._decision(key, node)
        if isinstance(node, Exit):
            return self._merged(step, node, _Exits([(node, 1, ())]))
        if isinstance(node, End):
            return _Open(self.rules.ends(step, node), [])
        return self._merged(step, node, self._called(step, node))

    def _left(self, key: Key, node: Decision[Any]) -> Decision[Any] | Exit[Any]:
        """A decision as restrictions leave it; where they or a policy leave one option it is automatic."""
        self.watch.read(node.ledgers)
        left = cut(self.restrictions, Position(*key), node)
        options = left.options
        if not options:
            raise RulesError(f"{self.rules.name}: {key[0]} offers {node.seat} no option")
        if len(options) == 1 and left is not node:
            return options[0]
        if self.choice is not None:
            chosen = self.choice(key, left)
            if len(chosen) == 1:
                return chosen[0][0]
        return left

    def _decision(self, key: Key, node: Decision[Any]) -> _Open:
        if self.choice is not None:
            chosen = self.choice(key, node)
            if chosen:
                return self._merged(key[0], node, _Exits([(exit, weight, ()) for exit, weight in chosen]))
        self.watch.row(self.rules)
        self.watch.transitions += len(node.options)
        ways = self._ways.setdefault(key[0], {})
        led = [self._led(key[0], ways, exit) for exit in node.options]
        branches = [(1, tally, child) for child, tally in led]
        return _Open(node, branches, ids=[exit.id for exit in node.options])

    def _procedures(self) -> Induction[Runs]:
        """How called procedures come back."""
        if self._calls is None:
            algebra = Returns(self.algebra.counting)
            self._calls = Induction(self.rules, algebra, watch=self.watch, live=self.projects, back=came_back)
            self._calls._calls = self._calls
        return self._calls

    def _called(
        self, step: str, node: Call[Any] | Each[Any], done: Sequence[Returned] = (), current: Runs | None = None
    ) -> _Exits:
        """The weighted exits of a call; `done` are the runs that came back already, `current` the one under way."""
        if node.procedure not in self.rules.steps[step].calls:
            raise RulesError(f"{self.rules.name}: {step} does not declare that it calls {node.procedure!r}")
        calls, entry = self._procedures(), self.rules.entry_of(node.procedure)
        if isinstance(node, Call):
            sub = node.sub if node.lean is None or not self.projects else node.lean
            runs = current or calls._answer(calls._number(entry, sub))
            if self.separate:
                apart = runs.spread_alike(node.reads if self.projects else None)
                return _Exits([], spreads=[(node.then(back), spread) for back, spread in apart])
            alike = runs.alike(node.reads if self.projects else None)
            leaving = [(node.then(back), tallies) for back, tallies in alike]
            return _Exits(
                [(exit, weight, tally) for exit, tallies in leaving for tally, weight in tallies], runs.gained
            )
        start = node.state
        for index, returned in enumerate(done):
            start = node.fold(start, index, returned)
        if self.separate:
            return self._each_apart(node, entry, start, len(done), current)
        merged: dict[Any, dict[Tally, int]] = {start: {(): 1}}
        total, gained = 1, dict[str, int]()
        for index, sub in enumerate(node.subs[len(done) :], len(done)):
            runs = (current if index == len(done) else None) or calls._answer(calls._number(entry, sub))
            following: dict[Any, dict[Tally, int]] = {}
            for state, tallies in merged.items():
                self.watch.work(self.rules, len(runs.by_return))
                for back, mores in runs.by_return:
                    into = following.setdefault(node.fold(state, index, back), {})
                    for tally, weight in tallies.items():
                        for more, w in mores:
                            key = plus(tally, more)
                            into[key] = into.get(key, 0) + weight * w
            merged = following
            gained = {
                name: gained.get(name, 0) * runs.total + runs.gained.get(name, 0) * total
                for name in gained.keys() | runs.gained.keys()
            }
            total *= runs.total
        ends = [(node.then(state), tallies) for state, tallies in merged.items()]
        return _Exits([(exit, weight, tally) for exit, tallies in ends for tally, weight in tallies.items()], gained)

    def _each_apart(self, node: Each[Any], entry: str, start: Any, done: int, current: Runs | None) -> _Exits:
        """The exits of independent runs where each measure is counted for itself."""
        calls, merged = self._procedures(), [(start, ALONE)]
        for index, sub in enumerate(node.subs[done:], done):
            runs = (current if index == done else None) or calls._answer(calls._number(entry, sub))
            following: dict[Any, list[Spread]] = {}
            for state, spread in merged:
                self.watch.work(self.rules, len(runs.spreads))
                for back, more in runs.spreads.items():
                    following.setdefault(node.fold(state, index, back), []).append(spread.plus(more))
            merged = [(state, mixed(parts)) for state, parts in following.items()]
        return _Exits([], spreads=[(node.then(state), spread) for state, spread in merged])

    def _apart(self, step: str, node: Any, found: _Exits) -> _Open:
        """The branches to which exits lead, each position once with the spread of what is counted before it."""
        exits = found.spreads
        if exits is None:
            exits = [(exit, Spread(weight)) for exit, weight, _ in found.exits]
        self.watch.transitions += len(exits)
        ways = self._ways.setdefault(step, {})
        merged: dict[int, list[Spread]] = {}
        for exit, before in exits:
            child, tally = self._led(step, ways, exit)
            merged.setdefault(child, []).append(before.after(tally))
        spreads = [(mixed(parts), child) for child, parts in merged.items()]
        return _Open(node, [], spreads=spreads)

    def _merged(self, step: str, node: Any, found: _Exits) -> _Open:
        """The branches to which exits lead, equal ones once; where means do, no tally tells two of them apart."""
        if self.separate:
            return self._apart(step, node, found)
        self.watch.transitions += len(found.exits)
        ways = self._ways.setdefault(step, {})
        merged: dict[tuple[Tally, int], int] = {}
        means = self.algebra.counting is Counting.MEANS
        gained = dict(found.gained)
        last: Exit[Any] | None = None
        for exit, weight, before in found.exits:
            if exit is not last:
                child, tally = self._led(step, ways, exit)
                last = exit
            if means:
                for name, count in tally:
                    gained[name] = gained.get(name, 0) + weight * count
                key: tuple[Tally, int] = (), child
            else:
                key = (plus(before, tally) if before else tally), child
            merged[key] = merged.get(key, 0) + weight
        return _Open(node, [(weight, tally, child) for (tally, child), weight in merged.items()], gained)

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
        if known.spreads is not None:
            blend = cast("Separate[A]", self.algebra).blend
            return blend([(spread, answers[child]) for spread, child in known.spreads])
        branches = [(weight, tally, answers[child]) for weight, tally, child in known.branches]
        return self.algebra.mix(branches, known.gained)


_BACK = "(return)"
_WHOLE_LIMIT = 20_000
"""Whole states remembered at each step; beyond it they are forgotten, which costs time and changes nothing."""
