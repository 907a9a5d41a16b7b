"""A spread counts each measure for itself, and exactly as the table of all branches does."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overrun.analysis.tally import LONG, Spread, Tally, Varied, counted, mixed, plus

NAMES = ("broken", "hits", "lost")
Table = list[tuple[int, Tally]]
"""Branches one by one, each with its weight."""

tallies = st.dictionaries(st.sampled_from(NAMES), st.integers(-2, 2)).map(counted)
tables = st.lists(st.tuples(st.integers(1, 5), tallies), min_size=1, max_size=4)


def chances(table: Table, name: str) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    total = sum(weight for weight, _ in table)
    for weight, tally in table:
        count = dict(tally).get(name, 0)
        found[count] = found.get(count, Fraction(0)) + Fraction(weight, total)
    return found


def spread_chances(spread: Spread, name: str) -> dict[int, Fraction]:
    weights = spread.weights(name)
    total = sum(weights.values())
    return {count: Fraction(weight, total) for count, weight in weights.items()}


def spread_of(table: Table, factor: int = 1) -> Spread:
    return mixed([Spread(weight * factor).after(tally) for weight, tally in table])


def both(one: Table, two: Table) -> Table:
    return [(v * w, plus(first, second)) for v, first in one for w, second in two]


@given(tables)
def test_branches_that_are_mixed(table: Table) -> None:
    spread = spread_of(table)
    assert spread.weight == sum(weight for weight, _ in table)
    for name in NAMES:
        assert spread_chances(spread, name) == chances(table, name)


@given(tables, tables)
def test_two_that_are_counted_one_after_the_other(one: Table, two: Table) -> None:
    spread = spread_of(one).plus(spread_of(two))
    assert spread.weight == sum(weight for weight, _ in both(one, two))
    for name in NAMES:
        assert spread_chances(spread, name) == chances(both(one, two), name)


@given(st.lists(st.tuples(tables, tallies), min_size=1, max_size=3), st.sampled_from((1, LONG)))
def test_what_is_mixed_can_be_mixed_again(parts: Sequence[tuple[Table, Tally]], factor: int) -> None:
    """Long numbers are brought to lowest terms on the way."""
    spread = mixed([spread_of(table, factor).after(tally) for table, tally in parts])
    whole = [(weight, plus(more, tally)) for table, tally in parts for weight, more in table]
    for name in NAMES:
        assert spread_chances(spread, name) == chances(whole, name)


def test_numbers_do_not_grow_for_nothing() -> None:
    coin = mixed([Spread(LONG), Spread(LONG, (("hits", 1),))])
    assert coin.varied is not None
    assert (coin.varied.of, dict(coin.varied.counts["hits"])) == (2, {1: 1})


@pytest.mark.parametrize("tally", [(), (("hits", 2),)])
def test_branches_alike_stay_one(tally: Tally) -> None:
    """What only makes a branch likelier copies no distribution."""
    varied = Varied({"hits": {1: 1}}, 2)
    spread = mixed([Spread(1, tally, varied), Spread(3, tally, varied)])
    assert (spread.weight, spread.sure) == (4, tally)
    assert spread.varied is varied
