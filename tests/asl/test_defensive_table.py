"""The three defensive tables: fact sheet 6.1, 6.2 and 10, ASL-18, ASL-35 (A-19, A-20, A-23a to A-23q, A-38)."""

from dataclasses import replace

import pytest

from overrun.kernel import Refusal
from overrun.rulesets.asl.counters import Nation, UnitKind, Weapon, WeaponKind
from overrun.rulesets.asl.defensive_notes import NOTES, Column, Row, Stage, TableCell, cell, defensive_table, row_of
from overrun.rulesets.asl.defensive_table import (
    Allowed,
    Crewed,
    Firer,
    Mode,
    Piece,
    Seen,
    cc_option,
    gun_counter_after,
    gun_option,
    ift_option,
    must_react,
    sw_option,
)
from overrun.rulesets.asl.setup import Fired

from .counters import unit

# Fact sheet 6.2, notes of header, row and cell together; the no-OVR Gun cell with its Case F (j).
MATRIX = {
    "before unmarked": ("no", "a", "cd", "dio"),
    "before first": ("no", "a", "cdk", "dijo"),
    "before final": ("no", "al", "no", "dijlo"),
    "before pinned": ("no", "a", "cdf", "dfio"),
    "none unmarked": ("bh", "aq", "cdq", "diq"),
    "none first": ("bg", "aq", "cdkq", "dijq"),
    "none final": ("bgl", "alq", "no", "no"),
    "none pinned": ("no", "aq", "cdfq", "dfiq"),
    "after unmarked": ("b", "ae", "ce", "en"),
    "after first": ("bg", "ae", "cek", "ejlmno"),
    "after final": ("bglm", "aelm", "no", "no"),
    "after pinned": ("no p", "ae", "cef", "efn"),
}


@pytest.mark.parametrize("row", MATRIX)
def test_every_cell(row):
    stage, status = row.split()
    for column, text in zip(Column, MATRIX[row], strict=True):
        found = cell(Stage(stage), Row(status), column)
        assert found.allowed == (not text.startswith("no")), column
        assert "".join(sorted(found.notes)) == text.removeprefix("no").strip(), column


def test_48_cells_and_17_notes():
    assert len(defensive_table().cells) == 48
    assert "".join(NOTES) == "abcdefghijklmnopq"
    used = {letter for found in defensive_table().cells.values() for letter in found.notes}
    assert used == set(NOTES)
    with pytest.raises(ValueError, match="not printed"):
        TableCell.read("a z")
    with pytest.raises(ValueError, match="not printed"):
        TableCell.read("")


@pytest.mark.parametrize(("printed", "shown"), [("c d k", "yes c d k"), ("yes", "yes"), ("no", "no"), ("no p", "no p")])
def test_how_a_cell_reads(printed, shown):
    assert (
        str(TableCell(not printed.startswith("no"), printed.removeprefix("no").removeprefix("yes").replace(" ", "")))
        == shown
    )


def test_rows():
    assert row_of(Fired.UNMARKED) is Row.UNMARKED
    assert row_of(Fired.FIRST) is Row.FIRST
    for heavy in (Fired.FINAL, Fired.INTENSIVE, Fired.NO_FIRE):
        assert row_of(heavy) is row_of(Fired.UNMARKED, heavy) is row_of(Fired.FIRST, heavy) is Row.FINAL
    assert row_of(Fired.UNMARKED, Fired.FIRST) is Row.FIRST


SQUAD = Firer(unit())
FIRST = replace(SQUAD, fired=Fired.FIRST)
FINAL = replace(SQUAD, fired=Fired.FINAL)
PINNED = replace(SQUAD, pinned=True)
BEFORE, NONE, AFTER = (Seen(stage) for stage in Stage)
OPEN_NONE, OPEN_AFTER, OPEN_BEFORE = (replace(seen, vulnerable_prc=True) for seen in (NONE, AFTER, BEFORE))
EMPTY_TRUCK = Seen(Stage.AFTER, armored=False, prc=False)


def shown(verdict) -> str:
    """The mode, and "!" when it is mandatory; or the rule that refuses."""
    if isinstance(verdict, Refusal):
        return verdict.cite.section
    return verdict.mode.value + ("!" if verdict.mandatory else "")


