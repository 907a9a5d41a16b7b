"""Legal allotments against a literal replay of 14.61 and 14.62: one action after another until the total is met."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overrun.rulesets.valor.casualties import Attack, Target, allotments

Taken = tuple[str, ...]
NAMES = {(): "spare", ("P",): "pin", ("R",): "reduce", ("R", "P"): "reduce_pin", ("E",): "eliminate"}
SQUAD = Target("squad", "Squad", 5, 3)
SQUAD_3 = Target("squad", "Squad", 5, 2)
US_SQUAD = Target("us", "US squad", 4, 2)
HALF = Target("half", "Half squad", 2)
LEADER = Target("leader", "Leader", 1)


def pinned(target: Target) -> Target:
    return Target(target.id, target.label, target.cr, target.reduces, pinned=True)


def replayed(attack: Attack) -> set[Taken]:
    """Every end that the owner can reach by acting on unit after unit, stopping when the points are met."""
    pins_cover = sum(not target.pinned for target in attack.targets) >= attack.points
    found: set[Taken] = set()
    start = tuple(() for _ in attack.targets)
    todo: list[tuple[tuple[tuple[str, ...], ...], int]] = [(start, 0)]
    seen = set(todo)
    while todo:
        done, met = todo.pop()
        following = [] if met >= attack.points else list(_actions(attack, done, pins_cover))
        if not following:
            found.add(tuple(NAMES[acts] for acts in done))
        for index, act, cost in following:
            after = (*done[:index], (*done[index], act), *done[index + 1 :]), met + cost
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return found


def _actions(attack: Attack, done: tuple[tuple[str, ...], ...], pins_cover: bool) -> Iterator[tuple[int, str, int]]:
    pins_begun = any("P" in acts for acts in done)
    unpinned = [i for i, t in enumerate(attack.targets) if not t.pinned and "P" not in done[i] and "E" not in done[i]]
    for i in unpinned:
        target = attack.targets[i]
        yield i, "P", 1
        if done[i] or (pins_begun and not pins_cover):
            continue
        yield i, "E", target.cr
        if target.reduces is not None:
            yield i, "R", target.reduces
    if not unpinned and (attack.pinned_pay_after_pins or not pins_begun):
        for i, target in enumerate(attack.targets):
            if target.pinned and not done[i]:
                yield i, "E", target.cr


def answers(attack: Attack) -> set[Taken]:
    return {tuple(action.name for action in allotment) for allotment in allotments(attack)}


UNITS = st.sampled_from([SQUAD, SQUAD_3, US_SQUAD, HALF, LEADER, *map(pinned, (SQUAD, US_SQUAD, HALF, LEADER))])


@settings(max_examples=150, deadline=None)
@given(st.lists(UNITS, min_size=1, max_size=4), st.integers(1, 10), st.booleans())
def test_every_allotment_that_a_replay_reaches_is_legal_and_no_other(
    targets: list[Target], points: int, after_pins: bool
) -> None:
    attack = Attack(tuple(targets), points, irredundant=False, pinned_pay_after_pins=after_pins)
    # Pins taken too early leave the replay short of the total: those ends are no allotments.
    met = {names for names in replayed(attack) if _total(attack, names) >= points or set(names) == {"eliminate"}}
    assert answers(attack) == met


def _total(attack: Attack, names: Taken) -> int:
    costs = {"spare": 0, "pin": 1}
    total = 0
    for target, name in zip(attack.targets, names, strict=True):
        total += costs.get(name, 0)
        total += target.cr if name == "eliminate" else 0
        total += (target.reduces or 0) + name.endswith("pin") if name.startswith("reduce") else 0
    return total


@settings(max_examples=80, deadline=None)
@given(st.lists(UNITS, min_size=1, max_size=3), st.integers(1, 10))
def test_irredundant_allotments_are_the_legal_ones_that_no_cheaper_action_would_do(
    targets: list[Target], points: int
) -> None:
    wide = Attack(tuple(targets), points, irredundant=False, pinned_pay_after_pins=True)
    narrow = Attack(tuple(targets), points, irredundant=True, pinned_pay_after_pins=True)
    assert answers(narrow) <= answers(wide)
    assert answers(narrow), "there is always something that just suffices"
    for names in answers(narrow):
        total = _total(narrow, names)
        for target, name in zip(targets, names, strict=True):
            if name in ("pin", "eliminate") and not any(t.pinned for t in targets) and total > points:
                cheapest = 1 if name == "eliminate" and target.cr > 1 else 0
                paid = 1 if name == "pin" else target.cr
                assert total - paid + cheapest < points


@pytest.mark.parametrize("points", range(1, 11))
def test_the_printed_hex_can_always_spare_the_leader(points: int) -> None:
    attack = Attack((LEADER, SQUAD, SQUAD), points, irredundant=False, pinned_pay_after_pins=True)
    assert any(names[0] == "spare" for names in answers(attack))


def test_alike_units_are_the_distinct_allotments_of_units_told_apart() -> None:
    for points, (one, two) in product(range(1, 11), [(SQUAD, SQUAD), (US_SQUAD, US_SQUAD)]):
        apart = answers(Attack((LEADER, one, two), points, irredundant=False, pinned_pay_after_pins=True))
        group = [Target(t.id, t.label, t.cr, t.reduces, group="g") for t in (one, two)]
        alike = answers(Attack((LEADER, *group), points, irredundant=False, pinned_pay_after_pins=True))
        assert {(names[0], *sorted(names[1:])) for names in apart} == {
            (names[0], *sorted(names[1:])) for names in alike
        }
        assert len(alike) == len({(names[0], *sorted(names[1:])) for names in apart})
