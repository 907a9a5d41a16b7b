"""Frozen classes at less cost: their slots are set directly, where `dataclass` goes through `object.__setattr__`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar

K = TypeVar("K", bound=type)


def setters(kind: type[Any]) -> dict[str, Callable[[Any, Any], None]] | None:
    """What sets each field of a new instance; None for a class without slots, or one that checks itself when made."""
    slots = {field.name: getattr(kind, field.name, None) for field in fields(kind)}
    if hasattr(kind, "__post_init__") or not all(type(slot).__name__ == "member_descriptor" for slot in slots.values()):
        return None
    return {name: slot.__set__ for name, slot in slots.items() if slot is not None}


def quick(kind: K) -> K:
    """The same frozen slotted dataclass, made in two thirds of the time; every other class is left as it is.

    Nodes, exits and ledgers are made at every step of every question, millions of times in an extraction.
    """
    setting = setters(kind)
    made = [field for field in fields(kind) if field.init and not field.kw_only and field.default_factory is MISSING]
    if setting is None or len(made) != len(setting) or not setting:
        return kind
    scope: dict[str, Any] = {f"SET_{name}": set_slot for name, set_slot in setting.items()}
    scope |= {f"DEFAULT_{field.name}": field.default for field in made if field.default is not MISSING}
    arguments = ", ".join(
        field.name if field.default is MISSING else f"{field.name}=DEFAULT_{field.name}" for field in made
    )
    bound = ", ".join(f"SET_{name}=SET_{name}" for name in setting)
    body = "; ".join(f"SET_{name}(NEW, {name})" for name in setting)
    exec(f"def __init__(NEW, {arguments}, *, {bound}): {body}", scope)
    written = scope["__init__"]
    written.__qualname__ = f"{kind.__qualname__}.__init__"
    written.__annotations__ = kind.__init__.__annotations__  # type: ignore[misc]
    kind.__init__ = written  # type: ignore[misc]
    return kind


class Hashed:
    """A frozen slotted dataclass that works out its hash once: `@hashed` above `@dataclass`, and this as its base.

    States are looked up over and over, and what they hold is shared between them.
    """

    __slots__ = ("_hash",)


def hashed(kind: K) -> K:
    """The same class of `Hashed` values, which remember their hash. It is neither copied, compared nor pickled.

    Where they have an order it is that of their fields still, but is known at the first field that differs.

    >>> from dataclasses import dataclass
    >>> @hashed
    ... @dataclass(frozen=True, slots=True)
    ... class Tank(Hashed):
    ...     mp: int
    >>> hash(Tank(10)) == hash(Tank(10)), Tank(10) == Tank(10), Tank(10)
    (True, True, Tank(mp=10))
    """
    fresh: Callable[[Any], int] = vars(kind)["__hash__"]
    keep: Callable[[Any, int], None] = vars(Hashed)["_hash"].__set__

    def remembered(self: Any) -> int:
        try:
            known: int = self._hash
        except AttributeError:
            known = fresh(self)
            keep(self, known)
        return known

    kind.__hash__ = remembered  # type: ignore[assignment]
    if "__lt__" in vars(kind):
        kind.__lt__ = _early(kind)  # type: ignore[operator]
    return kind


def _early(kind: type[Any]) -> Callable[[Any, Any], bool]:
    """What compares two values field by field; `dataclass` makes tuples of all fields of both first."""
    names = [field.name for field in fields(kind) if field.compare]
    lines = [f"if OLD.{name} != NEW.{name}: return OLD.{name} < NEW.{name}" for name in names]
    body = "\n    ".join(["if NEW.__class__ is not OLD.__class__: return NotImplemented", *lines, "return False"])
    scope: dict[str, Any] = {}
    exec(f"def __lt__(OLD, NEW):\n    {body}", scope)
    written: Callable[[Any, Any], bool] = scope["__lt__"]
    return written
