"""The shipped scenarios, the starter file, their pictures, and input that is refused before anything is drawn."""

from __future__ import annotations

import re
import time
import tomllib
from xml.etree import ElementTree

import pytest

from overrun import scenarios
from overrun.kernel import InputError
from overrun.rulesets.warhammer import ruleset
from overrun.rulesets.warhammer.rolls import rows
from overrun.rulesets.warhammer.scenario import MOST_UNITS
from overrun.testing import check_ruleset
from tests.warhammer.tabletop import ME, document

SHIPPED = [name for name in scenarios.names() if name.startswith("warhammer/")]
SVG = "{http://www.w3.org/2000/svg}"


def test_at_least_five_are_shipped() -> None:
    assert len(SHIPPED) >= 5


@pytest.mark.parametrize("name", SHIPPED)
def test_every_law_of_a_ruleset_holds_on_it(name: str) -> None:
    check_ruleset(ruleset, [ruleset.load(tomllib.loads(scenarios.text(name)))], plays=5)


def test_the_starter_loads() -> None:
    situation = ruleset.load(tomllib.loads(ruleset.starter()))
    assert situation.title == "My overrun"


@pytest.mark.parametrize("name", SHIPPED)
def test_its_picture_is_drawn_with_its_words(name: str) -> None:
    situation = ruleset.load(tomllib.loads(scenarios.text(name)))
    assert ruleset.picture is not None
    drawn = ruleset.picture(situation, None)
    root = ElementTree.fromstring(drawn)
    assert root.find(f"{SVG}title").text == situation.title  # type: ignore[union-attr]
    words = root.find(f"{SVG}desc").text or ""  # type: ignore[union-attr]
    setup = situation.start.state.setup
    labels = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
    for unit in (setup.mover, *setup.units):
        assert unit.name in labels
        assert unit.name in words
    for row in rows(setup):
        assert row.words in labels
        assert row.words in words
    assert "nan" not in drawn
    colours = set(re.findall(r"#([0-9a-f]{3,6})\b", drawn))
    assert all(len(set(re.findall("..", c))) == 1 if len(c) == 6 else len(set(c)) == 1 for c in colours), colours


def test_one_inch_is_the_same_length_across_and_up() -> None:
    situation = ruleset.load(tomllib.loads(scenarios.text("warhammer/straight-hit")))
    assert ruleset.picture is not None
    root = ElementTree.fromstring(ruleset.picture(situation, None))
    outlines = [
        p.get("d") or ""
        for g in root.iter(f"{SVG}g")
        if "mover" in (g.get("class") or "")
        for p in g.iter(f"{SVG}path")
        if p.get("class") == "outline"
    ]
    numbers = [[float(n) for n in re.findall(r"-?\d+\.\d", d)] for d in outlines]
    (knights,) = [n for n in numbers if len(n) == 8]
    wide, tall = max(knights[::2]) - min(knights[::2]), max(knights[1::2]) - min(knights[1::2])
    assert abs(wide / tall - 125 / 100) < 0.01


def test_ten_thousand_units_are_refused_with_the_limit() -> None:
    crowd = [ME | {"id": f"u{i}"} for i in range(10_000)]
    start = time.perf_counter()
    with pytest.raises(InputError, match=f"10000 units are given.*at most {MOST_UNITS}"):
        ruleset.load(document(crowd))
    assert time.perf_counter() - start < 1.0


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("key", ["position", "heading"])
def test_numbers_must_be_finite(key: str, value: float) -> None:
    bad = ME | {key: [value, 0.0] if key == "position" else value}
    with pytest.raises(InputError) as caught:
        ruleset.load(document([bad]))
    (problem,) = caught.value.problems
    assert problem.where.startswith(f"units[1].{key}")
    assert "finite" in problem.what


def test_every_key_of_the_schema_has_a_type() -> None:
    schema = ruleset.schema()
    assert {"units", "combat", "overrunner", "table"} <= set(schema["properties"])


def test_a_unit_strength_that_no_source_settles_is_named() -> None:
    chariot = ME | {"kind": "chariot", "base": [50, 100], "files": 1, "ranks": 1}
    assert ruleset.load(document([chariot])).unverified == (
        "unit strength of me: 4, the 7th edition's figure for a chariot",
    )
    assert ruleset.load(document([chariot | {"unit_strength": 4}])).unverified == ()
    assert "starting wounds" in ruleset.load(document([ME | {"kind": "monster"}])).unverified[0]
    assert ruleset.load(document([ME])).unverified == ()
