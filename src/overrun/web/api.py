"""The JSON API, `/api/v1`: everything that the pages can do, for programs. Exact numbers are fractions as text."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from overrun.kernel import Chance, Decision, InputError, Problem, Ruleset
from overrun.play.explain import Explainer
from overrun.store.opening import Opened
from overrun.store.sessions import Wishes
from overrun.web import reference
from overrun.web.analyst import Job, Stands
from overrun.web.prospect import Advice, Prospect, Spans, WholeOdds
from overrun.web.referee import Missing, Table
from overrun.web.site import Site, site_of

LONGEST_WAIT = 20.0
LEFT_OUT = "a rule to leave out, by a simplification of the system: the answer is of the simpler game"
POLICIES = "best play; the stated plan, and best play where it says nothing; or the stated plan alone"


class Told(BaseModel):
    """One thing that is wrong: where, what, what would be right, and the rule that says so."""

    where: str
    what: str
    allowed: str
    rule: str


class Failure(BaseModel):
    """What went wrong: a stable code, a message, and every problem found."""

    code: str
    message: str
    problems: list[Told]


class Wrong(BaseModel):
    """The body of every error."""

    error: Failure


ERRORS: dict[int | str, dict[str, Any]] = {
    403: {"description": "A write from a page of another site."},
    404: {"model": Wrong, "description": "There is no such thing."},
    409: {"model": Wrong, "description": "It has moved on since."},
    413: {"description": "The request is too large."},
    422: {"model": Wrong, "description": "The request or the situation in it is wrong; every problem is named."},
}
router = APIRouter(prefix="/api/v1", responses=ERRORS)


def told(problem: Problem) -> dict[str, str]:
    """A problem as JSON."""
    rule = "" if problem.cite is None else str(problem.cite)
    return {"where": problem.where, "what": problem.what, "allowed": problem.allowed, "rule": rule}


# ---------------------------------------------------------------------- what is asked


class Body(BaseModel):
    """Strict: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


class Situated(Body):
    """A situation: the text of its TOML file, or the name of a shipped one."""

    toml: str | None = Field(None, max_length=reference.LARGEST, description="the text of a scenario file")
    example: str | None = Field(None, max_length=200, description="the name of a shipped scenario")

    def opened(self) -> Opened:
        """The situation. Raises `InputError`."""
        if (self.toml is None) == (self.example is None):
            raise InputError([Problem("toml, example", "one of the two is needed, and not both")])
        return reference.read(self.toml) if self.toml is not None else reference.opened(self.example or "")


class Begin(Situated):
    """A new session. `seed` makes the generated dice the same each time."""

    seed: int | None = Field(None, ge=0, le=2**62)


class Ask(Situated):
    """A question for the odds of a whole overrun. `wait`: seconds until a job is told instead."""

    policy: str = Field("best", pattern="^(best|plan|stated)$", description=POLICIES)
    payoff: str = Field("", max_length=80)
    restriction: str = Field("", max_length=80)
    simplification: str = Field("", max_length=80, description=LEFT_OUT)
    wait: float = Field(5.0, ge=0, le=LONGEST_WAIT)


class Given(Body):
    """An answer. `place` is how many answers there were before, so that none is given twice.

    Exactly one of `choose` (the id of an option), `roll` (the faces, in order) and `generate` is given.
    """

    place: int = Field(ge=0, le=10**6)
    choose: str | None = Field(None, max_length=400)
    roll: list[int] | None = Field(None, max_length=400)
    generate: bool = False


class Taken(Body):
    """An answer to be taken back."""

    place: int = Field(ge=0, le=10**6)


# ---------------------------------------------------------------------- systems and situations


@router.get("/systems")
def systems(request: Request) -> list[dict[str, Any]]:
    """Every system."""
    return [system_head(ruleset) for ruleset in site_of(request).library.systems.values()]


