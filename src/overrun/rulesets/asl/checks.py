"""One unit's Morale Check or Task Check (A7.301-.306, A10): pure chance, called for every unit by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from overrun.kernel import Chance, Dice, Exit, Hashed, Ledger, Modifier, Node, Procedure, Seat, changed, hashed
from overrun.rulesets.asl import counters, morale
from overrun.rulesets.asl.counters import UnitKind
from overrun.rulesets.asl.morale import Heat, Nerve, Wound
from overrun.rulesets.asl.outcome import loss, merged
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Morale, Trait, Unit


class CheckKind(StrEnum):
    """Which check a unit takes."""

    __hash__ = str.__hash__

    MC = "MC"
    TC = "TC"
    """A PTC or LLTC: failing it pins."""
    CASUALTY = "Casualty Reduction"
    """No check: the unit takes Casualty Reduction."""


@hashed
@dataclass(frozen=True, slots=True)
class Check(Hashed):
    """One unit under one check: `plus` is the MC's number, `leadership` the modifier of a leader who helps (or None).

    `margin` is by how much it failed. `breaks` says that a SMC who survives his wound breaks as well, `severity` is the
    drm of that wound. `given` is an Original DR already rolled (FPF). `prc`: it is a Passenger or Rider, whose losses
    count for the other seat. `born` holds a unit that Heat of Battle created. `unit` is None once it is eliminated.
    """

    setup: Setup = field(compare=False, repr=False)
    unit: Unit | None
    kind: CheckKind
    plus: int = 0
    leadership: int | None = None
    margin: int = 0
    breaks: bool = False
    severity: int = 0
    given: int | None = None
    prc: bool = False
    born: tuple[Unit, ...] = ()
    leader_lost: bool = field(default=False, compare=False, repr=False)
    """`plus` is a lost leader's modifier, reversed."""

    @property
    def it(self) -> Unit:
        """The unit, which is there until it is eliminated."""
        assert self.unit is not None
        return self.unit

    @property
    def printed(self) -> counters.Unit:
        """Its counter."""
        return self.setup.printed[self.it.printed]


DR = Dice("DR", (6, 6), sum, ("colored", "white"))
WOUND_DR = Dice("wound dr", (6,), sum)
HEAT_DR = Dice("Heat of Battle DR", (6, 6), sum, ("colored", "white"))

AS_PRC = {
    "steps_lost": "prc_steps_lost",
    "leaders_lost": "prc_steps_lost",
    "broken": "prc_broken",
}


def seen_as(tally: Mapping[str, int], *, prc: bool) -> Mapping[str, int]:
    """What a loss counts: as it is for a defender, under the vehicle's own names for Passengers and Riders."""
    return {AS_PRC[name]: count for name, count in tally.items() if name in AS_PRC} if prc else tally


checks: Procedure[Check] = Procedure("check", "Morale or Task Check", asl("A7.3"), returns=("checked",))


def unbreakable(unit: Unit, printed: counters.Unit) -> bool:
    """Does a unit take Casualty Reduction where others break (A7.301)?"""
    return unit.broken or unit.morale is Morale.BERSERK or unit.has(Trait.HEROIC) or printed.kind is UnitKind.HERO


def nerve(unit: Unit, printed: counters.Unit) -> Nerve:
    """What the unit brings to a check."""
    return Nerve(
        printed,
        broken=unit.broken,
        fanatic=unit.has(Trait.FANATIC),
        berserk=unit.morale is Morale.BERSERK,
        heroic=unit.has(Trait.HEROIC),
        wounded=unit.has(Trait.WOUNDED),
    )


def level(c: Check) -> Ledger:
    """The Morale Level that the unit checks against now."""
    return morale.morale_level(nerve(c.it, c.printed))


def modifiers(c: Check) -> Ledger:
    """The DRM of the check: its number and the leader's modifier."""
    plus = ("leader lost, his modifier reversed", asl("A10.2")) if c.leader_lost else (f"{c.plus}MC", asl("A7.3"))
    lines = [Modifier(c.plus, *plus)] if c.plus else []
    if c.leadership:
        lines.append(Modifier(c.leadership, "leadership", asl("A10.72")))
    return Ledger("MC DRM" if c.kind is CheckKind.MC else "TC DRM", tuple(lines))


@checks.step(asl("A7.3"), "Casualty Reduction or a check?", reduce="reduction", roll="roll_check")
def which_check(c: Check) -> Node[Check]:
    """A unit that the result reduces is reduced at once; every other unit that owes a check rolls it."""
    return Exit("reduce" if c.kind is CheckKind.CASUALTY else "roll", c)


@checks.step(asl("A7.302"), "Casualty Reduction", checked="over", wound="wound")
def reduction(c: Check) -> Node[Check]:
    """A squad becomes its HS, a HS or crew is eliminated, a SMC rolls for his wound."""
    return reduced(c)


