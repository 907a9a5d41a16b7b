"""Every box, branch and footnote of the source flowchart stands on the generated one, found by its requirement id.

A box is a step; where the document draws a branch the step's exits are named too. That the step really is what the
requirement speaks of is proven by the cases: one that covers the id must pass through it.
"""

from functools import cache
from xml.etree import ElementTree

import pytest

from overrun.drawing.chart import chart
from overrun.drawing.svg import svg
from overrun.rulesets.asl import ruleset
from tests import casework

DECLARE = "approach"
TABLES = ("before.choose", "none.choose", "after.choose")
SHOTS = ("strike.to_hit", "strike.to_kill")
ATTACK = "volley.attack_dr"

BOXES: dict[str, dict[str, tuple[str, ...]]] = {
    "A-01": {DECLARE: ("overrun", "enter")},
    "A-02": {DECLARE: ("overrun", "enter")},
    "A-03": {DECLARE: ()},
    "A-04": {DECLARE: ()},
    "A-05": {DECLARE: ()},
    "A-06": {DECLARE: ("overrun", "enter"), "enter": ()},
    "A-07": {"concealed_units": ("test", "none"), "reveal_or_test": ("reveal", "paatc")},
    "A-08": {"concealed_units": ()},
    "A-09": {"combined_paatc": ()},
    "A-10": {"combined_paatc": ()},
    "A-11": {"combined_paatc": ("passed", "failed")},
    "A-12": {"concealed_units": ("none",)},
    "A-13": {"bog_check": ("clear", "bogged", "none")},
    "A-14": {"bog_check": ("rubble",), "rubble": ()},
    "A-15": {"bog_check": ("cellar",), "cellar": ()},
    "A-16": {"hut": ("collapses", "stands")},
    "A-17": {"trail": ("placed", "none")},
    "A-18": {"before.outside_fire": ("fired", "stated", "none")},
    "A-19": {"before.choose": ("ift", "latw", "gun", "hold")},
    "A-20": {"none.choose": ("cc", "ift", "latw", "gun", "hold")},
    "A-21": {"before_done": ("resolve",)},
    "A-22": {"second_chance": ("overrun", "decline", "barred")},
    "A-23a": {"before.fire_ift": ()},
    "A-23b": {"close.paatc_first": ("passed", "failed", "not_needed")},
    "A-23c": dict.fromkeys(TABLES, ()),
    "A-23d": dict.fromkeys(SHOTS, ()),
    "A-23e": {"after.choose": ()},
    "A-23f": {"before.choose": ()},
    "A-23g": {"close.close_dr": ()},
    "A-23h": {"close.close_dr": ()},
    "A-23i": {"strike.to_hit": ()},
    "A-23j": {"strike.to_hit": ()},
    "A-23k": {"before.choose": ()},
    "A-23l": {"close.fpf_check": ("checked", "not_fpf")},
    "A-23m": {"after.choose": ()},
    "A-23n": {"strike.to_hit": ()},
    "A-23o": {"strike.firer_check": ("stands", "voided", "no_nmc")},
    "A-23p": {"close.paatc_first": ("attacks_anyway",)},
    "A-23q": {"none.gun_duel": ("duel", "no_duel", "none")},
    "A-24": {ATTACK: (), "enemy_vehicles": ("run_down", "none")},
    "A-25": {DECLARE: ()},
    "A-26": {DECLARE: ()},
    "A-27": {ATTACK: ()},
    "A-28": {ATTACK: ()},
    "A-29": {"wreckage.destruction_dr": ("eliminated", "malfunctions", "none")},
    "A-30": {"personnel": ("personnel", "nobody"), "run_over": ("destroyed", "stand")},
    "A-31": {"sangar": ("removed", "stands", "none")},
    "A-32": {ATTACK: ()},
    "A-33": {ATTACK: ()},
    "A-34": {ATTACK: ()},
    "A-35": {ATTACK: ()},
    "A-36": {"run_down.vehicle_line": ()},
    "A-37": {ATTACK: ("results", "no_effect", "original_12"), "results.selection": (), "check.roll_check": ()},
    "A-38": {"after.choose": ("cc", "ift", "latw", "gun", "hold")},
    "A-39": {"close.close_dr": ("resolved", "unlikely", "original_12")},
    "A-40": dict.fromkeys(SHOTS, ()),
    "A-41": {"bounding": ("mg", "hold"), "bff_mg": ()},
    "A-42": {"bounding": ("mg",)},
    "A-43": {"bounding": ("ft",), "bff_ft": ()},
    "A-44": {"bounding": ("ma",), "bff_shell": ()},
    "A-45": {"bounding": ("ma",)},
    "A-46": {"bounding": ()},
    "A-47": {"leave": ("leave", "leave_off_road"), "goes": ("trail_break", "left")},
    "A-48": {"leave": ("again",)},
    "A-49": {"leave": ("stay",)},
    "A-50": {"run_over_weapons": ("checked", "none")},
    "A-51": {"stay": ("revealed", "nothing")},
    "A-52": {"stayed": ()},
    "A-53": {"stayed": ()},
    "A-54": {"none.gun_duel": ("duel", "no_duel", "none")},
}


@cache
def visited() -> dict[str, set[str]]:
    """For each requirement id, the steps that the cases covering it pass through or wait at."""
    found: dict[str, set[str]] = {}
    for case in casework.cases("asl"):
        if "scenario" not in case.content["given"] or "problems" in case.content["expect"]:
            continue
        session = casework.played(case.name)
        steps = {event.step.id for event in session.events} | {session.position.step}
        position = session.position
        while position.caller is not None:
            position = position.caller
            steps.add(position.step)
        for id in case.content["covers"]:
            found.setdefault(id, set()).update(steps)
    return found


def test_every_statement_of_the_document_has_its_box() -> None:
    assert set(BOXES) == {id for id in casework.requirements("asl") if id.startswith("A-")}


@pytest.mark.parametrize("id", BOXES)
def test_the_box_and_its_branches_are_drawn(id: str) -> None:
    drawn = {box.id: box for box in chart(ruleset.rules).boxes}
    for step, exits in BOXES[id].items():
        assert step in drawn
        assert set(exits) <= {arrow.name for arrow in drawn[step].arrows}


def test_every_box_is_in_the_picture() -> None:
    drawn = chart(ruleset.rules)
    ids = {element.get("id") for element in ElementTree.fromstring(svg(drawn)).iter()}
    assert {f"oc-{box.number}" for box in drawn.boxes} <= ids


@pytest.mark.parametrize("id", BOXES)
def test_a_case_that_covers_the_statement_passes_its_box(id: str) -> None:
    assert set(BOXES[id]) <= visited()[id]
