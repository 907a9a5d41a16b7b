"""Break every number of a ruleset, one at a time, and see whether a test fails.

    python tools/mutate.py valor --report docs/mutation-valor.md

A mutant is one change: a table cell, a printed value or a number in the code moved by one; a truth value or a letter
replaced; with `--operators` also a comparison, `and`/`or`, `+`/`-` or `not`. Each runs in a copy of the repository, so
the working tree is never touched. A mutant that no test notices is a survivor: either a missing test or a change that
makes no difference, and the report lists it.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import csv
import functools
import gc
import os
import re
import shutil
import sys
import tempfile
import time
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
KEPT_KEYWORDS = {"maxsize"}  # sizes of caches change no answer
LETTERS = "ABCDEF"
SWAPS: dict[type[ast.AST], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Add: "-",
    ast.Sub: "+",
    ast.And: "or",
    ast.Or: "and",
}


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    file: Path
    kind: str
    where: str
    text: str
    inside: bool = True
    """Is the change inside a function, or in a data file, so that loaded code can take it on?"""


# ---------------------------------------------------------------------- making mutants


def of_csv(file: Path) -> Iterator[Mutant]:
    """Every cell of a table: a number by one each way, a letter or dash to a number."""
    rows = list(csv.reader(file.read_text(encoding="utf-8").splitlines()))
    for r, row in enumerate(rows[1:], 1):
        for c, cell in enumerate(row[1:], 1):
            for changed in _cell(cell):
                copy = [list(line) for line in rows]
                copy[r][c] = changed
                text = "\n".join(",".join(line) for line in copy) + "\n"
                yield Mutant(file, "table cell", f"row {row[0]}, column {rows[0][c]}: {cell} -> {changed}", text)


def _cell(cell: str) -> tuple[str, ...]:
    if re.fullmatch(r"-?\d+", cell):
        return str(int(cell) + 1), str(int(cell) - 1)
    return ("7",) if cell in ("E", "-") else ()


VALUE = re.compile(r"(?<![\w\"'#.-])(-?\d+|true|false|\"[A-F]\")(?![\w\"'.-])")


def of_toml(file: Path) -> Iterator[Mutant]:
    """Every number, truth value and rating letter of a data file, comments, sources and table checks left alone."""
    text = file.read_text(encoding="utf-8")
    checks, at = False, 0
    for line in text.splitlines(keepends=True):
        body = line.split("#")[0]
        if body.startswith("["):
            checks = body.startswith("[checks]")
        prose = body.startswith(("source", "title", "confidence", "work", "section", "row", "column", "["))
        if not checks and not prose:
            for match in VALUE.finditer(re.sub(r'cite = "[^"]*"', lambda m: " " * len(m[0]), body)):
                for changed in _value(match[0]):
                    start = at + match.start()
                    new = text[:start] + changed + text[start + len(match[0]) :]
                    yield Mutant(
                        file, "printed value", f"{_near(text, at)}{body.strip()}: {match[0]} -> {changed}", new
                    )
        at += len(line)


def _near(text: str, at: int) -> str:
    heads = re.findall(r"^\[(.+)\]", text[:at], re.MULTILINE)
    return f"{heads[-1]}, " if heads else ""


def _value(value: str) -> tuple[str, ...]:
    if value in ("true", "false"):
        return ("false" if value == "true" else "true",)
    if value.startswith('"'):
        at = LETTERS.index(value[1])
        return (f'"{LETTERS[at + 1 if at < 5 else at - 1]}"',)
    return (str(int(value) + 1),)


def of_python(file: Path, operators: bool) -> Iterator[Mutant]:
    """Every whole number of the code by one; with `operators` also what joins and compares them."""
    text = file.read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    raw = text.encode()

    tree = ast.parse(text)
    kept = {
        (keyword.value.lineno, keyword.value.col_offset)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg in KEPT_KEYWORDS
    }
    bodies = [
        (statement.lineno, statement.end_lineno or statement.lineno)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.Lambda))
        for statement in (node.body if isinstance(node, ast.FunctionDef) else [])
    ]

    def change(node: ast.expr, new: str, kind: str) -> Mutant:
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        where = f"line {node.lineno}: {raw[begin:end].decode()} -> {new}"
        inside = any(first <= node.lineno <= last for first, last in bodies)
        return Mutant(file, kind, where, (raw[:begin] + new.encode() + raw[end:]).decode(), inside)

    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int and (node.lineno, node.col_offset) not in kept:
            yield change(node, str(node.value + 1), "number")
        elif operators:
            yield from (change(node, new, "operator") for new in _operator(node, text))  # type: ignore[arg-type]


def _operator(node: ast.AST, text: str) -> Iterator[str]:
    def source(part: ast.AST) -> str:
        return ast.get_source_segment(text, part) or ""

    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
        yield f"{source(node.left)} {SWAPS[type(node.ops[0])]} {source(node.comparators[0])}"
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        yield f"{source(node.left)} {SWAPS[type(node.op)]} {source(node.right)}"
    elif isinstance(node, ast.BoolOp):
        yield "(" + f" {SWAPS[type(node.op)]} ".join(f"({source(value)})" for value in node.values) + ")"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield f"({source(node.operand)})"


def mutants(package: Path, operators: bool) -> list[Mutant]:
    """Every mutant of a ruleset's folder."""
    found: list[Mutant] = []
    for file in sorted((package / "data").glob("*.csv")):
        found.extend(of_csv(file))
    for file in sorted((package / "data").glob("*.toml")):
        found.extend(of_toml(file))
    for file in sorted(package.rglob("*.py")):
        found.extend(of_python(file, operators))
    return found


