"""What IFT results do to the vehicle's exposed people (D5.3, D6.2, D.8): crew, Passengers, Riders.

Called by small-arms fire and by the collateral effects of a hit.
"""

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
    Modifier,
    Node,
    Procedure,
    Returned,
    Seat,
    changed,
    hashed,
)
from overrun.rulesets.asl.checks import Check, CheckKind
from overrun.rulesets.asl.damage import crew_level
from overrun.rulesets.asl.hits import Hits, Target
from overrun.rulesets.asl.ift import NO_RESULT, Result, ResultKind, look_up
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Crew, Morale, Rider, Unit


@hashed
@dataclass(frozen=True, slots=True)
class Exposed(Hashed):
    """The exposed people and the result on each kind of them: `crew_result` (None: none), and one per group of riders.

    `crew` and `left` go back to the caller: how the crew stands, and who is still aboard.
    """

    setup: Setup = field(compare=False, repr=False)
    crew: Crew
    crew_ml: int
    crew_result: Result | None = None
    results: tuple[Result | None, ...] = ()
    riders: tuple[tuple[Rider, int], ...] = ()
    left: tuple[Rider, ...] = ()
    bailing: tuple[Rider, ...] = ()


@hashed
@dataclass(frozen=True, slots=True)
class Exposure(Hashed):
    """Who of the vehicle an attack from within the Location can hurt, with the DRM against each (A7.211).

    `crew_drm` is None for a crew that is BU in a closed-topped vehicle, or not there to be hurt.
    """

    crew: Crew
    crew_ml: int
    crew_drm: int | None
    riders: tuple[tuple[Rider, int], ...]

    @property
    def anybody(self) -> bool:
        """Is anybody exposed?"""
        return self.crew_drm is not None or bool(self.riders)


CREW_DR = Dice("crew check DR", (6, 6), sum, ("colored", "white"))

exposed: Procedure[Exposed] = Procedure("exposed", "Crew, Passengers and Riders", asl("D5.3"), returns=("settled",))


def struck(setup: Setup, who: Exposure, column: int | None, original: int) -> tuple[Exposed, tuple[Ledger, ...]]:
    """An Original DR on a column against everyone exposed; equal DRM share one result and one Random Selection."""
    crew, ledgers = None, []
    if who.crew_drm is not None:
        found, ledger = look_up(column, original + who.crew_drm)
        crew, ledgers = _or_none(found), [ledger]
    results = []
    drms = sorted({drm for _, drm in who.riders})
    for drm in drms:
        found, ledger = look_up(column, original + drm)
        results.append(_or_none(found))
        ledgers.append(ledger)
    riders = tuple((rider, drms.index(drm)) for rider, drm in who.riders)
    if not any(results):
        return Exposed(setup, who.crew, who.crew_ml, crew, left=tuple(rider for rider, _ in riders)), tuple(ledgers)
    return Exposed(setup, who.crew, who.crew_ml, crew, tuple(results), riders), tuple(ledgers)


def _or_none(result: Result) -> Result | None:
    return None if result == NO_RESULT else result


@exposed.step(asl("D5.3"), "The exposed crew", recalled="people_hit", check="crew_check", none="people_hit")
def crew_hit(e: Exposed) -> Node[Exposed]:
    """A K or KIA on the crew Recalls the vehicle; a MC or PTC makes the crew check."""
    result = e.crew_result
    if result is None or e.crew not in {Crew.GOOD, Crew.PINNED}:
        return Exit("none", changed(e, crew_result=None))
    if result.kind in {ResultKind.KIA, ResultKind.K}:
        return Exit("recalled", changed(e, crew=Crew.RECALLED, crew_result=None), tally={"crew_recalled": 1})
    return Exit("check", e)


@exposed.step(
    asl("D5.34"), "Crew check", passed="people_hit", pinned="people_hit", stunned="people_hit", recalled="people_hit"
)
def crew_check(e: Exposed) -> Node[Exposed]:
    """A failed MC Stuns the crew, an Original 12 Recalls it; the highest passing roll, or a failed PTC, pins it."""
    result = e.crew_result
    assert result is not None
    task, number = result.kind is ResultKind.PTC, result.number
    ml = crew_level(e.setup.vehicle, e.crew_ml)
    drm = Ledger("MC DRM", (Modifier(number, f"{number}MC", asl("A7.3")),) if number else ())
    clean = changed(e, crew_result=None)

    def then(dr: int) -> Exit[Exposed]:
        final = dr + number
        if not task and dr == 12:
            return Exit("recalled", changed(clean, crew=Crew.RECALLED), tally={"crew_recalled": 1})
        if not task and final > e.crew_ml:
            return Exit("stunned", changed(clean, crew=Crew.STUNNED), tally={"crew_stunned": 1})
        if (task and final > e.crew_ml) or (not task and final == e.crew_ml):
            return Exit("pinned", changed(clean, crew=Crew.PINNED))
        return Exit("passed", clean)

    return Chance(CREW_DR, then, Seat.ATTACKER, (ml, drm))


@exposed.step(asl("D6.2"), "Passengers and Riders", calls=("results",), applied="bail_out", none="bail_out")
def people_hit(e: Exposed) -> Node[Exposed]:
    """Passengers and Riders suffer the result as Personnel; Riders who are pinned or broken must bail out."""
    if not any(e.results):
        return Exit("none", e)
    targets = tuple(Target(Unit(rider.printed, rider.morale), group) for rider, group in e.riders)
    hits = Hits(e.setup, e.results, targets, tuple(target.it for target in targets), prc=True)

    def then(back: Returned) -> Exit[Exposed]:
        left: list[Rider] = []
        bailing: list[Rider] = []
        for (rider, _), target in zip(e.riders, back.state.targets, strict=False):
            if target.unit is None:
                continue
            now = changed(rider, printed=target.unit.printed, morale=target.unit.morale)
            if now.rider and now.morale in {Morale.PINNED, Morale.BROKEN}:
                bailing.append(now)
            else:
                left.append(changed(now, ce=now.ce and now.morale is Morale.GOOD))
        return Exit(
            "applied", changed(e, results=(), riders=(), left=tuple(sorted(left)), bailing=tuple(sorted(bailing)))
        )

    return Call("results", hits, then)


@exposed.step(asl("D6.24"), "Bail Out", calls=("check",), bailed="unhurt", nobody="unhurt")
def bail_out(e: Exposed) -> Node[Exposed]:
    """Each Rider who bails out takes a NMC; he is then on the ground and no part of the overrun any more."""
    if not e.bailing:
        return Exit("nobody", e)
    subs = tuple(Check(e.setup, Unit(one.printed, one.morale), CheckKind.MC, prc=True) for one in e.bailing)
    out = {"prc_bailed_out": len(e.bailing)}
    return Each("check", subs, changed(e, bailing=()), lambda e, run, back: e, lambda e: Exit("bailed", e, tally=out))


@exposed.step(asl("D5.3"), "The results stand", settled="settled")
def unhurt(e: Exposed) -> Node[Exposed]:
    """How the crew stands and who is still aboard is kept; the rest is forgotten."""
    return Exit("settled", Exposed(e.setup, e.crew, 0, left=e.left))
