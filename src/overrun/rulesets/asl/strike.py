"""One shot at the vehicle that can destroy it: To Hit, To Kill, and what a hit does (C3, C7, D5).

Guns, LATW and MG roll To Hit; FT and MOL strike at once; a DC rolls for its place. `aim.py` makes the figures.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from overrun.kernel import (
    Call,
    Chance,
    Dice,
    Exit,
    Face,
    Hashed,
    Ledger,
    Modifier,
    Node,
    Op,
    Procedure,
    Returned,
    Seat,
    changed,
    hashed,
)
from overrun.rulesets.asl.checks import Check, CheckKind
from overrun.rulesets.asl.damage import OnAFV, Position, collateral_fp, crew_level, on_afv, on_unarmored, position
from overrun.rulesets.asl.exposed import Exposed, Exposure, struck
from overrun.rulesets.asl.ift import OnVehicle, column
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Crew, Morale, Unit
from overrun.rulesets.asl.to_hit import Facing, Hit, critical_check, facing_in_hex, improbable, read_hit
from overrun.rulesets.asl.to_kill import Exposure as Open
from overrun.rulesets.asl.to_kill import Round, Struck, final_tk
from overrun.rulesets.asl.weapons import inherent_check, pf_casualty


@dataclass(frozen=True, slots=True)
class Aim:
    """The figures of a shot: how the weapon is found, hits, kills and fails. None of them changes while it is resolved.

    `find` is the drm of its usage check (None: it has a counter). `number` is its TH# (None: it needs no To Hit DR).
    `facing` is the Target Facing, whatever the dice say (None: they say it). `nmc`: the Original TH DR is a NMC for the
    firer, in which the leader of modifier `nmc_leader` helps (None: nobody may). `breakdown`: it fails on that Original
    TH DR or more. `rof` keeps its Rate of Fire on that colored die or less. `inherent`: an Original 12 (11 if
    Inexperienced) costs the firer Casualty Reduction. `placed`: a DC's Position DRM. `rolled`: a To Hit DR
    that was made before, in a Gun Duel.
    """

    shot: Round
    number: int | None = None
    drm: int = 0
    find: int | None = None
    facing: Facing | None = None
    underbelly: bool = False
    nmc: bool = False
    nmc_leader: int | None = None
    machine_gun: bool = False
    breakdown: int = 13
    rof: int = 0
    inherent: bool = False
    green: bool = False
    placed: int | None = None
    rolled: tuple[int, int] | None = None
    open: Open = field(default_factory=Open)
    ledgers: tuple[Ledger, ...] = field(default=(), compare=False, repr=False)
    find_ledgers: tuple[Ledger, ...] = field(default=(), compare=False, repr=False)


@hashed
@dataclass(frozen=True, slots=True)
class Strike(Hashed):
    """One shot being resolved; `firer`, `fate`, `after`, `malfunction`, `again` and `found` go back to the caller.

    `again`: it kept its Rate of Fire. `abandons`: the crew left the immobilized vehicle.
    """

    setup: Setup = field(compare=False, repr=False)
    aim: Aim | None
    firer: Unit | None
    who: Exposure
    hit: Struck | None = None
    original: int = 0
    after: Exposed | None = None
    fate: OnAFV = OnAFV.NONE
    abandons: bool = False
    malfunction: bool = False
    again: bool = False
    found: bool = True

    @property
    def figures(self) -> Aim:
        """The figures, which are there until the shot is over."""
        assert self.aim is not None
        return self.aim


def _both(faces: Face) -> tuple[int, int]:
    return faces[0], faces[1]


USAGE_DR = Dice("usage check dr", (6,), sum)
TH_DR = Dice("To Hit DR", (6, 6), _both, ("colored", "white"))
TK_DR = Dice("To Kill DR", (6, 6), sum, ("colored", "white"))
HIT_DR = Dice("dr", (6,), sum)
POSITION_DR = Dice("Position DR", (6, 6), sum, ("colored", "white"))
EFFECTS_DR = Dice("IFT DR", (6, 6), sum, ("colored", "white"))
CREW_DR = Dice("crew DR", (6, 6), sum, ("colored", "white"))

strike: Procedure[Strike] = Procedure("strike", "A shot at the vehicle", asl("C3"), returns=("resolved",))


# ------------------------------------------------------------------ finding and hitting


@strike.step(
    asl("C13.31"), "Is the weapon at hand?", found="aiming", not_found="over_with", pinned="over_with",
    broke="over_with", not_needed="aiming",
)  # fmt: skip
def usage(k: Strike) -> Node[Strike]:
    """An inherent PF, PFk or MOL is found on a Final dr of 3 or less; an Original 6 pins, and breaks a pinned firer."""
    aim, unit = k.figures, k.firer
    if aim.find is None or unit is None:
        return Exit("not_needed", k)
    drm = aim.find

    def then(dr: int) -> Exit[Strike]:
        result = inherent_check(dr, drm, pinned=unit.pinned)
        if result.found:
            return Exit("found", k)
        missing = changed(k, found=False)
        if result.broke:
            return Exit("broke", changed(missing, firer=changed(unit, morale=Morale.BROKEN)), tally={"broken": 1})
        if result.pinned and unit.good:
            return Exit("pinned", changed(missing, firer=changed(unit, morale=Morale.PINNED)), tally={"pinned": 1})
        return Exit("not_found", missing)

    return Chance(USAGE_DR, then, Seat.DEFENDER, aim.find_ledgers)


@strike.step(asl("C3"), "How does it strike?", to_hit="to_hit", placed="dc_position", flame="to_kill")
def aiming(k: Strike) -> Node[Strike]:
    """Ordnance rolls To Hit; a DC rolls for where it lies; a FT or MOL strikes the rear at once."""
    if k.figures.placed is not None:
        return Exit("placed", k)
    if k.figures.number is None:
        return Exit("flame", changed(k, hit=Struck(Hit.HULL, Facing.REAR)))
    return Exit("to_hit", k)


@strike.step(
    asl("C3.3"), "To Hit DR", miss="firer_check", hit="firer_check", critical_check="firer_check",
    improbable="firer_check", malfunction="firer_check", casualty="firer_casualty",
)  # fmt: skip
def to_hit(k: Strike) -> Node[Strike]:
    """A Final DR of the To Hit number or less hits; the colored die tells facing and ROF, both dice tell the place."""
    aim = k.figures
    assert aim.number is not None
    number = aim.number

    def then(read: tuple[int, int]) -> Exit[Strike]:
        colored, white = read
        original = colored + white
        facing = aim.facing or facing_in_hex(colored)
        result = read_hit(number, aim.drm, colored, white, machine_gun=aim.machine_gun)
        kept = changed(k, original=original if aim.nmc else 0, again=colored <= aim.rof)
        if aim.rolled is not None:
            kept = changed(kept, aim=changed(aim, rolled=None))
        if aim.inherent and pf_casualty(original, inexperienced=aim.green):
            return Exit("casualty", changed(kept, again=False))
        if original >= aim.breakdown:
            return Exit("malfunction", changed(kept, malfunction=True, again=False))
        if result is Hit.MISS:
            return Exit("miss", kept)
        if result is Hit.CRITICAL:
            facing = Facing.REAR
        under = aim.underbelly and result is Hit.TURRET
        name = "hit"
        if result in {Hit.CRITICAL_CHECK, Hit.IMPROBABLE}:
            name = result.value
            under = aim.underbelly
        return Exit(name, changed(kept, hit=Struck(result, facing, under)))

    if aim.rolled is not None:
        return then(aim.rolled)
    return Chance(TH_DR, then, Seat.DEFENDER, to_hit_ledgers(aim))


def to_hit_ledgers(aim: Aim) -> tuple[Ledger, ...]:
    """The figures of a To Hit DR."""
    assert aim.number is not None
    figure = Ledger("TH#", (Modifier(aim.number, "To Hit number", asl("C3.3"), Op.IS),))
    return aim.ledgers or (figure,)


@strike.step(asl("C13.36"), "The firer's own weapon", calls=("check",), reduced="over_with")
def firer_casualty(k: Strike) -> Node[Strike]:
    """The highest To Hit DR of a PF costs its firer Casualty Reduction."""
    assert k.firer is not None

    def then(back: Returned) -> Exit[Strike]:
        return Exit("reduced", changed(k, firer=back.state.unit, hit=None))

    return Call("check", Check(k.setup, k.firer, CheckKind.CASUALTY), then)


@strike.step(
    asl("C5.64"), "The To Hit DR is a NMC for the firer", calls=("check",), stands="which_hit", voided="over_with",
    no_nmc="which_hit",
)  # fmt: skip
def firer_check(k: Strike) -> Node[Strike]:
    """In OVR Prevention and FPF the Original To Hit DR checks the crew's morale: if it pins or breaks, no shot."""
    if not k.figures.nmc or k.firer is None:
        return Exit("no_nmc", k)

    def then(back: Returned) -> Exit[Strike]:
        unit = back.state.unit
        void = unit is None or unit.pinned or unit.broken
        after = changed(k, firer=unit, original=0, again=k.again and not void, hit=None if void else k.hit)
        return Exit("voided" if void else "stands", after)

    helped = Check(k.setup, k.firer, CheckKind.MC, leadership=k.figures.nmc_leader, given=k.original)
    return Call("check", helped, then)


