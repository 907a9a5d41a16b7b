"""`quick` makes the same frozen class, only faster."""

import pickle
from copy import copy
from dataclasses import FrozenInstanceError, dataclass, field
from inspect import signature
from typing import Any

import pytest

from overrun.kernel import Cite, Exit, Position
from overrun.kernel.frozen import quick


def plain() -> Any:
    @dataclass(frozen=True, slots=True)
    class Unit:
        kind: str
        new: int = 2
        mark: tuple[int, ...] = ()

    return Unit


@dataclass(frozen=True, slots=True)
class Listed:
    units: list[int] = field(default_factory=list)


def test_it_makes_the_same_instances() -> None:
    slow, fast = plain(), quick(plain())
    for args, kwargs in ((("a",), {}), (("a", 3), {"mark": (1,)}), ((), {"kind": "b", "new": 0})):
        assert repr(fast(*args, **kwargs)) == repr(slow(*args, **kwargs))
        assert hash(fast(*args, **kwargs)) == hash(slow(*args, **kwargs))
    assert fast("a") == fast("a", 2) != fast("a", 3)
    assert fast.__init__ is not plain().__init__


def test_it_stays_frozen_and_refuses_wrong_arguments() -> None:
    fast = quick(plain())
    with pytest.raises(FrozenInstanceError):
        fast("a").new = 3
    with pytest.raises(TypeError):
        fast()
    with pytest.raises(TypeError):
        fast("a", speed=1)


def test_heirs_are_made_too() -> None:
    fast = quick(plain())

    class Crew(fast):  # type: ignore[misc, valid-type]
        pass

    class Squad(fast):  # type: ignore[misc, valid-type]
        __slots__ = ()

    for heir in (Crew, Squad):
        made = heir("a", 3)
        assert (type(made), made.kind, made.new, made.mark) == (heir, "a", 3, ())


def test_it_leaves_other_classes_alone() -> None:
    before = Listed.__init__
    assert quick(Listed).__init__ is before
    assert Listed().units is not Listed().units


def test_kernel_values_can_be_copied_and_stored() -> None:
    position = Position("attack", ("state", 1), (), Position("before", 0))
    assert pickle.loads(pickle.dumps(position)) == copy(position) == position
    assert list(signature(Cite).parameters)[:2] == ["work", "section"]
    assert Exit("hit", 1).id == "hit"
