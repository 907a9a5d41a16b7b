"""`changed` copies as `dataclasses.replace` does, whatever the fields are called and however the class is made."""

from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from overrun.kernel import changed


@dataclass(frozen=True, slots=True)
class Slotted:
    kind: str
    new: int = 0
    state: int = 1
    copy: tuple[int, ...] = ()
    fixed: str = field(default="", compare=False)


@dataclass(frozen=True)
class Open:
    mp: int
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    mp: int

    def __post_init__(self) -> None:
        if self.mp < 0:
            raise ValueError("no MP are left")


@dataclass(frozen=True, slots=True)
class Bare:
    pass


@pytest.mark.parametrize(
    ("state", "changes"),
    [
        (Slotted("tank", fixed="terrain"), {"kind": "gun", "new": 4}),
        (Slotted("tank", fixed="terrain"), {"state": 7, "copy": (1, 2), "fixed": "road"}),
        (Slotted("tank", 3, 4, (5,), "x"), {}),
        (Open(3), {"stuck": True}),
        (Checked(3), {"mp": 0}),
        (Bare(), {}),
    ],
)
def test_it_copies_as_replace_does(state: Any, changes: dict[str, Any]) -> None:
    after = changed(state, **changes)
    assert (type(after), repr(after)) == (type(state), repr(replace(state, **changes)))
    assert hash(after) == hash(replace(state, **changes))
    assert all(hasattr(after, name) for name in changes)


def test_it_refuses_what_the_class_refuses() -> None:
    with pytest.raises(KeyError, match="speed"):
        changed(Slotted("tank"), speed=3)
    with pytest.raises(ValueError, match="no MP"):
        changed(Checked(1), mp=-1)
    with pytest.raises(FrozenInstanceError):
        changed(Slotted("tank"), new=2).new = 5  # type: ignore[misc]
