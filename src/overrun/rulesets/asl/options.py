"""How options name the units and weapons they are about: by counter and condition, since equal units are one option."""

from __future__ import annotations

from collections.abc import Iterable

from overrun.rulesets.asl.lean import lean_unit
from overrun.rulesets.asl.outcome import unit_words
from overrun.rulesets.asl.setup import Fired
from overrun.rulesets.asl.state import Arm, GunPiece, Morale, State, Unit


def unit_id(s: State, unit: Unit) -> str:
    """A unit as part of an option's id: its counter, and what tells it from its twins."""
    parts = _parts(unit)
    kept = lean_unit(s, unit)
    if kept is not None and sum(1 for other in s.units if _parts(other) == parts) > 1:
        others = {lean for other in s.units if (lean := lean_unit(s, other)) is not None and _parts(lean) == parts}
        if len(others) > 1 and kept in others:
            parts = [*parts, str(sorted(others).index(kept) + 1)]
    elif kept is None and any(_parts(other) == parts and lean_unit(s, other) is not None for other in s.units):
        parts = [*parts, "spent"]
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


def units_id(s: State, units: Iterable[Unit]) -> str:
    """Several units as part of an option's id."""
    return "+".join(unit_id(s, unit) for unit in units)


def piece_id(piece: Arm | GunPiece) -> str:
    """A weapon as part of an option's id."""
    return piece.printed if piece.fired is Fired.UNMARKED else f"{piece.printed}/{piece.fired.value}"


def unit_label(s: State, unit: Unit) -> str:
    """A unit on a button."""
    return unit_words(s, unit)


def piece_label(s: State, piece: Arm | GunPiece) -> str:
    """A weapon on a button."""
    return s.setup.guns[piece.printed].name if isinstance(piece, GunPiece) else s.setup.weapons[piece.printed].name
