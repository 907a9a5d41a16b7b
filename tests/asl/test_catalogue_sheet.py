"""Every figure of the shipped catalogue against the fact sheet's lists, kept in `sheet/` as they were given."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from overrun.rulesets.asl.catalogue import shipped
from overrun.rulesets.asl.counters import Armor, Gun, Unit, Vehicle, Weapon

SHEET = Path(__file__).parent / "sheet"

CLOSEST = {
    ("american-quarter-ton-jeep", "rof"): "1",  # "1 or 2"
    ("american-quarter-ton-jeep", "aamg"): "2",  # "2 or 4"
    ("british-matilda-ii", "cmg"): "4",  # "4 or 6"
    ("russian-t-26-m33", "rmg"): "2",  # "2(opt)"
    ("russian-bt-7-m37", "rmg"): "2",
    ("russian-t-28-m34", "bmg"): "4",  # "2x2": both fire
    ("french-b1-bis", "turret"): "1MT",  # "1MT-NT": the turret, not the hull gun
}
"""Where the list leaves a choice, what the catalogue chose."""

OWN = [
    # fact sheet 5b, the German chart; half-squads of the squads above them
    ("german", "squad", "elite", 8, 3, 8, 8, None, True, False, False),
    ("german", "half_squad", "elite", 3, 3, 8, 8, None, True, False, False),
    ("german", "squad", "elite", 5, 4, 8, 8, None, False, False, False),
    ("german", "half_squad", "elite", 2, 3, 8, 8, None, False, False, False),
    ("german", "squad", "elite", 4, 6, 8, 8, None, False, False, False),
    ("german", "half_squad", "elite", 2, 4, 8, 7, None, False, False, False),
    ("german", "squad", "1st_line", 4, 6, 7, 7, None, False, False, False),
    ("german", "half_squad", "1st_line", 2, 4, 7, 6, None, False, False, False),
    ("german", "squad", "2nd_line", 4, 4, 7, 7, None, False, False, False),
    ("german", "half_squad", "2nd_line", 2, 3, 7, 6, None, False, False, False),
    ("german", "squad", "conscript", 4, 3, 6, 5, None, False, False, False),
    ("german", "half_squad", "conscript", 2, 2, 6, 5, None, False, False, False),
    ("russian", "squad", "conscript", 4, 2, 6, 5, None, False, False, False),
    ("russian", "half_squad", "conscript", 2, 2, 6, 4, None, False, False, False),
    # fact sheet 2.2, the steps of Japanese units
    ("japanese", "squad", "elite", 3, 4, 8, 0, None, False, False, False),
    ("japanese", "squad", "1st_line", 3, 4, 7, 0, None, False, False, False),
    ("japanese", "squad", "2nd_line", 2, 3, 7, 0, None, False, False, False),
    ("japanese", "squad", "conscript", 2, 2, 6, 0, None, False, False, False),
    ("japanese", "crew", "crew", 1, 2, 8, 7, None, False, False, False),
]
"""Counters that the list leaves out."""

ANYBODY = {
    "any-6+1": (6, 1),
    "any-7-0": (7, 0),
    "any-8-0": (8, 0),
    "any-8-1": (8, -1),
    "any-9-1": (9, -1),
    "any-9-2": (9, -2),
    "any-10-2": (10, -2),
    "any-10-3": (10, -3),
}
"""ML and leadership of leaders of any nation, as their names print them."""


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((SHEET / f"{name}.csv").read_text(encoding="utf-8").splitlines()))


def number(cell: str) -> int:
    return int(float(cell)) if cell else 0


def flag(cell: str) -> bool:
    return cell == "true"


def breakdown(cell: str) -> tuple[int, bool]:
    """B# or X#, 12 where none is printed."""
    return (number(cell[1:]), cell[0] == "X") if cell else (12, False)


def of_vehicle(one: Vehicle) -> dict[str, object]:
    return {
        "movement": one.movement.value,
        "mp": one.mp,
        "ground_pressure": one.ground_pressure.value,
        "size": one.size.value,
        "armor": one.armor,
        "open_topped": one.open_topped,
        "turret": one.turret.value,
        "caliber": (one.ma_caliber, one.ma_length),
        "rof": one.rof,
        "breakdown": (one.breakdown, one.x_number),
        "ft": one.ft,
        "ife": one.ife,
        "bmg": one.bmg,
        "cmg": one.cmg,
        "aamg": (one.aamg, one.aamg_optional),
        "rmg": one.rmg,
        "cs": (one.cs, one.cs_red),
        "pp": one.pp,
        "verified": one.verified,
    }


def listed(row: dict[str, str]) -> dict[str, object]:
    armor = ("af_front", "af_side", "af_rear", "turret_af_front", "turret_af_side_rear")
    return {
        "movement": row["movement"],
        "mp": number(row["mp"]),
        "ground_pressure": row["ground_pressure"],
        "size": row["size"].replace(" ", "_"),
        "armor": Armor(*(number(row[name]) for name in armor)) if row["armor"] == "armored" else None,
        "open_topped": flag(row["open_topped"]),
        "turret": row["turret"] or "none",
        "caliber": (number(row["ma_caliber"]), row["ma_length"]),
        "rof": number(row["rof"]),
        "breakdown": breakdown(row["breakdown"]),
        "ft": number(row["ft_fp"]),
        "ife": number(row["ife_fp"]),
        "bmg": number(row["bmg"]),
        "cmg": number(row["cmg"]),
        "aamg": (number(row["aamg"]), flag(row["aamg_optional"])),
        "rmg": number(row["rmg"]),
        "cs": (number(row["cs"]), flag(row["cs_red"])),
        "pp": number(row["pp"]),
        "verified": row["confidence"] == "two sources",
    }


