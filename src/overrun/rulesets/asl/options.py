"""How options name the units and weapons they are about: by counter and condition, since equal units are one option.

Units and weapons are named as far as later steps read them, so that full and live states use the same names.
"""

from __future__ import annotations

from functools import lru_cache

from overrun.rulesets.asl.lean import lean_piece, lean_unit
from overrun.rulesets.asl.moment import REMEMBERED, Moment
from overrun.rulesets.asl.outcome import unit_words
from overrun.rulesets.asl.setup import Fired
from overrun.rulesets.asl.state import Arm, GunPiece, Morale, State, Unit


@lru_cache(REMEMBERED)
def unit_id(m: Moment, units: tuple[Unit, ...], unit: Unit) -> str:
    """One of these units as part of an option's id: its counter, and what tells it from its twins."""
    kept = lean_unit(m, unit)
    parts = _parts(kept or unit)
    alike = {lean for other in units if (lean := lean_unit(m, other)) is not None and _parts(lean) == parts}
    if kept is None and alike:
        parts = [*parts, "spent"]
    elif len(alike) > 1 and kept is not None:
        parts = [*parts, str(sorted(alike).index(kept) + 1)]
    return "/".join(parts)


def _parts(unit: Unit) -> list[str]:
    parts = [unit.printed]
    if unit.morale is not Morale.GOOD:
        parts.append(unit.morale.value)
    if not unit.known:
        parts.append(unit.seen.value)
    if unit.fired is not Fired.UNMARKED:
        parts.append(unit.fired.value)
    return parts


def piece_id(m: Moment, unit: Unit, piece: Arm | GunPiece) -> str:
    """A weapon that a unit possesses as part of an option's id."""
    fired = lean_piece(m, unit, piece).fired
    return piece.printed if fired is Fired.UNMARKED else f"{piece.printed}/{fired.value}"


def unit_label(s: State, unit: Unit) -> str:
    """A unit on a button."""
    return unit_words(s, unit)
