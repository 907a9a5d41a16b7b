"""The situation file: what it builds, and every problem at once with its key path."""

import copy
import tomllib
from fractions import Fraction
from importlib.resources import files

import pytest

from overrun.kernel import InputError
from overrun.rulesets.asl.counters import Nation
from overrun.rulesets.asl.scenario import read, schema
from overrun.rulesets.asl.setup import Concealment, Fired, Motion, OutsideKind, Terrain, VehicleFate, Way

LEAST = {"system": "asl", "title": "least", "vehicle": {"counter": "PzKpfw IIIH"}}
FULL = tomllib.loads("""
system = "asl"
title = "everything"
date = "1944-09"
elr = 4
heat_of_battle = false
[vehicle]
counter = "german-pzkpfw-iiil"
mp_left = 9.5
mp_spent_here = 2
motion = "motion"
ce = true
aamg = true
bounding_fired = true
prc_bounding_fired = true
prep_fired = true
prior_overruns = 1
crew = false
crew_ml = 9
armor_leader = -1
inexperienced = true
stun_counter = true
immobile = true
pinned = true
disabled = ["CMG"]
outside_ca = ["BMG"]
escort = 2
turret_to_side = false
bypass_turns = 2
overruns = 2
[[vehicle.prc]]
counter = "german 4-6-7"
role = "rider"
broken = true
sw_fp = 3
[location]
terrain = "wooden_building"
in_season = false
single_story = true
fortified = true
factory = true
cellar = false
shellhole = true
entrenchment = "trench"
smoke = [2, 1]
wrecks = 1
wreck_tem = true
bridge = true
debris = true
wire = true
ground = "mud"
woods_road = true
pto = true
enemy_afv = "T-34 M41"
[approach]
way = "woods_road"
hexside = "wall"
hexside_breach = true
uphill = 1
abrupt_elevation = true
from_deep_stream = true
inside_factory = true
amphibious = true
full_mp = true
towing = true
began_here = true
cot = 3.5
bog = true
bypass_target = true
extra_mp = { mud = 1 }
extra_bog = { drift = 1 }
[[defenders]]
id = "twins"
counter = "russian 4-4-7"
count = 2
concealment = "concealed"
fired = "first"
weapons = ["russian-atr", { counter = "russian-lmg", fired = "first", malfunctioned = true, in_entrenchment = true }]
inherent = ["MOL"]
[[defenders]]
id = "crew"
counter = "russian-2-2-8-crew"
pinned = true
fanatic = true
cx = true
cavalry = true
motorcyclist = true
entrenched = true
melee = true
street_fighting = true
paatc_passed = true
[[defenders.guns]]
id = "pak"
counter = "45mm PTP obr. 32"
fired = "intensive"
malfunctioned = true
emplaced = true
limbered = true
in_entrenchment = true
ca_turns = 1
vca_turns = 2
ca_fixed = true
acquired = -1
[[defenders]]
counter = "any 9-2"
nation = "partisan"
id = "hidden leader"
concealment = "hidden"
wounded = true
heroic = true
[[vehicles]]
id = "lorry"
counter = "GAZ-MM"
in_motion = true
ce = true
on_road = true
crew_ml = 6
prc = ["russian 4-5-8"]
[[unpossessed]]
counter = "russian-mmg"
[[abandoned_guns]]
counter = "german-75cm-leig-18"
[[outside]]
id = "far"
kind = "ordnance"
th = 7
tk = 13
drm = 2
caliber = 76
facing = "side"
ammunition = "APCR"
breakdown = 11
second = true
[[outside]]
id = "mg"
kind = "ift"
fp = 8
[[outside]]
id = "done"
kind = "result"
fate = "stun"
[rulings]
psk_table = "ten"
[plan]
declare = ["overrun"]
[dice]
rolls = [[3, 4], [1]]
""")


def problems(document) -> dict[str, str]:
    with pytest.raises(InputError) as raised:
        read(document)
    return {problem.where: str(problem) for problem in raised.value.problems}


