"""Small arms, MG and IFE of defenders in the Location (A7.21, A7.3): against an unarmored vehicle and Vulnerable PRC.

One DR: the vehicle line first, then everyone exposed; in FPF the same Original DR is a NMC for the firers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from overrun.kernel import (
    Call,
    Chance,
    Dice,
    Each,
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
from overrun.rulesets.asl.exposed import Exposed, Exposure, struck
from overrun.rulesets.asl.ift import OnVehicle, column_left, on_vehicle, unlikely_kill, worse
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Unit

LOST = frozenset({OnVehicle.ELIMINATED, OnVehicle.BURNING})


@hashed
@dataclass(frozen=True, slots=True)
class Fusillade(Hashed):
    """One IFT attack on the vehicle's exposed people, and on the vehicle itself if it is unarmored.

    `vehicle_drm` is the DRM against an unarmored vehicle (None: armored). `cowers`: doubles cost a column. `firers`
    check themselves in `fpf`, helped by `lead`. `after`, `fate`, `cowered` and `malfunction` go back to the caller.
    """

    setup: Setup = field(compare=False, repr=False)
    column: int | None
    vehicle_drm: int | None
    who: Exposure | None
    cowers: bool = False
    firers: tuple[Unit | None, ...] = ()
    lead: int | None = None
    fpf: bool = False
    breakdown: int = 13
    ledgers: tuple[Ledger, ...] = field(default=(), compare=False, repr=False)
    original: int = 0
    fate: OnVehicle = OnVehicle.NONE
    after: Exposed | None = None
    cowered: bool = False
    malfunction: bool = False


def _sum_and_doubles(faces: Face) -> tuple[int, bool]:
    return sum(faces), faces[0] == faces[1]


FIRE_DR = Dice("IFT DR", (6, 6), sum, ("colored", "white"))
COWERING_DR = Dice("IFT DR", (6, 6), _sum_and_doubles, ("colored", "white"))
UNLIKELY_DR = Dice("Unlikely Kill dr", (6,), sum)

fusillade: Procedure[Fusillade] = Procedure("fusillade", "IFT fire on the vehicle", asl("A7.3"), returns=("resolved",))


@fusillade.step(asl("A7.3"), "IFT DR", rolled="people", unlikely_kill="unlikely")
def fire_dr(f: Fusillade) -> Node[Fusillade]:
    """The firers roll once on the IFT; each kind of target reads the DR with its own DRM."""
    assert f.who is not None
    who = f.who

    def then(original: int, doubles: bool) -> Exit[Fusillade]:
        cowered = doubles and f.cowers
        column = f.column if not cowered or f.column is None else column_left(f.column)
        fate = OnVehicle.NONE if f.vehicle_drm is None else on_vehicle(column, original + f.vehicle_drm)
        hurt, ledgers = struck(f.setup, who, column, original)
        if cowered:
            line = Modifier(
                column or 0, "doubles without a leader: the firers cower", asl("A7.9"), Op.IS, verified=False
            )
            ledgers = (Ledger("column", (line,)), *ledgers)
        unlikely_kill_due = f.vehicle_drm is not None and original == 2
        after = changed(
            f,
            column=None,
            vehicle_drm=None,
            who=None,
            cowers=False,
            breakdown=13,
            cowered=cowered,
            malfunction=original >= f.breakdown,
            original=original if f.fpf else 0,
            fate=fate,
            after=hurt,
        )
        return Exit("unlikely_kill" if unlikely_kill_due else "rolled", after, ledgers=ledgers)

    if f.cowers:
        return Chance(COWERING_DR, lambda read: then(*read), Seat.DEFENDER, f.ledgers)
    return Chance(FIRE_DR, lambda dr: then(dr, False), Seat.DEFENDER, f.ledgers)


@fusillade.step(asl("A7.309"), "Unlikely Kill", rolled="people")
def unlikely(f: Fusillade) -> Node[Fusillade]:
    """After an Original 2 against an unarmored vehicle one more die may burn, eliminate or immobilize it."""
    return Chance(
        UNLIKELY_DR, lambda dr: Exit("rolled", changed(f, fate=worse(f.fate, unlikely_kill(dr)))), Seat.DEFENDER
    )


@fusillade.step(asl("D5.3"), "Everyone exposed", calls=("exposed",), hit="firers_check", none="firers_check")
def people(f: Fusillade) -> Node[Fusillade]:
    """Crew, Passengers and Riders suffer the result, unless the vehicle is lost: then they roll for survival."""
    hurt = f.after
    assert hurt is not None
    if f.fate in LOST or (hurt.crew_result is None and not any(hurt.results)):
        riders = hurt.left or tuple(rider for rider, _ in hurt.riders)
        return Exit("none", changed(f, after=Exposed(f.setup, hurt.crew, 0, left=riders)))
    return Call("exposed", hurt, lambda back: Exit("hit", changed(f, after=back.state)))


@fusillade.step(asl("A8.31"), "FPF: the DR is a NMC for the firers", calls=("check",), checked="fired", not_fpf="fired")
def firers_check(f: Fusillade) -> Node[Fusillade]:
    """In FPF the Original IFT DR, with leadership alone, is also a NMC for each firer."""
    here = [i for i, unit in enumerate(f.firers) if unit is not None]
    if not f.fpf or not here:
        return Exit("not_fpf", f)
    subs = tuple(Check(f.setup, f.firers[i], CheckKind.MC, 0, f.lead, given=f.original) for i in here)

    def fold(f: Fusillade, run: int, back: Returned) -> Fusillade:
        return changed(f, firers=(*f.firers[: here[run]], back.state.unit, *f.firers[here[run] + 1 :]))

    return Each("check", subs, f, fold, lambda f: Exit("checked", f))


@fusillade.step(asl("A7.3"), "The fire is over", resolved="resolved")
def fired(f: Fusillade) -> Node[Fusillade]:
    """What the fire did stands; how it came about is forgotten."""
    return Exit("resolved", changed(f, lead=None, fpf=False, original=0))