@strike.step(
    asl("C3.7"), "Which hit?", settled="to_kill", rolled="to_kill", improbable_miss="over_with", no_hit="over_with"
)
def which_hit(k: Strike) -> Node[Strike]:
    """An Original 2 that alone could hit is critical only on a dr of 1; an Improbable Hit rolls for its place."""
    hit = k.hit
    if hit is None or k.malfunction:
        return Exit("no_hit", changed(k, hit=None))
    if hit.hit not in {Hit.CRITICAL_CHECK, Hit.IMPROBABLE}:
        return Exit("settled", k)

    def then(dr: int) -> Exit[Strike]:
        machine_gun = k.figures.machine_gun
        place = critical_check(dr) if hit.hit is Hit.CRITICAL_CHECK else improbable(dr, machine_gun=machine_gun)
        if place is Hit.MISS:
            return Exit("improbable_miss", changed(k, hit=None))
        facing = Facing.REAR if place is Hit.CRITICAL else hit.facing
        return Exit("rolled", changed(k, hit=Struck(place, facing, hit.underbelly and place is Hit.TURRET)))

    return Chance(HIT_DR, then, Seat.DEFENDER)


@strike.step(asl("C7.346"), "DC Position DR", aerial="to_kill", hull="to_kill", collateral="dc_blast", none="over_with")
def dc_position(k: Strike) -> Node[Strike]:
    """Up to 5 the DC lies against the Aerial AF, up to 8 against the hull, up to 11 it hurts exposed people only."""
    drm = k.figures.placed or 0

    def then(dr: int) -> Exit[Strike]:
        place = position(dr + drm)
        if place is Position.NONE:
            return Exit("none", k)
        under = place is Position.AERIAL
        return Exit(place.value, changed(k, hit=Struck(Hit.HULL, Facing.REAR, underbelly=under)))

    return Chance(POSITION_DR, then, Seat.DEFENDER, k.figures.ledgers)


