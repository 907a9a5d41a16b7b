"""What every page and every answer of the API is made with: the sessions, the analysis, the library, the templates."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from overrun.kernel import InputError
from overrun.play.session import Answer
from overrun.store.opening import Opened
from overrun.store.sessions import Sessions, Wishes
from overrun.web import reference
from overrun.web.analyst import Job, Stands
from overrun.web.answers import STATED, simplified
from overrun.web.jobs import Jobs
from overrun.web.library import Library
from overrun.web.prospect import Subject
from overrun.web.referee import Referee, Table
from overrun.web.words import FILTERS
from overrun.web.worker import Asks, Question

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "webmanifest": "application/manifest+json"}


class Site:
    """One running app."""

    def __init__(self, sessions: Sessions, jobs: Jobs, library: Library | None = None) -> None:
        self.referee, self.jobs, self.library = Referee(sessions), jobs, library or Library()
        self.static = {
            file.name: file.read_bytes()
            for file in files("overrun.web").joinpath("static").iterdir()
            if file.name.rpartition(".")[2] in TYPES
        }
        # One mark for all of them: scripts import each other, so a change of one must reach the others.
        self.mark = hashlib.sha256(b"".join(self.static[name] for name in sorted(self.static))).hexdigest()[:12]
        self.templates = Environment(
            loader=PackageLoader("overrun.web"),
            autoescape=select_autoescape(default=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.filters |= FILTERS
        self.templates.globals |= {"asset": self.asset, "systems": lambda: self.library.systems}

    def asset(self, name: str) -> str:
        """The address of a static file; it changes with the files, so that it can be kept for ever."""
        return f"/static/{self.mark}/{name}"

    def page(self, name: str, view: Mapping[str, Any], status: int = 200) -> HTMLResponse:
        """A page from its template."""
        html = self.templates.get_template(name).render(**view)
        return HTMLResponse(html, status_code=status)

    def reference(self, opened: Opened) -> str:
        """The shortest reference of a situation: its name when it is a shipped one, else its packed text."""
        document = opened.situation.document
        return self.library.name_of(document) or reference.packed(reference.toml(document))

    # ------------------------------------------------------------------ questions to the analysis

    def subject(self, opened: Opened, wishes: Wishes | None = None) -> Subject:
        """A situation as the analysis is asked about it."""
        wishes = wishes or Wishes()
        document = json.dumps(opened.situation.document, sort_keys=True, default=str)
        return Subject(opened.ruleset.id, document, wishes.payoff, wishes.restriction, wishes.simplification)

    def advice(self, table: Table, wait: float, *, again: bool = False) -> Job:
        """Best play from where a session stands; refused at once where a rule is left out and play has begun."""
        question = Question(Asks.ADVICE, self.subject(table.opened, table.wishes), table.standing)
        try:
            simplified(table.opened, question.subject, table.session.position)
        except InputError as error:
            job = Job(secrets.token_urlsafe(9), question)
            job.finish(Stands.REFUSED, str(error), error.code)
            return job
        return self.jobs.ask(question, wait, again=again, watcher=table.id)

    def bounds_on(self, job: Job | None, opened: Opened, wishes: Wishes, watcher: str = "") -> Job | None:
        """Bounds on the best play that a job looks for, once that takes long or proved too large.

        There are none where the seats do not play for the same points.
        """
        if job is None or not job.slow or opened.ruleset.payoff(wishes.payoff or None).defender is not None:
            return None
        return self.bounds(opened, wishes, job.question.answers, watcher)

    def bounds(
        self, opened: Opened, wishes: Wishes, answers: tuple[Answer, ...] = (), watcher: str = "", wait: float = 0
    ) -> Job:
        """Bounds on best play from where answers lead."""
        question = Question(Asks.BOUNDS, self.subject(opened, wishes), answers)
        return self.jobs.ask(question, wait, watcher=f"{watcher} bounds" if watcher else "")

    def whole(self, opened: Opened, wishes: Wishes, policy: str, wait: float, *, again: bool = False) -> Job:
        """The odds of a whole overrun."""
        asks = Asks.STATED if policy == STATED else Asks.WHOLE
        question = Question(asks, self.subject(opened, wishes), policy=policy)
        return self.jobs.ask(question, wait, again=again)


def site_of(request: Request) -> Site:
    """The app that a request belongs to."""
    site = request.app.state.site
    assert isinstance(site, Site)
    return site
