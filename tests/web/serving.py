"""The app as a user starts it: a process of its own, on a free port, with a file of sessions of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType


class Served:
    """A running app."""

    def __init__(self, database: Path, *options: str) -> None:
        self.database, self.options = database, options
        self.start()

    def start(self, port: int = 0) -> None:
        command = [sys.executable, "-m", "overrun", "serve", "--no-browser", "--port", str(port)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
        self.process = subprocess.Popen(
            [*command, "--database", str(self.database), *self.options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert match, f"the app did not start: {line}{self.process.stdout.read()}"
        self.port = int(match[1])
        self.address = f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self.wait()

    def wait(self) -> None:
        assert self.process.stdout is not None
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def __enter__(self) -> Served:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.wait()


@contextmanager
def served(database: Path, *options: str) -> Iterator[Served]:
    """A running app, ended afterwards."""
    with Served(database, *options) as app:
        yield app