@strike.step(asl("C7.346"), "DC against exposed people", rolled="collateral", nobody="over_with")
def dc_blast(k: Strike) -> Node[Strike]:
    """A DC that lies where it cannot hurt the vehicle still attacks exposed people, with a DR of its own."""
    if not k.who.anybody:
        return Exit("nobody", k)
    return Chance(EFFECTS_DR, lambda dr: Exit("rolled", changed(k, original=dr)), Seat.DEFENDER)


# ------------------------------------------------------------------ killing


@strike.step(
    asl("C7.7"), "To Kill DR", none="collateral", burning="over_with", eliminated="over_with",
    immobilized="leaves", shock="collateral", stun="collateral", shock_check="shock_check", no_number="collateral",
)  # fmt: skip
def to_kill(k: Strike) -> Node[Strike]:
    """Below the Final TK# eliminates the vehicle, at most half burns it, equal immobilizes or shocks; 12 is a Dud."""
    aim, hit, vehicle = k.figures, k.hit, k.setup.vehicle
    assert hit is not None
    tk = final_tk(aim.shot, vehicle, hit, aim.open)
    if tk is None:
        return Exit("no_number", k)
    number = int(tk.total)

    def then(original: int) -> Exit[Strike]:
        if vehicle.armored:
            fate = on_afv(number, original, aim.shot.ammunition, hit, burns_easily=vehicle.cs_red)
        else:
            fate = _AS_AFV[on_unarmored(number, original)]
        if fate is OnAFV.STUN and k.who.crew not in {Crew.GOOD, Crew.PINNED}:
            fate = OnAFV.NONE
        if fate in {OnAFV.SHOCK, OnAFV.SHOCK_CHECK} and k.who.crew in {Crew.SHOCKED, Crew.GONE}:
            fate = OnAFV.NONE
        gone = aim.number is None and aim.placed is None and original >= aim.breakdown
        after = changed(k, fate=fate, original=original, hit=None, malfunction=k.malfunction or gone)
        tally = _TALLY.get(fate)
        if fate in {OnAFV.BURNING, OnAFV.ELIMINATED}:
            after = changed(after, original=0)
        return Exit(fate.value, after, tally=tally)

    return Chance(TK_DR, then, Seat.DEFENDER, (tk,))


