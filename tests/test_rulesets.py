"""Rulesets are found without a list of them anywhere, and a look-up imports one only."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from overrun import rulesets
from overrun.kernel import InputError


def fresh(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_importing_the_package_imports_no_ruleset() -> None:
    assert (
        fresh("import sys, overrun.rulesets; print([m for m in sys.modules if m.startswith('overrun.rulesets.')])")
        == "[]"
    )


def test_a_look_up_imports_one_ruleset_and_no_pydantic() -> None:
    code = (
        "import sys; from overrun.rulesets import ruleset; ruleset('valor');"
        "found = {m.split('.')[2] for m in sys.modules if m.startswith('overrun.rulesets.')};"
        "print(sorted(found), 'pydantic' in sys.modules)"
    )
    assert fresh(code) == "['valor'] False"


def test_every_ruleset_is_found_under_its_own_id() -> None:
    found = rulesets.rulesets()
    assert "valor" in found
    assert all(ruleset.id == id for id, ruleset in found.items())


def test_an_unknown_ruleset_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no ruleset 'chess'.*valor"):
        rulesets.ruleset("chess")


def test_a_ruleset_installed_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = SimpleNamespace(name="elsewhere", load=lambda: "a ruleset")
    monkeypatch.setattr(rulesets, "_entry_points", lambda: (elsewhere,))
    assert rulesets.ruleset("elsewhere") == "a ruleset"
    assert rulesets.rulesets()["elsewhere"] == "a ruleset"
