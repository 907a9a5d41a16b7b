"""Random Selection in closed form against counting every throw (A-37)."""

from collections import Counter
from itertools import product

import pytest

from overrun.rulesets.asl.random_selection import counts, selected
from overrun.rulesets.asl.selection import random_selection


@pytest.mark.parametrize(("units", "slots"), [(n, k) for n in range(1, 6) for k in range(7)])
def test_counts_equal_enumeration(units, slots):
    by_throw = Counter(sum(selected(faces, slots)) for faces in product(range(1, 7), repeat=units))
    assert dict(counts(units, slots)) == by_throw


def test_ties_for_the_last_place_are_all_hit():
    assert selected((5, 3, 5, 3), 3) == (True, True, True, True)
    assert selected((5, 3, 5, 1), 1) == (True, False, True, False)
    assert selected((1, 2), 0) == (False, False)
    assert selected((1, 2), 5) == (True, True)


def test_subsets_of_one_size_are_equally_likely():
    seen = Counter(selected(faces, 2) for faces in product(range(1, 7), repeat=4))
    for size in range(5):
        assert len({weight for hit, weight in seen.items() if sum(hit) == size}) <= 1


@pytest.mark.parametrize(("units", "slots"), [(2, 1), (3, 1), (3, 2), (4, 3)])
def test_the_dice_know_how_often_each_set_is_picked(units, slots):
    thrown = Counter(selected(faces, slots) for faces in product(range(1, 7), repeat=units))
    assert {picked: weight for picked, weight in random_selection(units, slots).outcomes if weight} == thrown
