"""How options name the units and weapons they are about: by counter and condition, since equal units are one option."""

from __future__ import annotations

from collections.abc import Iterable

from overrun.rulesets.asl.outcome import unit_words
from overrun.rulesets.asl.setup import Fired
from overrun.rulesets.asl.state import Arm, GunPiece, Morale, State, Unit


def unit_id(s: State, unit: Unit) -> str:
    """A unit as part of an option's id: its counter, and what tells it from its twins."""
    parts = [unit.printed]
    if unit.morale is not Morale.GOOD:
        parts.append(unit.morale.value)
    if not unit.known:
        parts.append(unit.seen.value)
    if unit.fired is not Fired.UNMARKED:
        parts.append(unit.fired.value)
    if any(other != unit and _id_parts(other) == parts for other in s.units):
        twins = sorted({other for other in s.units if _id_parts(other) == parts})
        parts.append(str(twins.index(unit) + 1))
    return "/".join(parts)


def _id_parts(unit: Unit) -> list[str]:
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
