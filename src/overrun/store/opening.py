"""Open what a player names: a scenario file, a log, or a shipped example. Every fault becomes an `InputError`."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from overrun import rulesets, scenarios
from overrun.kernel import InputError, Problem, Ruleset, Situation, meant
from overrun.play import record
from overrun.play.record import Record, Stamp
from overrun.play.rulebook import folder_of
from overrun.play.session import Session, Walk

STOPS = 2_000
"""Places where play waited that the sessions of one scenario remember: a few megabytes."""
LARGEST = 4_000_000
"""Bytes; no scenario or log of one overrun comes near it, and a larger file is a mistake."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A scenario ready for use: its system, its situation, and the name the player called it by.

    Its sessions share a `walk`: what the rules said to one of them is not asked again for another.
    """

    name: str
    ruleset: Ruleset
    situation: Situation
    walk: Walk = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "walk", Walk(self.ruleset.rules, STOPS))

    def session(self) -> Session:
        """A fresh session at the start of the situation."""
        return Session(self.ruleset.rules, self.situation.start, self.walk)

    def stamp(self) -> Stamp:
        """Which rules and figures are in force."""
        return Stamp(self.ruleset.id, self.ruleset.version, fingerprint(self.ruleset))

    def record(self, seed: int | None = None) -> Record:
        """An empty log of this situation."""
        return Record(self.stamp(), self.situation.title, self.situation.document, seed)


def system(id: str) -> Ruleset:
    """The ruleset of that id. Raises `InputError` naming those that exist."""
    try:
        return rulesets.ruleset(id)
    except InputError:
        known = rulesets.rulesets()
        raise InputError(
            [Problem("system", f"there is no system {id!r}{meant(id, known)}", ", ".join(known))]
        ) from None


def is_system(name: str) -> bool:
    """Is it the id of a game? A file of the same name goes first."""
    return name in rulesets.rulesets() and not Path(name).exists()


def scenario(name: str) -> Opened:
    """The scenario file at a path, or the shipped example of that name. Raises `InputError` with every problem."""
    if is_shipped(name):
        return from_text(scenarios.text(name), name)
    return from_text(text_of(name), name)


def is_shipped(name: str) -> bool:
    """Is it the name of a shipped example? A file of the same name goes first."""
    return name in scenarios.names() and not Path(name).is_file()


def from_text(text: str, name: str) -> Opened:
    """A scenario from the text of its file."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError([Problem(name, f"this is not valid TOML: {error}")]) from error
    return from_document(document, name)


def from_document(document: Mapping[str, Any], name: str) -> Opened:
    """A scenario from a parsed document, as a log embeds it."""
    id = document.get("system")
    if not isinstance(id, str):
        known = ", ".join(rulesets.rulesets())
        what = "this is missing: a scenario names its game" if id is None else f"{id!r} is not the id of a game"
        raise InputError([Problem("system", what, known)])
    ruleset = system(id)
    situation = ruleset.load(document)
    if unknown := [step for step in situation.plan if step not in ruleset.rules.steps]:
        allowed = ", ".join(ruleset.rules.steps)
        raise InputError(
            Problem(f"plan.{step}", f"there is no such step{meant(step, ruleset.rules.steps)}", allowed)
            for step in unknown
        )
    return Opened(name, ruleset, situation)


def log(path: str) -> tuple[Opened, Record]:
    """A log and the scenario inside it. Raises `InputError`; its answers are verified by `replay`, not here."""
    read = record.loads(text_of(path), path)
    opened = from_document(read.document, path)
    if opened.ruleset.id != read.stamp.system:
        what = f"the log says {read.stamp.system!r}, its scenario {opened.ruleset.id!r}"
        raise InputError([Problem("system", what)])
    return opened, read


def is_log(name: str) -> bool:
    """Does the file look like a log? Anything else is taken for a scenario."""
    path = Path(name)
    if is_shipped(name) or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(64).lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{")


def scenario_or_log(name: str) -> tuple[Opened, Record | None]:
    """A scenario, or a log with its scenario, whichever the file holds."""
    return log(name) if is_log(name) else (scenario(name), None)


def text_of(name: str) -> str:
    """The text of a file. Raises `InputError` that says what is wrong with it."""
    path = Path(name)
    try:
        if path.is_dir():
            raise InputError([Problem(name, "this is a folder, not a file")])
        if not path.exists():
            known = scenarios.names()
            what = f"there is no such file, and no shipped scenario of that name{meant(name, known)}"
            raise InputError([Problem(name, what, "a path, or a name that `overrun examples` lists")])
        if not path.is_file():
            raise InputError([Problem(name, "this is no ordinary file")])
        if path.stat().st_size > LARGEST:
            raise InputError([Problem(name, f"this file is too large to be one: over {LARGEST:,} bytes")])
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError([Problem(name, f"this is not UTF-8 text (byte {error.start})", "UTF-8")]) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError([Problem(name, f"it cannot be read: {reason}")]) from error


def must_be_new(name: str) -> None:
    """Refuse at once to write a file that exists, before long work is done for it."""
    if Path(name).exists():
        raise InputError([Problem(name, "this file exists and is kept", "a new file name")])


def write_new(name: str, text: str) -> None:
    """Write a file that must not exist yet. Raises `InputError` instead of overwriting one."""
    try:
        with Path(name).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError as error:
        raise InputError([Problem(name, "this file exists and is kept", "a new file name")]) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError([Problem(name, f"it cannot be written: {reason}")]) from error


def fingerprint(ruleset: Ruleset) -> str:
    """A short hash of every table and counter of a ruleset: equal hashes, equal figures."""
    hashed, folder = hashlib.sha256(), folder_of(ruleset)
    if folder is not None and folder.joinpath("data").is_dir():
        for name, file in sorted(_below(folder.joinpath("data"))):
            hashed.update(f"{name}\n".encode() + file.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    else:
        for table in ruleset.tables():
            hashed.update(repr((table.name, sorted(map(str, table.cells.items())))).encode())
    return hashed.hexdigest()[:16]


def _below(folder: Traversable, prefix: str = "") -> Iterable[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith((".csv", ".toml")):
            yield prefix + entry.name, entry
