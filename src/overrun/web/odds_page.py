"""The page of the odds of a whole overrun: in short, every distribution, best play, rulings compared, and sharing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from overrun.analysis.flow import Flow
from overrun.drawing import svg
from overrun.drawing.chart import Overlay, chart
from overrun.kernel import InputError, Measure, Problem, Ruleset
from overrun.kernel.measure import Kind
from overrun.play.explain import Explainer
from overrun.play.wording import number, percent
from overrun.store.opening import Opened
from overrun.store.sessions import Wishes
from overrun.web import charts, picture, reference, simpler
from overrun.web.analyst import Job, Seen, Stands
from overrun.web.answers import STATED
from overrun.web.forms import field, form_of
from overrun.web.prospect import Judgement, Levers, Prospect, Reading, WholeOdds
from overrun.web.site import Site, site_of
from overrun.web.words import decimals, sentence, words, worth
from overrun.web.worker import Asks, Question

router = APIRouter(include_in_schema=False)
WAIT = 0.6
MOST_FIGURES = 5
"""Figures at the head of the page."""
MOST_LEVERS = 10
"""Bars of the chart of numbers that matter."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of the page asks."""

    of: str
    policy: str
    payoff: str
    restriction: str
    simplification: str
    compare: str = ""

    @property
    def wishes(self) -> Wishes:
        """The payoff, the restriction and the simplification."""
        return Wishes(payoff=self.payoff, restriction=self.restriction, simplification=self.simplification)

    def address(self, page: str = "/odds", **changes: str) -> str:
        """The address of the page, or of another one, with some of it changed; what is empty is left out."""
        asked = {
            "of": self.of,
            "policy": self.policy,
            "payoff": self.payoff,
            "restriction": self.restriction,
            "simplification": self.simplification,
            "compare": self.compare,
        } | changes
        return f"{page}?" + urlencode({name: value for name, value in asked.items() if value})


@dataclass(frozen=True, slots=True)
class Chart:
    """The distribution of one measure: a chart, its figures, and its mean."""

    measure: Measure
    drawing: Markup
    chances: Sequence[tuple[int, Fraction]]
    mean: Fraction


def asked(
    of: Annotated[str, Query(max_length=reference.LARGEST)] = "",
    *,
    policy: Annotated[str, Query(max_length=10)] = "",
    payoff: Annotated[str, Query(max_length=80)] = "",
    restriction: Annotated[str, Query(max_length=80)] = "",
    simplification: Annotated[str, Query(max_length=80)] = "",
    compare: Annotated[str, Query(max_length=20)] = "",
) -> Asked:
    """The question in the address."""
    compare = compare if compare in {"rulings", "numbers", "flow"} else ""
    policy = policy if policy in {"plan", "best", STATED} else ""
    return Asked(of, policy, payoff, restriction, simplification, compare)


@router.get("/odds")
def odds(request: Request, question: Annotated[Asked, Depends(asked)]) -> Response:
    """The odds of a situation, or the situations to choose among."""
    site = site_of(request)
    if not question.of:
        recent = site.referee.sessions.recent(12)
        return site.page("odds_of.html", {"examples": site.library.examples, "recent": recent})
    opened = reference.opened(question.of)
    question = settled(question, opened)
    job = site.whole(opened, question.wishes, question.policy, WAIT)
    compared = comparison(site, opened, question, 0.2) if question.compare else None
    address = str(request.base_url).rstrip("/") + question.address(compare="")
    bounds = bounds_on(site, opened, question, job)
    shown = view(opened, question, job.seen(), compared.seen() if compared else None, address)
    return site.page("odds.html", shown | bounded(opened, bounds.seen() if bounds else None))


@router.post("/odds/ask")
async def ask(request: Request) -> Response:
    """Stop working on the odds, or ask again for what was stopped; then show the page."""
    form = await form_of(request)
    site = site_of(request)
    names = ("of", "policy", "payoff", "restriction", "simplification", "compare")
    question = Asked(*(field(form, name) for name in names))
    opened = reference.opened(question.of)
    question = settled(question, opened)
    again = bool(field(form, "again", 8))
    jobs = [site.whole(opened, question.wishes, question.policy, 0, again=again)]
    if question.compare:
        jobs.append(comparison(site, opened, question, 0, again=again))
    if not again and (bounds := bounds_on(site, opened, question, jobs[0])) is not None:
        jobs.append(bounds)
    if not again:
        for job in jobs:
            if not job.over.is_set():
                job.stop()
    return RedirectResponse(question.address(), status_code=303)


def settled(question: Asked, opened: Opened) -> Asked:
    """The question with the policy that is meant where none is named: the plan that the file states, else best play."""
    if question.policy in {"plan", STATED} and not opened.situation.plan:
        return replace(question, policy="best")
    return question if question.policy else replace(question, policy="plan" if opened.situation.plan else "best")


