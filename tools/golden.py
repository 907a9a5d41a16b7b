"""Golden playthroughs: whole scripted sessions as text. `python dev.py golden SYSTEM/NAME` writes one again.

There is no way to write them all at once: a changed playthrough is read line by line before it is taken.
"""

from __future__ import annotations

import sys
from pathlib import Path

from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"


def file(name: str) -> Path:
    """Where the playthrough of a shipped scenario lies."""
    return GOLDEN / f"{name}.txt"


def playthrough(name: str) -> str:
    """What `overrun play NAME --scripted --questions --seed 1` prints: stated dice first, then generated ones.

    Raises `ValueError` with what it says when it fails.
    """
    from overrun.cli.main import app  # noqa: PLC0415  (`src` may not be on the path yet)

    ran = CliRunner().invoke(app, ["play", name, "--scripted", "--questions", "--seed", "1"], env={"COLUMNS": "100"})
    if ran.exit_code:
        raise ValueError(ran.output)
    return ran.stdout


def main(arguments: list[str]) -> int:
    """Write the playthrough of one scenario again."""
    if len(arguments) != 1:
        print("usage: python dev.py golden SYSTEM/NAME", file=sys.stderr)
        return 2
    try:
        text = playthrough(arguments[0])
    except ValueError as error:
        print(error, end="", file=sys.stderr)
        return 2
    target = file(arguments[0])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {target.relative_to(ROOT)}: read every changed line before you commit it")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
