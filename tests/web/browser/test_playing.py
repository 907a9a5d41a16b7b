"""Whole overruns on screen: with scripts and without, by mouse and by keyboard (V-18, X-02, X-03, X-06)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from overrun import rulesets
from tests.web.browser.conftest import Opens
from tests.web.browser.playing import choose, over, place_of, roll, settled, to_the_end
from tests.web.serving import Served

PRINTED = "valor/printed-example"
scripts = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


def begin(page: Page, name: str) -> None:
    page.goto("/")
    play = page.locator(f"form:has(input[value='{name}']) button", has_text=re.compile("^Play$"))
    if not play.is_visible():
        page.locator("details", has=play).locator("summary").click()
    play.click()
    page.wait_for_url("**/play/**")


def totals(page: Page) -> dict[str, str]:
    """Every ledger on the page with its total."""
    for ledger in page.locator("section:has(#ledgers-h) summary").all():
        if ledger.evaluate("summary => !summary.parentElement.open"):
            ledger.click()
    texts = [" ".join(text.split()) for text in page.locator("section:has(#ledgers-h) summary").all_inner_texts()]
    return {text.rpartition(" ")[0]: text.rpartition(" ")[2] for text in texts}


@scripts
def test_the_printed_example_comes_out_as_printed(opens: Opens, scripts: bool) -> None:
    # V-18: MP 7; roll 7 - 1 = 6 hits; D against E, 11: none; 19 x 2 = 38; 2 + 2 + 1 = 5: 6 points; the AFV ends in D1.
    page = opens(java_script_enabled=scripts)
    begin(page, PRINTED)
    assert totals(page)["Movement points"] == "7"
    choose(page, "overrun")
    choose(page, "fire:squad-1:panzerfaust:schmidt")
    roll(page, 3, 4)
    assert totals(page)["To-hit roll"] == "6"
    roll(page, 6, 5)
    assert page.get_by_text("no effect").count()
    roll(page, 1, 1)
    shown = totals(page)
    assert (shown["Overrun APFP"], shown["AP roll"], shown["Casualty points"]) == ("38", "5", "6")
    choose(page, "spare:schmidt")
    choose(page, "pin:squad-1")
    if page.locator("button.option[value='eliminate:squad-2']").count():
        choose(page, "eliminate:squad-2")
    if page.locator("button.option[value=hold]").count():
        choose(page, "hold")
    ended = page.locator("#step")
    expect(ended).to_contain_text("Overrun completed")
    expect(ended).to_contain_text("M4A3E8: in D1")
    expect(ended).to_contain_text("eliminated")
    expect(ended).to_contain_text("pinned")


@scripts
@pytest.mark.parametrize("system", list(rulesets.rulesets()))
def test_each_system_from_the_editor_to_the_end_state(opens: Opens, system: str, scripts: bool) -> None:
    page = opens(java_script_enabled=scripts)
    page.goto(f"/edit/{system}")
    page.get_by_label("Title", exact=True).fill("Set up by a test")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/play/**")
    expect(page.locator(".where").first).to_contain_text("Set up by a test")
    to_the_end(page)
    expect(page.locator("#step")).to_contain_text("How everything stands")


def test_a_whole_overrun_by_keyboard_alone(opens: Opens) -> None:
    page = opens()
    page.goto("/odds?of=valor/printed-example")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    press(page, page.get_by_role("button", name="Play it"))
    page.wait_for_url("**/play/**")
    answered = 0
    while not over(page) and answered < 40:
        before = place_of(page)
        if page.locator("button.option").count():
            press(page, page.locator("button.option").first)
        else:
            for die in page.locator("fieldset.die").all():
                reach(page, die.locator("input").first)
                page.keyboard.press("Space")
                page.keyboard.press("ArrowRight")
                assert page.evaluate("document.activeElement.value") == "2"
            press(page, page.locator("button[value=typed]"))
        settled(page, before)
        # What was answered gives way to the next question, and the focus goes there.
        assert page.evaluate("document.activeElement.matches('h1')")
        answered += 1
    assert answered > 2


def reach(page: Page, target: object) -> None:
    """Tab until the target has the focus, as somebody without a mouse must."""
    for _ in range(90):
        if target.evaluate("one => one === document.activeElement"):  # type: ignore[attr-defined]
            return
        page.keyboard.press("Tab")
    raise AssertionError("it cannot be reached with the Tab key")


def press(page: Page, target: object) -> None:
    reach(page, target)
    visible = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert visible != "none", "the focus cannot be seen"
    page.keyboard.press("Enter")


def test_undo_goes_back_and_stays_in_the_log(opens: Opens, app: Served) -> None:
    page = opens()
    begin(page, PRINTED)
    choose(page, "overrun")
    before = page.locator("h1").inner_text()
    choose(page, "hold")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("h1")).to_have_text(before)
    text = page.request.get(page.url + "/log").text()
    assert text.count('"undo"') == 1
    assert text.count('"choose"') == 2


def test_advice_can_be_hidden_and_shown(opens: Opens) -> None:
    page = opens()
    begin(page, PRINTED)
    expect(page.locator(".option .odds")).to_have_count(2)
    expect(page.locator(".mark.best")).to_have_count(1)
    page.get_by_role("button", name="Hide the advice").click()
    expect(page.locator(".option .odds")).to_have_count(0)
    assert "How it may end" not in page.inner_text("main")
    page.get_by_role("button", name="Show the advice").click()
    expect(page.locator(".option .odds")).to_have_count(2)


@scripts
def test_wrong_dice_are_refused_in_words_and_nothing_is_lost(opens: Opens, scripts: bool) -> None:
    page = opens(java_script_enabled=scripts)
    begin(page, PRINTED)
    choose(page, "overrun")
    choose(page, "fire:squad-1:panzerfaust:schmidt")
    page.locator("input[name=die-1][value='3']").check(force=True)
    page.locator("button[value=typed]").click()
    expect(page.get_by_role("alert")).to_contain_text("no face is chosen for die 2")


def test_every_refusal_has_its_reason_and_its_rule(opens: Opens) -> None:
    page = opens()
    begin(page, PRINTED)
    choose(page, "overrun")
    for refused in page.locator(".refused li").all():
        name, reason, rule = (part.inner_text() for part in refused.locator(":scope > *").all())
        assert name
        assert reason
        assert rule


def test_a_session_goes_on_after_the_server_was_killed(opens: Opens, app: Served) -> None:
    page = opens()
    begin(page, PRINTED)
    choose(page, "overrun")
    choose(page, "fire:squad-1:panzerfaust:schmidt")
    roll(page, 3, 4)
    seen = page.locator(".log li").all_inner_texts()
    app.kill()
    app.start(app.port)
    page.reload()
    assert page.locator(".log li").all_inner_texts() == seen
    roll(page, 6, 5)
    assert page.locator(".log li").all_inner_texts()[: len(seen) - 1] == seen[:-1]


def test_an_answer_from_an_old_page_is_not_taken_twice(opens: Opens) -> None:
    page, other = opens(), opens(java_script_enabled=False)
    begin(page, PRINTED)
    other.goto(page.url)
    choose(page, "overrun")
    other.locator("button.option").first.click()
    expect(other.get_by_role("alert")).to_contain_text("answered meanwhile")


@scripts
def test_the_flowchart_shows_the_way_taken_and_where_it_is(opens: Opens, scripts: bool) -> None:
    #
    page = opens(java_script_enabled=scripts)
    begin(page, PRINTED)
    choose(page, "overrun")
    page.locator("summary", has_text="Flowchart").click()
    if not scripts:
        page.get_by_role("link", name="Show the flowchart").click()
    chart = page.locator("svg.oc")
    expect(chart).to_be_visible()
    expect(chart.locator(".here")).to_have_count(1)
    assert chart.locator(".taken").count() > 0
