"""A flat graph as one block of bytes, with a checksum: nothing in a damaged block is ever read as a graph."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from overrun.compiled.graph import Compiled
from overrun.kernel import OverrunError

MAGIC = b"overrun graph 2\n"
_ARRAYS = ("first", "arcs", "to", "tally", "gained", "gain_of", "digests")
_NUMBERS = ("weights", "totals", "gains")


class DamagedGraph(OverrunError):  # noqa: N818  (what a user is told)
    """These bytes are no whole graph: cut off, changed, or written by another version."""

    code = "compiled.damaged"


def packed(compiled: Compiled) -> bytes:
    """The graph as bytes: a magic line, a checksum, a JSON head, then the arrays, little-endian."""
    words, names = sorted(set(compiled.words)), sorted(set(compiled.names))
    parts: dict[str, bytes] = {"seats": compiled.seats, "states": compiled.states}
    for name in _ARRAYS:
        parts[name] = _bytes(getattr(compiled, name))
    places = {word: place for place, word in enumerate(words)}
    parts["word"] = _bytes(array("I", (places[word] for word in compiled.words)))
    places = {name: place for place, name in enumerate(names)}
    parts["name"] = _bytes(array("I", (places[name] for name in compiled.names)))
    widths: dict[str, int] = {}
    for name in _NUMBERS:
        widths[name], parts[name] = _numbers(getattr(compiled, name))
    head = {
        "measures": compiled.measures,
        "whole": compiled.whole,
        "restrictions": compiled.restrictions,
        "doubts": compiled.doubts,
        "tallies": compiled.tallies,
        "words": words,
        "names": names,
        "widths": widths,
        "parts": {name: len(part) for name, part in parts.items()},
    }
    text = json.dumps(head).encode()
    body = len(text).to_bytes(8, "little") + text + b"".join(parts.values())
    return MAGIC + sha256(body).digest() + body


def unpacked(block: bytes) -> Compiled:
    """The graph again. Raises `DamagedGraph`."""
    start = len(MAGIC) + 32
    if block[: len(MAGIC)] != MAGIC or sha256(block[start:]).digest() != block[len(MAGIC) : start]:
        raise DamagedGraph("these bytes are no whole graph of this version")
    size = int.from_bytes(block[start : start + 8], "little")
    place = start + 8 + size
    head = json.loads(block[start + 8 : place])
    parts: dict[str, bytes] = {}
    for name, length in head["parts"].items():
        parts[name] = block[place : place + length]
        place += length
    fields: dict[str, Any] = {name: _array("Q" if name == "digests" else "I", parts[name]) for name in _ARRAYS} | {
        name: _whole(head["widths"][name], parts[name]) for name in _NUMBERS
    }
    return Compiled(
        measures=tuple(head["measures"]),
        whole=head["whole"],
        restrictions=tuple(head["restrictions"]),
        doubts=tuple(head["doubts"]),
        tallies=tuple(tuple((name, count) for name, count in tally) for tally in head["tallies"]),
        seats=parts["seats"],
        states=parts["states"],
        words=tuple(map(head["words"].__getitem__, _array("I", parts["word"]))),
        names=tuple(map(head["names"].__getitem__, _array("I", parts["name"]))),
        **fields,
    )


def _bytes(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _array(code: str, part: bytes) -> array[int]:
    values = array(code)
    values.frombytes(part)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def _numbers(numbers: Sequence[int]) -> tuple[int, bytes]:
    """Whole numbers of any size at one width in bytes: 8 where that is enough."""
    width = max(8, *(number.bit_length() // 8 + 1 for number in numbers)) if numbers else 8
    if width == 8:
        return 8, _bytes(array("q", numbers))
    return width, b"".join(number.to_bytes(width, "little", signed=True) for number in numbers)


def _whole(width: int, part: bytes) -> list[int]:
    if width == 8:
        return _array("q", part).tolist()
    return [int.from_bytes(part[place : place + width], "little", signed=True) for place in range(0, len(part), width)]
