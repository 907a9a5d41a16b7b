"""Procedures of cited steps, and the ruleset graph that they make together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from overrun.kernel.cite import Cite
from overrun.kernel.errors import RulesError
from overrun.kernel.node import Call, Decision, Each, End, Exit, Node, Position, Returned
from overrun.kernel.seat import Seat

S = TypeVar("S", bound=Hashable)
Body = Callable[[S], Node[S]]
Live = Callable[[str, Any], Any]


@dataclass(frozen=True, slots=True)
class Return:
    """The target of an exit that leaves a called procedure by the open exit of this name."""

    exit: str


Target = str | Return


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """One question of the rulebook: its cite, its title, where each exit leads, and the body that answers it."""

    id: str
    cite: Cite
    title: str
    exits: Mapping[str, Target]
    body: Body[S]
    procedure: str
    calls: tuple[str, ...] = ()
    carries: bool = False
    """Is there no more to forget than was forgotten at the step before? Then analysis does not ask `live` again."""

    @property
    def text(self) -> str:
        """Our own paraphrase of the rule, as players read it."""
        return " ".join((self.body.__doc__ or "").split())


class Procedure(Generic[S]):
    """A named group of steps: a stage of the rulebook, or one part of it that several places use.

    With `returns` it has open exits: it can be wired into the graph several times (`mounted`), or run on a sub-state by
    `Call` and `Each`, and then it must be pure chance. The first step declared is its entry.
    """

    def __init__(
        self, id: str, title: str, cite: Cite, returns: Sequence[str] = (), live: Callable[[str, S], S] | None = None
    ) -> None:
        self.id, self.title, self.cite = id, title, cite
        self.returns = tuple(returns)
        self.live = live
        self.steps: dict[str, Step[S]] = {}

    def step(
        self, cite: Cite, title: str, *, calls: Iterable[str] = (), carries: bool = False, **exits: str
    ) -> Callable[[Body[S]], Body[S]]:
        """Declare a step; its name is the function's. `exits` say where each leads: a step, or one of `returns`."""

        def declare(body: Body[S]) -> Body[S]:
            name = body.__name__
            if name in self.steps:
                raise RulesError(f"{self.id}: step {name!r} is declared twice")
            if not body.__doc__:
                raise RulesError(f"{self.id}: step {name!r} has no docstring to explain it")
            self.steps[name] = Step(name, cite, title, dict(exits), body, self.id, tuple(calls), carries)
            return body

        return declare

    @property
    def entry(self) -> str:
        """The name of the first step."""
        return next(iter(self.steps))

    def wired(self, prefix: str, wiring: Mapping[str, Target]) -> dict[str, Step[S]]:
        """The steps under prefixed ids, each exit leading to a step of its own, to what `wiring` says, or elsewhere."""

        def target(name: Target) -> Target:
            if isinstance(name, Return) or name in self.steps:
                return name if isinstance(name, Return) else prefix + name
            return wiring.get(name, name)

        return {
            prefix + name: replace(
                step, id=prefix + name, exits={exit: target(to) for exit, to in step.exits.items()}, procedure=self.id
            )
            for name, step in self.steps.items()
        }

    def mounted(self, id: str, title: str | None = None, **wiring: str) -> Procedure[S]:
        """A copy under another id with its open exits wired to steps; its own steps are called `id.step`."""
        if missing := set(self.returns) - set(wiring):
            raise RulesError(f"{id}: open exits {sorted(missing)} of {self.id} lead nowhere")
        copy: Procedure[S] = Procedure(id, title or self.title, self.cite, live=self.live)
        copy.steps = {name: replace(step, procedure=id) for name, step in self.wired(f"{id}.", wiring).items()}
        return copy


@dataclass(frozen=True, slots=True)
class Restriction:
    """A named cut of options. Best play under it is a bound, and every answer that used it says so.

    It cuts options of one `seat`: the other can only gain by it. One that is `harsh` may cost that seat much.
    `live` keeps of a state only what later steps read when those options are never taken, as `Rules.live` does.
    """

    name: str
    reason: str
    seat: Seat
    keep: Callable[[Position[Any], Decision[Any]], Sequence[Exit[Any]]]
    live: Live | None = None
    harsh: bool = False


def cut(restrictions: Iterable[Restriction], position: Position[Any], node: Decision[Any]) -> Decision[Any]:
    """A decision with the options that restrictions leave."""
    options: Sequence[Exit[Any]] = node.options
    for restriction in restrictions:
        if restriction.seat is node.seat:
            options = restriction.keep(position, replace(node, options=tuple(options)))
    return node if len(options) == len(node.options) else replace(node, options=tuple(options))


