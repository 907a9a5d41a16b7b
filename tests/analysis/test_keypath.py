"""Key paths name places in a document as error messages do, and refuse in words what they cannot reach."""

import pytest

from overrun.analysis import keypath
from overrun.kernel import InputError

DOCUMENT = {"title": "A", "units": [{"name": "x", "count": 2}], "map": {"D 2": {"level": 1}}, "hex": "woods"}


@pytest.mark.parametrize("text", ["title", "units[1].count", 'map."D 2".level'])
def test_a_path_is_told_as_it_was_written(text: str) -> None:
    path = keypath.parse(text)
    assert keypath.told(path) == text
    assert keypath.read(DOCUMENT, path) in ("A", 2, 1)


@pytest.mark.parametrize("text", ["", ".", "a..b", "units[0]", "units[x]", "[1]", 'a."b', "a[1]b"])
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no key path"):
        keypath.parse(text)


def test_a_change_leaves_the_original_alone() -> None:
    changed = keypath.changed(DOCUMENT, keypath.parse("units[1].count"), 3)
    assert (changed["units"][0], DOCUMENT["units"][0]) == ({"name": "x", "count": 3}, {"name": "x", "count": 2})
    assert keypath.changed(DOCUMENT, ("rulings", "night"), "on")["rulings"] == {"night": "on"}
    assert "rulings" not in DOCUMENT


@pytest.mark.parametrize(
    ("text", "value", "message"),
    [
        ("units[2].count", 3, r"units\[2\]: there is no such place. Allowed: 1 to 1"),
        ("title.x", 3, "title: this is no table, so it has no key 'x'"),
        ("title[1]", 3, "title: this is no list"),
        ("units[1].count", "many", r"units\[1\]\.count: 'many' is of another kind than 2. Allowed: a whole number"),
        ("units[1].count", True, "Allowed: a whole number"),
        ("unit[1].count", 3, "unit: there is no such list; did you mean 'units'"),
    ],
)
def test_what_cannot_be_changed_is_refused_in_words(text: str, value: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        keypath.changed(DOCUMENT, keypath.parse(text), value)


def test_text_may_become_a_table_where_the_game_allows_both() -> None:
    assert keypath.changed(DOCUMENT, ("hex",), {"terrain": "woods"})["hex"] == {"terrain": "woods"}


def test_a_setting_is_typed() -> None:
    assert keypath.setting("units[1].count = 3") == (("units", 1, "count"), 3)
    assert keypath.setting('hex="3"')[1] == "3"
    assert keypath.setting("hex=open")[1] == "open"
    for text in ("hex", "=3", ""):
        with pytest.raises(InputError, match="sets nothing"):
            keypath.setting(text)


def test_every_number_is_found_with_its_path() -> None:
    assert [(keypath.told(path), value) for path, value in keypath.numbers(DOCUMENT)] == [
        ("units[1].count", 2),
        ('map."D 2".level', 1),
    ]
