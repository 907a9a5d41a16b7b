"""Every page at three widths, light and dark: nothing that axe finds, nothing that scrolls sideways, little to load."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from overrun import rulesets, scenarios
from overrun.web import reference
from tests.web.browser.conftest import Opens
from tests.web.browser.playing import choose, dice_of, over, roll

WIDTHS = (360, 768, 1440)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {"resultTypes": ["violations"], "runOnly": STANDARDS}
SYSTEMS = tuple(rulesets.rulesets())
LARGE = "asl/at-gun"
"""A shipped situation that is not worked out in a few seconds."""
SIMPLE = "asl/tank-in-woods"
"""One that is, all the more without a rule."""


@cache
def example(system: str) -> str:
    """The first shipped situation of a system; without one, what the system offers to start from."""
    shipped = [name for name in scenarios.names() if name.startswith(f"{system}/")]
    return shipped[0] if shipped else reference.packed(rulesets.ruleset(system).starter())


def addresses(system: str) -> list[str]:
    """The pages of a system that an address alone leads to."""
    return [
        f"/edit/{system}",
        f"/learn/{system}",
        f"/learn/{system}/aid",
        f"/learn/{system}/rule?cite={quote(str(next(iter(rulesets.ruleset(system).rules.steps.values())).cite))}",
    ]


def looked_at(page: Page, what: str) -> None:
    """Nothing wrong at any width, in either theme."""
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{what} at {width} px scrolls sideways: {wide} px"
            found = Axe().run(page, options=RULES)
            assert not found.violations_count, f"{what} at {width} px, {theme}:\n{found.generate_report()}"


def unfolded(page: Page) -> None:
    """Everything that is folded away, up to a point."""
    for closed in page.locator("details:not([open]) > summary").all()[:40]:
        if closed.is_visible():
            closed.click()


@pytest.mark.parametrize("address", ["/", "/sessions", "/odds", "/learn", "/no/such/page"])
def test_pages_of_the_whole_app(opens: Opens, address: str) -> None:
    page = opens()
    page.goto(address)
    unfolded(page)
    looked_at(page, address)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_button_of_the_home_page_covers_what_it_is_for(opens: Opens, width: int) -> None:
    page = opens(width)
    page.goto("/")
    unfolded(page)
    rows = page.locator("li.ready").all()
    assert len(rows) == len(scenarios.names())
    for row in rows:
        told, buttons = row.locator("> div:not([class])").bounding_box(), row.locator("> .row").bounding_box()
        assert told is not None
        assert buttons is not None
        words = row.locator("> div:not([class]) > *").evaluate_all(
            "all => all.map(e => e.getBoundingClientRect().right)"
        )
        beside = max(words) <= buttons["x"] + 1
        assert beside or told["y"] + told["height"] <= buttons["y"] + 1, row.inner_text()


def test_a_file_that_cannot_be_opened(opens: Opens) -> None:
    page = opens()
    page.goto("/")
    unfolded(page)
    page.locator("textarea[name=text]").fill("system = 'valor'\nmap = 3")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    looked_at(page, "a file that cannot be opened")


@pytest.mark.parametrize("address", [address for system in SYSTEMS for address in addresses(system)])
def test_pages_of_a_system(opens: Opens, address: str) -> None:
    page = opens()
    page.goto(address)
    unfolded(page)
    looked_at(page, address)


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_editor_with_problems(opens: Opens, system: str) -> None:
    page = opens()
    page.goto(f"/edit/{system}")
    page.locator("input[inputmode]:visible").first.fill("\N{SNOWMAN}")
    page.get_by_role("button", name="Check again").click()
    expect(page.locator(".say-problems")).to_be_visible()
    looked_at(page, f"the editor of {system} with problems")


@pytest.mark.parametrize(
    ("system", "compare"),
    # Every number moved takes long; the page of it is the same for each system.
    [*((system, compare) for system in SYSTEMS for compare in ("", "rulings", "flow")), ("warhammer", "numbers")],
)
def test_odds(opens: Opens, system: str, compare: str) -> None:
    page = opens()
    page.goto(f"/odds?of={example(system)}&compare={compare}")
    page.wait_for_function("() => !document.querySelector('[data-job]')", timeout=90_000)
    unfolded(page)
    looked_at(page, f"odds of {system}, {compare}")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_decision_a_roll_an_end_and_the_way_taken(opens: Opens, system: str) -> None:
    page = opens()
    page.goto(f"/odds?of={example(system)}")
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**/play/**")
    seen: set[str] = set()
    for number in range(60):
        kind = "end" if over(page) else "decision" if page.locator("button.option").count() else "roll"
        if kind not in seen:
            page.wait_for_function("() => !document.querySelector('[data-job]')", timeout=90_000)
            looked_at(page, f"{kind} of {system}")
            seen.add(kind)
        if kind == "end":
            break
        if kind == "decision":
            choose(page, 0)
        else:
            roll(page, *(1 + (number + at) % sides for at, sides in enumerate(dice_of(page))))
    assert seen == {"decision", "roll", "end"}
    page.goto(page.url + "/flow")
    looked_at(page, f"the way taken in {system}")


def test_long_fractions_stay_within_a_phone(opens: Opens) -> None:
    page = opens(width=360)
    page.goto("/odds?of=valor/second-panzerfaust")
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**/play/**")
    choose(page, "overrun")
    page.wait_for_selector(".option .odds", timeout=60_000)
    texts = [text for text in page.locator(".option .odds").all_inner_texts() if "/" in text]
    assert max(len(part) for text in texts for part in text.split()) > 13
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_page_while_its_advice_is_worked_out(opens: Opens) -> None:
    page = opens()
    page.goto("/")
    page.locator(f"form:has(input[value='{LARGE}']) button", has_text="Play").last.click()
    page.wait_for_url("**/play/**")
    page.wait_for_selector("[data-offers]:not([hidden]), .bounds", timeout=30_000)
    looked_at(page, "a page that waits for advice")
    page.wait_for_selector(".bounds .ledger", timeout=90_000)
    looked_at(page, "a page with bounds on best play")
    choose(page, 0)
    expect(page.locator(".working, .bars").first).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_rule_left_out_is_offered_chosen_and_given_up(opens: Opens, scripts: bool) -> None:
    page = opens(java_script_enabled=scripts)
    page.goto(f"/odds?of={LARGE}&policy=best")
    page.get_by_role("button", name="No heat of battle").click(timeout=30_000)
    page.wait_for_url("**/odds?**simplification=no_heat_of_battle**")
    label = page.locator(".mark.left-out", has_text="under the simplification no heat of battle")
    expect(label.first).to_be_visible()
    page.goto(f"/odds?of={SIMPLE}")
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**/play/**")
    page.locator("#outlook summary", has_text="Worth").click()
    page.get_by_label("Rules left out before play").select_option("no_heat_of_battle")
    page.get_by_role("button", name="Use this").click()
    expect(page.locator("#options .mark.left-out")).to_be_visible(timeout=30_000)
    if scripts:
        looked_at(page, "advice without a rule")
    choose(page, "overrun")
    expect(page.locator("#outlook")).to_contain_text("play has begun already")
    if scripts:
        looked_at(page, "advice refused in the middle of play")
    page.get_by_role("button", name="Advice on the whole game").click()
    expect(page.locator("#outlook")).not_to_contain_text("play has begun already")


def test_a_first_visit_loads_less_than_150_kb(opens: Opens) -> None:
    page, loaded = opens(), 0

    def weigh(size: int) -> None:
        nonlocal loaded
        loaded += size

    page.on("response", lambda answer: weigh(int(answer.headers.get("content-length", 0)) or len(answer.body())))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert 5_000 < loaded < 150_000


@pytest.mark.parametrize("sheet", ["A4", "Letter"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_player_aid_fits_one_sheet(opens: Opens, system: str, sheet: str) -> None:
    page = opens()
    page.goto(f"/learn/{system}/aid")
    printed = page.pdf(format=sheet, prefer_css_page_size=False)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1
