"""DRM of the overrun: fact sheet 1.4 and 5, E-examples, ASL-29, ASL-46, ASL-54, ASL-56 (A-32 to A-36)."""

import pytest

from overrun.rulesets.asl.fire_drm import Attack, Leading, Target, TargetKind, overrun_drm
from overrun.rulesets.asl.setup import Approach, Entrenchment, Ground, Hexside, Location, Terrain

INFANTRY = Target()
FOXHOLE = Location(entrenchment=Entrenchment.FOXHOLE)
CE_PRC = Target(TargetKind.PRC, ce=True)
VEHICLE = Target(TargetKind.VEHICLE)


def total(location=None, target=INFANTRY, *, hexside=Hexside.CLEAR, leading=None, rulings, ft_alone=False):
    attack = Attack(location or Location(), Approach(hexside=hexside), leading or Leading(), ft_alone)
    return overrun_drm(attack, target, rulings).total


@pytest.mark.parametrize(
    ("location", "drm"),
    [
        (Location(), -1),
        (Location(Terrain.WOODS), 1),
        (Location(Terrain.FOREST), 2),
        (Location(Terrain.BRUSH), 0),
        (Location(Terrain.BRUSH, ground=Ground.DEEP_SNOW), -1),
        (Location(Terrain.GRAIN), 0),
        (Location(Terrain.GRAIN, in_season=False), -1),
        (Location(Terrain.ORCHARD), 0),
        (Location(Terrain.VINEYARD), 0),
        (Location(Terrain.OLIVE), 1),
        (Location(Terrain.CACTUS), 1),
        (Location(Terrain.MARSH), 0),
        (Location(Terrain.CRAG), 1),
        (Location(Terrain.GRAVEYARD), 1),
        (Location(Terrain.BRIDGE), 0),
        (Location(bridge=True), 0),
        (Location(Terrain.RAILCAR), 2),
        (Location(Terrain.WOODEN_BUILDING), 2),
        (Location(Terrain.STONE_BUILDING), 3),
        (Location(Terrain.STONE_BUILDING, fortified=True), 4),
        (Location(Terrain.WOODEN_BUILDING, fortified=True), 3),
        (Location(Terrain.WOODS, fortified=True), 1),
        (Location(Terrain.WOODEN_RUBBLE), 2),
        (Location(Terrain.STONE_RUBBLE), 3),
        (Location(Terrain.HUT), 1),
        (Location(Terrain.COLLAPSED_HUT), 0),
        (Location(Terrain.LIGHT_JUNGLE), 1),
        (Location(Terrain.DENSE_JUNGLE), 2),
        (Location(Terrain.BAMBOO), 1),
        (Location(Terrain.PALM), 0),
        (Location(Terrain.KUNAI), 0),
        (Location(Terrain.RUNWAY), -2),
        (Location(Terrain.GULLY), -1),
        (Location(Terrain.WOODS, woods_road=True), 1),
        (Location(shellhole=True), 0),
        (Location(debris=True), 1),
        (Location(Terrain.WOODS, shellhole=True), 1),
        (Location(smoke=(2,)), 2),
        (Location(Terrain.WOODS, smoke=(2,)), 4),
        (Location(Terrain.WOODS, smoke=(2, 2)), 5),
        (Location(Terrain.WOODS, smoke=(1,)), 3),
        (Location(wreck_tem=True), 0),
    ],
)
def test_infantry(location, drm, rulings):
    assert total(location, rulings=rulings) == drm


@pytest.mark.parametrize(
    ("smoke", "drm"),
    [((), 0), ((2,), 3), ((2, 2), 4), ((1,), 2), ((3,), 4)],  # ASL-29
)
def test_smoke(smoke, drm, rulings):
    assert total(Location(Terrain.BRUSH, smoke=smoke), rulings=rulings) == drm


