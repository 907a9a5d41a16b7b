"""The OVR itself (D7.1): who is attacked, with what, and how the attack comes back to the Location."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from overrun.kernel import Call, Exit, Ledger, Modifier, Node, Op, Procedure, Reads, Returned, changed
from overrun.rulesets.asl import fire_drm
from overrun.rulesets.asl.acts import bound
from overrun.rulesets.asl.attack import Group, Volley
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.fates import fates
from overrun.rulesets.asl.fire_drm import overrun_drm
from overrun.rulesets.asl.firepower import halved, weapons
from overrun.rulesets.asl.hits import Later, Target, bare, dressed, unarmed
from overrun.rulesets.asl.ift import column
from overrun.rulesets.asl.lean import finished, lean_unit, without_tags
from overrun.rulesets.asl.moment import REMEMBERED, Moment, may_return, moment
from overrun.rulesets.asl.presence import armament, as_target, leading, place
from overrun.rulesets.asl.reactors import reactors
from overrun.rulesets.asl.run_down import Quarry, RunDown
from overrun.rulesets.asl.setup import Entrenchment, Fired, asl
from overrun.rulesets.asl.state import Arm, GunPiece, Hull, Prey, State, Trait, Unit

overrun: Procedure[State] = Procedure("overrun", "Resolve the OVR", asl("D7.1"))


def declared_fp(s: State) -> Ledger:
    """The OVR FP as it was when the vehicle declared it."""
    return Ledger("OVR FP", (Modifier(s.fp, "OVR FP as declared", asl("D7.11"), Op.IS),))


def in_order(s: State) -> tuple[Unit, ...]:
    """The targets of an attack on the Location, in the order that equal situations share."""
    targets = (unit for unit in s.units if not unit.has(Trait.STREET_FIGHTING))
    now = moment(s)

    def key(unit: Unit) -> tuple[Unit, Unit]:
        plain = without_tags(s.setup, unit)
        return plain, plain if finished(now, unit) else unit

    return tuple(sorted(targets, key=key))


def attack_of(s: State) -> tuple[Volley, tuple[Unit, ...]]:
    """The attack on everyone in the Location, and the units in the order of its targets."""
    order = in_order(s)
    attack = fire_drm.Attack(place(s), s.setup.approach, leading(s), s.given.ft_alone)
    groups: dict[tuple[bool, int | None, int], int] = {}
    made: list[Group] = []
    targets: list[Target] = []
    for unit in order:
        target = as_target(s, unit)
        fp = halved(declared_fp(s), immobile=s.vehicle.immobile, concealed=target.concealed)
        drm = overrun_drm(attack, target, s.setup.rulings)
        key = (target.concealed, column(fp.total), int(drm.total))
        if key not in groups:
            groups[key] = len(made)
            made.append(Group(key[1], key[2], (fp, drm)))
        targets.append(Target(bare(unit), groups[key]))
    contributing = weapons(armament(s), s.setup.rulings)
    volley = Volley(s.setup, tuple(made), tuple(targets), _bare_loose(s), contributing, prey=bool(s.prey))
    return volley, order


def merged_back(s: State, order: tuple[Unit, ...], v: Volley, *, keep_loose: bool = False) -> State:
    """The state once an attack on the Location has come back."""
    units = [dressed(t.unit, u) for t, u in zip(v.targets, order, strict=False) if t.unit is not None]
    units += [t.unit for t in v.targets[len(order) :] if t.unit is not None]
    units += [unit for unit in s.units if unit.has(Trait.STREET_FIGHTING)]
    vehicle = s.vehicle
    if v.stops:
        vehicle = changed(vehicle, disabled=tuple(sorted({*vehicle.disabled, *v.stops})))
    if v.immobilized and vehicle.hull is Hull.MOBILE:
        vehicle = changed(vehicle, hull=Hull.IMMOBILIZED)
    loose = tuple(sorted((*s.loose, *v.loose), key=repr)) if keep_loose else v.loose
    return changed(s, vehicle=vehicle, loose=loose, units=tuple(sorted(units)))


def _bare_loose(s: State) -> tuple[Arm | GunPiece, ...]:
    return tuple(sorted((changed(piece, fired=Fired.UNMARKED) for piece in s.loose), key=repr))


@overrun.step(asl("A9.74"), "Is there any Personnel?", personnel="resolve", nobody="run_over")
def personnel(s: State) -> Node[State]:
    """The attack is on Personnel and what they possess; a Location without any is run over."""
    return Exit("personnel" if in_order(s) or s.prey else "nobody", s)


@overrun.step(asl("A9.74"), "Unattended SW and Guns", destroyed="resolve", stand="resolve")
def run_over(s: State) -> Node[State]:
    """Where no Personnel is, a fully-tracked AFV destroys each SW and Gun that is not in an entrenchment."""
    vehicle = s.setup.vehicle
    as_printed = s.setup.ruled("no_personnel") == "as_printed"
    if not as_printed and not (vehicle.armored and vehicle.fully_tracked):
        return Exit("stand", s)
    kept = tuple(piece for piece in s.loose if piece.entrenched and not as_printed)
    gone = [piece for piece in s.loose if not (piece.entrenched and not as_printed)]
    guns = sum(isinstance(piece, GunPiece) for piece in gone)
    return Exit("destroyed", changed(s, loose=kept), tally={"guns_lost": guns, "weapons_lost": len(gone) - guns})


@overrun.step(asl("D7.1"), "Resolve the OVR", calls=("volley",), resolved="enemy_vehicles")
def resolve(s: State) -> Node[State]:
    """The vehicle attacks every unarmored unit of the Location, halved if it was lost or became Immobile meanwhile."""
    attack, order = attack_of(s)

    def then(back: Returned) -> Exit[State]:
        v: Volley = back.state
        after = merged_back(s, order, v)
        fp = s.fp if s.prey else 0
        done = changed(after, final_kia=v.kia is not None, fp=fp, overruns=s.overruns + 1, original=v.original)
        return Exit("resolved", done, tally={"overruns": 1})

    if s.prey or s.setup.location.entrenchment is Entrenchment.SANGAR or may_return(s):
        return Call("volley", attack, then)
    now = moment(changed(s, stage=Stage.AFTER))
    targets = tuple(changed(t, later=later(now, u)) for t, u in zip(attack.targets, order, strict=True))
    return Call("volley", attack, then, _reads(now, order), changed(attack, targets=targets))


@lru_cache(REMEMBERED)
def _reads(now: Moment, order: tuple[Unit, ...]) -> Reads:
    """What Reaction Fire reads of the OVR attack, where no more than Reaction Fire may follow."""

    def reads(back: Returned) -> Hashable:
        v: Volley = back.state
        before = (*order, *(None for _ in v.targets[len(order) :]))
        left = (_reactor(now, t.unit, was) for t, was in zip(v.targets, before, strict=True) if t.unit is not None)
        units = tuple(sorted(unit for unit in left if unit is not None))
        return reactors(now, units).units, v.stops, v.immobilized, v.loose

    return reads


@lru_cache(REMEMBERED)
def _reactor(m: Moment, unit: Unit, was: Unit | None) -> Unit | None:
    """What Reaction Fire reads of a unit that came back from the attack; `was` is None if Heat of Battle made it."""
    return lean_unit(m, bound(m, unit if was is None else dressed(unit, was)))


@lru_cache(REMEMBERED)
def later(m: Moment, was: Unit) -> Later:
    """What Reaction Fire reads of a unit after the attack: of all that read alike the first stands for the rest."""
    held = bare(was)
    leaves = bool(held.guns) or any(not m.setup.weapons[arm.printed].inherent for arm in held.arms)
    first: dict[Unit | None, Unit | None] = {} if leaves else {None: None}
    stands: list[tuple[Unit, Unit | None]] = []
    for unit in fates(m.setup, held):
        stands.append((unarmed(unit), first.setdefault(_reactor(m, unit, was), unarmed(unit))))
    return _one(tuple(stands))


_one = lru_cache(REMEMBERED)(Later)
"""Equal ones are one, so that they are compared at once."""


@overrun.step(asl("A7.308"), "Enemy vehicles in the Location", calls=("run_down",), run_down="sangar", none="sangar")
def enemy_vehicles(s: State) -> Node[State]:
    """The same DR attacks each unarmored enemy vehicle of the Location, and the Vulnerable PRC of every one."""
    if not s.prey:
        return Exit("none", s)
    fp = halved(declared_fp(s), immobile=s.vehicle.immobile, concealed=False)
    quarries = tuple(_quarry(s, prey) for prey in s.prey)
    after = changed(s, fp=0, original=0, prey=())

    def then(back: Returned) -> Exit[State]:
        return Exit("run_down", changed(after, prey=back.state.left))

    return Call("run_down", RunDown(s.setup, column(fp.total), s.original, quarries), then)


def _quarry(s: State, prey: Prey) -> Quarry:
    attack = fire_drm.Attack(place(s), s.setup.approach, leading(s), s.given.ft_alone)
    printed = s.setup.vehicles[prey.printed]

    def drm(kind: fire_drm.TargetKind, *, ce: bool = False) -> int:
        target = fire_drm.Target(kind, in_motion=prey.in_motion, ce=ce, on_road=prey.on_road)
        return int(overrun_drm(attack, target, s.setup.rulings).total)

    exposed_crew = printed.crewed and (not printed.armored or prey.ce or printed.open_topped)
    return Quarry(
        prey,
        None if printed.armored else drm(fire_drm.TargetKind.VEHICLE),
        drm(fire_drm.TargetKind.PRC, ce=printed.armored) if exposed_crew else None,
        drm(fire_drm.TargetKind.PRC, ce=printed.armored_halftrack),
    )


@overrun.step(asl("F8.41"), "A sangar?", removed="reactions", stands="reactions", none="reactions")
def sangar(s: State) -> Node[State]:
    """A fully-tracked Mobile AFV, or a Final KIA, removes a sangar and the Gun in it."""
    kia, s = s.final_kia, changed(s, final_kia=False, stage=Stage.AFTER)
    if s.setup.location.entrenchment is not Entrenchment.SANGAR or "sangar_removed" in s.ground:
        return Exit("none", s)
    vehicle = s.setup.vehicle
    runs_over = vehicle.armored and vehicle.fully_tracked and not s.vehicle.immobile
    if s.setup.ruled("sangar") == "stays" or not (kia or runs_over):
        return Exit("stands", s)
    guns = sum(gun.entrenched for unit in s.units for gun in unit.guns)
    units = [
        changed(
            unit,
            guns=tuple(gun for gun in unit.guns if not gun.entrenched),
            traits=tuple(trait for trait in unit.traits if trait is not Trait.ENTRENCHED),
        )
        for unit in s.units
    ]
    loose = tuple(piece for piece in s.loose if not (isinstance(piece, GunPiece) and piece.entrenched))
    guns += len(s.loose) - len(loose)
    after = changed(s, ground=(*s.ground, "sangar_removed"), loose=loose).with_units(units)
    return Exit("removed", after, tally={"guns_lost": guns} if guns else None)
