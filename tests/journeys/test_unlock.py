from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.builders import API_KEY, build_ref
from tests.journeys.folders import open_house


@pytest.fixture
def house(tmp_path: Path, settings: Any) -> Path:
    return open_house(tmp_path, settings)


def test_a_locked_discussion_is_opened_and_locked_again(signed_in: Page, house: Path) -> None:
    signed_in.goto(f"/discussions/{build_ref('carol', API_KEY).text}/chunks/")
    expect(signed_in.locator(".state-title")).to_have_text("Ledger is locked")
    signed_in.locator("#chunk-table").get_by_role("link", name="Unlock").click()
    signed_in.get_by_label("API key").fill("not the key")
    signed_in.get_by_role("button", name="Unlock").click()
    expect(signed_in.get_by_role("alert")).to_contain_text("does not open")

    signed_in.get_by_label("API key").fill(API_KEY)
    signed_in.get_by_role("button", name="Unlock").click()
    expect(signed_in.locator(".text-row")).to_have_count(3)
    signed_in.get_by_role("button", name="Lock again").click()

    expect(signed_in.locator(".state-title")).to_have_text("Ledger is locked")


def test_signing_out_locks(signed_in: Page, house: Path) -> None:
    url = f"/discussions/{build_ref('carol', API_KEY).text}/"
    signed_in.goto(f"{url}unlock/")
    signed_in.get_by_label("API key").fill(API_KEY)
    signed_in.get_by_role("button", name="Unlock").click()
    expect(signed_in.locator(".text-row")).to_have_count(3)

    signed_in.locator(".reader").click()
    signed_in.get_by_role("button", name="Sign out").click()
    signed_in.goto(url)

    expect(signed_in.get_by_label("Password")).to_be_visible()