def test_vehicles() -> None:
    sheet = {(row["nation"], row["name"]): row for row in rows("vehicles")}
    shown = shipped().vehicles
    assert len(shown) == len(sheet)
    for key, one in shown.items():
        row = sheet[one.nation.value, one.name]
        chosen = {column: value for (counter, column), value in CLOSEST.items() if counter == key}
        assert of_vehicle(one) == listed(row | chosen), key


def test_tankettes_and_carriers() -> None:
    """Fact sheet 4.3: dense jungle and bamboo keep out tankettes and Carriers."""
    shown = shipped().vehicles
    assert {key for key, one in shown.items() if one.tankette} == {
        *("british-carrier-a", "british-wasp", "italian-l3-35", "italian-l3-lf"),
    }


def of_gun(one: Gun) -> tuple[object, ...]:
    return (
        *(one.kind, one.caliber, one.length, one.mount.value, one.size.value, one.rof, one.breakdown, one.x_number),
        *(one.ife, one.no_ap, one.no_he, one.no_intensive_fire, one.quick_set_up, one.verified),
    )


def test_guns() -> None:
    sheet = {(row["nation"], row["name"]): row for row in rows("guns")}
    shown = shipped().guns
    assert len(shown) == len(sheet)
    for key, one in shown.items():
        row = sheet[one.nation.value, one.name]
        # The first two are in fact sheet 11 too, which says the same.
        verified = key in {"german-75cm-leig-18", "russian-45mm-ptp-obr-32"} or row["confidence"] == "two sources"
        assert of_gun(one) == (
            *(row["gun_type"], number(row["caliber_mm"]), row["length"], row["mount"], row["target_size"]),
            *(number(row["rof"]), *breakdown(row["breakdown"]), number(row["ife_fp"]), flag(row["no_ap"])),
            *(flag(row["no_he"]), flag(row["no_intensive_fire"]), flag(row["qsu"]), verified),
        ), key
        heat = {"german-75cm-leig-18": 7}.get(key, 0)  # fact sheet 11
        assert (one.heat, one.apcr, one.apds) == (heat, 0, False), key


def of_unit(one: Unit) -> tuple[object, ...]:
    return (
        *(one.nation.value, one.kind.value, one.unit_class.value, one.fp, one.range, one.ml, one.broken_ml),
        *(one.leadership, one.assault_engineer, one.elr_five, one.verified),
    )


def units_listed() -> Iterator[tuple[object, ...]]:
    for row in rows("units"):
        crew = row["unit_class"] in {"infantry_crew", "vehicle_crew"}
        yield (
            *(row["nation"], row["kind"], "crew" if crew else row["unit_class"].removesuffix("_assault_engineer")),
            *(number(row[name]) for name in ("firepower", "range", "morale", "broken_morale")),
            *(int(row["leadership"]) if row["leadership"] else None, flag(row["assault_engineer"])),
            *(flag(row["elr5_underlined"]), row["confidence"] == "two sources"),
        )


def test_units() -> None:
    shown = Counter(of_unit(one) for one in shipped().units.values() if one.nation.value != "any")
    sheet = Counter({unit: 1 for unit in units_listed() if unit[1] != "armor_leader"})
    assert sorted((shown - sheet).elements(), key=str) == sorted(OWN, key=str)
    assert not sheet - shown


def test_leaders_heroes_and_dummies_of_any_nation() -> None:
    shown = {key: one for key, one in shipped().units.items() if one.nation.value == "any"}
    leaders = {key: (one.ml, one.leadership) for key, one in shown.items() if one.leader}
    assert leaders == ANYBODY
    assert all((one.fp, one.range, one.verified) == (0, 0, False) for key, one in shown.items() if one.leader)
    assert all(one.broken_ml == one.ml for one in shown.values() if one.leader)
    hero, dummy = shown["any-hero"], shown["dummy"]
    assert (hero.fp, hero.range, hero.ml, hero.broken_ml, hero.verified) == (1, 4, 9, 0, True)
    assert (dummy.fp, dummy.range, dummy.ml, dummy.broken_ml, dummy.verified) == (0, 0, 7, 0, True)


def of_weapon(one: Weapon) -> tuple[object, ...]:
    return (
        *(one.nation.value, one.kind.value, one.fp, 0 if one.kind.value == "MTR" else one.range, one.rof),
        *(one.breakdown, one.x_number, one.to_hit, one.to_kill, int(one.caliber), one.ift_fp, one.verified),
    )


def weapons_listed() -> Iterator[tuple[object, ...]]:
    for row in rows("weapons"):
        mortar = row["weapon"] == "MTR"
        yield (
            *(row["nation"], "BAZ" if row["weapon"].startswith("BAZ") else row["weapon"], number(row["firepower"])),
            *(0 if mortar else number(row["max_range"] or row["range"]), number(row["rof"])),
            *breakdown(row["breakdown"]),
            tuple(number(row[f"th{distance}"]) for distance in range(6) if row[f"th{distance}"]),
            *(
                number(row["tk"]),
                12 if row["variant"] == ".50 cal" else number(row["caliber_mm"]),
                number(row["ift_vs_unarmored"]),
            ),
            row["confidence"] == "two sources",
        )


def test_support_weapons() -> None:
    shown = Counter(of_weapon(one) for one in shipped().weapons.values())
    sheet = Counter(weapons_listed())
    assert not shown - sheet
    assert [weapon[:2] for weapon in (sheet - shown).elements()] == [("any", "MG")]  # any MG fired as ordnance
