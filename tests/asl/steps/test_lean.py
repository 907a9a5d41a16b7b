"""What analysis keeps of a unit attacks, directs and is refused as the whole unit is, whatever its counters say."""

from __future__ import annotations

from itertools import product

import pytest

from overrun.kernel import changed
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import Allowed, Mode, Verdict
from overrun.rulesets.asl.lean import idle, lean_unit
from overrun.rulesets.asl.moment import Moment, moment
from overrun.rulesets.asl.setup import Fired
from overrun.rulesets.asl.state import Arm, Morale, Unit
from overrun.rulesets.asl.verdicts import cc_verdict, directs, ift_verdict, sw_verdict
from tests.asl.steps.situations import T34, start

MOST = 3
ARMS = (
    (),
    (Arm("pf"),),
    (Arm("pf"), Arm("pf")),
    (Arm("mmg"),),
    (Arm("mmg", Fired.FIRST),),
    (Arm("mmg", Fired.FINAL), Arm("pf")),
)


def moments() -> list[Moment]:
    now = changed(moment(start(("4-4-7",), vehicle=T34, pf_shots=2)), most=MOST)
    return [
        changed(now, stage=stage, pf=pf, soft=soft)
        for stage, pf, soft in product((Stage.BEFORE, Stage.AFTER), (True, False), (True, False))
    ]


def mode(verdict: Verdict) -> Mode | None:
    return verdict.mode if isinstance(verdict, Allowed) else None


def able(m: Moment, unit: Unit) -> tuple[object, ...]:
    """All that a unit may do, each kind once: the lean unit may have lost weapons that it cannot use."""
    arms = {(arm.printed, mode(sw_verdict(m, unit, arm, "x"))) for arm in unit.arms}
    usable = frozenset((printed, how) for printed, how in arms if how is not None)
    return mode(cc_verdict(m, unit, "x")), mode(ift_verdict(m, unit, "x")), m.soft and directs(m, unit), usable


@pytest.mark.parametrize("printed", ["4-4-7", "2-4-7", "8-1", "1-4-9"])
def test_a_lean_unit_may_do_what_the_whole_one_may(printed: str) -> None:
    flags = product(
        (Fired.UNMARKED, Fired.FIRST, Fired.FINAL),
        range(3),
        (0, 1, MOST - 1, MOST),
        (Morale.GOOD, Morale.PINNED),
        ARMS,
        product((False, True), repeat=4),
    )
    for fired, uses, shots, morale, arms, (cc, paatc, failed, owes) in flags:
        if (owes and fired is not Fired.FINAL) or (cc and fired is Fired.UNMARKED):
            continue  # only who is marked Final Fire owes, and CC marks
        unit = Unit(printed, morale, fired=fired, uses=uses, shots=shots, arms=arms)
        unit = changed(unit, cc=cc, paatc=paatc, failed=failed, owes=owes)
        for m in moments():
            lean = lean_unit(m, unit)
            whole = able(m, unit)
            if lean is None:
                assert whole == (None, None, False, frozenset()), (m, unit)
            elif not (idle(m, unit) and m.stage is Stage.BEFORE):
                assert able(m, lean) == whole, (m, unit, lean)
