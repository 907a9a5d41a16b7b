"""Weapons that fail, and inherent anti-tank weapons that must be found first (A9.7, D7.17, C13.3, A22.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from overrun.kernel import Ledger, Modifier
from overrun.rulesets.asl.close_combat import check_drm
from overrun.rulesets.asl.counters import Unit
from overrun.rulesets.asl.firepower import Fires
from overrun.rulesets.asl.setup import asl


def malfunction_candidates(fires: Iterable[Fires], original: int) -> tuple[Fires, ...]:
    """The contributing weapons whose B# or X# is at most the Original DR; one is selected, ties all (A9.71)."""
    return tuple(weapon for weapon in fires if weapon.breakdown <= original)


def immobilizes_itself(fires: Iterable[Fires], original: int, *, only_inanimate: bool) -> bool:
    """Does an Original 12 immobilize the overrunner instead (D7.17)?

    It does when nothing in the overrun can malfunction, or when it had only inanimate targets.
    """
    return original == 12 and (only_inanimate or not malfunction_candidates(fires, original))


CHECK_MOST = 3
"""A PF, PFk or MOL check succeeds on a Final dr of 3 or less."""


def pf_check_drm(unit: Unit, *, cx: bool, armored_target: bool, date: tuple[int, int]) -> Ledger:
    """The drm of a PF check: the firer's size, CX, the target, and the date (year, month) (C13.31)."""
    ledger = check_drm(unit, cx=cx, armored_target=armored_target)
    if (1943, 8) <= date <= (1943, 9):
        return ledger.with_lines(Modifier(1, "August and September 1943", asl("C13.31")))
    if date[0] >= 1945:
        return ledger.with_lines(Modifier(-1, "1945", asl("C13.31")))
    return ledger


def mol_check_drm(unit: Unit, *, cx: bool, armored_target: bool) -> Ledger:
    """The drm of a MOL check, as a PF check without the date (A22.611)."""
    return check_drm(unit, cx=cx, armored_target=armored_target)


@dataclass(frozen=True, slots=True)
class Found:
    """How a check for an inherent weapon ends."""

    found: bool
    pinned: bool = False
    broke: bool = False


def inherent_check(dr: int, drm: int, *, pinned: bool) -> Found:
    """A Final dr of 3 or less finds the weapon; an Original 6 pins, and breaks a unit that was pinned (C13.31)."""
    if dr == 6:
        return Found(found=False, pinned=not pinned, broke=pinned)
    return Found(dr + drm <= CHECK_MOST)


def pf_range(date: tuple[int, int]) -> int:
    """Range of the PF by date: 1 to May 1944, 2 to the end of 1944, 3 from 1945 (C13.3)."""
    if date >= (1945, 1):
        return 3
    return 2 if date >= (1944, 6) else 1


def pf_shots(squad_equivalents: int, year: int) -> int:
    """How many PF shots a side with this many squad-equivalents has in all (C13.31); 1.5 is rounded down."""
    if year >= 1945:
        return 2 * squad_equivalents
    return squad_equivalents * 3 // 2 if year == 1944 else squad_equivalents


def pf_casualty(original: int, *, inexperienced: bool) -> bool:
    """Does the To Hit DR of a PF cost its firer Casualty Reduction (C13.36): Original 12, or 11 if Inexperienced?"""
    return original >= (11 if inexperienced else 12)
