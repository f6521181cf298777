"""Drop a chat on a discussion without one, leave, find it again, see where memory ends, and try other thresholds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from memory import jobs
from tests.builders import USER
from tests.memory.regenerating import chat_texts, open_world
from wilmer_site.jobs_queue import queue

ANNA = "/discussions/anna/"

DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, {type: "application/json"}));
  for (const kind of ["dragover", "drop"])
    document.querySelector("main").dispatchEvent(
      new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
}"""


@pytest.fixture
def public(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A discussion without its chat, in a folder whose settings can be changed."""
    monkeypatch.setattr(queue, "_immediate", True)
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)
    settings.WILMER_STATE_DIR = tmp_path / "state"
    open_world(tmp_path, settings, has_chat=False)
    return tmp_path / "Public"


@pytest.fixture
def chat() -> str:
    """What a client would send, as a file."""
    roles = ("user", "assistant")
    return json.dumps([{"role": roles[at % 2], "content": text} for at, text in enumerate(chat_texts())])


def read_chunk_size(public: Path) -> int:
    settings = json.loads((public / "Configs" / "Workflows" / USER / "Memory.json").read_text("utf-8"))
    return int(settings["chunkEstimatedTokenSize"])


def move_slider(page: Page, label: str, value: str) -> None:
    slider = page.get_by_role("slider", name=label)
    slider.evaluate(
        """(slider, value) => {
          slider.value = value;
          for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind, {bubbles: true}));
        }""",
        value,
    )


def test_from_a_dropped_chat_to_other_thresholds(
    signed_in: Page, public: Path, chat: str, shoot: Callable[[str], None], check_accessible: Any
) -> None:
    page = signed_in
    page.goto(f"{ANNA}transcript/")
    page.evaluate(DROP, ["garden.json", chat])
    expect(page.get_by_role("heading", name="A first transcript of 11 messages")).to_be_visible()

    page.goto(f"{ANNA}transcript/")
    expect(page.locator(".pending-imports .pill")).to_have_text("waits for you")
    check_accessible(page)
    shoot("pending")
    page.get_by_role("link", name="garden.json", exact=True).click()
    page.get_by_role("button", name="Attach 11 messages").click()
    expect(page.get_by_role("heading", name="Done")).to_be_visible()

    page.get_by_role("link", name="Read the transcript").click()
    last = page.locator("#message-8")
    expect(last.locator(".divider")).to_contain_text(["File memory: remembered up to here"])
    expect(page.locator(".pending-imports")).to_have_count(0)
    shoot("divider")

    page.get_by_role("link", name="Why", exact=True).click()
    expect(page.locator(".verdict").first).to_be_visible()
    expect(page.get_by_role("button", name="Apply to settings")).to_have_count(0)
    move_slider(page, page.locator("label[for=id_size]").inner_text(), "3000")
    expect(page.locator("#simulation .verdict-line")).to_contain_text("instead of")
    check_accessible(page)
    shoot("why")
    page.get_by_role("button", name="Apply to settings").click()
    expect(page.get_by_role("button", name="Apply to settings")).to_have_count(0)
    assert read_chunk_size(public) == 3000
