"""A document from what was filled in: the counterpart of `fields`, read along the same schema."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from math import isfinite
from typing import Any

from overrun.kernel import Problem
from overrun.web.fields import ROOT, Fields, Kind, inside

MOST_ENTRIES = 300
"""Cards or entries of one list."""


class Filled:
    """The reading of one form. `problems` are what cannot even be read; the ruleset judges the rest."""

    def __init__(self, fields: Fields, form: Mapping[str, str]) -> None:
        self.fields, self.form = fields, form
        self.problems: list[Problem] = []
        self._press, _, self._at = form.get("press", "").partition(":")

    def document(self) -> dict[str, Any]:
        """The document, with the card that was just added and without the one that was just removed."""
        found: dict[str, Any] = {"system": self.fields.ruleset.id}
        for key, schema in self.fields.root.get("properties", {}).items():
            name = f"{ROOT}.{key}"
            if key == "system":
                continue
            value = self.rulings() if key == "rulings" else self.value(schema, name, key)
            if value is not None:
                found[key] = value
        return found

    def rulings(self) -> dict[str, str] | None:
        """The rulings that were chosen against their default."""
        prefix = f"{ROOT}.rulings."
        chosen = {name.removeprefix(prefix): text for name, text in self.form.items() if name.startswith(prefix)}
        return {name: text for name, text in chosen.items() if text} or None

    def value(self, schema: Mapping[str, Any], name: str, where: str) -> Any:  # noqa: PLR0911  (one for each kind)
        """One value; None where nothing was said."""
        schema, _ = self.fields.resolved(schema)
        match self.fields.kind(schema):
            case Kind.GROUP:
                return self._group(schema, name, where)
            case Kind.CARDS:
                return self._cards(schema, name, where)
            case Kind.TABLE:
                return self._table(schema, name, where)
            case Kind.PAIR:
                pair = [number(self.form.get(f"{name}[{place}]", "")) for place in (1, 2)]
                return pair if any(part is not None for part in pair) else None
            case Kind.FLAG:
                said = bool(self.form.get(name))
                return None if said == bool(schema.get("default", False)) else said
            case Kind.LIST:
                item, _ = self.fields.resolved(schema.get("items", {}))
                return self._list(self.form.get(name, ""), item)
            case Kind.LINES:
                lines = [line for line in self.form.get(name, "").splitlines() if line.strip()]
                return [[number(part) for part in line.replace(",", " ").split()] for line in lines] or None
            case Kind.TOML:
                return self._toml(schema, self.form.get(name, ""), where)
            case Kind.INTEGER | Kind.NUMBER:
                return number(self.form.get(name, ""))
            case Kind.CHOICE:
                return self._choice(schema, self.form.get(name, ""))
            case _:
                return self.form.get(name, "").strip() or None

    def _group(self, schema: Mapping[str, Any], name: str, where: str) -> dict[str, Any] | None:
        found = {}
        for key, part in schema.get("properties", {}).items():
            value = self.value(part, f"{name}.{key}", f"{where}.{key}")
            if value is not None:
                found[key] = value
        return found or None

    def _cards(self, schema: Mapping[str, Any], name: str, where: str) -> list[Any] | None:
        cards: list[Any] = []
        for place in range(1, self._count(name) + 1):
            if (self._press, self._at) == ("remove", f"{name}[{place}]"):
                continue
            cards.append(self.value(schema["items"], f"{name}[{place}]", f"{where}[{place}]") or {})
            if (self._press, self._at) == ("copy", f"{name}[{place}]"):
                cards.append(dict(cards[-1]))
        if (self._press, self._at) == ("add", name):
            cards.append({})
        return cards or None

    def _table(self, schema: Mapping[str, Any], name: str, where: str) -> dict[str, Any] | None:
        found: dict[str, Any] = {}
        for place in range(1, self._count(name) + 1):
            if (self._press, self._at) == ("remove", f"{name}[{place}]"):
                continue
            key = self.form.get(f"{name}[{place}].key", "").strip()
            value = self.value(inside(schema), f"{name}[{place}].value", f"{where}.{key}")
            if key in found:
                self.problems.append(Problem(f"{where}.{key}", "this is given twice", "each one once"))
            if key or value is not None:
                found[key] = {} if value is None else value
        if (self._press, self._at) == ("add", name):
            item, _ = self.fields.resolved(inside(schema))
            empty: dict[str, Any] = {"object": {}, "array": []}
            found.setdefault("", empty.get(str(item.get("type")), ""))
        return found or None

    def _count(self, name: str) -> int:
        text = self.form.get(f"{name}#", "0")
        count = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0
        return min(count, MOST_ENTRIES)

    @staticmethod
    def _list(text: str, item: Mapping[str, Any]) -> list[Any] | None:
        parts = [part.strip() for part in text.replace("\n", ",").split(",") if part.strip()]
        if item.get("type") in {"integer", "number"}:
            return [number(part) for part in parts] or None
        return parts or None

    @staticmethod
    def _choice(schema: Mapping[str, Any], text: str) -> Any:
        if not text:
            return None
        return next((option for option in schema["enum"] if str(option) == text), text)

    def _toml(self, schema: Mapping[str, Any], text: str, where: str) -> Any:
        if not text.strip():
            return None
        table = schema.get("type") == "object"
        try:
            return tomllib.loads(text) if table else tomllib.loads(f"x = {text}")["x"]
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            self.problems.append(Problem(where, f"this is not valid TOML: {error}"))
            return None


def number(text: str) -> Any:
    """A number from text; text that is none is kept, for the ruleset to refuse it with its own words.

    >>> number("3"), number("2.5"), number(" "), number("25 mm")
    (3, 2.5, None, '25 mm')
    """
    text = text.strip()
    if not text:
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value = float(text)
    except ValueError:
        return text
    return value if isfinite(value) else text
