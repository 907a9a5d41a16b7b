"""The states of a graph's decisions as bytes, for those who show them. Nothing but values of the rules is ever read."""

from __future__ import annotations

import io
import pickle
import zlib
from collections.abc import Sequence
from typing import Any

from overrun.analysis.game import Game
from overrun.kernel import OverrunError

BEYOND = {("fractions", "Fraction"), ("builtins", "set"), ("builtins", "frozenset")}
"""What states may hold that is neither of the rules nor of the kernel."""


class UnknownState(OverrunError):  # noqa: N818  (what it is about)
    """These bytes hold something that is no value of the rules."""

    code = "compiled.unknown_state"


def pack(game: Game) -> bytes:
    """The state of every decision, in the order of the rows; empty where one cannot be written."""
    try:
        written = pickle.dumps([None if row.seat is None else row.key[1] for row in game.rows], protocol=5)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
        return b""
    return zlib.compress(written, 1)


def unpack(block: bytes, packages: Sequence[str]) -> list[Any]:
    """The states again; classes are looked up in `packages` and nowhere else. Raises `UnknownState`."""
    try:
        found = _Reader(io.BytesIO(zlib.decompress(block)), packages).load()
    except (pickle.UnpicklingError, zlib.error, AttributeError, ImportError, EOFError, ValueError, TypeError) as error:
        raise UnknownState(f"kept states cannot be read ({error})") from error
    if not isinstance(found, list):
        raise UnknownState("kept states are no list")
    return found


class _Reader(pickle.Unpickler):
    """Reads classes of some packages; a name of anything else ends the reading before it is looked up."""

    def __init__(self, file: io.BytesIO, packages: Sequence[str]) -> None:
        super().__init__(file)
        self._packages = packages

    def find_class(self, module: str, name: str) -> Any:
        """The class of that name, which makes one value of the rules."""
        within = any(module == package or module.startswith(f"{package}.") for package in self._packages)
        if not within and (module, name) not in BEYOND:
            raise UnknownState(f"{module}.{name} is no part of the rules")
        found = super().find_class(module, name)
        if not isinstance(found, type):
            raise UnknownState(f"{module}.{name} is no class")
        return found
