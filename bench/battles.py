"""Warhammer tables of any size: an overrunner and as many other units as wanted, the same every time."""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.odds import Outlook
from overrun.analysis.policy import Style
from overrun.kernel import InputError, Seat
from overrun.rulesets import ruleset

BASES = ((20, 20), (25, 25), (25, 50), (40, 40))


def battle(units: int, seed: int) -> dict[str, Any]:
    """A crowded table: about the density of a battle line around the overrunner, whatever the number of units."""
    dice = random.Random(seed)
    rules = ruleset("warhammer")
    mover = {"id": "me", "side": "own", "kind": "cavalry", "base": [25, 50], "files": 5, "ranks": 2}
    document: dict[str, Any] = {
        "system": "warhammer",
        "overrunner": "me",
        "table": {"width": 200, "depth": 200, "corner": [-100, -100]},
        "units": [mover | {"position": [0, 0], "movement": 8}],
        "combat": {"opponents": [{"name": "Victims", "fate": "slain"}]},
        "plan": {"choose": ["overrun"], "reaction": ["hold"]},
    }
    half = 3.0 * units**0.5
    while len(document["units"]) < units:
        unit = {
            "id": f"u{len(document['units'])}",
            "side": dice.choice(("enemy", "enemy", "own")),
            "base": list(dice.choice(BASES)),
            "files": dice.randint(2, 6),
            "ranks": dice.randint(1, 4),
            "position": [dice.uniform(-half, half), dice.uniform(-half / 2, half * 1.5)],
            "heading": dice.choice((180.0, dice.uniform(0, 360))),
        }
        document["units"].append(unit)
        try:
            rules.load(document)
        except InputError:
            document["units"].pop()
    return document


def priced(document: dict[str, Any]) -> float:
    """Processor seconds from the parsed file to the exact odds of everything."""
    rules = ruleset("warhammer")
    begun = time.process_time()
    situation = rules.load(document)
    pricing = Pricing(rules, situation, Terms(rules.payoff(), dict.fromkeys(Seat, Style.PLAN)))
    names = [measure.name for measure in rules.measures]
    Outlook(rules.rules, pricing.choice, Style.PLAN, names).at(situation.start)
    return time.process_time() - begun


def spent(units: int, tables: int = 20) -> tuple[float, float]:
    """The median and the longest time of some tables of that size."""
    times = sorted(priced(battle(units, seed)) for seed in range(tables))
    return statistics.median(times), times[-1]
