"""Every page at three widths, light and dark: nothing that axe finds, nothing that scrolls sideways, little to load."""

from __future__ import annotations

import re
from functools import cache

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from overrun import rulesets, scenarios
from overrun.web import reference
from tests.web.browser.conftest import Opens
from tests.web.browser.playing import choose, dice_of, over, roll

WIDTHS = (360, 768, 1440)
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {
    "light": {"resultTypes": ["violations"], "runOnly": STANDARDS},
    # Nothing but its colours tells the dark theme from the light one.
    "dark": {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": ["color-contrast"]}},
}
SYSTEMS = tuple(rulesets.rulesets())


@cache
def example(system: str) -> str:
    """The first shipped situation of a system; without one, what the system offers to start from."""
    shipped = [name for name in scenarios.names() if name.startswith(f"{system}/")]
    return shipped[0] if shipped else reference.packed(rulesets.ruleset(system).starter())


def addresses(system: str) -> list[str]:
    """The pages of a system that an address alone leads to."""
    return [
        f"/edit/{system}",
        f"/odds?of={example(system)}",
        f"/learn/{system}",
        f"/learn/{system}/aid",
        f"/learn/{system}/rule?cite={rulesets.ruleset(system).cite}",
    ]


def looked_at(page: Page, what: str, theme: str) -> None:
    """Nothing wrong at any width."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{what} at {width} px scrolls sideways: {wide} px"
        found = Axe().run(page, options=RULES[theme])
        assert not found.violations_count, f"{what} at {width} px:\n{found.generate_report()}"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_of_the_whole_app(opens: Opens, theme: str) -> None:
    page = opens(color_scheme=theme)
    for address in ("/", "/sessions", "/odds", "/learn", "/no/such/page"):
        page.goto(address)
        looked_at(page, address, theme)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_pages_of_a_system(opens: Opens, system: str, theme: str) -> None:
    page = opens(color_scheme=theme)
    for address in addresses(system):
        page.goto(address)
        if address.startswith("/odds"):
            page.wait_for_selector("#share, .working.over", timeout=60_000)
        for closed in page.locator("details:not([open]) > summary").all()[:40]:
            if closed.is_visible():
                closed.click()
        looked_at(page, address, theme)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_decision_a_roll_and_an_end(opens: Opens, system: str, theme: str) -> None:
    page = opens(color_scheme=theme)
    page.goto(f"/odds?of={example(system)}")
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**/play/**")
    seen: set[str] = set()
    for number in range(60):
        kind = "end" if over(page) else "decision" if page.locator("button.option").count() else "roll"
        if kind not in seen:
            page.wait_for_function("!document.querySelector('[data-job]')", timeout=90_000)
            looked_at(page, f"{kind} of {system}", theme)
            seen.add(kind)
        if kind == "end":
            break
        if kind == "decision":
            choose(page, 0)
        else:
            roll(page, *(1 + (number + at) % sides for at, sides in enumerate(dice_of(page))))
    assert "end" in seen


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