@router.get("/systems/{id}")
def system(request: Request, id: Annotated[str, Path(max_length=80)]) -> dict[str, Any]:
    """One system: its format, rulings, measures, payoffs, what can be left out, and a situation to start from."""
    ruleset = ruleset_of(site_of(request), id)
    return system_head(ruleset) | {
        "schema": dict(ruleset.schema()),
        "starter": ruleset.starter(),
        "rulings": [
            {
                "name": ruling.name,
                "question": ruling.question,
                "options": dict(ruling.options),
                "default": ruling.default,
                "reason": ruling.reason,
                "rule": str(ruling.cite),
            }
            for ruling in ruleset.rulings
        ],
        "measures": [{"name": m.name, "kind": str(m.kind), "meaning": m.meaning} for m in ruleset.measures],
        "payoffs": [{"name": payoff.name, "meaning": payoff.meaning} for payoff in ruleset.payoffs],
        "restrictions": [{"name": cut.name, "reason": cut.reason} for cut in ruleset.rules.restrictions],
        "simplifications": [{"name": one.name, "reason": one.reason} for one in ruleset.simplifications],
    }


def system_head(ruleset: Ruleset) -> dict[str, Any]:
    """A system in short."""
    seats = {str(seat): name for seat, name in ruleset.seats.items()}
    return {
        "id": ruleset.id,
        "title": ruleset.title,
        "version": ruleset.version,
        "edition": ruleset.edition,
        "rule": str(ruleset.cite),
        "seats": seats,
    }


def ruleset_of(site: Site, id: str) -> Ruleset:
    """The system of that id. Raises `Missing`."""
    found = site.library.systems.get(id)
    if found is None:
        raise Missing(f"There is no system {id!r}. There are: {', '.join(site.library.systems)}.")
    return found


@router.get("/examples")
def examples(request: Request) -> list[dict[str, str]]:
    """The shipped situations."""
    return [
        {
            "name": example.name,
            "system": example.opened.ruleset.id,
            "title": example.opened.situation.title,
            "note": example.note,
            "toml": reference.text_of(example.name),
        }
        for example in site_of(request).library.examples
    ]


@router.post("/check")
def check(request: Request, body: Situated) -> dict[str, Any]:
    """Is a situation right? If not, the error names every problem."""
    opened = body.opened()
    return {
        "system": opened.ruleset.id,
        "title": opened.situation.title,
        "reference": site_of(request).reference(opened),
        "rulings": dict(opened.situation.rulings),
        "not_verified": list(opened.situation.unverified),
        "simplifications": [one.name for one in opened.ruleset.simpler(opened.situation)],
        "stands": list(opened.ruleset.describe(opened.situation.start.state)),
    }


# ---------------------------------------------------------------------- sessions


@router.get("/sessions")
def sessions(request: Request, limit: Annotated[int, Query(ge=1, le=200)] = 20) -> list[dict[str, Any]]:
    """The sessions that were touched last."""
    return [
        {
            "id": one.id,
            "system": one.system,
            "title": one.title,
            "stands_at": one.stands_at,
            "answers": one.answers,
            "over": one.over,
        }
        for one in site_of(request).referee.sessions.recent(limit)
    ]


@router.post("/sessions", status_code=201)
def begin(request: Request, body: Begin) -> dict[str, Any]:
    """Begin a session."""
    site = site_of(request)
    return stands(site.referee.open(site.referee.begin(body.opened(), body.seed)))


Id = Annotated[str, Path(max_length=80)]


@router.get("/sessions/{id}")
def session(request: Request, id: Id) -> dict[str, Any]:
    """Where a session stands: what it waits for, what was answered, or how it ended."""
    return stands(site_of(request).referee.open(id))


@router.post("/sessions/{id}/answers")
def answer(request: Request, id: Id, body: Given) -> dict[str, Any]:
    """Give an answer. It is on the disk before it is shown."""
    referee = site_of(request).referee
    given = [body.choose is not None, body.roll is not None, body.generate]
    if sum(given) != 1:
        raise InputError([Problem("choose, roll, generate", "exactly one of these is needed")])
    if body.choose is not None:
        return stands(referee.choose(id, body.place, body.choose))
    if body.roll is not None:
        return stands(referee.roll(id, body.place, body.roll))
    return stands(referee.generate(id, body.place))


