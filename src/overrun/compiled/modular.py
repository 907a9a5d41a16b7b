"""Best play in machine words, and still exact.

Floating-point worths carry a proven bound on their error. Where an option beats the others by more than the bounds it
is best. Where it does not, remainders modulo primes decide: contenders that leave equal remainders are equal (`primes`
says why that is a proof), others are put together from their remainders and compared as whole numbers. What is chosen
is carried on as remainders too, so the answer is a fraction and not a float.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from overrun.compiled.graph import ENDED, Compiled
from overrun.compiled.primes import Remainders, enough
from overrun.compiled.wanted import Wanted


class Modular:
    """The arrays of a graph as numpy holds them, made once and used for every payoff."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.seats = np.frombuffer(compiled.seats, dtype=np.uint8)
        self.first, self.arcs, self.to, self.gained, self.gain_of = (
            np.array(part, dtype=np.int64)
            for part in (compiled.first, compiled.arcs, compiled.to, compiled.gained, compiled.gain_of)
        )
        self.chances = _floats(compiled.weights, self._totals(self.arcs))
        self.gains = _floats(compiled.gains, self._totals(self.gained))
        self._primes: list[int] = []
        self._shares = self._gain_shares = np.zeros((0, 0), dtype=np.uint64)

    @cached_property
    def largest(self) -> list[int]:
        """For each measure, no less than the size of its mean from any row on, whatever is chosen."""
        compiled = self.compiled
        sizes: list[list[int]] = [[] for _ in compiled.measures]
        for row in range(len(compiled.seats)):
            most = [0] * len(sizes)
            for option in compiled.options(row):
                ahead = compiled.to[compiled.arcs[option] : compiled.arcs[option + 1]]
                counts = [0] * len(sizes)
                for g in range(compiled.gained[option], compiled.gained[option + 1]):
                    counts[compiled.gain_of[g]] = -(-abs(compiled.gains[g]) // compiled.totals[option])
                for index, size in enumerate(sizes):
                    most[index] = max(most[index], counts[index] + max(map(size.__getitem__, ahead)))
            for size, top in zip(sizes, most, strict=True):
                size.append(top)
        return [size[-1] for size in sizes]

    def primes(self, want: Wanted) -> list[int]:
        """Enough primes to tell apart any two worths of one row under these wants."""
        worth = max(
            sum(abs(weight) * size for weight, size in zip(weights, self.largest, strict=True))
            for weights in want.weights
        )
        # A row's denominator divides the root's. Two numerators over it differ by at most 2 x worth x denominator, and
        # a number is known from remainders whose primes multiply to more than twice its size.
        denominator = self.compiled.denominators[-1]
        found = enough(4 * (worth + 1) * denominator, denominator)
        return found if len(found) > len(self._primes) else self._primes

    def shares(self, primes: list[int]) -> tuple[Any, Any]:
        """Of each arc, and of each gain, weight / total modulo each prime: one line of remainders per arc or gain."""
        if len(self._primes) < len(primes):
            self._shares = _remainders(self.compiled.weights, self._totals(self.arcs), primes)
            self._gain_shares = _remainders(self.compiled.gains, self._totals(self.gained), primes)
            self._primes = primes
        return self._shares, self._gain_shares

    def per_option(self, amounts: Any) -> Any:
        """For each option the sum of an amount per gain."""
        found = np.zeros((len(self.gained) - 1, *amounts.shape[1:]), dtype=amounts.dtype)
        if some := np.flatnonzero(np.diff(self.gained)).tolist():
            found[some] = np.add.reduceat(amounts, self.gained[some], axis=0)
        return found

    def _totals(self, offsets: Any) -> list[int]:
        counts = np.diff(offsets).tolist()
        return [total for total, count in zip(self.compiled.totals, counts, strict=True) for _ in range(count)]


class Search:
    """One solve: the gains of one payoff, and what is found row by row.

    `worth`, `error` and `rest` hold, for each want and row, a float, the bound on its error, and the exact remainders.
    """

    def __init__(self, compiled: Compiled, want: Wanted) -> None:
        self.arrays = arrays = modular(compiled)
        self.want = want
        self.primes = arrays.primes(want)
        self.moduli = np.array(self.primes, dtype=np.uint64)
        self.joined = Remainders(self.primes)
        self.shares, gain_shares = arrays.shares(self.primes)
        wants, rows, count = len(want.weights), len(compiled.seats), len(self.primes)
        self.asks = np.array([want.asks(seat) for seat in range(ENDED)], dtype=np.int64)
        options = len(compiled.names)
        self.gain, self.gain_size = np.zeros((wants, options)), np.zeros((wants, options))
        self.gain_rest = np.zeros((wants, options, count), dtype=np.uint64)
        for which, weights in enumerate(want.weights):
            each = np.array([float(weight) for weight in weights])[arrays.gain_of] * arrays.gains
            self.gain[which], self.gain_size[which] = arrays.per_option(each), arrays.per_option(np.abs(each))
            residues = np.array([[weight % prime for prime in self.primes] for weight in weights], dtype=np.uint64)
            if len(residues):
                rest = residues[arrays.gain_of] * gain_shares % self.moduli
                self.gain_rest[which] = arrays.per_option(rest) % self.moduli
        self.worth, self.error = np.zeros((wants, rows)), np.zeros((wants, rows))
        self.rest = np.zeros((wants, rows, count), dtype=np.uint64)
        self.chosen = np.zeros(rows, dtype=np.int64)

    def decided(self, row: int, contenders: list[int], rests: list[Any], sign: int) -> int:
        """The first of the best contenders of a row, by their whole numbers."""
        own = self.arrays.compiled.denominators[row]
        whole = [
            sign * self.joined.whole([int(r) * own % p for r, p in zip(rest, self.primes, strict=True)])
            for rest in rests
        ]
        return contenders[whole.index(max(whole))]

    def numerator(self, row: int, which: int) -> int:
        """The exact worth of a row in its own denominator."""
        own = self.arrays.compiled.denominators[row]
        rest = zip(self.rest[which, row].tolist(), self.primes, strict=True)
        return self.joined.whole([r * own % prime for r, prime in rest])


SLACK = 2.0**-51
"""Four roundings of one operation: enough for the rounding of a term, of its factors and of the bound itself."""


def _floats(numbers: list[int], totals: list[int]) -> Any:
    return np.array([number / total for number, total in zip(numbers, totals, strict=True)], dtype=np.float64)


def _remainders(numbers: list[int], totals: list[int], primes: list[int]) -> Any:
    found = np.zeros((len(numbers), len(primes)), dtype=np.uint64)
    small = all(-(2**62) < number < 2**62 for number in numbers)
    for column, prime in enumerate(primes):
        inverse = {total: pow(total, -1, prime) for total in set(totals)}
        inverses = np.fromiter((inverse[total] for total in totals), dtype=np.int64, count=len(totals))
        if small:
            rest = np.array(numbers, dtype=np.int64) % prime
        else:
            rest = np.fromiter((number % prime for number in numbers), dtype=np.int64, count=len(numbers))
        found[:, column] = rest * inverses % prime
    return found


@lru_cache(maxsize=8)
def modular(compiled: Compiled) -> Modular:
    """The numpy arrays of a graph, made once."""
    return Modular(compiled)
