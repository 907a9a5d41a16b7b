"""Valor & Victory, section 19: armor overruns. `ruleset` is what the readers use."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from overrun.kernel import Rules, Ruleset, Seat, Situation, Table
from overrun.rulesets.valor.allotment import allotment
from overrun.rulesets.valor.anti_tank_fire import anti_tank_fire
from overrun.rulesets.valor.approach import approach, approach_mines
from overrun.rulesets.valor.attack import attack, passenger_valor, target_mines
from overrun.rulesets.valor.declare import declare
from overrun.rulesets.valor.exit_fire import exit_mines, leaving
from overrun.rulesets.valor.figures import ap_combat, armor_elimination, close_assault
from overrun.rulesets.valor.hexmap import vv
from overrun.rulesets.valor.live import live
from overrun.rulesets.valor.outcome import MEASURES, PAYOFFS, describe
from overrun.rulesets.valor.picture import picture
from overrun.rulesets.valor.rulings import RULINGS
from overrun.rulesets.valor.state import State

__all__ = ["rules", "ruleset"]

rules: Rules[State] = Rules(
    "Valor & Victory armor overrun",
    (
        declare,
        approach,
        approach_mines,
        attack,
        target_mines,
        allotment,
        leaving,
        exit_mines,
        anti_tank_fire,
        passenger_valor,
    ),
    entry="declaration",
    live=live,
).freeze()


def _tables() -> tuple[Table[Any], ...]:
    return ap_combat(), armor_elimination(), close_assault()


def _load(document: Mapping[str, Any]) -> Situation:
    from overrun.rulesets.valor.scenario import load  # noqa: PLC0415  (pydantic is slow to import)

    return load(document)


def _schema() -> Mapping[str, Any]:
    from overrun.rulesets.valor.scenario import schema  # noqa: PLC0415

    return schema()


def _starter() -> str:
    return files("overrun.rulesets.valor").joinpath("starter.toml").read_text(encoding="utf-8")


ruleset = Ruleset(
    id="valor",
    title="Valor & Victory: armor overruns",
    version="1.0",
    edition="Standard Game Rules of 2019, revised January 2021, section 19",
    cite=vv("19"),
    seats={Seat.ATTACKER: "AFV player", Seat.DEFENDER: "defender"},
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