@router.post("/sessions/{id}/undo")
def undo(request: Request, id: Id, body: Taken) -> dict[str, Any]:
    """Take the last answer back. The log says so."""
    return stands(site_of(request).referee.undo(id, body.place))


@router.get("/sessions/{id}/advice")
def advice(request: Request, id: Id, wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 5.0) -> dict[str, Any]:
    """Best play from where a session stands."""
    site = site_of(request)
    table = site.referee.open(id)
    return job_told(site.advice(table, wait))


@router.get("/sessions/{id}/bounds")
def bounds(request: Request, id: Id, wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 5.0) -> dict[str, Any]:
    """Bounds on best play from where a session stands, and on each option; for what is too large to be exact."""
    site = site_of(request)
    table = site.referee.open(id)
    return job_told(site.bounds(table.opened, table.wishes, table.standing, table.id, wait))


@router.delete("/sessions/{id}", status_code=204)
def forget(request: Request, id: Id) -> None:
    """Delete a session and its log."""
    site_of(request).referee.open(id)
    site_of(request).referee.forget(id)


def stands(table: Table) -> dict[str, Any]:
    """A session as JSON."""
    with table.lock:
        opened, session = table.opened, table.session
        explainer = Explainer(opened.ruleset.rules, opened.ruleset.seats)
        events = [plain(explainer.adjudication(event)) for event in session.events]
        state = list(opened.ruleset.describe(session.state))
        node = session.node
        told: dict[str, Any] = {
            "id": table.id,
            "system": opened.ruleset.id,
            "title": opened.situation.title,
            "place": table.place,
            "over": session.over,
            "waits_for": "nothing",
            "state": state,
            "events": events,
            "counted": session.tally(),
        }
        if isinstance(node, Chance | Decision):
            told["waits_for"] = "roll" if isinstance(node, Chance) else "choice"
            told["seat"] = str(node.seat)
            told["question"] = plain(explainer.question(session))
        else:
            told["ending"] = plain(explainer.ending(session, state))
        return told


# ---------------------------------------------------------------------- odds


@router.post("/odds")
def odds(request: Request, body: Ask) -> dict[str, Any]:
    """The exact odds of a whole overrun, best play and the cost of mistakes; or the job that works them out."""
    site = site_of(request)
    wishes = Wishes(payoff=body.payoff, restriction=body.restriction, simplification=body.simplification)
    return job_told(site.whole(body.opened(), wishes, body.policy, body.wait))


@router.get("/jobs/{id}")
def job(request: Request, id: Id, wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 0.0) -> dict[str, Any]:
    """How far a job is, or its answer."""
    found = job_of(request, id)
    if wait:
        found.over.wait(wait)
    return job_told(found)


@router.delete("/jobs/{id}")
def stop(request: Request, id: Id) -> dict[str, Any]:
    """Stop a job."""
    found = job_of(request, id)
    site_of(request).jobs.stop(found)
    return job_told(found)


def job_of(request: Request, id: str) -> Job:
    """The job of that id. Raises `Missing`."""
    found = site_of(request).jobs.find(id)
    if found is None:
        raise Missing("There is no such job; finished ones are forgotten after a while.")
    return found


def job_told(job: Job) -> dict[str, Any]:
    """A job as JSON."""
    answer: Any = None
    if job.stands is Stands.DONE and isinstance(job.answer, Advice | Spans | WholeOdds):
        answer = plain(job.answer)
    return {
        "id": job.id,
        "stands": str(job.stands),
        "words": job.words,
        "code": job.code,
        "seconds": round(job.seconds, 3),
        "slow": job.slow,
        "answer": answer,
    }


def plain(value: Any) -> Any:
    """Any value of the readers as JSON: fractions as text, dataclasses as objects."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Prospect):
        means = {name: str(value.mean(name)) for name in value.measures}
        return {"outcomes": plain(value.outcomes), "means": means, "worth": plain(value.worth)} | {
            "measures": {
                name: [{"count": count, "exact": str(chance)} for count, chance in chances.items()]
                for name, chances in value.measures.items()
            }
        }
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value
