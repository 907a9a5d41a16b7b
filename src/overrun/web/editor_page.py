"""The page that sets a situation up: fields from the schema, problems beside them, the drawing, and the file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from overrun.kernel import InputError, OverrunError, Problem, Ruleset
from overrun.store.opening import Opened
from overrun.web import picture, reference
from overrun.web.fields import Field, Fields
from overrun.web.filled import Filled
from overrun.web.forms import form_of
from overrun.web.pages import attachment, redirect
from overrun.web.referee import Missing
from overrun.web.site import Site, site_of

router = APIRouter(include_in_schema=False)
Form = Annotated[FormData, Depends(form_of)]


def ruleset_of(site: Site, id: str) -> Ruleset:
    """The system of that id. Raises `Missing`."""
    found = site.library.systems.get(id)
    if found is None:
        raise Missing(f"There is no system of that name. There are: {', '.join(site.library.systems)}.")
    return found


@router.get("/edit/{system}")
def edit(request: Request, system: str, of: Annotated[str, Query(max_length=reference.LARGEST)] = "") -> Response:
    """A situation to change; without one, the one that the system offers to start from."""
    site = site_of(request)
    ruleset = ruleset_of(site, system)
    text = reference.text_of(of) if of else ruleset.starter()
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError([Problem("of", f"this is not valid TOML: {error}")]) from error
    return shown(site, ruleset, document)


@router.post("/edit/{system}")
def change(request: Request, system: str, form: Form) -> Response:
    """What was filled in, checked; or played, priced or saved when it is right."""
    site = site_of(request)
    ruleset = ruleset_of(site, system)
    said = {name: value for name, value in form.items() if isinstance(value, str)}
    filled = Filled(Fields(ruleset), said)
    document, press = filled.document(), said.get("press", "")
    if press == "toml":
        return attachment(reference.toml(document), "situation.toml", "application/toml")
    if press in {"play", "odds"} and not filled.problems:
        try:
            opened = read(document)
        except OverrunError:
            return shown(site, ruleset, document, filled.problems, 422)
        if press == "play":
            return redirect(f"/play/{site.referee.begin(opened)}")
        return redirect(f"/odds?of={opened.name}")
    return shown(site, ruleset, document, filled.problems, new=press.startswith(("add:", "remove:", "copy:")))


def read(document: Mapping[str, Any]) -> Opened:
    """A document as a situation, by way of its file, so that the app and the command line judge the same text."""
    return reference.read(reference.toml(document))


def shown(
    site: Site,
    ruleset: Ruleset,
    document: Mapping[str, Any],
    unread: Sequence[Problem] = (),
    status: int = 200,
    *,
    new: bool = False,
) -> Response:
    """The page of a document."""
    fields = Fields(ruleset).of(document)
    problems, opened, drawing = list(unread), None, None
    lines: tuple[str, ...] = ()
    try:
        opened = read(document)
        lines = tuple(ruleset.describe(opened.situation.start.state))
        drawing = picture.drawn(ruleset, opened.situation)
    except InputError as error:
        problems += error.problems
    except OverrunError as error:
        problems.append(Problem("", str(error).rstrip(".")))
    beside, elsewhere = placed(fields, problems)
    several = dict.fromkeys(each.suggested for each in fields.all() if each.suggested)
    lists = {suggested: f"known-{number}" for number, suggested in enumerate(several, 1)}
    view = {
        "ruleset": ruleset,
        "fields": fields,
        "simple": [part for part in fields.parts if not part.parts and part.kind not in {"cards", "table", "group"}],
        "panels": [part for part in fields.parts if part.parts or part.kind in {"cards", "table", "group"}],
        "problems": problems,
        "beside": beside,
        "elsewhere": elsewhere,
        "opened": opened,
        "picture": drawing,
        "lines": lines,
        "toml": reference.toml(document),
        "title": str(document.get("title", "")) or "A new situation",
        "new": new,
        "lists": lists,
        "unverified": opened.situation.unverified if opened else (),
    }
    return site.page("editor.html", view, status)


def placed(fields: Field, problems: Sequence[Problem]) -> tuple[dict[str, list[Problem]], list[Problem]]:
    """Each problem at the field it names, or at the nearest one around it; and those that name no field."""
    known = {each.where: each for each in fields.all() if each.where}
    beside: dict[str, list[Problem]] = {}
    elsewhere: list[Problem] = []
    for problem in problems:
        where = problem.where
        while where and where not in known:
            where = shorter(where)
        if not where:
            elsewhere.append(problem)
            continue
        beside.setdefault(known[where].id, []).append(problem)
        reveal(fields, where)
    return beside, elsewhere


def shorter(where: str) -> str:
    """A key path without its last part.

    >>> shorter("units[2].hex"), shorter("units[2]"), shorter("units")
    ('units[2]', 'units', '')
    """
    cut = max(where.rfind("."), where.rfind("["))
    return where[:cut] if cut > 0 else ""


def reveal(fields: Field, where: str) -> None:
    """Show at once what has a problem, and everything around it."""
    for each in fields.all():
        if each.where and (where == each.where or where.startswith((f"{each.where}.", f"{each.where}["))):
            each.stands_out = True
