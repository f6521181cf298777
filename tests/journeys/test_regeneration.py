"""Import a chat, see how far memory reaches and why, regenerate a chunk, edit the draft, accept it, take it back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from memory import jobs
from memory.types import DiscussionRef
from tests.memory.regenerating import MODEL, chat_texts, edit_outside, open_world, read_texts
from wilmer_site.jobs_queue import queue

ANNA = "/discussions/anna/"


@pytest.fixture
def ref(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> DiscussionRef:
    """A discussion without its chat; jobs are worked on as soon as they are queued."""
    monkeypatch.setattr(queue, "_immediate", True)
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)
    return open_world(tmp_path, settings, has_chat=False)


def write_chat(tmp_path: Path) -> Path:
    roles = ("user", "assistant")
    chat = [{"role": roles[at % 2], "content": text} for at, text in enumerate(chat_texts())]
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(chat))
    return path


def import_chat(page: Page, path: Path) -> None:
    page.get_by_role("link", name="Import the chat").or_(page.get_by_role("link", name="Import a chat")).first.click()
    page.goto(f"{ANNA}transcript/import/")
    page.locator("#import-file").set_input_files(path)
    page.get_by_role("button", name="Read it").click()
    page.locator("#import-state button.btn-primary").first.click()


def test_from_the_chat_to_a_mended_memory_and_back(
    signed_in: Page, ref: DiscussionRef, tmp_path: Path, shoot: Callable[[str], None], check_accessible: Any
) -> None:
    page, public = signed_in, tmp_path / "Public"
    before = read_texts(public)
    page.goto(f"{ANNA}regenerate/?kind=chunks&first=2")
    expect(page.get_by_text("The chat is needed")).to_be_visible()
    import_chat(page, write_chat(tmp_path))

    page.goto(f"{ANNA}transcript/?at=8")
    expect(page.locator(".divider").first).to_be_visible()
    page.get_by_role("link", name="Why", exact=True).click()
    expect(page.locator(".verdict").first).to_be_visible()

    page.goto(f"{ANNA}chunks/")
    page.get_by_role("link", name="Regenerate chunk 2").click()
    expect(page.locator(".prompt-text").last).to_contain_text("message 2")
    check_accessible(page)
    shoot("plan")
    MODEL.answer = lambda _: "Chunk 2: Bert talked about 3 gardens."
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="Regenerate chunk 2")).to_be_visible()
    check_accessible(page)
    shoot("job")

    page.get_by_role("link", name="Review").first.click()
    expect(page.locator(".fact.is-error")).to_have_text(["Anna"])
    check_accessible(page)
    shoot("draft")
    page.locator("#draft-text").fill("Chunk 2: Anna and Bert have 3 gardens.")
    page.locator("#draft-text").press("Control+Enter")
    expect(page.locator(".job-head .pill")).to_have_text("applied")
    assert read_texts(public)[1] == "Chunk 2: Anna and Bert have 3 gardens."

    page.get_by_role("link", name="See it, or undo it").click()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#batch")).to_be_visible()
    assert read_texts(public) == before


def test_an_edit_meanwhile_is_a_question(
    signed_in: Page, ref: DiscussionRef, tmp_path: Path, shoot: Callable[[str], None], check_accessible: Any
) -> None:
    page, public = signed_in, tmp_path / "Public"
    page.goto(f"{ANNA}transcript/")
    import_chat(page, write_chat(tmp_path))
    page.goto(f"{ANNA}regenerate/?kind=chunks&first=3")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("link", name="Review").first.click()
    edit_outside(public, 3, "WilmerAI wrote this meanwhile.")
    page.get_by_role("button", name="Accept and store").click()

    expect(page.get_by_role("heading", name="Stored now")).to_be_visible()
    check_accessible(page)
    shoot("clash")
    page.locator("#draft-text").fill("What both said.")
    page.get_by_role("button", name="Store this over what is stored now").click()
    expect(page.locator(".job-head .pill")).to_have_text("applied")
    assert read_texts(public)[2] == "What both said."
