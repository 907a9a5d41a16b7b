"""Every counter and terrain against the fact sheet (8.1, 8.2, 4.1), written down here a second time from there."""

import pytest

from overrun.rulesets.valor.figures import figure, printed_counters, terrain_facts, terrain_names

INFANTRY = {
    "German rifle squad": "4-6-5",
    "German rifle half squad": "2-6-2?",
    "US rifle squad": "5-6-4",
    "US rifle half squad": "2-6-2",
    "US paratrooper half squad": "2-6-3",
    "British rifle squad": "4-6-4",
    "British rifle half squad": "2-6-2",
    "British paratrooper squad": "5-5-6?",
    "Leader Schmidt": "-1 1-3-1",
    "Leader Hermes": "-1 1-3-1",
    "Leader Coleman": "-1 1-3-1",
    "Leader Adamson": "-1 1-3-1",
}
VEHICLES = {  # gun AT/APFP (T: turret), 360 MG, forward MG, armor front/rear, MP; "?" marks a placeholder
    "M4A3E8": "D/12T 4 3 E/C 10",
    "PzKpfw V": "E/14T 4 3 E/D 12",
    "PzKpfw VI": "E/14T 4 3 E/D 10",
    "VC Firefly": "E/14T 4 0 D/C 10 ?",
    "M3 halftrack": "- 4 0 A/A 14",
    "M4A1 (75)": "C/12T 4 3 D/C 10 ?",
    "M5A1": "B/6T 4 3 C/B 14 ?",
    "M10": "D/12T 4 0 C/B 10 ?",
    "M8 Greyhound": "B/6T 4 0 B/A 16 ?",
    "PzKpfw IVH": "D/12T 4 3 D/C 10 ?",
    "StuG IIIG": "D/12 4 0 D/C 10 ?",
    "Marder III": "D/12 4 0 B/A 10 ?",
    "SdKfz 251/1": "- 4 0 A/A 14 ?",
    "SdKfz 222": "A/4T 4 0 A/A 16 ?",
    "T-34/76": "C/12T 4 3 D/D 12 ?",
    "T-34/85": "D/13T 4 3 D/D 12 ?",
    "Churchill VII": "C/12T 4 3 F/D 8 ?",
    "Cromwell": "C/12T 4 3 D/C 14 ?",
}
OTHERS = {
    "MG34": {"kind": "weapon", "size": "L", "apfp": 3, "range": 6},
    "M1919A6": {"kind": "weapon", "size": "L", "apfp": 3, "range": 6},
    "Bren Mk 1": {"kind": "weapon", "size": "L", "apfp": 3, "range": 6},
    "5cm mortar": {"kind": "weapon", "size": "H", "apfp": 5, "range": 6, "at": "A", "mortar": True},
    "Panzerfaust": {"kind": "expendable", "at": "D", "range": 1},
    "Grenades": {"kind": "expendable", "grenades": 1, "range": 1},
    "Satchel charge": {"kind": "expendable", "apfp": 6, "range": 1, "verified": False},
    "Bazooka": {"kind": "weapon", "size": "L", "at": "C", "range": 4, "verified": False},
    "Panzerschreck": {"kind": "weapon", "size": "L", "at": "D", "range": 4, "verified": False},
    "PIAT": {"kind": "weapon", "size": "L", "at": "C", "range": 3, "verified": False},
    "6-pdr Mk IV": {
        "kind": "gun",
        "gun": {"at": "C", "apfp": 5, "turret": False},
        "shield": True,
        "cr": 3,
        "mp": 1,
    },
    "3-ton truck": {"kind": "vehicle", "cr": 4, "mp": 14, "transport": "T2", "tows": True},
    "M38 jeep": {"kind": "vehicle", "cr": 3, "mg360": 4, "mp": 16, "transport": "TH", "tows": True},
    "Sniper": {"kind": "sniper"},
}
CARRIERS = {"M3 halftrack": ("T1", True), "SdKfz 251/1": ("T1", True)}
TERRAIN = {  # MP of a vehicle, cover
    **dict.fromkeys(("open", "beach", "field", "desert", "river-bank", "road", "bridge"), (1, 0)),
    **dict.fromkeys(("woods", "jungle"), (2, 2)),
    **dict.fromkeys(("stream", "gully", "wadi"), (3, 1)),
    **dict.fromkeys(("orchard", "palm-grove", "hay-stack", "crops"), (1, 1)),
    "building": (None, 3),
    **dict.fromkeys(("canal", "pond", "marsh", "ocean", "river"), (None, 0)),
}
POSITIONS = {
    "foxholes": (1, 1, ["infantry"]),
    "trenches": (1, 2, ["infantry"]),
    "caves": (1, 2, ["infantry", "gun"]),
    "sandbags": (1, 2, ["infantry", "gun"]),
    "bunker-earth": (1, 3, ["infantry", "gun"]),
    "bunker-concrete": (1, 4, ["infantry", "gun"]),
}


