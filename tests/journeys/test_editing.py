"""Changing memory by hand, with the keyboard and without."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.builders import base_folder
from tests.journeys.folders import open_house

LOOKS = (("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400))
BOXES = (
    "chunks/2/edit/", "chunks/2/merge/", "chunks/2/split/", "chunks/2/move/", "chunks/2/removal/",
    "chunks/removal/?all=1", "chunks/lost-edits/", "summary/edit/", "state-document/edit/", "vector-memories/1/edit/",
    "vector-memories/add/", "vector-memories/1/removal/", "trackers/vector/", "trackers/condensation/",
)  # fmt: skip


@pytest.fixture
def ledger(tmp_path: Path, settings: Any) -> Path:
    return base_folder(open_house(tmp_path, settings)) / "anna" / "memories.json"


def texts(ledger: Path) -> list[str]:
    return [entry["text_block"] for entry in json.loads(ledger.read_text())]


def open_box(tab: Page) -> Any:
    tab.goto("/discussions/anna/chunks/")
    tab.keyboard.press("j")
    tab.keyboard.press("e")
    box = tab.locator(".edit-box textarea[name=text]")
    expect(box).to_be_focused()
    return box


def test_edit_save_and_undo_without_a_mouse(signed_in: Page, ledger: Path) -> None:
    before = texts(ledger)
    box = open_box(signed_in)
    expect(signed_in.locator(".effect")).to_have_text("Text only: nothing is processed again.")
    box.fill("Written by hand.")

    signed_in.keyboard.press("Control+Enter")
    expect(signed_in.locator("[data-toast]")).to_contain_text("Edited chunk")
    assert texts(ledger)[-1] == "Written by hand."

    signed_in.locator("[data-toast]").get_by_role("button", name="Undo").click()
    expect(signed_in.locator("[data-toast]")).to_contain_text("Took back")
    assert texts(ledger) == before


def test_escape_leaves_and_asks_about_typed_text(signed_in: Page, ledger: Path) -> None:
    before = ledger.read_bytes()
    open_box(signed_in).press("Escape")
    expect(signed_in.locator(".edit-box")).to_have_count(0)

    asked: list[str] = []
    signed_in.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    open_box(signed_in).fill("typed")
    signed_in.keyboard.press("Escape")

    expect(signed_in.locator(".edit-box")).to_have_count(0)
    assert asked == ["Leave without saving what you typed?"]
    assert ledger.read_bytes() == before


def test_a_clash_is_decided_on_the_page(
    signed_in: Page, ledger: Path, check_accessible: Callable[[Page], None], shoot: Callable[[str], None]
) -> None:
    open_box(signed_in).fill("Mine.")
    entries = json.loads(ledger.read_text())
    entries[-1]["text_block"] = "Theirs."
    ledger.write_text(json.dumps(entries))

    signed_in.keyboard.press("Control+Enter")
    expect(signed_in.locator(".conflict")).to_contain_text("Theirs, stored now")
    check_accessible(signed_in)
    shoot("clash")
    signed_in.get_by_text("Edit both into one").click()
    signed_in.get_by_label("The text that shall stay").fill("Both.")
    signed_in.get_by_role("button", name="Save this text").click()

    expect(signed_in.locator("[data-toast]")).to_contain_text("Edited chunk")
    assert texts(ledger)[-1] == "Both."


def test_several_are_chosen_and_their_number_typed(signed_in: Page, ledger: Path) -> None:
    count = len(texts(ledger))
    signed_in.goto("/discussions/anna/chunks/")
    signed_in.get_by_label("Choose chunk 1", exact=True).check()
    signed_in.get_by_label("Choose chunk 2", exact=True).check()
    expect(signed_in.locator("[data-pick-count]")).to_have_text("2 chosen")
    signed_in.get_by_role("button", name="Delete chosen").click()

    signed_in.get_by_label("Type the number of chunks to delete").fill("2")
    signed_in.get_by_role("button", name="Delete", exact=True).click()

    expect(signed_in.locator("[data-toast]")).to_contain_text("Deleted 2 chunks.")
    assert len(texts(ledger)) == count - 2


def test_a_click_into_the_text_chooses_where_it_is_split(signed_in: Page, ledger: Path) -> None:
    signed_in.goto("/discussions/anna/chunks/2/split/")
    area = signed_in.locator("[data-split-text]")
    area.evaluate("area => { area.focus(); area.setSelectionRange(8, 8); }")
    area.press("ArrowRight")
    expect(signed_in.get_by_label("Cut before character")).to_have_value("8")
    signed_in.get_by_label("The first part ends with").select_option("shared")
    signed_in.get_by_role("button", name="Split").click()

    expect(signed_in.locator("[data-toast]")).to_contain_text("Split chunk 2.")
    assert texts(ledger)[1:3] == ["Chunk 2:", "Anna talked about her garden."]


@pytest.mark.parametrize(("theme", "width"), LOOKS)
def test_every_box_can_be_used_by_everybody(
    signed_in: Page, ledger: Path, check_accessible: Callable[[Page], None], theme: str, width: int
) -> None:
    assert ledger.exists()
    signed_in.set_viewport_size({"width": width, "height": 900})
    signed_in.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    for box in BOXES:
        signed_in.goto(f"/discussions/anna/{box}")
        check_accessible(signed_in)
        assert signed_in.evaluate("document.documentElement.scrollWidth") <= width, box
