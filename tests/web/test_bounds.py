"""Bounds in the app: they come by themselves where best play takes long, and say which option is proved best."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from overrun.analysis.bounds import to_seat
from overrun.kernel import Seat
from overrun.web import reference
from overrun.web.app import create

STACK = """
system = "asl"
title = "riders against two squads with PF"
date = "1943-11"
elr = 3
heat_of_battle = false
pf_shots = 2
[location]
terrain = "open"
[vehicle]
counter = "russian T-34 M41"
[[vehicle.prc]]
counter = "russian 4-4-7"
role = "rider"
[[defenders]]
counter = "german 4-6-7"
inherent = ["PF"]
[[defenders]]
counter = "german 4-6-7"
inherent = ["PF"]
"""
"""Best play takes many seconds, its bounds meet in less than one: whoever overruns loses by it."""
ONE = STACK[: STACK.rindex("[[defenders]]")]
"""One squad alone: small enough for every way of holding a seat."""
JSON = dict[str, Any]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create(tmp_path_factory.mktemp("bounds") / "sessions.db", hosts=("testserver",), limit=1)
    with TestClient(app, raise_server_exceptions=False) as running:
        yield running


def begun(client: TestClient, **what: str) -> str:
    response = client.post("/api/v1/sessions", json=what)
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def page(client: TestClient, id: str, *, until: str) -> str:
    end = time.monotonic() + 60
    while until not in (text := client.get(f"/play/{id}").text) and time.monotonic() < end:
        time.sleep(0.2)
    return text


def words(text: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


def options(text: str) -> dict[str, str]:
    return {id: words(inside) for id, inside in re.findall(r'name="choose" value="([^"]+)">(.*?)</button>', text, re.S)}


def test_the_page_shows_them_where_the_advice_takes_too_long(client: TestClient) -> None:
    id = begun(client, toml=STACK)
    found = options(page(client, id, until="Best, proved"))
    assert "Best, proved" in found["stay_out"]
    assert "Worth 0" in found["stay_out"]
    others = {id: told for id, told in found.items() if id != "stay_out"}
    assert len(others) == 2
    for told in others.values():
        assert re.search(r"Worth at most −\d", told)
        assert "Best" not in told
    text = words(client.get(f"/play/{id}").text)
    assert "longer than the limit of 1 seconds" in text
    assert "The two bounds meet: this is what the whole game is worth." in text


def test_the_odds_show_them_with_the_first_choice(client: TestClient) -> None:
    of, end = quote(reference.packed(STACK)), time.monotonic() + 60
    while "Best, proved" not in (text := client.get(f"/odds?of={of}&policy=best").text) and time.monotonic() < end:
        time.sleep(0.2)
    rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td></tr>', text)
    told = {words(label).strip(): words(span) for label, span in rows}
    assert told["Stay out Best, proved"] == "0"
    assert re.fullmatch(r"at most −[\d.]+", told["Enter without an overrun"])


def test_a_stated_plan_is_not_bounded(client: TestClient) -> None:
    """The seats do not play their best then, so bounds on best play say nothing about it."""
    end = time.monotonic() + 60
    while "longer than the limit" not in (text := client.get("/odds?of=asl/at-gun&policy=plan").text):
        assert time.monotonic() < end
        time.sleep(0.2)
    assert "Bounds on best play" not in text


def test_the_api_answers_with_fractions(client: TestClient) -> None:
    id = begun(client, toml=STACK)
    job: JSON = client.get(f"/api/v1/sessions/{id}/bounds?wait=20").json()
    assert job["stands"] == "done", job
    answer = job["answer"]
    assert (answer["exact"], answer["best"], answer["seat"]) == (True, "stay_out", "attacker")
    assert answer["worth"] == {"attacker": ["0", "0"], "defender": ["0", "0"]}
    assert answer["options"]["stay_out"] == ["0", "0"]
    assert Fraction(answer["options"]["overrun"][1]) < 0
    assert len(answer["cuts"]) == 2


def test_where_the_advice_is_there_none_are_looked_for(tmp_path: Path) -> None:
    # An app that waits for the advice, however busy the machine is.
    with TestClient(create(tmp_path / "sessions.db", hosts=("testserver",))) as client:
        id = begun(client, example="valor/printed-example")
        text = page(client, id, until="Worth<b>")
    assert "Worth<b>" in text
    assert "Bounds on best play" not in text


def test_a_seat_sees_them_from_its_own_side() -> None:
    one, two = Fraction(-1), Fraction(2)
    assert to_seat((one, two), Seat.ATTACKER) == (one, two)
    assert to_seat((one, two), Seat.DEFENDER) == (Fraction(-2), Fraction(1))
    assert to_seat((one, None), Seat.DEFENDER) == (None, Fraction(1))


def test_after_a_step_they_are_the_defenders(client: TestClient) -> None:
    id = begun(client, toml=ONE)
    session: JSON = client.get(f"/api/v1/sessions/{id}").json()
    client.post(f"/api/v1/sessions/{id}/answers", json={"place": session["place"], "choose": "overrun"})
    session = client.get(f"/api/v1/sessions/{id}").json()
    assert (session["waits_for"], session["seat"]) == ("choice", "defender")
    answer = client.get(f"/api/v1/sessions/{id}/bounds?wait=20").json()["answer"]
    assert answer["seat"] == "defender"
    assert answer["options"].keys() == {option["id"] for option in session["question"]["options"]}
    lower = Fraction(answer["worth"]["defender"][0])
    assert lower > 0
    known = [Fraction(low) for low, _ in answer["options"].values() if low is not None]
    assert max(known) == lower