def comparison(site: Site, opened: Opened, question: Asked, wait: float, *, again: bool = False) -> Job:
    """The job of what is asked for besides: the readings of every ruling, every number moved, or chances of steps."""
    asks = {"numbers": Asks.LEVERS, "flow": Asks.FLOW}.get(question.compare, Asks.READINGS)
    return site.jobs.ask(
        Question(asks, site.subject(opened, question.wishes), policy=question.policy), wait, again=again
    )


def bounds_on(site: Site, opened: Opened, question: Asked, job: Job) -> Job | None:
    """The job of the bounds, where best play is asked for and takes long."""
    return site.bounds_on(job, opened, question.wishes) if question.policy == "best" else None


def bounded(opened: Opened, bounds: Seen | None) -> dict[str, Any]:
    """What the template shows of bounds, with the labels of the options at the start."""
    session = opened.session()
    asked = Explainer(opened.ruleset.rules, opened.ruleset.seats).question(session)
    labels = {option.id: option.label for option in asked.options}
    spans = bounds.answer if bounds is not None and bounds.stands is Stands.DONE else None
    return {"bounds": bounds, "spans": spans, "labels": labels}


def view(opened: Opened, question: Asked, job: Seen, compared: Seen | None, address: str) -> dict[str, Any]:
    """Everything that the template shows."""
    ruleset = opened.ruleset
    whole = job.answer if job.stands is Stands.DONE else None
    assert whole is None or isinstance(whole, WholeOdds)
    answer = compared.answer if compared and compared.stands is Stands.DONE else None
    payoff = ruleset.payoff(question.payoff or None) if question.payoff in names(ruleset) else ruleset.payoff()
    return {
        "opened": opened,
        "ruleset": ruleset,
        "situation": opened.situation,
        "question": question,
        "job": job,
        "whole": whole,
        "figures": headline(ruleset, whole.ahead) if whole else (),
        "outcomes": outcomes(whole.ahead) if whole else (),
        "charts": distributions(ruleset, whole.ahead) if whole else (),
        "payoff": payoff,
        "restrictions": ruleset.rules.restrictions,
        "simplifications": simpler.choices(ruleset, opened.situation, question.simplification),
        "under": simpler.under(ruleset, question.simplification),
        "compared": compared,
        "readings": grouped(answer) if isinstance(answer, tuple) else (),
        "levers": answer if isinstance(answer, Levers) else None,
        "flowchart": flowchart(ruleset, answer) if isinstance(answer, Flow) else None,
        "tornado": tornado(answer) if isinstance(answer, Levers) else None,
        "weighed": [m for m in ruleset.measures if payoff.weights.get(m.name)][:2],
        "address": address,
        "text": in_text(opened, whole, address) if whole else "",
        "picture": picture.drawn(ruleset, opened.situation),
    }


def names(ruleset: Ruleset) -> set[str]:
    """The payoffs of a system."""
    return {"", *(payoff.name for payoff in ruleset.payoffs)}


def headline(ruleset: Ruleset, ahead: Prospect) -> list[tuple[str, str, str]]:
    """The first figures: the chance of each event that can happen, then the means of what adds up."""
    found = []
    for measure in sorted(ruleset.measures, key=lambda one: one.kind is not Kind.EVENT):
        mean = ahead.mean(measure.name)
        if mean and measure.kind is Kind.EVENT:
            found.append((words(measure.name), percent(mean), number(mean) if mean.denominator > 1 else ""))
        elif mean:
            found.append((f"{words(measure.name)}, mean", decimals(mean), number(mean) if mean.denominator > 1 else ""))
    return [(name, figure, exact if len(exact) < 18 else "") for name, figure, exact in found][:MOST_FIGURES]


def outcomes(ahead: Prospect) -> list[tuple[str, Fraction]]:
    """How it ends, the likeliest first."""
    return sorted(((words(name), chance) for name, chance in ahead.outcomes.items()), key=lambda pair: -pair[1])


def distributions(ruleset: Ruleset, ahead: Prospect, notes: Sequence[str] = ()) -> list[Chart]:
    """A chart for each measure that adds up and can be more than one thing, with `notes` drawn below it."""
    found = []
    for measure in ruleset.measures:
        chances = ahead.measures.get(measure.name, {})
        if measure.kind is Kind.COUNT and len(chances) > 1:
            name = words(measure.name)
            title = f"{name}: chance of each number; the table below has the figures"
            drawing = charts.histogram(chances, title, name, notes=notes)
            found.append(Chart(measure, drawing, sorted(chances.items()), ahead.mean(measure.name)))
    return found


