"""Casualty points: what each unit may take, and which allotments are legal (14.61 to 14.65).

A valorous unit or shielded Gun always ignores the first point laid on it. Its owner may do without (14.63), but every
loss would then absorb one point less and the rest of the hex pay more, so that choice is not offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from overrun.rulesets.valor.figures import figure


@dataclass(frozen=True, slots=True)
class Action:
    """What one unit takes: spare, ignore, pin, reduce, reduce_pin, eliminate, or points on a Gun or vehicle.

    `cost` is how many casualty points it satisfies.
    """

    name: str
    cost: int


SPARE = Action("spare", 0)


@dataclass(frozen=True, slots=True)
class Target:
    """A unit in the hex of an AP attack, as its owner sees it when he allots points.

    `reduces` is the difference in casualty rating to its half squad, None when it cannot be reduced. `ignores` tells
    that the first point on it is ignored. `rolls` marks Guns and vehicles, which roll for survival. `carrier` is the
    index of the vehicle it rides in, `load` the ratings of what would die with it.
    """

    id: str
    label: str
    cr: int
    reduces: int | None = None
    pinned: bool = False
    ignores: bool = False
    rolls: bool = False
    carrier: int | None = None
    load: int = 0
    group: str = ""

    @property
    def extra(self) -> int:
        """The points that it ignores before the first one counts."""
        return int(figure("casualties", "ignored")) if self.ignores else 0


@dataclass(frozen=True, slots=True)
class Attack:
    """Casualty points to be allotted among targets, under the rulings that bear on it."""

    targets: tuple[Target, ...]
    points: int
    irredundant: bool
    pinned_pay_after_pins: bool


Allotment = tuple[Action, ...]
Taken = list[tuple[Target, Action]]


@lru_cache(maxsize=4096)
def actions(target: Target, points: int) -> tuple[Action, ...]:
    """Every action that the rules know for this unit, cheapest first, whatever the others do."""
    pin, extra = int(figure("casualties", "pin")), target.extra
    found = [SPARE]
    if target.ignores:
        found.append(Action("ignore", extra))
    if target.rolls and not target.pinned:
        found.extend(Action("points", cost) for cost in range(pin + extra, points + 1))
        return tuple(found)
    if not target.pinned and target.carrier is None:
        found.append(Action("pin", pin + extra))
    if target.reduces is not None and (not target.pinned or target.carrier is not None):
        found.append(Action("reduce", target.reduces + extra))
        if target.carrier is None:
            found.append(Action("reduce_pin", target.reduces + pin + extra))
    found.append(Action("eliminate", target.cr + extra + target.load))
    return tuple(found)


def gun_result(target: Target, cost: int) -> str:
    """What points on an unpinned Gun or vehicle do: "pinned", "survival_roll", or "eliminated" beyond its rating."""
    counted = cost - target.extra
    if counted <= int(figure("casualties", "pin")):
        return "pinned"
    return "survival_roll" if counted <= target.cr else "eliminated"


def _pins(action: Action, target: Target) -> bool:
    if action.name == "points":
        return gun_result(target, action.cost) == "pinned"
    return action.name in ("pin", "reduce_pin", "ignore")


def _stays_unpinned(action: Action) -> bool:
    return action.name in ("spare", "ignore", "reduce")


def _spent(target: Target, action: Action) -> bool:
    """Can it absorb no more: eliminated, or a Gun or vehicle with its rating laid on it?"""
    if action.name == "points":
        return action.cost - target.extra >= target.cr
    return action.name == "eliminate"


def fault(attack: Attack, allotment: Allotment) -> str | None:
    """Why an allotment is illegal; None when it is legal. It is legal if the owner can take its actions in some order.

    He acts on one unit after another and stops once the total is met, so every action but the last must fall short.
    """
    taken = list(zip(attack.targets, allotment, strict=True))
    total = sum(action.cost for action in allotment)
    if total < attack.points:
        if all(_spent(target, action) for target, action in taken):
            return None
        return f"It would leave {attack.points - total} of {attack.points} points unmet."
    return _order_fault(attack, taken, total) or _redundancy_fault(attack, taken, total)


def _order_fault(attack: Attack, taken: Taken, total: int) -> str | None:
    pinned = [(t, a) for t, a in taken if t.pinned and a.cost]
    return (
        _special_fault(attack, taken, total)
        or _ignored_fault(attack, taken, total)
        or (_pinned_fault(attack, taken, total, pinned) if pinned else _last_fault(attack, taken, total))
    )


def _special_fault(attack: Attack, taken: Taken, total: int) -> str | None:
    """Points beyond a Gun's rating, and passengers of a vehicle that dies."""
    for target, action in taken:
        beyond = action.name == "points" and gun_result(target, action.cost) == "eliminated"
        if beyond and (total > attack.points or not all(_spent(t, a) for t, a in taken if t is not target)):
            return f"{target.label} takes more than its rating {target.cr} only when nothing else can take the rest."
        if target.carrier is not None and action.cost:
            vehicle = attack.targets[target.carrier]
            if vehicle.pinned and taken[target.carrier][1].name == "eliminate":
                return f"{target.label} dies with {vehicle.label}."
    return None


def _ignored_fault(attack: Attack, taken: Taken, total: int) -> str | None:
    ignored = [t for t, a in taken if a.name == "ignore"]
    if len(ignored) > 1 or (ignored and total != attack.points):
        return f"{ignored[0].label} ignores the last point only: more points must go on it before any other unit."
    return None


