"""The figures of a chosen attack on the vehicle: firepower and DRM, To Hit and To Kill, CCV, each with its ledger."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from overrun.kernel import Ledger, Modifier, changed
from overrun.rulesets.asl import close_combat
from overrun.rulesets.asl.close import Close
from overrun.rulesets.asl.close_combat import Attacker, Prey, ambush
from overrun.rulesets.asl.concealment import exempt, paatc
from overrun.rulesets.asl.counters import Nation, UnitClass, UnitKind, WeaponKind
from overrun.rulesets.asl.damage import Placement, position_drm
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import Mode
from overrun.rulesets.asl.fire_drm import TargetKind
from overrun.rulesets.asl.firepower import weapons
from overrun.rulesets.asl.hits import unarmed
from overrun.rulesets.asl.ift import column
from overrun.rulesets.asl.morale import best_leader, current_leadership, inexperienced
from overrun.rulesets.asl.presence import (
    VEHICLES,
    armament,
    exposure,
    in_hex_drm,
    leaders_near,
    moving,
    nerve_of,
    place,
)
from overrun.rulesets.asl.setup import Fired, Setup, VehicleOpening, Way, asl
from overrun.rulesets.asl.small_arms import Fusillade
from overrun.rulesets.asl.state import Act, Arm, Crew, GunPiece, Means, State, Trait, Unit, Vehicle
from overrun.rulesets.asl.strike import Aim, Strike
from overrun.rulesets.asl.terrain import BUILDINGS, COMPOUNDING, RUBBLE
from overrun.rulesets.asl.to_hit import Facing, Shot, gun_number, refuse_underbelly, shot_drm, weapon_number
from overrun.rulesets.asl.to_kill import Ammunition, round_of_gun, round_of_weapon
from overrun.rulesets.asl.to_kill import Exposure as Open
from overrun.rulesets.asl.weapons import mol_check_drm, pf_check_drm

LATE = frozenset({Mode.SFF, Mode.FPF})
FIGURES = 1 << 13
"""How many attacks with their figures are remembered."""


def _read(s: State) -> State:
    """What the figures of an attack read of a state; many states share it. Of the units it is those who may lead."""
    leaders = tuple(sorted(unarmed(unit) for unit in s.units if unit.good and s.printed(unit).leadership is not None))
    return State(s.setup, s.given, s.vehicle, leaders, stage=s.stage, spent=s.spent, ground=s.ground)


def leadership(s: State, leader: Unit | None) -> int:
    """The modifier of a leader who directs or joins, 0 without one."""
    if leader is None:
        return 0
    return current_leadership(s.printed(leader), wounded=leader.has(Trait.WOUNDED)) or 0


def own_mode(unit: Unit) -> Mode:
    """The fire rule under which a unit fires by its own counter."""
    return {Fired.UNMARKED: Mode.FIRST, Fired.FIRST: Mode.SFF}.get(unit.fired, Mode.FPF)


# ------------------------------------------------------------------ IFT


def machine_guns(setup: Setup, unit: Unit) -> tuple[Arm, ...]:
    """The MG that a unit uses in its IFT attack.

    As First Fire a squad adds one that has not fired (two SW use up its inherent FP); in SFF and FPF all of them fire.
    """
    able = [arm for arm in unit.arms if setup.weapons[arm.printed].machine_gun and not arm.malfunctioned]
    able.sort(key=lambda arm: -setup.weapons[arm.printed].fp)
    if own_mode(unit) in LATE:
        return tuple(able)
    room = 1 if setup.printed[unit.printed].kind is UnitKind.SQUAD and not unit.uses else 0
    if setup.printed[unit.printed].kind is not UnitKind.SQUAD and not unit.uses:
        room = 1
    return tuple(arm for arm in able if arm.fired is Fired.UNMARKED)[:room]


def unit_fp(s: State, unit: Unit) -> tuple[Fraction, str]:
    """Printed FP that a unit and its MG bring, and what they are; a HS or crew fires its MG instead of its own FP."""
    printed = s.printed(unit)
    guns = machine_guns(s.setup, unit)
    mg = sum(s.setup.weapons[arm.printed].fp for arm in guns)
    inherent = 0 if unit.uses >= 2 and unit.fired is Fired.UNMARKED else printed.fp
    names = " and ".join(s.setup.weapons[arm.printed].name for arm in guns)
    if printed.kind is UnitKind.SQUAD:
        return Fraction(inherent + mg), f"{printed.name}{' with ' + names if guns else ''}"
    if mg > inherent:
        return Fraction(mg), names
    return Fraction(inherent), printed.name


def fire_fp(s: State, act: Act) -> Ledger:
    """FP of a fire group in the Location: tripled for TPBF, halved in SFF and FPF and again when pinned."""
    lines = []
    for unit in act.units:
        fp, who = unit_fp(s, unit)
        factor, why = Fraction(3), "TPBF × 3"
        if own_mode(unit) in LATE:
            factor, why = factor / 2, why + ", halved in SFF or FPF"
        if unit.pinned:
            factor, why = factor / 2, why + ", halved when pinned"
        lines.append(Modifier(fp * factor, f"{who}: {fp} FP, {why}", asl("A7.21")))
    return Ledger("FP", tuple(lines))


def cowers(s: State, act: Act) -> bool:
    """Can the group cower: Infantry that no leader directs, of no kind that never does (A7.9)?"""
    if act.leader is not None:
        return False
    for unit in act.units:
        printed = s.printed(unit)
        steady = (
            printed.smc
            or printed.nation is Nation.FINNISH
            or (printed.nation is Nation.BRITISH and printed.unit_class in {UnitClass.ELITE, UnitClass.FIRST_LINE})
            or unit.has(Trait.FANATIC)
        )
        if not steady:
            return True
    return False


def fusillade_of(s: State, act: Act) -> Fusillade:
    """A fire group's IFT attack."""
    return _fusillade_of(s.setup, s.given, _read(s), act)


