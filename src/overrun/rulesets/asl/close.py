"""One CC Reaction Fire attack (D7.21, A11.5-A11.62): PAATC, the attack DR, and what it costs the attackers."""

from __future__ import annotations

from dataclasses import dataclass, field

from overrun.kernel import (
    Chance,
    Dice,
    Each,
    Exit,
    Hashed,
    Ledger,
    Modifier,
    Node,
    Procedure,
    Returned,
    Seat,
    changed,
    hashed,
)
from overrun.rulesets.asl import close_combat
from overrun.rulesets.asl.checks import Check, CheckKind, level, unbreakable
from overrun.rulesets.asl.ift import OnVehicle, unlikely_kill, worse
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Morale, Unit


@hashed
@dataclass(frozen=True, slots=True)
class Close(Hashed):
    """One CC attack on the vehicle by a unit, or by a unit and a SMC.

    `ccv` and `drm` are its figures, `ml` and `paatc_drm` those of the PAATC that `tester` takes first (None: nobody).
    `fpf`: the attack DR is a NMC for the attackers. `casualties`: an Original 12 costs them Casualty Reduction.
    `atmm` is the drm of a try for an ATMM (None: no try). An attacker is None once he is eliminated.
    """

    setup: Setup = field(compare=False, repr=False)
    attackers: tuple[Unit | None, ...]
    ccv: int
    drm: int
    ledgers: tuple[Ledger, ...] = field(default=(), compare=False, repr=False)
    tester: int | None = None
    ml: int = 0
    paatc_drm: int = 0
    paatc_ledgers: tuple[Ledger, ...] = field(default=(), compare=False, repr=False)
    fpf: bool = False
    casualties: bool = True
    atmm: int | None = None
    atmm_ledgers: tuple[Ledger, ...] = field(default=(), compare=False, repr=False)
    original: int = 0
    fate: OnVehicle = OnVehicle.NONE

    def put(self, index: int, unit: Unit | None) -> Close:
        """The attack with one attacker changed."""
        return changed(self, attackers=(*self.attackers[:index], unit, *self.attackers[index + 1 :]))


PAATC_DR = Dice("PAATC DR", (6, 6), sum, ("colored", "white"))
CLOSE_DR = Dice("CC DR", (6, 6), sum, ("colored", "white"))
UNLIKELY_DR = Dice("Unlikely Kill dr", (6,), sum)

close: Procedure[Close] = Procedure(
    "close", "CC Reaction Fire", asl("D7.21"), returns=("missed", "immobilized", "eliminated", "burning", "no_attack")
)


@close.step(asl("D7.21"), "PAATC", passed="atmm", failed="no_attack", attacks_anyway="atmm", not_needed="atmm")
def paatc_first(c: Close) -> Node[Close]:
    """A unit that is neither exempt nor has passed a PAATC against this AFV in this phase takes one.

    Failing it pins the unit and bars its attack, unless the attack is mandatory.
    """
    index = c.tester
    if index is None:
        return Exit("not_needed", c)
    unit = c.attackers[index]
    assert unit is not None

    def then(dr: int) -> Exit[Close]:
        clean = changed(c, tester=None, ml=0, paatc_drm=0)
        if dr + c.paatc_drm <= c.ml:
            return Exit("passed", clean.put(index, changed(unit, paatc=True)))
        tally = {"pinned": 1} if unit.good else None
        after = clean.put(index, changed(unit, failed=True, morale=Morale.PINNED if unit.good else unit.morale))
        if not c.fpf:
            return Exit("failed", _forgotten(after), tally=tally)
        return Exit("attacks_anyway", changed(after, ccv=after.ccv - 1), tally=tally)

    return Chance(PAATC_DR, then, Seat.DEFENDER, c.paatc_ledgers)


ATMM_DR = Dice("ATMM check dr", (6,), sum)


@close.step(asl("C13.7"), "ATMM", found="close_dr", none="close_dr", pinned="close_dr", no_try="close_dr")
def atmm(c: Close) -> Node[Close]:
    """A Final dr of 3 or less finds an ATMM (-3 DRM); an Original 6 pins the unit and costs one CCV."""
    drm, unit = c.atmm, c.attackers[0]
    if drm is None or unit is None:
        return Exit("no_try", c)
    clean = changed(c, atmm=None)

    def then(dr: int) -> Exit[Close]:
        if dr == 6:
            after = changed(clean, ccv=c.ccv - 1)
            if not unit.good:
                return Exit("none", after)
            return Exit("pinned", after.put(0, changed(unit, morale=Morale.PINNED)), tally={"pinned": 1})
        if dr + drm <= close_combat.ATMM_MOST:
            return Exit("found", changed(clean, drm=c.drm - 3, ledgers=_with_atmm(c.ledgers)))
        return Exit("none", clean)

    return Chance(ATMM_DR, then, Seat.DEFENDER, c.atmm_ledgers)


