"""The command line as a player meets it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overrun import scenarios
from overrun.cli.main import app


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str, typed: str = "") -> Ran:
        result = CliRunner().invoke(app, list(arguments), input=typed, prog_name="overrun")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def example(tmp_path: Path) -> Callable[..., str]:
    """A file with the printed example, some of its text replaced."""

    def example(*changes: tuple[str, str], name: str = "example.toml") -> str:
        text = scenarios.text("valor/printed-example")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return example
