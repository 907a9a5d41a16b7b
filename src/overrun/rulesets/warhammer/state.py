"""What changes during an overrun and a later rule reads."""

from __future__ import annotations

from dataclasses import dataclass, field

from overrun.rulesets.warhammer.facing import Facing
from overrun.rulesets.warhammer.setup import Setup


@dataclass(frozen=True, slots=True)
class State:
    """Where the overrun stands.

    `left`: wounds that each opponent of the combat has left, while its attacks are still rolled. `passed`: fleeing
    enemies that the move goes by. `struck`: the enemies touched, the chosen one first. `face`: the face of the zone
    that the charge started in. `reach`: inches that the roll is worth. `ending`: the word for the end reached.
    """

    setup: Setup = field(compare=False, repr=False)
    left: tuple[int, ...] = ()
    group: int = 0
    dice: int = 0
    roll: int | None = None
    passed: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    face: Facing | None = None
    ending: str = ""
