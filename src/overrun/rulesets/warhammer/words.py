"""A state in lines that a player reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from overrun.rulesets.warhammer import charge, path
from overrun.rulesets.warhammer.charge import Alignment, Arrival, How
from overrun.rulesets.warhammer.contact import Count
from overrun.rulesets.warhammer.distance import most, overrun_dice
from overrun.rulesets.warhammer.editions import EDITIONS
from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.fresh_enemy import ENOUGH, arrival, flank_bonus, flanked
from overrun.rulesets.warhammer.inches import degrees, inches
from overrun.rulesets.warhammer.maximise import limits
from overrun.rulesets.warhammer.move import named
from overrun.rulesets.warhammer.outcome import ENDINGS
from overrun.rulesets.warhammer.path import What
from overrun.rulesets.warhammer.setup import Fate, Kind, Setup
from overrun.rulesets.warhammer.shapes import Pose
from overrun.rulesets.warhammer.state import State


def describe(state: State) -> Sequence[str]:
    """Where the overrun stands, or how it ended, one fact a line."""
    return tuple(_lines(state))


def _lines(s: State) -> Iterator[str]:
    setup = s.setup
    name = setup.mover.name
    if not s.ending:
        block = setup.mover.block
        yield f"{name}: M {setup.mover.movement}, {many(block.models, 'model')} in {many(block.files, 'file')}."
        yield from _flags(setup)
        dice, _ = overrun_dice(setup)
        yield f"It would roll {dice.name}." if s.roll is None else f"It rolled {s.roll} inches."
        if s.roll is None:
            yield from ahead(setup)
            yield from ladder(setup)
        return
    ending = ENDINGS[s.ending]
    yield f"{name}: {ending[0].lower()}{ending[1:]}"
    if s.roll is None:
        return
    yield f"Roll: {s.roll} inches."
    if s.ending in {"contact", "target_panics"}:
        yield from _contact(s)
    else:
        pose = resting_place(s)
        if pose is not None:
            yield f"It stands at {place(setup, pose)}."
    if s.ending == "left_table":
        yield "It comes back as near as it can to where it left, facing inwards,"
        yield f"{EDITIONS[setup.edition].comes_back}."


def _flags(setup: Setup) -> Iterator[str]:
    if setup.edition != "6e":
        yield f"Played by {EDITIONS[setup.edition].title}."
    if any(o.fate is Fate.CRUMBLED for o in setup.combat.opponents) and setup.ruled("crumble_counts", "yes"):
        yield "The enemy crumbled and was not slain by wounds: this rests on the ruling crumble_counts."
    if setup.combat.struck_on is not Facing.FRONT:
        reading = setup.rulings["heading_conflict"]
        yield f"The enemy stood on its {setup.combat.struck_on}: this rests on the ruling heading_conflict ({reading})."


def ahead(setup: Setup) -> Iterator[str]:
    """What lies on the straight path, with the least roll that meets it."""
    for met in path.meetings(setup)[:3]:
        yield f"{inches(met.gap)} straight ahead: {named(setup, met)}."


def ladder(setup: Setup) -> Iterator[str]:
    """What each number of models costs on the enemy ahead, where a wheel makes a difference.

    Straight on, a roll equal to the gap is enough; real overlap by a wheel needs more than the figure given.
    """
    met = path.first(setup, most(setup))
    found = [m.id for m in met if m.what is What.FRESH]
    if not met and setup.ruled("contact_rule", "reachable_by_wheel"):
        found = list(charge.wheel_targets(setup, most(setup), ()))
    if len(found) != 1:
        return
    target = setup.by_id[found[0]]
    faces = charge.zones(setup, target)[:1] or (
        charge.touched(setup, target, met[0]) if met and not target.loose else ()
    )
    for facing in faces[:1]:
        options = list(charge.wheel_options(setup, target, facing, ()))
        if met and not setup.mover.loose and facing in charge.touched(setup, target, met[0]):
            options.append(charge.straight(setup, target, facing, met[0]))
        steps = limits(options)
        if len({option.wheel for option in steps.values()}) < 2:
            return
        for models_there, option in steps.items():
            wheel = option.wheel
            way = "straight on" if wheel is None else f"a wheel of {degrees(wheel.angle)} to the {wheel.side}"
            cost = f"a roll of {inches(option.cost)}" if option.attained else f"more than {inches(option.cost)}"
            yield f"{models_there} of its models on {target.name}: {way}, {cost}."


def resting_place(s: State) -> Pose | None:
    """Where the unit stands at the end, in its own frame at the start; `None` off the table or before the move."""
    setup = s.setup
    if s.roll is None or s.ending in {"left_table", "off_at_the_end", "lost"}:
        return None
    reach = path.reach(setup, s.roll)
    if s.ending == "moved":
        return Pose(0.0, path.unhindered(setup, reach, s.passed))
    if s.ending in {"", "blocked", "stopped_at_edge", "ran_down"}:
        met = path.first(setup, reach, s.passed)[0]
        return Pose(0.0, met.stop + (s.dice if s.ending == "ran_down" else 0))
    if s.ending == "halted":
        target = min((m for m in path.meetings(setup, s.passed) if m.what is What.FRESH), key=lambda m: m.gap)
        return charge.arrival(setup, s.roll, (target.id,), passed=s.passed, zone=s.face).final
    if s.ending in {"contact", "target_panics"}:
        return arrival(s).final
    return Pose(0.0, 0.0)


def place(setup: Setup, pose: Pose) -> str:
    """A pose of the overrunning unit's frame as table coordinates in words."""
    start = path.start(setup)
    x, y = start.table((pose.x, pose.y))
    return f"({x:.2f}, {y:.2f}), heading {(start.heading + pose.heading) % 360:.1f} degrees"


