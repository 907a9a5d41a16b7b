"""What IFT results do to groups of units (A7.301-.306): Random Selection, Casualty Reduction, checks, Leader Loss.

Pure chance, called by the OVR attack for the defenders and by defensive fire for Passengers and Riders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from overrun.kernel import Call, Chance, Each, Exit, Node, Procedure, Returned, Seat, changed
from overrun.rulesets.asl.checks import Check, CheckKind, broken, seen_as, unbreakable
from overrun.rulesets.asl.counters import UnitKind
from overrun.rulesets.asl.hits import UNITS, Hits, Loss, Target, after_check, helper, pinnable, unarmed
from overrun.rulesets.asl.ift import NO_RESULT, Casualty, Effect, Result, effect, slots
from overrun.rulesets.asl.morale import leader_loss_drm
from overrun.rulesets.asl.ordeal import Ordeal, check_owed
from overrun.rulesets.asl.outcome import loss, merged
from overrun.rulesets.asl.selection import Picked, random_selection
from overrun.rulesets.asl.setup import Concealment, asl
from overrun.rulesets.asl.state import Unit

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
            targets[i], tally = target.now(None), merged(tally, {"dummies_removed": 1})
    for i, hit in zip(members, picked, strict=True):
        unit = targets[i].it
        if unit.seen is not Concealment.KNOWN:
            unit, tally = changed(unit, seen=Concealment.KNOWN), merged(tally, {"revealed": 1})
        targets[i], more = _struck(h, targets[i], unit, result, hit)
        tally = merged(tally, more)
    after = changed(h, results=(*h.results[:index], None, *h.results[index + 1 :]), targets=tuple(targets))
    hit_count = sum(picked)
    words = f"{result}: Random Selection hits {hit_count}" if hit_count else f"{result} on each target"
    return Exit("applied", after, tally=tally, label=words)


def _struck(h: Hits, target: Target, unit: Unit, result: Result, hit: bool) -> tuple[Target, Mapping[str, int]]:
    printed = h.printed(unit)
    owes = effect(
        result, selected=hit, breakable=not unbreakable(unit, printed), smc=printed.smc, pinnable=pinnable(unit)
    )
    if owes.casualty is Casualty.ELIMINATED:
        return target.now(None), seen_as(loss(printed), prc=h.prc)
    if owes.breaks:
        return target.now(broken(unit)), seen_as({"broken": 1}, prc=h.prc)
    return target.now(unit, None if owes == Effect() else owes), {}


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
        return h.put(hit[run], target.now(after, owes))

    subs = tuple(Check(h.setup, unarmed(h.targets[i].it), CheckKind.CASUALTY, prc=h.prc) for i in hit)
    return Each("check", subs, h, fold, lambda h: Exit("reduced", h))


# ------------------------------------------------------------------ checks, leaders first


def _ordeal(h: Hits, target: Target, losses: tuple[Loss, ...]) -> Ordeal:
    return Ordeal(h.setup, unarmed(target.it), target.owes, helper(h, target.it), losses, h.prc, target.later)


Targets = tuple[Target, ...]


def _gone_through(targets: Targets, index: int, back: Returned) -> Targets:
    born = map(Target, back.state.born)
    return (*targets[:index], _through(targets[index], back), *targets[index + 1 :], *born)


@lru_cache(UNITS)
def _through(target: Target, back: Returned) -> Target:
    """A target as a check left it."""
    return target.now(after_check(target.it, back.state.unit))


@results.step(asl("A10.2"), "Leaders check first", calls=("check",), checked="leaders_check", no_leader="others_check")
def leaders_check(h: Hits) -> Node[Hits]:
    """Leaders check before the others, the highest Morale Level first; a leader never helps himself."""
    owing = [i for i, t in enumerate(h.targets) if t.owes is not None and h.printed(t.it).leader]
    if not owing:
        return Exit("no_leader", _losing(h))
    index = max(owing, key=lambda i: h.printed(h.targets[i].it).ml)
    target = h.targets[index]
    check = check_owed(h.setup, unarmed(target.it), target.owes or Effect(), helper(h, target.it), prc=h.prc)

    def then(back: Returned) -> Exit[Hits]:
        return Exit("checked", changed(h, targets=_gone_through(h.targets, index, back)))

    return Call("check", check, then)


@results.step(asl("A7.304"), "Every other unit checks", calls=("ordeal",), checked="settled", none="settled")
def others_check(h: Hits) -> Node[Hits]:
    """Each remaining unit checks by itself, helped by one unbroken, unpinned leader; then it feels a Leader Loss."""
    owing = [i for i, t in enumerate(h.targets) if t.unit is not None and (h.losses or t.owes is not None)]
    if not owing:
        return Exit("none", h)

    def fold(targets: Targets, run: int, back: Returned) -> Targets:
        return _gone_through(targets, owing[run], back)

    def then(targets: Targets) -> Exit[Hits]:
        return Exit("checked", changed(h, losses=(), targets=targets))

    subs = tuple(_ordeal(h, h.targets[i], h.losses) for i in owing)
    before: Targets = tuple(t if i in owing else t.settled for i, t in enumerate(h.targets))
    each: Each[Any] = Each("ordeal", subs, before, fold, then)
    return each


def _losing(h: Hits) -> Hits:
    """The hits once the leaders have checked: which of them are lost, and the others as their checks read them."""
    losses = tuple(sorted(set(_losses(h))))

    def left(target: Target) -> Target:
        if target.unit is None:
            return Target(None)
        if losses or target.owes is not None or h.printed(target.unit).leader:
            return Target(target.unit, 0, target.owes, target.later)
        return target.settled

    return Hits(h.setup, (), tuple(map(left, h.targets)), (), h.prc, losses)


def _losses(h: Hits) -> Iterator[Loss]:
    for before, target in zip(h.before, h.targets, strict=False):
        printed = h.printed(before)
        if printed.leader and not before.broken and (target.unit is None or target.it.broken):
            yield Loss(target.unit is None, int(leader_loss_drm(printed.leadership or 0).value), printed.ml)


@results.step(asl("A7.3"), "The results stand", applied="applied")
def settled(h: Hits) -> Node[Hits]:
    """What became of every target stands; how it came about is forgotten."""
    return Exit("applied", Hits(h.setup, (), tuple(target.settled for target in h.targets), (), h.prc))
