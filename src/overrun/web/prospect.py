"""What the analysis answers to the app: plain values that cross from the worker process to the pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from overrun.analysis.bounds import Span


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked about: a situation, as the JSON text of its document, and a payoff.

    With a restriction, or a simplification, it is another question, with an answer of its own.
    """

    system: str
    document: str
    payoff: str = ""
    restriction: str = ""
    simplification: str = ""

    @property
    def restrictions(self) -> tuple[str, ...]:
        """The cuts of options in force."""
        return tuple(filter(None, (self.restriction,)))

    @property
    def simplified(self) -> tuple[str, ...]:
        """The rules left out."""
        return tuple(filter(None, (self.simplification,)))


@dataclass(frozen=True, slots=True)
class Prospect:
    """How an overrun may end: the chance of each outcome, and of each value of each measure.

    `worth` is what each seat expects, in points of its own payoff.
    """

    outcomes: Mapping[str, Fraction]
    measures: Mapping[str, Mapping[int, Fraction]]
    worth: Mapping[str, Fraction]

    def mean(self, measure: str) -> Fraction:
        """The expected value of a measure; for an event that is its chance."""
        return sum((value * chance for value, chance in self.measures.get(measure, {}).items()), Fraction(0))


@dataclass(frozen=True, slots=True)
class OptionAdvice:
    """An option: its worth to the seat that chooses, how much less that is than the best, and how it may end then."""

    id: str
    worth: Fraction
    regret: Fraction
    ahead: Prospect


@dataclass(frozen=True, slots=True)
class Advice:
    """Best play from where a session stands. `before` is how things stood before the last answer.

    Under `restrictions` it is a bound; with rules left out (`simplified`) it is of the simpler game.
    """

    seat: str
    options: Mapping[str, OptionAdvice]
    now: Prospect
    before: Prospect | None
    doubts: tuple[str, ...]
    restrictions: tuple[str, ...] = ()
    simplified: tuple[str, ...] = ()

    @property
    def best(self) -> str:
        """The id of the best option; the first one when several are equally good; empty where nobody decides."""
        return next((id for id, option in self.options.items() if option.regret == 0), "")


@dataclass(frozen=True, slots=True)
class Spans:
    """Between what best play is worth from where a session stands, where the whole of it does not fit.

    `worth` is for each seat, `options` for the seat that decides there; `best` is the option that is proved best for
    it, if one is. Bounds that meet are `exact`; they rest on the cuts that `cuts` names.
    """

    seat: str
    worth: Mapping[str, Span]
    options: Mapping[str, Span]
    best: str
    exact: bool
    cuts: tuple[str, ...]
    seconds: float
    doubts: tuple[str, ...]
    restrictions: tuple[str, ...] = ()
    simplified: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Was any bound found?"""
        return any(side is not None for span in self.worth.values() for side in span)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One decision: the chance that it comes up, and each option with worth and regret, the best first.

    `about` holds the figures that the decision rests on; `taken` are the options that the policy takes. Where `after`
    names an option, the policy rejects it and `chance` is that of coming here once it is taken all the same.
    """

    step: str
    cite: str
    title: str
    seat: str
    chance: Fraction
    options: tuple[tuple[str, Fraction, Fraction], ...]
    about: str = ""
    taken: tuple[str, ...] = ()
    after: str = ""


@dataclass(frozen=True, slots=True)
class WholeOdds:
    """The whole overrun under a policy. `decisions` are those that it meets, the nearest to the start first.

    Under `restrictions` it is a bound; with rules left out (`simplified`) it is of the simpler game.
    """

    policy: str
    ahead: Prospect
    decisions: tuple[Judgement, ...]
    left_out: int
    rows: int
    doubts: tuple[str, ...]
    restrictions: tuple[str, ...] = ()
    simplified: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a ruling: what the seats can expect and each measure's mean, or why it has no answer.

    `moves`: does it change the answer?
    """

    ruling: str
    cite: str
    reading: str
    chosen: bool
    moves: bool
    worth: Mapping[str, Fraction]
    means: Mapping[str, Fraction]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Lever:
    """One printed number: what the attacker can expect when it is 1 less and 1 more; None where there is no answer.

    `flips` says what best play would begin with instead, where it would.
    """

    name: str
    printed: str
    down: Fraction | None
    up: Fraction | None
    flips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Levers:
    """The numbers that move what the attacker can expect, the strongest first, and how many move nothing."""

    now: Fraction
    levers: tuple[Lever, ...]
    still: int
