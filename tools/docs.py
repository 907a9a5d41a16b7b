"""Pages that are made from the program itself. `python dev.py docs` writes them; with --check it names stale ones.

docs/rules/SYSTEM.md and .svg from each ruleset, docs/cli.md from the help of each command, and the coverage report that
ships beside each ruleset, from the case files.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from overrun.cli.main import app_commands, subcommands
from overrun.drawing.chart import chart
from overrun.drawing.svg import svg
from overrun.kernel import Ruleset
from overrun.play import rulebook
from overrun.rulesets import rulesets

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CASES = ROOT / "tests" / "cases"
PACKAGE = ROOT / "src" / "overrun" / "rulesets"


def pages() -> Iterator[tuple[Path, str]]:
    """Every generated file with its text; coverage reports first, for the pages show them."""
    for ruleset in rulesets().values():
        if (CASES / ruleset.id / "requirements.toml").is_file():
            yield PACKAGE / ruleset.id / "coverage.json", covered(ruleset)
    for ruleset in rulesets().values():
        yield DOCS / "rules" / f"{ruleset.id}.md", rulebook.markdown(ruleset)
        yield DOCS / "rules" / f"{ruleset.id}.svg", svg(chart(ruleset.rules, ruleset.title))
    yield DOCS / "cli.md", command_line()


def covered(ruleset: Ruleset) -> str:
    """The coverage report of a ruleset: every requirement, the cases that cover it, or why it is out of scope."""
    folder = CASES / ruleset.id
    asked = tomllib.loads((folder / "requirements.toml").read_text(encoding="utf-8"))
    cases: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.toml")):
        for case in tomllib.loads(file.read_text(encoding="utf-8")).get("case", []):
            for requirement in case.get("covers", []):
                cases.setdefault(requirement, []).append(case["id"])
    report: list[dict[str, Any]] = [
        {
            "id": id,
            "about": entry.get("about", ""),
            "cases": cases.get(id, []),
            "out_of_scope": entry.get("out_of_scope", ""),
        }
        for id, entry in asked.items()
        if isinstance(entry, dict)
    ]
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def command_line() -> str:
    """The help of the program and of each command."""
    parts = [
        "# The command line\n",
        "Written by `python dev.py docs` from the program's own help.\n",
        "Exit status: 0 done; 2 wrong input (one line for each problem, on standard error); 3 no exact answer can be "
        "given (too large, or only one seat knows part of the situation); 4 a fault in a ruleset or in the program; "
        "130 interrupted.\n",
        "Colors are used on a terminal only, and never when `NO_COLOR` is set.\n",
    ]
    names = [within for name in app_commands() for within in (name, *(f"{name} {sub}" for sub in subcommands(name)))]
    for name in ["", *names]:
        title = f"overrun {name}".strip()
        parts.append(f"## `{title}`\n\n```text\n{help_of(name)}```\n")
    return "\n".join(parts)


def help_of(name: str) -> str:
    """What `--help` prints, 80 columns wide."""
    environment = os.environ | {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "overrun", *name.split(), "--help"]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True).stdout


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check say which are stale."""
    if arguments not in ([], ["--check"]):
        print("usage: python dev.py docs [--check]", file=sys.stderr)
        return 2
    stale = []
    for file, text in pages():
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(file.relative_to(ROOT).as_posix())
        if not arguments:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
    word = "stale" if arguments else "wrote"
    print("\n".join(f"{word}: {name}" for name in stale) or "every generated page is current")
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
