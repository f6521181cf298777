from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.folders import open_house


@pytest.fixture
def house(tmp_path: Path, settings: Any) -> Path:
    return open_house(tmp_path, settings)


def test_search_explains_itself_and_can_be_repeated(signed_in: Page, house: Path) -> None:
    signed_in.goto("/search/")
    expect(signed_in.get_by_label("Keywords")).to_be_focused()
    signed_in.get_by_label("Keywords").fill("number 2; garden")
    signed_in.keyboard.press("Enter")

    expect(signed_in.locator(".search-asked pre").first).to_have_text('"number 2" OR "garden"')
    expect(signed_in.locator(".hit").first.locator("mark").first).to_have_text("number 2")
    expect(signed_in.locator(".hit").first.locator(".shares li")).to_have_count(2)
    signed_in.reload()
    expect(signed_in.get_by_label("Keywords")).to_have_value("number 2; garden")


def test_bad_input_keeps_what_was_typed(signed_in: Page, house: Path) -> None:
    signed_in.goto("/search/?query=tree&limit=9999")

    expect(signed_in.get_by_role("alert")).to_contain_text("Limit")
    expect(signed_in.get_by_label("Keywords")).to_have_value("tree")
    expect(signed_in.get_by_label("Limit")).to_have_value("9999")


def test_nothing_matched_leads_to_exact_text(signed_in: Page, house: Path) -> None:
    signed_in.goto("/search/?query=lante&discussion=anna")
    expect(signed_in.locator(".state-title")).to_have_text("Nothing matched")

    signed_in.get_by_role("link", name="Search for the exact text instead").click()

    expect(signed_in.locator(".hit")).to_have_count(4)
    expect(signed_in.locator(".note.is-info")).to_contain_text("would not find")


def test_hits_are_downloaded_as_a_table(signed_in: Page, house: Path) -> None:
    signed_in.goto("/search/?query=tree&discussion=anna")

    with signed_in.expect_download() as started:
        signed_in.get_by_role("link", name="CSV").click()

    assert started.value.path().read_text("utf-8-sig").startswith("rank,")
