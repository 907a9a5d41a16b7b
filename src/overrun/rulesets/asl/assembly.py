"""From a validated situation file to the setup and opening of play: counters found, sense checked, faults collected."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overrun.kernel import Face, InputError, Problem
from overrun.rulesets.asl.catalogue import (
    Catalogue,
    Counter,
    find,
    followers,
    from_tables,
    named,
    shipped,
    tables_in,
    unknown,
)
from overrun.rulesets.asl.coherence import incoherent
from overrun.rulesets.asl.counters import Gun, Nation, Unit, UnitKind, Vehicle, Weapon
from overrun.rulesets.asl.damage import crew_ml
from overrun.rulesets.asl.groundwork import approach_of, attack_of, location_of
from overrun.rulesets.asl.rulings import RULINGS
from overrun.rulesets.asl.setup import (
    Concealment,
    Fired,
    GunOpening,
    Motion,
    Opening,
    OutsideAttack,
    RiderOpening,
    Setup,
    TargetVehicle,
    UnitOpening,
    VehicleOpening,
    WeaponOpening,
)
from overrun.rulesets.asl.to_kill import Ammunition
from overrun.rulesets.asl.weapons import pf_shots

if TYPE_CHECKING:
    from overrun.rulesets.asl.scenario import (
        Document,
        GunModel,
        PieceModel,
        RiderModel,
        TargetModel,
        UnitModel,
        VehicleModel,
    )

OWN = "OVERRUN_CATALOGUE"
"""The environment variable that names a folder with a player's own catalogue files."""


@dataclass(frozen=True, slots=True)
class Built:
    """Everything that play starts from; `document` also holds what it uses of the player's own catalogue.

    `hidden` names the units whose nature only the defender knows; the file may say that both players do.
    """

    title: str
    setup: Setup
    opening: Opening
    plan: Mapping[str, Sequence[str]]
    dice: tuple[Face, ...]
    hidden: tuple[str, ...]
    document: Mapping[str, Any]


def build(content: Document, document: Mapping[str, Any]) -> Built:
    """The setup and opening of a file. Raises `InputError` with every problem found."""
    assembly = _Assembly(content)
    setup, opening = assembly.made()
    problems = assembly.problems
    if setup is not None and opening is not None and not problems:
        problems.extend(incoherent(setup, opening, assembly.places))
    if problems or setup is None or opening is None:
        raise InputError(problems)
    rolls = tuple(tuple(roll) for roll in content.dice.rolls)
    unknown_units = (unit.id for unit in opening.units if unit.concealment is not Concealment.KNOWN)
    hidden = () if content.open_information else tuple(unknown_units)
    return Built(content.title, setup, opening, content.plan, rolls, hidden, assembly.complete(document))


