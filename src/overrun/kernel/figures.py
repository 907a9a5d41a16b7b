"""Single printed figures (modifiers, thresholds, counters), kept in TOML files beside the rules that read them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from overrun.kernel.revision import as_read


def load(package: str, name: str) -> Mapping[str, Any]:
    """The figures of `name.toml` in a package, as printed unless a revision is in force. Raises `FileNotFoundError`."""
    return as_read(name, tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8")))
