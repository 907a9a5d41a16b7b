"""The IFT against the fact sheet's own grid, and what its results mean (A-24, A-29, A-37)."""

from fractions import Fraction

import pytest

from overrun.rulesets.asl.ift import (
    COLUMNS,
    Casualty,
    Effect,
    OnHorses,
    OnVehicle,
    OnWeapon,
    Result,
    ResultKind,
    column,
    column_left,
    effect,
    he_columns,
    kill_number,
    look_up,
    most_vehicles,
    on_horses,
    on_vehicle,
    on_weapon,
    slots,
    unlikely_kill,
    worse,
)

GRID = """
<=0 1KIA 2KIA 2KIA 3KIA 3KIA 3KIA 4KIA 4KIA 5KIA 6KIA 7KIA
1 K/1 1KIA 1KIA 2KIA 2KIA 2KIA 3KIA 3KIA 4KIA 5KIA 6KIA
2 1MC K/1 K/2 1KIA 1KIA 1KIA 2KIA 2KIA 3KIA 4KIA 5KIA
3 1MC 1MC 2MC K/2 K/2 K/3 1KIA 1KIA 2KIA 3KIA 4KIA
4 NMC 1MC 1MC 2MC 2MC 3MC K/3 K/4 1KIA 2KIA 3KIA
5 PTC NMC 1MC 1MC 2MC 2MC 3MC 4MC K/4 1KIA 2KIA
6 - PTC NMC 1MC 1MC 2MC 2MC 3MC 4MC K/4 1KIA
7 - - PTC NMC 1MC 1MC 2MC 2MC 3MC 4MC K/4
8 - - - PTC NMC 1MC 1MC 2MC 2MC 3MC 4MC
9 - - - - PTC NMC 1MC 1MC 2MC 2MC 3MC
10 - - - - - PTC NMC 1MC 1MC 2MC 2MC
11 - - - - - - PTC NMC 1MC 1MC 2MC
12 - - - - - - - PTC NMC 1MC 1MC
13 - - - - - - - - PTC NMC 1MC
14 - - - - - - - - - PTC NMC
>=15 - - - - - - - - - - PTC
"""
CELLS = [
    (final, head, text)
    for line in GRID.split("\n")
    if line
    for final, head, text in [
        ({"<=0": 0, ">=15": 15}.get(line.split()[0]) or int(line.split()[0].strip("<>=")), head, text)
        for head, text in zip(COLUMNS, line.split()[1:], strict=True)
    ]
]


def test_all_176_cells():
    assert len(CELLS) == 176
    for final, head, text in CELLS:
        assert str(look_up(head, final)[0]) == text, (final, head)


@pytest.mark.parametrize(("final", "same"), [(-3, 0), (17, 15)])
def test_beyond_the_ends(final, same):
    for head in COLUMNS:
        assert look_up(head, final)[0] == look_up(head, same)[0]


def test_every_column_ends_with_a_ptc_one_row_lower():
    last = {head: max(final for final, at, text in CELLS if at == head and text == "PTC") for head in COLUMNS}
    assert list(last.values()) == list(range(5, 16))


def test_kill_numbers():
    assert [kill_number(head).value for head in COLUMNS] == list(range(3, 14))


@pytest.mark.parametrize(
    ("fp", "head"),
    [
        (Fraction(1, 2), None),
        (Fraction(99, 100), None),
        (1, 1),
        (Fraction(13, 4), 2),
        (Fraction(13, 2), 6),
        (Fraction(25, 2), 12),
        (Fraction(41, 2), 20),
        (35, 30),
        (36, 36),
        (72, 36),
    ],
)
def test_column(fp, head):
    assert column(fp) == head


def test_column_left():
    assert [column_left(head) for head in COLUMNS] == [None, *COLUMNS[:-1]]


def test_below_one_fp_has_no_result():
    result, ledger = look_up(None, -5)
    assert result.kind is ResultKind.NONE
    assert ledger.total == 0
    assert "less than 1 FP" in str(ledger)


def test_he_equivalents():
    mm = {20: 1, 30: 2, 37: 4, 50: 6, 60: 8, 70: 12, 80: 16, 100: 20, 120: 24, 150: 30, 200: 36}
    for caliber, head in mm.items():
        assert he_columns().at("FP", caliber).value == head


@pytest.mark.parametrize("text", ["", "KIA?", "MC2", "2PTC"])
def test_nonsense_is_no_result(text):
    with pytest.raises(ValueError, match=r"IFT result|invalid literal"):
        Result.read(text)