@lru_cache(FIGURES)
def _fusillade_of(setup: Setup, given: VehicleOpening, s: State, act: Act) -> Fusillade:
    fp = fire_fp(s, act)
    lead = leadership(s, act.leader)
    lines = []
    if lead:
        lines.append(Modifier(lead, "leadership", asl("A7.53")))
    if any(unit.has(Trait.CX) for unit in act.units):
        lines.append(Modifier(1, "CX", asl("A4.51")))
    own = Ledger("firer DRM", tuple(lines))
    drm = int(own.total)
    who = exposure(s)
    riders = tuple((rider, more + drm) for rider, more in who.riders)
    crew = None if who.crew_drm is None else who.crew_drm + drm
    unarmored = not s.setup.vehicle.armored
    against = int(in_hex_drm(s.setup, s.ground, TargetKind.VEHICLE, ce=False).total) + drm if unarmored else None
    guns = [arm for unit in act.units for arm in machine_guns(s.setup, unit)]
    late = any(own_mode(unit) in LATE for unit in act.units)
    breakdown = min((s.setup.weapons[arm.printed].breakdown for arm in guns), default=15) - (2 if late else 0)
    fpf = tuple(unarmed(unit) for unit in act.units if own_mode(unit) is Mode.FPF)
    shown = in_hex_drm(s.setup, s.ground, TargetKind.PRC, ce=False)
    return Fusillade(
        s.setup,
        column(fp.total),
        against,
        type(who)(who.crew, who.crew_ml, crew, riders),
        cowers(s, act),
        fpf,
        lead if fpf else None,
        bool(fpf),
        breakdown,
        (fp, own, shown),
    )


# ------------------------------------------------------------------ shots


def tem_and_smoke(s: State) -> tuple[int, int]:
    """TEM and SMOKE as To Hit Cases Q and R against the vehicle."""
    lines = in_hex_drm(s.setup, s.ground, TargetKind.VEHICLE, ce=False).lines
    smoke = sum(int(line.value) for line in lines if line.cite.section.startswith("A24"))
    return sum(int(line.value) for line in lines) - smoke, smoke


def shot_of(s: State, act: Act) -> Shot:
    """The To Hit circumstances of a shot by a Gun or by a SW that rolls To Hit."""
    tem, smoke = tem_and_smoke(s)
    unit, piece = act.units[0], act.piece
    shot = Shot(
        size=s.setup.vehicle.size,
        sw=act.means is not Means.GUN,
        compounding=place(s).terrain in COMPOUNDING,
        reaction=s.stage is Stage.AFTER,
        pinned=unit.pinned,
        moving=moving(s),
        mp_in_los=Fraction(s.spent),
        tem=tem,
        smoke=smoke,
        leadership=leadership(s, act.leader),
        cx=unit.has(Trait.CX),
        underbelly=under(s),
    )
    if isinstance(piece, GunPiece):
        return changed(
            shot,
            mount=s.setup.guns[piece.printed].mount,
            ca_turns=0 if s.stage is Stage.AFTER else piece.ca_turns,
            intensive=_marked(act, piece),
            acquired=piece.acquired,
        )
    assert piece is not None
    weapon = s.setup.weapons[piece.printed]
    backblast = weapon.shaped_charge and weapon.kind is not WeaponKind.PIAT
    return changed(shot, backblast=backblast and place(s).terrain in BUILDINGS | RUBBLE)


