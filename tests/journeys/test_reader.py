"""A reader's whole way, once with the mouse and once by keyboard alone: from the link on the terminal to a memory."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.builders import API_KEY
from tests.journeys.folders import open_house
from wilmer_site.sign_in_links import create_sign_in_link

TABS = {
    "Summary": "The story so far",
    "Vector memories": "number 4",
    "Trackers": "Condensation has got to",
    "State document": "Anna",
    "Files": "memories.json",
    "Health": "checks are fine",
    "Chunks": "Not in summary yet",
}
"""What each tab of `anna` must show."""

FOCUSED = "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"


@pytest.fixture
def house(tmp_path: Path, settings: Any) -> Path:
    return open_house(tmp_path, settings)


@pytest.fixture
def link(reader: User, now: datetime) -> str:
    return f"/sign-in/link/{create_sign_in_link(reader, now=now)}/"


def test_with_the_mouse(page: Page, house: Path, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("navigation", name="Places").get_by_role("link", name="Discussions").click()
    page.get_by_role("link", name="Summary behind 1").click()
    expect(page.locator(".chip[aria-current]")).to_contain_text("Summary behind")
    page.get_by_role("link", name="anna").click()
    for name, content in TABS.items():
        page.locator(".tab", has_text=name).click()
        expect(page.locator("main")).to_contain_text(content)

    page.get_by_role("navigation", name="Places").get_by_role("link", name="Discussions").click()
    page.get_by_role("link", name="carol").click()
    page.locator("header").get_by_role("link", name="Unlock").click()
    page.get_by_label("API key").fill(API_KEY)
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator(".text-row")).to_have_count(3)

    page.get_by_label("Search all memories").fill("number 2")
    page.get_by_label("Search all memories").press("Enter")
    page.locator(".hit .text-title a").first.click()
    expect(page.locator("article .memory-text").first).to_contain_text("number 2")


def test_by_keyboard_alone(page: Page, house: Path, link: str) -> None:
    page.goto(link)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/sign-in/" not in url)
    go_to(page, "Discussions")
    go_to(page, "Summary behind")
    go_to(page, "anna")
    for name, content in TABS.items():
        go_to(page, name)
        expect(page.locator("main")).to_contain_text(content)

    go_to(page, "Discussions")
    go_to(page, "carol")
    go_to(page, "Unlock")
    expect(page.get_by_label("API key")).to_be_focused()
    page.keyboard.type(API_KEY)
    page.keyboard.press("Enter")
    expect(page.locator(".text-row")).to_have_count(3)

    page.keyboard.press("/")
    page.keyboard.type("number 2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?query=number+2")
    go_to(page, "Hit 1")
    expect(page.locator("article .memory-text").first).to_contain_text("number 2")


def go_to(page: Page, name: str) -> None:
    """Press Tab until what is focused begins with that name, then Enter."""
    before = page.url
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED).strip().startswith(name):
            page.keyboard.press("Enter")
            page.wait_for_url(lambda url: url != before)
            return
    pytest.fail(f"{name} cannot be reached by Tab on {page.url}")
