"""Tests in a browser need one on the machine. Without it they are left out, and the summary says so."""

from __future__ import annotations

import signal

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


def pytest_configure() -> None:
    """Let programs that tests start be interrupted, also where the tests themselves were started in the background.

    A shell makes its background commands ignore SIGINT, and whatever they start inherits that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
