"""How many histories a position has: the count that changes when any rule changes, as in chess."""

from __future__ import annotations

from typing import Any

from overrun.kernel import Call, Chance, Decision, Each, End, Exit, Position, Rules


def perft(rules: Rules[Any], start: Position[Any]) -> int:
    """The number of distinct sequences of choices and dice faces from a position to an end.

    It walks as play walks, through every step of every called procedure, and so shares nothing with extraction.
    """
    counts: dict[Position[Any], int] = {}
    stack: list[Position[Any]] = [start]
    while stack:
        position = stack[-1]
        if position in counts:
            stack.pop()
            continue
        following = [(rules_weight, after) for rules_weight, after in _following(rules, position)]
        if waiting := [after for _, after in following if after not in counts]:
            stack.extend(waiting)
        else:
            counts[position] = sum(weight * counts[after] for weight, after in following) if following else 1
            stack.pop()
    return counts[start]


def _following(rules: Rules[Any], position: Position[Any]) -> list[tuple[int, Position[Any]]]:
    match rules.at(position):
        case Decision(options=options):
            return [(1, rules.follow(position, exit)) for exit in options]
        case Chance(dice=dice, then=then):
            return [(weight, rules.follow(position, then(value))) for value, weight in dice.outcomes]
        case Exit() as exit:
            return [(1, rules.follow(position, exit))]
        case End():
            return []
        case Call() | Each() as call:
            return [(1, rules.enter(position, call))]
