"""What later steps still read of a state; analysis drops the rest, so that equal situations become equal states.

Read with `opportunity.shots`: only armed units, and leaders beside one, keep what matters for fire.
"""

from __future__ import annotations

from overrun.kernel import changed
from overrun.rulesets.valor.opportunity import means, mortars
from overrun.rulesets.valor.setup import Kind
from overrun.rulesets.valor.state import ELIMINATED, Condition, State

_BEFORE_ATTACK = frozenset(
    ("declaration", "next_hex", "approach_mines.roll", "approach_fire", "approach_shot", "commitment", "enter_target")
)
_LEAVING = frozenset(("leave_target", "exit_mines.roll", "exit_fire", "exit_shot", "move_ends"))
_CHOOSING = _BEFORE_ATTACK | {"target_mines.roll", "passengers_join"}


def live(step: str, s: State) -> State:
    """The part of `s` that `step` and the steps after it read."""
    if step == "overrun_ends":
        return State(s.setup, (), (), fate=s.fate)
    leaving = step in _LEAVING
    if step == "move_ends":
        return changed(s, units=(), pool=(), attacker_pool=(), passengers=())
    armed = tuple(_armed(s, at) for at in range(len(s.units)))
    pool = s.pool if any(_draws(s, at) for at in range(len(s.units))) else tuple(0 for _ in s.pool)
    return changed(
        s,
        units=tuple(_kept(s, at, armed, leaving) for at in range(len(s.units))),
        pool=pool,
        attacker_pool=s.attacker_pool if step in _CHOOSING else (),
        passengers=s.passengers if not leaving and step not in _ALLOTTING else (),
    )


_ALLOTTING = frozenset(("allot", "losses_taken", "survival"))


def _armed(s: State, at: int) -> bool:
    """Has the unit an AT weapon that it could still use?"""
    if s.units[at].eliminated:
        return False
    return any(weapon.pool is None or s.pool[weapon.pool] for weapon in means(s.setup, at))


def _draws(s: State, at: int) -> bool:
    return not s.units[at].eliminated and any(weapon.pool is not None for weapon in means(s.setup, at))


def _kept(s: State, at: int, armed: tuple[bool, ...], leaving: bool) -> Condition:
    unit, condition = s.setup.units[at], s.units[at]
    leads = unit.counter.kind is Kind.LEADER and any(
        armed[i] for i, other in enumerate(s.setup.units) if i != at and other.hex == unit.hex
    )
    if armed[at] or leads or (mortars(unit) and not condition.eliminated):
        return condition
    if leaving:
        return ELIMINATED
    return changed(condition, fired=False, final=False, led=False)
