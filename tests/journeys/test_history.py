"""History and trash: what another program wrote is seen, compared, put back; nothing that was deleted is gone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from memory.services.chunks_editing import edit_chunk
from memory.services.editing import Editor
from memory.types import DiscussionId, DiscussionRef
from tests.builders import base_folder
from tests.journeys.folders import open_house

ANNA = DiscussionRef(DiscussionId("anna"))


@pytest.fixture
def ledger(tmp_path: Path, settings: Any) -> Path:
    return base_folder(open_house(tmp_path, settings)) / "anna" / "memories.json"


def test_what_another_program_wrote_is_put_back(
    signed_in: Page, ledger: Path, check_accessible: Callable[[Page], None], shoot: Callable[[str], None]
) -> None:
    before = ledger.read_bytes()
    signed_in.goto("/discussions/anna/history/")
    ledger.write_text(json.dumps(json.loads(before)[:-1]), encoding="utf-8")

    signed_in.reload()
    signed_in.get_by_role("link", name="Wrote the ledger").click()
    expect(signed_in.get_by_text("1 removed")).to_be_visible()
    check_accessible(signed_in)
    shoot("revision")
    signed_in.get_by_role("link", name="Put back what was before…").click()
    signed_in.get_by_role("button", name="Put back").click()

    expect(signed_in.locator("[data-toast]")).to_contain_text("Put back.")
    assert ledger.read_bytes() == before


def test_the_origin_of_a_chunk_leads_to_its_write(
    signed_in: Page, ledger: Path, check_accessible: Callable[[Page], None], shoot: Callable[[str], None]
) -> None:
    edit_chunk(Editor(ANNA, "mona"), 2, "Mended by mona.")
    signed_in.goto("/discussions/anna/history/")
    signed_in.locator("summary", has_text="Origins").click()
    signed_in.get_by_role("link", name="Ledger, line by line").click()
    check_accessible(signed_in)
    shoot("origins")

    signed_in.get_by_role("row", name="Mended by mona.").get_by_role("link").click()
    signed_in.get_by_role("button", name="Undo").click()

    expect(signed_in.locator("[data-toast]")).to_contain_text("Took back")
    assert "Mended by mona." not in ledger.read_text("utf-8")


def test_a_lost_edit_is_let_go(signed_in: Page, ledger: Path) -> None:
    stale = ledger.read_bytes()
    edit_chunk(Editor(ANNA, "mona"), 2, "Mended by mona.")
    ledger.write_bytes(stale)
    signed_in.goto("/discussions/anna/chunks/")
    expect(signed_in.locator("#lost-edits")).to_contain_text("The edit of chunk 2 by mona")

    signed_in.get_by_role("button", name="Let it go").click()

    expect(signed_in.locator("#lost-edits")).not_to_contain_text("mona")
    signed_in.reload()
    expect(signed_in.locator("#lost-edits .note")).to_have_count(0)


def test_a_discussion_goes_to_the_trash_and_comes_back(signed_in: Page, ledger: Path) -> None:
    before = ledger.read_bytes()
    signed_in.goto("/trash/add/?ref=anna")
    signed_in.get_by_role("button", name="Move to trash").click()
    expect(signed_in.locator("[data-toast]")).to_contain_text("1 discussion moved to the trash.")
    assert not ledger.exists()

    signed_in.goto("/trash/")
    signed_in.get_by_role("button", name="Put back").click()

    expect(signed_in.locator("[data-toast]")).to_contain_text("Put back, with its history.")
    assert ledger.read_bytes() == before
