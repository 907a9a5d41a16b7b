"""Values as text that is the same for equal values in every run and on every machine: what content is named by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from hashlib import blake2b, sha256
from types import FunctionType
from typing import Any

from overrun.analysis.algebra import Key
from overrun.kernel import RulesError

PLAIN = (int, str, float, bool, type(None), bytes, Fraction)


def written(value: Any, *, compared: bool = False) -> str:  # noqa: PLR0911  (one return per kind of value)
    """A value in one spelling. With `compared` only the fields that equality reads, else every one that it is made of.

    Fields that are not given when a value is made follow from the others, such as what was worked out and remembered.

    Raises `RulesError` for what has no spelling of its own, such as an open file or a function that closes over values.
    """
    kind = type(value)
    if kind in PLAIN:
        return repr(value)
    if isinstance(value, Enum):
        return f"{kind.__qualname__}.{value.name}"
    if is_dataclass(value):
        read = (field.name for field in fields(value) if (field.compare if compared else field.init))
        return f"{kind.__qualname__}({_all((getattr(value, name) for name in read), compared)})"
    if isinstance(value, (tuple, list)):
        return f"[{_all(value, compared)}]"
    if isinstance(value, AbstractSet):
        return f"{{{','.join(sorted(written(each, compared=compared) for each in value))}}}"
    if isinstance(value, Mapping):
        pairs = ((written(key, compared=compared), written(each, compared=compared)) for key, each in value.items())
        return f"{{{','.join(f'{key}:{each}' for key, each in sorted(pairs))}}}"
    if isinstance(value, FunctionType) and value.__closure__ is None and "<lambda>" not in value.__qualname__:
        return f"{value.__module__}.{value.__qualname__}"
    raise RulesError(f"{kind.__module__}.{kind.__qualname__} cannot be named by its content")


def _all(values: Iterable[Any], compared: bool) -> str:
    return ",".join(written(value, compared=compared) for value in values)


def digest(key: Key) -> int:
    """A decision's step and state as a 64-bit number."""
    return int.from_bytes(blake2b(written(key, compared=True).encode(), digest_size=8).digest(), "little")


def content(*values: Any) -> str:
    """The content hash of some values, as hexadecimal text. Raises `RulesError` where a value cannot be named."""
    return sha256(written(values).encode()).hexdigest()
