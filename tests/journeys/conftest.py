"""A real Chromium against the live server.

A request to another host, a refused script or a page error fails the test.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from wilmer_site.sign_in_links import ensure_first_user

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
SHOTS = os.environ.get("WILMER_SHOTS", "")
"""A folder for screenshots; without it none are taken."""

# The browser driver keeps an event loop in this thread, which Django would take for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here is a journey, and one worker drives one browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.journey)
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all journeys of a worker."""
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser, live_server: object) -> Iterator[BrowserContext]:
    """A fresh profile whose timeouts are short, because nothing is far away."""
    opened = browser.new_context(base_url=live_server.url, viewport={"width": 1280, "height": 900})  # type: ignore[attr-defined]
    opened.set_default_timeout(10_000)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, live_server: object) -> Iterator[Page]:
    """A tab; at the end of the test it must have asked no other host and met no refused or broken script."""
    faults: list[str] = []
    host = urlsplit(live_server.url).netloc  # type: ignore[attr-defined]
    tab = context.new_page()
    tab.on("request", lambda request: _note_other_host(request.url, host, faults))
    tab.on("console", lambda message: _note_console(message, faults))
    tab.on("pageerror", lambda error: faults.append(str(error)))
    yield tab
    tab.close()
    assert faults == []


@pytest.fixture
def reader(transactional_db: None) -> User:
    """The administrator of a fresh installation."""
    return ensure_first_user()


@pytest.fixture
def signed_in(page: Page, context: BrowserContext, reader: User, live_server: object) -> Page:
    """A tab whose reader is signed in."""
    client = Client()
    client.force_login(reader)
    cookie = client.cookies["sessionid"]
    context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])  # type: ignore[attr-defined]
    return page


@pytest.fixture
def shoot(page: Page, request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Take a screenshot of the whole page into $WILMER_SHOTS."""

    def take(name: str) -> None:
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(SHOTS) / f"{request.node.name}-{name}.png", full_page=True)

    return take


@pytest.fixture
def check_accessible() -> Callable[[Page], None]:
    """Fail with what axe finds against WCAG 2.2 AA, or outside every landmark."""

    def check(tab: Page) -> None:
        options = {
            "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
            "rules": {"region": {"enabled": True}},
        }
        found = Axe().run(tab, options=options).response["violations"]
        told = [f"{fault['id']}: {node['html'][:160]}" for fault in found for node in fault["nodes"]]
        assert told == [], "\n".join(told)

    return check


@pytest.fixture
def now() -> datetime:
    """The present."""
    return datetime.now(UTC)


def _note_other_host(url: str, host: str, faults: list[str]) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"data", "blob", "about"} and parts.netloc != host:
        faults.append(f"asked another host: {url}")


def _note_console(message: ConsoleMessage, faults: list[str]) -> None:
    if "Content Security Policy" in message.text or "Content-Security-Policy" in message.text:
        faults.append(message.text)