def changed(path: str, value, base=LEAST):
    document = copy.deepcopy(base)
    *parents, last = path.split(".")
    at = document
    for part in parents:
        at = at.setdefault(part, {})
    at[last] = value
    return document


def test_the_least_file():
    built = read(LEAST)
    assert built.opening.vehicle.mp_left == 13
    assert built.opening.vehicle.crew_ml == 8
    assert built.opening.vehicle.motion is Motion.MOVING
    assert built.setup.location.terrain is Terrain.OPEN
    assert built.setup.rulings["wreck_tem"] == "apply"
    assert (built.setup.year, built.setup.month, built.setup.elr, built.setup.pf_shots) == (1944, 6, 3, 0)
    assert built.setup.unverified == ()
    assert built.document == LEAST


def test_a_file_with_every_key():
    built = read(FULL)
    setup, opening = built.setup, built.opening
    vehicle = opening.vehicle
    assert (vehicle.mp_left, vehicle.mp_spent_here, vehicle.crew_ml) == (Fraction(19, 2), 2, 9)
    assert (vehicle.motion, vehicle.ce, vehicle.crew, vehicle.immobile, vehicle.pinned) == (
        "motion",
        True,
        False,
        True,
        True,
    )
    assert (vehicle.bounding_fired, vehicle.prc_bounding_fired, vehicle.prep_fired) == (True, True, True)
    assert (vehicle.armor_leader, vehicle.inexperienced, vehicle.stun_counter, vehicle.escort) == (-1, True, True, 2)
    assert (vehicle.disabled, vehicle.outside_ca, vehicle.prior_overruns) == (("CMG",), ("BMG",), 1)
    assert (vehicle.turret_to_side, vehicle.bypass_turns) == (False, 2)
    (rider,) = vehicle.riders
    assert (rider.printed, rider.rider, rider.broken, rider.sw_fp, rider.ce) == ("german-4-6-7", True, True, 3, False)
    assert setup.vehicle.aamg == 2
    assert (setup.year, setup.month, setup.elr, setup.heat_of_battle, setup.overruns) == (1944, 9, 4, False, 2)
    place = setup.location
    assert (place.terrain, place.entrenchment, place.ground) == ("wooden_building", "trench", "mud")
    assert (place.smoke, place.wrecks, place.enemy_afv) == ((2, 1), 1, "russian-t-34-m41")
    flags = "single_story fortified factory shellhole wreck_tem bridge debris wire woods_road pto"
    assert all(getattr(place, flag) for flag in flags.split())
    assert not place.in_season
    assert not place.cellar
    way = setup.approach
    assert (way.way, way.hexside, way.uphill, way.cot, way.bog) == (Way.WOODS_ROAD, "wall", 1, Fraction(7, 2), True)
    assert (way.extra_mp, way.extra_bog) == ((("mud", Fraction(1)),), (("drift", 1),))
    flags = "hexside_breach abrupt_elevation from_deep_stream inside_factory amphibious full_mp towing began_here"
    assert way.bypass_target
    assert all(getattr(way, flag) for flag in flags.split())


