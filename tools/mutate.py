"""Break a ruleset by one, at one place after another, and see whether a test fails.

    python tools/mutate.py asl --operators --log mutation-asl.jsonl --page docs/mutation-asl.md

A mutant is one change: a table cell, a printed value or a number in the code moved by one, a truth value or a letter
replaced; with `--operators` also a comparison, a condition, `and`/`or`, arithmetic, or a modifier left out. All of it
happens in a copy of the repository. First every test runs once and the lines that it runs are noted; then each mutant
is tried in a fork, by the tests that run its line alone, those first that found the most. What comes out is written to
the log line by line, and a run that finds its log takes up where it ended. A mutant that no test notices is a survivor:
either a missing test or a change that makes no difference.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.loaded import Lines, forget, take_on, warm  # noqa: E402
from tools.mutants import Mutant, mutants  # noqa: E402
from tools.mutation_page import page  # noqa: E402

QUIET = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:doctest", "-o", "addopts="]
QUIET += ["-o", "filterwarnings="]


@dataclass(frozen=True)
class Suite:
    """Which tests try a ruleset's mutants; `laws` are slow and tried only on the files that they are about."""

    tests: Sequence[str]
    laws: Sequence[str] = ()
    lawful: Sequence[str] = ()


SUITES = {
    "asl": Suite(
        ("tests/asl", "tests/test_cases.py", "tests/golden"),
        ("tests/asl/steps/test_conformance.py", "tests/asl/steps/test_random.py", "tests/asl/test_oracles.py"),
        (
            "live.py",
            "lean.py",
            "lean_vehicle.py",
            "reactors.py",
            "restrictions.py",
            "fates.py",
            "bounding.py",
            "moment.py",
            "options.py",
        ),
    ),
}


class Trial:
    """Mutants, the log of what became of them, and how one is tried."""

    def __init__(self, copy: Path, made: Sequence[Mutant], suite: Suite, log: Path | None, seconds: int) -> None:
        self.copy, self.suite, self.log, self.seconds = copy, suite, log, seconds
        self.killers: dict[str, Counter[str]] = {}
        self.found: list[dict[str, Any]] = []
        done = {line["id"] for line in read(log)}
        self.made = [mutant for mutant in made if mutant.id not in done]
        say(f"{len(made)} mutants, {len(made) - len(self.made)} of them in the log")

    def left(self, *, inside: bool) -> list[Mutant]:
        """The mutants that the log does not hold yet, inside functions or outside."""
        return [mutant for mutant in self.made if mutant.inside is inside]

    def changed(self, mutant: Mutant) -> Path:
        """The file of the copy that a mutant changes."""
        return self.copy / mutant.file.relative_to(ROOT)

    def note(self, mutant: Mutant, killer: str | None, spent: float) -> None:
        """Write down what became of a mutant."""
        if killer:
            self.killers.setdefault(mutant.file.name, Counter())[killer] += 1
        line: dict[str, Any] = {"id": mutant.id, "file": mutant.file.name, "kind": mutant.kind, "where": mutant.where}
        line |= {"killer": killer, "seconds": round(spent, 3)}
        self.found.append(line)
        if self.log is not None:
            with self.log.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")
        if not killer:
            say(f"survived: {mutant.file.name}, {mutant.where}")
        if len(self.found) % 50 == 0:
            killed = sum(line["killer"] is not None for line in self.found)
            cpu = sum(line["seconds"] for line in self.found)
            say(f"{len(self.found)} of {len(self.made)} tried, {killed} noticed, {cpu:.0f} s of CPU")

    def run(self, mutant: Mutant, child: Callable[[int], None]) -> tuple[str | None, float]:
        """Who noticed the mutant, and the CPU seconds; `child` runs in a fork and writes the name to its pipe."""
        file = self.changed(mutant)
        original, stamp = file.read_bytes(), file.stat()
        file.write_text(mutant.text, encoding="utf-8")
        reading, writing = os.pipe()
        try:
            pid = os.fork()
            if pid == 0:
                nowhere = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(nowhere, stream)
                try:
                    child(writing)
                    os._exit(0)
                except BaseException as error:
                    os.write(writing, f"crash: {type(error).__name__}".encode())
                    os._exit(1)
            os.close(writing)
            status, spent = _waited(pid, self.seconds)
            said = os.read(reading, 4096).decode()
            return (said or "no answer" if status else None), spent
        finally:
            os.close(reading)
            file.write_bytes(original)
            os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


