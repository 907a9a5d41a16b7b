"""The page of one session: the question, what answers it, what it rests on, and how it may end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from overrun.drawing import svg
from overrun.drawing.chart import chart, way
from overrun.kernel import Chance, Decision, Measure, Ruleset
from overrun.kernel.measure import Kind
from overrun.play import explain, wording
from overrun.play.explain import Band, Explainer, Figure
from overrun.web import charts, picture, simpler
from overrun.web.analyst import Job, Seen, Stands
from overrun.web.prospect import Advice, Spans
from overrun.web.referee import Table
from overrun.web.words import words

MOST_DICE = 3
"""Dice with a row of faces each; more are typed into one field."""
MOST_SIDES = 6
MOST_CHANCES = 2
"""Measures shown on an option beside its worth."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One way to end: its chance, what it was before the last answer, and whom it favours."""

    label: str
    chance: Fraction
    before: Fraction | None

    @property
    def moved(self) -> Fraction:
        """How far the last answer moved it."""
        return Fraction(0) if self.before is None else self.chance - self.before


@dataclass(frozen=True, slots=True)
class Count:
    """A measure: its mean (the chance of an event), and what that was before the last answer."""

    label: str
    meaning: str
    mean: Fraction
    before: Fraction | None
    event: bool


def view(table: Table, asked: Job | None, alert: str = "", bounds: Job | None = None) -> dict[str, Any]:
    """Everything that the template shows. `asked` is the question for advice, or None when it is hidden.

    `bounds` is the question for bounds, where the advice takes long or proved too large.
    """
    job: Seen | None = None if asked is None else asked.seen()
    session, ruleset = table.session, table.opened.ruleset
    explainer = Explainer(ruleset.rules, ruleset.seats)
    advice = job.answer if job is not None and job.stands is Stands.DONE else None
    assert advice is None or isinstance(advice, Advice)
    bounded = None if bounds is None or advice is not None else bounds.seen()
    spans = bounded.answer if bounded is not None and bounded.stands is Stands.DONE else None
    assert spans is None or isinstance(spans, Spans)
    payoff = ruleset.payoff(table.wishes.payoff or None)
    question = None if session.over else explainer.question(session)
    ending = explainer.ending(session, ruleset.describe(session.state)) if session.over else None
    node = session.node
    drawing = picture.drawn(ruleset, table.opened.situation, session.state)
    log = [explainer.adjudication(event) for event in session.events]
    return {
        "table": table,
        "ruleset": ruleset,
        "situation": table.opened.situation,
        "question": question,
        "ending": ending,
        "seat": getattr(node, "seat", None),
        "rolls": isinstance(node, Chance),
        "decides": isinstance(node, Decision),
        "state": () if session.over else ruleset.describe(session.state),
        "dice_typed": question is not None and typed(question.dice),
        "strip": strip(node, question.bands) if isinstance(node, Chance) and question else None,
        "letters": len(question.bands) > 1 if question else False,
        "events": list(zip(session.events, log, strict=True)),
        "ledgers": ledgers(log, question.figures if question else ()),
        "job": job,
        "advice": advice,
        "shown": columns(ruleset, table, advice) if advice else (),
        "bars": bars(advice) if advice else (),
        "counts": counts(ruleset, advice) if advice else (),
        "picture": drawing,
        "counted": counted(ruleset.measures, session.tally()),
        "bounds": bounded,
        "spans": spans,
        "bounds_later": bounded is None and payoff.defender is None,
        "there": there(advice, job, spans),
        "payoff": payoff,
        "restrictions": ruleset.rules.restrictions,
        "simplifications": simpler.choices(
            ruleset, table.opened.situation, table.wishes.simplification, begun=bool(table.standing)
        ),
        "under": simpler.told(advice.simplified) if advice else "",
        "begun": bool(table.standing),
        "rulings": [
            (name, reading)
            for name, reading in table.opened.situation.rulings.items()
            if reading != ruleset.rulings[name].default
        ],
        "alert": alert,
        "can_undo": bool(table.standing),
        "spoken": spoken(table, question, ending),
    }


def there(advice: Advice | None, job: Seen | None, spans: Spans | None) -> str:
    """What has come in the place of the advice, for who listens."""
    if advice is not None:
        under = simpler.told(advice.simplified)
        return f"The exact odds are there{f', {under}' if under else ''}."
    if spans is not None:
        return "Bounds on best play are there." if spans.known else "No bounds were found."
    return "Best play takes long." if job is None or job.stands in {Stands.WAITING, Stands.RUNNING} else job.words


