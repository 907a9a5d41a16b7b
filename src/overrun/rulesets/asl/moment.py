"""The moment of a state: what decides beside a unit itself whether it can attack the vehicle, now or later."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from overrun.kernel import Hashed, hashed
from overrun.rulesets.asl import counters
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.presence import exposure
from overrun.rulesets.asl.setup import Setup
from overrun.rulesets.asl.state import State, Unit

REMEMBERED = 1 << 15
"""How many answers about a unit in a moment are kept."""
QUIET = "no_reaction_by_choice"
"""The restriction under which nobody reacts by choice."""


@hashed
@dataclass(frozen=True, slots=True)
class Moment(Hashed):
    """What decides beside the unit itself whether it can attack the vehicle, now or later.

    `most` limits the attacks of one unit, `pf`: the side has inherent LATW shots left, `soft`: there is something that
    small arms can hurt, `carries`: there are Passengers or Riders, `returns`: the vehicle may still leave and come back
    for another OVR of this MPh, `quiet`: nobody will react by choice.
    """

    setup: Setup
    stage: Stage
    most: int
    pf: bool
    soft: bool
    carries: bool
    returns: bool
    quiet: bool = False

    def printed(self, unit: Unit) -> counters.Unit:
        """The counter of a unit."""
        return self.setup.printed[unit.printed]


def moment(s: State) -> Moment:
    """The moment of a state."""
    soft = not s.setup.vehicle.armored or exposure(s).anybody
    quiet = QUIET in s.under
    return _moment(s.setup, s.stage, max(1, s.spent), bool(s.pf), soft, bool(s.vehicle.prc), may_return(s), quiet)


_moment = lru_cache(REMEMBERED)(Moment)
"""Equal moments are one, so that their hash is worked out once."""


def may_return(s: State) -> bool:
    """May the vehicle still leave and come back for another OVR of this MPh?"""
    # The OVR that is declared counts too, until it is resolved: the DR is then kept until enemy vehicles have met it.
    declared = 1 if s.fp and not s.original else 0
    return s.setup.overruns > 1 and s.overruns - s.given.prior_overruns + declared < s.setup.overruns


def tracked(setup: Setup) -> bool:
    """Is the vehicle a fully-tracked AFV, which may run over weapons if it stays?"""
    return setup.vehicle.armored and setup.vehicle.fully_tracked
