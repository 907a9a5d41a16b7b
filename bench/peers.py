"""The same chain in other engines. Each says its version and its two answers; an engine that is absent is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from bench.numbers import OVER, START, UNIT_WORTH_TWICE, VEHICLE_WORTH, WAYS, State, after, rolls


@dataclass(frozen=True, slots=True)
class Peer:
    """An engine and its work: `chance` gives P(vehicle dead), `decision` the value of best play, where it can."""

    name: str
    version: str
    about: str
    chance: Callable[[], Fraction | float] | None = None
    decision: Callable[[], Fraction | float] | None = None


def naive_tree(state: State = START) -> float:
    """Every node of the tree, nothing merged, in floats."""
    if state[0] == OVER:
        return float(state[4] == 2)
    if not rolls(state):
        return naive_tree(after(state, 0))
    return sum(ways / 36 * naive_tree(after(state, total)) for total, ways in WAYS.items())


def by_hand() -> Fraction:
    """Merged states in fractions, phase by phase: what one would write without any engine."""
    layer = {START: Fraction(1)}
    chances = {total: Fraction(ways, 36) for total, ways in WAYS.items()}
    for _ in range(OVER):
        following: dict[State, Fraction] = {}
        for state, chance in layer.items():
            for total, share in chances.items() if rolls(state) else ((0, Fraction(1)),):
                to = after(state, total)
                following[to] = following.get(to, Fraction(0)) + chance * share
        layer = following
    return sum((chance for state, chance in layer.items() if state[4] == 2), Fraction(0))


def worth(state: State) -> Fraction:
    """What an end is worth to the attacker."""
    return Fraction(sum(UNIT_WORTH_TWICE[unit] for unit in state[1:4]), 2) - VEHICLE_WORTH[state[4]]


def decisions_by_hand() -> Fraction:
    """Best play by memoised recursion in fractions."""
    known: dict[State, Fraction] = {}

    def value(state: State) -> Fraction:
        if state[0] == OVER:
            return worth(state)
        if state not in known:
            known[state] = min(chance(state), value(held(state))) if decides(state) else chance(state)
        return known[state]

    def chance(state: State) -> Fraction:
        if not rolls(state):
            return value(after(state, 0))
        return sum((Fraction(ways, 36) * value(after(state, total)) for total, ways in WAYS.items()), Fraction(0))

    return max(chance(START), Fraction(0))


def decides(state: State) -> bool:
    """Does the defender choose here whether to react?"""
    return state[0] == 4 and rolls(state)


def held(state: State) -> State:
    """The state when the defender holds."""
    return (5, *state[1:4], 0, 0)


def _icepool() -> Peer:
    import icepool  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415

    dr: Any = icepool.Die(WAYS)

    def chance() -> Fraction:
        layer: Any = icepool.Die([START])
        for _ in range(OVER):
            layer = layer.map(
                lambda state: dr.map(lambda total: after(state, total)) if rolls(state) else after(state, 0), star=False
            )
        return Fraction(layer.map(lambda state: state[4] == 2, star=False).probability(True))

    return Peer("icepool", version("icepool"), "`Die.map` per phase, exact", chance)


def _dyce() -> Peer:
    from dyce import H  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415

    dr: Any = H(WAYS)

    def chance() -> Fraction:
        layer: Any = H({START: 1})
        for _ in range(OVER):
            merged: dict[State, int] = {}
            for state, ways in layer.items():
                for total, more in dr.items() if rolls(state) else ((0, dr.total),):
                    to = after(state, total)
                    merged[to] = merged.get(to, 0) + ways * more
            layer = H(merged)
        return Fraction(sum(ways for state, ways in layer.items() if state[4] == 2), layer.total)

    return Peer("dyce", version("dyce"), "one `H` per phase, merged by hand, exact", chance)


def _lea() -> Peer:
    import lea  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415

    dr: Any = lea.pmf({total: Fraction(ways, 36) for total, ways in WAYS.items()}, prob_type=-1)

    def chance() -> Fraction:
        layer: Any = lea.pmf({START: Fraction(1)}, prob_type=-1)
        for _ in range(OVER):
            layer = lea.joint(layer, dr).map(lambda pair: after(*pair)).get_alea()
        return Fraction(lea.P(layer.map(lambda state: state[4] == 2)))

    return Peer("lea", version("lea"), "`joint` and `map` per phase, fractions", chance)


def _open_spiel() -> Peer:
    needed("pyspiel", "open_spiel", "cvxpy")  # its value iteration imports cvxpy
    about = "a Python game, its `value_iteration`, floats"
    return Peer("OpenSpiel", version("open_spiel"), about, None, lambda: import_module("bench.spiel").value())


def _gambit() -> Peer:
    needed("pygambit")
    about = "the tree our extraction folds to (it merges nothing), its linear program in rationals"
    return Peer("Gambit", version("pygambit"), about, None, lambda: import_module("bench.gambit").value())


def needed(*names: str) -> None:
    """Raise `ImportError` where a module is absent; importing them all takes seconds."""
    for name in names:
        if find_spec(name) is None:
            raise ImportError(name)


def peers() -> Iterator[Peer | str]:
    """Every peer that is installed, and the name of each that is not."""
    yield Peer("by hand", "", "merged states in fractions, no engine", by_hand, decisions_by_hand)
    yield Peer("naive tree", "", "every node, floats", naive_tree)
    makers = {"icepool": _icepool, "dyce": _dyce, "lea": _lea, "OpenSpiel": _open_spiel, "Gambit": _gambit}
    for name, make in makers.items():
        try:
            yield make()
        except (ImportError, PackageNotFoundError):
            yield name
