"""A rule left out of an analysis, in the app: offered where it leaves something out, named wherever it answered."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from overrun import scenarios
from overrun.analysis.answer import Pricing, Terms
from overrun.kernel import InputError
from overrun.web import reference, simpler
from overrun.web.app import create

FILE, NAME = "asl/tank-in-woods", "no_heat_of_battle"
LABEL = "under the simplification no heat of battle"
LARGE = "asl/at-gun"
OWN = scenarios.text(FILE).replace("elr = 3\n", "elr = 3\nheat_of_battle = false\n")
"""The situation with the rule left out by its file."""
JSON = dict[str, Any]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(app_in(tmp_path_factory.mktemp("simpler")), raise_server_exceptions=False) as running:
        yield running


def app_in(folder: Path, **more: Any) -> Any:
    return create(folder / "sessions.db", hosts=("testserver",), **more)


def asked(client: TestClient, **more: Any) -> JSON:
    job = client.post("/api/v1/odds", json={"policy": "plan", "wait": 20, **more}).json()
    return dict(client.get(f"/api/v1/jobs/{job['id']}?wait=20").json())


def answered(client: TestClient, **more: Any) -> JSON:
    job = asked(client, **more)
    assert job["stands"] == "done", job
    return dict(job["answer"])


def finished(client: TestClient, address: str) -> str:
    until = time.monotonic() + 60
    while "data-job=" in (page := client.get(address).text) and time.monotonic() < until:
        time.sleep(0.2)
    return page


@cache
def rows(name: str) -> int:
    """How many decisions the rules lead to, counted without anything that was kept."""
    opened = reference.opened(FILE)
    terms = Terms(opened.ruleset.payoff(), simplified=tuple(filter(None, (name,))))
    return Pricing(opened.ruleset, opened.situation, terms).solution.game.decisions


def offers(page: str, name: str) -> bool:
    """Is there a button or a choice of that name?"""
    return f'name="simplification" value="{name}"' in page or f'<option value="{name}"' in page


def refusal(opened: Any, position: Any) -> str:
    """What the command line says in the middle of play."""
    with pytest.raises(InputError) as error:
        opened.ruleset.simplified(replace(opened.situation, start=position), (NAME,))
    return str(error.value)


# ---------------------------------------------------------------------- the JSON API


def test_the_answer_is_that_of_the_file_without_the_rule_and_says_so(client: TestClient) -> None:
    whole, simple = answered(client, example=FILE), answered(client, example=FILE, simplification=NAME)
    assert (whole["simplified"], simple["simplified"]) == ([], [NAME])
    assert simple["ahead"] == answered(client, toml=OWN)["ahead"]
    assert Fraction(whole["ahead"]["means"]["heroes"]) > 0
    assert Fraction(simple["ahead"]["means"]["heroes"]) == 0
    alone = answered(client, example=FILE, simplification=NAME, policy="stated")
    assert (alone["simplified"], alone["ahead"]) == ([NAME], simple["ahead"])


@pytest.mark.parametrize("first", ["", NAME])
def test_neither_answers_for_the_other_out_of_what_was_kept(first: str, tmp_path: Path) -> None:
    order = [first, NAME if not first else ""]
    found: list[JSON] = []
    # The second app has workers of its own: what it answers at once was read from the disk.
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        with TestClient(app_in(folder, analysts=1)) as running:
            found += [answered(running, example=FILE, simplification=name) for name in order * 2]
    assert found == found[:2] * 4
    heroes = {name: Fraction(one["ahead"]["means"]["heroes"]) for name, one in zip(order, found, strict=False)}
    assert heroes[""] > heroes[NAME] == 0
    assert {name: one["rows"] for name, one in zip(order, found, strict=False)} == {n: rows(n) for n in order}


def test_a_restriction_can_be_in_force_too_and_is_named(client: TestClient) -> None:
    both = answered(client, example=FILE, simplification=NAME, restriction="no_bounding_fire")
    assert (both["restrictions"], both["simplified"]) == (["no_bounding_fire"], [NAME])


def test_a_name_that_is_none_is_refused_as_on_the_command_line(client: TestClient) -> None:
    job = asked(client, example=FILE, simplification="no_dice")
    assert job["stands"] == "refused"
    assert f"there is no simplification 'no_dice'. Allowed: {NAME}" in job["words"]
    job = asked(client, example="valor/printed-example", simplification=NAME)
    assert "this game has none" in job["words"]


def test_which_there_are_and_which_leave_something_out(client: TestClient) -> None:
    told = client.get("/api/v1/systems/asl").json()["simplifications"]
    assert [one["name"] for one in told] == [NAME]
    assert "Heat of Battle" in told[0]["reason"]
    assert client.get("/api/v1/systems/valor").json()["simplifications"] == []
    assert client.post("/api/v1/check", json={"example": FILE}).json()["simplifications"] == [NAME]
    assert client.post("/api/v1/check", json={"toml": OWN}).json()["simplifications"] == []


# ---------------------------------------------------------------------- the page of the odds


def test_the_page_offers_what_leaves_something_out_and_nothing_else(client: TestClient) -> None:
    assert offers(client.get(f"/odds?of={FILE}&policy=stated").text, NAME)
    assert 'name="simplification"' not in client.get(f"/odds?of={reference.packed(OWN)}&policy=stated").text
    assert 'name="simplification"' not in client.get("/odds?of=valor/printed-example").text


def test_every_part_of_the_page_is_labelled_and_every_address_of_it_keeps_the_choice(client: TestClient) -> None:
    page = finished(client, f"/odds?of={FILE}&policy=plan&simplification={NAME}")
    assert f'<option value="{NAME}" selected>' in page
    assert "An Original 2 on a Morale Check is an ordinary pass" in page
    assert f"The exact odds are there, {LABEL}." in page
    panels = re.findall(r"<section class=\"panel.*?</section>", page, re.DOTALL)
    answers = [panel for panel in panels if 'class="figure' in panel or 'class="chart' in panel]
    assert len(answers) > 4
    assert all(LABEL in panel for panel in answers)
    text = page.partition('id="as-text"')[2].partition("</textarea>")[0]
    assert f"{LABEL[0].upper()}{LABEL[1:]}: of the simpler game." in text
    shared = page.partition('id="link"')[2].partition(">")[0]
    links = re.findall(r'href="(/odds[^"]*(?:compare|measure)=[^"]*)"', page)
    assert len(links) > 3
    assert all(f"simplification={NAME}" in link for link in (shared, *links))
    chart = next(link for link in links if "/odds.svg" in link)
    assert f">{LABEL}: of the simpler game</text>" in client.get(html.unescape(chart)).text
    assert LABEL not in finished(client, f"/odds?of={FILE}&policy=plan")


def test_comparisons_are_of_the_simpler_game_too(client: TestClient) -> None:
    page = finished(client, f"/odds?of={FILE}&policy=plan&simplification={NAME}&compare=flow")
    own = finished(client, f"/odds?of={reference.packed(OWN)}&policy=plan&compare=flow")
    whole = finished(client, f"/odds?of={FILE}&policy=plan&compare=flow")
    drawn = [one.partition('id="flow"')[2].partition("<svg")[2].partition("</svg>")[0] for one in (page, own, whole)]
    assert 'class="oc"' in drawn[0]
    assert drawn[0] == drawn[1] != drawn[2]
    assert LABEL in page.partition('id="flow"')[2].partition("</section>")[0]


def test_it_is_offered_where_the_whole_takes_too_long_and_no_more_once_in_force(tmp_path: Path) -> None:
    with TestClient(app_in(tmp_path, limit=1), raise_server_exceptions=False) as running:
        page = finished(running, f"/odds?of={LARGE}&policy=best")
        shown = page.partition("data-offers>")[2].partition("</section>")[0]
        assert "longer than the limit" in page
        assert offers(shown, NAME)
        form = shown.rpartition("<form")[2]
        assert '<input type="hidden" name="restriction" value="">' in form
        assert f'<input type="hidden" name="of" value="{LARGE}">' in form
        page = finished(running, f"/odds?of={LARGE}&policy=best&simplification={NAME}")
        shown = page.partition("data-offers>")[2].partition("</section>")[0]
        assert 'name="restriction" value="three_attacks"' in shown
        assert f'<input type="hidden" name="simplification" value="{NAME}">' in shown
        assert f'name="simplification" value="{NAME}">No heat' not in shown
        # To stop, and to ask again, is about the same question.
        fields = {"of": LARGE, "policy": "best", "simplification": NAME, "again": "1"}
        again = running.post("/odds/ask", data=fields, follow_redirects=False)
        assert f"simplification={NAME}" in again.headers["location"]


# ---------------------------------------------------------------------- the page of play


def began(client: TestClient, name: str) -> str:
    return str(client.post("/api/v1/sessions", json={"example": name}).json()["id"])


def test_advice_before_play_and_its_refusal_once_play_has_begun(client: TestClient) -> None:
    id, opened = began(client, FILE), reference.opened(FILE)
    assert offers(client.get(f"/play/{id}").text, NAME)
    client.post(f"/play/{id}/wish", data={"simplification": NAME})
    page = finished(client, f"/play/{id}")
    for part in ('id="options"', 'id="outlook"'):
        assert LABEL in page.partition(part)[2].partition("</section>")[0], part
    assert f"advice {LABEL}" in page
    assert client.get(f"/api/v1/sessions/{id}/advice").json()["answer"]["simplified"] == [NAME]

    client.post(f"/api/v1/sessions/{id}/answers", json={"place": 0, "choose": "overrun"})
    session = opened.session()
    session.choose("overrun")
    words = refusal(opened, session.position)
    assert "play has begun already" in words
    job = client.get(f"/api/v1/sessions/{id}/advice").json()
    assert (job["stands"], job["words"], job["code"]) == ("refused", words, "input")
    page = client.get(f"/play/{id}").text
    assert words in html.unescape(page)
    assert f"advice {LABEL}" not in page
    assert "Advice on the whole game" in page

    client.post(f"/api/v1/sessions/{id}/undo", json={"place": 1})
    assert LABEL in finished(client, f"/play/{id}").partition('id="options"')[2].partition("</section>")[0]


def test_it_is_not_offered_in_the_middle_of_play_and_can_be_given_up_there(client: TestClient) -> None:
    id = began(client, FILE)
    client.post(f"/api/v1/sessions/{id}/answers", json={"place": 0, "choose": "overrun"})
    assert not offers(client.get(f"/play/{id}").text, NAME)
    client.post(f"/play/{id}/wish", data={"simplification": NAME})
    assert offers(client.get(f"/play/{id}").text, NAME)
    client.post(f"/play/{id}/wish", data={"payoff": ""})
    page = client.get(f"/play/{id}").text
    assert not offers(page, NAME)
    assert "play has begun already" not in page


def test_a_log_is_of_the_whole_game(client: TestClient) -> None:
    id = began(client, FILE)
    client.post(f"/api/v1/sessions/{id}/answers", json={"place": 0, "choose": "overrun"})
    text = client.get(f"/play/{id}/log").text
    there = client.post("/open", data={"text": text}, follow_redirects=False).headers["location"]
    client.post(f"{there}/wish", data={"simplification": NAME})
    assert "play has begun already" in client.get(there).text


def test_hiding_the_advice_keeps_the_choice_and_a_name_that_is_none_is_not_kept(client: TestClient) -> None:
    id = began(client, FILE)
    client.post(f"/play/{id}/wish", data={"simplification": NAME})
    hide = client.get(f"/play/{id}").text.partition("Hide the advice")[0].rpartition("<form")[2]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', hide))
    assert fields == {"payoff": "", "restriction": "", "simplification": NAME, "advice": "off"}
    client.post(f"/play/{id}/wish", data={"simplification": "no_dice"})
    assert "simplification no dice" not in client.get(f"/play/{id}").text
    assert client.get(f"/api/v1/sessions/{id}/advice").json()["stands"] != "refused"


def test_what_is_chosen_shows_even_where_it_leaves_nothing_out() -> None:
    own = reference.read(OWN)
    assert simpler.choices(own.ruleset, own.situation) == []
    assert [one.name for one in simpler.choices(own.ruleset, own.situation, NAME)] == [NAME]
    assert simpler.under(own.ruleset, "nonsense") == ""


def test_no_empty_panel_stands_where_the_overrun_never_comes(client: TestClient) -> None:
    stays_out = finished(client, f"/odds?of=asl/concealed-stack&policy=best&simplification={NAME}")
    assert "Stayed out" in stays_out
    assert 'aria-label="In short"' not in stays_out
    assert 'aria-label="In short"' in finished(client, f"/odds?of={FILE}&policy=plan&simplification={NAME}")
