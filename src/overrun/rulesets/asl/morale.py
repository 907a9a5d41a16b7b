"""Morale Checks, Pin Task Checks, leader losses and Heat of Battle, for one unit and one DR (A7.3, A10, A15)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from overrun.kernel import Ledger, Modifier, Op
from overrun.rulesets.asl.counters import Nation, Unit, UnitClass, UnitKind
from overrun.rulesets.asl.setup import asl


@dataclass(frozen=True, slots=True)
class Nerve:
    """What a unit brings to a check: its counter and the states that change its Morale Level."""

    unit: Unit
    broken: bool = False
    fanatic: bool = False
    berserk: bool = False
    heroic: bool = False
    wounded: bool = False


def morale_level(nerve: Nerve) -> Ledger:
    """The current ML: printed or broken side, 10 when berserk, +1 when Fanatic, -1 when wounded."""
    unit = nerve.unit
    if nerve.berserk:
        return Ledger("ML", (Modifier(10, "berserk", asl("A15.4"), Op.IS, verified=False),))
    side, printed = ("broken ML", unit.broken_ml) if nerve.broken else ("ML", unit.ml)
    lines = [Modifier(printed, f"{side} of {unit.name}", asl("A10.2"), Op.IS, unit.verified)]
    if nerve.fanatic:
        lines.append(Modifier(1, "Fanatic", asl("A10.8")))
    if nerve.wounded:
        lines.append(Modifier(-1, "wounded", asl("A17.2"), verified=False))
    return Ledger("ML", tuple(lines))


def current_leadership(unit: Unit, *, wounded: bool) -> int | None:
    """A leader's modifier now; a wound makes it worse by one (A17.2). None for a unit that is no leader."""
    return None if unit.leadership is None else unit.leadership + wounded


@dataclass(frozen=True, slots=True)
class LeaderNear:
    """A leader in the Location who may modify a check: `able` means unbroken, unpinned and not just failed."""

    ml: int
    modifier: int
    able: bool = True


def check_drm(ml: int, number: int, leader: LeaderNear | None, *, is_leader: bool = False) -> Ledger:
    """DRM of a MC: its own +#, and one leader's modifier; a leader is helped by a higher ML only (A10.72).

    `ml` is the checking unit's own ML. A non-zero modifier is mandatory.
    """
    lines = [Modifier(number, f"{number}MC", asl("A7.3"))] if number else []
    if leader is not None and leader.able and leader.modifier and (not is_leader or leader.ml > ml):
        lines.append(Modifier(leader.modifier, "leadership", asl("A10.72")))
    return Ledger("MC DRM", tuple(lines))


def best_leader(leaders: Iterable[LeaderNear]) -> LeaderNear | None:
    """The leader whose modifier helps most, among those able to give it."""
    return min((leader for leader in leaders if leader.able), key=lambda leader: leader.modifier, default=None)


class MC(StrEnum):
    """How one unit's MC ends, before ELR."""

    PASSED = "passed"
    PINNED = "pinned"
    BROKE = "broke"
    REDUCED = "reduced"
    """Casualty Reduction; the unit keeps its broken state."""
    REDUCED_AND_BROKE = "reduced_and_broke"
    ELIMINATED = "eliminated"
    WOUNDED = "wounded"
    """A hero or berserk leader's Original 12 (+1 to the severity dr)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One MC, ready to be read: the ML, the DRM, the ELR, and what the unit cannot do.

    `unbreakable`: berserk, heroic or unarmed, so that a failed MC costs Casualty Reduction instead.
    """

    ml: int
    drm: int = 0
    elr: int | None = None
    broken: bool = False
    unbreakable: bool = False
    hero: bool = False
    pinnable: bool = True

    def read(self, original: int) -> MC:
        """The result of an Original DR (A7.303-.305, A10.31): equal to ML passes but pins, 12 is a casualty.

        >>> [str(Check(7).read(dr)) for dr in (6, 7, 8, 12)]
        ['passed', 'pinned', 'broke', 'reduced_and_broke']
        """
        final = original + self.drm
        if original == 12:
            if self.hero:
                return MC.WOUNDED
            if self.unbreakable:
                return MC.REDUCED
            return MC.ELIMINATED if self.broken else MC.REDUCED_AND_BROKE
        if final > self.ml:
            return MC.REDUCED if self.broken or self.unbreakable else MC.BROKE
        pins = final == self.ml and self.pinnable and not self.broken and not self.unbreakable
        return MC.PINNED if pins else MC.PASSED

    def fails_elr(self, original: int) -> bool:
        """Did an unbroken unit fail by more than its ELR, so that it is Replaced or Disrupted (A19.13)?"""
        return (
            self.elr is not None
            and not self.broken
            and self.read(original) in FAILED
            and self._margin(original) > self.elr
        )

    def _margin(self, original: int) -> int:
        return original + self.drm - self.ml