@checks.step(
    asl("A10.1"),
    "Morale or Task Check",
    passed="over",
    pinned="over",
    failed="fails",
    casualty="casualty",
    heat_of_battle="heat_of_battle",
)
def roll_check(c: Check) -> Node[Check]:
    """The unit needs its Morale Level or less; a MC passed with the highest such roll pins, as does a failed TC."""
    if c.given is not None:
        return changed(rolled(changed(c, given=None), c.given, heat=False), ledgers=(level(c), modifiers(c)))
    return Chance(DR, lambda dr: rolled(c, dr), Seat.DEFENDER, (level(c), modifiers(c)))


def rolled(c: Check, original: int, *, heat: bool = True) -> Exit[Check]:
    """Where a check's Original DR leads. `heat` is False where an Original 2 brings no Heat of Battle."""
    unit, printed, ml, drm = c.it, c.printed, int(level(c).total), int(modifiers(c).total)
    if c.kind is CheckKind.TC:
        return Exit("passed", c) if morale.passes(original, drm, ml) else pinned(c)
    check = morale.Check(
        ml,
        drm,
        broken=unit.broken,
        unbreakable=unbreakable(unit, printed),
        hero=printed.kind is UnitKind.HERO or unit.has(Trait.HEROIC),
    )
    berserk, cavalry = unit.morale is Morale.BERSERK, unit.has(Trait.CAVALRY)
    if (
        heat
        and not c.prc
        and c.setup.heat_of_battle
        and not unit.has(Trait.HEROIC)
        and morale.heat_of_battle_due(
            original, unit=printed, berserk=berserk, cavalry=cavalry, prc=False, unarmed=False
        )
    ):
        return Exit("heat_of_battle", c)
    match check.read(original):
        case morale.MC.PASSED:
            return Exit("passed", c)
        case morale.MC.PINNED:
            return pinned(c)
        case morale.MC.BROKE | morale.MC.REDUCED if original != 12:
            return Exit("failed", changed(c, margin=original + drm - ml))
        case _:
            return Exit("casualty", changed(c, margin=original + drm - ml))


def pinned(c: Check) -> Exit[Check]:
    """The unit is pinned, if it was neither pinned nor worse before."""
    if not c.it.good:
        return Exit("passed", c)
    return Exit("pinned", changed(c, unit=changed(c.it, morale=Morale.PINNED)), tally=seen_as({"pinned": 1}, prc=c.prc))


# ------------------------------------------------------------------ failing


@checks.step(asl("A7.305"), "The unit fails", broken="over", checked="over", wound="wound", replaced="replaced")
def fails(c: Check) -> Node[Check]:
    """A failed MC breaks the unit; one that cannot break takes Casualty Reduction, a Japanese one loses a step."""
    if unbreakable(c.it, c.printed):
        return reduced(c)
    if c.printed.steps_to is not None:
        return _step_loss(c, c.printed.steps_to)
    if over_elr(c):
        return Exit("replaced", c)
    return Exit("broken", changed(c, unit=broken(c.it)), tally=seen_as({"broken": 1}, prc=c.prc))


def over_elr(c: Check) -> bool:
    """Did the unit fail by more than its ELR, so that it is Replaced (A19.13)?"""
    elr = c.setup.elr_of(c.printed)
    return elr is not None and not c.prc and c.margin > elr and not unbreakable(c.it, c.printed)


@checks.step(asl("A19.13"), "Replaced by a lower-quality unit", checked="over")
def replaced(c: Check) -> Node[Check]:
    """Failing by more than the ELR replaces the unit by a broken lower-quality one; without one it is Disrupted."""
    return Exit(
        "checked", changed(c, unit=broken(replacement(c))), tally=seen_as({"broken": 1, "replaced": 1}, prc=c.prc)
    )


def replacement(c: Check) -> Unit:
    """The unit after Replacement."""
    lower = c.printed.replaced_by
    return c.it.gain(Trait.DISRUPTED) if lower is None else changed(c.it, printed=lower)


def broken(unit: Unit) -> Unit:
    """The unit, broken."""
    return changed(unit, morale=Morale.BROKEN)


def _step_loss(c: Check, smaller: str) -> Exit[Check]:
    unit = changed(c.it, printed=smaller)
    tally: Mapping[str, int] = loss(c.printed, c.setup.printed[smaller])
    if over_elr(c) and (lower := c.setup.printed[smaller].replaced_by) is not None:
        unit, tally = changed(unit, printed=lower), merged(tally, {"replaced": 1})
    return Exit("checked", changed(c, unit=unit), tally=seen_as(tally, prc=c.prc))


def reduced(c: Check) -> Exit[Check]:
    """Casualty Reduction (A7.302)."""
    before = c.printed
    if before.smc:
        return Exit("wound", c)
    if before.reduces_to is None:
        return Exit("checked", changed(c, unit=None), tally=seen_as(loss(before), prc=c.prc))
    after = c.setup.printed[before.reduces_to]
    return Exit(
        "checked", changed(c, unit=changed(c.it, printed=after.key)), tally=seen_as(loss(before, after), prc=c.prc)
    )


