"""Without an extra the command that needs it says which one, and does nothing."""

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_sweep import GRID


@pytest.mark.parametrize(
    ("package", "arguments", "message"),
    [
        ("pyarrow", ("sweep", "grid.toml", "--out", "out"), 'pip install "overrun[cluster]"'),
        ("distributed", ("sweep", "grid.toml", "--out", "out", "--scheduler", "tcp://127.0.0.1:1"), "overrun[cluster]"),
        (
            "resvg_py",
            ("sensitivity", "valor/printed-example", "--png", "a.png"),
            '"overrun[plot]", or --svg',
        ),
    ],
)
def test_the_extra_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, package: str, arguments: tuple[str, ...], message: str
) -> None:
    Path("grid.toml").write_text(GRID)
    monkeypatch.setitem(sys.modules, package, None)
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert not Path("out").exists()
    assert not Path("a.png").exists()


def test_sql_needs_the_extra_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("grid.toml").write_text(GRID)
    run("sweep", "grid.toml", "--out", "out")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    ran = run("sweep", "query", "out", "select 1")
    assert (ran.code, 'pip install "overrun[cluster]"' in ran.err) == (2, True)
