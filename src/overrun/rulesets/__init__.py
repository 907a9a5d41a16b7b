"""The rulesets that are installed. Readers find them here and import none by name.

A ruleset is a sub-package with a `ruleset` attribute, or an entry point of the group "overrun.rulesets". Importing this
package imports no ruleset; looking one up imports that one only.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from overrun.kernel import InputError, Problem, Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "overrun.rulesets"


def ruleset(id: str) -> Ruleset:
    """The ruleset of that id, such as "valor". Raises `InputError` naming those that exist."""
    if id in _packages() and (found := _built_in(id)) is not None:
        return found
    entry = next((entry for entry in _entry_points() if entry.name == id), None)
    if entry is not None:
        loaded: Ruleset = entry.load()
        return loaded
    raise InputError([Problem("system", f"there is no ruleset {id!r}", ", ".join(rulesets()))])


def rulesets() -> Mapping[str, Ruleset]:
    """Every installed ruleset by its id, in alphabetical order. This imports them all."""
    found = {id: built_in for id in _packages() if (built_in := _built_in(id)) is not None}
    for entry in _entry_points():
        found.setdefault(entry.name, entry.load())
    return dict(sorted(found.items()))


def _packages() -> tuple[str, ...]:
    return tuple(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def _built_in(id: str) -> Ruleset | None:
    found = getattr(import_module(f"{__name__}.{id}"), "ruleset", None)
    return found if isinstance(found, Ruleset) else None


def _entry_points() -> Sequence[EntryPoint]:
    from importlib.metadata import entry_points  # noqa: PLC0415  (slow to import)

    return tuple(entry_points(group=GROUP))
