"""The shipped scenarios: one TOML file each, named by system and file, such as "valor/printed-example"."""

from __future__ import annotations

from importlib.resources import files

from overrun.kernel import InputError, Problem


def names() -> tuple[str, ...]:
    """The names of all shipped scenarios, in alphabetical order."""
    return tuple(
        sorted(
            f"{folder.name}/{file.name.removesuffix('.toml')}"
            for folder in files(__name__).iterdir()
            if folder.is_dir()
            for file in folder.iterdir()
            if file.name.endswith(".toml")
        )
    )


def text(name: str) -> str:
    """The text of a shipped scenario. Raises `InputError` naming those that exist."""
    known = names()
    if name not in known:
        raise InputError([Problem("scenario", f"there is no shipped scenario {name!r}", ", ".join(known))])
    system, _, file = name.partition("/")
    return files(__name__).joinpath(system, f"{file}.toml").read_text(encoding="utf-8")
