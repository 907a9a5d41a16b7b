"""Graphs written by hand, where worths are known by inspection."""

from array import array

from overrun.compiled.graph import ENDED, Compiled

ATTACKER, DEFENDER = 0, 1


def choice(seat: int, total: int, *gains: int) -> Compiled:
    """One decision: option k counts `gains[k] / total` points, then the overrun ends."""
    count = len(gains)
    return Compiled(
        measures=("points",),
        whole=True,
        restrictions=(),
        seats=bytes([ENDED, seat, 0]),
        words=("over", "choose", "start"),
        names=(*(f"take-{gain}" for gain in gains), "start"),
        tallies=((), (("points", 1),)),
        first=array("I", [0, 0, count, count + 1]),
        arcs=array("I", [*range(0, 2 * count + 1, 2), 2 * count + 1]),
        to=array("I", [0] * (2 * count) + [1]),
        tally=array("I", [1, 0] * count + [0]),
        gained=array("I", [*range(count + 1), count]),
        gain_of=array("I", [0] * count),
        weights=[weight for gain in gains for weight in (gain, total - gain)] + [1],
        totals=[total] * count + [1],
        gains=list(gains),
        digests=array("Q", [0, 1, 0]),
    )
