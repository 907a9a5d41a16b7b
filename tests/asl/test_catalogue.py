"""The catalogue: its counters against the fact sheet (5b, 11), its links, and what is said of a wrong cell."""

import pytest

from overrun.kernel import InputError
from overrun.rulesets.asl.catalogue import find, followers, from_tables, named, read_folder, shipped, unknown
from overrun.rulesets.asl.counters import Armor, MAKind, Movement, Nation, Turret, UnitKind, WeaponKind

# Fact sheet 5b: printed values with broken ML.
UNITS = {
    "german-4-6-8": (4, 6, 8, 8),
    "german-4-6-7": (4, 6, 7, 7),
    "german-4-4-7": (4, 4, 7, 7),
    "german-5-4-8": (5, 4, 8, 8),
    "german-6-5-8-ss": (6, 5, 8, 9),
    "german-4-3-6": (4, 3, 6, 5),
    "russian-4-4-7": (4, 4, 7, 7),
    "russian-6-2-8": (6, 2, 8, 8),
    "russian-4-5-8": (4, 5, 8, 8),
    "russian-5-2-7": (5, 2, 7, 7),
    "russian-4-2-6": (4, 2, 6, 5),
    "american-7-4-7": (7, 4, 7, 8),
    "american-6-6-7": (6, 6, 7, 8),
    "american-6-6-6": (6, 6, 6, 8),
    "american-5-4-6": (5, 4, 6, 7),
    "british-4-5-8": (4, 5, 8, 8),
    "british-4-5-7": (4, 5, 7, 7),
    "british-4-4-7": (4, 4, 7, 7),
    "french-4-5-8": (4, 5, 8, 7),
    "french-4-5-7": (4, 5, 7, 6),
    "italian-4-4-7": (4, 4, 7, 7),
    "italian-3-4-7": (3, 4, 7, 6),
    "italian-3-4-6": (3, 4, 6, 5),
    "russian-2-3-7": (2, 3, 7, 6),
    "german-2-4-7": (2, 4, 7, 6),
}


@pytest.mark.parametrize("key", UNITS)
def test_units(key):
    one = shipped().units[key]
    assert (one.fp, one.range, one.ml, one.broken_ml) == UNITS[key]


def test_half_squads():
    units = shipped().units
    assert units["russian-4-4-7"].reduces_to == "russian-2-3-7"
    assert units["german-4-6-7"].reduces_to == "german-2-4-7"
    assert units["german-2-4-7"].reduces_to is None
    for one in units.values():
        if one.kind is UnitKind.SQUAD and one.nation is not Nation.JAPANESE:
            half = units[one.reduces_to]
            assert half.kind is UnitKind.HALF_SQUAD
            assert half.nation is one.nation
            assert half.unit_class is one.unit_class


def test_japanese_steps():  # fact sheet 2.2
    units = shipped().units

    def steps(key: str) -> list[str]:
        found = []
        while (following := units[key].steps_to) is not None:
            found.append(following)
            key = following
        return [f"{units[key].fp}-{units[key].range}-{units[key].ml}" for key in found]

    assert steps("japanese-4-4-8") == ["3-4-8", "2-3-8"]
    assert steps("japanese-4-4-7") == ["3-4-7", "2-3-7"]
    assert steps("japanese-3-4-7") == ["2-3-7", "1-3-7"]
    assert steps("japanese-3-3-6") == ["2-2-6", "1-2-6"]
    assert steps("japanese-2-2-8-crew") == ["1-2-8"]
    assert units["japanese-4-4-8"].self_steps
    assert not units["japanese-2-3-8"].self_steps


def test_every_link_leads_to_a_counter():
    units = shipped().units
    for one in units.values():
        for link in (one.reduces_to, one.steps_to, one.replaced_by, one.hardens_to):
            assert link is None or link in units
    chain = followers(units, ["german-4-6-7"])
    assert {"german-2-4-7", "german-4-4-7", "german-4-3-6", "german-4-6-8", "german-2-2-6"} <= chain
    assert followers(units, ["nobody"]) == set()


def test_leaders():
    nine = find(shipped().units, "german 9-1")
    assert (nine.ml, nine.leadership, nine.replaced_by) == (9, -1, "german-8-1")
    plus = find(shipped().units, "any 6+1")
    assert (plus.ml, plus.leadership) == (6, 1)
    assert named(plus, "british").nation is Nation.BRITISH
    assert named(plus, None).nation is Nation.ANY
    assert named(nine, "british").nation is Nation.GERMAN


def test_vehicles_of_the_fact_sheet():  # section 11
    vehicles = shipped().vehicles
    ht = vehicles["german-spw-251-1"]
    assert (ht.mp, ht.movement, ht.aamg, ht.open_topped, ht.cs, ht.pp) == (16, Movement.HALFTRACK, 3, True, 5, 15)
    assert (ht.armor, ht.ma_mount, ht.ma_kind) == (Armor(1, 1, 1, 1, 1), "AAMG", MAKind.MG)
    tank = vehicles["german-pzkpfw-iiih"]
    assert (tank.mp, tank.armor, tank.bmg, tank.cmg, tank.ma_caliber, tank.rof) == (
        13,
        Armor(6, 3, 3, 4, 4),
        3,
        5,
        50,
        2,
    )
    t34 = vehicles["russian-t-34-m41"]
    assert (t34.mp, t34.turret, t34.bmg, t34.cmg, t34.ma_caliber, t34.ma_length) == (17, Turret.RST, 2, 4, 76, "L")
    assert t34.armor == Armor(11, 6, 6, 8, 6)
    truck = vehicles["german-opel-6700-blitz"]
    assert (truck.mp, truck.armor, truck.pp, truck.cs) == (28, None, 21, 6)
    assert all(one.verified for one in (ht, tank, t34, truck))


