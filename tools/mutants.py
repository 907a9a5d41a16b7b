"""Every way to break a ruleset by one: a table cell, a figure, a comparison, a condition, a modifier left out."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

KEPT_KEYWORDS = {"maxsize", "strict"}  # neither changes an answer
LETTERS = "ABCDEF"
SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
SAME_WORTH = (ast.Name, ast.Attribute, ast.Call, ast.NamedExpr)
"""Conditions that no swapped operator reaches; they are turned round as a whole."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: the bytes from `begin` to `end` become `new`."""

    file: Path
    kind: str
    where: str
    begin: int = 0
    end: int = 0
    new: str = ""
    lines: tuple[int, int] = (0, 0)
    """First and last line of what changes; a case that runs none of them cannot notice."""
    inside: bool = True
    """Is the change inside a function, or in a data file, so that loaded code can take it on?"""

    @property
    def id(self) -> str:
        """The same for the same change of the same text of the file."""
        return f"{self.file.name}:{_digest(self.file)}:{self.begin}-{self.end}:{self.new}"

    @property
    def text(self) -> str:
        """The whole file with the change made."""
        raw = self.file.read_bytes()
        return (raw[: self.begin] + self.new.encode() + raw[self.end :]).decode()


@cache
def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:8]


# ---------------------------------------------------------------------- tables and printed values


def of_csv(file: Path) -> Iterator[Mutant]:
    """Every cell of a table: a number by one each way, a result by one step, a flag turned round, a note left out."""
    raw = file.read_bytes()
    heads: list[str] = []
    at = 0
    for number, line in enumerate(raw.decode().splitlines(keepends=True), 1):
        cells = [(match.start(1), match[1]) for match in re.finditer(r'((?:"[^"]*"|[^,"\r\n])*)(?:,|\r?\n|$)', line)]
        if not heads:
            heads = [cell for _, cell in cells]
        else:
            for (start, cell), head in list(zip(cells, heads, strict=False))[1:]:
                begin = at + len(line[:start].encode())
                for new in _cell(cell, results=b"KIA" in raw):
                    where = f"row {cells[0][1]}, column {head}: {cell or 'empty'} -> {new or 'empty'}"
                    yield Mutant(file, "table cell", where, begin, begin + len(cell.encode()), new, (number, number))
        at += len(line.encode())


def _cell(cell: str, *, results: bool) -> tuple[str, ...]:
    if re.fullmatch(r"-?\d+", cell):
        return str(int(cell) + 1), str(int(cell) - 1)
    if (figure := re.fullmatch(r"(\D*)(\d+)(KIA|MC|)", cell)) and results:
        return (f"{figure[1]}{int(figure[2]) + 1}{figure[3]}",)
    if results:
        return {"NMC": ("1MC",), "PTC": ("NMC",), "-": ("PTC",)}.get(cell, ())
    if re.fullmatch(r"[a-q]( [a-q])*", cell):
        return tuple(" ".join(note for note in cell.split() if note != gone) for gone in cell.split())
    return {"E": ("7",), "-": ("7",), "true": ("",), "false": ("true",), "no": ("yes",), "yes": ("no",)}.get(cell, ())


VALUE = re.compile(r"(?<![\w\"'#.-])(-?\d+|true|false|\"[A-F]\")(?![\w\"'.-])")


def of_toml(file: Path) -> Iterator[Mutant]:
    """Every number, truth value and rating letter of a data file, comments, sources and table checks left alone."""
    text = file.read_text(encoding="utf-8")
    checks, at = False, 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        body = line.split("#")[0]
        if body.startswith("["):
            checks = body.startswith("[checks]")
        prose = body.startswith(("source", "title", "confidence", "work", "section", "row", "column", "["))
        if not checks and not prose:
            for match in VALUE.finditer(re.sub(r'cite = "[^"]*"', lambda m: " " * len(m[0]), body)):
                begin = at + len(body[: match.start()].encode())
                for new in _value(match[0]):
                    where = f"{_near(text, number)}{body.strip()}: {match[0]} -> {new}"
                    end = begin + len(match[0].encode())
                    yield Mutant(file, "printed value", where, begin, end, new, (number, number))
        at += len(line.encode())


def _near(text: str, number: int) -> str:
    heads = re.findall(r"^\[(.+)\]", "\n".join(text.splitlines()[: number - 1]), re.MULTILINE)
    return f"{heads[-1]}, " if heads else ""


def _value(value: str) -> tuple[str, ...]:
    if value in ("true", "false"):
        return ("false" if value == "true" else "true",)
    if value.startswith('"'):
        at = LETTERS.index(value[1])
        return (f'"{LETTERS[at + 1 if at < 5 else at - 1]}"',)
    return (str(int(value) + 1),)


# ---------------------------------------------------------------------- code


