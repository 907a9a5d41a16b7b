"""What IFT results do to groups of units (A7.301-.306): Random Selection, Casualty Reduction, checks, Leader Loss.

Pure chance, called by the OVR attack for the defenders and by defensive fire for Passengers and Riders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from overrun.kernel import Call, Chance, Each, Exit, Node, Procedure, Returned, Seat, changed
from overrun.rulesets.asl.checks import Check, CheckKind, broken, seen_as, unbreakable
from overrun.rulesets.asl.counters import UnitKind
from overrun.rulesets.asl.hits import Hits, Target, helper, pinnable, unarmed
from overrun.rulesets.asl.ift import NO_RESULT, Casualty, Effect, Result, effect, slots
from overrun.rulesets.asl.outcome import loss, merged
from overrun.rulesets.asl.selection import Picked, random_selection
from overrun.rulesets.asl.setup import Concealment, asl
from overrun.rulesets.asl.state import Morale, Trait, Unit

results: Procedure[Hits] = Procedure("results", "IFT results on Personnel", asl("A7.3"), returns=("applied",))


@results.step(asl("A7.301"), "Random Selection", applied="selection", all_applied="casualties")
def selection(h: Hits) -> Node[Hits]:
    """A KIA or K result picks its units by Random Selection; every other result falls on each target of the group."""
    index = next((i for i, result in enumerate(h.results) if result is not None), None)
    if index is None:
        return Exit("all_applied", h)
    result = h.results[index] or NO_RESULT
    members = [
        i
        for i, target in enumerate(h.targets)
        if target.group == index and target.unit is not None and h.printed(target.unit).kind is not UnitKind.DUMMY
    ]
    wanted = slots(result, len(members))
    if not wanted or wanted == len(members):
        return _applied(h, index, members, (bool(wanted),) * len(members))
    dice = random_selection(len(members), wanted)
    return Chance(dice, lambda picked: _applied(h, index, members, picked), Seat.ATTACKER)


def _applied(h: Hits, index: int, members: list[int], picked: Picked) -> Exit[Hits]:
    result = h.results[index] or NO_RESULT
    tally: Mapping[str, int] = {}
    targets = list(h.targets)
    for i, target in enumerate(targets):
        if target.group == index and target.unit is not None and h.printed(target.unit).kind is UnitKind.DUMMY:
            targets[i], tally = Target(None, index), merged(tally, {"dummies_removed": 1})
    for i, hit in zip(members, picked, strict=True):
        unit = targets[i].it
        if unit.seen is not Concealment.KNOWN:
            unit, tally = changed(unit, seen=Concealment.KNOWN), merged(tally, {"revealed": 1})
        targets[i], more = _struck(h, unit, result, hit)
        tally = merged(tally, more)
    after = changed(h, results=(*h.results[:index], None, *h.results[index + 1 :]), targets=tuple(targets))
    hit_count = sum(picked)
    words = f"{result}: Random Selection hits {hit_count}" if hit_count else f"{result} on each target"
    return Exit("applied", after, tally=tally, label=words)


def _struck(h: Hits, unit: Unit, result: Result, hit: bool) -> tuple[Target, Mapping[str, int]]:
    printed = h.printed(unit)
    owes = effect(
        result, selected=hit, breakable=not unbreakable(unit, printed), smc=printed.smc, pinnable=pinnable(unit)
    )
    if owes.casualty is Casualty.ELIMINATED:
        return Target(None), seen_as(loss(printed), prc=h.prc)
    if owes.breaks:
        return Target(broken(unit)), seen_as({"broken": 1}, prc=h.prc)
    return Target(unit, 0, None if owes == Effect() else owes), {}


@results.step(asl("A7.302"), "Casualty Reduction", calls=("check",), reduced="leaders_check", none="leaders_check")
def casualties(h: Hits) -> Node[Hits]:
    """Each unit that the result reduces is reduced before any check is taken."""
    hit = [i for i, t in enumerate(h.targets) if t.owes is not None and t.owes.casualty is Casualty.REDUCED]
    if not hit:
        return Exit("none", h)

    def fold(h: Hits, run: int, back: Returned) -> Hits:
        target, unit = h.targets[hit[run]], back.state.unit
        after = None if unit is None else changed(target.it, printed=unit.printed, traits=unit.traits)
        check = None if target.owes is None else target.owes.check
        owes = None if after is None or check is None else Effect(check=check)
        return h.put(hit[run], Target(after, 0, owes))

    subs = tuple(Check(h.setup, unarmed(h.targets[i].it), CheckKind.CASUALTY, prc=h.prc) for i in hit)
    return Each("check", subs, h, fold, lambda h: Exit("reduced", h))


# ------------------------------------------------------------------ checks, leaders first


def _check(h: Hits, target: Target) -> Check:
    owes = target.owes or Effect()
    kind = CheckKind.TC if owes.check is None else CheckKind.MC
    return Check(h.setup, unarmed(target.it), kind, owes.check or 0, helper(h, target.it), prc=h.prc)


def _checked(h: Hits, index: int, back: Returned) -> Hits:
    target, unit = h.targets[index], back.state.unit
    after = None
    if unit is not None:
        after = changed(target.it, printed=unit.printed, morale=unit.morale, traits=unit.traits)
    h = h.put(index, Target(after))
    for born in back.state.born:
        h = changed(h, targets=(*h.targets, Target(born)))
    return h


@results.step(asl("A10.2"), "Leaders check first", calls=("check",), checked="leaders_check", no_leader="others_check")
def leaders_check(h: Hits) -> Node[Hits]:
    """Leaders check before the others, the highest Morale Level first; a leader never helps himself."""
    owing = [i for i, t in enumerate(h.targets) if t.owes is not None and h.printed(t.it).leader]
    if not owing:
        return Exit("no_leader", h)
    index = max(owing, key=lambda i: h.printed(h.targets[i].it).ml)
    return Call("check", _check(h, h.targets[index]), lambda back: Exit("checked", _checked(h, index, back)))


@results.step(asl("A7.304"), "Every other unit checks", calls=("check",), checked="leader_loss", none="leader_loss")
def others_check(h: Hits) -> Node[Hits]:
    """Each remaining unit checks by itself, helped by one unbroken, unpinned leader."""
    owing = [i for i, t in enumerate(h.targets) if t.owes is not None]
    if not owing:
        return Exit("none", h)
    subs = tuple(_check(h, h.targets[i]) for i in owing)
    return Each("check", subs, h, lambda h, run, back: _checked(h, owing[run], back), lambda h: Exit("checked", h))


@results.step(asl("A10.2"), "Leader Loss", calls=("check",), checked="settled", none="settled")
def leader_loss(h: Hits) -> Node[Hits]:
    """A leader who was eliminated causes a LLMC with his modifier reversed, one who broke a LLTC, for lower ML.

    A unit takes one check for all the leaders lost in one attack, the worst that concerns it.
    """
    losses = tuple(_losses(h))
    owing = [(i, loss) for i, t in enumerate(h.targets) if t.unit is not None and (loss := _felt(h, t.unit, losses))]
    if not owing:
        return Exit("none", h)
    subs = tuple(
        Check(
            h.setup,
            unarmed(h.targets[i].it),
            CheckKind.MC if loss.eliminated else CheckKind.TC,
            loss.modifier,
            helper(h, h.targets[i].it),
            prc=h.prc,
            leader_lost=True,
        )
        for i, loss in owing
    )
    return Each("check", subs, h, lambda h, run, back: _checked(h, owing[run][0], back), lambda h: Exit("checked", h))


class _Loss(NamedTuple):
    """A leader lost; the greater one is the worse."""

    eliminated: bool
    modifier: int
    ml: int


def _losses(h: Hits) -> Iterator[_Loss]:
    for before, target in zip(h.before, h.targets, strict=False):
        printed = h.printed(before)
        if printed.leader and not before.broken and (target.unit is None or target.it.broken):
            yield _Loss(target.unit is None, max(-(printed.leadership or 0), 0), printed.ml)


def _felt(h: Hits, unit: Unit, losses: tuple[_Loss, ...]) -> _Loss | None:
    """The worst loss of a leader of higher ML that a unit feels; who cannot be pinned feels no leader who broke."""
    printed = h.printed(unit)
    if unit.morale is Morale.BERSERK or printed.kind is UnitKind.DUMMY:
        return None
    feels = {True: not unit.has(Trait.HEROIC), False: pinnable(unit)}
    return max((loss for loss in losses if loss.ml > printed.ml and feels[loss.eliminated]), default=None)


@results.step(asl("A7.3"), "The results stand", applied="applied")
def settled(h: Hits) -> Node[Hits]:
    """What became of every target stands; how it came about is forgotten."""
    return Exit("applied", Hits(h.setup, (), tuple(Target(t.unit) for t in h.targets), (), h.prc))
