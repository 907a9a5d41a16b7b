"""The fields of an editor, made from the JSON Schema of a scenario and the document being edited.

Nothing here knows a game: a group is an object, a set of cards is a list of objects, a choice is an enumeration. Each
field has a `name` in the form and a `where`, the key path by which problems name it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import tomli_w

from overrun.kernel import Ruleset
from overrun.web.words import capital, words

ROOT = "f"
"""The name in the form of the whole document."""


class Kind(StrEnum):
    """How a field is filled in."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "choice"
    LIST = "list"
    LINES = "lines"
    PAIR = "pair"
    GROUP = "group"
    CARDS = "cards"
    TABLE = "table"
    TOML = "toml"


@dataclass
class Field:
    """One field, or a group of fields."""

    kind: Kind
    name: str
    where: str
    label: str
    hint: str = ""
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    suggested: tuple[tuple[str, str], ...] = ()
    required: bool = False
    stands_out: bool = True
    parts: list[Field] = field(default_factory=list)
    key: str = ""
    low: str = ""
    high: str = ""

    @property
    def id(self) -> str:
        """The id of the control in the page."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.name)

    @property
    def in_text(self) -> str:
        """The label within a sentence: small letters, but for what is written in capitals."""
        first, space, rest = self.label.partition(" ")
        return f"{first if first.isupper() else first.lower()}{space}{rest}"

    def all(self) -> Iterator[Field]:
        """The field and everything in it."""
        yield self
        for part in self.parts:
            yield from part.all()

    @property
    def first(self) -> list[Field]:
        """The parts that are shown at once: what must be said, and what was said."""
        return [part for part in self.parts if part.stands_out]

    @property
    def more(self) -> list[Field]:
        """The parts that may be left as they are."""
        return [part for part in self.parts if not part.stands_out]


class Fields:
    """The fields of one system."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.root = ruleset.schema()

    def of(self, document: Mapping[str, Any]) -> Field:
        """The fields of a document."""
        top = Field(Kind.GROUP, ROOT, "", self.ruleset.title)
        needed = self.root.get("required", ())
        for key, schema in self.root.get("properties", {}).items():
            if key == "system":
                continue
            if key == "rulings":
                top.parts.append(self.rulings(document.get(key, {})))
                continue
            part = self.field(schema, document.get(key), f"{ROOT}.{key}", key, key, key in needed)
            top.parts.append(part)
        return top

    def rulings(self, chosen: Any) -> Field:
        """One choice for each ruling of the system; left alone, it follows the default."""
        chosen = chosen if isinstance(chosen, Mapping) else {}
        group = Field(Kind.GROUP, f"{ROOT}.rulings", "rulings", "Where the rules leave it open")
        for ruling in self.ruleset.rulings:
            here = str(chosen.get(ruling.name, ""))
            readings = ruling.readings(here if here in ruling else ruling.default)
            options = tuple((name, f"{words(name)}: {ruling.meaning(name)}") for name in readings)
            default = f"default: {words(ruling.default)}"
            part = Field(
                Kind.CHOICE,
                f"{ROOT}.rulings.{ruling.name}",
                f"rulings.{ruling.name}",
                ruling.question,
                f"{ruling.reason} ({ruling.cite}, {ruling.name})",
                here,
                (("", default), *options),
                stands_out=ruling.name in chosen,
            )
            group.parts.append(part)
        group.stands_out = any(part.stands_out for part in group.parts)
        return group

    def field(  # noqa: PLR0917  (what, and where it stands)
        self, schema: Mapping[str, Any], value: Any, name: str, where: str, key: str, needed: bool = False
    ) -> Field:
        """The field of one value under its schema."""
        schema, nullable = self.resolved(schema)
        label = capital(words(str(key)))
        made = Field(
            self.kind(schema), name, where, label, str(schema.get("description", "")), required=needed and not nullable
        )
        made.stands_out = needed or value not in (None, {}, [])
        doubtful = set(schema.get("x-unverified", ()))
        made.suggested = tuple(
            (str(each), "? unverified" if each in doubtful else "") for each in schema.get("examples", ())
        )
        if made.kind is Kind.GROUP:
            self._group(made, schema, value)
        elif made.kind is Kind.CARDS:
            self._cards(made, schema, value)
        elif made.kind is Kind.TABLE:
            self._table(made, schema, value)
        elif made.kind is Kind.PAIR:
            self._pair(made, value)
        else:
            self._control(made, schema, value, nullable)
        return made

    # ------------------------------------------------------------------ groups

    def _group(self, made: Field, schema: Mapping[str, Any], value: Any) -> None:
        properties = schema.get("properties", {})
        if value is not None and not isinstance(value, Mapping) and properties:
            # A short form, as `D2 = "woods"`: it stands for the first key.
            value = {next(iter(properties)): value}
        given = value if isinstance(value, Mapping) else {}
        needed = schema.get("required", ())
        for key, part in properties.items():
            place = f"{made.where}.{key}" if made.where else key
            made.parts.append(self.field(part, given.get(key), f"{made.name}.{key}", place, key, key in needed))

    def _cards(self, made: Field, schema: Mapping[str, Any], value: Any) -> None:
        items = value if isinstance(value, list | tuple) else []
        for number, item in enumerate(items, 1):
            where = f"{made.where}[{number}]"
            card = self.field(schema["items"], item, f"{made.name}[{number}]", where, made.label, True)
            card.label = str(item.get("name") or item.get("id") or "") if isinstance(item, Mapping) else ""
            made.parts.append(card)
        made.value = str(len(items))

    def _table(self, made: Field, schema: Mapping[str, Any], value: Any) -> None:
        entries = value if isinstance(value, Mapping) else {}
        inner = inside(schema)
        for number, (key, item) in enumerate(entries.items(), 1):
            where = f"{made.where}.{key}"
            entry = self.field(inner, item, f"{made.name}[{number}].value", where, str(key), True)
            entry.key, entry.label = str(key), str(key)
            made.parts.append(entry)
        made.value = str(len(entries))

    def _pair(self, made: Field, value: Any) -> None:
        given = list(value) if isinstance(value, list | tuple) else []
        for place, label in enumerate(("x", "y"), 1):
            shown = plain(given[place - 1]) if len(given) >= place else ""
            part = Field(Kind.NUMBER, f"{made.name}[{place}]", f"{made.where}[{place}]", label, value=shown)
            part.required = made.required
            made.parts.append(part)

    # ------------------------------------------------------------------ single controls

    def _control(self, made: Field, schema: Mapping[str, Any], value: Any, nullable: bool) -> None:
        made.low, made.high = plain(schema.get("minimum", "")), plain(schema.get("maximum", ""))
        default = schema.get("default")
        if made.kind is Kind.CHOICE:
            options = tuple((str(option), words(str(option)) or "none") for option in schema["enum"])
            if not made.required:
                usual = f"as usual: {words(str(default))}" if default not in (None, "") else "none"
                options = (("", usual), *((name, shown) for name, shown in options if name))
            made.choices, made.value = options, plain(value)
        elif made.kind is Kind.FLAG:
            made.value = "yes" if (default if value is None else value) else ""
        elif made.kind is Kind.LIST:
            made.value = ", ".join(map(plain, value)) if isinstance(value, list | tuple) else plain(value)
        elif made.kind is Kind.LINES:
            rows = value if isinstance(value, list | tuple) else []
            made.value = "\n".join(
                " ".join(map(plain, row)) if isinstance(row, list | tuple) else plain(row) for row in rows
            )
        elif made.kind is Kind.TOML:
            made.value = as_toml(value)
        else:
            made.value = plain(value)
        if default not in (None, "", [], {}, False) and made.kind in {Kind.TEXT, Kind.INTEGER, Kind.NUMBER}:
            made.hint = (
                f"{made.hint}; {plain(default)} if left empty" if made.hint else f"{plain(default)} if left empty"
            )

    def kind(self, schema: Mapping[str, Any]) -> Kind:
        """How a value of a resolved schema is filled in."""
        if "enum" in schema or "const" in schema:
            return Kind.CHOICE
        found = schema.get("type")
        if found == "object":
            return self._kind_of_object(schema)
        if found == "array":
            return self._kind_of_array(schema)
        simple = {"string": Kind.TEXT, "integer": Kind.INTEGER, "number": Kind.NUMBER, "boolean": Kind.FLAG}
        return simple.get(str(found), Kind.TOML)

    def _kind_of_object(self, schema: Mapping[str, Any]) -> Kind:
        if schema.get("properties"):
            return Kind.GROUP
        inner, _ = self.resolved(inside(schema))
        return Kind.TABLE if inner and self.kind(inner) is not Kind.TOML else Kind.TOML

    def _kind_of_array(self, schema: Mapping[str, Any]) -> Kind:
        places = [self.resolved(place)[0].get("type") for place in schema.get("prefixItems", ())]
        if len(places) == 2 and set(places) <= {"number", "integer"}:
            return Kind.PAIR
        item, _ = self.resolved(schema.get("items", {}))
        if item.get("type") == "object":
            return Kind.CARDS if self.kind(item) is Kind.GROUP else Kind.TOML
        if item.get("type") == "array":
            return Kind.LINES
        return Kind.LIST if item.get("type") in {"string", "integer", "number"} else Kind.TOML

    def resolved(self, schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
        """A schema without references and without the choice of nothing; and whether nothing may be chosen."""
        nullable, seen = False, 0
        while seen < 20:
            seen += 1
            if "$ref" in schema:
                name = str(schema["$ref"]).rpartition("/")[2]
                rest = {key: value for key, value in schema.items() if key != "$ref"}
                schema = {**self.root.get("$defs", {}).get(name, {}), **rest}
            elif "anyOf" in schema or "oneOf" in schema:
                options: Sequence[Mapping[str, Any]] = schema.get("anyOf") or schema["oneOf"]
                kept = [option for option in options if option.get("type") != "null"]
                nullable = nullable or len(kept) < len(options)
                rest = {key: value for key, value in schema.items() if key not in {"anyOf", "oneOf"}}
                schema = {**kept[0], **rest} if len(kept) == 1 else dict(rest)
            elif len(schema.get("allOf", ())) == 1:
                rest = {key: value for key, value in schema.items() if key != "allOf"}
                schema = {**schema["allOf"][0], **rest}
            else:
                break
        if "const" in schema:
            schema = {**schema, "enum": [schema["const"]]}
        return schema, nullable


def inside(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of the values of a table with free keys."""
    patterns = schema.get("patternProperties")
    if patterns:
        found: Mapping[str, Any] = next(iter(patterns.values()))
        return found
    inner = schema.get("additionalProperties")
    return inner if isinstance(inner, Mapping) else {}


def plain(value: Any) -> str:
    """A single value as a player types it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def as_toml(value: Any) -> str:
    """Any value as TOML: a table as its lines, anything else as it stands after the equals sign."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return tomli_w.dumps(dict(value)).strip()
    return tomli_w.dumps({"x": value}).partition("=")[2].strip()