@pytest.mark.parametrize(
    ("location", "target", "drm"),
    [
        (FOXHOLE, Target(entrenched=True), 1),  # E19
        (FOXHOLE, INFANTRY, -1),
        (Location(entrenchment=Entrenchment.TRENCH), Target(entrenched=True), 1),
        (Location(entrenchment=Entrenchment.SANGAR), Target(entrenched=True), 0),
        (Location(entrenchment=Entrenchment.SANGAR), Target(entrenched=True, emplaced=True), 1),
        (Location(), Target(emplaced=True), 1),  # E18
        (Location(Terrain.STONE_BUILDING), Target(emplaced=True), 3),
        (Location(), Target(TargetKind.CAVALRY), -2),  # E20
        (Location(shellhole=True), Target(TargetKind.CAVALRY), -2),
        (Location(Terrain.WOODS), Target(TargetKind.CAVALRY), -1),
        (FOXHOLE, Target(TargetKind.CAVALRY, entrenched=True), -2),
        (Location(), Target(TargetKind.MOTORCYCLIST), -1),
        (Location(), VEHICLE, 0),  # E16
        (Location(), Target(TargetKind.VEHICLE, in_motion=True), 2),  # E17, ASL-46, edge case 13
        (Location(), Target(TargetKind.PRC, in_motion=True), 2),
        (Location(), Target(TargetKind.PRC, in_motion=True, ce=True), 4),
        (Location(shellhole=True), VEHICLE, 0),
        (Location(Terrain.WOODS), VEHICLE, 1),
        (Location(Terrain.WOODS, woods_road=True), Target(TargetKind.VEHICLE, on_road=True), 0),
        (Location(Terrain.WOODS, woods_road=True), VEHICLE, 1),
        (Location(), CE_PRC, 2),
        (Location(Terrain.WOODS), CE_PRC, 2),
        (Location(Terrain.STONE_BUILDING), CE_PRC, 3),
        (Location(Terrain.BRUSH), Target(flamethrowers=1), -1),
        (Location(Terrain.BRUSH), Target(flamethrowers=2), -2),
        (Location(Terrain.BRUSH), Target(overstacked=1), -1),
        (Location(Terrain.BRUSH), Target(hazardous=True), -2),
        (Location(), Target(concealed=True), -1),  # edge case 14
    ],
)
def test_targets(location, target, drm, rulings):
    assert total(location, target, rulings=rulings) == drm


@pytest.mark.parametrize(
    ("hexside", "terrain", "drm"),
    [  # ASL-54, edge case 22
        (Hexside.WALL, Terrain.OPEN, 1),
        (Hexside.HEDGE, Terrain.OPEN, 0),
        (Hexside.BOCAGE, Terrain.OPEN, 1),
        (Hexside.CLEAR, Terrain.OPEN, -1),
        (Hexside.WALL, Terrain.WOODS, 2),
        (Hexside.HEDGE, Terrain.WOODS, 1),
        (Hexside.DUNE_CREST, Terrain.OPEN, -1),
    ],
)
def test_hexsides(hexside, terrain, drm, rulings):
    assert total(Location(terrain), hexside=hexside, rulings=rulings) == drm


def test_hexsides_do_not_shelter_cavalry_and_vehicles(rulings):
    assert total(target=Target(TargetKind.CAVALRY), hexside=Hexside.WALL, rulings=rulings) == -2
    assert total(target=VEHICLE, hexside=Hexside.WALL, rulings=rulings) == 0


@pytest.mark.parametrize(
    ("leading", "drm"),
    [
        (Leading(armor_leader=-1), -1),
        (Leading(armor_leader=-1, passenger_leader=-1, passengers_fire=True), -1),  # ASL-56, edge case 40
        (Leading(armor_leader=-1, passenger_leader=-2, passengers_fire=True), -2),
        (Leading(passenger_leader=-1), 0),
        (Leading(passenger_leader=-1, passengers_fire=True), -1),
        (Leading(inexperienced=True), 1),
        (Leading(stun_counter=True), 1),
        (Leading(armor_leader=-1, inexperienced=True, stun_counter=True), 1),
    ],
)
def test_leadership(leading, drm, rulings):
    assert total(Location(Terrain.BRUSH), leading=leading, rulings=rulings) == drm


def test_ft_alone(rulings):
    assert total(Location(Terrain.WOODS), ft_alone=True, rulings=rulings) == 0
    assert total(FOXHOLE, Target(entrenched=True), ft_alone=True, rulings=rulings) == -1  # E13, edge case 12
    assert total(Location(Terrain.WOODS, smoke=(2,)), ft_alone=True, rulings=rulings) == 3
    assert total(target=CE_PRC, ft_alone=True, rulings=rulings) == 2
    assert total(target=Target(TargetKind.PRC), ft_alone=True, rulings=rulings) == 0
    leading = Leading(armor_leader=-2, inexperienced=True)
    assert total(Location(Terrain.BRUSH), leading=leading, ft_alone=True, rulings=rulings) == 1


@pytest.mark.parametrize(
    ("choice", "arguments", "drm"),
    [
        ({"passenger_leader": "always"}, {"leading": Leading(passenger_leader=-1)}, -2),
        ({"ft_only_leadership": "yes"}, {"leading": Leading(armor_leader=-1), "ft_alone": True}, -2),
        ({"concealed_open_ground": "no"}, {"target": Target(concealed=True)}, 0),
        ({"wreck_tem": "deny"}, {"location": Location(wreck_tem=True)}, -1),
    ],
)
def test_rulings(choice, arguments, drm, rulings):
    assert total(rulings=rulings | choice, **arguments) == drm


def test_doubtful_figures_are_named(rulings):
    attack = Attack(Location(Terrain.RUNWAY), Approach(), Leading())
    assert any("runway" in line for line in overrun_drm(attack, INFANTRY, rulings).doubtful)


def test_a_target_is_known_unless_said(rulings):
    hidden = rulings | {"concealed_open_ground": "no"}
    assert total(rulings=hidden) == -1
