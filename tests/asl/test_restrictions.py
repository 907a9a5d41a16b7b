"""The named cuts of options: what each keeps, and that it cuts nothing elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from overrun.kernel import Decision, Exit, Seat, changed, cut
from overrun.play.session import Session
from overrun.rulesets.asl import ruleset
from overrun.rulesets.asl.defensive_notes import Stage
from overrun.rulesets.asl.defensive_table import Mode
from overrun.rulesets.asl.restrictions import RESTRICTIONS
from overrun.rulesets.asl.setup import Fired
from overrun.rulesets.asl.state import Act, Arm, GunPiece, Means, Morale, State, Unit

CUTS = {restriction.name: restriction for restriction in RESTRICTIONS}
SQUAD = [{"counter": "russian 4-4-7"}]


def session(*answers: Any, defenders: list[dict[str, Any]] | None = None, **more: Any) -> Session:
    document = {
        "system": "asl",
        "title": "cuts",
        "heat_of_battle": False,
        "vehicle": {"counter": "german PzKpfw IIIH"},
        "defenders": SQUAD if defenders is None else defenders,
        "location": {"terrain": "brush"},
    }
    played = Session(ruleset.rules, ruleset.load(document | more).start)
    for answer in answers:
        if isinstance(answer, tuple):
            played.roll(answer)
        else:
            played.choose(answer)
    return played


def kept(name: str, played: Session) -> list[str]:
    node = played.node
    assert isinstance(node, Decision)
    return [exit.id for exit in CUTS[name].keep(played.position, node)]


def offered(played: Session) -> list[str]:
    node = played.node
    assert isinstance(node, Decision)
    return [exit.id for exit in node.options]


MISS = ((6, 5), (2, 1))
CC = "cc:russian-4-4-7"


def test_late_fire_is_cut_where_it_is_by_choice() -> None:
    first = session("overrun", *MISS)
    assert kept("no_late_fire_by_choice", first) == offered(first) == [CC, "hold"]
    late = session("overrun", *MISS, CC, (2, 1), (6, 5))
    assert offered(late) == [f"{CC}/first", "hold"]
    assert kept("no_late_fire_by_choice", late) == ["hold"]


def test_late_fire_stays_where_it_is_mandatory() -> None:
    owing = session("overrun", *MISS, defenders=[{"counter": "russian 4-4-7", "fired": "final"}])
    assert offered(owing) == [f"{CC}/final"]
    assert kept("no_late_fire_by_choice", owing) == [f"{CC}/final"]
    assert kept("three_attacks", owing) == [f"{CC}/final"]


@pytest.mark.parametrize(
    ("mode", "owes", "stays"),
    [
        (Mode.FIRST, False, True),
        (Mode.INTENSIVE, False, True),  # a Gun already marked may still fire so
        (Mode.SFF, False, False),
        (Mode.FPF, False, False),
        (Mode.FPF, True, True),
    ],
)
def test_which_gun_shots_are_late(mode: Mode, owes: bool, stays: bool) -> None:
    crew = Unit("russian-2-2-8-crew", fired=Fired.FIRST, owes=owes)
    played = session("overrun", *MISS)
    assert played.position.step.endswith(".choose")
    shot = Act(Means.GUN, (crew,), piece=GunPiece("russian-45mm-ptp-obr-32"), mode=mode)
    exit = Exit("gun", changed(played.position.state, act=shot), "gun")
    hold = Exit("hold", played.position.state)
    node = Decision(Seat.DEFENDER, (exit, hold))
    left = CUTS["no_late_fire_by_choice"].keep(played.position, node)
    assert (exit in left) is stays
    assert hold in left


def test_a_fourth_attack_is_cut() -> None:
    third = session("overrun", *MISS, CC, (2, 1), (6, 5), f"{CC}/first", (4, 5))
    assert kept("three_attacks", third) == offered(third) == [f"{CC}/final", "hold"]
    third.choose(f"{CC}/final")
    third.roll((2, 4))
    assert offered(third) == [f"{CC}/final", "hold"]
    assert kept("three_attacks", third) == ["hold"]


def test_bounding_fire_is_cut() -> None:
    bounding = session("enter", "hold")
    assert offered(bounding) == ["mg", "ma", "hold"]
    assert kept("no_bounding_fire", bounding) == ["hold"]
    elsewhere = session()
    assert kept("no_bounding_fire", elsewhere) == offered(elsewhere)


def test_the_declaration_is_made() -> None:
    known = session()
    assert offered(known) == ["overrun", "enter", "stay_out"]
    assert kept("overrun_declared", known) == ["overrun"]
    unknown = session(defenders=[{"counter": "russian 4-4-7", "concealment": "concealed"}])
    assert kept("overrun_declared", unknown) == ["enter"]
    short = session(vehicle={"counter": "german PzKpfw IIIH", "mp_left": 4})
    assert kept("overrun_declared", short) == ["overrun_esb"]
    nowhere = session(vehicle={"counter": "german PzKpfw IIIH", "immobile": True})
    assert kept("overrun_declared", nowhere) == ["stay_out"]
    entered = session("overrun", *MISS)
    assert kept("overrun_declared", entered) == offered(entered)


def test_elsewhere_every_attack_stays() -> None:
    leaving = session("overrun", *MISS, "hold")
    assert kept("no_late_fire_by_choice", leaving) == kept("three_attacks", leaving) == offered(leaving)


STACK = [
    {"counter": "german 4-6-7", "inherent": ["PF"]},
    {"counter": "german 2-4-7", "weapons": [{"counter": "german MMG"}]},
    {"counter": "german 8-1"},
    {"counter": "german-2-2-8-crew", "guns": [{"counter": "5cm PaK 38"}]},
]
T34 = {"counter": "russian T-34 M41", "prc": [{"counter": "russian 4-4-7", "role": "rider"}]}


def stack(*answers: Any) -> Session:
    return session(*answers, defenders=STACK, vehicle=T34, date="1943-11", pf_shots=2, location={"terrain": "open"})


def means(ids: list[str]) -> set[str]:
    return {id.partition(":")[0] for id in ids}


def test_the_heaviest_attacks_come_first() -> None:
    before = stack("overrun")
    assert means(offered(before)) == {"gun", "latw", "mg", "ift", "hold"}
    assert means(kept("heaviest_first", before)) == {"gun", "hold"}
    unarmed = session("overrun", defenders=STACK[:1] + STACK[2:3], vehicle=T34, date="1943-11", pf_shots=1)
    assert means(kept("heaviest_first", unarmed)) == {"latw", "hold"}


def test_all_fire_as_one_group() -> None:
    before = stack("overrun")
    fire = [id for id in kept("one_fire_group", before) if id.startswith("ift")]
    assert fire == ["ift:german-2-2-8-crew+german-2-4-7+german-4-6-7+german-8-1"]
    assert [id for id in kept("one_fire_group", before) if not id.startswith("ift")] == [
        id for id in offered(before) if not id.startswith("ift")
    ]


def test_the_order_of_restrictions_does_not_matter() -> None:
    rules = ruleset.rules
    mixed = session(
        "overrun",
        defenders=[{"counter": "german 4-6-7"}, {"counter": "german 4-6-7", "fired": "first"}],
        vehicle=T34,
        location={"terrain": "open"},
    )
    node = mixed.node
    assert isinstance(node, Decision)
    one, two = CUTS["one_fire_group"], CUTS["no_late_fire_by_choice"]
    left = [
        [exit.id for exit in cut(rules.in_order(pair), mixed.position, node).options]
        for pair in ((one, two), (two, one))
    ]
    assert left[0] == left[1] == ["ift:german-4-6-7", "hold"]
    assert [exit.id for exit in cut((one, two), mixed.position, node).options] == ["hold"]


def test_only_guns_fire_before_the_overrun() -> None:
    before = stack("overrun")
    assert means(kept("only_guns_before", before)) == {"gun", "hold"}
    after = session("overrun", *MISS)
    assert kept("only_guns_before", after) == offered(after)


def test_machine_guns_fire_on_the_ift_alone() -> None:
    before = stack("overrun")
    assert means(kept("no_mg_to_hit", before)) == {"gun", "latw", "ift", "hold"}


def test_reaction_fire_by_choice_is_cut() -> None:
    free = session("overrun", *MISS)
    assert offered(free) == [CC, "hold"]
    assert kept("no_reaction_by_choice", free) == ["hold"]
    owing = session("overrun", *MISS, defenders=[{"counter": "russian 4-4-7", "fired": "final"}])
    assert kept("no_reaction_by_choice", owing) == offered(owing) == [f"{CC}/final"]
    before = stack("overrun")
    assert kept("no_reaction_by_choice", before) == offered(before)


# ------------------------------------------------------------------ what analysis may forget under them

MMG, ATR, PF = Arm("russian-mmg"), Arm("russian-atr"), Arm("german-pf")


def standing(*units: Unit, stage: Stage = Stage.AFTER, spent: int = 5, **more: Any) -> State:
    weapons = [{"counter": "russian 4-4-7", "weapons": ["russian-mmg", "russian-atr"]}]
    inherent = [{"counter": "german 4-6-7", "inherent": ["PF"]}]
    guns = [{"counter": "russian-2-2-8-crew", "guns": ["russian 45mm PTP obr. 32"]}]
    heat = {"heat_of_battle": True} if more.pop("heat", False) else {}
    played = session(defenders=weapons + inherent + guns, date="1943-11", **heat, **more.pop("document", {}))
    return changed(played.position.state, units=tuple(units), stage=stage, spent=spent, **more)


def forgets(name: str, s: State) -> State:
    live = CUTS[name].live
    assert live is not None
    after = live("after.choose" if s.stage is Stage.AFTER else "before.choose", s)
    assert isinstance(after, State)
    return after


def squad(*arms: Arm, morale: Morale = Morale.GOOD, **more: Any) -> Unit:
    return Unit("german-4-6-7" if PF in arms else "russian-4-4-7", morale, arms=arms, **more)


@pytest.mark.parametrize(
    ("unit", "stage", "silent"),
    [
        (squad(MMG, ATR, fired=Fired.FIRST), Stage.AFTER, True),
        (squad(MMG, ATR, fired=Fired.FIRST), Stage.BEFORE, True),
        (squad(MMG, ATR), Stage.AFTER, False),  # it may attack in CC, which asks for a mark
        (squad(MMG, ATR, morale=Morale.PINNED), Stage.AFTER, True),  # it may not
        (squad(MMG, ATR, morale=Morale.PINNED, owes=True), Stage.AFTER, False),
        (squad(MMG, ATR, morale=Morale.PINNED), Stage.BEFORE, False),
    ],
)
def test_a_mg_that_can_hurt_nobody_is_as_one_that_has_fired(unit: Unit, stage: Stage, silent: bool) -> None:
    (after,) = forgets("no_mg_to_hit", standing(unit, stage=stage)).units
    fired = {arm.printed: arm.fired for arm in after.arms}
    assert fired == {MMG.printed: Fired.FIRST if silent else Fired.UNMARKED, ATR.printed: Fired.UNMARKED}


def test_a_mg_matters_while_it_fires_or_has_somebody_to_hurt() -> None:
    marked = squad(MMG, fired=Fired.FIRST)
    firing = standing(marked, act=Act(Means.CC, (marked,)))
    assert forgets("no_mg_to_hit", firing) == firing
    riders = {"vehicle": {"counter": "german PzKpfw IIIH", "prc": [{"counter": "german 4-6-7", "role": "rider"}]}}
    soft = standing(marked, document=riders)
    assert forgets("no_mg_to_hit", soft) == soft


@pytest.mark.parametrize(
    ("unit", "more", "shots"),
    [  # of the five that the MP allow
        (squad(), {}, 4),  # one, and it is marked
        (squad(owes=True), {}, 4),
        (squad(PF), {"pf": 1}, 3),  # the PF, and one more
        (squad(PF), {"pf": 0}, 4),
        (squad(ATR), {}, None),  # its ROF may go on for ever
        (squad(ATR, morale=Morale.PINNED), {"pf": 0}, 3),
        (
            squad(ATR, morale=Morale.PINNED),
            {"pf": 0, "stage": Stage.BEFORE},
            2,
        ),  # and the Reaction Fire that it will owe
        (squad(ATR, morale=Morale.PINNED), {"stage": Stage.BEFORE, "heat": True}, None),  # it may become berserk
        (squad(morale=Morale.BROKEN), {}, None),
    ],
)
def test_how_often_an_unmarked_unit_may_still_attack(unit: Unit, more: dict[str, Any], shots: int | None) -> None:
    (after,) = forgets("no_late_fire_by_choice", standing(unit, **more)).units
    assert after == (unit if shots is None else changed(unit, shots=shots))


def test_who_attacks_no_more_is_as_one_that_has_made_all_his_attacks() -> None:
    tired = squad(ATR, fired=Fired.FIRST, uses=1, cc=True, paatc=True)
    (after,) = forgets("no_late_fire_by_choice", standing(tired)).units
    arms = (changed(ATR, fired=Fired.FIRST),)
    assert after == changed(tired, shots=5, uses=0, cc=False, paatc=False, arms=arms)


GUN = GunPiece("russian-45mm-ptp-obr-32")


def crew(gun: GunPiece = GUN, morale: Morale = Morale.GOOD, **more: Any) -> Unit:
    return Unit("russian-2-2-8-crew", morale, guns=(gun,), **more)


@pytest.mark.parametrize(
    ("unit", "stage", "shots"),
    [
        (crew(), Stage.AFTER, None),  # its Gun may keep its ROF
        (crew(morale=Morale.PINNED), Stage.AFTER, 3),  # pinned it does not: one shot beside what any unit may do
        (crew(changed(GUN, fired=Fired.FIRST), fired=Fired.FIRST), Stage.AFTER, 4),  # Intensive Fire
        (crew(morale=Morale.PINNED), Stage.BEFORE, None),
        (crew(changed(GUN, malfunctioned=True)), Stage.BEFORE, 3),
        (crew(changed(GUN, limbered=True)), Stage.BEFORE, 3),
        (crew(changed(GUN, fired=Fired.NO_FIRE)), Stage.BEFORE, 3),
        (crew(changed(GUN, malfunctioned=True), fired=Fired.FIRST), Stage.BEFORE, 4),  # it may come to owe one
    ],
)
def test_how_often_a_crew_may_still_attack(unit: Unit, stage: Stage, shots: int | None) -> None:
    (after,) = forgets("no_late_fire_by_choice", standing(unit, stage=stage)).units
    assert after == (unit if shots is None else changed(unit, shots=shots))
    assert stage is Stage.BEFORE or forgets("three_attacks", standing(unit, stage=stage)).units == (unit,)


@pytest.mark.parametrize(
    ("unit", "more", "forgotten"),
    [
        (squad(), {}, True),
        (squad(PF), {}, True),
        (squad(ATR), {}, False),  # it may be eliminated, and leave its ATR to be run over
        (squad(ATR, morale=Morale.PINNED), {}, True),
        (squad(ATR, morale=Morale.BROKEN), {}, True),
        (squad(ATR, morale=Morale.PINNED, owes=True), {}, False),
        (squad(PF, ATR, morale=Morale.PINNED), {}, False),
        (crew(), {}, False),
        (squad(), {"loose": (ATR,)}, False),
        (squad(), {"stage": Stage.BEFORE}, False),
    ],
)
def test_weapons_of_the_vehicle_that_only_running_over_would_read(
    unit: Unit, more: dict[str, Any], forgotten: bool
) -> None:
    s = standing(unit, **more)
    s = changed(s, vehicle=changed(s.vehicle, disabled=("BMG",)))
    assert forgets("no_late_fire_by_choice", s).vehicle.disabled == (() if forgotten else ("BMG",))
    assert forgets("three_attacks", s).vehicle == s.vehicle


def test_nothing_is_forgotten_while_an_attack_is_made_or_the_vehicle_may_come_again() -> None:
    firing = standing(squad(), act=Act(Means.CC, (squad(),)))
    assert forgets("no_late_fire_by_choice", firing) == firing
    again = standing(squad())
    again = changed(again, setup=changed(again.setup, overruns=2))
    assert forgets("no_late_fire_by_choice", again) == again


def test_one_attack_is_always_allowed() -> None:
    (after,) = forgets("no_late_fire_by_choice", standing(squad(fired=Fired.FIRST), spent=0)).units
    assert after.shots == 1


def test_a_gun_that_may_not_fire_any_more_counts_for_nothing() -> None:
    unit = crew(changed(GUN, fired=Fired.FINAL), fired=Fired.FINAL)
    (after,) = forgets("no_late_fire_by_choice", standing(unit)).units
    assert after.shots == 5


def test_each_restriction_in_force_is_noted() -> None:
    s = standing(squad(), under=("another",))
    assert forgets("three_attacks", s).under == ("another", "three_attacks")
    assert forgets("three_attacks", forgets("three_attacks", s)).under == ("another", "three_attacks")
