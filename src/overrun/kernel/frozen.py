"""Frozen classes at less cost: their slots are set directly, where `dataclass` goes through `object.__setattr__`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from types import new_class
from typing import Any, TypeVar

K = TypeVar("K", bound=type)

become: Callable[[Any, type[Any]], None] = vars(object)["__class__"].__set__
"""Makes an instance one of another class with the same slots, whatever its own class says of setting attributes."""


def thawed(kind: type[Any]) -> type[Any] | None:
    """A class with the same slots that may be set: an instance is filled as one of it, and then becomes frozen.

    None for a class without slots, or one that checks itself when made.
    """
    slots = (getattr(kind, field.name, None) for field in fields(kind))
    if hasattr(kind, "__post_init__") or not all(type(slot).__name__ == "member_descriptor" for slot in slots):
        return None
    bases = vars(kind).get("__orig_bases__", kind.__bases__)
    names = {"__slots__": tuple(vars(kind)["__slots__"]), "__setattr__": object.__setattr__}
    return new_class(f"{kind.__name__} in the making", bases, {}, lambda body: body.update(names))


def quick(kind: K) -> K:
    """The same frozen slotted dataclass, made in a third of the time; every other class is left as it is.

    Nodes, exits, ledgers and states are made at every step of every question, millions of times in an extraction.
    """
    made = [field for field in fields(kind) if field.init and not field.kw_only and field.default_factory is MISSING]
    thaw = thawed(kind)
    if thaw is None or not made or len(made) != len(fields(kind)):
        return kind
    scope: dict[str, Any] = {f"DEFAULT_{field.name}": field.default for field in made if field.default is not MISSING}
    scope |= {"KIND": kind, "THAWED": thaw, "BECOME": become, "PLAIN": kind.__init__}  # type: ignore[misc]
    arguments = ", ".join(
        field.name if field.default is MISSING else f"{field.name}=DEFAULT_{field.name}" for field in made
    )
    filled = "; ".join(f"NEW.{field.name} = {field.name}" for field in made)
    # An heir may have more slots, so it is made as `dataclass` would.
    heir = f"if NEW.__class__ is not KIND: return PLAIN(NEW, {', '.join(field.name for field in made)})"
    head = f"def __init__(NEW, {arguments}, *, KIND=KIND, THAWED=THAWED, BECOME=BECOME):"
    exec(f"{head}\n    {heir}\n    BECOME(NEW, THAWED); {filled}; NEW.__class__ = KIND", scope)
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
    """The same class of `Hashed` values, made quickly, which remember their hash. It is neither compared nor pickled.

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
    return quick(kind)


def _early(kind: type[Any]) -> Callable[[Any, Any], bool]:
    """What compares two values field by field; `dataclass` makes tuples of all fields of both first."""
    names = [field.name for field in fields(kind) if field.compare]
    lines = [f"if OLD.{name} != NEW.{name}: return OLD.{name} < NEW.{name}" for name in names]
    body = "\n    ".join(["if NEW.__class__ is not OLD.__class__: return NotImplemented", *lines, "return False"])
    scope: dict[str, Any] = {}
    exec(f"def __lt__(OLD, NEW):\n    {body}", scope)
    written: Callable[[Any, Any], bool] = scope["__lt__"]
    return written
