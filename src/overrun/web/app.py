"""The app put together: routes, safety, and what a visitor reads when something is wrong."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from overrun import __version__
from overrun.analysis.errors import AnalysisError
from overrun.kernel import InputError, OverrunError, PlayError, Problem, RulesError
from overrun.store.sessions import Sessions, Stale
from overrun.web import api, editor_page, learn_page, odds_page, pages
from overrun.web.jobs import Jobs
from overrun.web.library import Library
from overrun.web.referee import Missing, Outdated
from overrun.web.safety import LOCAL, Guard
from overrun.web.site import TYPES, Site, site_of

ROUTERS = (pages.router, editor_page.router, odds_page.router, learn_page.router, api.router)
log = logging.getLogger("overrun.web")


def create(
    database: Path,
    *,
    hosts: Iterable[str] = LOCAL,
    analysts: int = 2,
    limit: float = 300.0,
    library: Library | None = None,
) -> FastAPI:
    """The app over a file of sessions. `hosts` are the names it answers to; `limit` are seconds of one analysis."""
    site = Site(Sessions(database), Jobs(analysts, limit), library)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # Reading every shipped situation takes a second; the first visitor need not wait for it.
        threading.Thread(target=lambda: site.library.cards, daemon=True).start()
        yield
        site.jobs.close()
        site.referee.sessions.close()

    app = FastAPI(
        title="Overrun",
        version=__version__,
        description="Referee, exact odds and best play of overrun attacks. Exact numbers are fractions as text.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.site = site
    for router in ROUTERS:
        app.include_router(router)
    app.add_api_route("/static/{mark}/{name}", static, include_in_schema=False)
    app.add_exception_handler(OverrunError, told)
    app.add_exception_handler(HTTPException, not_there)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, fault)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, hosts=tuple(hosts))
    return app


def static(request: Request, mark: str, name: str) -> Response:
    """A file of the app; only those that were read at the start, by name."""
    site = site_of(request)
    found = site.static.get(name)
    if found is None:
        return wrong(request, 404, "Not here", [Problem("", "there is no such file")])
    kept = "public, max-age=31536000, immutable" if mark == site.mark else "no-cache"
    return Response(found, media_type=TYPES[name.rpartition(".")[2]], headers={"Cache-Control": kept})


def told(request: Request, error: Exception) -> Response:
    """An error made on purpose, in the words of the command line."""
    assert isinstance(error, OverrunError)
    if isinstance(error, InputError):
        return wrong(request, 422, "This cannot be used as it is", error.problems, error.code)
    status, head = 422, "This cannot be answered"
    if isinstance(error, Missing):
        status, head = 404, "Not here"
    elif isinstance(error, Outdated | Stale):
        status, head = 409, "It has moved on"
    elif isinstance(error, RulesError):
        status, head = 500, "The ruleset contradicts itself"
        log.error("a ruleset contradicts itself: %s", error)
    elif isinstance(error, PlayError):
        head = "That is not possible here"
    elif isinstance(error, AnalysisError):
        head = "No exact answer"
    return wrong(request, status, head, [Problem("", str(error).rstrip("."))], error.code)


def not_there(request: Request, error: Exception) -> Response:
    """An address that names nothing, or a method that it does not know."""
    assert isinstance(error, HTTPException)
    words = {404: "there is no such page", 405: "this address does not take that method"}
    problem = Problem("", words.get(error.status_code, str(error.detail)))
    head = "Not here" if error.status_code in words else "This request was refused"
    response = wrong(request, error.status_code, head, [problem], "http")
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response


def invalid(request: Request, error: Exception) -> Response:
    """A request of the API whose shape is wrong."""
    assert isinstance(error, RequestValidationError)
    problems = [Problem(".".join(map(str, each["loc"])), str(each["msg"])) for each in error.errors()]
    return wrong(request, 422, "This request cannot be read", problems, "input")


def fault(request: Request, error: Exception) -> Response:
    """A fault of ours: the log has the traceback, the response has none."""
    log.error("a request failed: %s %s", request.method, request.url.path, exc_info=error)
    return wrong(request, 500, "A fault of ours", [Problem("", "something failed here; nothing was lost")], "fault")


def wrong(request: Request, status: int, head: str, problems: Iterable[Problem], code: str = "http") -> Response:
    """What is wrong, as a page for people and as JSON for programs."""
    if request.url.path.startswith("/api/"):
        return JSONResponse(
            {"error": {"code": code, "message": head, "problems": [api.told(problem) for problem in problems]}}, status
        )
    return site_of(request).page("problem.html", {"head": head, "problems": list(problems), "status": status}, status)