def test_weapons_and_guns_of_the_fact_sheet():  # 6.4 and 11
    weapons, guns = shipped().weapons, shipped().guns
    assert weapons["german-psk"].to_hit == (11, 9, 8, 7, 4)
    assert weapons["british-piat"].to_hit == (11, 9, 7, 5)
    assert weapons["american-baz45"].to_hit == (11, 10, 9, 8, 6, 4)
    assert {key: weapons[key].to_kill for key in ("german-pf", "german-psk", "british-piat", "american-baz43")} == {
        "german-pf": 31,
        "german-psk": 26,
        "british-piat": 15,
        "american-baz43": 13,
    }
    assert weapons["russian-atr"].to_kill == 6
    assert weapons["german-ft"].x_number
    assert weapons["mol"].kind is WeaponKind.MOL
    gun = guns["russian-45mm-ptp-obr-32"]
    assert (gun.caliber, gun.length, gun.rof, gun.breakdown, gun.mount) == (45, "L", 3, 12, Turret.NT)
    howitzer = guns["german-75cm-leig-18"]
    assert (howitzer.caliber, howitzer.length, howitzer.no_ap, howitzer.heat) == (75, "*", True, 7)


def test_find():
    catalogue = shipped()
    assert find(catalogue.vehicles, "pzkpfw iiih").key == "german-pzkpfw-iiih"
    assert find(catalogue.units, "German 4-6-7").key == "german-4-6-7"
    assert find(catalogue.units, "9-1") is None
    assert find(catalogue.units, "german 8-3-8") is None
    assert "several" in str(unknown(catalogue.units, "9-1", "here"))
    assert "german-4-6-7" in str(unknown(catalogue.units, "german 4-6-9", "here"))


FIT = {"nation": "german", "name": "9-9-9", "kind": "squad", "unit_class": "elite", "ml": 9}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"ml": 11}, "ml"),
        ({"ml": "x"}, "ml"),
        ({"ml": True}, "ml"),
        ({"ml": ""}, "ml"),
        ({"nation": "martian"}, "nation"),
        ({"colour": "red"}, "colour"),
        ({"verified": "perhaps"}, "verified"),
        ({"name": 3}, "name"),
    ],
)
def test_wrong_cells_are_named(change, where):
    catalogue, problems = from_tables({"units": {"mine": FIT | change}}, "counters")
    assert [problem.where for problem in problems] == [f"counters.units.mine.{where}"]
    assert catalogue.units == {}


def test_counters_written_out():
    tank = {"nation": "german", "name": "Own", "movement": "fully_tracked", "mp": 12}
    armor = dict.fromkeys(("af_front", "af_side", "af_rear", "turret_front", "turret_rear"), 4)
    weapon = {"nation": "german", "name": "PSK", "kind": "PSK", "to_hit": [10, 9, 8, 7]}
    gun = {"nation": "german", "name": "Gun", "kind": "AT", "caliber": 50}
    tables = {
        "units": {"a": FIT},
        "vehicles": {"b": tank | armor, "c": tank},
        "weapons": {"d": weapon},
        "guns": {"e": gun},
    }
    catalogue, problems = from_tables(tables, "counters")
    assert problems == []
    assert catalogue.units["a"].fp == 0
    assert catalogue.vehicles["b"].armor == Armor(4, 4, 4, 4, 4)
    assert catalogue.vehicles["c"].armor is None
    assert catalogue.weapons["d"].to_hit == (10, 9, 8, 7)
    assert catalogue.guns["e"].caliber == 50
    _, problems = from_tables({"vehicles": {"b": tank | {"af_front": 4}}, "guns": {"e": gun | {"caliber": ""}}}, "x")
    assert [problem.where for problem in problems] == ["x.vehicles.b", "x.guns.e.caliber"]
    _, problems = from_tables({"ships": {}}, "x")
    assert [problem.where for problem in problems] == ["x.ships"]


def test_a_folder_of_ones_own(tmp_path):
    (tmp_path / "units.csv").write_text("key,nation,name,kind,unit_class,ml,fp\nmine,german,9-9-9,squad,elite,9,9\n")
    catalogue = read_folder(tmp_path, "own")
    assert catalogue.units["mine"].fp == 9
    assert shipped().joined(catalogue).units["mine"].ml == 9
    (tmp_path / "units.csv").write_text("key,nation,name,kind,unit_class,ml,fp\nmine,german,9-9-9,squad,elite,99,9\n")
    with pytest.raises(InputError, match=r"own.units.mine.ml"):
        read_folder(tmp_path, "own")


def test_missing_armor_factors_are_named():
    row = {"nation": "german", "name": "Own", "movement": "fully_tracked", "mp": 12, "af_front": 4, "turret_rear": 4}
    _, problems = from_tables({"vehicles": {"mine": row}}, "counters")
    assert [problem.what for problem in problems] == [
        "an armored vehicle needs all its AF; missing: af_side, af_rear, turret_front"
    ]
