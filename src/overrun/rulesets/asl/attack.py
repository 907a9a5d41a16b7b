"""The OVR attack on everything unarmored in the Location (D7.1): one DR on the IFT, and all that follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from overrun.kernel import (
    Call,
    Chance,
    Dice,
    Each,
    Exit,
    Hashed,
    Ledger,
    Node,
    Procedure,
    Returned,
    Seat,
    changed,
    hashed,
)
from overrun.rulesets.asl.firepower import Fires
from overrun.rulesets.asl.hits import Hits, Target, possessed, unarmed
from overrun.rulesets.asl.ift import NO_RESULT, Result, ResultKind, look_up
from overrun.rulesets.asl.selection import Picked, random_selection
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Arm, GunPiece, Unit
from overrun.rulesets.asl.weapons import immobilizes_itself, malfunction_candidates
from overrun.rulesets.asl.wreckage import Wreck


@hashed
@dataclass(frozen=True, slots=True)
class Group(Hashed):
    """Targets attacked on one column with one DRM."""

    column: int | None
    drm: int
    ledgers: tuple[Ledger, ...] = field(default=(), compare=False, repr=False)


@hashed
@dataclass(frozen=True, slots=True)
class Volley(Hashed):
    """One OVR attack being resolved.

    `weapons` are those that add to the attack and may malfunction. `stops` names those that did; with `immobilized`,
    `kia` (the highest column on which a Final KIA fell) and `loose` (weapons without owner) it goes back to the caller.
    """

    setup: Setup = field(compare=False, repr=False)
    groups: tuple[Group, ...]
    targets: tuple[Target, ...]
    loose: tuple[Arm | GunPiece, ...] = ()
    weapons: tuple[Fires, ...] = ()
    results: tuple[Result | None, ...] = ()
    stops: tuple[str, ...] = ()
    immobilized: bool = False
    kia: int | None = None
    gone: tuple[Unit, ...] = ()
    prey: bool = False
    """Enemy vehicles are there too, so the DR goes back to the caller in `original`."""
    original: int = 0
    bounding: bool = False
    """It is Bounding First Fire, not an OVR: it immobilizes nobody and runs over no weapons."""


OVR_DR = Dice("OVR DR", (6, 6), sum, ("colored", "white"))

volley: Procedure[Volley] = Procedure("volley", "Resolve the OVR attack", asl("D7.1"), returns=("resolved",))


@volley.step(
    asl("D7.1"), "OVR DR", results="apply", no_effect="weapons", original_12="malfunction", weapon_fails="fails"
)
def attack_dr(v: Volley) -> Node[Volley]:
    """One DR on the IFT attacks every unarmored target, each group of targets on its own column with its own DRM."""

    def then(original: int) -> Exit[Volley]:
        results: list[Result | None] = []
        ledgers, kia = [], None
        for group in v.groups:
            result, ledger = look_up(group.column, original + group.drm)
            ledgers.append(ledger)
            results.append(None if result == NO_RESULT else result)
            if result.kind is ResultKind.KIA and group.column is not None:
                kia = max(kia or 0, group.column)
        after = changed(v, groups=(), results=tuple(results), kia=kia, original=original if v.prey else 0)
        words = " / ".join("no effect" if result is None else str(result) for result in results) or "no effect"
        if original == 12:
            return Exit("original_12", after, label=f"{words}; Original 12", ledgers=tuple(ledgers))
        if failing := malfunction_candidates(v.weapons, original):
            stopping = changed(after, weapons=failing)
            return Exit("weapon_fails", stopping, label=f"{words}; a weapon fails", ledgers=tuple(ledgers))
        after = changed(after, weapons=())
        if not any(results):
            return Exit("no_effect", after, ledgers=tuple(ledgers))
        return Exit("results", after, label=words, ledgers=tuple(ledgers))

    return Chance(OVR_DR, then, Seat.ATTACKER, tuple(ledger for group in v.groups for ledger in group.ledgers))


@volley.step(asl("D7.17"), "Original 12", malfunction="apply", immobilized="apply", nothing="apply")
def malfunction(v: Volley) -> Node[Volley]:
    """On an Original 12 Random Selection picks which contributing weapons malfunction.

    With none that can, or with only inanimate targets, the vehicle is immobilized instead.
    """
    spent = changed(v, weapons=())
    if not v.bounding and immobilizes_itself(v.weapons, 12, only_inanimate=not v.targets and not v.prey):
        return Exit("immobilized", changed(spent, immobilized=True), tally={"vehicle_immobilized": 1})
    able = malfunction_candidates(v.weapons, 12)
    if not able:
        return Exit("nothing", spent)
    return _one_fails(spent, able)


@volley.step(asl("D7.17"), "A low Breakdown number", malfunction="apply")
def fails(v: Volley) -> Node[Volley]:
    """A contributing weapon whose B# or X# is below 12 malfunctions on any Original DR that reaches it, too."""
    return _one_fails(changed(v, weapons=()), v.weapons)