def grouped(readings: Sequence[Reading]) -> list[tuple[str, str, list[Reading], bool]]:
    """The readings by ruling; each ruling with whether any of its readings changes the answer."""
    rulings: dict[str, list[Reading]] = {}
    for reading in readings:
        rulings.setdefault(reading.ruling, []).append(reading)
    return [(name, all[0].cite, all, any(one.moves for one in all)) for name, all in rulings.items()]


def flowchart(ruleset: Ruleset, found: Flow) -> Markup | None:
    """The flowchart with the chance of each step and exit on it."""
    return picture.cleaned(svg.svg(chart(ruleset.rules), Overlay(steps=found.steps, exits=found.exits)))


def tornado(found: Levers) -> Markup | None:
    """The strongest levers as a chart."""
    rows = []
    for lever in found.levers[:MOST_LEVERS]:
        values = [value for value in (lever.down, lever.up, found.now) if value is not None]
        rows.append((f"{lever.name} (now {lever.printed})"[:60], min(values), max(values)))
    title = "How far one number, 1 less or 1 more, moves what the attacker can expect; the table below has the figures"
    return charts.tornado(rows, found.now, title) if rows else None


def in_text(opened: Opened, whole: WholeOdds, address: str) -> str:
    """The odds as plain text, for a forum or a letter."""
    ruleset, ahead = opened.ruleset, whole.ahead
    lines = [opened.situation.title, f"{ruleset.title}, {ruleset.edition}", f"Policy: {whole.policy}. Exact."]
    lines += [*map(sentence, what_it_is(whole)), ""]
    lines += [f"{percent(chance):>9}  {name}  ({number(chance)})" for name, chance in outcomes(ahead)]
    lines.append("")
    for measure in ruleset.measures:
        mean = ahead.mean(measure.name)
        if measure.kind is Kind.EVENT and mean:
            lines.append(f"{percent(mean):>9}  {words(measure.name)}")
        elif mean:
            lines.append(f"{decimals(mean):>9}  {words(measure.name)}, mean")
    lines += ["", *(line for one in whole.decisions for line in judged_in_text(one))]
    if whole.doubts:
        lines += ["", "Rests on figures that are not verified: " + "; ".join(whole.doubts)]
    return "\n".join([*lines, "", address if len(address) < 2000 else ""]).rstrip() + "\n"


def what_it_is(whole: WholeOdds) -> list[str]:
    """What stands beside an answer to another question than the whole one, where it is read without its page."""
    told = [f"restricted ({words(name)}): a bound, not the value" for name in whole.restrictions]
    return told + ([f"{simpler.told(whole.simplified)}: of the simpler game"] if whole.simplified else [])


def judged_in_text(one: Judgement) -> list[str]:
    """One decision as text."""
    when = f"after: {one.after}; " if one.after else ""
    lines = [f"{one.title} ({one.seat}, {one.cite}; {when}comes up in {percent(one.chance)})"]
    for label, value, regret in one.options:
        cost = "best" if not regret else f"costs {decimals(regret)}"
        lines.append(f"{worth(value):>9}  {label}, {cost}")
    return lines


# ---------------------------------------------------------------------- files

STANDALONE = (
    "<style>text{font:11.5px sans-serif;fill:#4d5753}.value{fill:#1c2321;font-weight:600}.hit{fill:#0b5c60}"
    ".rule{stroke:#e6e2d5}.axis{stroke:#85877b;fill:none}</style>"
)


@router.get("/situation.toml")
def toml(of: Annotated[str, Query(max_length=reference.LARGEST)]) -> Response:
    """A situation as the file that the command line reads."""
    text = reference.text_of(of)
    headers = {"Content-Disposition": 'attachment; filename="situation.toml"'}
    return Response(text, media_type="application/toml", headers=headers)


@router.get("/odds.svg")
def chart_file(
    request: Request, question: Annotated[Asked, Depends(asked)], measure: Annotated[str, Query(max_length=80)] = ""
) -> Response:
    """The distribution of one measure as a drawing that stands alone."""
    site = site_of(request)
    opened = reference.opened(question.of)
    question = settled(question, opened)
    job = site.whole(opened, question.wishes, question.policy, 10)
    if not isinstance(job.answer, WholeOdds):
        raise InputError([Problem("measure", job.words or "the odds are still being worked out")])
    notes = what_it_is(job.answer)
    found = {one.measure.name: one for one in distributions(opened.ruleset, job.answer.ahead, notes)}
    if measure not in found:
        raise InputError([Problem("measure", f"there is no chart of {measure!r}", ", ".join(found))])
    drawing = str(found[measure].drawing)
    drawing = drawing.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="688" ', 1)
    drawing = drawing.replace("><title>", f">{STANDALONE}<title>", 1)
    headers = {"Content-Disposition": f'attachment; filename="{measure}.svg"'}
    return Response(drawing, media_type="image/svg+xml", headers=headers)