_AS_AFV = {
    OnVehicle.NONE: OnAFV.NONE,
    OnVehicle.IMMOBILIZED: OnAFV.IMMOBILIZED,
    OnVehicle.ELIMINATED: OnAFV.ELIMINATED,
    OnVehicle.BURNING: OnAFV.BURNING,
}
_TALLY = {
    OnAFV.SHOCK: {"crew_shocked": 1},
    OnAFV.STUN: {"crew_stunned": 1},
}


@strike.step(asl("C7.42"), "Possible Shock", shocked="collateral", steady="collateral")
def shock_check(k: Strike) -> Node[Strike]:
    """One above the TK# the crew takes a NTC on its Morale Level, and is Shocked if it fails."""
    ml = crew_level(k.setup.vehicle, k.who.crew_ml)

    def then(dr: int) -> Exit[Strike]:
        if dr <= k.who.crew_ml or k.who.crew is Crew.GONE:
            return Exit("steady", changed(k, fate=OnAFV.NONE))
        return Exit("shocked", changed(k, fate=OnAFV.SHOCK), tally={"crew_shocked": 1})

    return Chance(CREW_DR, then, Seat.ATTACKER, (ml,))


@strike.step(asl("D5.5"), "Immobilization TC", stays="collateral", abandons="collateral", no_check="collateral")
def leaves(k: Strike) -> Node[Strike]:
    """The crew of an immobilized vehicle that is neither Shocked nor Stunned takes a TC; failing, it abandons it."""
    if k.who.crew not in {Crew.GOOD, Crew.PINNED}:
        return Exit("no_check", k)
    ml = crew_level(k.setup.vehicle, k.who.crew_ml)

    def then(dr: int) -> Exit[Strike]:
        if dr <= k.who.crew_ml:
            return Exit("stays", k)
        return Exit("abandons", changed(k, abandons=True))

    return Chance(CREW_DR, then, Seat.ATTACKER, (ml,))


@strike.step(asl("D.8"), "Collateral effects", calls=("exposed",), hit="over_with", none="over_with")
def collateral(k: Strike) -> Node[Strike]:
    """A hit that does not destroy the vehicle attacks its exposed people with the To Kill DR on a column of its own."""
    fp = collateral_fp(k.figures.shot)
    if fp is None or not k.who.anybody or not k.original:
        return Exit("none", changed(k, original=0))
    who = k.who
    if k.fate in {OnAFV.SHOCK, OnAFV.STUN} or k.abandons:
        who = changed(who, crew_drm=None)
    firepower = Ledger("collateral FP", (fp,))
    hurt, results = struck(k.setup, who, column(firepower.total), k.original)
    ledgers = (firepower, *results)
    return Call("exposed", hurt, lambda back: Exit("hit", changed(k, after=back.state, original=0), ledgers=ledgers))


@strike.step(asl("C3"), "The shot is over", resolved="resolved")
def over_with(k: Strike) -> Node[Strike]:
    """What the shot did stands; how it came about is forgotten."""
    return Exit("resolved", changed(k, aim=None, hit=None, original=0))