@pytest.mark.parametrize(
    ("firer", "seen", "found"),
    [
        (SQUAD, BEFORE, "D7.2"),  # ASL-18
        (FIRST, BEFORE, "D7.2"),
        (FINAL, BEFORE, "D7.2"),
        (SQUAD, NONE, "first"),  # edge case 29
        (FIRST, NONE, "sff"),
        (FINAL, NONE, "fpf"),
        (PINNED, NONE, "D7.212"),
        (replace(FINAL, pinned=True), NONE, "D7.212"),
        (SQUAD, AFTER, "first"),
        (FIRST, AFTER, "sff"),
        (FINAL, AFTER, "fpf!"),
        (PINNED, AFTER, "D7.212"),  # edge case 26
        (replace(FIRST, pinned=True), AFTER, "D7.212"),
        (replace(FINAL, pinned=True), AFTER, "fpf!"),  # ASL-05
        (replace(FINAL, pinned=True), EMPTY_TRUCK, "D7.212"),
        (FINAL, EMPTY_TRUCK, "fpf"),  # edge case 28
        (FINAL, replace(EMPTY_TRUCK, prc=True), "fpf!"),
        (replace(SQUAD, cc_marked=True), AFTER, "first"),  # ASL-35: further CC stays possible
        (replace(SQUAD, gun_fired=Fired.INTENSIVE), AFTER, "fpf!"),
        (replace(SQUAD, broken=True), AFTER, "A10.4"),
        (replace(SQUAD, melee=True), AFTER, "A11.15"),
        (replace(SQUAD, unarmed=True), AFTER, "A11.5"),
        (Firer(unit(UnitKind.DUMMY)), AFTER, "A12.11"),
    ],
)
def test_cc(firer, seen, found, rulings):
    assert shown(cc_option("cc", firer, seen, rulings)) == found


@pytest.mark.parametrize(
    ("firer", "seen", "found"),
    [
        (SQUAD, BEFORE, "A7.21"),
        (SQUAD, OPEN_BEFORE, "first"),
        (FIRST, OPEN_BEFORE, "sff"),
        (FINAL, OPEN_BEFORE, "fpf"),
        (PINNED, OPEN_BEFORE, "first"),
        (SQUAD, replace(BEFORE, armored=False), "first"),
        (FIRST, OPEN_NONE, "sff"),
        (FINAL, OPEN_NONE, "fpf"),
        (SQUAD, OPEN_AFTER, "first"),
        (FINAL, OPEN_AFTER, "fpf!"),
        (replace(FINAL, pinned=True), OPEN_AFTER, "fpf!"),
        (replace(SQUAD, cc_marked=True), OPEN_AFTER, "D7.22"),  # ASL-35
        (replace(SQUAD, cc_marked=True), OPEN_NONE, "first"),
        (replace(SQUAD, broken=True), OPEN_AFTER, "A10.4"),
        (replace(SQUAD, melee=True), OPEN_NONE, "A11.15"),
        (replace(SQUAD, unarmed=True), OPEN_AFTER, "A7.1"),
        (Firer(replace(unit(UnitKind.LEADER), fp=0)), OPEN_AFTER, "A7.1"),
        (Firer(unit(UnitKind.DUMMY)), OPEN_AFTER, "A12.11"),
    ],
)
def test_ift(firer, seen, found, rulings):
    assert shown(ift_option("ift", firer, seen, rulings)) == found


def sw(kind: WeaponKind, **values) -> Piece:
    return Piece(Weapon("w", kind.value, Nation.GERMAN, kind), **values)


PSK, PF, MOL, DC, FT, MG, ATR = (
    sw(kind)
    for kind in (
        WeaponKind.PSK,
        WeaponKind.PF,
        WeaponKind.MOL,
        WeaponKind.DC,
        WeaponKind.FT,
        WeaponKind.MMG,
        WeaponKind.ATR,
    )
)
JAPANESE = Firer(unit(nation=Nation.JAPANESE))


