"""Arithmetic modulo a few primes: big whole numbers in machine words, and back, with a proof that nothing is lost.

A whole number N with 2 |N| < p1 p2 ... pk is known from its remainders modulo the k primes alone. The primes lie below
2^30, so a product of two remainders lies below 2^60 and sixteen of them fit into 64 unsigned bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

BELOW = 2**30


def is_prime(number: int) -> bool:
    """Miller and Rabin's test, which decides every number below 3,215,031,751 with these four bases."""
    if number < 2 or any(number % small == 0 for small in (2, 3, 5, 7) if number != small):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7):
        x = pow(base, odd, number)
        if base % number == 0 or x in {1, number - 1}:
            continue
        for _ in range(twos - 1):
            x = x * x % number
            if x == number - 1:
                break
        else:
            return False
    return True


def primes() -> Iterator[int]:
    """The primes below 2^30, largest first."""
    return (number for number in range(BELOW - 1, 2, -2) if is_prime(number))


def enough(bound: int, denominator: int) -> list[int]:
    """Primes that divide no divisor of `denominator` and whose product exceeds `bound`."""
    found: list[int] = []
    product = 1
    for prime in primes():
        if denominator % prime:
            found.append(prime)
            product *= prime
            if product > bound:
                break
    return found


class Remainders:
    """Whole numbers back from their remainders modulo some primes; they lie between minus and plus half the product."""

    def __init__(self, primes: Sequence[int]) -> None:
        self.primes = tuple(primes)
        self.product = prod(primes)
        self._parts = [(self.product // p) * pow(self.product // p, -1, p) % self.product for p in primes]

    def whole(self, remainders: Sequence[int]) -> int:
        """The number of smallest size that leaves these remainders.

        >>> Remainders([101, 103]).whole([-5 % 101, -5 % 103])
        -5
        """
        number = sum(part * int(r) for part, r in zip(self._parts, remainders, strict=True)) % self.product
        return number - self.product if 2 * number > self.product else number