def test_every_key_of_the_defenders():
    built = read(FULL)
    setup, opening = built.setup, built.opening
    first, second, crew, leader = opening.units
    assert (first.id, second.id, first.fired, first.concealment) == (
        "twins 1",
        "twins 2",
        Fired.FIRST,
        Concealment.CONCEALED,
    )
    assert first.inherent == ("mol",)
    flags = "pinned fanatic cx cavalry motorcyclist entrenched melee street_fighting paatc_passed"
    assert all(getattr(crew, flag) for flag in flags.split())
    assert (leader.concealment, leader.wounded, leader.heroic) == (Concealment.HIDDEN, True, True)
    assert setup.printed["any-9-2"].nation is Nation.PARTISAN
    owners = [(piece.printed, piece.owner) for piece in opening.weapons]
    assert owners == [
        ("russian-atr", "twins 1"),
        ("russian-lmg", "twins 1"),
        ("russian-atr", "twins 2"),
        ("russian-lmg", "twins 2"),
        ("russian-mmg", ""),
    ]
    assert (opening.weapons[1].fired, opening.weapons[1].malfunctioned, opening.weapons[1].in_entrenchment) == (
        Fired.FIRST,
        True,
        True,
    )
    (lorry,) = opening.vehicles
    assert (lorry.id, lorry.printed, lorry.in_motion, lorry.ce, lorry.on_road) == (
        "lorry",
        "russian-gaz-mm",
        True,
        True,
        True,
    )
    assert (lorry.crew_ml, lorry.riders[0].printed, lorry.riders[0].rider) == (6, "russian-4-5-8", False)
    assert setup.vehicles["russian-gaz-mm"].mp == 25
    gun, loose = opening.guns
    assert (gun.id, gun.crew, gun.fired, gun.ammunition) == ("pak", "crew", Fired.INTENSIVE, "AP")
    assert (gun.ca_turns, gun.vca_turns, gun.acquired) == (1, 2, -1)
    flags = "malfunctioned emplaced limbered in_entrenchment ca_fixed"
    assert all(getattr(gun, flag) for flag in flags.split())
    assert (loose.crew, loose.ammunition) == ("", "HEAT")
    far, mg, done = setup.outside
    assert (far.kind, far.th, far.tk, far.drm, far.caliber) == (OutsideKind.ORDNANCE, 7, 13, 2, 76)
    assert (far.facing, far.ammunition, far.breakdown, far.second) == ("side", "APCR", 11, True)
    assert (mg.fp, done.fate) == (8, VehicleFate.STUN)
    assert setup.rulings["psk_table"] == "ten"
    assert built.plan == {"declare": ["overrun"]}
    assert built.dice == ((3, 4), (1,))
    assert "any-hero" not in setup.printed


def test_what_results_can_bring_is_there():
    built = read(changed("defenders", [{"counter": "german 4-6-7"}, {"counter": "any 8-0", "nation": "german"}]))
    assert {"german-2-4-7", "german-4-4-7", "german-2-3-7", "any-7-0", "any-hero"} <= set(built.setup.printed)
    assert built.setup.printed["any-7-0"].nation is Nation.GERMAN
    assert built.setup.printed["any-hero"].nation is Nation.GERMAN


def test_unverified_counters_are_named():
    built = read(changed("defenders", [{"counter": "german 4-6-7"}, {"counter": "american 6-6-6"}]))
    (line,) = built.setup.unverified
    assert line.startswith("german 4-6-7 (national chart")


def test_unverified_vehicles_of_the_location_are_named():
    document = changed("vehicles", [{"counter": "american-2half-ton"}])
    assert any("½-Ton" in line for line in read(document).setup.unverified)


def test_units_without_a_name_are_numbered():
    units = [{"counter": "german 4-6-7", "concealment": "concealed"}, {"counter": "dummy", "concealment": "hidden"}]
    assert read(changed("defenders", units)).hidden == ("unit 1", "unit 2")


def test_only_the_defender_knows_what_is_concealed():
    units = [{"counter": "german 4-6-7", "concealment": "concealed", "id": "secret"}, {"counter": "german 4-4-7"}]
    units.append({"counter": "dummy", "concealment": "hidden", "id": "decoy"})
    document = changed("defenders", units)
    assert read(document).hidden == ("secret", "decoy")
    assert read(document | {"open_information": True}).hidden == ()
    assert read(LEAST).hidden == ()


def test_pf_shots_by_date_and_units():
    units = [{"counter": "german 4-6-7", "count": 3, "inherent": ["PF"]}, {"counter": "german-2-4-7"}]
    document = changed("defenders", units)
    assert read(document).setup.pf_shots == 6
    assert read(document | {"date": "1943-11"}).setup.pf_shots == 4
    assert read(document | {"date": "1945-02"}).setup.pf_shots == 8
    assert read(document | {"pf_shots": 1}).setup.pf_shots == 1
    assert "german-pf" in read(document).setup.weapons


def test_optional_aamg_is_off_unless_fitted():
    assert read(changed("vehicle.counter", "german-pzkpfw-iiil")).setup.vehicle.aamg == 0
    assert "vehicle.aamg" in problems(changed("vehicle.aamg", True))


