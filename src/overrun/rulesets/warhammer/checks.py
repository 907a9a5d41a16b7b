"""What a situation file may not say although each key is well formed: names, shapes, places, and unread rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot
from typing import TYPE_CHECKING

from overrun.kernel import Problem
from overrun.rulesets.warhammer import distance, path
from overrun.rulesets.warhammer.editions import EDITIONS, Edition
from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.path import What
from overrun.rulesets.warhammer.rulings import RULINGS, wfb
from overrun.rulesets.warhammer.setup import Fate, Ground, Own, Setup, Unit
from overrun.rulesets.warhammer.shapes import ROUNDING, Polygon, area, crosses_itself, separation

if TYPE_CHECKING:
    from overrun.rulesets.warhammer.scenario import File


def names(file: File) -> Iterator[Problem]:
    """Unknown, doubled and contradictory names and counts."""
    ids = [unit.id for unit in file.units]
    for place, unit in enumerate(file.units, 1):
        where = f"units[{place}]"
        if unit.id in ids[: place - 1]:
            yield Problem(f"{where}.id", f"{unit.id!r} is used twice", "one id for each unit")
        if unit.models is None and unit.ranks is None and not unit.at:
            yield Problem(f"{where}.models", f"{unit.id} has no number of models", "models, ranks, or the places in at")
        for other in unit.engaged_with:
            if other not in ids:
                yield Problem(f"{where}.engaged_with", f"there is no unit {other!r}", ", ".join(ids))
        if unit.at and unit.kind != "skirmishers":
            yield Problem(f"{where}.at", "only skirmishers stand apart from each other", "kind = 'skirmishers'")
        if unit.at and unit.models is not None and unit.models != len(unit.at):
            yield Problem(f"{where}.at", f"{len(unit.at)} places for {unit.models} models", "one place for each model")
    if file.overrunner not in ids:
        yield Problem("overrunner", f"there is no unit {file.overrunner!r}", ", ".join(ids))
    else:
        mover = file.units[ids.index(file.overrunner)]
        if mover.side is not Own.OWN:
            yield Problem("overrunner", f"{mover.id} is on the enemy side", "a unit with side = 'own'")
    seen: set[str] = set()
    for place, terrain in enumerate(file.terrain, 1):
        if terrain.id in seen:
            yield Problem(f"terrain[{place}].id", f"{terrain.id!r} is used twice", "one id for each piece")
        seen.add(terrain.id)
    yield from _attacks(file)


def _attacks(file: File) -> Iterator[Problem]:
    fates = {opponent.name: opponent.fate for opponent in file.combat.opponents}
    for place, group in enumerate(file.combat.attacks, 1):
        where = f"combat.attacks[{place}]"
        if group.against not in fates:
            yield Problem(f"{where}.against", f"there is no opponent {group.against!r}", ", ".join(fates))
        elif fates[group.against] is not Fate.TO_BE_FOUGHT:
            yield Problem(
                f"{where}.against", f"the fate of {group.against!r} is already known", "an opponent still to be fought"
            )
    targets = {group.against for group in file.combat.attacks}
    for place, opponent in enumerate(file.combat.opponents, 1):
        if opponent.fate is Fate.TO_BE_FOUGHT and opponent.name not in targets:
            yield Problem(
                f"combat.opponents[{place}].fate", "no attacks are given against it", "combat.attacks, or its fate"
            )


def edition(name: str, chosen: Mapping[str, str]) -> Iterator[Problem]:
    """An unknown edition, or a ruling that this edition's text settles the other way."""
    if name not in EDITIONS:
        yield Problem("edition", f"{name!r} is no edition", ", ".join(EDITIONS))
        return
    known = {ruling.name for ruling in RULINGS}
    for ruling, reading in EDITIONS[name].rulings.items():
        if ruling in known and chosen.get(ruling, reading) != reading:
            yield Problem(
                f"rulings.{ruling}", f"the text of {EDITIONS[name].title} settles it", reading, EDITIONS[name].cite
            )