def many(number: int, what: str) -> str:
    """A number of things.

    >>> many(1, "file"), many(5, "file")
    ('1 file', '5 files')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def models(count: Count) -> str:
    """A count in words."""
    corner = count.closed - count.open
    return f"{many(count.open, 'model')} in contact" + (f" and {corner} more at a corner" if corner > 0 else "")


def _contact(s: State) -> Iterator[str]:
    setup, found = s.setup, arrival(s)
    for id in found.engaged:
        target = setup.by_id[id]
        face = f", in the {found.facing}" if found.facing is not None and target.formed else ""
        yield f"It strikes {target.name}{face}."
    wheel = None if found.option is None else found.option.wheel
    if found.how is How.WHEEL and wheel is not None:
        before = f"{inches(wheel.before)} straight, then " if wheel.before > 0 else ""
        turn = f"a wheel of {degrees(wheel.angle)} to the {wheel.side}"
        yield f"Path: {before}{turn}, then {inches(wheel.after)} straight: {inches(found.travelled)} in all."
    else:
        yield f"Path: {inches(found.travelled)} straight on."
    yield f"{models(found.count)}."
    if found.defenders and found.alignment is not Alignment.LINE:
        yield f"Against it: {many(found.defenders, 'enemy model')}."
    if found.alignment is Alignment.TARGET_TURNS and found.target is not None:
        yield f"Its place along the enemy is taken: the enemy turns to it instead, to {place(setup, found.target)}."
    elif found.alignment is Alignment.UNALIGNED:
        yield "The two are not aligned."
    elif found.alignment is Alignment.LINE and found.defenders:
        yield f"{found.defenders} skirmishers form a line on its front."
    target = setup.by_id[found.engaged[0]]
    if target.kind is Kind.WAR_MACHINE:
        yield "The crew steps between its machine and the charger."
    yield f"It stands at {place(setup, found.final)}."
    if s.ending != "target_panics":
        yield from _next_turn(setup, found)


def _next_turn(setup: Setup, found: Arrival) -> Iterator[str]:
    target = setup.by_id[found.engaged[0]]
    yield "Next turn it fights, counts as charging and strikes first; the enemy cannot move away."
    yield "It is in combat: nobody may shoot at it."
    if found.facing is not None and flanked(found.facing):
        strength = setup.mover.strength
        won, most_won = flank_bonus(found.facing, strength), flank_bonus(found.facing, ENOUGH)
        if won:
            yield f"+{won} for the {found.facing} if its unit strength is still {ENOUGH} at the end of the round."
            yield "The enemy's ranks do not count."
        else:
            yield f"Unit strength {strength}: no +{most_won} for the {found.facing}, and the enemy's ranks count."
    if target.behind_obstacle:
        yield "The enemy defends an obstacle: it is hit on sixes until a round of combat is won."
    yield "If an enemy charges it in between, chargers strike in the order in which they charged."
