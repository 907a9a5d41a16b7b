"""Advanced Squad Leader: the overrun of rule D7. `ruleset` is what the readers use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from typing import Any

from overrun.kernel import Decision, Position, Ruleset, Seat, Simplification, Situation, Table, changed
from overrun.rulesets.asl import close_combat, damage, defensive_notes, ift, terrain, to_hit, to_kill
from overrun.rulesets.asl.defensive_fire import attacks
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.flow import rules
from overrun.rulesets.asl.outcome import MEASURES, PAYOFFS, describe
from overrun.rulesets.asl.picture import picture
from overrun.rulesets.asl.rulings import RULINGS
from overrun.rulesets.asl.setup import asl
from overrun.rulesets.asl.state import State, opened

__all__ = ["rules", "ruleset"]


def _tables() -> tuple[Table[Any], ...]:
    return (
        ift.ift(),
        ift.kill_line(),
        ift.he_columns(),
        terrain.terrain_table(),
        defensive_notes.defensive_table(),
        to_hit.to_hit_table(),
        to_hit.case_a_table(),
        to_kill.ap_table(),
        to_kill.special_table(),
        to_kill.heat_table(),
        to_kill.he_table(),
        to_kill.unarmored_table(),
        to_kill.aerial_table(),
        damage.collateral_table(),
        close_combat.ccv_table(),
    )


def _load(document: Mapping[str, Any]) -> Situation:
    from overrun.rulesets.asl.scenario import read  # noqa: PLC0415  (pydantic is slow to import)

    built = read(document)
    return Situation(
        built.title,
        Position("approach", opened(built.setup, built.opening)),
        built.setup.rulings,
        built.plan,
        built.dice,
        built.setup.unverified,
        built.hidden,
        built.document,
    )


def _schema() -> Mapping[str, Any]:
    from overrun.rulesets.asl.scenario import schema  # noqa: PLC0415

    return schema()


def _starter() -> str:
    return files("overrun.rulesets.asl").joinpath("starter.toml").read_text(encoding="utf-8")


def _attacks(stage: Stage, state: State) -> Decision[State]:
    """The table of one stage for the units of a situation (A-19, A-20, A-38)."""
    return attacks(changed(state, stage=stage))


ruleset = Ruleset(
    id="asl",
    title="Advanced Squad Leader: overrun (D7)",
    version="1.0",
    edition="rulebook edition v3.01, chapters A to E, with F and G as far as D7 needs them",
    cite=asl("D7"),
    seats={Seat.ATTACKER: "ATTACKER", Seat.DEFENDER: "DEFENDER"},
    rules=rules,
    rulings=RULINGS,
    measures=MEASURES,
    payoffs=PAYOFFS,
    tables=_tables,
    load=_load,
    schema=_schema,
    starter=_starter,
    describe=lambda state: tuple(describe(state)),
    told=lambda state, viewer: tuple(describe(state, viewer)),
    picture=picture,
    simplifications=(
        Simplification(
            "no_heat_of_battle",
            "an Original 2 on a Morale Check is an ordinary pass: Heat of Battle (A15.1) is left out",
            {"heat_of_battle": False},
            lambda state: bool(state.setup.heat_of_battle),
        ),
    ),
    moments={stage.value: (f"{stage.value}.choose", partial(_attacks, stage)) for stage in Stage},
)
