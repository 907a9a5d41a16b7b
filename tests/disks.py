"""Real disks for tests: a small one that fills up, and a read-only one, each mounted for a single program.

The program runs in a mount namespace of its own, so nothing needs to be unmounted and nobody else sees the disk. Root
may make one; elsewhere a user namespace may. Where neither is allowed the test is left out and says why.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

SMALL = 'mount -t tmpfs -o size=48k tmpfs "$PLACE"'
"""A disk of 48 kB, empty at first."""
READ_ONLY = 'mount --bind "$PLACE" "$PLACE" && mount -o remount,ro,bind "$PLACE"'
"""What lies there already, not to be written."""


@cache
def namespace() -> tuple[tuple[str, ...], str]:
    """How a program gets mounts of its own here; or nothing, and why not."""
    if not shutil.which("unshare") or not shutil.which("mount"):
        return (), "this system has no `unshare` and `mount`"
    reasons: list[str] = []
    for way in (("unshare", "--mount"), ("unshare", "--user", "--map-root-user", "--mount")):
        tried = subprocess.run(
            [*way, "sh", "-c", 'mount -t tmpfs tmpfs "$PLACE"'],
            env=os.environ | {"PLACE": str(Path(__file__).parent)},
            capture_output=True,
            text=True,
            check=False,
        )
        if tried.returncode == 0:
            return way, ""
        reasons.append(tried.stderr.strip())
    return (), "; ".join(reasons)


def run_on(disk: str, place: Path, program: str, *arguments: str | Path) -> str:
    """What a Python program prints while `place` is such a disk. It must end well and leave nothing on stderr."""
    way, reason = namespace()
    if not way:
        pytest.skip(f"left out, for no disk can be mounted here: {reason}")
    place.mkdir(exist_ok=True)
    ran = subprocess.run(
        [*way, "sh", "-c", f'{disk} && exec "$@"', "sh", sys.executable, "-c", program, *map(str, arguments)],
        env={
            **os.environ,
            "PLACE": str(place),
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout
