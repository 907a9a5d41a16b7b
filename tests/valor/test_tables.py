"""The printed tables against their closed forms (fact sheet 1 and 3.2), and every cell that the sources pin."""

import pytest

from overrun.rulesets.valor.figures import ap_combat, armor_elimination, close_assault
from overrun.rulesets.valor.firepower import casualty_points

ROWS = [(1, 4), (5, 10), (11, 18), (19, 28), (29, 40), (41, 400)]


@pytest.mark.parametrize("roll", range(2, 13))
@pytest.mark.parametrize("row", range(6))
def test_the_ap_combat_table_has_its_closed_form(row: int, roll: int) -> None:
    for apfp in ROWS[row]:
        assert ap_combat().at(apfp, roll).value == max(0, 7 + row - roll)


def test_rolls_beyond_the_last_column_use_it() -> None:
    for row, (apfp, _) in enumerate(ROWS):
        assert {ap_combat().at(apfp, roll).value for roll in (12, 13, 20)} == {max(0, row - 5)}


@pytest.mark.parametrize(("apfp", "roll", "points"), [(38, 5, 6), (12, 7, 2), (13, 6, 3), (6, 8, 0)])
def test_the_cells_that_examples_pin(apfp: int, roll: int, points: int) -> None:
    assert ap_combat().at(apfp, roll).value == points


@pytest.mark.parametrize("armor", range(6))
@pytest.mark.parametrize("at", range(6))
def test_the_armor_elimination_table_has_its_closed_form(at: int, armor: int) -> None:
    number = 7 + 2 * (at - armor)
    expected = "E" if number > 11 else "-" if number < 3 else number
    assert armor_elimination().at("ABCDEF"[at], "ABCDEF"[armor]).value == expected


def test_the_tables_have_all_their_cells() -> None:
    assert (len(ap_combat().cells), len(armor_elimination().cells)) == (66, 36)


def test_low_rolls_are_clamped_or_extrapolated() -> None:
    for _, apfp in ROWS:
        at_two = casualty_points(apfp, 2)[0]
        assert [casualty_points(apfp, roll)[0] for roll in (1, 0, -3)] == [at_two] * 3
        assert [casualty_points(apfp, roll, "extrapolate")[0] for roll in (1, 0, -3)] == [at_two + n for n in (1, 2, 5)]


@pytest.mark.parametrize(
    ("odds", "number"), [("1-4", 3), ("1-3", 4), ("1-2", 5), ("1-1", 6), ("2-1", 8), ("3-1", 9), ("4-1", 10)]
)
def test_the_close_assault_table(odds: str, number: int) -> None:
    assert close_assault().at("kill number", odds).value == number