# ---------------------------------------------------------------------- running them


class Loop:
    """A pytest plugin: once the tests are collected, each mutant is tried in a fork of that process.

    A change in a data file or inside a function is put into the loaded program; any other change needs the fork to
    import everything anew, in a process of its own.
    """

    def __init__(self, copy: Path, made: Sequence[Mutant], tests: Sequence[str], seconds: int) -> None:
        self.copy, self.made, self.tests, self.seconds = copy, made, tests, seconds
        self.counts: dict[str, list[int]] = {}
        self.survivors: list[Mutant] = []

    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of running the tests once, run them under every mutant."""
        began = time.monotonic()
        for way in {(mutant.file.suffix, mutant.inside): mutant for mutant in self.made}.values():
            same = way.file.read_text(encoding="utf-8")
            if self.killed(session, Mutant(way.file, "", "", same, way.inside)):
                raise SystemExit(f"The tests fail without any mutant, run as for {way.file.name}, {way.where}.")
        for number, mutant in enumerate(self.made, 1):
            tally = self.counts.setdefault(mutant.kind, [0, 0])
            tally[1] += 1
            if self.killed(session, mutant):
                tally[0] += 1
            else:
                self.survivors.append(mutant)
                say(f"survived: {mutant.file.name}, {mutant.where}")
            if number % 50 == 0:
                say(f"{number} of {len(self.made)}, {time.monotonic() - began:.0f} s")
        return True

    def killed(self, session: Any, mutant: Mutant) -> bool:
        """Does a test fail under this mutant? A run that hangs or cannot even start counts as failing."""
        file = self.copy / mutant.file.relative_to(ROOT)
        original, stamp = file.read_bytes(), file.stat()
        file.write_text(mutant.text, encoding="utf-8")
        try:
            child = os.fork()
            if child == 0:
                self._try(session, mutant)
            return _waited(child, self.seconds) != 0
        finally:
            file.write_bytes(original)
            os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    def _try(self, session: Any, mutant: Mutant) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        try:
            if not mutant.inside:
                os.execv(sys.executable, [sys.executable, "-m", "pytest", *QUIET, *self.tests])
            if mutant.file.suffix == ".py":
                take_on(mutant)
            for found in gc.get_objects():
                if isinstance(found, functools._lru_cache_wrapper):
                    found.cache_clear()
            for item in session.items:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                if session.testsfailed:
                    os._exit(1)
            os._exit(0)
        except BaseException:
            os._exit(1)


QUIET = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:doctest", "-o", "addopts=", "-o", "filterwarnings="]


def take_on(mutant: Mutant) -> None:
    """Give the functions of the loaded module the code of the changed text."""
    name = ".".join(mutant.file.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    fresh: dict[str, types.CodeType] = {}

    def gather(code: types.CodeType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                fresh[constant.co_qualname] = constant
                gather(constant)

    gather(compile(mutant.text, str(mutant.file), "exec", dont_inherit=True))
    for found in gc.get_objects():
        if isinstance(found, types.FunctionType) and found.__module__ == name:
            code = fresh.get(found.__code__.co_qualname)
            if code is not None and code.co_freevars == found.__code__.co_freevars:
                found.__code__ = code


def say(text: str) -> None:
    """Progress, past what pytest captures."""
    print(text, file=sys.__stderr__, flush=True)


def _waited(child: int, seconds: int) -> int:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.005)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return 1


def main() -> int:
    """Make the mutants, run them, write the report."""
    import pytest  # noqa: PLC0415  (the help needs none of it)

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("ruleset")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--operators", action="store_true", help="also break comparisons, and/or, +/-, not")
    parser.add_argument("--tests", nargs="*", help="test files in order; the ruleset's own, then its cases, by default")
    parser.add_argument("--seconds", type=int, default=120, help="how long one run may take")
    parser.add_argument("--skip", nargs="*", default=["picture.py"], help="files left alone; drawings by default")
    parser.add_argument("--only", nargs="*", default=[""], help="only files whose name contains one of these")
    parser.add_argument("--part", default="1/1", help="2/3: the second of three parts, to run side by side")
    chosen = parser.parse_args()
    package = ROOT / "src" / "overrun" / "rulesets" / chosen.ruleset
    tests = chosen.tests or [f"tests/{chosen.ruleset}", "tests/test_cases.py"]
    others = [
        part.name for part in (ROOT / "tests" / "cases").iterdir() if part.is_dir() and part.name != chosen.ruleset
    ]
    tests = [*tests, "-k", " and ".join(f"not {name}" for name in others)] if others else tests
    made = [
        mutant
        for mutant in mutants(package, chosen.operators)
        if mutant.file.name not in chosen.skip and any(part in mutant.file.name for part in chosen.only)
    ]
    part, parts = map(int, chosen.part.split("/"))
    made = made[part - 1 :: parts]
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
        loop = Loop(copy, made, tests, chosen.seconds)
        pytest.main([*QUIET, *tests], plugins=[loop])
    report = written(chosen.ruleset, loop.counts, loop.survivors)
    print(report)
    if chosen.report:
        (ROOT / chosen.report).write_text(report, encoding="utf-8")
    return 0


def written(ruleset: str, counts: dict[str, list[int]], survivors: Sequence[Mutant]) -> str:
    """The report."""
    lines = [f"# Mutation score of `rulesets/{ruleset}`", ""]
    lines += ["One change at a time, then the ruleset's tests and cases (`python tools/mutate.py --help`).", ""]
    lines += ["| changed | mutants | noticed | score |", "|---|---|---|---|"]
    for kind, (noticed, total) in counts.items():
        lines.append(f"| {kind} | {total} | {noticed} | {100 * noticed / total:.1f} % |")
    noticed, total = (sum(column) for column in zip(*counts.values(), strict=True))
    lines += [f"| all | {total} | {noticed} | {100 * noticed / total:.1f} % |", ""]
    if survivors:
        lines += ["Not noticed:", ""]
        lines += [f"- `{mutant.file.name}`, {mutant.where}" for mutant in survivors]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
