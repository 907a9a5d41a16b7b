"""Whole numbers come back from their remainders, and the primes are primes."""

from itertools import islice
from math import isqrt, prod

from hypothesis import given
from hypothesis import strategies as st

from overrun.compiled.primes import BELOW, Remainders, enough, is_prime, primes


def test_primes_are_primes() -> None:
    def divides(number: int) -> bool:
        return any(number % divisor == 0 for divisor in range(2, isqrt(number) + 1))

    assert [number for number in range(3000) if is_prime(number)] == [n for n in range(2, 3000) if not divides(n)]
    assert not any(map(is_prime, (2047, 1373653, 25326001, 1073741823)))  # strong pseudoprimes to few bases; 2^30 - 1
    found = list(islice(primes(), 4))
    assert found == sorted(found, reverse=True)
    assert all(number < BELOW and not divides(number) for number in found)


@given(st.integers(1, 10**60), st.integers(1, 10**40), st.data())
def test_numbers_come_back(bound: int, denominator: int, data: st.DataObject) -> None:
    chosen = enough(2 * bound + 1, denominator)
    assert prod(chosen) > 2 * bound
    assert all(denominator % prime for prime in chosen)
    number = data.draw(st.integers(-bound, bound))
    assert Remainders(chosen).whole([number % prime for prime in chosen]) == number