@pytest.mark.parametrize(
    ("firer", "piece", "seen", "found"),
    [
        (SQUAD, PSK, BEFORE, "first"),
        (SQUAD, PF, NONE, "first"),
        (SQUAD, ATR, AFTER, "first"),
        (SQUAD, MOL, AFTER, "first"),
        (SQUAD, FT, AFTER, "first"),
        (SQUAD, MG, AFTER, "first"),
        (FIRST, PSK, BEFORE, "first"),
        (FIRST, PF, AFTER, "first"),
        (FIRST, MOL, AFTER, "D7.22"),
        (FIRST, DC, AFTER, "A23.63"),
        (replace(FIRST, sw_left=False), PSK, AFTER, "A8.3"),
        (Firer(unit(UnitKind.HALF_SQUAD), Fired.FIRST), PSK, AFTER, "A8.3"),
        (Firer(unit(UnitKind.CREW), Fired.FIRST), PSK, NONE, "A8.3"),
        (Firer(unit(UnitKind.HALF_SQUAD)), PSK, NONE, "first"),
        (FINAL, PSK, BEFORE, "D7.2"),
        (FINAL, PSK, NONE, "D7.2"),
        (FINAL, PSK, AFTER, "D7.2"),
        (PINNED, PSK, AFTER, "first"),
        (PINNED, PF, BEFORE, "first"),
        (PINNED, FT, AFTER, "A7.8"),
        (PINNED, MOL, AFTER, "A7.8"),
        (PINNED, MG, AFTER, "A7.8"),
        (PINNED, sw(WeaponKind.HMG), AFTER, "A7.8"),
        (PINNED, sw(WeaponKind.LMG), AFTER, "A7.8"),
        (PINNED, sw(WeaponKind.MOL_PROJECTOR), AFTER, "A7.8"),
        (replace(JAPANESE, pinned=True), DC, AFTER, "A7.8"),
        (SQUAD, DC, AFTER, "A23.61"),  # edge case 30
        (JAPANESE, DC, AFTER, "first"),
        (SQUAD, DC, replace(AFTER, in_bypass=True), "first"),
        (SQUAD, sw(WeaponKind.MTR), AFTER, "C7.3"),
        (SQUAD, sw(WeaponKind.PSK, malfunctioned=True), AFTER, "A9.7"),
        (SQUAD, sw(WeaponKind.PSK, fired=Fired.FIRST), AFTER, "A8.3"),
        (replace(SQUAD, cc_marked=True), ATR, AFTER, "D7.22"),  # ASL-35
        (replace(SQUAD, cc_marked=True), ATR, NONE, "first"),
        (replace(SQUAD, broken=True), ATR, AFTER, "A10.4"),
    ],
)
def test_sw(firer, piece, seen, found, rulings):
    assert shown(sw_option("sw", firer, piece, seen, rulings)) == found


def test_sw_rulings(rulings):
    free = rulings | {"fpf_unmarked_sw": "yes"}
    verdict = sw_option("sw", FINAL, PSK, AFTER, free)
    assert shown(verdict) == "fpf"
    assert verdict.has("l")
    assert shown(sw_option("sw", FINAL, PSK, NONE, free)) == "D7.2"
    assert shown(sw_option("sw", FINAL, PF, AFTER, free)) == "D7.22"
    assert shown(sw_option("sw", SQUAD, DC, AFTER, rulings | {"thrown_dc_same_location": "yes"})) == "first"


CREW = Firer(unit(UnitKind.CREW))
GUN = Crewed()


@pytest.mark.parametrize(
    ("gun", "stages"),
    [
        (GUN, ("prevention", "first", "first")),
        (replace(GUN, fired=Fired.FIRST), ("prevention", "intensive", "intensive!")),
        (replace(GUN, fired=Fired.INTENSIVE), ("prevention", "C5.64", "C5.64")),  # ASL-40
        (replace(GUN, fired=Fired.FINAL), ("prevention", "C5.64", "C5.64")),
        (replace(GUN, fired=Fired.NO_FIRE), ("C5.6", "C5.6", "C5.6")),  # edge case 32
        (replace(GUN, fired=Fired.FIRST, no_intensive_fire=True), ("C5.6", "C5.6", "C5.6")),
        (replace(GUN, fired=Fired.INTENSIVE, no_intensive_fire=True), ("C5.6", "C5.64", "C5.64")),
        (replace(GUN, no_intensive_fire=True), ("prevention", "first", "first")),
        (replace(GUN, ca_turns=1), ("prevention", "first", "first")),
        (replace(GUN, ca_turns=1, ca_fixed=True), ("C5.5", "C5.5", "first")),  # edge case 24
        (replace(GUN, vca_turns=1, ca_fixed=True), ("prevention", "first", "D7.22")),
        (replace(GUN, ca_fixed=True), ("prevention", "first", "first")),
        (replace(GUN, malfunctioned=True), ("A9.7", "A9.7", "A9.7")),
        (replace(GUN, limbered=True), ("C10.2", "C10.2", "C10.2")),
    ],
)
def test_gun(gun, stages, rulings):
    assert tuple(shown(gun_option("gun", CREW, gun, seen, rulings)) for seen in (BEFORE, NONE, AFTER)) == stages


