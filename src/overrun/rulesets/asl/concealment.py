"""Concealment on entry: who takes a PAATC, on which ML, with which DRM (A11.6, A12.1, A12.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from overrun.kernel import Ledger, Modifier, Op, Refusal
from overrun.rulesets.asl.counters import Nation, Unit, UnitClass, UnitKind
from overrun.rulesets.asl.morale import LeaderNear, Nerve, best_leader, inexperienced, morale_level
from overrun.rulesets.asl.setup import Approach, Location, Way, asl

MINORS = frozenset({Nation.AXIS_MINOR, Nation.ALLIED_MINOR})
DUMMY_ML = 7


def no_paatc(location: Location, approach: Approach, *, vehicle_broken: bool) -> Refusal | None:
    """Why an entry makes nobody reveal or test (A12.1, A12.41, A12.42), or None when it does."""
    if vehicle_broken:
        return Refusal(
            "paatc", "A vehicle without crew, Passenger or Rider forces no loss of concealment.", asl("A12.1")
        )
    if approach.way is Way.BYPASS:
        return Refusal("paatc", "Entry in Bypass reveals nothing.", asl("A12.42"))
    if approach.way is Way.WOODS_ROAD or (location.woods_road and approach.way is Way.ROAD):
        return Refusal("paatc", "Entry by a woods-road reveals nothing.", asl("A12.41"))
    return None


def exempt(nerve: Nerve, rulings: Mapping[str, str]) -> str | None:
    """Why a unit never takes a PAATC (A11.6), in a word, or None when it does."""
    unit = nerve.unit
    if unit.smc:
        return "SMC"
    if nerve.berserk:
        return "Berserk"
    if nerve.fanatic:
        return "Fanatic"
    if unit.nation is Nation.JAPANESE and rulings["ha_reading"] == "japanese":
        return "Japanese"
    return None


def takes_1paatc(unit: Unit, *, leader_present: bool, date: tuple[int, int], rulings: Mapping[str, str]) -> str | None:
    """Why a unit takes a 1PAATC instead of a normal one, in a word, or None. `date` is (year, month)."""
    non_elite = not unit.elite and unit.unit_class is not UnitClass.CREW
    minor = unit.nation in MINORS
    romanian = unit.troop == "romanian" and unit.unit_class is UnitClass.FIRST_LINE and date >= (1943, 7)
    reasons = (
        (inexperienced(unit, leader_present=leader_present), "Inexperienced"),
        (minor and rulings["minors_paatc"] == "as_printed", "Allied or Axis Minor"),
        (minor and non_elite and not romanian, "non-elite Minor"),
        (unit.nation is Nation.ITALIAN and non_elite and unit.troop != "eritrean", "non-elite Italian"),
        (unit.nation is Nation.CHINESE_GMD and non_elite, "non-elite G.M.D. Chinese"),
    )
    if unit.kind is UnitKind.DUMMY:
        return None
    return next((word for applies, word in reasons if applies), None)


def paatc(
    members: Sequence[Nerve], leaders: Iterable[LeaderNear], *, date: tuple[int, int], rulings: Mapping[str, str]
) -> tuple[Ledger, Ledger]:
    """ML and DRM of one PAATC that all `members` take together: the lowest ML, +1 if any of them takes a 1PAATC.

    For a single unit before CC Reaction Fire, pass just that unit. A dummy stack tests on ML 7.
    """
    near = tuple(leaders)
    levels = [_level(member) for member in members]
    lowest = min(levels, key=lambda ledger: ledger.total)
    lines = []
    hard = (takes_1paatc(member.unit, leader_present=bool(near), date=date, rulings=rulings) for member in members)
    if why := next((word for word in hard if word), None):
        lines.append(Modifier(1, f"1PAATC: {why}", asl("A11.6")))
    leader = best_leader(near)
    if leader is not None and leader.modifier:
        lines.append(Modifier(leader.modifier, "leadership", asl("A11.6")))
    return Ledger("PAATC ML", lowest.lines), Ledger("PAATC DRM", tuple(lines))


def _level(nerve: Nerve) -> Ledger:
    if nerve.unit.kind is UnitKind.DUMMY:
        return Ledger("ML", (Modifier(DUMMY_ML, "dummy stack", asl("A12.41"), Op.IS),))
    return morale_level(nerve)
