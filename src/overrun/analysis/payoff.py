"""What each seat wants, read from a preset or from a player's own file."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from overrun.kernel import InputError, Measure, Payoff, Problem, Seat


def wants(payoff: Payoff, seat: Seat) -> dict[str, Fraction]:
    """The weights that a seat maximises; the defender of a zero-sum payoff maximises the attacker's loss."""
    if seat is Seat.ATTACKER:
        return {name: Fraction(weight) for name, weight in payoff.weights.items()}
    if payoff.defender is not None:
        return {name: Fraction(weight) for name, weight in payoff.defender.items()}
    return {name: -Fraction(weight) for name, weight in payoff.weights.items()}


def read_payoff(document: Mapping[str, Any], measures: tuple[Measure, ...]) -> Payoff:
    """A payoff from a parsed TOML document: `name`, `meaning`, `[attacker]` weights, and optional `[defender]` weights.

    Weights are whole numbers, or fractions and decimals as text ("1/2", "0.25"). Raises `InputError` for each problem.
    """
    problems: list[Problem] = []
    known = {measure.name for measure in measures}
    for key in document.keys() - {"name", "meaning", "attacker", "defender"}:
        problems.append(Problem(key, "there is no such key in a payoff file", "name, meaning, [attacker], [defender]"))
    if "attacker" not in document:
        problems.append(
            Problem("attacker", "the attacker's weights are missing", "[attacker] with a weight per measure")
        )

    def weights(seat: str) -> dict[str, Fraction]:
        table = document.get(seat, {})
        read: dict[str, Fraction] = {}
        if not isinstance(table, Mapping):
            problems.append(Problem(seat, "this must be a table of weights", f"[{seat}] with a weight per measure"))
            return read
        for name, weight in table.items():
            where = f"{seat}.{name}"
            if name not in known:
                problems.append(Problem(where, "there is no such measure", ", ".join(sorted(known))))
            elif isinstance(weight, bool) or not isinstance(weight, (int, str)):
                problems.append(
                    Problem(where, f"{weight!r} is no exact number", 'a whole number, or text such as "1/2"')
                )
            else:
                try:
                    read[name] = Fraction(weight)
                except (ValueError, ZeroDivisionError):
                    problems.append(Problem(where, f"{weight!r} is no number", 'a whole number, or text such as "1/2"'))
        return read

    attacker, defender = weights("attacker"), weights("defender") if "defender" in document else None
    if problems:
        raise InputError(problems)
    return Payoff(str(document.get("name", "own")), str(document.get("meaning", "")), attacker, defender)
