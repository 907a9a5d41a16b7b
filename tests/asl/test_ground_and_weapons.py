"""What an attack leaves in the Location: loose weapons, a sangar and its Guns (fact sheet 2.5, 5; A-30, A-31)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from overrun.kernel import Exit
from overrun.rulesets.asl.attack import Volley
from overrun.rulesets.asl.hits import Target, bare
from overrun.rulesets.asl.overrun import merged_back, run_over, sangar
from overrun.rulesets.asl.setup import Entrenchment, Fired, Location
from overrun.rulesets.asl.state import Arm, GunPiece, State, Trait, Unit
from tests.asl.steps.situations import HALFTRACK, start

MMG, LMG, GUN = Arm("mmg"), Arm("lmg"), GunPiece("at")
INSIDE = replace(GUN, entrenched=True)


def left(node: object) -> tuple[State, dict[str, int]]:
    assert isinstance(node, Exit)
    return node.state, {name: count for name, count in (node.tally or {}).items() if count}


@pytest.mark.parametrize(
    ("loose", "stay", "lost"),
    [
        ((GUN, MMG, LMG), (), {"guns_lost": 1, "weapons_lost": 2}),
        ((GUN,), (), {"guns_lost": 1}),
        ((replace(MMG, entrenched=True), INSIDE, LMG), (replace(MMG, entrenched=True), INSIDE), {"weapons_lost": 1}),
    ],
)
def test_a_tracked_afv_destroys_what_nobody_has(loose, stay, lost):
    """A9.74: each SW and Gun that is not in an entrenchment."""
    after, tally = left(run_over(replace(start(()), loose=loose)))
    assert (after.loose, tally) == (stay, lost)


def test_weapons_that_lie_there_stay_there_under_bounding_fire_and_more_may_come():
    unit = Unit("4-6-7", arms=(MMG,))
    s = replace(start(()), units=(unit,), loose=(GUN,))
    dead = Volley(s.setup, (), (Target(None),), loose=(MMG,))
    after = merged_back(s, (unit,), dead, keep_loose=True)
    assert (after.units, set(after.loose)) == ((), {GUN, MMG})
    alive = Volley(s.setup, (), (Target(bare(unit)),))
    after = merged_back(s, (unit,), alive, keep_loose=True)
    assert (after.units, after.loose) == ((unit,), (GUN,))


CREW = Unit("2-2-8", fired=Fired.FIRST, guns=(INSIDE,), traits=(Trait.CX, Trait.ENTRENCHED))
OUTSIDE = Unit("2-2-8", guns=(GUN,))


def over_a_sangar(**changes) -> State:
    vehicle = {"vehicle": changes.pop("vehicle")} if "vehicle" in changes else {}
    s = start((), location=Location(entrenchment=Entrenchment.SANGAR), **vehicle)
    return replace(s, units=(OUTSIDE, CREW), loose=(GUN, INSIDE), **changes)


def test_a_tracked_afv_removes_a_sangar_with_the_guns_in_it():
    """F8.41: the Guns inside go, those outside stay, and nobody is entrenched any more."""
    after, tally = left(sangar(over_a_sangar(ground=("rubbled",))))
    assert sorted(after.units) == sorted((OUTSIDE, replace(CREW, guns=(), traits=(Trait.CX,))))
    assert (after.loose, after.ground, tally) == ((GUN,), ("rubbled", "sangar_removed"), {"guns_lost": 2})


@pytest.mark.parametrize("kia", [False, True])
def test_a_halftrack_removes_it_by_a_final_kia_alone(kia):
    after, tally = left(sangar(over_a_sangar(vehicle=HALFTRACK, final_kia=kia)))
    assert tally == ({"guns_lost": 2} if kia else {})
    assert after.ground == (("sangar_removed",) if kia else ())
