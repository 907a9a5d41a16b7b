"""An oracle that shares nothing with analysis: whole histories replayed one by one, nothing merged or remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from overrun.kernel import Call, Chance, Decision, Each, End, Position, Rules, Seat

Tally = Counter[str]


def best(rules: Rules[Any], position: Position[Any], weights: Mapping[str, Any]) -> Fraction:
    """The value of zero-sum best play, the attacker maximising."""
    match rules.at(position):
        case End():
            return Fraction(0)
        case Decision(seat=seat, options=options):
            pick = max if seat is Seat.ATTACKER else min
            return pick(_worth(rules, position, exit, weights) for exit in options)
        case Chance(dice=dice, then=then):
            faces = list(product(*(range(1, side + 1) for side in dice.sides)))
            return sum((_worth(rules, position, then(dice.read(face)), weights) for face in faces), Fraction(0)) / len(
                faces
            )
        case Call() | Each() as call:
            return best(rules, rules.enter(position, call), weights)
        case exit:
            return _worth(rules, position, exit, weights)


def _worth(rules: Rules[Any], position: Position[Any], exit: Any, weights: Mapping[str, Any]) -> Fraction:
    gained = sum(Fraction(weights.get(name, 0)) * count for name, count in (exit.tally or {}).items())
    return gained + best(rules, rules.follow(position, exit), weights)


def played_out(
    rules: Rules[Any],
    position: Position[Any],
    choose: Callable[[Position[Any], Decision[Any]], Any],
    tally: Mapping[str, int] | None = None,
    chance: Fraction = Fraction(1),
) -> Counter[tuple[str, frozenset[tuple[str, int]]]]:
    """The chance of each whole result (outcome and tally) when `choose` picks the option at every decision."""
    counts: Counter[str] = Counter(tally or {})
    found: Counter[tuple[str, frozenset[tuple[str, int]]]] = Counter()

    def leave(exit: Any, share: Fraction) -> None:
        found.update(
            played_out(rules, rules.follow(position, exit), choose, counts + Counter(exit.tally or {}), chance * share)
        )

    match rules.at(position):
        case End(outcome=outcome):
            found[outcome, frozenset(counts.items())] += chance  # type: ignore[assignment]
        case Decision() as node:
            leave(choose(position, node), Fraction(1))
        case Chance(dice=dice, then=then):
            faces = list(product(*(range(1, side + 1) for side in dice.sides)))
            for face in faces:
                leave(then(dice.read(face)), Fraction(1, len(faces)))
        case Call() | Each() as call:
            found.update(played_out(rules, rules.enter(position, call), choose, counts, chance))
        case exit:
            leave(exit, Fraction(1))
    return found


def histories(rules: Rules[Any], position: Position[Any]) -> int:
    """How many sequences of choices and dice faces lead to an end, counted one by one."""
    match rules.at(position):
        case End():
            return 1
        case Decision(options=options):
            return sum(histories(rules, rules.follow(position, exit)) for exit in options)
        case Chance(dice=dice, then=then):
            faces = product(*(range(1, side + 1) for side in dice.sides))
            return sum(histories(rules, rules.follow(position, then(dice.read(face)))) for face in faces)
        case Call() | Each() as call:
            return histories(rules, rules.enter(position, call))
        case exit:
            return histories(rules, rules.follow(position, exit))
