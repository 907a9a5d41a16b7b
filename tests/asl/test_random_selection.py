"""Random Selection in closed form against counting every throw (A-37)."""

from collections import Counter
from itertools import product

import pytest

from overrun.kernel import Exit
from overrun.rulesets.asl.hits import Hits, Target
from overrun.rulesets.asl.ift import Result, ResultKind
from overrun.rulesets.asl.random_selection import counts, selected
from overrun.rulesets.asl.results import selection
from overrun.rulesets.asl.selection import random_selection
from overrun.rulesets.asl.state import Unit
from tests.asl.steps.situations import setup


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


@pytest.mark.parametrize("results", [(ResultKind.MC, ResultKind.KIA), (ResultKind.KIA, ResultKind.MC)])
def test_the_result_of_a_group_falls_on_its_own_targets_alone(results):
    """A concealed unit is attacked on its own column (A7.23): each suffers its own result, once, without selection."""
    units = (Unit("4-4-7"), Unit("2-3-7"))
    found = tuple(Result(kind, 1) for kind in results)
    h = Hits(setup(), found, tuple(Target(unit, group) for group, unit in enumerate(units)), units)
    for _ in results:
        node = selection(h)
        assert isinstance(node, Exit)
        assert node.name == "applied"
        h = node.state
    for target, unit, kind in zip(h.targets, units, results, strict=True):
        assert target.unit == (None if kind is ResultKind.KIA else unit)
        assert (target.owes is None) is (kind is ResultKind.KIA)
