"""Where the browser of the tests is, and how it is started."""

from __future__ import annotations

import os
import shutil

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""Tests run as root in CI, and nothing of theirs may reach a network."""


def found() -> str | None:
    """The program of a Chromium or Chrome; None when there is none."""
    named = os.environ.get("OVERRUN_CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