# A7.308: 8 FP against a truck; E16 and E17.
@pytest.mark.parametrize(
    ("head", "final", "fate"),
    [
        (8, 8, "none"),
        (8, 7, "immobilized"),
        (8, 6, "eliminated"),
        (8, 4, "eliminated"),
        (8, 3, "burning"),
        (16, 7, "eliminated"),
        (16, 9, "immobilized"),
        (16, 10, "none"),
        (16, 4, "burning"),
        (16, 5, "eliminated"),
        (16, 8, "eliminated"),
        (2, 2, "burning"),
        (2, 3, "eliminated"),
        (None, -2, "none"),
    ],
)
def test_vehicle_line(head, final, fate):
    assert on_vehicle(head, final) == fate


def test_horses():
    assert [on_horses(8, final) for final in (8, 7, 6, 2)] == [
        OnHorses.NONE,
        OnHorses.REDUCED,
        OnHorses.ELIMINATED,
        OnHorses.ELIMINATED,
    ]


def test_at_most_the_highest_kia_of_the_column():
    assert [most_vehicles(head) for head in COLUMNS] == [1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7]


def test_unlikely_kill_takes_the_better_result():
    assert [unlikely_kill(dr) for dr in range(1, 7)] == ["burning", "eliminated", "immobilized", "none", "none", "none"]
    assert worse(OnVehicle.IMMOBILIZED, unlikely_kill(2)) is OnVehicle.ELIMINATED
    assert worse(OnVehicle.ELIMINATED, unlikely_kill(3)) is OnVehicle.ELIMINATED


def test_effects_on_personnel():
    def on(text: str, *, selected=False, breakable=True, smc=False, pinnable=True) -> Effect:
        return effect(Result.read(text), selected=selected, breakable=breakable, smc=smc, pinnable=pinnable)

    assert on("2KIA", selected=True) == Effect(Casualty.ELIMINATED)
    assert on("2KIA") == Effect(breaks=True)
    assert on("2KIA", breakable=False) == Effect(Casualty.REDUCED)
    assert on("K/3", selected=True) == Effect(Casualty.REDUCED, check=3)
    assert on("K/3", selected=True, smc=True) == Effect(Casualty.REDUCED)
    assert on("K/3") == Effect(check=3)
    assert on("NMC") == Effect(check=0)
    assert on("PTC") == Effect(pin_check=True)
    assert on("PTC", pinnable=False) == Effect()
    assert on("-") == Effect()


def test_selection_slots():
    assert [slots(Result.read(text), 3) for text in ("5KIA", "2KIA", "K/4", "3MC", "-")] == [3, 2, 1, 0, 0]
    assert slots(Result.read("K/1"), 0) == 0


# Fact sheet 2.5: the last dr that eliminates and the last that malfunctions, without and with the tracked drm.
DESTRUCTION = {
    1: ((0, 1), (1, 2)),
    2: ((1, 2), (2, 3)),
    4: ((1, 2), (2, 3)),
    6: ((2, 3), (3, 4)),
    8: ((2, 3), (3, 4)),
    12: ((2, 3), (3, 4)),
    16: ((3, 4), (4, 5)),
    20: ((3, 4), (4, 5)),
    24: ((4, 5), (5, 6)),
    30: ((5, 6), (6, 6)),
    36: ((6, 6), (6, 6)),
}


@pytest.mark.parametrize("head", COLUMNS)
@pytest.mark.parametrize("tracked", [False, True])
def test_sw_destruction(head, tracked):
    (out, out_tracked), (broken, broken_tracked) = DESTRUCTION[head]
    last_out, last_broken = (out_tracked, broken_tracked) if tracked else (out, broken)
    for dr in range(1, 7):
        found, _ = on_weapon(head, dr, tracked=tracked, lost_if_broken=False)
        expected = "eliminated" if dr <= last_out else "malfunctions" if dr <= last_broken else "none"
        assert found == expected, dr
        fragile, _ = on_weapon(head, dr, tracked=tracked, lost_if_broken=True)
        assert fragile == (OnWeapon.ELIMINATED if dr <= last_broken else OnWeapon.NONE), dr


def test_a_result_from_ptc_up_reveals():
    assert [Result.read(text).reveals for text in ("-", "PTC", "NMC", "K/1", "1KIA")] == [False, True, True, True, True]