class Anew:
    """Mutants outside functions: a fork imports the ruleset anew, and pytest runs there from its start."""

    def __init__(self, trial: Trial, arguments: Sequence[str]) -> None:
        self.trial, self.arguments = trial, arguments

    def all(self) -> None:
        """Try every one."""
        import pytest  # noqa: PLC0415

        warm()
        made = self.trial.left(inside=False)
        if made and self.trial.run(_same(made[0]), self._child(pytest, made[0]))[0]:
            raise SystemExit("The tests fail without any mutant.")
        for mutant in made:
            self.trial.note(mutant, *self.trial.run(mutant, self._child(pytest, mutant)))

    def _child(self, pytest: Any, mutant: Mutant) -> Callable[[int], None]:
        lawful = mutant.file.name in self.trial.suite.lawful
        ignored = [] if lawful else [f"--ignore={path}" for path in self.trial.suite.laws]
        first = self.trial.killers.get(mutant.file.name, Counter())

        def child(pipe: int) -> None:
            if pytest.main([*QUIET, *ignored, *self.arguments], plugins=[First(first, pipe)]):
                os._exit(1)

        return child


class First:
    """A pytest plugin: the tests that noticed most come first, and the first failure is told."""

    def __init__(self, order: Counter[str], pipe: int) -> None:
        self.order, self.pipe = order, pipe

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Put the tests in order."""
        items[:] = sorted((item for item in items if not _summary(item)), key=lambda item: -self.order[item.nodeid])

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Tell the first failure."""
        if report.failed:
            os.write(self.pipe, report.nodeid.encode())


class Loop:
    """A pytest plugin: once the tests are collected and their lines known, each mutant is tried in a fork."""

    def __init__(self, trial: Trial, package: Path, map_file: Path | None) -> None:
        self.trial, self.package, self.map_file = trial, package, map_file
        self.lines: Lines = Lines(package)

    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of running the tests once, run them under every mutant."""
        laws = tuple(self.trial.suite.laws)
        items = {item.nodeid: item for item in session.items if not _summary(item)}
        self.laws = [name for name in items if laws and name.startswith(laws)]
        self.quick = {name: item for name, item in items.items() if name not in self.laws}
        self.items, self.session = items, session
        if self.map_file is not None and self.map_file.exists():
            self.lines.load(self.map_file)
        missing = [item for name, item in self.quick.items() if name not in self.lines.seconds]
        for item in missing:
            forget()
            with self.lines.noted(item.nodeid):
                self._try([item])
            if session.testsfailed:
                return stop(f"{item.nodeid} fails without any mutant.")
        if missing and self.map_file is not None:
            self.lines.save(self.map_file)
        say(f"{len(self.quick)} tests, {len(missing)} of them traced now, {sum(self.lines.seconds.values()):.0f} s")
        forget()
        made = self.trial.left(inside=True)
        for way in {mutant.file.suffix: mutant for mutant in made}.values():
            if killer := self.trial.run(_same(way), self._child(_same(way)))[0]:
                return stop(f"{killer} fails without any mutant, as for {way.file.name}.")
        for mutant in made:
            self.trial.note(mutant, *self.trial.run(mutant, self._child(mutant)))
        return True

    def _child(self, mutant: Mutant) -> Callable[[int], None]:
        chosen = [self.items[name] for name in self._order(mutant)]

        def child(pipe: int) -> None:
            if mutant.file.suffix == ".py":
                take_on(mutant, self.trial.changed(mutant))
            for item in chosen:
                self._try([item])
                if self.session.testsfailed:
                    os.write(pipe, item.nodeid.encode())
                    os._exit(1)

        return child

    def _try(self, items: Sequence[Any]) -> None:
        for item in items:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _order(self, mutant: Mutant) -> list[str]:
        """The tests that run a line of the mutant, and the laws about its file: those that noticed most there first."""
        code = mutant.file.suffix == ".py"
        quick = self.lines.running(mutant.file.name, mutant.lines) if code and mutant.kind else self.quick
        killers = self.trial.killers.get(mutant.file.name, Counter())
        laws = self.laws if mutant.file.name in self.trial.suite.lawful else []
        slow = float("inf")  # Laws are not timed: they come last until they have noticed something.
        return sorted([*quick, *laws], key=lambda name: (-killers[name], self.lines.seconds.get(name, slow)))


def _same(mutant: Mutant) -> Mutant:
    """No change at all, in the same file: the tests must pass."""
    return Mutant(mutant.file, "", "", inside=mutant.inside)


def _summary(item: Any) -> bool:
    """Tests about what the cases cover play all of them again."""
    return bool(item.nodeid.startswith("tests/test_cases.py::test_every"))


def _waited(child: int, seconds: int) -> tuple[int, float]:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            return status, used.ru_utime + used.ru_stime
        time.sleep(0.003)
    os.kill(child, 9)
    _, _, used = os.wait4(child, 0)
    return 9, used.ru_utime + used.ru_stime


def say(text: str) -> None:
    """Progress, past what pytest captures."""
    print(text, file=sys.__stderr__, flush=True)


def stop(text: str) -> bool:
    """End the run: pytest would keep the words of an exception to itself."""
    say(text)
    os._exit(1)


def read(log: Path | None) -> Iterator[dict[str, Any]]:
    """The lines of a log; the last one may have been cut short."""
    if log is not None and log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                continue


def chosen(made: Iterable[Mutant], options: argparse.Namespace) -> list[Mutant]:
    """The mutants that this run is about."""
    picked = [
        mutant
        for mutant in made
        if mutant.file.name not in options.skip
        and any(part in mutant.file.name for part in options.only)
        and (mutant.inside or not options.functions)
    ]
    if options.sample:
        picked = random.Random(options.seed).sample(picked, min(options.sample, len(picked)))
    if options.again:
        survivors = {line["id"] for line in read(options.again) if line["killer"] is None}
        picked = [mutant for mutant in picked if mutant.id in survivors]
    part, parts = map(int, options.part.split("/"))
    return picked[part - 1 :: parts]


def main() -> int:
    """Make the mutants, run them, write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("ruleset")
    parser.add_argument("--log", type=Path, help="where each result is written at once; what it holds is not run again")
    parser.add_argument("--page", type=Path, help="write a page about what the log (or this run) holds")
    parser.add_argument("--dry", action="store_true", help="run nothing: only count, and write the page of the log")
    parser.add_argument("--operators", action="store_true", help="also break comparisons, conditions, modifiers")
    parser.add_argument("--tests", nargs="*", help="test files; the ruleset's own, then its cases, by default")
    parser.add_argument("--seconds", type=int, default=120, help="how long one run may take")
    parser.add_argument("--skip", nargs="*", default=["picture.py"], help="files left alone; drawings by default")
    parser.add_argument("--only", nargs="*", default=[""], help="only files whose name contains one of these")
    parser.add_argument("--functions", action="store_true", help="only tables and what stands inside functions")
    parser.add_argument("--sample", type=int, help="only so many, picked at random")
    parser.add_argument("--seed", type=int, default=1, help="which random sample")
    parser.add_argument("--again", type=Path, help="only what survived in this log")
    parser.add_argument("--part", default="1/1", help="2/3: the second of three parts")
    options = parser.parse_args()
    package = ROOT / "src" / "overrun" / "rulesets" / options.ruleset
    every = mutants(package, operators=options.operators)
    made = chosen(every, options)
    found = list(read(options.log))
    if options.dry:
        say(f"{len(made)} mutants, {len({mutant.id for mutant in made} - {line['id'] for line in found})} not tried")
    else:
        found += _run(options, package, made)
    if options.page:
        (ROOT / options.page).write_text(
            page(options.ruleset, len(every), made, found, _chosen_by(options)), encoding="utf-8"
        )
    return 0


