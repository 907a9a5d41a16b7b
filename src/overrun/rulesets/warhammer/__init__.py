"""Warhammer Fantasy Battle, 6th edition: the overrun move on a real table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from overrun.kernel import Rules, Ruleset, Seat, Situation, Table
from overrun.rulesets.warhammer.fresh_enemy import fresh_enemy
from overrun.rulesets.warhammer.move import move
from overrun.rulesets.warhammer.outcome import MEASURES, PAYOFFS, end
from overrun.rulesets.warhammer.picture import picture
from overrun.rulesets.warhammer.rulings import RULINGS, wfb
from overrun.rulesets.warhammer.state import State
from overrun.rulesets.warhammer.throw import throw
from overrun.rulesets.warhammer.trigger import trigger
from overrun.rulesets.warhammer.wipe_out import wipe_out
from overrun.rulesets.warhammer.words import describe


def live(step: str, state: State) -> State:
    """What later steps read: nothing but the ending once the overrun is over, nothing of the attacks once fought."""
    if step == "finish":
        return State(state.setup, ending=state.ending)
    if step in {"eligible", "choose", "restraint", "roll"}:
        return State(state.setup)
    if step in {"straight_on", "fleeing_enemy", "flight", "which_enemy", "facing"}:
        return replace(state, face=None, dice=0)
    return state


rules: Rules[State] = Rules(
    "warhammer", (wipe_out, trigger, throw, move, fresh_enemy, end), entry="fight", live=live
).freeze()


def _load(document: Mapping[str, Any]) -> Situation:
    from overrun.rulesets.warhammer.scenario import load  # noqa: PLC0415  (pydantic is slow to import)

    return load(document)


def _schema() -> Mapping[str, Any]:
    from overrun.rulesets.warhammer.scenario import schema  # noqa: PLC0415

    return schema()


def _tables() -> Sequence[Table[Any]]:
    return ()  # this ruleset computes: it has no printed grids


def _starter() -> str:
    return files("overrun.rulesets.warhammer").joinpath("starter.toml").read_text(encoding="utf-8")


ruleset = Ruleset(
    id="warhammer",
    title="Warhammer Fantasy Battle overrun",
    version="1",
    edition="6th edition (7th, 8th and The Old World where their text was read)",
    cite=wfb("overrun"),
    seats={Seat.ATTACKER: "overrunning player", Seat.DEFENDER: "opponent"},
    rules=rules,
    rulings=RULINGS,
    measures=MEASURES,
    payoffs=PAYOFFS,
    tables=_tables,
    load=_load,
    schema=_schema,
    starter=_starter,
    describe=describe,
    picture=picture,
)