def _with_atmm(ledgers: tuple[Ledger, ...]) -> tuple[Ledger, ...]:
    line = Modifier(-3, "ATMM", asl("C13.7"))
    return tuple(ledger.with_lines(line) if ledger.name == "CC DRM" else ledger for ledger in ledgers)


def _forgotten(c: Close) -> Close:
    """The attack with everything cleared that its caller does not read."""
    return Close(c.setup, c.attackers, 0, 0)


@close.step(
    asl("A11.5"),
    "CC attack DR",
    resolved="fpf_check",
    unlikely="unlikely",
    original_12="casualties",
)
def close_dr(c: Close) -> Node[Close]:
    """Below the CCV the vehicle is eliminated, equal immobilizes, half or less burns it; its armor does not matter."""
    value = Ledger("CCV", (Modifier(c.ccv, "CCV now", asl("A11.5")),))

    def then(original: int) -> Exit[Close]:
        ccv = c.ccv - (c.fpf and _newly_pinned(c, original))
        fate = close_combat.band(ccv, original + c.drm)
        after = changed(c, original=original, fate=fate)
        if original == 2:
            return Exit("unlikely", after)
        if original == 12 and c.casualties:
            return Exit("original_12", after)
        return Exit("resolved", after)

    return Chance(CLOSE_DR, then, Seat.DEFENDER, (value, *c.ledgers))


def _newly_pinned(c: Close, original: int) -> bool:
    return any(
        unit is not None
        and unit.good
        and not unbreakable(unit, c.setup.printed[unit.printed])
        and original == level(Check(c.setup, unit, CheckKind.MC)).total
        for unit in c.attackers
    )


@close.step(asl("A11.501"), "Unlikely Kill", resolved="fpf_check")
def unlikely(c: Close) -> Node[Close]:
    """After an Original 2 one more die may burn, eliminate or immobilize the vehicle; the better result stands."""
    return Chance(
        UNLIKELY_DR, lambda dr: Exit("resolved", changed(c, fate=worse(c.fate, unlikely_kill(dr)))), Seat.DEFENDER
    )


@close.step(asl("A11.62"), "Original 12", calls=("check",), reduced="fpf_check")
def casualties(c: Close) -> Node[Close]:
    """The crew of a vehicle that is neither abandoned, Stunned nor Shocked costs the attackers Casualty Reduction."""
    here = [i for i, unit in enumerate(c.attackers) if unit is not None]
    subs = tuple(Check(c.setup, c.attackers[i], CheckKind.CASUALTY) for i in here)

    def fold(c: Close, run: int, back: Returned) -> Close:
        return c.put(here[run], back.state.unit)

    return Each("check", subs, c, fold, lambda c: Exit("reduced", c))


@close.step(
    asl("A8.31"),
    "FPF: the DR is a NMC for the attackers",
    calls=("check",),
    checked="close_result",
    not_fpf="close_result",
)
def fpf_check(c: Close) -> Node[Close]:
    """In FPF the Original attack DR is also a NMC for those who attack; the attack stands whatever comes of it."""
    here = [i for i, unit in enumerate(c.attackers) if unit is not None]
    if not c.fpf or not here:
        return Exit("not_fpf", c)
    subs = tuple(Check(c.setup, c.attackers[i], CheckKind.MC, given=c.original) for i in here)

    def fold(c: Close, run: int, back: Returned) -> Close:
        return c.put(here[run], back.state.unit)

    return Each("check", subs, c, fold, lambda c: Exit("checked", c))


@close.step(
    asl("A11.5"),
    "The vehicle's fate in CC",
    missed="missed",
    immobilized="immobilized",
    eliminated="eliminated",
    burning="burning",
)
def close_result(c: Close) -> Node[Close]:
    """The attack comes back to the Location with what it did to the vehicle."""
    name = "missed" if c.fate is OnVehicle.NONE else c.fate.value
    return Exit(name, _forgotten(c))
