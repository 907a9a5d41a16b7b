"""Do two games differ at all? A hash of the whole extracted graph that does not look at states."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import TYPE_CHECKING

from overrun.analysis.game import Option

if TYPE_CHECKING:
    from overrun.analysis.graphs import Graph


def fingerprint(game: Graph) -> str:
    """Equal for games that no player could tell apart: same choices, chances, counts and endings everywhere."""
    of: list[bytes] = []

    def written(option: Option) -> str:
        arcs: dict[tuple[object, bytes], int] = {}
        for weight, tally, child in option.arcs:
            arcs[tally, of[child]] = arcs.get((tally, of[child]), 0) + weight
        fan = sorted(
            (repr(tally), to.hex(), str(Fraction(weight, option.total))) for (tally, to), weight in arcs.items()
        )
        gains = sorted((name, str(Fraction(gain, option.total))) for name, gain in option.gains.items() if gain)
        return repr((option.id, fan, gains))

    for row in game.rows:
        text = repr((row.outcome, row.seat, [written(option) for option in row.options]))
        of.append(hashlib.sha256(text.encode()).digest()[:16])
    return hashlib.sha256(written(game.start).encode()).hexdigest()[:32]