@pytest.mark.parametrize(
    ("gun", "stages"),
    [
        (GUN, ("prevention", "first", "first")),
        (replace(GUN, fired=Fired.FIRST), ("A7.8", "A7.8", "A7.8")),
        (replace(GUN, ca_turns=1), ("C5.5", "C5.5", "first")),  # edge case 23
        (replace(GUN, vca_turns=1), ("prevention", "first", "D7.22")),
    ],
)
def test_pinned_crew(gun, stages, rulings):
    crew = replace(CREW, pinned=True)
    found = [gun_option("gun", crew, gun, seen, rulings) for seen in (BEFORE, NONE, AFTER)]
    assert tuple(shown(verdict) for verdict in found) == stages
    assert all(verdict.has("f") for verdict in found if isinstance(verdict, Allowed))


def test_where_the_ca_must_come_to(rulings):
    """Notes i and n: the crossed hexside before the OVR or without one, the vehicle's VCA in Reaction Fire."""
    fixed = replace(GUN, ca_turns=1, vca_turns=1, ca_fixed=True)
    for crew, gun in ((CREW, fixed), (replace(CREW, pinned=True), replace(fixed, ca_fixed=False))):
        for seen, aim in ((BEFORE, "crossed hexside"), (NONE, "crossed hexside"), (AFTER, "vehicle's VCA")):
            verdict = gun_option("gun", crew, gun, seen, rulings)
            assert isinstance(verdict, Refusal)
            assert aim in verdict.reason


def test_crew_bars(rulings):
    assert shown(gun_option("gun", replace(CREW, broken=True), GUN, NONE, rulings)) == "A10.4"
    assert shown(gun_option("gun", replace(CREW, cc_marked=True), GUN, AFTER, rulings)) == "D7.22"
    assert shown(gun_option("gun", replace(CREW, cc_marked=True), GUN, NONE, rulings)) == "first"


def test_gun_notes_and_rulings(rulings):
    first = replace(GUN, fired=Fired.FIRST)
    assert gun_option("gun", CREW, GUN, BEFORE, rulings).has("o")
    plain = gun_option("gun", CREW, GUN, BEFORE, rulings | {"unmarked_prevention": "no"})
    assert (plain.mode, plain.has("o")) == (Mode.FIRST, False)
    assert not gun_option("gun", CREW, first, NONE, rulings).has("o")
    printed = gun_option("gun", CREW, first, NONE, rulings | {"gun_without_ovr": "as_printed"})
    assert (printed.mode, printed.has("j")) == (Mode.FIRST, False)
    no_if = replace(first, no_intensive_fire=True)
    assert shown(gun_option("gun", CREW, no_if, NONE, rulings | {"gun_without_ovr": "as_printed"})) == "first"
    assert not gun_option("gun", CREW, first, EMPTY_TRUCK, rulings).mandatory
    assert gun_option("gun", CREW, first, replace(EMPTY_TRUCK, prc=True), rulings).mandatory


def test_mandatory_reaction_fire(rulings):
    assert must_react(FINAL, AFTER, rulings)
    assert not must_react(FIRST, AFTER, rulings)
    assert not must_react(FINAL, EMPTY_TRUCK, rulings)
    assert not must_react(FINAL, AFTER, rulings | {"final_row_mandatory": "as_printed"})
    printed = rulings | {"final_row_mandatory": "as_printed"}
    assert shown(cc_option("cc", FINAL, AFTER, printed)) == "fpf"
    assert shown(cc_option("cc", replace(FINAL, pinned=True), AFTER, printed)) == "D7.212"


def test_notes_of_both_rows_come_together(rulings):
    verdict = ift_option("ift", replace(FIRST, pinned=True), OPEN_AFTER, rulings)
    assert verdict.notes == "ae"
    verdict = sw_option("sw", replace(FIRST, pinned=True), PSK, AFTER, rulings)
    assert verdict.notes == "cefk"
    assert cc_option("cc", FIRST, NONE, rulings).has("g")
    assert cc_option("cc", SQUAD, NONE, rulings).has("h")


def test_counters_after_a_shot():
    assert gun_counter_after(Stage.NONE, Fired.UNMARKED, kept_rate=True) is Fired.UNMARKED
    assert gun_counter_after(Stage.BEFORE, Fired.UNMARKED, kept_rate=False) is Fired.FIRST  # ASL-42
    assert gun_counter_after(Stage.BEFORE, Fired.FIRST, kept_rate=True) is Fired.NO_FIRE
    assert gun_counter_after(Stage.BEFORE, Fired.INTENSIVE, kept_rate=False) is Fired.NO_FIRE
    assert gun_counter_after(Stage.NONE, Fired.FIRST, kept_rate=False) is Fired.INTENSIVE
    assert gun_counter_after(Stage.AFTER, Fired.FIRST, kept_rate=False) is Fired.INTENSIVE
