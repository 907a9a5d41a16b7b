"""What changes during an overrun, and only that. Printed values and the ground are in the `Setup` it carries.

Units have no names here: two units of one counter in one condition are equal, and units are kept in canonical order,
so that equal situations are equal states. Names are given back by order when a state is described.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from overrun.kernel import Hashed, changed, hashed
from overrun.rulesets.asl import counters
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import Mode
from overrun.rulesets.asl.setup import Concealment, Fired, Motion, Opening, Setup, TargetVehicle, VehicleOpening


class Morale(StrEnum):
    """How a unit stands."""

    __hash__ = str.__hash__

    GOOD = "good order"
    PINNED = "pinned"
    BROKEN = "broken"
    BERSERK = "berserk"


class Trait(StrEnum):
    """A lasting condition of a unit that some rule asks about."""

    __hash__ = str.__hash__

    CAVALRY = "cavalry"
    CX = "CX"
    DISRUPTED = "disrupted"
    ENTRENCHED = "entrenched"
    FANATIC = "fanatic"
    HEROIC = "heroic"
    MELEE = "melee"
    MOTORCYCLIST = "motorcyclist"
    STREET_FIGHTING = "street fighting"
    """In an ADJACENT building of the vehicle's road hex: it may attack in CC, and is no target of the overrun."""
    WOUNDED = "wounded"


@hashed
@dataclass(frozen=True, slots=True, order=True)
class Arm(Hashed):
    """A support weapon: its counter, its fire counter, and whether it works. Inherent weapons have no counter."""

    printed: str
    fired: Fired = Fired.UNMARKED
    malfunctioned: bool = False
    entrenched: bool = False


@hashed
@dataclass(frozen=True, slots=True, order=True)
class GunPiece(Hashed):
    """A Gun: its marks and its Covered Arc, as hexspines still to turn."""

    printed: str
    fired: Fired = Fired.UNMARKED
    malfunctioned: bool = False
    emplaced: bool = False
    limbered: bool = False
    entrenched: bool = False
    ca_turns: int = 0
    vca_turns: int = 0
    ca_fixed: bool = False
    ammunition: str = "AP"
    acquired: int = 0


@hashed
@dataclass(frozen=True, slots=True, order=True)
class Unit(Hashed):
    """One defending unit with what it possesses.

    `fired` is the counter on it, `uses` counts the SW it has fired as First Fire, `shots` its attacks on the vehicle
    since it entered. `cc` is a CC counter, `paatc` a PAATC passed against this vehicle in this phase, `failed` one
    failed, `owes` a mandatory Reaction Fire not yet made.
    """

    printed: str
    morale: Morale = Morale.GOOD
    seen: Concealment = Concealment.KNOWN
    fired: Fired = Fired.UNMARKED
    uses: int = 0
    shots: int = 0
    arms: tuple[Arm, ...] = ()
    guns: tuple[GunPiece, ...] = ()
    cc: bool = False
    paatc: bool = False
    failed: bool = False
    owes: bool = False
    traits: tuple[Trait, ...] = ()

    @property
    def good(self) -> bool:
        """Is it neither pinned, broken nor berserk?"""
        return self.morale is Morale.GOOD

    @property
    def pinned(self) -> bool:
        """Is it pinned?"""
        return self.morale is Morale.PINNED

    @property
    def broken(self) -> bool:
        """Is it broken?"""
        return self.morale is Morale.BROKEN

    @property
    def known(self) -> bool:
        """Has it lost, or never had, its concealment?"""
        return self.seen is Concealment.KNOWN

    @property
    def marked(self) -> bool:
        """Does it carry a First or Final Fire counter?"""
        return self.fired is not Fired.UNMARKED

    def has(self, trait: Trait) -> bool:
        """Does it have this lasting condition?"""
        return trait in self.traits

    def gain(self, trait: Trait) -> Unit:
        """The unit with one more lasting condition."""
        return self if trait in self.traits else changed(self, traits=tuple(sorted((*self.traits, trait))))


class Crew(StrEnum):
    """How the vehicle's crew stands."""

    __hash__ = str.__hash__

    GOOD = "good"
    PINNED = "pinned"
    STUNNED = "stunned"
    RECALLED = "recalled"
    SHOCKED = "shocked"
    GONE = "gone"
    """None: abandoned, killed, or it never had one."""


class Hull(StrEnum):
    """How the vehicle stands."""

    __hash__ = str.__hash__

    MOBILE = "mobile"
    BOGGED = "bogged"
    IMMOBILIZED = "immobilized"
    ELIMINATED = "eliminated"
    BURNING = "burning"
    LEFT = "left"
    """It fell into a cellar: removed from the map."""


