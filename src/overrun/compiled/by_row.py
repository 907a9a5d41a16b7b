"""The search of `modular` with numba: one loop over the rows, compiled to machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.modular import SLACK, Search

_TOP = np.uint64(2**63)


@njit(cache=True)
def _rest(option: int, which: int, arrays: Any, into: Any) -> None:
    """The remainders of an option's worth. Below 2^63 a word has room for one more product: few divisions."""
    (_, _, arcs, to, _, shares, moduli, _), (_, _, gain_rest), (_, _, rest) = arrays
    for k in range(len(moduli)):
        into[k] = gain_rest[which, option, k]
    for arc in range(arcs[option], arcs[option + 1]):
        row = to[arc]
        for k in range(len(moduli)):
            total = into[k] + shares[arc, k] * rest[which, row, k]
            into[k] = total % moduli[k] if total >= _TOP else total
    for k in range(len(moduli)):
        into[k] %= moduli[k]


@njit(cache=True)
def _float(option: int, which: int, arrays: Any) -> tuple[float, float]:
    """An option's worth as a float, and the bound on its error."""
    (_, _, arcs, to, chances, _, _, slack), (gain, gain_size, _), (worth, error, _) = arrays
    ahead, size, spread = 0.0, 0.0, 0.0
    for arc in range(arcs[option], arcs[option + 1]):
        row = to[arc]
        ahead += chances[arc] * worth[which, row]
        size += chances[arc] * abs(worth[which, row])
        spread += chances[arc] * error[which, row]
    return ahead + gain[which, option], spread * (1 + 2.0**-20) + slack[option] * (size + gain_size[which, option])


@njit(cache=True)
def _search(row: int, forced: int, arrays: Any, choice: Any) -> int:
    """Go on from `row`; stop at a row whose contenders must be compared as whole numbers, and say which."""
    (seats, first, _, _, _, _, moduli, _), (gain, _, _), (worth, error, rest) = arrays
    asks, chosen, worths, errors = choice
    one, two = np.zeros(len(moduli), np.uint64), np.zeros(len(moduli), np.uint64)
    while row < len(seats):
        if seats[row] == ENDED:
            row += 1
            continue
        best = first[row]
        if forced >= 0:
            best, forced = forced, -1
        elif first[row + 1] - first[row] > 1:
            which, sign = asks[seats[row], 0], asks[seats[row], 1]
            least = -np.inf
            for option in range(first[row], first[row + 1]):
                ahead, off = _float(option, which, arrays)
                worths[option], errors[option] = sign * ahead, off
                least = max(least, sign * ahead - off)
            best = -1
            for option in range(first[row], first[row + 1]):
                if worths[option] + errors[option] < least:
                    continue
                if best < 0:
                    best = option
                    continue
                _rest(best, which, arrays, one)
                _rest(option, which, arrays, two)
                for k in range(len(moduli)):
                    if one[k] != two[k]:
                        return row
        chosen[row] = best
        for each in range(len(gain)):
            worth[each, row], error[each, row] = _float(best, each, arrays)
            _rest(best, each, arrays, rest[each, row])
        row += 1
    return -1


def search(compiled: Compiled, found: Search) -> None:
    """Fill in what is best at every row."""
    have, options = found.arrays, len(compiled.names)
    slack = (np.diff(have.arcs) + len(compiled.measures) + 8) * SLACK
    graph = have.seats, have.first, have.arcs, have.to, have.chances, found.shares, found.moduli, slack
    arrays = graph, (found.gain, found.gain_size, found.gain_rest), (found.worth, found.error, found.rest)
    worths, errors = np.zeros(options), np.zeros(options)
    row, forced = 0, -1
    while (row := _search(row, forced, arrays, (found.asks, found.chosen, worths, errors))) >= 0:
        which, sign = found.asks[compiled.seats[row]].tolist()
        within = compiled.options(row)
        least = max(worths[option] - errors[option] for option in within)
        contenders = [option for option in within if worths[option] + errors[option] >= least]
        rests = [np.zeros(len(found.moduli), dtype=np.uint64) for _ in contenders]
        for option, rest in zip(contenders, rests, strict=True):
            _rest(option, which, arrays, rest)
        forced = found.decided(row, contenders, rests, sign)