class _Assembly:
    """Finds counters and builds the parts of one file, collecting what is wrong."""

    def __init__(self, content: Document) -> None:
        self.content = content
        self.problems: list[Problem] = []
        self.own = _own_tables()
        own, wrong = from_tables(self.own, OWN)
        self.problems.extend(wrong)
        written, wrong = from_tables(content.counters, "counters")
        self.problems.extend(wrong)
        self.catalogue: Catalogue = shipped().joined(own).joined(written)
        self.printed: dict[str, Unit] = {}
        self.weapons: dict[str, Weapon] = {}
        self.guns: dict[str, Gun] = {}
        self.vehicles: dict[str, Vehicle] = {}
        self.places: dict[str, str] = {}
        self.used: set[str] = set()

    # ------------------------------------------------------------------ the parts

    def made(self) -> tuple[Setup | None, Opening | None]:
        """Setup and opening, or None where a fault makes them impossible."""
        content = self.content
        try:
            rulings = RULINGS.chosen(content.rulings)
        except InputError as error:
            self.problems.extend(error.problems)
            rulings = RULINGS.chosen({})
        vehicle = self._vehicle(content.vehicle)
        units, weapons, guns = self._defenders()
        location = location_of(content.location, self._enemy())
        if vehicle is None:
            return None, None
        year, month = (int(part) for part in content.date.split("-"))
        standing = self._standing(content.vehicle, vehicle)
        if rulings["ft_only"] == "never":
            standing = replace(standing, ft_alone=False)
        targets = tuple(self._targets(content.vehicles))
        self._add_followers()
        opening = Opening(standing, tuple(units), tuple(weapons), tuple(guns), targets)
        setup = Setup(
            vehicle,
            self.printed,
            self.weapons,
            self.guns,
            self.vehicles,
            location,
            approach_of(content.approach),
            tuple(self._outside()),
            rulings,
            year,
            month,
            content.elr,
            content.heat_of_battle,
            self._pf_shots(units, year),
            tuple(self._unverified(vehicle)),
            content.vehicle.overruns,
        )
        return setup, opening

    def _find(self, counters: Mapping[str, Counter], wanted: str, where: str) -> Counter | None:
        found = find(counters, wanted)
        if found is None:
            self.problems.append(unknown(counters, wanted, where))
            return None
        self.used.add(found.key)
        return found

    def _vehicle(self, model: VehicleModel) -> Vehicle | None:
        found = self._find(self.catalogue.vehicles, model.counter, "vehicle.counter")
        if found is None:
            return None
        if model.aamg and not found.aamg_optional:
            self.problems.append(Problem("vehicle.aamg", f"the {found.name} has no optional AAMG", "leave it out"))
        return replace(found, aamg=0) if found.aamg_optional and not model.aamg else found

    def _standing(self, model: VehicleModel, vehicle: Vehicle) -> VehicleOpening:
        return VehicleOpening(
            mp_left=Fraction(vehicle.mp if model.mp_left is None else model.mp_left),
            motion=Motion(model.motion),
            ce=model.ce,
            bounding_fired=model.bounding_fired,
            prc_bounding_fired=model.prc_bounding_fired,
            prep_fired=model.prep_fired,
            prior_overruns=model.prior_overruns,
            crew_ml=model.crew_ml or int(crew_ml(vehicle).value),
            armor_leader=model.armor_leader,
            inexperienced=model.inexperienced,
            stun_counter=model.stun_counter,
            crew=model.crew,
            immobile=model.immobile,
            pinned=model.pinned,
            mp_spent_here=Fraction(model.mp_spent_here),
            disabled=tuple(model.disabled),
            outside_ca=tuple(model.outside_ca),
            riders=tuple(self._riders(model.prc, "vehicle.prc")),
            turret_to_side=model.turret_to_side,
            bypass_turns=model.bypass_turns,
            escort=model.escort,
            ft_alone=model.ft_alone,
        )

    def _riders(self, models: Sequence[RiderModel], list_path: str) -> Iterator[RiderOpening]:
        for index, model in enumerate(models, 1):
            where = f"{list_path}[{index}]"
            unit = self._unit(model.counter, model.nation, f"{where}.counter")
            id = self._name(model.id, "PRC", len(self.places) + 1, f"{where}.id")
            if unit is not None:
                rider = model.role == "rider"
                yield RiderOpening(id, unit.key, rider, model.ce, model.sw_fp, model.broken, model.pinned)

    def _targets(self, models: Sequence[TargetModel]) -> Iterator[TargetVehicle]:
        for index, model in enumerate(models, 1):
            where = f"vehicles[{index}]"
            vehicle = self._find(self.catalogue.vehicles, model.counter, f"{where}.counter")
            id = self._name(model.id, "vehicle", index, f"{where}.id")
            riders = tuple(self._riders(model.prc, f"{where}.prc"))
            if vehicle is not None:
                self.vehicles[vehicle.key] = vehicle
                level = model.crew_ml or int(crew_ml(vehicle).value)
                yield TargetVehicle(id, vehicle.key, model.in_motion, model.ce, model.on_road, level, riders)

    def _unit(self, wanted: str, nation: str | None, where: str) -> Unit | None:
        found = self._find(self.catalogue.units, wanted, where)
        if found is None:
            return None
        unit = named(found, nation)
        self.printed[unit.key] = unit
        return unit

    def _name(self, given: str | None, word: str, index: int, where: str) -> str:
        name = given or f"{word} {index}"
        if name in self.places:
            self.problems.append(Problem(where, f"{name!r} is used twice", "a name of its own"))
        self.places[name] = where.removesuffix(".id")
        return name

    # ------------------------------------------------------------------ defenders

    def _defenders(self) -> tuple[list[UnitOpening], list[WeaponOpening], list[GunOpening]]:
        units: list[UnitOpening] = []
        weapons: list[WeaponOpening] = []
        guns: list[GunOpening] = []
        number = 0
        for index, model in enumerate(self.content.defenders, 1):
            where = f"defenders[{index}]"
            unit = self._unit(model.counter, model.nation, f"{where}.counter")
            for copy_number in range(1, model.count + 1):
                number += 1
                given = model.id and (model.id if model.count == 1 else f"{model.id} {copy_number}")
                id = self._name(given, "unit", number, f"{where}.id")
                weapons.extend(self._pieces(model.weapons, id, f"{where}.weapons", first=copy_number == 1))
                guns.extend(self._ordnance(model.guns, id, f"{where}.guns", first=copy_number == 1))
                if unit is not None:
                    units.append(self._opening_of(model, unit, id, where))
        weapons.extend(self._pieces(self.content.unpossessed, "", "unpossessed", first=True))
        guns.extend(self._ordnance(self.content.abandoned_guns, "", "abandoned_guns", first=True))
        return units, weapons, guns

    def _opening_of(self, model: UnitModel, unit: Unit, id: str, where: str) -> UnitOpening:
        return UnitOpening(
            id,
            unit.key,
            Concealment(model.concealment),
            Fired(model.fired),
            pinned=model.pinned,
            broken=model.broken,
            berserk=model.berserk,
            fanatic=model.fanatic,
            heroic=model.heroic,
            wounded=model.wounded,
            cx=model.cx,
            cavalry=model.cavalry,
            motorcyclist=model.motorcyclist,
            entrenched=model.entrenched,
            melee=model.melee,
            street_fighting=model.street_fighting,
            paatc_passed=model.paatc_passed,
            inherent=tuple(self._inherent(model.inherent, unit.nation, f"{where}.inherent")),
        )

    def _inherent(self, names: Sequence[str], nation: Nation, where: str) -> Iterator[str]:
        for name in names:
            key = name.lower() if name == "MOL" else f"{nation}-{name.lower()}"
            weapon = self.catalogue.weapons.get(key)
            if weapon is None:
                weapon = self._find(self.catalogue.weapons, f"german-{name.lower()}", where)
            if weapon is not None:
                self.weapons[weapon.key] = weapon
                yield weapon.key

    def _pieces(self, models: Sequence[PieceModel], owner: str, where: str, *, first: bool) -> Iterator[WeaponOpening]:
        for index, model in enumerate(models, 1):
            weapon = self._find(self.catalogue.weapons, model.counter, f"{where}[{index}].counter") if first else None
            weapon = weapon or find(self.catalogue.weapons, model.counter)
            if weapon is None:
                continue
            weapon = self._ruled(named(weapon, model.nation))
            self.weapons[weapon.key] = weapon
            id = self._name(model.id, weapon.name, len(self.places) + 1, f"{where}[{index}]")
            yield WeaponOpening(id, weapon.key, owner, Fired(model.fired), model.malfunctioned, model.in_entrenchment)

    def _ruled(self, weapon: Weapon) -> Weapon:
        """The weapon as the rulings on doubtful printed figures have it."""
        chosen = self.content.rulings
        if weapon.name == "PSK" and chosen.get("psk_table") == "ten":
            return replace(weapon, breakdown=11)
        if weapon.key == "russian-atr" and chosen.get("russian_atr") == "b11":
            return replace(weapon, breakdown=11)
        return weapon

    def _ordnance(self, models: Sequence[GunModel], crew: str, where: str, *, first: bool) -> Iterator[GunOpening]:
        for index, model in enumerate(models, 1):
            gun = self._find(self.catalogue.guns, model.counter, f"{where}[{index}].counter") if first else None
            gun = gun or find(self.catalogue.guns, model.counter)
            if gun is None:
                continue
            self.guns[gun.key] = gun
            id = self._name(model.id, gun.name, len(self.places) + 1, f"{where}[{index}]")
            yield GunOpening(
                id,
                gun.key,
                crew,
                Fired(model.fired),
                model.malfunctioned,
                model.emplaced,
                model.limbered,
                model.ca_turns,
                model.vca_turns,
                model.ca_fixed,
                model.ammunition or _usual(gun),
                model.in_entrenchment,
                model.acquired,
            )

    def _pf_shots(self, units: Sequence[UnitOpening], year: int) -> int:
        if self.content.pf_shots is not None:
            return self.content.pf_shots
        if not any(weapon.inherent for weapon in self.weapons.values()):
            return 0
        halves = sum(_halves(self.printed[unit.printed]) for unit in units)
        return pf_shots(-(-halves // 2), year)

    # ------------------------------------------------------------------ the ground and outside fire

    def _enemy(self) -> str:
        """Key of the enemy AFV in the Location, or empty."""
        wanted = self.content.location.enemy_afv
        enemy = self._find(self.catalogue.vehicles, wanted, "location.enemy_afv") if wanted else None
        if enemy is None:
            return ""
        self.vehicles[enemy.key] = enemy
        return enemy.key

    def _outside(self) -> Iterator[OutsideAttack]:
        for index, model in enumerate(self.content.outside, 1):
            self._name(model.id, "attack", index, f"outside[{index}].id")
            yield attack_of(model)

    # ------------------------------------------------------------------ what the file brings with it

    def _add_followers(self) -> None:
        """Every counter that a result can bring into play: half-squads, replacements, and a hero for Heat of Battle."""
        nations = {unit.nation for unit in self.printed.values()} - {Nation.ANY}
        nation = min(nations) if nations else None
        keys = followers(self.catalogue.units, list(self.printed))
        if self.content.heat_of_battle and nations:
            keys.add("any-hero")
        for key in sorted(keys):
            self.printed.setdefault(key, named(self.catalogue.units[key], nation))

    def _unverified(self, vehicle: Vehicle) -> Iterator[str]:
        present = [unit for key, unit in self.printed.items() if key in self.used]
        stated: list[Vehicle | Unit | Weapon | Gun] = [vehicle, *self.vehicles.values(), *present]
        stated += [*self.weapons.values()]
        stated += [*self.guns.values()]
        for counter in stated:
            if not counter.verified:
                yield f"{counter.nation} {counter.name} ({counter.source or 'no source given'})"

    def complete(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        """The document with the counters of the player's own catalogue that it needs, so that a log stands alone."""
        needed = self.used | set(self.printed)
        whole = copy.deepcopy(dict(document))
        for kind, rows in self.own.items():
            for key, row in rows.items():
                if key in needed and key not in self.content.counters.get(kind, {}):
                    kept = {name: value for name, value in row.items() if value != ""}
                    whole.setdefault("counters", {}).setdefault(kind, {})[key] = kept
        return whole


def _own_tables() -> Mapping[str, Mapping[str, Mapping[str, object]]]:
    folder = os.environ.get(OWN)
    if not folder:
        return {}
    if not Path(folder).is_dir():
        raise InputError([Problem(OWN, f"{folder!r} is no folder", "a folder with catalogue files")])
    return tables_in(Path(folder))


def _usual(gun: Gun) -> str:
    """The round that a Gun fires at a vehicle when the file does not say: AP, else HEAT, else HE."""
    if not gun.no_ap:
        return Ammunition.AP.value
    return Ammunition.HEAT.value if gun.heat else Ammunition.HE.value


def _halves(unit: Unit) -> int:
    """Squad-equivalents in halves: a squad two, a HS or crew one, a SMC none."""
    return {UnitKind.SQUAD: 2, UnitKind.HALF_SQUAD: 1, UnitKind.CREW: 1}.get(unit.kind, 0)
