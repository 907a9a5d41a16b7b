"""What later steps still read of a state; analysis drops the rest, so that equal situations become equal states.

Read with `opportunity.shots`: only armed units, and leaders beside one, keep what matters for fire.
"""

from __future__ import annotations

from functools import lru_cache

from overrun.kernel import changed
from overrun.rulesets.valor.opportunity import means, mortars
from overrun.rulesets.valor.setup import Kind, Setup
from overrun.rulesets.valor.state import ELIMINATED, Condition, State

_BEFORE_ATTACK = frozenset(
    ("declaration", "next_hex", "approach_mines.roll", "approach_fire", "approach_shot", "commitment", "enter_target")
)
_LEAVING = frozenset(("leave_target", "exit_mines.roll", "exit_fire", "exit_shot", "move_ends"))
_ALLOTTING = frozenset(("allot", "losses_taken", "survival"))
_CHOOSING = _BEFORE_ATTACK | {"target_mines.roll", "passengers_join"}


def live(step: str, s: State) -> State:
    """The part of `s` that `step` and the steps after it read."""
    if step == "overrun_ends":
        return State(s.setup, (), (), fate=s.fate)
    if step == "move_ends":
        return changed(s, units=(), pool=(), attacker_pool=(), passengers=())
    leaving = step in _LEAVING
    units, pool = _kept(s.setup, s.units, s.pool, leaving)
    return changed(
        s,
        units=units,
        pool=pool,
        attacker_pool=s.attacker_pool if step in _CHOOSING else (),
        passengers=s.passengers if not leaving and step not in _ALLOTTING else (),
    )


@lru_cache(maxsize=65536)
def _kept(
    setup: Setup, units: tuple[Condition, ...], pool: tuple[int, ...], leaving: bool
) -> tuple[tuple[Condition, ...], tuple[int, ...]]:
    every = range(len(units))
    armed = tuple(_armed(setup, at, units[at], pool) for at in every)
    draws = any(not units[at].eliminated and any(m.pool is not None for m in means(setup, at)) for at in every)
    kept = tuple(_condition(setup, at, units[at], armed, leaving) for at in every)
    return kept, pool if draws else tuple(0 for _ in pool)


def _armed(setup: Setup, at: int, condition: Condition, pool: tuple[int, ...]) -> bool:
    """Has the unit an AT weapon that it could still use?"""
    return not condition.eliminated and any(m.pool is None or pool[m.pool] for m in means(setup, at))


def _condition(setup: Setup, at: int, condition: Condition, armed: tuple[bool, ...], leaving: bool) -> Condition:
    unit = setup.units[at]
    leads = unit.counter.kind is Kind.LEADER and any(
        armed[i] for i, other in enumerate(setup.units) if i != at and other.hex == unit.hex
    )
    if armed[at] or leads or (mortars(unit) and not condition.eliminated):
        return condition
    if leaving:
        return ELIMINATED
    return changed(condition, fired=False, final=False, led=False)
