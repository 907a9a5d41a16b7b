"""The page about compiled graphs: its example runs and prints what it says (X-05)."""

import re
from pathlib import Path

import pytest


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[2] / "docs" / "compiled.md"
    (example,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    exec(compile(example, str(page), "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "83/108"
    assert "afv_eliminated" in lines[2]
