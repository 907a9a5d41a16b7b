"""Naming a situation in an address: a shipped example by its name, any other by its whole text, packed."""

from __future__ import annotations

import binascii
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

import tomli_w

from overrun import scenarios
from overrun.kernel import InputError, Problem
from overrun.store import opening
from overrun.store.opening import Opened

PACKED = "t."
LARGEST = 200_000
"""Characters of one situation; the largest shipped one has a few thousand."""


def text_of(of: str) -> str:
    """The TOML text that a reference names. Raises `InputError`; never looks at the file system for it."""
    if of in scenarios.names():
        return scenarios.text(of)
    if not of.startswith(PACKED):
        raise InputError([Problem("of", f"there is no shipped situation {of[:80]!r}", ", ".join(scenarios.names()))])
    try:
        packed = urlsafe_b64decode(of[len(PACKED) :] + "=" * (-len(of[len(PACKED) :]) % 4))
        unpack = zlib.decompressobj()
        raw = unpack.decompress(packed, LARGEST)
        if unpack.unconsumed_tail:
            raise InputError([Problem("of", f"this situation is larger than {LARGEST:,} characters")])
        return raw.decode("utf-8")
    except (ValueError, binascii.Error, zlib.error) as error:
        raise InputError(
            [Problem("of", "this address of a situation is damaged", "the whole link, unchanged")]
        ) from error


def packed(text: str) -> str:
    """The reference that carries a situation in the address itself.

    >>> text_of(packed("title = 'a'"))
    "title = 'a'"
    """
    return PACKED + urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def opened(of: str) -> Opened:
    """The situation that a reference names. Raises `InputError` with every problem."""
    return opening.from_text(text_of(of), of)


def read(text: str) -> Opened:
    """A situation from the text of its file, under a reference that anybody can open again."""
    if len(text) > LARGEST:
        raise InputError([Problem("", f"this situation is larger than {LARGEST:,} characters")])
    return opening.from_text(text, packed(text))


def toml(document: Mapping[str, Any]) -> str:
    """A document as the text of its file."""
    return tomli_w.dumps(pruned(document))


def pruned(value: Any) -> Any:
    """The value without what TOML cannot say (nothing at all); tuples become lists."""
    if isinstance(value, Mapping):
        return {str(key): pruned(each) for key, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [pruned(each) for each in value if each is not None]
    return value
