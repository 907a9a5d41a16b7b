"""Tests in a browser need one on the machine. Without it they are left out, and the summary says so."""

from __future__ import annotations

import pytest

from tests.web.chromium import found

collect_ignore = [] if found() else ["web/browser"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not found():
        terminalreporter.write_sep("=", "browser tests were left out", yellow=True)
        terminalreporter.write_line(
            "No Chromium is installed, so nothing in tests/web/browser was run. On Debian: apt-get install chromium. "
            "Elsewhere: set OVERRUN_CHROMIUM to the program of a Chromium or Chrome."
        )