FAILED = frozenset({MC.BROKE, MC.REDUCED_AND_BROKE})


def heat_of_battle_due(original: int, *, unit: Unit, berserk: bool, cavalry: bool, prc: bool, unarmed: bool) -> bool:
    """Does an Original 2 MC DR bring a Heat of Battle DR (A15.1)? Heroes, crews, Cavalry, PRC and berserk get none."""
    barred = unit.kind in {UnitKind.HERO, UnitKind.CREW, UnitKind.DUMMY} or berserk or cavalry or prc or unarmed
    return original == 2 and not barred


def passes(original: int, drm: int, ml: int) -> bool:
    """Does a NTC, PTC, PAATC or LLTC pass: Final DR at most ML?"""
    return original + drm <= ml


def leader_loss_drm(modifier: int) -> Modifier:
    """DRM of the LLMC or LLTC when a leader with `modifier` is lost: a negative modifier reversed (A10.2)."""
    return Modifier(max(-modifier, 0), "leader loss", asl("A10.2"))


HEAT_BY_NATION = {
    Nation.BRITISH: -1,
    Nation.FINNISH: -1,
    Nation.FRENCH: 1,
    Nation.PARTISAN: 1,
    Nation.RUSSIAN: 2,
    Nation.ALLIED_MINOR: 2,
    Nation.AXIS_MINOR: 3,
    Nation.ITALIAN: 3,
    Nation.JAPANESE: 4,
}


def heat_drm(unit: Unit, *, broken: bool, inexperienced: bool) -> Ledger:
    """DRM of the Heat of Battle DR (A15.1): quality, nation, broken, Inexperienced."""
    lines = []
    if unit.elite:
        lines.append(Modifier(-1, "Elite", asl("A15.1")))
    if nation := HEAT_BY_NATION.get(unit.nation, 0):
        lines.append(Modifier(nation, unit.nation.value.replace("_", " "), asl("A15.1")))
    if broken:
        lines.append(Modifier(1, "broken", asl("A15.1")))
    if inexperienced:
        lines.append(Modifier(1, "Inexperienced", asl("A15.1")))
    return Ledger("Heat of Battle DRM", tuple(lines))


class Heat(StrEnum):
    """What Heat of Battle makes of a unit."""

    HERO = "hero"
    HERO_AND_HARDENED = "hero_and_hardened"
    HARDENED = "hardened"
    BERSERK = "berserk"
    SURRENDER = "surrender"
    """Broken and Disrupted; it surrenders to an ADJACENT Good Order enemy Infantry or Cavalry unit only (A15.5)."""


def heat_of_battle(final: int, unit: Unit) -> Heat:
    """The result of a Final Heat of Battle DR: up to 6 hero, 5 to 8 hardened, 9 to 11 berserk, 12 or more surrender.

    Non-elite Italians and Axis Minors surrender from 10 on.
    """
    soft = unit.nation in {Nation.ITALIAN, Nation.AXIS_MINOR} and not unit.elite
    if final >= (10 if soft else 12):
        return Heat.SURRENDER
    if final >= 9:
        return Heat.BERSERK
    if final >= 7:
        return Heat.HARDENED
    return Heat.HERO_AND_HARDENED if final >= 5 else Heat.HERO


def inexperienced(unit: Unit, *, leader_present: bool) -> bool:
    """Is it Inexperienced: Conscripts always, Green units only without an unbroken leader (A19.3)?"""
    green = unit.unit_class is UnitClass.GREEN
    return unit.unit_class is UnitClass.CONSCRIPT or (green and not leader_present)


class Wound(StrEnum):
    """The severity of a SMC's wound."""

    MINOR = "minor"
    DEAD = "dead"


def wound(dr: int, *, already_wounded: bool, drm: int = 0) -> Wound:
    """Wound Severity: dr 1 to 4 minor, 5 or more dead, +1 when already wounded (A17.11)."""
    return Wound.MINOR if dr + already_wounded + drm <= 4 else Wound.DEAD