@hashed
@dataclass(frozen=True, slots=True, order=True)
class Rider(Hashed):
    """A Passenger or Rider of the vehicle."""

    printed: str
    morale: Morale = Morale.GOOD
    rider: bool = False
    ce: bool = False
    sw_fp: int = 0
    """Printed FP of its SW."""


@hashed
@dataclass(frozen=True, slots=True)
class Vehicle(Hashed):
    """The overrunning vehicle's condition. `disabled` names its weapons that do not work."""

    hull: Hull = Hull.MOBILE
    crew: Crew = Crew.GOOD
    motion: Motion = Motion.MOVING
    ce: bool = False
    disabled: tuple[str, ...] = ()
    prc: tuple[Rider, ...] = ()

    @property
    def alive(self) -> bool:
        """Is it still on the map and not a wreck?"""
        return self.hull not in {Hull.ELIMINATED, Hull.BURNING, Hull.LEFT}

    @property
    def immobile(self) -> bool:
        """Is it Immobile as D.7 has it, or gone?"""
        return self.hull is not Hull.MOBILE or self.crew in {Crew.STUNNED, Crew.RECALLED, Crew.SHOCKED, Crew.GONE}

    @property
    def crew_fights(self) -> bool:
        """Is its crew there and neither stunned, recalled nor shocked?"""
        return self.alive and self.crew in {Crew.GOOD, Crew.PINNED}


class Means(StrEnum):
    """How a unit attacks the vehicle; FT, MOL, DC and a MG To Hit belong to the LATW column of the tables."""

    __hash__ = str.__hash__

    CC = "cc"
    IFT = "ift"
    LATW = "latw"
    MG = "mg"
    """A MG that fires To Hit as ordnance."""
    FT = "ft"
    MOL = "mol"
    DC = "dc"
    GUN = "gun"


@hashed
@dataclass(frozen=True, slots=True)
class Act(Hashed):
    """One defensive attack that was chosen: by whom, with what, under which fire rule.

    The first of `units` is the attacker (for IFT fire all of them are); `leader` directs or joins. `notes` are the
    footnotes of its cell of the defensive fire table. `atmm`: it first tries for an ATMM.
    """

    means: Means
    units: tuple[Unit, ...] = ()
    leader: Unit | None = None
    piece: Arm | GunPiece | None = None
    mode: Mode = Mode.FIRST
    notes: str = ""
    atmm: bool = False


@hashed
@dataclass(frozen=True, slots=True, order=True)
class Prey(Hashed):
    """An enemy vehicle in the Location: its counter, how it stands, and who is in it."""

    printed: str
    in_motion: bool = False
    immobile: bool = False
    ce: bool = False
    on_road: bool = False
    crew: bool = True
    """Its crew is there and neither Stunned nor Recalled."""
    crew_ml: int = 7
    riders: tuple[Rider, ...] = ()


@hashed
@dataclass(frozen=True, slots=True)
class State(Hashed):
    """One overrun in progress.

    `given` is what the file says of the vehicle and no step changes. `mp` is what the vehicle may still spend, `spent`
    what it spent in the Location (FRD), which limits the shots at it. `fp` is the OVR FP fixed at declaration. `pf`
    counts the inherent LATW shots that the side may still take, `outside` the attacks from outside not yet taken;
    `second` is True in the second expenditure, of an OVR declared after entry. `ground` names what the entry did to the
    ground. `act` is the defensive attack being made. `esb` are the MP gained by ESB in this MPh, `bff` names what has
    Bounding First Fired, `stays` says that the vehicle ended its MPh here.
    """

    setup: Setup = field(compare=False, repr=False)
    given: VehicleOpening = field(compare=False, repr=False)
    vehicle: Vehicle
    units: tuple[Unit, ...] = ()
    loose: tuple[Arm | GunPiece, ...] = ()
    stage: Stage = Stage.NONE
    mp: Fraction | int = 0
    spent: int = 0
    fp: Fraction | int = 0
    known_on_entry: bool = False
    overruns: int = 0
    pf: int = 0
    outside: tuple[str, ...] = ()
    second: bool = False
    ground: tuple[str, ...] = ()
    act: Act | None = None
    final_kia: bool = False
    esb: int = 0
    bff: tuple[str, ...] = ()
    stays: bool = False
    prey: tuple[Prey, ...] = ()
    """Enemy vehicles in the Location."""
    original: int = 0
    """The Original OVR DR, until it has been read against them."""
    under: tuple[str, ...] = ()
    """The restrictions in force, where what analysis may forget depends on them. Only they themselves enter here."""

    def printed(self, unit: Unit | Rider) -> counters.Unit:
        """The counter of a unit."""
        return self.setup.printed[unit.printed]

    def with_units(self, units: Iterable[Unit]) -> State:
        """The state with these defending units, in canonical order."""
        return changed(self, units=tuple(sorted(units)))

    def swap(self, old: Unit, *new: Unit) -> State:
        """The state with one unit replaced (by none: eliminated)."""
        return self.swap_all((old,), new)

    def swap_all(self, old: Iterable[Unit], new: Iterable[Unit]) -> State:
        """The state with several units replaced."""
        return changed(self, units=self.swapped(old, new))

    def swapped(self, old: Iterable[Unit], new: Iterable[Unit]) -> tuple[Unit, ...]:
        """The defending units with several replaced, in canonical order."""
        units = list(self.units)
        for unit in old:
            units.remove(unit)
        return tuple(sorted((*units, *new)))


