"""How a player answers a page, whatever the system: with the mouse, the keyboard, or plain forms alone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

PLACE = "form input[name=place]"
MOST = 120


def settled(page: Page, place: str) -> None:
    """Wait until the answer was taken: the page then asks for the next one, or it is over."""
    page.wait_for_function(
        "before => (document.querySelector('form input[name=place]')?.value ?? 'end') !== before"
        " || document.querySelector('[role=alert]')",
        arg=place,
    )


def place_of(page: Page) -> str:
    found = page.locator(PLACE)
    return found.first.input_value() if found.count() else "end"


def over(page: Page) -> bool:
    return page.locator("#step > header .note", has_text="The overrun is over").count() > 0


def roll(page: Page, *faces: int) -> None:
    """Type the dice that were rolled."""
    before = place_of(page)
    if page.locator("input[name=faces]").count():
        page.fill("input[name=faces]", " ".join(map(str, faces)))
    else:
        for number, face in enumerate(faces, 1):
            page.locator(f"input[name=die-{number}][value='{face}']").check(force=True)
    page.locator("button[value=typed]").click()
    settled(page, before)


def choose(page: Page, option: str | int) -> None:
    """Press an option, by its id or by its place."""
    before = place_of(page)
    if isinstance(option, int):
        page.locator("button.option").nth(option).click()
    else:
        page.locator(f"button.option[value='{option}']").click()
    settled(page, before)


def dice_of(page: Page) -> list[int]:
    """How many sides each die has that the page asks for."""
    if page.locator("input[name=faces]").count():
        words = page.locator("label[for=faces]").inner_text()
        count = int(re.findall(r"\d+", words)[0])
        return [6] * count
    return [die.locator("input").count() for die in page.locator("fieldset.die").all()]


def to_the_end(page: Page) -> int:
    """Answer until it is over: the first option, and middling dice. How many answers it took."""
    for answers in range(MOST):
        if over(page):
            return answers
        if page.locator("button.option").count():
            choose(page, 0)
        else:
            roll(page, *(1 + (answers + number) % sides for number, sides in enumerate(dice_of(page))))
        expect(page.locator("[role=alert]")).to_have_count(0)
    raise AssertionError("the overrun does not end")
