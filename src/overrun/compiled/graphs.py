"""Solved graphs from the cache: read where one is kept, else extracted and kept; answered on the arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from time import process_time
from typing import Any

from overrun.analysis.algebra import Key
from overrun.analysis.errors import TooLarge
from overrun.analysis.fingerprint import fingerprint
from overrun.analysis.game import Option, Row
from overrun.analysis.graphs import Asked, Best, FromRules, Graph, likeliest
from overrun.analysis.solve import Judged, Solution, Values
from overrun.analysis.watch import Watch
from overrun.compiled import policies
from overrun.compiled.cache import Cache, packages
from overrun.compiled.flow import Flow
from overrun.compiled.graph import ENDED, SEATS, Compiled, flat
from overrun.compiled.solved import Solved, solve_plainly
from overrun.compiled.states import UnknownState, unpack
from overrun.kernel import Decision, Exit, Payoff

WORTH_ASKING = 0.003
"""Processor seconds that a graph takes on average from which on looking for it first pays: a look takes 0.0005."""
AT_LEAST = 8
"""Graphs of a ruleset that are looked for whatever they take."""
WORTH_KEEPING = 0.01
"""Processor seconds that a graph took from which on it is kept: it is read again in a tenth of that."""


@dataclass
class FromCache:
    """Graphs of the cache in `folder` (without one: the user's, on whatever machine this runs), `megabytes` at most.

    While the graphs of a ruleset turn out to be extracted faster than they are found, the folder is left in peace.
    """

    folder: Path | None = None
    megabytes: int | None = None
    _made: dict[str, tuple[int, float]] = field(default_factory=dict, repr=False)
    _cache: Cache | None = field(default=None, repr=False)

    def best(self, asked: Asked, payoff: Payoff, watch: Watch) -> Best:
        """The graph of a question, solved for a payoff. Raises `TooLarge`."""
        if self._cache is None:
            self._cache = Cache(self.folder, self.megabytes)
        cache, name, note = self._cache, "", ""
        made, spent = self._made.get(asked.ruleset.id, (0, 0.0))
        looks = made < AT_LEAST or spent >= WORTH_ASKING * made
        if looks:
            name, note = self._name(asked)
            found, damaged = cache.read(name)
            if found is not None:
                return OnArrays(asked, solve_plainly(_small(found, asked, watch), payoff), True)
            note += damaged
        begun = process_time()
        game = asked.game(watch)
        took = process_time() - begun
        self._made[asked.ruleset.id] = made + 1, spent + took
        if took < WORTH_KEEPING:
            return FromRules(asked, Solution(game, payoff), note)
        if not looks:
            name, note = self._name(asked)
        compiled = flat(game, states=True)
        note = "; ".join(filter(None, (note, cache.keep(name, compiled))))
        # For one payoff plain Python is done before numpy and numba are set up, up to a million arcs and more.
        return OnArrays(asked, solve_plainly(compiled, payoff), False, note)

    def _name(self, asked: Asked) -> tuple[str, str]:
        assert self._cache is not None
        situation, told = asked.situation, (asked.ways, asked.situation.rulings)
        return self._cache.name(asked.ruleset, situation.start, asked.restrictions, whole=False, told=told)


def _small(compiled: Compiled, asked: Asked, watch: Watch) -> Compiled:
    """The graph, if it is no larger than one may be that is extracted. Raises `TooLarge`.

    So the answer is the same as without a cache: it does not depend on what was asked before.
    """
    if compiled.decisions > watch.row_limit:
        cuts = (each.name for each in asked.ruleset.rules.restrictions)
        raise TooLarge(f"{watch.row_limit + 1} decision rows", f"{watch.row_limit}", cuts)
    return compiled


@dataclass(frozen=True)
class OnArrays:
    """Best play on the arrays of a graph."""

    asked: Asked
    solved: Solved
    from_cache: bool
    note: str = ""

    @property
    def compiled(self) -> Compiled:
        """The arrays."""
        return self.solved.compiled

    @property
    def value(self) -> Values:
        """What attacker and defender can expect, each in his own points."""
        return self.solved.value

    @property
    def doubts(self) -> Sequence[str]:
        """The unverified figures that extraction met."""
        return self.compiled.doubts

    @property
    def first(self) -> tuple[str, str] | None:
        """The step of the likeliest first decision and the choice there; None without any."""
        compiled = self.compiled
        seats = compiled.seats
        start = _option(compiled, compiled.first[compiled.root])
        row = likeliest(start, lambda row: None if seats[row] == ENDED else SEATS[seats[row]])
        return None if row is None else (compiled.words[row], self.taken(row))

    def __contains__(self, key: Key) -> bool:
        try:
            self.compiled.row(key)
        except KeyError:
            return False
        return True

    def taken(self, row: int) -> str:
        """The id of the option that best play takes at a row."""
        return self.compiled.names[self.solved.chosen[row]]

    def choice(self, key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        """Best play as a policy."""
        return self.solved.choice(key, node)

    def judged(self, key: Key) -> tuple[Judged, ...]:
        """Each option of a decision with its worth and regret."""
        return self.solved.judged(key)

    def outlook(self) -> tuple[Mapping[str, Fraction], Mapping[str, Fraction]]:
        """The mean of every measure and the chance of every way to end, under best play."""
        flow = Flow(self.compiled, policies.best(self.solved))
        means = flow.means()
        names = [measure.name for measure in self.asked.ruleset.measures]
        return {name: means.get(name, Fraction(0)) for name in names}, flow.outcomes()

    def fingerprint(self) -> str:
        """Equal for games that no player could tell apart."""
        return fingerprint(read(self.compiled, None))

    @cached_property
    def game(self) -> Graph:
        """The rows, states included; extracted once more where the kept file has no states."""
        try:
            return read(self.compiled, unpack(self.compiled.states, packages(self.asked.ruleset.rules)))
        except UnknownState:
            return self.asked.game()


@dataclass(frozen=True, slots=True)
class Rows:
    """A graph as objects again."""

    rows: Sequence[Row]
    start: Option
    decisions: int


def read(compiled: Compiled, states: Sequence[Any] | None) -> Rows:
    """The rows of a graph; without `states` their keys hold steps only."""
    rows: list[Row] = []
    for row in range(compiled.root):
        seat, word = compiled.seats[row], compiled.words[row]
        if seat == ENDED:
            rows.append(Row((word, None), None, (), word))
            continue
        options = tuple(_option(compiled, option) for option in compiled.options(row))
        rows.append(Row((word, None if states is None else states[row]), SEATS[seat], options))
    return Rows(rows, _option(compiled, compiled.first[compiled.root]), compiled.decisions)


def _option(compiled: Compiled, option: int) -> Option:
    arcs = range(compiled.arcs[option], compiled.arcs[option + 1])
    gains = range(compiled.gained[option], compiled.gained[option + 1])
    return Option(
        compiled.names[option],
        compiled.totals[option],
        tuple((compiled.weights[arc], compiled.tallies[compiled.tally[arc]], compiled.to[arc]) for arc in arcs),
        {compiled.measures[compiled.gain_of[gain]]: compiled.gains[gain] for gain in gains},
    )
