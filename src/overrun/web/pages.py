"""The pages of play: home, opening a file, and each session."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from overrun.kernel import InputError, OverrunError, PlayError, Problem
from overrun.play import record as log
from overrun.store import opening
from overrun.store.sessions import Stale, Wishes
from overrun.web import play_page, reference
from overrun.web.analyst import Stands
from overrun.web.forms import LARGEST_PART, faces_of, field, form_of, place_of
from overrun.web.referee import Table
from overrun.web.site import Site, site_of

router = APIRouter(include_in_schema=False)
Form = Annotated[FormData, Depends(form_of)]
WAIT = 0.4
"""Seconds that a page waits for advice before it is shown without it."""


@router.get("/")
def home(request: Request) -> Response:
    """The systems, the shipped situations, the sessions, and a file to open."""
    site = site_of(request)
    return site.page("home.html", home_view(site))


def home_view(site: Site, problems: tuple[Problem, ...] = (), pasted: str = "") -> dict[str, object]:
    """What the home page shows."""
    recent = site.referee.sessions.recent(12)
    return {
        "cards": site.library.cards,
        "shelves": [(ruleset, site.library.of(ruleset.id)) for ruleset in site.library.systems.values()],
        "recent": recent,
        "problems": problems,
        "pasted": pasted,
    }


@router.get("/sessions")
def sessions(request: Request) -> Response:
    """All sessions, the last touched first."""
    site = site_of(request)
    return site.page("sessions.html", {"recent": site.referee.sessions.recent(200)})


@router.post("/open")
async def open_file(request: Request) -> Response:
    """A situation or a log from the player's own disk."""
    site, form = site_of(request), await form_of(request)
    text = field(form, "text")
    upload = form.get("file")
    if isinstance(upload, UploadFile) and upload.filename:
        raw = await upload.read(LARGEST_PART + 1)
        try:
            text = raw.decode("utf-8-sig") if len(raw) <= LARGEST_PART else ""
        except UnicodeDecodeError:
            text = "\0"
    try:
        if not text.strip():
            raise InputError([Problem("file", "nothing was given, or it is too large", "a .toml or .log file")])
        return redirect(opened_address(site, text))
    except OverrunError as error:
        problems = error.problems if isinstance(error, InputError) else (Problem("", str(error).rstrip(".")),)
        return site.page("home.html", home_view(site, tuple(problems), text if len(text) < 20_000 else ""), 422)


def opened_address(site: Site, text: str) -> str:
    """Where to go with the text of a file: to its session when it is a log, else to the editor."""
    if "\0" in text:
        raise InputError([Problem("file", "this is not UTF-8 text", "a .toml or .log file")])
    if text.lstrip().startswith("{"):
        kept = log.loads(text)
        opened = opening.from_document(kept.document, kept.title)
        return f"/play/{site.referee.adopt(opened, kept)}"
    opened = reference.read(text)
    return f"/edit/{opened.ruleset.id}?of={opened.name}"


@router.post("/play")
def begin(request: Request, form: Form) -> Response:
    """A new session of a situation."""
    site = site_of(request)
    opened = reference.opened(field(form, "of"))
    return redirect(f"/play/{site.referee.begin(opened)}")


def redirect(address: str) -> Response:
    """Go on there with GET, so that reloading a page sends nothing twice."""
    return RedirectResponse(address, status_code=303)


# ---------------------------------------------------------------------- one session


@router.get("/play/{id}")
def play(request: Request, id: str) -> Response:
    """Where a session stands."""
    site = site_of(request)
    return shown(site, site.referee.open(id))


def shown(site: Site, table: Table, alert: str = "", status: int = 200, wait: float = WAIT) -> Response:
    """The page of a session."""
    job = site.advice(table, wait) if table.wishes.advice else None
    bounds = site.bounds_on(job, table.opened, table.wishes, table.id)
    with table.lock:
        view = play_page.view(table, job, alert, bounds)
    view["share"] = site.reference(table.opened)
    return site.page("play.html", view, status)


@router.post("/play/{id}/answer")
def answer(request: Request, id: str, form: Form) -> Response:
    """An option taken, or dice rolled."""
    site = site_of(request)
    table = site.referee.open(id)
    try:
        place = place_of(form)
        if option := field(form, "choose", 400):
            site.referee.choose(id, place, option)
        elif field(form, "roll", 20) == "generated":
            site.referee.generate(id, place)
        else:
            site.referee.roll(id, place, faces_of(form, table.session))
    except (PlayError, InputError) as error:
        return shown(site, site.referee.open(id), str(error), 422)
    except Stale as error:
        return shown(site, site.referee.open(id), str(error), 409)
    return redirect(f"/play/{id}")


@router.post("/play/{id}/undo")
def undo(request: Request, id: str, form: Form) -> Response:
    """The last answer taken back."""
    site = site_of(request)
    try:
        site.referee.undo(id, place_of(form))
    except (PlayError, InputError, Stale) as error:
        return shown(site, site.referee.open(id), str(error), 409)
    return redirect(f"/play/{id}")


@router.post("/play/{id}/wish")
def wish(request: Request, id: str, form: Form) -> Response:
    """Show or hide the advice; choose the payoff, a restriction or a simplification; ask again for what was stopped."""
    site = site_of(request)
    table = site.referee.open(id)
    ruleset = table.opened.ruleset
    known = {
        "payoff": {one.name for one in ruleset.payoffs},
        "restriction": {one.name for one in ruleset.rules.restrictions},
        "simplification": {one.name for one in ruleset.simplifications},
    }
    named = {what: name for what, names in known.items() if (name := field(form, what, 80)) in names}
    wishes = Wishes(field(form, "advice", 8) != "off", **named)
    site.referee.wish(id, wishes)
    if field(form, "again", 8) and wishes.advice:
        site.advice(site.referee.open(id), 0, again=True)
    return redirect(f"/play/{id}")


@router.post("/play/{id}/stop")
def stop(request: Request, id: str) -> Response:
    """Stop working out the advice."""
    site = site_of(request)
    table = site.referee.open(id)
    job = site.advice(table, 0)
    if job.stands in {Stands.WAITING, Stands.RUNNING}:
        site.jobs.stop(job)
    return redirect(f"/play/{id}")


@router.post("/play/{id}/forget")
def forget(request: Request, id: str) -> Response:
    """A session deleted."""
    site_of(request).referee.forget(id)
    return redirect("/")


@router.get("/play/{id}/flow")
def flow(request: Request, id: str) -> Response:
    """The flowchart with the way that a session took."""
    site = site_of(request)
    table = site.referee.open(id)
    with table.lock:
        drawing = play_page.flowchart(table)
    return site.page("flow.html", {"table": table, "flowchart": drawing})


@router.get("/play/{id}/log")
def download(request: Request, id: str) -> Response:
    """The log, as the command line writes and verifies it."""
    kept = site_of(request).referee.sessions.load(id)
    if kept is None:
        return Response("There is no such session here.\n", 404, media_type="text/plain")
    return attachment(log.dumps(kept.record), "overrun.log", "application/json")


def attachment(text: str, name: str, kind: str) -> Response:
    """A file to be saved."""
    return Response(text, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
