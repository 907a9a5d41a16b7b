"""Reads case files and plays what they give; `tests/cases/README.md` says what a case may hold."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from overrun.kernel import Chance, Decision, InputError, Position, Ruleset, Situation
from overrun.play.session import Session
from overrun.rulesets import ruleset
from overrun.scenarios import text

FOLDER = Path(__file__).parent / "cases"
KEYS = {"id", "rules", "covers", "source", "confidence", "about", "rulings", "given", "expect"}
GIVEN = {"scenario", "set", "unset", "answers", "scripted", "question", "with"}
EXPECT = {
    *(
        "step",
        "labels",
        "options",
        "offers",
        "lacks",
        "refused",
        "ledgers",
        "lines",
        "doubtful",
        "certain",
        "tally",
        "end",
        "state",
        "not_state",
    ),
    *("ways", "problems", "odds", "value"),
}
ODDS = {"policy", "payoff", "given", "means", "chances", "outcomes", "value"}


@dataclass(frozen=True)
class Case:
    """One case of a file."""

    system: str
    content: Mapping[str, Any]
    file: str

    @property
    def name(self) -> str:
        return f"{self.system}/{self.content['id']}"


@cache
def systems() -> tuple[str, ...]:
    return tuple(sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir()))


@cache
def cases(system: str) -> tuple[Case, ...]:
    """Every case of a system; a misspelt key is an error, because such a case would test nothing."""
    found = []
    for file in sorted((FOLDER / system).glob("*.toml")):
        if file.name == "requirements.toml":
            continue
        for content in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
            place = f"{system}/{file.name}, {content.get('id')}"
            for keys, part in ((KEYS, content), (GIVEN, content["given"]), (EXPECT, content["expect"])):
                assert not (unknown := set(part) - keys), f"{place}: unknown keys {sorted(unknown)}"
            assert not set(content["expect"].get("odds", {})) - ODDS, f"{place}: unknown keys under odds"
            assert content["expect"], f"{place}: it expects nothing"
            assert {"id", "rules", "covers", "source", "confidence"} <= set(content), f"{place}: a head key is missing"
            found.append(Case(system, content, file.name))
    names = [case.name for case in found]
    assert not (twice := {name for name in names if names.count(name) > 1}), f"ids given twice: {sorted(twice)}"
    return tuple(found)


def requirements(system: str) -> Mapping[str, Any]:
    file = FOLDER / system / "requirements.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


# ---------------------------------------------------------------------- what a case gives


def document(case: Case) -> dict[str, Any]:
    """The scenario of a case, with its changes made."""
    given = case.content["given"]
    scenario = given["scenario"]
    whole = tomllib.loads(text(scenario)) if isinstance(scenario, str) else copy.deepcopy(scenario)
    for path in given.get("unset", ()):
        parent, last = _reach(whole, path)
        del parent[last]
    for path, value in given.get("set", {}).items():
        parent, last = _reach(whole, path)
        if isinstance(parent, list) and last == len(parent):
            parent.append(value)
        else:
            parent[last] = value
    return whole


def _reach(whole: dict[str, Any], path: str) -> tuple[Any, Any]:
    """The table or list that a key path ends in, and its last key; tables on the way are made."""
    parts: list[str | int] = []
    for word, quoted, number in re.findall(r'([^.\[\]"]+)|"([^"]+)"|\[(\d+)\]', path.replace("[", ".[")):
        parts.append(int(number) - 1 if number else quoted or word)
    at: Any = whole
    for part, following in pairwise(parts):
        made: Any = [] if isinstance(following, int) else {}
        at = at.setdefault(part, made) if isinstance(at, dict) else at[part]
    return at, parts[-1]


def load(case: Case) -> tuple[Ruleset, Situation]:
    rules = ruleset(case.system)
    return rules, rules.load(document(case))


@cache
def played(case_name: str) -> Session:
    """The session of a case after its answers."""
    case = next(c for c in cases(case_name.partition("/")[0]) if c.name == case_name)
    rules, situation = load(case)
    given = case.content["given"]
    answers: list[Any] = list(situation.dice) if given.get("scripted") else list(given.get("answers", ()))
    session = Session(rules.rules, situation.start)
    while not session.over:
        node = session.node
        if isinstance(node, Chance):
            if not answers:
                break
            session.roll(tuple(answers.pop(0)))
        elif isinstance(node, Decision):
            choice = _choice(session, node, answers, situation, scripted=bool(given.get("scripted")))
            if choice is None:
                break
            session.choose(choice)
    assert not answers, f"{case_name}: these answers were never asked for: {answers}\n{story(session)}"
    return session


def _choice(
    session: Session, node: Decision[Any], answers: list[Any], situation: Situation, *, scripted: bool
) -> str | None:
    legal = [option.id for option in node.options]
    if answers and answers[0] in legal:
        return str(answers.pop(0))
    if not answers and not scripted:
        return None
    wished = [w for w in situation.plan.get(session.position.step, ()) if w in legal]
    if wished:
        return wished[0]
    if len(legal) == 1:
        return legal[0]
    raise AssertionError(f"{answers[:1]} is not legal here; legal are {legal}\n{story(session)}")


# ---------------------------------------------------------------------- what failing output prints


def story(session: Session) -> str:
    """What happened, with every ledger, for the output of a failing case."""
    lines = []
    for event in session.events:
        lines.append(f"  {event.step.id}: {event.exit.id}" + (f" {event.answer.face}" if event.answer.face else ""))
        lines.extend(f"      {ledger}" for ledger in event.ledgers)
    node = session.node
    lines.append(f"  waits at {session.position.step}: {type(node).__name__}")
    if isinstance(node, Decision):
        lines.extend(f"      legal: {option.id}" for option in node.options)
        lines.extend(f"      refused: {refusal.id}: {refusal.reason} ({refusal.cite})" for refusal in node.refused)
    return "\n".join(lines)


def ways(session: Session, step: str) -> int:
    """In how many ways the decisions of one step can be answered until something else waits."""
    rules = session.rules

    def count(position: Position[Any]) -> int:
        node = rules.at(position)
        if position.step != step or not isinstance(node, Decision):
            return 1
        return sum(count(rules.follow(position, option)) for option in node.options)

    return count(session.position)


def question(case: Case) -> Any:
    """The answer of a pure function of the rules; of a value with its ledger, the value."""
    given = case.content["given"]
    module, _, function = given["question"].rpartition(".")
    answer = getattr(import_module(f"overrun.rulesets.{case.system}.{module}"), function)(**given.get("with", {}))
    return answer[0] if isinstance(answer, tuple) else answer


def refused_load(case: Case) -> InputError:
    """The error that loading a bad scenario raises."""
    try:
        load(case)
    except InputError as error:
        return error
    raise AssertionError(f"{case.name}: the scenario was accepted")


def fractions(table: Mapping[str, Any]) -> Iterator[tuple[str, Fraction]]:
    for name, value in table.items():
        yield name, Fraction(value)