def _chosen_by(options: argparse.Namespace) -> list[str]:
    """The options that chose the mutants, as one types them."""
    words = ["--operators"] * options.operators + ["--functions"] * options.functions
    words += ["--skip", *options.skip] + (["--only", *options.only] if any(options.only) else [])
    return words + (["--sample", str(options.sample), "--seed", str(options.seed)] if options.sample else [])


def _run(options: argparse.Namespace, package: Path, made: Sequence[Mutant]) -> list[dict[str, Any]]:
    import pytest  # noqa: PLC0415  (the help needs none of it)

    own = Suite((f"tests/{options.ruleset}", "tests/test_cases.py"))
    suite = SUITES.get(options.ruleset, own)
    if options.tests:
        suite = Suite(options.tests)
    arguments = [*suite.tests, "-k", options.ruleset]
    log = None if options.log is None else options.log.resolve()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for top in ("src", "tests", "tools"):
            shutil.copytree(ROOT / top, copy / top, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        compileall.compile_dir(copy, quiet=2)
        sys.dont_write_bytecode = True
        sys.path[:0] = [str(copy / "src"), str(copy)]
        os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        os.chdir(copy)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # pytest has nothing to say here
        trial = Trial(copy, made, suite, log, options.seconds)
        Anew(trial, arguments).all()
        where = copy / package.relative_to(ROOT)
        if trial.left(inside=True):
            pytest.main([*QUIET, *arguments], plugins=[Loop(trial, where, log and log.with_suffix(".lines.json"))])
    return trial.found


if __name__ == "__main__":
    sys.exit(main())
