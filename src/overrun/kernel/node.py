"""What can happen at a position: a decision, a roll, an automatic exit, a called procedure, or the end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from overrun.kernel.dice import Dice
from overrun.kernel.frozen import Hashed, hashed, quick
from overrun.kernel.modifiers import Ledger
from overrun.kernel.refusal import Refusal
from overrun.kernel.seat import Seat

S = TypeVar("S", bound=Hashable)


@quick
@dataclass(frozen=True, slots=True)
class Exit(Generic[S]):
    """Leave a step by one of its named exits, with a new state.

    `detail` tells options of the same exit apart ("fire:squad-1"); `label` is what a player reads on the button;
    `tally` increments measures; `ledgers` are the figures that led here once the dice were known. `seen_by` is the only
    seat that may see the label, the detail and the ledgers, or None when both may.
    """

    name: str
    state: S
    detail: str = ""
    tally: Mapping[str, int] | None = None
    ledgers: tuple[Ledger, ...] = ()
    label: str = ""
    seen_by: Seat | None = None

    @property
    def id(self) -> str:
        """The key of this option among the options of its decision."""
        return f"{self.name}:{self.detail}" if self.detail else self.name


@quick
@dataclass(frozen=True, slots=True)
class Decision(Generic[S]):
    """`seat` picks one of `options`; `refused` are the options a player might expect and the reason against each."""

    seat: Seat
    options: tuple[Exit[S], ...]
    refused: tuple[Refusal, ...] = ()
    ledgers: tuple[Ledger, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Chance(Generic[S]):
    """`seat` rolls `dice`; `then` gives the exit for what is read from them. `ledgers` hold what modifies the roll.

    `seen_by` is the only seat that may see those figures and what is needed (None: both).
    """

    dice: Dice[Any]
    then: Callable[[Any], Exit[S]]
    seat: Seat
    ledgers: tuple[Ledger, ...] = ()
    seen_by: Seat | None = None


@hashed
@quick
@dataclass(frozen=True, slots=True)
class Returned(Hashed):
    """How a called procedure came back: by which of its open exits, with which sub-state."""

    exit: str
    state: Any


Reads = Callable[[Returned], Hashable]
"""What is read of how a procedure came back."""


@quick
@dataclass(frozen=True, slots=True)
class Call(Generic[S]):
    """Run a pure-chance procedure on a sub-state, then leave by the exit that `then` makes of how it came back.

    Play walks through the procedure's steps one by one; analysis computes its distribution once per distinct sub-state.
    `reads` says what `then` and everything after it reads of how it came back: analysis asks `then` once for all ways
    that read alike; the same question is best asked by the same function, whose findings are remembered while it lives.
    Left out, it reads everything. `lean` is a sub-state that analysis asks about instead of `sub`: the
    procedure then forgets on its way what is not read, and comes back alike with the same chances.
    """

    procedure: str
    sub: Any
    then: Callable[[Returned], Exit[S]]
    reads: Reads | None = None
    lean: Any = None

    @property
    def subs(self) -> tuple[Any, ...]:
        """The one sub-state, in the shape of `Each.subs`."""
        return (self.sub,)

    def leave(self, results: tuple[Returned, ...]) -> Exit[S]:
        """The exit, once the procedure has come back."""
        return self.then(results[0])


@quick
@dataclass(frozen=True, slots=True)
class Each(Generic[S]):
    """Run a pure-chance procedure once per sub-state, independently, in the given order.

    After each run `fold` merges what came back into the state (argument: state so far, index, result); `then` makes the
    exit. Analysis merges equal states after every unit, so N units cost N distributions and one convolution.
    """

    procedure: str
    subs: tuple[Any, ...]
    state: S
    fold: Callable[[S, int, Returned], S]
    then: Callable[[S], Exit[S]]

    def leave(self, results: tuple[Returned, ...]) -> Exit[S]:
        """The exit, once every run has come back."""
        state = self.state
        for index, result in enumerate(results):
            state = self.fold(state, index, result)
        return self.then(state)


@quick
@dataclass(frozen=True, slots=True)
class End:
    """Terminal: the overrun is over, in the way that `outcome` names (the same word for equal endings)."""

    outcome: str


Node = Decision[S] | Chance[S] | Exit[S] | Call[S] | Each[S] | End
Settled = Decision[Any] | Chance[Any] | End
"""Where play waits for an answer, or is over."""


@quick
@dataclass(frozen=True, slots=True)
class Position(Generic[S]):
    """A step and the state it is asked about: the memo key, the save game, the address of a page.

    Inside a called procedure `caller` is the position that called it; `results` are the runs of a call that have come
    back. Analysis never holds such positions: it uses the distribution of the whole procedure.
    """

    step: str
    state: S
    results: tuple[Returned, ...] = ()
    caller: Position[Any] | None = field(default=None)


Subject = TypeVar("Subject")


def partition(
    subjects: Iterable[Subject], refuse: Callable[[Subject], Refusal | None]
) -> tuple[tuple[Subject, ...], tuple[Refusal, ...]]:
    """The subjects that no rule refuses, and the refusals of the others; order is kept."""
    eligible: list[Subject] = []
    refused: list[Refusal] = []
    for subject in subjects:
        if (refusal := refuse(subject)) is None:
            eligible.append(subject)
        else:
            refused.append(refusal)
    return tuple(eligible), tuple(refused)
