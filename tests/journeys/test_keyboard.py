from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.folders import open_house


@pytest.fixture
def house(tmp_path: Path, settings: Any) -> Path:
    return open_house(tmp_path, settings)


def test_rows_are_walked_and_opened(signed_in: Page, house: Path) -> None:
    signed_in.goto("/discussions/?sort=id")
    signed_in.keyboard.press("j")
    expect(signed_in.locator("[data-row]").nth(0)).to_be_focused()
    signed_in.keyboard.press("j")
    expect(signed_in.locator("[data-row]").nth(1)).to_be_focused()
    signed_in.keyboard.press("k")

    signed_in.keyboard.press("Enter")

    signed_in.wait_for_url("**/discussions/anna/chunks/")


def test_slash_searches_from_anywhere(signed_in: Page, house: Path) -> None:
    signed_in.goto("/discussions/anna/health/")
    signed_in.keyboard.press("/")
    signed_in.keyboard.type("tree")
    signed_in.keyboard.press("Enter")

    expect(signed_in.locator(".hit").first).to_be_visible()


def test_question_mark_lists_the_keys(signed_in: Page, house: Path) -> None:
    signed_in.goto("/")
    signed_in.keyboard.press("?")
    expect(signed_in.get_by_role("dialog")).to_be_visible()

    signed_in.keyboard.press("Escape")

    expect(signed_in.get_by_role("dialog")).to_be_hidden()


def test_neighbouring_chunks_are_reached_by_keys(signed_in: Page, house: Path) -> None:
    signed_in.goto("/discussions/anna/chunks/3/")
    signed_in.keyboard.press("p")
    expect(signed_in.get_by_role("heading", name="Chunk 2 of 5")).to_be_visible()

    signed_in.keyboard.press("n")

    expect(signed_in.get_by_role("heading", name="Chunk 3 of 5")).to_be_visible()


def test_focus_stays_in_the_filter_while_the_list_changes(signed_in: Page, house: Path) -> None:
    signed_in.goto("/discussions/")
    field = signed_in.get_by_label("Part of a discussion's id")
    field.press_sequentially("ber")
    expect(signed_in.locator(".discussion-name")).to_have_text(["bert"])

    expect(field).to_be_focused()
