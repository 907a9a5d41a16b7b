"""The import law holds, and a breach of it is found."""

from pathlib import Path

import pytest

from tools import import_law


def test_the_import_law_holds() -> None:
    assert list(import_law.breaches()) == []


@pytest.mark.parametrize(
    ("file", "line", "reason"),
    [
        ("kernel/cite.py", "from overrun.play.session import Session", "kernel stands below play"),
        ("kernel/cite.py", "import pydantic", "kernel uses the standard library only"),
        ("kernel/cite.py", "def f():\n    from rich import print", "kernel uses the standard library only"),
        ("play/explain.py", "from ..store import opening", "play stands below store"),
        ("store/opening.py", "import overrun.cli.main", "store stands below cli"),
        ("rulesets/valor/setup.py", "import pydantic", "rulesets uses the standard library only"),
        ("rulesets/valor/setup.py", "from overrun.play import session", "a ruleset imports the kernel and its own"),
        (
            "rulesets/valor/setup.py",
            "from overrun.rulesets.asl import fire",
            "a ruleset imports the kernel and its own",
        ),
        ("cli/main.py", "from overrun.rulesets import valor", "a reader finds rulesets and names none"),
        ("cli/main.py", "from overrun.testing import check_ruleset", "nothing imports the conformance suite"),
    ],
)
def test_a_breach_is_named(tmp_path: Path, file: str, line: str, reason: str) -> None:
    path = tmp_path / "overrun" / file
    path.parent.mkdir(parents=True)
    path.write_text(f"import sys\n{line}\n", encoding="utf-8")
    (found,) = import_law.breaches(tmp_path / "overrun")
    assert found.startswith(f"overrun/{file}:")
    assert reason in found


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("rulesets/valor/scenario.py", "from pydantic import BaseModel"),
        ("rulesets/valor/setup.py", "from . import state"),
        ("rulesets/valor/setup.py", "from overrun.kernel import Exit"),
        ("rulesets/__init__.py", "from overrun.kernel import Ruleset"),
        ("cli/main.py", "from overrun.rulesets import rulesets"),
        ("store/opening.py", "from overrun import scenarios, rulesets"),
        ("testing.py", "from overrun.analysis.game import Game"),
        ("web/app.py", "import fastapi"),
    ],
)
def test_what_the_law_allows(tmp_path: Path, file: str, line: str) -> None:
    path = tmp_path / "overrun" / file
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\n", encoding="utf-8")
    assert list(import_law.breaches(tmp_path / "overrun")) == []
