"""What each roll brings, read from the rules themselves: the rows under the picture, and its ghosts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from overrun.kernel import Call, Chance, Decision, Each, End, Exit
from overrun.rulesets.warhammer import charge, path, words
from overrun.rulesets.warhammer.charge import Arrival, How
from overrun.rulesets.warhammer.distance import overrun_dice
from overrun.rulesets.warhammer.fresh_enemy import arrival, fresh_enemy
from overrun.rulesets.warhammer.inches import degrees, inches
from overrun.rulesets.warhammer.move import harms_chariot, move, suffers_terrain
from overrun.rulesets.warhammer.outcome import end
from overrun.rulesets.warhammer.setup import Setup
from overrun.rulesets.warhammer.shapes import Pose
from overrun.rulesets.warhammer.state import State
from overrun.rulesets.warhammer.trigger import compelled, refusals

CONTACT = {"contact", "target_panics"}
STEPS = {**move.steps, **fresh_enemy.steps, **end.steps}


@dataclass(frozen=True)
class Row:
    """Rolls that bring the same: their chance once the unit overruns, the words for it, and where it ends.

    `pose` lies in the unit's own frame; None when it leaves the table. `arrival` is there when it strikes an enemy.
    """

    rolls: tuple[int, ...]
    chance: Fraction
    words: str
    ending: str
    pose: Pose | None
    arrival: Arrival | None

    @property
    def span(self) -> str:
        """The rolls in words, such as "7 to 12"."""
        first, last = self.rolls[0], self.rolls[-1]
        return str(first) if first == last else f"{first} to {last}"


@dataclass(frozen=True, slots=True)
class Followed:
    """Where a roll leads when the enemy holds, and what then still hangs on a choice or on other dice."""

    state: State
    notes: tuple[str, ...]


def followed(s: State) -> Followed:
    """Follow the rules from a roll on. It stops at a flight whose dice decide; other dice are noted and passed over."""
    step, state = "straight_on", s
    notes: list[str] = []
    while True:
        node = STEPS[step].body(state)
        match node:
            case End():
                return Followed(state, tuple(notes))
            case Exit():
                taken = node
            case Decision():
                taken = node.options[0]
                if len(node.options) > 1:
                    notes.append(CHOICES[step])
            case Chance():
                ways = [(reading, node.then(reading)) for reading, _ in node.dice.outcomes]
                if step == "flight" and len({way.name for _, way in ways}) > 1:
                    caught = max(reading for reading, way in ways if way.name == "caught")
                    return Followed(state, (*notes, f"it flees and is caught on {caught} or less"))
                if step == "panic":
                    notes.append(f"it panics on {min(r for r, way in ways if way.name == 'panics')} or more")
                elif step == "facing":
                    notes.append("a die decides the face")
                taken = ways[0][1]
            case Call() | Each():
                raise TypeError("the move calls no procedures")
        target = STEPS[step].exits[taken.name]
        assert isinstance(target, str)
        step, state = target, taken.state


CHOICES = {
    "which_enemy": "the player may pick the other",
    "facing": "the player may pick the other face",
    "reaction": "if it holds",
}
"""What hangs on a choice, by its step."""


def rows(setup: Setup, only: State | None = None) -> tuple[Row, ...]:
    """Every kind of result of the overrun with its rolls; only the given state's, once it has rolled."""
    if only is not None and only.roll is not None and only.ending:
        return (_row(Followed(only, ()), Fraction(1)),)
    found: list[Row] = []
    dice, _ = overrun_dice(setup)
    for total, weight in dice.outcomes:
        row = _row(followed(State(setup, roll=total)), Fraction(weight, dice.total))
        last = found[-1] if found else None
        if last is not None and (last.words, last.ending) == (row.words, row.ending):
            found[-1] = replace(last, rolls=last.rolls + row.rolls, chance=last.chance + row.chance)
        else:
            found.append(row)
    return tuple(found)


def brings(setup: Setup, total: int) -> str:
    """What a total brings, in words: where the move goes, and the charge when the enemy holds."""
    key = "brings", total
    if key not in setup.memo:
        setup.memo[key] = _row(followed(State(setup, roll=total)), Fraction(1)).words
    found: str = setup.memo[key]
    return found


