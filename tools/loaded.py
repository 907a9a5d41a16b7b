"""What a mutation run does to the loaded program: notes the lines each test runs, gives functions changed code."""

from __future__ import annotations

import functools
import gc
import hashlib
import importlib
import json
import sys
import time
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.mutants import Mutant

WARM = ("hypothesis", "pydantic", "overrun.kernel", "overrun.play.session", "overrun.analysis.answer")


def warm() -> None:
    """Import what every fork would import again, but nothing of a ruleset."""
    for name in WARM:
        importlib.import_module(name)
    loaded = sorted(name for name in sys.modules if name.startswith("overrun.rulesets."))
    if loaded:
        raise SystemExit(f"Imported too early: {loaded}")


def forget() -> None:
    """Empty the caches of the program and of the cases played so far."""
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper):
            module = found.__module__ or ""
            if module.startswith("overrun") or found.__qualname__ == "played":
                found.cache_clear()


def take_on(mutant: Mutant, file: Path) -> None:
    """Give the functions of the loaded module the code of the changed text."""
    pairs = dict(
        zip(
            _codes(compile(mutant.file.read_text(encoding="utf-8"), str(file), "exec", dont_inherit=True)),
            _codes(compile(mutant.text, str(file), "exec", dont_inherit=True)),
            strict=True,
        )
    )
    changed = 0
    for found in gc.get_objects():
        if isinstance(found, types.FunctionType) and found.__code__.co_filename == str(file):
            code = pairs.get(found.__code__)
            if code is not None and code != found.__code__:
                found.__code__ = code
                changed += 1
    if not changed and mutant.kind:
        raise LookupError(f"no loaded function of {file.name} has the changed line")


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


class Lines:
    """Which lines of a folder each test runs, and how many seconds it takes while it is watched."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.seconds: dict[str, float] = {}
        self.tests: dict[str, dict[int, list[str]]] = {}
        """File name, line, tests."""

    @contextmanager
    def noted(self, test: str) -> Iterator[None]:
        """Note the lines that run meanwhile."""
        seen: set[tuple[str, int]] = set()
        add = seen.add

        def within(frame: types.FrameType, event: str, _: Any) -> Any:
            if event == "line":
                add((frame.f_code.co_filename, frame.f_lineno))
            return within

        def entering(frame: types.FrameType, _: str, __: Any) -> Any:
            return within if frame.f_code.co_filename.startswith(self.folder) else None

        began = time.process_time()
        sys.settrace(entering)
        try:
            yield
        finally:
            sys.settrace(None)
        self.seconds[test] = round(time.process_time() - began, 4)
        for path, line in seen:
            self.tests.setdefault(Path(path).name, {}).setdefault(line, []).append(test)

    def running(self, file: str, lines: tuple[int, int]) -> set[str]:
        """The tests that run one of these lines."""
        known = self.tests.get(file, {})
        return {test for line in range(lines[0], lines[1] + 1) for test in known.get(line, ())}

    def save(self, file: Path) -> None:
        """Keep what was noted for a later run."""
        kept = {"of": self._of(), "seconds": self.seconds, "tests": self.tests}
        file.write_text(json.dumps(kept), encoding="utf-8")

    def load(self, file: Path) -> None:
        """Take over what an earlier run noted, if the folder's files are the same: else every line is another one."""
        kept = json.loads(file.read_text(encoding="utf-8"))
        if kept.get("of") != self._of():
            return
        self.seconds = kept["seconds"]
        self.tests = {
            name: {int(line): tests for line, tests in lines.items()} for name, lines in kept["tests"].items()
        }

    def _of(self) -> str:
        digest = hashlib.sha256()
        for path in sorted(Path(self.folder).glob("*.py")):
            digest.update(path.read_bytes())
        return digest.hexdigest()
