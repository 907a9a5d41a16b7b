"""The import law: which part of the package may read which. `python tools/import_law.py` names every breach.

kernel <- play, analysis <- compiled, drawing <- store, sweep <- cli, web. A ruleset imports the kernel only (its
`scenario` module pydantic too); nobody imports a ruleset by name, for readers find rulesets.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "overrun"

ORDER = (
    ("kernel",),
    ("play", "analysis"),
    ("rulesets", "scenarios"),
    ("compiled", "drawing"),
    ("store", "sweep"),
    ("cli", "web"),
)
"""Each part may import those of its own and of earlier rows; `testing` and the rest of the root stand above all."""

STANDARD_ONLY = {"kernel", "play", "analysis", "rulesets", "scenarios", "drawing", "store"}
"""Parts that run on the standard library alone."""

FINDING = {"ruleset", "rulesets"}
"""The functions of `overrun.rulesets` that find rulesets."""


def breaches(package: Path = PACKAGE) -> Iterator[str]:
    """Every import that the law forbids: file, line, what is imported, and why not."""
    for file in sorted(package.rglob("*.py")):
        place = file.relative_to(package).with_suffix("").parts
        for line, name in imports(file, package.name, place):
            if reason := forbidden(place, name.split("."), package.name):
                yield f"{file.relative_to(package.parent).as_posix()}:{line}: imports {name}: {reason}"


def imports(file: Path, root: str, place: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """The full name of every module, or thing in one, that a file imports, wherever in it the import stands."""
    package = place[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = [root, *package[: len(package) - node.level + 1]] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def forbidden(place: tuple[str, ...], name: list[str], root: str) -> str:
    """Why a module at `place` may not import `name`; empty when it may."""
    part = place[0]
    if name[0] != root:
        library = name[0] not in sys.stdlib_module_names
        if library and part == "rulesets" and place[-1] == "scenario" and name[0] in {"pydantic", "pydantic_core"}:
            return ""
        return f"{part} uses the standard library only" if library and part in STANDARD_ONLY else ""
    if len(name) == 1 or part == "testing" or rank(part) is None or rank(name[1]) is None:
        return "nothing imports the conformance suite" if name[1:2] == ["testing"] and part != "testing" else ""
    if part == "rulesets":
        own = len(place) > 2 and name[1:3] == list(place[:2])
        return "" if name[1] == "kernel" or own else "a ruleset imports the kernel and its own modules only"
    if name[1] == "rulesets" and part != "rulesets" and len(name) > 2 and name[2] not in FINDING:
        return "a reader finds rulesets and names none"
    mine, theirs = rank(part), rank(name[1])
    assert mine is not None
    assert theirs is not None
    return "" if theirs <= mine else f"{part} stands below {name[1]}"


def rank(part: str) -> int | None:
    """The row of a part of the package; None for modules at its root."""
    return next((row for row, parts in enumerate(ORDER) if part in parts), None)


def main() -> int:
    """Print every breach; exit status 1 if there is one."""
    found = list(breaches())
    print("\n".join(found) if found else "the import law holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
