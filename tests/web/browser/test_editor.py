"""Setting up: problems beside their field as one types, the map that can be clicked, files in and out."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import expect

from overrun import rulesets, scenarios
from overrun.store import opening
from tests.web.browser.conftest import Opens

HOSTILE = "<script>document.title='taken'</script><img src=x onerror=alert(1)>'\"&"


def test_a_problem_stands_beside_its_field_while_one_types_and_goes_when_it_is_mended(opens: Opens) -> None:
    page = opens()
    page.goto("/edit/valor")
    field = page.get_by_label("Facing", exact=True).first
    path = page.locator("[name='f.afv.path']")
    path.fill("D4, D3, Q9")
    beside = page.locator("#p-f-afv-path .problem, #p-f-afv .problem").first
    expect(beside).to_contain_text("Q9")
    expect(page.locator("#status")).to_contain_text("problem")
    assert path.input_value() == "D4, D3, Q9"
    path.fill("D4, D3, D2, D1")
    expect(page.locator(".say-problems")).to_have_count(0)
    expect(page.locator("#drawing svg")).to_be_visible()
    assert field.count() == 1


def test_the_same_without_scripts(opens: Opens) -> None:
    page = opens(java_script_enabled=False)
    page.goto("/edit/valor")
    page.locator("[name='f.map.rows']").fill("many")
    page.get_by_role("button", name="Check again").click()
    assert page.locator("[name='f.map.rows']").get_attribute("aria-invalid") == "true"
    expect(page.locator("#p-f-map-rows")).to_contain_text("wrong kind")
    page.locator(".say-problems a").first.click()
    page.locator("[name='f.map.rows']").fill("5")
    page.get_by_role("button", name="Add another to defenders").click()
    assert page.locator("[name='f.defenders[3].name']").count() == 1
    page.get_by_role("button", name="Remove").last.scroll_into_view_if_needed()
    page.locator("button[value='remove:f.defenders[3]']").click()
    assert page.locator("[name='f.defenders[3].name']").count() == 0
    page.get_by_role("button", name="Check again").click()
    expect(page.locator(".fine")).to_be_visible()


def test_clicking_hexes_lays_the_path(opens: Opens) -> None:
    page = opens()
    page.goto("/edit/valor")
    page.locator("[name='f.afv.path']").fill("D4, D3")
    page.locator("#drawing [data-value=D2] path").first.click()
    expect(page.locator("[name='f.afv.path']")).to_have_value("D4, D3, D2")
    page.locator("#drawing [data-value=D1] path").first.click()
    expect(page.locator("[name='f.afv.path']")).to_have_value("D4, D3, D2, D1")
    expect(page.locator(".fine")).to_be_visible()
    page.locator("#drawing [data-value=D1] path").first.click()
    expect(page.locator("[name='f.afv.path']")).to_have_value("D4, D3, D2")


def test_a_unit_can_be_dragged_and_its_fields_follow(opens: Opens) -> None:
    page = opens()
    page.goto("/edit/warhammer")
    across = page.locator("[name='f.units[2].position[1]']")
    before = float(across.input_value())
    piece = page.locator("#drawing [data-move='units[2].position']")
    piece.scroll_into_view_if_needed()
    box = piece.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 30, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    assert float(across.input_value()) > before
    moved = across.input_value()
    expect(page.locator("pre.toml")).to_contain_text(moved)
    across.fill("36")
    expect(page.locator("pre.toml")).not_to_contain_text(moved)


@pytest.mark.parametrize("name", scenarios.names())
def test_every_shipped_situation_survives_the_editor(opens: Opens, name: str, tmp_path: Path) -> None:
    page = opens(java_script_enabled=False)
    system = name.partition("/")[0]
    page.goto(f"/edit/{system}?of={name}")
    expect(page.locator(".fine")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as TOML").click()
    download.value.save_as(tmp_path / "saved.toml")
    saved = opening.from_text((tmp_path / "saved.toml").read_text("utf-8"), "saved")
    shipped = opening.from_text(scenarios.text(name), name)
    assert saved.situation.start == shipped.situation.start
    assert saved.situation.plan == shipped.situation.plan
    assert saved.situation.dice == shipped.situation.dice
    assert saved.situation.rulings == shipped.situation.rulings


def test_a_file_of_ones_own_is_opened_and_a_wrong_one_is_refused_in_words(opens: Opens, tmp_path: Path) -> None:
    page = opens(java_script_enabled=False)
    mine, wrong = tmp_path / "mine.toml", tmp_path / "wrong.toml"
    mine.write_text(rulesets.ruleset("valor").starter(), encoding="utf-8")
    wrong.write_text("system = 'valor'\ntitle = ", encoding="utf-8")
    page.goto("/")
    page.set_input_files("input[name=file]", mine)
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url("**/edit/valor**")
    page.goto("/")
    page.set_input_files("input[name=file]", wrong)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("not valid TOML")


def test_a_log_is_opened_as_a_session(opens: Opens, tmp_path: Path) -> None:
    page = opens(java_script_enabled=False)
    page.goto("/odds?of=valor/printed-example")
    page.get_by_role("button", name="Play it").click()
    page.locator("button.option").first.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    download.value.save_as(tmp_path / "it.log")
    page.goto("/")
    page.set_input_files("input[name=file]", tmp_path / "it.log")
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url("**/play/**")
    expect(page.locator(".log li").first).to_contain_text("Declare the overrun")


@pytest.mark.parametrize("system", list(rulesets.rulesets()))
def test_hostile_names_are_only_words(opens: Opens, system: str) -> None:
    page, asked = opens(), list[str]()
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    text = rulesets.ruleset(system).starter()
    document = tomllib.loads(text)
    page.goto(f"/edit/{system}")
    for box in page.locator("input[name='f.title'], input[name$='.name']").all():
        if box.is_visible():
            box.fill(HOSTILE[:40])
    assert document
    page.get_by_role("button", name="Check again").click()
    expect(page.locator("h1")).to_have_text("Set up the overrun")
    expect(page.locator("[name='f.title']")).to_have_value(HOSTILE[:40])
    if page.locator(".fine").count():
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_url("**/play/**")
        expect(page.locator("main")).to_contain_text(HOSTILE[:40])
        page.get_by_role("link", name="Whole odds").click()
        page.wait_for_selector("#share, .working.over", timeout=60_000)
    assert asked == []
    assert "taken" not in page.title() or "<script>" in page.title()
    assert page.locator("main img").count() == 0
    assert page.locator("main script").count() == 0