def test_weapons_follow_the_rulings():
    base = changed("defenders", [{"counter": "german 4-6-7", "weapons": ["german-psk"]}])
    assert read(base).setup.weapons["german-psk"].breakdown == 10
    assert read(base | {"rulings": {"psk_table": "ten"}}).setup.weapons["german-psk"].breakdown == 11
    base = changed("defenders", [{"counter": "russian 4-4-7", "weapons": ["russian-atr"]}])
    assert read(base).setup.weapons["russian-atr"].breakdown == 12
    assert read(base | {"rulings": {"russian_atr": "b11"}}).setup.weapons["russian-atr"].breakdown == 11


@pytest.mark.parametrize(
    ("path", "value", "where", "what"),
    [
        ("vehicle.mp_left", 99, "vehicle.mp_left", "too large"),
        ("vehicle.mp_left", 6.25, "vehicle.mp_left", "half MP"),
        ("vehicle.mp_left", 17, "vehicle.mp_left", "ESB"),
        ("vehicle.wheels", 4, "vehicle.wheels", "mp_left"),
        ("elrr", 3, "elrr", "elr"),
        ("defenders", [{"counter": "german 4-6-7", "pined": True}], "defenders[1].pined", "street_fighting"),
        ("vehicle.prc", [{"counter": "german 4-6-7", "rol": "rider"}], "vehicle.prc[1].rol", "sw_fp"),
        ("unpossessed", [{"counter": "german-lmg", "owner": "a"}], "unpossessed[1].owner", "in_entrenchment"),
        ("vehicle.counter", "PzKpfw XX", "vehicle.counter", "no counter"),
        ("vehicle.ce", "yes", "vehicle.ce", "true or false"),
        ("vehicle.ft_alone", True, "vehicle.ft_alone", "no FT"),
        ("vehicle.disabled", ["AAMG"], "vehicle.disabled", "no AAMG"),
        ("vehicle.outside_ca", ["FT"], "vehicle.outside_ca", "no FT"),
        ("vehicle.prc", [{"counter": "german 4-6-7"}], "vehicle.prc[1]", "no Passengers"),
        ("vehicle.prc", [{"counter": "dummy", "role": "rider"}], "vehicle.prc[1]", "dummy"),
        ("vehicle.prc", [{"counter": "german 4-6-7", "role": "rider", "ce": True}], "vehicle.prc[1]", ""),
        ("vehicles", [{"counter": "GAZ-MM", "on_road": True}], "vehicles[1]", "no woods-road"),
        ("vehicles", [{"counter": "T-34 M41", "prc": ["russian 4-4-7"]}], "vehicles[1].prc[1]", "no Passengers"),
        ("vehicles", ["zeppelin"], "vehicles[1].counter", "no counter"),
        ("date", "1944", "date", "1944-06"),
        ("location.terrain", "swamp", "location.terrain", "stone_building"),
        ("location.smoke", [4], "location.smoke[1]", "too large"),
        ("location.single_story", True, "location.single_story", "no building"),
        ("location.fortified", True, "location.fortified", "no building"),
        ("location.upper_level_units", True, "location.upper_level_units", "no upper level"),
        (
            "location",
            {"terrain": "stone_building", "single_story": True, "upper_level_units": True},
            "location.upper_level_units",
            "no upper level",
        ),
        ("location.enemy_afv", "Opel 6700 (Blitz)", "location.enemy_afv", "unarmored"),
        ("location.terrain", "vineyard", "approach.cot", "not in the tables"),
        ("approach.way", "woods_road", "approach.way", "no woods-road"),
        ("approach", {"way": "bypass", "cot": 2}, "approach.way", "nothing to bypass"),
        ("defenders", [{"counter": "9-1"}], "defenders[1].counter", "several"),
        ("defenders", [{"counter": "dummy"}], "defenders[1]", "concealed"),
        ("defenders", [{"counter": "german 4-6-7", "broken": True, "pinned": True}], "defenders[1]", "at once"),
        ("defenders", [{"counter": "german 4-6-7", "broken": True, "concealment": "hidden"}], "defenders[1]", "broken"),
        ("defenders", [{"counter": "german 4-6-7", "entrenched": True}], "defenders[1]", "no entrenchment"),
        ("defenders", [{"counter": "german 4-6-7", "wounded": True}], "defenders[1]", "SMC"),
        ("defenders", [{"counter": "german 9-1", "guns": ["german-5cm-pak-38"]}], "defenders[1].guns[1]", "SMC"),
        ("defenders", [{"counter": "german 4-6-7", "weapons": ["x"]}], "defenders[1].weapons[1].counter", "no counter"),
        ("defenders", [{"counter": "german 4-6-7", "guns": ["x"]}], "defenders[1].guns[1].counter", "no counter"),
        ("unpossessed", ["x"], "unpossessed[1].counter", "no counter"),
        ("abandoned_guns", ["x"], "abandoned_guns[1].counter", "no counter"),
        ("unpossessed", [{"counter": "german-lmg", "fired": "first"}], "unpossessed[1]", "unpossessed"),
        ("unpossessed", [{"counter": "german-mmg", "in_entrenchment": True}], "unpossessed[1]", "no entrenchment"),
        ("abandoned_guns", [{"counter": "german-75cm-leig-18", "ammunition": "AP"}], "abandoned_guns[1]", "no AP"),
        ("abandoned_guns", [{"counter": "british-oqf-2-pounder", "ammunition": "HE"}], "abandoned_guns[1]", "no HE"),
        ("abandoned_guns", [{"counter": "german-5cm-pak-38", "ammunition": "HEAT"}], "abandoned_guns[1]", "no HEAT"),
        ("abandoned_guns", [{"counter": "german-5cm-pak-38", "in_entrenchment": True}], "abandoned_guns[1]", ""),
        ("outside", [{"id": "a", "kind": "ift"}], "outside[1]", "FP"),
        ("outside", [{"id": "a", "kind": "ordnance", "th": 8}], "outside[1]", "TK#"),
        ("outside", [{"id": "a", "kind": "ift", "fp": 4, "fate": "stun"}], "outside[1]", "fate"),
        ("rulings", {"nonsense": "x"}, "rulings.nonsense", "no such ruling"),
        ("rulings", {"half_mp": "x"}, "rulings.half_mp", "exact"),
        ("counters", {"units": {"mine": {"ml": 99}}}, "counters.units.mine.ml", "1 to 10"),
        ("dice", {"rolls": [[7]]}, "dice.rolls[1][1]", "too large"),
    ],
)
def test_problems(path, value, where, what):
    found = problems(changed(path, value))
    assert where in found
    assert what in found[where]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("vehicle.mp_left", 16),  # 13 printed and a quarter of them by ESB, rounded down (D2.5)
        ("location", {"terrain": "stone_building", "upper_level_units": True}),
        ("abandoned_guns", [{"counter": "german-5cm-pak-38", "ammunition": "HE"}]),
        ("abandoned_guns", [{"counter": "british-oqf-2-pounder", "ammunition": "AP"}]),
        (
            "defenders",
            [
                {"counter": "dummy", "concealment": "hidden"},
                {"counter": "german 4-6-7", "concealment": "concealed", "guns": ["german-5cm-pak-38"]},
            ],
        ),
    ],
)
def test_no_problem(path, value):
    assert read(changed(path, value)).opening