def _pinned_fault(attack: Attack, taken: Taken, total: int, pinned: Taken) -> str | None:
    """Pinned units pay last, once no unpinned unit is left."""
    fresh = [(t, a) for t, a in taken if not t.pinned and t.carrier is None]
    if left := [t for t, a in fresh if _stays_unpinned(a)]:
        return f"{left[0].label} is still unpinned, and pinned units pay only when no unpinned unit is left."
    if not attack.pinned_pay_after_pins and any(_pins(a, t) for t, a in fresh):
        return "Pins come last of all, so pinned units pay only when every unpinned unit is eliminated."
    before = total - max(a.cost for _, a in pinned)
    return None if before < attack.points else _met_already(attack, before)


def _last_fault(attack: Attack, taken: Taken, total: int) -> str | None:
    """Some action must come last, with the others short of the total; pins last where they do not cover it."""
    points = attack.points
    paid = [(t, a) for t, a in taken if a.cost]
    pins_cover = sum(_pin_cost(t) for t, _ in taken if not t.pinned and t.carrier is None) >= points
    pins = [(t, a) for t, a in paid if _pins(a, t)]
    last_ones = pins if pins and not pins_cover else paid
    if any(_may_be_last(t, a, total, points) for t, a in last_ones):
        return None
    if last_ones is pins and any(_may_be_last(t, a, total, points) for t, a in paid):
        met = total - sum(_last_cost(t, a) for t, a in pins)
        return f"Reductions and eliminations come before pins here, and without its pins {met} of {points} are met."
    return _met_already(attack, total - max(_last_cost(t, a) for t, a in last_ones))


def _pin_cost(target: Target) -> int:
    """How many points a pin of this unit satisfies."""
    return int(figure("casualties", "pin")) + target.extra


def _last_cost(target: Target, action: Action) -> int:
    return int(figure("casualties", "pin")) if action.name == "reduce_pin" else action.cost


def _may_be_last(target: Target, action: Action, total: int, points: int) -> bool:
    if action.name in ("points", "ignore"):
        return total == points
    return total - _last_cost(target, action) < points


def _met_already(attack: Attack, before: int) -> str:
    return f"{before} of {attack.points} points would be met without it, and the allotment stops there."


def _redundancy_fault(attack: Attack, taken: Taken, total: int) -> str | None:
    if not attack.irredundant:
        return None
    pinned_pay = any(t.pinned and a.cost for t, a in taken)
    for target, action in taken:
        cheaper = [
            a
            for a in actions(target, attack.points)
            if a.cost < action.cost
            and a.name != "ignore"
            and not (pinned_pay and not target.pinned and _stays_unpinned(a))
        ]
        if cheaper and total - action.cost + cheaper[-1].cost >= attack.points:
            return f"{target.label} would suffer more than the {attack.points} points need."
    return None


def _alike(attack: Attack, allotment: Allotment) -> str | None:
    """Interchangeable units take their losses in canonical order, the lighter first, so that none is offered twice."""
    last: dict[tuple[str, bool, int], int] = {}
    for target, action in zip(attack.targets, allotment, strict=True):
        if target.group:
            key, rank = (target.group, target.pinned, target.cr), actions(target, attack.points).index(action)
            if rank < last.get(key, 0):
                return f"{target.label} and the one before it are alike: the lighter loss goes to the first."
            last[key] = rank
    return None


@lru_cache(maxsize=4096)
def allotments(attack: Attack) -> tuple[Allotment, ...]:
    """Every legal allotment, one action for each target in order."""
    every = product(*(actions(target, attack.points) for target in attack.targets))
    return tuple(a for a in every if fault(attack, a) is None and _alike(attack, a) is None)


@lru_cache(maxsize=16384)
def options(attack: Attack, taken: Allotment) -> tuple[Action, ...]:
    """The actions open to the next unit, given what the units before it took."""
    at = len(taken)
    legal = {allotment[at] for allotment in allotments(attack) if allotment[:at] == taken}
    return tuple(action for action in actions(attack.targets[at], attack.points) if action in legal)


@lru_cache(maxsize=16384)
def refusals(attack: Attack, taken: Allotment) -> tuple[tuple[Action, str], ...]:
    """The actions closed to the next unit, each with the reason that stands longest against it."""
    at = len(taken)
    legal = options(attack, taken)
    closed = [action for action in actions(attack.targets[at], attack.points) if action not in legal]
    return tuple((action, _reason(attack, (*taken, action))) for action in closed)


def _reason(attack: Attack, begun: Allotment) -> str:
    """The reason of the closest miss: alike units, else the commonest fault of order, else the fewest points unmet."""
    short = ""
    found: dict[str, int] = {}
    for more in product(*(actions(target, attack.points) for target in attack.targets[len(begun) :])):
        allotment = (*begun, *more)
        why = fault(attack, allotment)
        if why is None:
            alike = _alike(attack, allotment)
            assert alike is not None
            return alike
        if sum(action.cost for action in allotment) < attack.points:
            short = why  # the last one found takes the most, so it leaves the fewest points unmet
        else:
            found[why] = found.get(why, 0) + 1
    return max(found, key=lambda why: found[why]) if found else short


def impossible(target: Target) -> Iterator[tuple[str, str, str]]:
    """Actions that the rules never allow this unit: (action, reason, rule section)."""
    if target.rolls and not target.pinned:
        return
    if target.carrier is not None:
        yield "pin", f"{target.label} is a passenger and is never pinned for points.", "14.65"
    elif target.pinned:
        yield "pin", f"{target.label} is pinned already: it can only be eliminated, for its full rating.", "14.62"
        if target.reduces is not None:
            yield "reduce", f"{target.label} is pinned: it can only be eliminated, never reduced.", "14.62"