def flowchart(table: Table) -> Markup | None:
    """The flowchart of the rules with the way that the session took and where it waits."""
    return picture.cleaned(svg.svg(chart(table.opened.ruleset.rules), way(table.session)))


def typed(dice: Sequence[explain.Die]) -> bool:
    """Are these dice typed into one field, because there are too many faces to choose among?"""
    return len(dice) > MOST_DICE or any(die.sides > MOST_SIDES for die in dice)


def spoken(table: Table, question: explain.Question | None, ending: explain.Ending | None) -> str:
    """The step in one sentence, for who listens."""
    step = f"Step {len(table.session.events) + 1}."
    if ending is not None:
        return f"The overrun is over: {words(ending.outcome)}."
    assert question is not None
    if question.rolls:
        return f"{step} {question.seat} rolls {question.dice_name}: {question.rule.title}."
    several = f"{len(question.options)} options" if len(question.options) > 1 else "one option"
    return f"{step} {question.seat} decides: {question.rule.title}, {several}."


def strip(node: Chance[Any], bands: Sequence[Band]) -> Markup | None:
    """The chart of a roll that reads one number and has few results; None for any other."""
    outcomes = node.dice.outcomes
    if not 2 <= len(outcomes) <= 20 or not all(type(reading) is int for reading, _ in outcomes):
        return None
    place: dict[tuple[str, str], int] = {}
    for index, band in enumerate(bands):
        place[band.result, band.leads_to] = index
    weights = []
    for reading, ways in sorted(outcomes):
        exit = node.then(reading)
        result = exit.label or wording.words(exit.id)
        found = next((i for (text, _), i in place.items() if text == result), None)
        if found is None:
            return None
        weights.append((wording.number(reading), ways, found))
    told = charts.described(weights, [band.result for band in bands], node.dice.total)
    return charts.strip(weights, len(bands), told)


def ledgers(log: Sequence[explain.Adjudication], asked: Sequence[Figure]) -> list[Figure]:
    """The newest ledger of each name: those of the question first, then those of the way to it."""
    found: dict[str, Figure] = {}
    for figure in asked:
        found.setdefault(figure.name, figure)
    for step in reversed(log):
        for figure in (*step.answered, *step.asked):
            found.setdefault(figure.name, figure)
    return [figure for figure in found.values() if figure.lines]


def columns(ruleset: Ruleset, table: Table, advice: Advice) -> list[Measure]:
    """The measures shown on options: events that the payoff weighs first, then what differs between the options."""
    weights = ruleset.payoff(table.wishes.payoff or None).weights

    def rank(measure: Measure) -> tuple[bool, bool, bool]:
        means = {option.ahead.mean(measure.name) for option in advice.options.values()}
        return (len(means) < 2, measure.kind is not Kind.EVENT, not weights.get(measure.name))

    ranked = sorted(ruleset.measures, key=rank)
    differing = [m for m in ranked if len({o.ahead.mean(m.name) for o in advice.options.values()}) > 1]
    return (differing or ranked)[:MOST_CHANCES]


def bars(advice: Advice) -> list[Bar]:
    """How it may end: each outcome that can happen, or could before the last answer; the likeliest first."""
    now, before = advice.now.outcomes, advice.before.outcomes if advice.before else {}
    zero = Fraction(0)
    names = sorted({*now, *before}, key=lambda name: (-now.get(name, zero), name))
    return [Bar(words(name), now.get(name, zero), before.get(name, zero) if advice.before else None) for name in names]


def counts(ruleset: Ruleset, advice: Advice) -> list[Count]:
    """The chance of each event and the mean of what adds up, where it is or was not 0."""
    now, before = advice.now, advice.before
    found = []
    for measure in ruleset.measures:
        mean, was = now.mean(measure.name), before.mean(measure.name) if before else None
        if mean or was:
            event = measure.kind is Kind.EVENT
            found.append(Count(words(measure.name), measure.meaning, mean, was, event))
    return found


def counted(measures: Sequence[Measure], tally: Mapping[str, int]) -> list[tuple[Measure, int]]:
    """What was counted so far, in the order of the measures."""
    return [(measure, tally[measure.name]) for measure in measures if tally.get(measure.name)]