class Code:
    """One file of code, and the changes of it."""

    def __init__(self, file: Path, *, operators: bool) -> None:
        self.file, self.operators = file, operators
        self.raw = file.read_bytes()
        self.starts = [0]
        for line in self.raw.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.tree = ast.parse(self.raw)
        self.bodies = [
            (statement.lineno, statement.end_lineno or statement.lineno)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.FunctionDef)
            for statement in node.body
        ]
        self.headers = {
            id(part): _header(statement)
            for statement in ast.walk(self.tree)
            if isinstance(statement, ast.stmt)
            for part in _own(statement)
        }
        self.kept = {
            id(keyword.value)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call)
            for keyword in node.keywords
            if keyword.arg in KEPT_KEYWORDS
        } | {
            id(part)
            for node in ast.walk(self.tree)
            if isinstance(node, (ast.ClassDef, ast.FunctionDef))
            for decorator in node.decorator_list
            for part in ast.walk(decorator)
        }

    def mutants(self) -> Iterator[Mutant]:
        """Numbers by one and truth values turned round; with `operators` also what joins, compares and modifies."""
        for node in ast.walk(self.tree):
            if id(node) in self.kept:
                continue
            if isinstance(node, ast.Constant) and type(node.value) is int:
                yield self._change(node, str(node.value + 1), "number")
            elif isinstance(node, ast.Constant) and type(node.value) is bool:
                flipped = self._change(node, str(not node.value), "truth value")
                if flipped.inside:  # the defaults of fields are set by whoever makes the object
                    yield flipped
            elif self.operators:
                yield from self._swapped(node)
                yield from self._turned(node)
                yield from self._dropped(node)

    def _swapped(self, node: ast.AST) -> Iterator[Mutant]:
        """One operator exchanged for its opposite or its neighbour."""
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SWAPS:
                yield self._between((left, right), SWAPS[type(op)], node, "comparison")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPS and not _words(node):
                yield self._between((left, right), SWAPS[type(op)], node, "arithmetic")
            case ast.BoolOp(op=op, values=values):
                yield self._between(values, SWAPS[type(op)], node, "and, or")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self._change(node, f"({self._source(operand)})", "condition")
            case _:
                pass

    def _turned(self, node: ast.AST) -> Iterator[Mutant]:
        """A condition that is one name or call, turned round."""
        tests: list[ast.expr] = []
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                tests = [test]
            case ast.comprehension(ifs=ifs):
                tests = ifs
            case ast.match_case(guard=ast.expr() as guard):
                tests = [guard]
            case ast.BoolOp(values=values):
                tests = values
            case _:
                pass
        for test in tests:
            if isinstance(test, SAME_WORTH):
                yield self._change(test, f"(not ({self._source(test)}))", "condition")

    def _dropped(self, node: ast.AST) -> Iterator[Mutant]:
        """A modifier left out: yielded, appended, or one of several."""
        match node:
            case ast.Expr(value=ast.Yield(value=ast.expr() as value)) if _modifies(value):
                yield self._change(node.value, "(yield from ())", "modifier")
            case ast.Expr(value=ast.YieldFrom() as value):
                yield self._change(value, "(yield from ())", "modifier")
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append" | "extend")) as value):
                yield self._change(value, "(None)", "modifier")
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                for value in elts:
                    if _modifies(value) or isinstance(value, ast.Starred):
                        yield self._change(value, "*()", "modifier")
            case _:
                pass

    def _between(self, parts: Sequence[ast.expr], swap: tuple[str, str], node: ast.expr, kind: str) -> Mutant:
        old, new = swap
        pattern = rf"\b{old.replace(' ', chr(92) + 's+')}\b" if old[0].isalpha() else re.escape(old)
        text = self.raw[self._begin(node) : self._end(parts[0])].decode()
        for one, two in pairwise(parts):
            joint = self.raw[self._end(one) : self._begin(two)].decode()
            text += re.sub(pattern, new, joint, count=1) + self._source(two)
        text += self.raw[self._end(parts[-1]) : self._end(node)].decode()
        return self._change(node, f"({text})", kind)

    def _source(self, node: ast.AST) -> str:
        return self.raw[self._begin(node) : self._end(node)].decode()

    def _begin(self, node: ast.AST) -> int:
        return self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined,no-any-return]

    def _end(self, node: ast.AST) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined,no-any-return]

    def _change(self, node: ast.expr, new: str, kind: str) -> Mutant:
        begin, end = self._begin(node), self._end(node)
        new += "\\\n" * (self.raw.count(b"\n", begin, end) - new.count("\n"))  # later lines keep their numbers
        first, last = node.lineno, node.end_lineno or node.lineno
        shown = self.raw[self.starts[first - 1] : self.starts[first]].decode().strip()
        old, becomes = (" ".join(text.split()) for text in (self._source(node), new.replace("\\\n", " ")))
        where = f"line {first}: {old} -> {becomes}" + ("" if shown == old else f" in: {shown}")
        inside = any(low <= first <= high for low, high in self.bodies)
        low, high = self.headers.get(id(node), (first, last))
        return Mutant(self.file, kind, where, begin, end, new, (min(low, first), max(high, last)), inside)


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are no statements of their own."""
    for part in ast.iter_child_nodes(statement):
        if not isinstance(part, (ast.stmt, ast.match_case)):
            yield from ast.walk(part)


def _header(statement: ast.stmt) -> tuple[int, int]:
    """The lines of a simple statement, or of a compound one down to what it holds."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return statement.lineno, statement.lineno if isinstance(statement, ast.Match) else max(statement.lineno, last)


def _modifies(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(("Modifier", ".line"))


def _words(node: ast.BinOp) -> bool:
    """Is it words or types that are joined, so that only a crash could follow?"""
    return any(
        isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in (node.left, node.right)
    )


def mutants(package: Path, *, operators: bool) -> list[Mutant]:
    """Every mutant of a ruleset's folder; a change of code that no longer parses is none."""
    found: list[Mutant] = []
    for file in sorted((package / "data").glob("*.csv")):
        found.extend(of_csv(file))
    for file in sorted((package / "data").glob("*.toml")):
        found.extend(of_toml(file))
    for file in sorted(package.rglob("*.py")):
        found.extend(mutant for mutant in Code(file, operators=operators).mutants() if _parses(mutant.text))
    return found


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
