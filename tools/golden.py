"""Golden playthroughs: whole scripted sessions as text. `python dev.py golden SYSTEM/NAME` writes one again.

There is no way to write them all at once: a changed playthrough is read line by line before it is taken.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"


def file(name: str) -> Path:
    """Where the playthrough of a shipped scenario lies."""
    return GOLDEN / f"{name}.txt"


def playthrough(name: str) -> str:
    """What `overrun play NAME --scripted --questions --seed 1` prints: stated dice first, then generated ones.

    Raises `subprocess.CalledProcessError` when it fails.
    """
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}
    command = [sys.executable, "-m", "overrun", "play", name, "--scripted", "--questions", "--seed", "1"]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True).stdout


def main(arguments: list[str]) -> int:
    """Write the playthrough of one scenario again."""
    if len(arguments) != 1:
        print("usage: python dev.py golden SYSTEM/NAME", file=sys.stderr)
        return 2
    try:
        text = playthrough(arguments[0])
    except subprocess.CalledProcessError as error:
        print(error.stderr, end="", file=sys.stderr)
        return 2
    target = file(arguments[0])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {target.relative_to(ROOT)}: read every changed line before you commit it")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