def test_more_problems_that_need_two_keys():
    bypass = changed("location.terrain", "woods") | {"approach": {"way": "bypass"}}
    assert "approach.cot" in problems(bypass)
    truck = changed("vehicle.counter", "Opel 6700 (Blitz)")
    truck["vehicle"]["prc"] = [{"counter": "german 4-6-7", "role": "rider"}]
    assert "only an AFV" in problems(truck)["vehicle.prc[1]"]
    twice = changed("defenders", [{"counter": "german 4-6-7", "id": "a"}, {"counter": "german 4-6-7", "id": "a"}])
    assert "twice" in problems(twice)["defenders[2].id"]
    decoy = changed("defenders", [{"counter": "dummy", "concealment": "hidden", "weapons": ["german-lmg"]}])
    assert "LMG" in problems(decoy)["defenders[1]"]
    manned = changed("defenders", [{"counter": "dummy", "concealment": "hidden", "guns": ["german-5cm-pak-38"]}])
    assert "a dummy stack has no weapons; it has" in problems(manned)["defenders[1]"]
    armed = changed("defenders", [{"counter": "dummy", "concealment": "hidden", "inherent": ["MOL"]}])
    assert "inherent" in problems(armed)["defenders[1]"]
    missing = {"system": "asl", "title": "x"}
    assert "missing" in problems(missing)["vehicle"]


