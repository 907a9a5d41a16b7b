"""Every case file: what it gives is played, what it expects must come out. Then what the cases cover."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from overrun.analysis import keypath
from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.odds import Odds, Outlook
from overrun.analysis.policy import Style
from overrun.kernel import Decision, End, Ledger, Seat
from overrun.play.session import Session
from overrun.testing import coverage
from tests import casework
from tests.casework import Case

ALL = [case for system in casework.systems() for case in casework.cases(system)]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    expect = case.content["expect"]
    if "problems" in expect:
        _problems(case, expect["problems"])
    elif "question" in case.content["given"]:
        assert casework.question(case) == expect["value"]
    else:
        session = casework.played(case.name)
        story = casework.story(session)
        _where_it_waits(session, expect, story)
        _what_was_shown(session, expect, story)
        _how_things_stand(case, session, expect, story)
        if "odds" in expect:
            _odds(case, session, expect["odds"])


def _problems(case: Case, expected: list[dict[str, str]]) -> None:
    error = casework.refused_load(case)
    for problem in expected:
        if "[" in problem["where"]:
            keypath.parse(problem["where"])  # as `--set` reads it: places in a list count from 1
        matching = [p for p in error.problems if p.where == problem["where"] and problem["what"] in str(p)]
        assert matching, f"{problem} is not among:\n{error}"
    assert len(error.problems) == len(expected), f"other problems were found too:\n{error}"


def _where_it_waits(session: Session, expect: dict[str, Any], story: str) -> None:
    node = session.node
    if "step" in expect:
        assert session.position.step == expect["step"], story
    legal = [option.id for option in node.options] if isinstance(node, Decision) else []
    if "options" in expect:
        assert sorted(legal) == sorted(expect["options"]), story
    labels = {option.id: option.label for option in node.options} if isinstance(node, Decision) else {}
    for id, label in expect.get("labels", {}).items():
        assert labels.get(id) == label, f"{id}: {labels.get(id)!r}\n{story}"
    for id in expect.get("offers", ()):
        assert id in legal, f"{id} is not offered\n{story}"
    for id in expect.get("lacks", ()):
        assert id not in legal, f"{id} is offered\n{story}"
    refused = node.refused if isinstance(node, Decision) else ()
    for wanted in expect.get("refused", ()):
        assert any(
            refusal.id == wanted["id"]
            and wanted.get("reason", "") in refusal.reason
            and wanted.get("cite", str(refusal.cite)) == str(refusal.cite)
            for refusal in refused
        ), f"no refusal {wanted}\n{story}"
    if "ways" in expect:
        assert casework.ways(session, expect["ways"]["step"]) == expect["ways"]["count"], story


def _what_was_shown(session: Session, expect: dict[str, Any], story: str) -> None:
    shown: list[Ledger] = [ledger for event in session.events for ledger in event.ledgers]
    if not isinstance(session.node, End):
        shown.extend(session.node.ledgers)
    for name, total in expect.get("ledgers", {}).items():
        assert Fraction(total) in [Fraction(ledger.total) for ledger in shown if ledger.name == name], (
            f"no ledger {name!r} with total {total}\n{story}"
        )
    for line in expect.get("lines", ()):
        assert any(
            ledger.name == line["ledger"] and line["reason"] in modifier.reason and modifier.value == line["value"]
            for ledger in shown
            for modifier in ledger.lines
        ), f"no line {line}\n{story}"

    for key, verified in (("doubtful", False), ("certain", True)):
        for reason in expect.get(key, ()):
            found = {line.verified for ledger in shown for line in ledger.lines if reason in line.reason}
            assert found == {verified}, f"{reason!r} is not {key}: {found}\n{story}"


def _how_things_stand(case: Case, session: Session, expect: dict[str, Any], story: str) -> None:
    tally = session.tally()
    for name, count in expect.get("tally", {}).items():
        assert tally.get(name, 0) == count, f"{name}\n{story}"
    if "end" in expect:
        assert isinstance(session.node, End), story
        assert session.node.outcome == expect["end"], story
    if {"state", "not_state"} & set(expect):
        position = session.position
        while position.caller is not None:
            position = position.caller
        words = "\n".join(casework.ruleset(case.system).describe(position.state))
        for fragment in expect.get("state", ()):
            assert fragment in words, f"{fragment!r} is not in:\n{words}\n{story}"
        for fragment in expect.get("not_state", ()):
            assert fragment not in words, f"{fragment!r} is in:\n{words}\n{story}"


def _odds(case: Case, session: Session, expected: dict[str, Any]) -> None:
    rules, situation = casework.load(case)
    style = Style(expected.get("policy", "plan"))
    pricing = Pricing(rules, situation, Terms(rules.payoff(expected.get("payoff")), dict.fromkeys(Seat, style)))
    names = [measure.name for measure in rules.measures]
    found: Odds = Outlook(rules.rules, pricing.choice, style, names).at(session.position)
    given = found.measures[expected["given"]].mean if "given" in expected else Fraction(1)
    for name, mean in casework.fractions(expected.get("means", {})):
        assert found.measures[name].mean / given == mean, f"{name}: {found.measures[name]}"
    for name, table in expected.get("chances", {}).items():
        for count, chance in casework.fractions(table):
            assert found.measures[name].chances.get(int(count), 0) / given == chance, f"{name} {count}"
    for name, chance in casework.fractions(expected.get("outcomes", {})):
        assert found.outcomes.get(name, 0) / given == chance, f"{name}: {found.outcomes}"
    for seat, value in casework.fractions(expected.get("value", {})):
        assert pricing.values[Seat(seat)] == value, seat


@pytest.mark.parametrize("system", casework.systems())
def test_every_requirement_has_a_case(system: str) -> None:
    listed = {id: entry for id, entry in casework.requirements(system).items() if isinstance(entry, dict)}
    covered = {id for case in casework.cases(system) for id in case.content["covers"]}
    missing = sorted(id for id, entry in listed.items() if id not in covered and not entry.get("out_of_scope"))
    assert not missing, f"{system}: no case covers {missing}"


@pytest.mark.parametrize("system", casework.systems())
def test_every_ruling_has_a_case_for_each_reading(system: str) -> None:
    if not casework.requirements(system).get("every_ruling"):
        return
    told: dict[str, set[str]] = {}
    for case in casework.cases(system):
        if "scenario" in case.content["given"] and "problems" not in case.content["expect"]:
            for name in case.content.get("rulings", ()):
                told.setdefault(name, set()).add(casework.load(case)[1].rulings[name])
    wanted = {ruling.name: set(ruling.options) for ruling in casework.ruleset(system).rulings}
    assert {name: wanted[name] - told.get(name, set()) for name in wanted} == {name: set() for name in wanted}


@pytest.mark.parametrize("system", casework.systems())
def test_every_exit_is_taken_by_a_case(system: str) -> None:
    if not casework.requirements(system).get("every_exit"):
        return
    taken = [
        (event.step.id, event.exit.name)
        for case in casework.cases(system)
        if "scenario" in case.content["given"] and "problems" not in case.content["expect"]
        for event in casework.played(case.name).events
    ]
    never = coverage(casework.ruleset(system).rules, taken)
    barred = {line.partition(": ")[0] for line in casework.requirements(system).get("never_taken", ())}
    assert not never - barred, f"never taken: {sorted(never - barred)}"
    assert not barred - never, f"taken, though a rule is said to bar them: {sorted(barred - never)}"