class Rules(Generic[S]):
    """The graph of all steps. `freeze` proves its shape; `at` asks a position; `follow` leaves it by an exit.

    `live(step, state)` keeps of a state only what later steps read. Play never uses it, analysis always does, and the
    conformance suite proves that it changes no answer.
    """

    def __init__(
        self,
        name: str,
        procedures: Iterable[Procedure[Any]],
        entry: str,
        live: Callable[[str, S], S] | None = None,
        restrictions: Iterable[Restriction] = (),
    ) -> None:
        self.name, self.entry = name, entry
        self.procedures: dict[str, Procedure[Any]] = {}
        self.steps: dict[str, Step[Any]] = {}
        self.restrictions = tuple(restrictions)
        self._live: dict[str, Live] = {}
        for procedure in procedures:
            if procedure.id in self.procedures:
                raise RulesError(f"{name}: procedure {procedure.id!r} is given twice")
            self.procedures[procedure.id] = procedure
            prefix = f"{procedure.id}." if procedure.returns else ""
            steps = procedure.wired(prefix, {exit: Return(exit) for exit in procedure.returns})
            if doubled := self.steps.keys() & steps.keys():
                raise RulesError(f"{name}: steps {sorted(doubled)} are declared twice")
            self.steps |= steps
            if (keep := procedure.live or (None if procedure.returns else live)) is not None:
                self._live |= dict.fromkeys(steps, keep)

    def in_order(self, restrictions: Iterable[Restriction]) -> tuple[Restriction, ...]:
        """Restrictions as the rules declare them, whatever order they are given in; any that they do not come last.

        What one leaves may depend on what another has cut before it.
        """
        place = {restriction.name: index for index, restriction in enumerate(self.restrictions)}
        return tuple(sorted(restrictions, key=lambda restriction: place.get(restriction.name, len(place))))

    def under(self, restrictions: Iterable[Restriction]) -> Rules[S]:
        """The same rules where `live` also forgets what only options that these restrictions cut would read."""
        keeps = [restriction.live for restriction in self.in_order(restrictions) if restriction.live is not None]
        if not keeps:
            return self

        def live(step: str, state: Any) -> Any:
            for keep in keeps:
                state = keep(step, state)
            return self.live(step, state)

        same = copy(self)
        # A called procedure has a state of its own, of which restrictions know nothing.
        outside = (step.id for step in self.steps.values() if not self.procedures[step.procedure].returns)
        same._live = self._live | dict.fromkeys(outside, live)
        return same

    # ------------------------------------------------------------------ the proof

    def freeze(self) -> Rules[S]:
        """Prove that every exit leads somewhere, every step can be reached, and every step can reach an end."""
        for step in self.steps.values():
            for exit, target in step.exits.items():
                if isinstance(target, str) and target not in self.steps:
                    raise RulesError(f"{self.name}: {step.id}.{exit} leads to unknown step {target!r}")
            for called in step.calls:
                if called not in self.procedures or not self.procedures[called].returns:
                    raise RulesError(f"{self.name}: {step.id} calls {called!r}, which is no procedure with returns")
        if self.entry not in self.steps:
            raise RulesError(f"{self.name}: entry {self.entry!r} is no step")
        if lost := self.steps.keys() - self._reachable():
            raise RulesError(f"{self.name}: steps {sorted(lost)} can never be reached")
        if stuck := self.steps.keys() - self._ending():
            raise RulesError(f"{self.name}: steps {sorted(stuck)} can never reach an end")
        return self

    def entry_of(self, procedure: str) -> str:
        """The id of the first step of a called procedure."""
        return f"{procedure}.{self.procedures[procedure].entry}"

    def _next(self, step: Step[Any]) -> Iterator[str]:
        yield from (target for target in step.exits.values() if isinstance(target, str))
        yield from (self.entry_of(called) for called in step.calls)

    def _reachable(self) -> set[str]:
        seen, todo = set[str](), [self.entry]
        while todo:
            id = todo.pop()
            if id not in seen:
                seen.add(id)
                todo.extend(self._next(self.steps[id]))
        return seen

    def _ending(self) -> set[str]:
        ending = {
            step.id
            for step in self.steps.values()
            if not step.exits or any(isinstance(target, Return) for target in step.exits.values())
        }
        while more := {
            step.id
            for step in self.steps.values()
            if step.id not in ending and any(target in ending for target in step.exits.values())
        }:
            ending |= more
        return ending

    # ------------------------------------------------------------------ reading the graph

    def at(self, position: Position[Any]) -> Node[Any]:
        """What happens at a position. A call whose runs have all come back is the automatic exit it leads to."""
        node = self.steps[position.step].body(position.state)
        if isinstance(node, (Call, Each)) and len(position.results) == len(node.subs):
            return node.leave(position.results)
        return node

    def enter(self, position: Position[Any], node: Call[Any] | Each[Any]) -> Position[Any]:
        """The first position of the next run of a called procedure."""
        return Position(self.entry_of(node.procedure), node.subs[len(position.results)], (), position)

    def follow(self, position: Position[Any], exit: Exit[Any]) -> Position[Any]:
        """The position that an exit leads to. Raises `RulesError` for an exit that the step does not declare."""
        target = self.target(position.step, exit)
        if isinstance(target, str):
            return Position(target, exit.state, (), position.caller)
        caller = position.caller
        if caller is None:
            raise RulesError(f"{self.name}: {position.step} returns, but nothing called it")
        return Position(caller.step, caller.state, (*caller.results, Returned(target.exit, exit.state)), caller.caller)

    def target(self, step: str, exit: Exit[Any]) -> Target:
        """Where an exit of a step leads."""
        try:
            return self.steps[step].exits[exit.name]
        except KeyError:
            raise RulesError(f"{self.name}: {step} has no exit {exit.name!r}") from None

    def live(self, step: str, state: Any) -> Any:
        """What later steps read of a state, at a step."""
        keep = self._live.get(step)
        return state if keep is None else keep(step, state)

    def ends(self, step: str, node: Node[Any]) -> End:
        """The node as an end, at a step that declares no exit."""
        if not isinstance(node, End):
            raise RulesError(f"{self.name}: {step} declares no exit, yet it does not end")
        return node