def opened(setup: Setup, opening: Opening) -> State:
    """The state at the first step."""
    arms: dict[str, list[Arm]] = {}
    guns: dict[str, list[GunPiece]] = {}
    for sw in opening.weapons:
        arm = Arm(sw.printed, sw.fired, sw.malfunctioned, sw.in_entrenchment)
        arms.setdefault(sw.owner, []).append(arm)
    for gun in opening.guns:
        piece = GunPiece(
            gun.printed,
            gun.fired,
            gun.malfunctioned,
            gun.emplaced,
            gun.limbered,
            gun.in_entrenchment,
            gun.ca_turns,
            gun.vca_turns,
            gun.ca_fixed,
            gun.ammunition,
            gun.acquired,
        )
        guns.setdefault(gun.crew, []).append(piece)
    units = []
    for unit in opening.units:
        flags = {
            Trait.CAVALRY: unit.cavalry,
            Trait.CX: unit.cx,
            Trait.ENTRENCHED: unit.entrenched,
            Trait.FANATIC: unit.fanatic,
            Trait.HEROIC: unit.heroic,
            Trait.MELEE: unit.melee,
            Trait.MOTORCYCLIST: unit.motorcyclist,
            Trait.STREET_FIGHTING: unit.street_fighting,
            Trait.WOUNDED: unit.wounded,
        }
        morale = Morale.BROKEN if unit.broken else Morale.BERSERK if unit.berserk else Morale.GOOD
        if unit.pinned:
            morale = Morale.PINNED
        units.append(
            Unit(
                unit.printed,
                morale,
                unit.concealment,
                unit.fired,
                0,
                0,
                tuple(sorted((*arms.get(unit.id, ()), *(Arm(key) for key in unit.inherent)))),
                tuple(guns.get(unit.id, ())),
                False,
                unit.paatc_passed,
                traits=tuple(sorted(trait for trait, on in flags.items() if on)),
            )
        )
    it = opening.vehicle
    crew = Crew.PINNED if it.pinned else Crew.GOOD if it.crew else Crew.GONE
    prc = tuple(
        sorted(
            Rider(
                one.printed,
                Morale.BROKEN if one.broken else Morale.PINNED if one.pinned else Morale.GOOD,
                one.rider,
                one.ce,
                one.sw_fp,
            )
            for one in it.riders
        )
    )
    vehicle = Vehicle(
        Hull.IMMOBILIZED if it.immobile else Hull.MOBILE, crew, it.motion, it.ce, tuple(sorted(it.disabled)), prc
    )
    return State(
        setup,
        it,
        vehicle,
        tuple(sorted(units)),
        (*arms.get("", ()), *guns.get("", ())),
        mp=Fraction(it.mp_left),
        spent=int(it.mp_spent_here),
        overruns=it.prior_overruns,
        pf=setup.pf_shots,
        outside=tuple(attack.id for attack in setup.outside),
        prey=tuple(sorted(_prey(target) for target in opening.vehicles)),
    )


def _prey(target: TargetVehicle) -> Prey:
    riders = tuple(
        sorted(
            Rider(one.printed, Morale.BROKEN if one.broken else Morale.GOOD, one.rider, one.ce) for one in target.riders
        )
    )
    return Prey(
        target.printed,
        target.in_motion,
        ce=target.ce,
        on_road=target.on_road,
        crew_ml=target.crew_ml,
        riders=riders,
    )
