"""Random situations through the conformance suite: no crash, weights sum, refusals raise, `live` changes no answer."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overrun import testing
from overrun.kernel import Position
from overrun.rulesets.asl import ruleset
from overrun.rulesets.asl.setup import (
    Approach,
    Concealment,
    Entrenchment,
    Fired,
    GunOpening,
    Hexside,
    Location,
    Motion,
    RiderOpening,
    Terrain,
    UnitOpening,
    Way,
    WeaponOpening,
)
from overrun.rulesets.asl.state import State
from tests.asl.steps.situations import BLITZ, HALFTRACK, PZ_IIIH, T34, start

EXAMPLES = int(os.environ.get("OVERRUN_EXAMPLES", "60"))
MEASURES = frozenset(measure.name for measure in ruleset.measures)
RULINGS = {ruling.name: st.sampled_from(tuple(ruling.options)) for ruling in ruleset.rulings}

UNITS = st.builds(
    UnitOpening,
    st.just("u"),
    st.sampled_from(("4-4-7", "4-6-7", "6-2-8", "2-3-7", "2-4-7", "2-2-8", "8-1", "8-1R", "1-4-9", "?")),
    st.sampled_from(Concealment),
    st.sampled_from((Fired.UNMARKED, Fired.UNMARKED, Fired.FIRST, Fired.FINAL)),
    pinned=st.booleans(),
    fanatic=st.booleans(),
    cx=st.booleans(),
    entrenched=st.booleans(),
    street_fighting=st.sampled_from((False, False, False, True)),
    inherent=st.sampled_from(((), (), ("pf",))),
)
RIDERS = st.builds(RiderOpening, st.just("r"), st.sampled_from(("4-6-7", "2-4-7", "8-1")), st.booleans(), st.booleans())
LOCATIONS = st.builds(
    Location,
    st.sampled_from(
        (Terrain.OPEN, Terrain.WOODS, Terrain.STONE_BUILDING, Terrain.WOODEN_BUILDING, Terrain.BRUSH, Terrain.HUT)
    ),
    single_story=st.booleans(),
    shellhole=st.booleans(),
    entrenchment=st.sampled_from((Entrenchment.NONE, Entrenchment.FOXHOLE, Entrenchment.SANGAR)),
    smoke=st.sampled_from(((), (), (2,))),
)
APPROACHES = st.builds(
    Approach,
    st.sampled_from((Way.TERRAIN, Way.TERRAIN, Way.TERRAIN, Way.ROAD, Way.BYPASS, Way.REVERSE)),
    st.sampled_from((Hexside.CLEAR, Hexside.CLEAR, Hexside.WALL)),
)


@st.composite
def states(draw: st.DrawFn) -> State:
    """A situation of any kind that the fact sheet speaks of, small enough to walk through."""
    units = tuple(
        UnitOpening(**{**{name: getattr(unit, name) for name in UnitOpening.__slots__}, "id": f"u{i}"})
        for i, unit in enumerate(draw(st.lists(UNITS, max_size=4)), 1)
    )
    opening: dict = {
        "vehicle": {
            "ce": draw(st.booleans()),
            "motion": draw(st.sampled_from(Motion)),
            "riders": tuple(draw(st.lists(RIDERS, max_size=2))),
        }
    }
    crews = [unit.id for unit in units if unit.printed == "2-2-8"]
    if crews:
        turns = st.integers(0, 2)
        opening["guns"] = (GunOpening("g", "at", crews[0], ca_turns=draw(turns), vca_turns=draw(turns)),)
    owners = [unit.id for unit in units if unit.printed not in {"?", "8-1", "8-1R"}]
    if owners:
        opening["weapons"] = (WeaponOpening("m", draw(st.sampled_from(("mmg", "lmg"))), owners[-1]),)
    return start(
        units,
        vehicle=draw(st.sampled_from((PZ_IIIH, T34, HALFTRACK, BLITZ))),
        opening=opening,
        location=draw(LOCATIONS),
        approach=draw(APPROACHES),
        guns=True,
        pf_shots=draw(st.integers(0, 2)),
        elr=draw(st.integers(0, 5)),
        heat_of_battle=draw(st.booleans()),
        overruns=draw(st.integers(1, 2)),
        year=draw(st.sampled_from((1941, 1944))),
        rulings=draw(st.fixed_dictionaries({}, optional=RULINGS)),
    )


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="OVERRUN_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(states())
def test_a_random_situation_keeps_every_law(state: State) -> None:
    begin = Position("approach", state)
    for position in testing.visited(ruleset.rules, begin, 2):
        testing.check_position(ruleset.rules, position, MEASURES)
    testing.check_play(ruleset.rules, begin, 1)
