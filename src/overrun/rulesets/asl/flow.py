"""The whole graph: every procedure in the order of events of one entry, and what analysis keeps of a state."""

from __future__ import annotations

from overrun.kernel import Rules
from overrun.rulesets.asl.aboard import aboard, escape
from overrun.rulesets.asl.attack import volley
from overrun.rulesets.asl.bounding import bff
from overrun.rulesets.asl.checks import checks
from overrun.rulesets.asl.close import close
from overrun.rulesets.asl.concealment_check import concealment
from overrun.rulesets.asl.declare import declare
from overrun.rulesets.asl.defensive_fire import fire
from overrun.rulesets.asl.departure import departure
from overrun.rulesets.asl.entry import entry
from overrun.rulesets.asl.equal_duel import duel
from overrun.rulesets.asl.exposed import exposed
from overrun.rulesets.asl.live import live
from overrun.rulesets.asl.ordeal import ordeal
from overrun.rulesets.asl.overrun import overrun
from overrun.rulesets.asl.restrictions import RESTRICTIONS
from overrun.rulesets.asl.results import results
from overrun.rulesets.asl.run_down import run_down
from overrun.rulesets.asl.shell import shell
from overrun.rulesets.asl.small_arms import fusillade
from overrun.rulesets.asl.state import State
from overrun.rulesets.asl.strike import strike
from overrun.rulesets.asl.survival import survivor
from overrun.rulesets.asl.terrain_effects import terrain
from overrun.rulesets.asl.wreckage import wreckage

rules: Rules[State] = Rules(
    "asl",
    (
        declare,
        entry,
        concealment,
        terrain,
        fire.mounted("before", "Defensive fire before the OVR (table 1)", held="before_done"),
        fire.mounted("none", "Defensive fire with no OVR (table 2)", held="second_chance"),
        overrun,
        fire.mounted("after", "Reaction Fire after the OVR (table 3)", held="leave"),
        bff,
        departure,
        volley,
        results,
        ordeal,
        checks,
        wreckage,
        fusillade,
        exposed,
        strike,
        close,
        duel,
        survivor,
        run_down,
        aboard,
        escape,
        shell,
    ),
    "approach",
    live=live,
    restrictions=RESTRICTIONS,
).freeze()
