"""Crowded tables: an enemy ahead and others close around the way to it, so that wheels are searched among them."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from overrun.rulesets.warhammer.shapes import separation
from tests.warhammer.tabletop import ME, Document, document, shape

BASES = ([20, 20], [25, 25], [25, 50], [40, 40], [50, 50])


def crowd(seed: int) -> Document:
    """One table; the same seed gives the same table. The target is the unit "e0"."""
    dice = Random(seed)
    mover = ME | {"base": dice.choice(BASES), "files": dice.randint(1, 6), "ranks": dice.randint(1, 3)}
    units = [mover | {"movement": dice.choice((4, 8))}]
    target = {
        "id": "e0",
        "side": "enemy",
        "base": dice.choice(BASES),
        "files": dice.randint(1, 5),
        "ranks": dice.randint(1, 3),
        "position": [dice.uniform(-2.5, 2.5), dice.uniform(4, 12)],
        "heading": 180 + dice.gauss(0, 30),
    }
    units.append(target)
    for i in range(1, dice.randint(2, 10)):
        unit = {
            "id": f"e{i}",
            "side": dice.choice(("enemy", "own", "own")),
            "base": dice.choice(BASES),
            "files": dice.randint(1, 5),
            "ranks": dice.randint(1, 3),
            "position": [dice.uniform(-7, 7), dice.uniform(-2, 11)],
            "heading": dice.uniform(0, 360),
        }
        if all(separation(shape(unit), shape(other)) > 1e-3 for other in units):
            units.append(unit)
    rulings = {
        "contact_rule": dice.choice(("swept_path", "reachable_by_wheel")),
        "wheel_when": dice.choice(("any_point", "any_point", "start_only")),
        "wheel_measure": dice.choice(("arc", "arc", "chord")),
    }
    return document(units, rulings=rulings)


crowds = st.integers(0, 2**32 - 1).map(crowd)
