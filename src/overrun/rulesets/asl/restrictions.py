"""Named cuts of options, for situations too large for all of them. Best play under one is a bound, and says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from overrun.kernel import Decision, Exit, Position, Restriction, Seat, changed
from overrun.rulesets.asl.acts import bound_to_react
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import Allowed, Mode
from overrun.rulesets.asl.lean_vehicle import lean_vehicle
from overrun.rulesets.asl.moment import QUIET, may_return, moment
from overrun.rulesets.asl.presence import shots_left
from overrun.rulesets.asl.setup import Fired
from overrun.rulesets.asl.state import Act, Arm, Means, State, Unit
from overrun.rulesets.asl.verdicts import gun_verdict

LATE = frozenset({Mode.SFF, Mode.FPF})
ATTACKS, FEW = 3, "three_attacks"


Attacks = list[Exit[Any]]


def _attacks(
    kept: Callable[[State, Attacks], Attacks],
) -> Callable[[Position[Any], Decision[Any]], Sequence[Exit[Any]]]:
    """Keep of the defensive attacks offered together some, and everything that is no attack."""

    def keep(position: Position[Any], node: Decision[Any]) -> Sequence[Exit[Any]]:
        attacks = [exit for exit in node.options if exit.state.act is not None]
        if not attacks or not position.step.endswith(".choose"):
            return node.options
        stay = {exit.id for exit in kept(position.state, attacks)}
        return [exit for exit in node.options if exit.state.act is None or exit.id in stay] or node.options

    return keep


def _acts(fits: Callable[[State, Act], bool]) -> Callable[[Position[Any], Decision[Any]], Sequence[Exit[Any]]]:
    """Keep the defensive attacks that fit."""
    return _attacks(lambda s, attacks: [exit for exit in attacks if fits(s, exit.state.act)])


def _who(act: Act) -> tuple[Unit, ...]:
    return act.units if act.leader is None else (*act.units, act.leader)


def _prompt(s: State, act: Act) -> bool:
    """Nobody marked takes part, but where he must; a Gun may still use Intensive Fire."""
    if act.means is Means.GUN:
        return act.mode not in LATE or act.units[0].owes
    return all(unit.owes or not unit.marked for unit in _who(act))


def _few(s: State, act: Act) -> bool:
    return all(unit.owes or unit.shots < ATTACKS for unit in _who(act))


Forgets = Callable[[str, State], State]


def _in_force(name: str, more: Forgets = lambda step, s: s) -> Forgets:
    """Enter a restriction into the state, and forget what `more` does."""

    def live(step: str, s: State) -> State:
        return more(step, s if name in s.under else changed(s, under=(*s.under, name)))

    return live


def _tired(left: Callable[[State, Unit], int | None], *, limits_late: bool = False) -> Forgets:
    """Forget what only more attacks of a unit would read than it has `left` (None: no limit is known).

    With none left it is as one that has made all it may. Before the OVR a unit may have one more: the Reaction Fire
    that it will owe if it or its Gun is marked so. A crew is left alone before the OVR and while its Gun may keep ROF.
    """

    def live(step: str, s: State) -> State:
        if s.act is not None or not s.units or may_return(s):
            return s
        if step == "reactions":
            s = bound_to_react(s)
        most = max(1, s.spent)

        def rested(unit: Unit) -> Unit:
            if unit.broken or (more := left(s, unit)) is None:
                return unit
            if _serves(s, unit):
                rate = not unit.pinned and any(gun.fired is Fired.UNMARKED for gun in unit.guns)
                if rate or not limits_late or s.stage is not Stage.AFTER:
                    return unit
                more += 1
            if s.stage is not Stage.AFTER and (unit.guns or unit.fired is not Fired.FIRST):
                more += 1
            if more:
                # Where attacks are counted too, their count says more than how many are left.
                return unit if FEW in s.under else changed(unit, shots=max(unit.shots, most - more))
            arms = tuple(sorted(changed(arm, fired=Fired.FIRST) for arm in unit.arms))
            return changed(unit, fired=Fired.FIRST, shots=most, uses=0, cc=False, paatc=False, arms=arms)

        return kept_weapons(s.with_units(map(rested, s.units)))

    def kept_weapons(s: State) -> State:
        """Nothing will be left for the vehicle to run over: who still has a SW attacks in no way that kills him."""
        safe = not any(unit.guns or (unit.arms and not _keeps(s, unit)) for unit in s.units)
        if not limits_late or s.stage is not Stage.AFTER or s.loose or s.setup.location.enemy_afv or not safe:
            return s
        closes = any(unit.owes or not unit.pinned for unit in s.units)
        return changed(s, vehicle=lean_vehicle(s.setup, s.given, s.vehicle, closes=closes, runs_over=False))

    return live


def _serves(s: State, unit: Unit) -> bool:
    """Does a unit man a Gun that it may come to fire?"""
    now = moment(s)
    if s.stage is not Stage.AFTER:
        return any(gun.fired is not Fired.NO_FIRE and not gun.malfunctioned and not gun.limbered for gun in unit.guns)
    return any(isinstance(gun_verdict(now, unit, gun, ""), Allowed) for gun in unit.guns)


def _keeps(s: State, unit: Unit) -> bool:
    """Does a unit keep its SW: it has none to lose, or makes neither CC nor FPF nor a shot that can hurt it?"""
    inherent = [s.setup.weapons[arm.printed].inherent for arm in unit.arms]
    return all(inherent) or (not any(inherent) and not unit.owes and (unit.pinned or unit.broken))


def _unmarked_left(s: State, unit: Unit) -> int | None:
    """How often an unmarked unit can attack until it is marked; a SW that is no PF may keep its ROF, if not pinned."""
    if unit.owes:
        return 1
    if unit.marked:
        return 0
    arms = [s.setup.weapons[arm.printed] for arm in unit.arms if arm.fired is Fired.UNMARKED]
    own = sum(not weapon.inherent for weapon in arms)
    # Before the OVR Heat of Battle may still come to it and make it berserk: then it is not pinned any more.
    stays_pinned = unit.pinned and (s.stage is Stage.AFTER or not s.setup.heat_of_battle)
    if own and not stays_pinned:
        return None
    return 1 + (min(s.pf + own, shots_left(s.setup, unit)) if arms else 0)


def _no_ordnance(step: str, s: State) -> State:
    """Forget which MG may fire where nothing is left that they can hurt on the IFT."""
    if s.act is not None or may_return(s) or moment(s).soft:
        return s
    return s.with_units(_silent(s, unit) for unit in s.units)


def _silent(s: State, unit: Unit) -> Unit:
    """A unit with its MG marked, unless it may come to attack in CC, which asks whether it carries a mark (D7.213)."""
    if not unit.marked and not (s.stage is Stage.AFTER and unit.pinned and not unit.owes):
        return unit
    return changed(unit, arms=tuple(sorted(_fired(s, arm) for arm in unit.arms)))


def _fired(s: State, arm: Arm) -> Arm:
    mg = s.setup.weapons[arm.printed].machine_gun
    return changed(arm, fired=Fired.FIRST) if mg and arm.fired is Fired.UNMARKED else arm


ORDER = (Means.GUN, Means.LATW, Means.FT, Means.MOL, Means.DC, Means.MG, Means.IFT, Means.CC)


def _heaviest(s: State, attacks: Attacks) -> Attacks:
    first = min(ORDER.index(exit.state.act.means) for exit in attacks)
    return [exit for exit in attacks if ORDER.index(exit.state.act.means) == first]


def _one_group(s: State, attacks: Attacks) -> Attacks:
    """Of the attacks on the IFT the ones by most units, under a leader if they can be."""

    def size(exit: Exit[Any]) -> tuple[int, bool]:
        return len(exit.state.act.units), exit.state.act.leader is not None

    most = max((size(exit) for exit in attacks if exit.state.act.means is Means.IFT), default=None)
    return [exit for exit in attacks if exit.state.act.means is not Means.IFT or size(exit) == most]


def _no_bounding_fire(position: Position[Any], node: Decision[Any]) -> Sequence[Exit[Any]]:
    return [exit for exit in node.options if exit.name == "hold"] if position.step == "bounding" else node.options


def _declared(position: Position[Any], node: Decision[Any]) -> Sequence[Exit[Any]]:
    """Before entry: the overrun if there is one to declare, else the entry."""
    if position.step != "approach":
        return node.options
    for name in ("overrun", "overrun_esb", "enter"):
        if kept := [exit for exit in node.options if exit.name == name]:
            return kept
    return node.options


RESTRICTIONS: tuple[Restriction, ...] = (
    # First those that say who may attack, then those that choose among the attacks that are left.
    Restriction(
        "no_mg_to_hit",
        "MG fire on the IFT, never To Hit as ordnance",
        Seat.DEFENDER,
        _acts(lambda s, act: act.means is not Means.MG),
        _no_ordnance,
    ),
    Restriction(
        FEW,
        "a unit attacks the vehicle at most three times, as First Fire, SFF and FPF",
        Seat.DEFENDER,
        _acts(_few),
        _in_force(FEW, _tired(lambda s, unit: int(unit.owes) if unit.shots >= ATTACKS else None)),
    ),
    Restriction(
        "no_late_fire_by_choice",
        "who is marked with a fire counter attacks, directs or joins only where he must (D7.212)",
        Seat.DEFENDER,
        _acts(_prompt),
        _tired(_unmarked_left, limits_late=True),
    ),
    Restriction(
        QUIET,
        "after the OVR only those attack who must (D7.212)",
        Seat.DEFENDER,
        _acts(lambda s, act: s.stage is not Stage.AFTER or all(unit.owes for unit in _who(act))),
        _in_force(QUIET),
        harsh=True,
    ),
    Restriction(
        "only_guns_before",
        "before the OVR only Guns fire; everybody else waits for Reaction Fire",
        Seat.DEFENDER,
        _acts(lambda s, act: s.stage is not Stage.BEFORE or act.means is Means.GUN),
        harsh=True,
    ),
    Restriction(
        "one_fire_group",
        "all who may fire small arms fire as one group, directed if they can be",
        Seat.DEFENDER,
        _attacks(_one_group),
    ),
    Restriction(
        "heaviest_first",
        "Guns fire before LATW, these before small arms, and CC comes last: no attack while a heavier one is possible",
        Seat.DEFENDER,
        _attacks(_heaviest),
    ),
    Restriction(
        "no_bounding_fire",
        "a vehicle that makes no OVR makes no Bounding First Fire either",
        Seat.ATTACKER,
        _no_bounding_fire,
    ),
    Restriction(
        "overrun_declared", "the vehicle declares its OVR, or enters where it cannot", Seat.ATTACKER, _declared
    ),
)
