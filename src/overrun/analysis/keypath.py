"""Key paths into a scenario document, as error messages write them: `afv.mp`, `defenders[1].count`, `map."D 2".level`.

Places in a list count from 1.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from overrun.kernel import InputError, Problem

Part = str | int
Path = tuple[Part, ...]

_PART = re.compile(r'(?:^|\.)([^.\[\]"]+|"[^"]*")|\[([1-9][0-9]*)\]')


def parse(text: str) -> Path:
    """The parts of a key path. Raises `InputError` when it is none.

    >>> parse('defenders[2].count'), parse('counters."M4A3E8".mp')
    (('defenders', 2, 'count'), ('counters', 'M4A3E8', 'mp'))
    """
    parts: list[Part] = []
    place = 0
    while place < len(text):
        match = _PART.match(text, place)
        if match is None or match.end() == place:
            break
        parts.append(int(match[2]) if match[2] else match[1].strip().strip('"'))
        place = match.end()
    if not parts or place < len(text) or not isinstance(parts[0], str):
        allowed = (
            'names with dots between them, places in a list as [1], such as defenders[1].count or counters."M4".mp'
        )
        raise InputError([Problem(text or "key", "this is no key path", allowed)])
    return tuple(parts)


def told(path: Path) -> str:
    """A key path as text.

    >>> told(('counters', 'Leader Schmidt', 'cr')), told(('units', 1))
    ('counters."Leader Schmidt".cr', 'units[1]')
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if re.fullmatch(r'[^.\[\]"\s]+', part) else f'."{part}"'
    return text.removeprefix(".")


def read(document: Mapping[str, Any], path: Path) -> Any:
    """What a document holds at a key path. Raises `KeyError` when there is nothing."""
    found: Any = document
    for part in path:
        found = _step(found, part)
    return found


def changed(document: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy of a document with one value changed or added; the original is left alone.

    Raises `InputError` when the way to it does not exist, or when the value there is of another kind.
    """
    root: Any = dict(document)
    at: Any = root
    for depth, part in enumerate(path):
        before = path[:depth]
        last = depth == len(path) - 1
        if isinstance(part, int):
            if not isinstance(at, list):
                raise InputError([Problem(told(before), "this is no list, so it has no numbered places")])
            if not 1 <= part <= len(at):
                raise InputError([Problem(told(path[: depth + 1]), "there is no such place", f"1 to {len(at)}")])
        elif not isinstance(at, dict):
            raise InputError([Problem(told(before), f"this is no table, so it has no key {part!r}")])
        key: Any = part - 1 if isinstance(part, int) else part
        if last:
            if isinstance(part, int) or part in at:
                _same_kind(told(path), at[key], value)
            at[key] = value
            return root  # type: ignore[no-any-return]
        if isinstance(part, str) and part not in at:
            # A table that the file leaves out may be begun; whether the game knows it, its own reader says.
            if isinstance(path[depth + 1], int):
                raise InputError([_missing(at, path[: depth + 1])])
            at[part] = {}
        inner = at[key]
        at[key] = dict(inner) if isinstance(inner, Mapping) else list(inner) if isinstance(inner, list) else inner
        at = at[key]
    raise AssertionError("a key path has at least one part")


def setting(text: str) -> tuple[Path, Any]:
    """`key=value` as a key path and a typed value. The value is read as TOML; anything else is text.

    >>> setting('afv.mp=9'), setting('map.hexes.D2.terrain=woods'), setting('dice.rolls=[[1, 2]]')[1]
    ((('afv', 'mp'), 9), (('map', 'hexes', 'D2', 'terrain'), 'woods'), [[1, 2]])
    """
    key, equals, written = text.partition("=")
    if not equals or not key.strip():
        raise InputError([Problem("--set", f"{text!r} sets nothing", "key=value, such as afv.mp=9")])
    return parse(key.strip()), value(written.strip())


def value(written: str) -> Any:
    """A typed value from text: a TOML value, or the text itself.

    >>> value("3"), value("true"), value("open"), value('"3"')
    (3, True, 'open', '3')
    """
    try:
        return tomllib.loads(f"value = {written}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return written


def numbers(found: Any, path: Path = ()) -> Iterator[tuple[Path, int]]:
    """Every whole number of a document with its key path, in the order of the file."""
    if isinstance(found, Mapping):
        for key, inner in found.items():
            yield from numbers(inner, (*path, str(key)))
    elif isinstance(found, list):
        for place, inner in enumerate(found, 1):
            yield from numbers(inner, (*path, place))
    elif type(found) is int:
        yield path, found


def _step(found: Any, part: Part) -> Any:
    if isinstance(part, int):
        if isinstance(found, list) and 1 <= part <= len(found):
            return found[part - 1]
    elif isinstance(found, Mapping) and part in found:
        return found[part]
    raise KeyError(part)


KINDS: Mapping[type, str] = {bool: "true or false", int: "a whole number", str: "text", list: "a list", dict: "a table"}


def _same_kind(where: str, old: Any, new: Any) -> None:
    one, two = type(old), type(new)
    # A table may be written short, as text, in some games: the game's own reader judges that.
    if one is not two and one in KINDS and not {one, two} <= {dict, str}:
        raise InputError([Problem(where, f"{new!r} is of another kind than {old!r}", KINDS[one])])


def _missing(table: Mapping[str, Any], path: Path) -> Problem:
    close = difflib.get_close_matches(str(path[-1]), list(table), n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return Problem(told(path), f"there is no such list{hint}", ", ".join(table))