def _marked(act: Act, gun: GunPiece) -> bool:
    """Does a Gun that carries a fire counter shoot again?"""
    return act.mode in {Mode.INTENSIVE, Mode.PREVENTION} and gun.fired is not Fired.UNMARKED


def under(s: State) -> bool:
    """Can a turret hit strike the underbelly? Never in Reaction Fire (note e)."""
    if s.stage is Stage.AFTER:
        return False
    return refuse_underbelly(s.setup.vehicle, place(s), s.setup.approach, s.setup.rulings) is None


def strike_of(s: State, act: Act) -> Strike:
    """A shot by Gun, LATW, MG as ordnance, FT, MOL or DC."""
    return _strike_of(s.setup, s.given, _read(s), act)


@lru_cache(FIGURES)
def _strike_of(setup: Setup, given: VehicleOpening, s: State, act: Act) -> Strike:
    unit = act.units[0]
    aim = _gun_aim(s, act, unit) if act.means is Means.GUN else _weapon_aim(s, act, unit)
    reads_firer = aim.nmc or aim.find is not None or aim.inherent
    return Strike(s.setup, aim, unarmed(unit) if reads_firer else None, exposure(s))


def _gun_aim(s: State, act: Act, unit: Unit) -> Aim:
    piece = act.piece
    assert isinstance(piece, GunPiece)
    gun = s.setup.guns[piece.printed]
    marked = _marked(act, piece)
    drm = shot_drm(shot_of(s, act))
    number = gun_number()
    figure = Ledger("TH#", (number.line(number.value),))
    nmc = act.mode is Mode.PREVENTION or (s.stage is Stage.AFTER and marked)
    return Aim(
        round_of_gun(gun, Ammunition(piece.ammunition)),
        number.value,
        int(drm.total),
        facing=Facing.REAR if s.stage is Stage.AFTER else None,
        underbelly=under(s),
        nmc=nmc,
        nmc_leader=_nmc_leader(s, act),
        breakdown=gun.breakdown - (2 if marked else 0),
        rof=0 if unit.pinned or marked else gun.rof,
        open=Open(s.vehicle.ce, moving(s)),
        ledgers=(figure, drm),
    )


def _nmc_leader(s: State, act: Act) -> int | None:
    """The modifier of the best leader in the NMC of OVR Prevention, where the ruling lets him help."""
    if act.mode is not Mode.PREVENTION or s.setup.ruled("ovr_prevention_leader") != "yes":
        return None
    leader = best_leader(leaders_near(s))
    return None if leader is None else leader.modifier


def _weapon_aim(s: State, act: Act, unit: Unit) -> Aim:
    piece = act.piece
    assert isinstance(piece, Arm)
    weapon = s.setup.weapons[piece.printed]
    date = (s.setup.year, s.setup.month)
    shot = round_of_weapon(weapon)
    open_ = Open(s.vehicle.ce, moving(s))
    cx, armored = unit.has(Trait.CX), s.setup.vehicle.armored
    if act.means is Means.DC:
        it = s.vehicle
        drm = position_drm(
            Placement(
                moving(s),
                ce=it.ce,
                cx=cx,
                immobile=it.immobile,
                open_topped=s.setup.vehicle.open_topped,
                bypass=s.setup.approach.way is Way.BYPASS,
            )
        )
        return Aim(shot, placed=int(drm.total), open=open_, ledgers=(drm,))
    if act.means in {Means.FT, Means.MOL}:
        find = mol_check_drm(s.printed(unit), cx=cx, armored_target=armored) if weapon.inherent else None
        return Aim(
            shot,
            find=None if find is None else int(find.total),
            breakdown=weapon.breakdown if not weapon.inherent else 13,
            open=open_,
            find_ledgers=() if find is None else (find,),
        )
    drm = shot_drm(shot_of(s, act))
    number = weapon_number(weapon, 0, s.setup.rulings)
    assert number is not None
    inherent = weapon.kind in {WeaponKind.PF, WeaponKind.PFK}
    find = pf_check_drm(s.printed(unit), cx=cx, armored_target=armored, date=date) if inherent else None
    green = inexperienced(s.printed(unit), leader_present=bool(leaders_near(s)))
    return Aim(
        shot,
        int(number.value),
        int(drm.total),
        find=None if find is None else int(find.total),
        facing=Facing.REAR if s.stage is Stage.AFTER else None,
        underbelly=under(s),
        machine_gun=weapon.machine_gun,
        breakdown=13 if inherent else weapon.breakdown,
        rof=0 if unit.pinned else weapon.rof,
        inherent=inherent,
        green=inherent and green,
        open=open_,
        ledgers=(Ledger("TH#", (number,)), drm),
        find_ledgers=() if find is None else (find,),
    )