def _row(followed: Followed, chance: Fraction) -> Row:
    s = followed.state
    assert s.roll is not None
    strikes = arrival(s) if s.ending in CONTACT else None
    told = "; ".join((_words(s, strikes), *followed.notes))
    return Row((s.roll,), chance, told, s.ending, words.resting_place(s), strikes)


def _words(s: State, found: Arrival | None) -> str:
    setup = s.setup
    if found is not None:
        harmed = suffers_terrain(setup) and charge.crosses_difficult(setup, found)
        return _strikes(setup, found) + HARMED * harmed
    reach = path.reach(setup, s.roll or 0)
    place = words.resting_place(s)
    return _goes(s, reach) + HARMED * harms_chariot(setup, place.y if place is not None else reach)


HARMED = "; the chariot takes terrain hits"


FIXED = {
    "halted": "halts 1 inch from an enemy that it may not charge",
    "left_table": "leaves the table",
    "off_at_the_end": "leaves the table",
    "lost": "leaves the table",
    "stopped_at_edge": "stops at the table's edge",
}
"""Endings that need no name."""


def _goes(s: State, reach: float) -> str:
    setup = s.setup
    if s.ending in FIXED:
        return FIXED[s.ending]
    if s.ending in {"", "ran_down"}:
        return f"{'runs down' if s.ending else 'touches'} {setup.by_id[s.struck[0]].name}"
    if s.ending == "blocked":
        met = path.first(setup, reach, s.passed)[0]
        name = setup.by_id[met.id].name if met.id in setup.by_id else _terrain(setup, met.id)
        return f"stops at {name} after {inches(met.stop)}"
    return "moves until 1 inch from an enemy" if _cut(s) else "moves the full roll and meets nobody"


def _cut(s: State) -> bool:
    reach = path.reach(s.setup, s.roll or 0)
    return path.unhindered(s.setup, reach, s.passed) < reach - 1e-6


def _terrain(setup: Setup, id: str) -> str:
    return next(t.name for t in setup.terrain if t.id == id)


def _strikes(setup: Setup, found: Arrival) -> str:
    target = setup.by_id[found.engaged[0]]
    face = f" in the {found.facing}" if found.facing is not None and target.formed else ""
    others = "".join(f" and {setup.by_id[id].name}" for id in found.engaged[1:])
    count = words.models(found.count).replace(" in contact", "")
    wheel = None if found.option is None else found.option.wheel
    if found.how is How.WHEEL and wheel is not None:
        way = f"wheel {degrees(wheel.angle)} {wheel.side}, {inches(found.travelled)}"
    else:
        way = f"straight, {inches(found.travelled)}"
    return f"strikes {target.name}{others}{face}: {count}; {way}"


def text(setup: Setup, found: tuple[Row, ...]) -> Iterator[str]:
    """The picture in sentences: what a reader who cannot see it needs."""
    mover = setup.mover
    ranks = f"{mover.block.files} wide and {mover.block.ranks} deep"
    pose = path.start(setup)
    yield f"{mover.name}, {ranks}, at ({pose.x:.2f}, {pose.y:.2f}), heading {pose.heading:.0f} degrees."
    yield from _trigger(setup)
    for unit in setup.units:
        x, y = path.start(setup).local((unit.block.pose.x, unit.block.pose.y))
        side = "right" if x > 0 else "left"
        ahead = "ahead" if y > 0 else "behind"
        kind = "fleeing " if unit.fleeing else ""
        yield f"{unit.name}, {kind}{unit.side}: {abs(y):.1f} inches {ahead}, {abs(x):.1f} to the {side}."
    for terrain in setup.terrain:
        yield f"{terrain.name}: {terrain.ground} terrain."
    yield from words.ahead(setup)
    for row in found:
        yield f"Roll {row.span}, chance {percent(row.chance)}: {row.words}."


def _trigger(setup: Setup) -> Iterator[str]:
    reasons = [refusal.reason for refusal in refusals(setup)]
    if reasons:
        yield "It may not overrun: " + " ".join(reasons)
    elif compelled(setup) is not None:
        yield "It must overrun."


def percent(chance: Fraction) -> str:
    """A chance to a hundredth of a percent."""
    return f"{float(chance) * 100:.2f} %"