def outlines(file: File) -> Iterator[Problem]:
    """Terrain that crosses itself or has no area."""
    for place, terrain in enumerate(file.terrain, 1):
        where = f"terrain[{place}].outline"
        if crosses_itself(terrain.outline):
            yield Problem(
                where, f"the outline of {terrain.id} crosses or touches itself", "corners in order, once round"
            )
        elif abs(area(terrain.outline)) < 1e-6:
            yield Problem(where, f"{terrain.id} has no area", "three or more corners that are not in line")


def table(setup: Setup) -> Iterator[Problem]:
    """Units that stand off the table, in each other, or in what nobody can enter."""
    units = (setup.mover, *setup.units)
    xs, ys = [x for x, _ in setup.table], [y for _, y in setup.table]
    for unit in units:
        points = [p for piece in unit.pieces for p in piece]
        if any(
            not (min(xs) - ROUNDING <= x <= max(xs) + ROUNDING and min(ys) - ROUNDING <= y <= max(ys) + ROUNDING)
            for x, y in points
        ):
            yield Problem(
                f"units.{unit.id}",
                "it stands off the table",
                f"x {min(xs):g} to {max(xs):g}, y {min(ys):g} to {max(ys):g}",
            )
    rounds = [_round(unit) for unit in units]
    for i, one in enumerate(units):
        for j in range(i):
            (ax, ay, ar), (bx, by, br) = rounds[i], rounds[j]
            if hypot(ax - bx, ay - by) < ar + br and (depth := _depth(one.pieces, units[j].pieces)) > ROUNDING:
                yield Problem(
                    f"units.{one.id}",
                    f"it overlaps {units[j].id} by {depth:.3f} inches",
                    "bases may touch but not overlap",
                )
        for terrain in setup.terrain:
            barred = terrain.ground in (Ground.IMPASSABLE, Ground.BUILDING) and not one.in_building
            if barred and (depth := _depth(one.pieces, terrain.pieces)) > ROUNDING:
                yield Problem(
                    f"units.{one.id}", f"it stands in {terrain.id}, which nobody can enter", "in_building = true"
                )


def _round(unit: Unit) -> tuple[float, float, float]:
    points = [p for piece in unit.pieces for p in piece]
    x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    return x, y, max(hypot(p[0] - x, p[1] - y) for p in points)


def _depth(one: tuple[Polygon, ...], other: tuple[Polygon, ...]) -> float:
    return max(-separation(a, b) for a in one for b in other)


def rules(setup: Setup) -> Iterator[Problem]:
    """Facts that a rule will ask for and the file does not give, and matters that its edition does not answer."""
    for unit in setup.units:
        if unit.engaged_since_earlier and unit.leadership is None:
            yield Problem(
                f"units.{unit.id}.leadership",
                "a panic test may need it",
                "1 to 10, or rulings.flank_panic = 'waive'",
                wfb("panic"),
            )
    combat = setup.combat
    pivots = combat.struck_on is not Facing.FRONT and setup.ruled("heading_conflict", "pivot")
    if pivots and all(opponent.position is None for opponent in combat.opponents):
        yield Problem("combat.opponents[1].position", "the pivot needs the place of the slain unit", "[x, y] in inches")
    yield from _unread(setup, EDITIONS[setup.edition])


def _unread(setup: Setup, of: Edition) -> Iterator[Problem]:
    """The matters of this situation that its edition leaves unanswered here (W-14)."""
    mover = setup.mover
    near = [met for met in path.meetings(setup) if met.gap <= distance.most(setup)]
    kinds = {met.what for met in near}
    fresh = [setup.by_id[met.id] for met in near if met.what is What.FRESH]
    present = {
        "swiftstride": mover.swiftstride,
        "frenzy": mover.frenzy,
        "reaction": bool(fresh),
        "fleeing": What.FLEEING in kinds,
        "edge": What.EDGE in kinds,
        "psychology": any((mover.causes and not u.immune) for u in fresh),
        "fight_now": any(u.engaged_with for u in fresh),
        "difficult": path.crosses_difficult(setup, distance.most(setup)),
    }
    for matter, why in of.unread.items():
        if present.get(matter):
            yield Problem("edition", f"{of.title} is refused here: {why}", "6e", of.cite)
    if of.must_restrain and not mover.frenzy and mover.leadership is None:
        yield Problem(f"units.{mover.id}.leadership", "staying put needs a Leadership test", "1 to 10", of.cite)