@pytest.mark.parametrize("held", ["weapons", "guns"])
def test_a_problem_of_several_alike_units_is_told_once(held):
    document = changed("defenders", [{"counter": "german 4-6-7", "count": 3, held: ["x"]}])
    with pytest.raises(InputError) as caught:
        read(document)
    assert [problem.where for problem in caught.value.problems] == [f"defenders[1].{held}[1].counter"]


def test_every_problem_at_once():
    document = changed("vehicle.mp_left", 40)
    document |= {"location": {"terrain": "vineyard", "fortified": True}, "defenders": [{"counter": "dummy"}]}
    assert set(problems(document)) == {"vehicle.mp_left", "approach.cot", "location.fortified", "defenders[1]"}


def test_counters_written_out_in_the_file():
    mine = {"nation": "german", "name": "5-5-5", "kind": "squad", "unit_class": "1st_line", "ml": 5, "fp": 5}
    document = changed("defenders", [{"counter": "5-5-5"}]) | {"counters": {"units": {"mine": mine}}}
    built = read(document)
    unit = built.setup.printed["mine"]
    assert (unit.ml, unit.fp, unit.range, unit.broken_ml) == (5, 5, 0, 0)
    assert built.setup.unverified == ()


def test_a_catalogue_of_ones_own_goes_into_the_document(tmp_path, monkeypatch):
    rows = "key,nation,name,kind,unit_class,ml,fp,reduces_to\nmine,german,5-5-5,squad,elite,5,5,half\n"
    rows += "half,german,2-5-5,half_squad,elite,5,2,\nother,german,1-1-1,squad,elite,5,1,\n"
    (tmp_path / "units.csv").write_text(rows)
    monkeypatch.setenv("OVERRUN_CATALOGUE", str(tmp_path))
    built = read(changed("defenders", [{"counter": "mine"}]))
    assert set(built.document["counters"]["units"]) == {"mine", "half"}
    monkeypatch.delenv("OVERRUN_CATALOGUE")
    again = read(built.document)
    assert again.setup.printed == built.setup.printed
    monkeypatch.setenv("OVERRUN_CATALOGUE", str(tmp_path / "nowhere"))
    assert "no folder" in problems(LEAST)["OVERRUN_CATALOGUE"]
    (tmp_path / "units.csv").write_text(rows.replace("5,5,half", "55,5,half"))
    monkeypatch.setenv("OVERRUN_CATALOGUE", str(tmp_path))
    assert "OVERRUN_CATALOGUE.units.mine.ml" in problems(LEAST)


def test_the_starter_is_a_right_file():
    text = files("overrun.rulesets.asl").joinpath("starter.toml").read_text(encoding="utf-8")
    built = read(tomllib.loads(text))
    assert [unit.id for unit in built.opening.units] == ["first squad", "leader"]


def test_schema_names_every_key():
    properties = schema()["properties"]
    assert {"vehicle", "location", "approach", "defenders", "outside", "rulings"} <= set(properties)


def test_schema_marks_the_counters_that_were_not_checked():
    doubtful = schema()["$defs"]["UnitModel"]["properties"]["counter"]["x-unverified"]
    assert "american-hero" in doubtful  # one public source alone
    assert "any-hero" not in doubtful  # fact sheet 5b and a public source
