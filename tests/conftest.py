"""Tests in a browser need one on the machine. Without it they are left out, and the summary says so."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from itertools import count

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


KEPT = tempfile.mkdtemp(prefix="overrun-tests-")
"""Where tests keep graphs, each in a folder of its own."""
NUMBERS = count()


def pytest_runtest_setup() -> None:
    """No test finds what another has kept."""
    os.environ["OVERRUN_CACHE"] = os.path.join(KEPT, str(next(NUMBERS)))


def pytest_unconfigure() -> None:
    """Remove what the tests kept."""
    shutil.rmtree(KEPT, ignore_errors=True)


def pytest_configure() -> None:
    """Keep the tests out of the user's cache of graphs, and let programs that tests start be interrupted.

    A shell makes its background commands ignore SIGINT, and whatever they start inherits that.
    """
    os.environ["OVERRUN_CACHE"] = KEPT
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
