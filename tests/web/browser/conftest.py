"""One app and one browser for all tests of a worker; a fresh window for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.web.chromium import ARGUMENTS, found
from tests.web.serving import Served, served

Opens = Callable[..., Page]


def complains(message: ConsoleMessage) -> bool:
    """Is it an error, other than an answer that a test asked to be refused?"""
    return message.type == "error" and "responded with a status of 4" not in message.text


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    # A short limit: what takes longer is stopped, and that is a state that pages must show well too.
    with served(tmp_path_factory.mktemp("app") / "sessions.db", "--limit", "10") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found(), args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def opens(app: Served, browser: Browser) -> Iterator[Opens]:
    """Opens windows on the app. What a page complains of in its console, or asks of another host, fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def window(width: int = 1280, **wishes: Any) -> Page:
        still = {"reduced_motion": "reduce"} | wishes
        context = browser.new_context(viewport={"width": width, "height": 900}, base_url=app.address, **still)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: complaints.append(message.text) if complains(message) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(app.address) else complaints.append(asked.url))
        return page

    yield window
    for context in contexts:
        context.close()
    assert complaints == []
