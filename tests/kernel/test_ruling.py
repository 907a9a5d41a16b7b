"""Rulings: their readings, usual ones and numbers."""

from __future__ import annotations

import pytest

from overrun.kernel import InputError, Numbers, Ruling, Rulings, work

FAR = Ruling(
    "far",
    "How far?",
    {"90": "All the way.", "45": "Half of it."},
    "90",
    "The text says nothing.",
    work("book")("1"),
    Numbers(1, 90, "Up to {}."),
)
PLAIN = Ruling("plain", "Which?", {"yes": "Yes.", "no": "No."}, "yes", "The text is silent.", work("book")("2"))


@pytest.mark.parametrize(("reading", "meaning"), [("90", "All the way."), ("45", "Half of it."), ("23", "Up to 23.")])
def test_a_number_in_range_is_a_reading(reading: str, meaning: str) -> None:
    assert reading in FAR
    assert FAR.meaning(reading) == meaning
    assert Rulings((FAR, PLAIN)).chosen({"far": reading}) == {"far": reading, "plain": "yes"}


@pytest.mark.parametrize("reading", ["0", "91", "-5", "22.5", "023", " 23", "", "yes"])
def test_anything_else_is_refused_with_what_is_right(reading: str) -> None:
    assert reading not in FAR
    with pytest.raises(InputError) as caught:
        Rulings((FAR,)).chosen({"far": reading})
    (problem,) = caught.value.problems
    assert problem.allowed == "90, 45, or any whole number from 1 to 90"
    with pytest.raises(KeyError):
        FAR.meaning(reading)


def test_the_reading_in_force_is_listed_with_the_usual_ones() -> None:
    assert FAR.readings("45") == ("90", "45")
    assert FAR.readings("23") == ("90", "45", "23")
    assert "23" not in PLAIN
    assert PLAIN.readings("no") == ("yes", "no")
