from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse

from memory.services import transcripts_importing as importing
from memory.types import DiscussionRef
from tests.builders import build_discussion
from tests.html import fetch, find, text_of

Discuss = Callable[..., DiscussionRef]
CHAT = json.dumps([{"role": "user", "content": "message 1"}, {"role": "assistant", "content": "message 2"}])


@pytest.fixture(autouse=True)
def state(tmp_path: Path, settings: Any) -> None:
    """Files that other tests brought in are elsewhere."""
    settings.WILMER_STATE_DIR = tmp_path / "state"


def paste(reader: Client, ref: DiscussionRef, text: str = CHAT) -> str:
    """Bring a chat in; returns the address of what was found in it."""
    return str(reader.post(reverse("memory:transcript-import", args=[ref]), {"text": text})["Location"])


def transcript_of(reader: Client, ref: DiscussionRef) -> BeautifulSoup:
    return fetch(reader, reverse("memory:transcript-detail", args=[ref]))


@pytest.mark.parametrize("page_name", ["transcript-detail", "transcript-import"])
def test_a_file_that_was_left_undecided_is_found_again(reader: Client, discuss: Discuss, page_name: str) -> None:
    ref = discuss()
    url = paste(reader, ref)

    row = find(fetch(reader, reverse(f"memory:{page_name}", args=[ref])), ".pending-imports li")

    assert find(row, "a.pending-name")["href"] == url
    assert text_of(row, ".pill") == "waits for you"


def test_a_file_without_a_chat_says_so(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    paste(reader, ref, "not a chat at all")

    assert text_of(transcript_of(reader, ref), ".pending-imports .pill") == "no chat found"


def test_home_names_it_with_its_discussion(reader: Client, discuss: Discuss) -> None:
    url = paste(reader, discuss("anna"))

    row = find(fetch(reader, "/"), ".pending-imports li")

    assert find(row, "a.pending-name")["href"] == url
    assert "for anna" in row.get_text()


def test_a_file_of_another_discussion_is_not_listed(reader: Client, discuss: Discuss, public: Any) -> None:
    paste(reader, discuss("anna"))

    page = transcript_of(reader, build_discussion(public, "bela"))

    assert not page.select(".pending-imports")


@pytest.mark.parametrize("action", ["import", "discard"])
def test_a_file_that_was_decided_about_is_not_listed(reader: Client, discuss: Discuss, action: str) -> None:
    ref = discuss()
    url = paste(reader, ref)

    reader.post(url, {"action": action, "choose": "1", "discussion-1": ref.text})

    assert not transcript_of(reader, ref).select(".pending-imports")


def test_a_running_file_shows_how_far_it_is(reader: Client, discuss: Discuss, monkeypatch: pytest.MonkeyPatch) -> None:
    ref = discuss()
    monkeypatch.setattr(importing, "SMALL_BYTES", 10)
    monkeypatch.setattr("memory.jobs._upload_task", lambda upload_id: None)
    upload = importing.find_upload(ref, paste(reader, ref).rstrip("/").rpartition("/")[2])
    assert upload is not None
    importing._tell(upload, importing.Phase.IMPORTING, 30, 120, "30 messages stored")

    row = find(transcript_of(reader, ref), ".pending-imports li")

    assert (find(row, "progress")["value"], find(row, "progress")["max"]) == ("30", "120")
    assert "30 messages stored" in row.get_text()


def test_one_that_nobody_works_on_is_called_stopped(
    reader: Client, discuss: Discuss, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = discuss()
    monkeypatch.setattr(importing, "SMALL_BYTES", 10)
    monkeypatch.setattr("memory.jobs._upload_task", lambda upload_id: None)
    paste(reader, ref)
    monkeypatch.setattr(importing, "STALE_SECONDS", -1)

    assert text_of(transcript_of(reader, ref), ".pending-imports .pill") == "stopped"


def test_done_leads_to_what_the_chat_explains(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    url = paste(reader, ref)
    reader.post(url, {"action": "import", "choose": "1", "discussion-1": ref.text})

    links = {link.get_text(strip=True): link["href"] for link in fetch(reader, url).select(".next-links a")}

    assert links == {name: reverse(f"memory:{page}-detail", args=[ref]) for name, page in
                     (("X-ray", "coverage"), ("Why", "why"))}  # fmt: skip