@pytest.mark.parametrize("name", INFANTRY)
def test_infantry(name: str) -> None:
    counter = printed_counters()[name]
    leader = f"-{counter['leadership']} " if "leadership" in counter else ""
    doubt = "" if counter.get("verified", True) else "?"
    assert f"{leader}{counter['apfp']}-{counter['range']}-{counter['cr']}{doubt}" == INFANTRY[name]
    kind = "leader" if leader else "half_squad" if "half" in name else "squad"
    assert counter["kind"] == kind


def test_squads_name_their_half_squads() -> None:
    squads = {name: counter.get("half") for name, counter in printed_counters().items() if counter["kind"] == "squad"}
    assert squads == {
        "German rifle squad": "German rifle half squad",
        "US rifle squad": "US rifle half squad",
        "British rifle squad": "British rifle half squad",
        "British paratrooper squad": None,
    }


@pytest.mark.parametrize("name", VEHICLES)
def test_afvs(name: str) -> None:
    counter = printed_counters()[name]
    gun = counter.get("gun")
    arms = f"{gun['at']}/{gun['apfp']}{'T' if gun['turret'] else ''}" if gun else "-"
    armor = f"{counter['armor']['front']}/{counter['armor']['rear']}"
    doubt = "" if counter.get("verified", True) else " ?"
    line = f"{arms} {counter['mg360']} {counter.get('ffmg', 0)} {armor} {counter['mp']}{doubt}"
    assert line == VEHICLES[name]
    assert (counter.get("transport"), counter.get("tows", False)) == CARRIERS.get(name, (None, False))


@pytest.mark.parametrize("name", OTHERS)
def test_other_counters(name: str) -> None:
    assert {key: value for key, value in printed_counters()[name].items() if key != "source"} == OTHERS[name]


def test_no_counter_is_left_out_here_and_all_have_a_source() -> None:
    assert set(printed_counters()) == {*INFANTRY, *VEHICLES, *OTHERS}
    assert all(counter["source"] for counter in printed_counters().values())


@pytest.mark.parametrize("name", TERRAIN)
def test_terrain(name: str) -> None:
    facts = terrain_facts("terrain", name)
    assert (facts.get("mp"), facts["cover"]) == TERRAIN[name]
    assert facts.get("prohibited", False) is (TERRAIN[name][0] is None)
    assert facts.get("by_road_only", False) is (name == "bridge")


@pytest.mark.parametrize("name", POSITIONS)
def test_positions(name: str) -> None:
    facts = terrain_facts("position", name)
    assert (facts["mp"], facts["cover"], facts["holds"]) == POSITIONS[name]
    assert facts.get("bunker", False) is name.startswith("bunker")


def test_hexsides_cost_one() -> None:
    assert {name: terrain_facts("hexside", name)["mp"] for name in terrain_names("hexside")} == {
        "wall": 1,
        "hedge": 1,
        "hedgerow": 1,
    }
    assert set(terrain_names("terrain")) == set(TERRAIN)
    assert set(terrain_names("position")) == set(POSITIONS)


FIGURES = {
    "to_hit": {"support_weapon": 8, "gun": [[10, 10], [19, 8]], "gun_beyond": 6, "valorous": -1},
    "crew": {"abandons_at": 2},
    "sideways": {"front_up_to": 3},
    "mines": {"eliminates_at": 3},
    "valor": {"natural": 2, "leader_number": 6, "apfp": 1},
    "overrun": {"mp": 2, "times": 2},
    "movement": {"turn": [0, 0, 1, 2], "uphill": 1, "reverse_times": 2, "longest_climb": 1},
    "casualties": {"pin": 1, "ignored": 1},
    "stacking": {"vehicles": 2, "vehicles_with_infantry": 1, "infantry_with_vehicle": 2},
    "assault": {"points": 1},
}


@pytest.mark.parametrize("group", FIGURES)
def test_single_figures(group: str) -> None:
    assert {name: figure(group, name) for name in FIGURES[group]} == FIGURES[group]