@checks.step(asl("A10.31"), "Original 12: casualties", checked="over", wound="wound")
def casualty(c: Check) -> Node[Check]:
    """An Original 12 reduces an unbroken unit, after any Replacement, and breaks the rest; a broken one is dead."""
    unit, before = c.it, c.printed
    if unit.broken:
        return Exit("checked", changed(c, unit=None), tally=seen_as(loss(before), prc=c.prc))
    if unbreakable(unit, before):
        return reduced(changed(c, severity=1))
    tally = {"broken": 1}
    if over_elr(c):
        unit, tally = replacement(c), {"broken": 1, "replaced": 1}
    if before.smc:
        return Exit("wound", changed(c, unit=unit, breaks=True))
    smaller = c.setup.printed[unit.printed].reduces_to
    if smaller is None:
        return Exit("checked", changed(c, unit=None), tally=seen_as(loss(before), prc=c.prc))
    tally = merged(tally, loss(before, c.setup.printed[smaller]))
    return Exit("checked", changed(c, unit=broken(changed(unit, printed=smaller))), tally=seen_as(tally, prc=c.prc))


@checks.step(asl("A17.11"), "Wound severity", wounded="over", killed="over")
def wound(c: Check) -> Node[Check]:
    """A SMC rolls one die: on 5 or 6 he dies, one worse if he was wounded already; else he is wounded."""
    again, before = c.it.has(Trait.WOUNDED), c.printed
    lines = []
    if again:
        lines.append(Modifier(1, "already wounded", asl("A17.11")))
    if c.severity:
        lines.append(Modifier(c.severity, "Original 12", asl("A10.31")))

    def then(dr: int) -> Exit[Check]:
        if morale.wound(dr, already_wounded=again, drm=c.severity) is Wound.DEAD:
            return Exit("killed", changed(c, unit=None), tally=seen_as(loss(before), prc=c.prc))
        unit, tally = c.it.gain(Trait.WOUNDED), {"leaders_wounded": 1}
        if c.breaks:
            unit, tally = broken(unit), {"leaders_wounded": 1, "broken": 1}
        return Exit("wounded", changed(c, unit=unit), tally=seen_as(tally, prc=c.prc))

    return Chance(WOUND_DR, then, Seat.DEFENDER, (Ledger("wound drm", tuple(lines)),))


@checks.step(asl("A7.3"), "The check is over", checked="checked")
def over(c: Check) -> Node[Check]:
    """What became of the unit stands; how it came about is forgotten."""
    return Exit("checked", Check(c.setup, c.unit, CheckKind.MC, prc=c.prc, born=c.born))


# ------------------------------------------------------------------ Heat of Battle


@checks.step(
    asl("A15.1"),
    "Heat of Battle",
    hero="over",
    hero_and_hardened="over",
    hardened="over",
    berserk="over",
    surrender="over",
)
def heat_of_battle(c: Check) -> Node[Check]:
    """An Original 2 on a MC: the unit may create a hero, harden, go berserk, or break and be Disrupted."""
    green = morale.inexperienced(c.printed, leader_present=c.leadership is not None)
    ledger = morale.heat_drm(c.printed, broken=c.it.broken, inexperienced=green)

    def then(dr: int) -> Exit[Check]:
        heat = morale.heat_of_battle(int(dr + ledger.total), c.printed)
        return _HEAT[heat](c, heat)

    return Chance(HEAT_DR, then, Seat.DEFENDER, (ledger,))


def _hero(c: Check, heat: Heat) -> Exit[Check]:
    if c.printed.smc:
        return Exit(heat.value, changed(c, unit=c.it.gain(Trait.HEROIC)), tally=seen_as({"heroes": 1}, prc=c.prc))
    hero = next((u for u in c.setup.printed.values() if u.kind is UnitKind.HERO), None)
    born = () if hero is None else (Unit(hero.key, traits=(Trait.HEROIC,)),)
    return Exit(heat.value, changed(c, born=born), tally=seen_as({"heroes": 1}, prc=c.prc))


def _hardened(c: Check, heat: Heat) -> Exit[Check]:
    better = c.printed.hardens_to
    unit = c.it.gain(Trait.FANATIC) if better is None else changed(c.it, printed=better)
    return Exit(heat.value, changed(c, unit=unit), tally=seen_as({"hardened": 1}, prc=c.prc))


def _hero_and_hardened(c: Check, heat: Heat) -> Exit[Check]:
    hero = _hero(c, heat)
    return Exit(heat.value, _hardened(hero.state, heat).state, tally=seen_as({"heroes": 1, "hardened": 1}, prc=c.prc))


def _berserk(c: Check, heat: Heat) -> Exit[Check]:
    return Exit(
        heat.value, changed(c, unit=changed(c.it, morale=Morale.BERSERK)), tally=seen_as({"berserk": 1}, prc=c.prc)
    )


def _surrender(c: Check, heat: Heat) -> Exit[Check]:
    tally = {"surrendered": 1} if c.it.broken else {"surrendered": 1, "broken": 1}
    return Exit(heat.value, changed(c, unit=broken(c.it).gain(Trait.DISRUPTED)), tally=seen_as(tally, prc=c.prc))


_HEAT = {
    Heat.HERO: _hero,
    Heat.HARDENED: _hardened,
    Heat.HERO_AND_HARDENED: _hero_and_hardened,
    Heat.BERSERK: _berserk,
    Heat.SURRENDER: _surrender,
}
