"""What a defensive attack leaves of those who made it: counters, lost concealment, checks failed, weapons dropped.

Each answer depends on the attackers and the attack alone, so it is worked out once for all states that share them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from overrun.kernel import Returned
from overrun.rulesets.asl import marks
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import Mode
from overrun.rulesets.asl.figures import own_mode
from overrun.rulesets.asl.hits import bare
from overrun.rulesets.asl.lean import lean_unit
from overrun.rulesets.asl.moment import REMEMBERED, Moment
from overrun.rulesets.asl.outcome import merged
from overrun.rulesets.asl.setup import Setup
from overrun.rulesets.asl.state import Act, Arm, GunPiece, State, Unit


@dataclass(frozen=True, slots=True, eq=False)
class Aftermath:
    """Those who attacked: `before`, and as the attack left them; what the eliminated dropped, and what that counts."""

    before: tuple[Unit, ...]
    units: tuple[Unit, ...]
    dropped: tuple[Arm | GunPiece, ...]
    tally: marks.Tally

    def units_of(self, s: State) -> tuple[Unit, ...]:
        """All defenders afterwards."""
        return s.swapped(self.before, self.units)

    def lean(self, now: Moment, *, lost: bool = False) -> Hashable:
        """What later steps read of all this from a moment on; in Reaction Fire nothing once the vehicle is `lost`."""
        return _lean(now, self, lost)

    def loose_of(self, s: State) -> tuple[Arm | GunPiece, ...]:
        """All unpossessed weapons afterwards."""
        return tuple(sorted((*s.loose, *self.dropped), key=repr)) if self.dropped else s.loose


@lru_cache(REMEMBERED)
def _lean(now: Moment, after: Aftermath, lost: bool) -> Hashable:
    tally = tuple(sorted(after.tally.items()))
    if lost and now.stage is Stage.AFTER and not now.returns:
        return tally
    units = tuple(sorted(kept for unit in after.units if (kept := lean_unit(now, unit)) is not None))
    return units, after.dropped, tally


class Shot(NamedTuple):
    """How a shot went for the firer: an inherent weapon was found, the piece kept its ROF, or it malfunctioned."""

    found: bool
    again: bool
    malfunction: bool


def _dropped(setup: Setup, unit: Unit) -> tuple[Arm | GunPiece, ...]:
    held = bare(unit)
    return (*(arm for arm in held.arms if not setup.weapons[arm.printed].inherent), *held.guns)


@lru_cache(REMEMBERED)
def of_fire(setup: Setup, act: Act, checked: tuple[Unit | None, ...], *, cowered: bool, malfunction: bool) -> Aftermath:
    """After small arms on the IFT; `checked` are those who fired in FPF, as the same DR left them."""
    results = iter(checked)
    after: list[Unit] = []
    tally: marks.Tally = {}
    for unit in act.units:
        now = marks.merged_morale(unit, next(results)) if own_mode(unit) is Mode.FPF else unit
        if now is None:
            continue
        now, more = marks.shown_by_firing(now)
        tally = merged(tally, more)
        after.append(marks.after_ift(setup, now, cowered=cowered, malfunction=malfunction))
    if act.leader is None:
        return Aftermath(act.units, tuple(after), (), tally)
    leader, more = marks.shown_by_firing(act.leader)
    after.append(marks.after_directing(leader))
    return Aftermath((*act.units, act.leader), tuple(after), (), merged(tally, more))


@lru_cache(REMEMBERED)
def of_shot(setup: Setup, stage: Stage, act: Act, firer: Unit | None, shot: Shot) -> Aftermath:
    """After a shot with a Gun or a SW; `firer` as the shot left him."""
    unit, piece = act.units[0], act.piece
    now = marks.merged_morale(unit, firer)
    tally: marks.Tally = {"weapons_malfunctioned": 1} if shot.malfunction else {}
    if now is None:
        return Aftermath((unit,), (), _dropped(setup, unit), tally)
    now, more = marks.shown_by_firing(now)
    if isinstance(piece, GunPiece):
        now = marks.after_gun(stage, now, piece, again=shot.again, malfunction=shot.malfunction)
    else:
        now = marks.after_weapon(setup, now, act, found=shot.found, again=shot.again, malfunction=shot.malfunction)
    return Aftermath((unit,), (now,), (), merged(tally, more))


@lru_cache(REMEMBERED)
def of_close(setup: Setup, attackers: tuple[Unit, ...], back: Returned, *, survives: bool) -> Aftermath:
    """After CC Reaction Fire that came back so; the vehicle `survives` it or not."""
    after: list[Unit] = []
    dropped: list[Arm | GunPiece] = []
    tally: marks.Tally = {}
    for old, result in zip(attackers, back.state.attackers, strict=True):
        now = marks.merged_morale(old, result)
        if now is None:
            dropped += _dropped(setup, old)
            continue
        now, more = marks.shown_by_firing(now)
        tally = merged(tally, more)
        after.append(now if back.exit == "no_attack" else marks.after_close(setup, now, survives=survives))
    return Aftermath(attackers, tuple(after), tuple(dropped), tally)
