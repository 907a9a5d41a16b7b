"""The combat still to be rolled: attack groups that may wipe the enemy out (fact sheet section 8, example W15)."""

from __future__ import annotations

from dataclasses import replace

from overrun.kernel import Chance, Exit, Node, Procedure, Seat, pool
from overrun.rulesets.warhammer.rulings import wfb
from overrun.rulesets.warhammer.setup import AttackGroup, Fate, Opponent
from overrun.rulesets.warhammer.state import State

wipe_out: Procedure[State] = Procedure("wipe_out", "The combat that may wipe the enemy out", wfb("close combat"))

NEVER = 7
"""A score that no die shows: no save."""


def wounded(left: int, unsaved: int, each: int, opponent: Opponent) -> int:
    """Wounds that an opponent has left after some unsaved hits; a hit wastes what exceeds the wounds of one model."""
    for _ in range(unsaved):
        if left <= 0:
            return 0
        model = (left - 1) % opponent.model_wounds + 1
        left -= min(each, model)
    return left


def _group(s: State) -> AttackGroup:
    return s.setup.combat.attacks[s.group]


def _saved(s: State, rolled: int, ward: bool) -> Exit[State]:
    group = _group(s)
    unsaved = s.dice - rolled
    if not ward and group.ward < NEVER and unsaved:
        return Exit("ward", replace(s, dice=unsaved))
    opponent = s.setup.combat.opponents[group.against]
    left = list(s.left)
    left[group.against] = wounded(left[group.against], unsaved, group.wounds, opponent)
    return Exit("next_group", replace(s, left=tuple(left), group=s.group + 1, dice=0))


@wipe_out.step(
    wfb("close combat"),
    "Attacks to come",
    attacks="to_hit",
    wasted="fight",
    wiped_out="eligible",
    survivors="finish",
    already_fought="eligible",
)
def fight(s: State) -> Node[State]:
    """Attack groups strike in the order of the file. When all have struck, every opponent must be dead."""
    combat = s.setup.combat
    if not combat.attacks:
        return Exit("already_fought", replace(s, left=()))
    if s.group < len(combat.attacks):
        group = _group(s)
        if s.left[group.against] == 0 or group.attacks == 0:
            return Exit("wasted", replace(s, group=s.group + 1))
        return Exit("attacks", replace(s, dice=group.attacks))
    alive = any(w for w, o in zip(s.left, combat.opponents, strict=True) if o.fate is Fate.TO_BE_FOUGHT)
    if alive:
        return Exit("survivors", replace(s, left=(), group=0, ending="not_wiped_out"))
    return Exit("wiped_out", replace(s, left=(), group=0))


@wipe_out.step(wfb("close combat"), "To hit", hits="to_wound", misses="fight")
def to_hit(s: State) -> Node[State]:
    """Each attack of the group needs its score on one die to hit."""

    def then(hits: int) -> Exit[State]:
        if not hits:
            return Exit("misses", replace(s, dice=0, group=s.group + 1))
        return Exit("hits", replace(s, dice=hits))

    group = _group(s)
    return Chance(pool(f"{group.name}, to hit", s.dice, group.to_hit), then, Seat.ATTACKER)


@wipe_out.step(
    wfb("close combat"), "To wound", wounds="armour_save", unsaved="fight", no_wounds="fight", ward="ward_save"
)
def to_wound(s: State) -> Node[State]:
    """Each hit needs its score on one die to wound; without any save wounds go straight through."""
    group = _group(s)

    def then(wounds: int) -> Exit[State]:
        if not wounds:
            return Exit("no_wounds", replace(s, dice=0, group=s.group + 1))
        if group.save < NEVER:
            return Exit("wounds", replace(s, dice=wounds))
        after = _saved(replace(s, dice=wounds), 0, ward=False)
        return after if after.name == "ward" else Exit("unsaved", after.state)

    return Chance(pool(f"{group.name}, to wound", s.dice, group.to_wound), then, Seat.ATTACKER)


@wipe_out.step(wfb("close combat"), "Armour saves", next_group="fight", ward="ward_save")
def armour_save(s: State) -> Node[State]:
    """Each wound may be saved by armour; the score already counts what the strength takes off."""
    group = _group(s)
    return Chance(
        pool(f"{group.name}, armour saves", s.dice, group.save),
        lambda saved: _saved(s, saved, ward=False),
        Seat.DEFENDER,
    )


@wipe_out.step(wfb("close combat"), "Ward saves", next_group="fight")
def ward_save(s: State) -> Node[State]:
    """What armour did not stop may be saved by a ward."""
    group = _group(s)
    return Chance(
        pool(f"{group.name}, ward saves", s.dice, group.ward), lambda saved: _saved(s, saved, ward=True), Seat.DEFENDER
    )