# ------------------------------------------------------------------ CC


def carries_mark(setup: Setup, unit: Unit) -> bool:
    """Does the unit or any SW or Gun of it carry a fire counter (D7.213)?"""
    own = any(arm.fired is not Fired.UNMARKED and not setup.weapons[arm.printed].inherent for arm in unit.arms)
    return unit.marked or own or any(gun.fired is not Fired.UNMARKED for gun in unit.guns)


def prey(s: State) -> Prey:
    """The vehicle as CC sees it."""
    return _prey(s.setup, s.given, s.vehicle)


@lru_cache(VEHICLES)
def _prey(setup: Setup, given: VehicleOpening, it: Vehicle) -> Prey:
    s, printed = State(setup, given, it), setup.vehicle
    manned = {weapon.name for weapon in weapons(armament(s), s.setup.rulings)}
    return Prey(
        printed.armored,
        printed.open_topped,
        printed.partially_armored,
        it.ce,
        it.crew is Crew.GONE,
        moving(s),
        it.immobile,
        it.crew in {Crew.STUNNED, Crew.SHOCKED, Crew.RECALLED},
        bool(manned & {"BMG", "CMG", "AAMG"}) and it.crew_fights,
        s.given.escort,
    )


def attacker(s: State, act: Act) -> Attacker:
    """Who attacks in CC."""
    unit, other = act.units[0], act.leader
    printed = s.printed(unit)
    smc = printed if printed.smc else None if other is None else s.printed(other)
    joins = other if other is not None else unit if printed.smc else None
    marked = carries_mark(s.setup, unit) or (other is not None and carries_mark(s.setup, other))
    why = ambush(
        marked=marked,
        vehicle_in_bypass=s.setup.approach.way is Way.BYPASS,
        street_fighting=unit.has(Trait.STREET_FIGHTING),
    )
    return Attacker(
        printed,
        pinned=unit.pinned,
        marked=marked,
        inexperienced=inexperienced(printed, leader_present=bool(leaders_near(s))),
        with_smc=other is not None,
        leadership=leadership(s, joins) if joins is not None and s.printed(joins).leader else None,
        hero=(smc is not None and smc.kind is UnitKind.HERO) or (joins is not None and joins.has(Trait.HEROIC)),
        ambush=why is not close_combat.Ambush.NONE,
    )


def close_of(s: State, act: Act) -> Close:
    """A CC Reaction Fire attack, with the PAATC that comes first against an AFV."""
    who = tuple(_in_close(s.setup, unit) for unit in act.units)
    leader = None if act.leader is None else _in_close(s.setup, act.leader)
    return _close_of(s.setup, s.given, _read(s), changed(act, units=who, leader=leader, notes=""))


@lru_cache(FIGURES)
def _in_close(setup: Setup, unit: Unit) -> Unit:
    """What the figures of CC read of an attacker: of all fire counters only whether there is one."""
    fired = Fired.FIRST if carries_mark(setup, unit) else Fired.UNMARKED
    return Unit(unit.printed, unit.morale, unit.seen, fired, paatc=unit.paatc, traits=unit.traits)


@lru_cache(FIGURES)
def _close_of(setup: Setup, given: VehicleOpening, s: State, act: Act) -> Close:
    unit, other = act.units[0], act.leader
    who, what = attacker(s, act), prey(s)
    ccv, drm = close_combat.ccv(who), close_combat.cc_drm(who, what, s.setup.rulings)
    nerve = nerve_of(s, unit)
    tests = what.armored and not unit.paatc and exempt(nerve, s.setup.rulings) is None
    date = (s.setup.year, s.setup.month)
    ml, paatc_drm = paatc([nerve], leaders_near(s), date=date, rulings=s.setup.rulings)
    armored = what.armored
    atmm = close_combat.check_drm(s.printed(unit), cx=unit.has(Trait.CX), armored_target=armored) if act.atmm else None
    stopped = what.stopped_crew or what.abandoned
    return Close(
        s.setup,
        tuple(unarmed(one) for one in (unit, other) if one is not None),
        int(ccv.total),
        int(drm.total),
        (ccv, drm),
        0 if tests else None,
        int(ml.total) if tests else 0,
        int(paatc_drm.total) if tests else 0,
        (ml, paatc_drm) if tests else (),
        act.mode is Mode.FPF,
        not stopped,
        atmm=None if atmm is None else int(atmm.total),
        atmm_ledgers=() if atmm is None else (atmm,),
    )
