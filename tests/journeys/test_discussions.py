from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.builders import base_folder, build_entry, write_json
from tests.journeys.folders import open_house


@pytest.fixture
def house(tmp_path: Path, settings: Any) -> Path:
    return open_house(tmp_path, settings)


def test_filter_sort_and_open_keep_all_state_in_the_url(signed_in: Page, house: Path) -> None:
    signed_in.goto("/discussions/")
    signed_in.get_by_label("Part of a discussion's id").press_sequentially("ann")
    expect(signed_in.locator(".discussion-name")).to_have_text(["anna"])
    expect(signed_in).to_have_url("/discussions/?text=ann&sort=-last_write")

    signed_in.get_by_role("link", name="Vector memories 1").click()
    expect(signed_in.locator(".chip[aria-current]")).to_contain_text("Vector memories")
    signed_in.get_by_role("columnheader", name="Chunks").get_by_role("link").click()
    expect(signed_in.locator("th[aria-sort=descending]")).to_contain_text("Chunks")
    url = signed_in.url
    signed_in.reload()

    expect(signed_in).to_have_url(url)
    expect(signed_in.locator(".discussion-name")).to_have_text(["anna"])


def test_chunks_are_filtered_read_and_left_again(signed_in: Page, house: Path) -> None:
    signed_in.goto("/discussions/")
    signed_in.get_by_role("link", name="anna").click()
    signed_in.get_by_role("link", name="Not in summary yet 2").click()
    expect(signed_in.locator(".text-row")).to_have_count(2)

    signed_in.get_by_role("link", name="Chunk 5", exact=True).click()
    signed_in.get_by_role("link", name="Older").click()
    expect(signed_in.get_by_role("heading", name="Chunk 4 of 5")).to_be_visible()
    signed_in.go_back()
    signed_in.go_back()

    expect(signed_in.locator(".chip[aria-current]")).to_contain_text("Not in summary yet")
    expect(signed_in.locator(".text-row")).to_have_count(2)


def test_every_tab_opens(signed_in: Page, house: Path) -> None:
    signed_in.goto("/discussions/anna/")
    for name in ("Summary", "Vector memories", "Trackers", "State document", "Files", "Health", "Chunks"):
        signed_in.locator(".tab", has_text=name).click()
        expect(signed_in.locator(".tab[aria-current=page]")).to_contain_text(name)


def test_a_page_tells_when_its_files_change(signed_in: Page, house: Path) -> None:
    signed_in.goto("/discussions/bert/chunks/")
    expect(signed_in.locator("#changed-bar")).to_be_hidden()

    write_json(base_folder(house) / "bert" / "memories.json", [build_entry(1), build_entry(2)])
    expect(signed_in.locator("#changed-bar")).to_be_visible()
    signed_in.get_by_role("button", name="Show the new state").click()

    expect(signed_in.locator(".text-row")).to_have_count(2)


def test_everything_works_without_script(signed_in: Page, house: Path) -> None:
    signed_in.route("**/*.js", lambda route: route.abort())
    signed_in.goto("/discussions/")
    signed_in.get_by_label("Part of a discussion's id").fill("ann")
    signed_in.get_by_role("button", name="Filter").click()
    expect(signed_in.locator(".discussion-name")).to_have_text(["anna"])

    signed_in.get_by_role("link", name="anna").click()
    signed_in.get_by_role("link", name="newest first").click()

    expect(signed_in.locator(".text-number").first).to_have_text("1")


def test_a_narrow_screen_shows_the_tab_one_is_on(signed_in: Page, house: Path) -> None:
    signed_in.set_viewport_size({"width": 400, "height": 800})

    signed_in.goto("/discussions/anna/history/")

    expect(signed_in.get_by_role("link", name="History", exact=True)).to_be_in_viewport(ratio=0.9)
