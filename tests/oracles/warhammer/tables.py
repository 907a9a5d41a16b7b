"""Random tables for the geometry tests: everything in inches, nothing taken from the package but its plain shapes."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from overrun.rulesets.warhammer.shapes import Block, Pose, separation

FULL = bool(os.environ.get("OVERRUN_FULL"))
"""Run the full counts of the acceptance list (minutes) instead of the everyday ones (seconds)."""

MM = 1 / 25.4


def counts(full: int, everyday: int) -> settings:
    return settings(
        max_examples=full if FULL else everyday,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )


BASES = st.sampled_from([(20, 20), (25, 25), (25, 50), (40, 40), (50, 50), (50, 100)])


def number(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False, allow_infinity=False, width=32).map(lambda x: round(x, 3) + 1e-4)


@st.composite
def blocks(draw: st.DrawFn, near: float = 14.0) -> Block:
    wide, deep = draw(BASES)
    files, ranks = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    pose = Pose(draw(number(-near, near)), draw(number(-near, near)), draw(number(0.0, 359.0)))
    last = draw(st.integers(1, files))
    return Block(pose, files * (ranks - 1) + last, files, wide * MM, deep * MM)


@st.composite
def movers(draw: st.DrawFn) -> Block:
    wide, deep = draw(BASES)
    files, ranks = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    return Block(Pose(0.0, 0.0, 0.0), files * ranks, files, wide * MM, deep * MM)


@st.composite
def tables(draw: st.DrawFn, others: int) -> tuple[Block, list[Block]]:
    """A mover at the origin and some blocks that overlap neither it nor each other."""
    mover = draw(movers())
    kept: list[Block] = []
    for block in draw(st.lists(blocks(), min_size=1, max_size=others)):
        if all(separation(block.corners, other.corners) > 1e-3 for other in (mover, *kept)):
            kept.append(block)
    return mover, kept