def _one_fails(v: Volley, able: tuple[Fires, ...]) -> Node[Volley]:
    def then(picked: Picked) -> Exit[Volley]:
        stops = tuple(sorted(weapon.name for weapon, hit in zip(able, picked, strict=True) if hit))
        return Exit("malfunction", changed(v, stops=stops), tally={"vehicle_weapons_disabled": len(stops)})

    if len(able) == 1:
        return then((True,))
    return Chance(random_selection(len(able), 1), then, Seat.ATTACKER)


@volley.step(asl("A7.3"), "Results on every target", calls=("results",), applied="weapons", none="weapons")
def apply(v: Volley) -> Node[Volley]:
    """The result of each group falls on its targets."""
    if not any(v.results):
        return Exit("none", changed(v, results=()))
    before = tuple(target.it for target in v.targets)
    # Results read of units what checks do: what they possess is theirs again when the attack has come back.
    hit = tuple(changed(target, unit=unarmed(target.it)) for target in v.targets)
    hits = Hits(v.setup, v.results, hit, tuple(target.it for target in hit))

    def then(back: Returned) -> Exit[Volley]:
        targets = back.state.targets
        gone = () if v.kia is None and not _armed(before) else _gone(before, targets)
        return Exit("applied", changed(v, targets=targets, results=(), gone=gone))

    return Call("results", hits, then)


def _armed(units: tuple[Unit, ...]) -> bool:
    return any(unit.arms or unit.guns for unit in units)


def _gone(before: tuple[Unit, ...], targets: tuple[Target, ...]) -> tuple[Unit, ...]:
    """The units that were eliminated and leave something behind."""
    return tuple(
        unit for unit, target in zip(before, targets, strict=False) if target.unit is None and (unit.arms or unit.guns)
    )


@volley.step(
    asl("A9.74"), "Random SW Destruction", calls=("wreckage",), checked="resolved_attack", none="resolved_attack"
)
def weapons(v: Volley) -> Node[Volley]:
    """After a Final KIA each SW and Gun of an eliminated unit, and each unpossessed one, is checked on that column."""
    left = [p for p in possessed(v.gone) if isinstance(p, GunPiece) or not v.setup.weapons[p.printed].inherent]
    at_stake = (*v.loose, *left)
    if v.kia is None or not at_stake or v.bounding:
        return Exit("none", changed(v, loose=at_stake, gone=()))
    subs = tuple(Wreck(v.setup, piece, v.kia) for piece in at_stake)

    def fold(v: Volley, run: int, back: Returned) -> Volley:
        return v if back.state.piece is None else changed(v, loose=(*v.loose, back.state.piece))

    return Each("wreckage", subs, changed(v, loose=(), gone=()), fold, lambda v: Exit("checked", v))


@volley.step(asl("D7.1"), "The attack is over", resolved="resolved")
def resolved_attack(v: Volley) -> Node[Volley]:
    """Everything that the attack did stands; what it was made of is forgotten."""
    left = (target.settled.unit for target in v.targets)
    targets = tuple(Target(None if unit is None else unarmed(unit)) for unit in left)
    loose = tuple(sorted(v.loose, key=repr))
    return Exit("resolved", changed(v, groups=(), targets=targets, loose=loose, weapons=()))
