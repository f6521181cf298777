from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from memory.queries.transcripts import find_transcript, list_messages
from memory.services import transcripts_importing as importing
from memory.types import DiscussionRef
from tests.builders import build_discussion
from tests.chats import attach_chat
from tests.html import fetch, find, soup, text_of, texts

Discuss = Callable[..., DiscussionRef]
TEXTS = ["message 1", "message 2", "message 3"]


def raw_chat(said: Sequence[str]) -> list[dict[str, str]]:
    return [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(said)]


def bring(reader: Client, ref: DiscussionRef, value: Any, name: str = "chat.json") -> str:
    """Drop a file; returns the address of what was found in it."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    response = reader.post(
        reverse("memory:transcript-import", args=[ref]), {"file": SimpleUploadedFile(name, data), "text": ""}
    )
    assert response.status_code == 302, soup(response).get_text()
    return str(response["Location"])


def confirm(reader: Client, url: str) -> BeautifulSoup:
    """Send the form of what was found as it stands; the page that follows."""
    page = fetch(reader, url)
    values = {field["name"]: field["value"] for field in page.select("main form input[type=hidden]")}
    chosen = page.select("input[type=radio][checked]")
    response = reader.post(
        url, {**values, "variant": chosen[0]["value"] if chosen else "", "action": "import"}, follow=True
    )
    return soup(response)


def test_import_page_names_the_formats(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, reverse("memory:transcript-import", args=[discuss()]))

    assert "SillyTavern" in texts(page, ".format-list li")


def test_a_dropped_file_is_shown_before_it_is_attached(reader: Client, discuss: Discuss) -> None:
    ref = discuss()

    page = fetch(reader, bring(reader, ref, raw_chat(TEXTS)))

    assert texts(page, ".card-title")[0] == "A first transcript of 3 messages"
    assert text_of(page, ".btn-primary") == "Attach 3 messages"
    assert find_transcript(ref) is None


def test_a_confirmed_file_is_attached(reader: Client, discuss: Discuss) -> None:
    ref = discuss()

    page = confirm(reader, bring(reader, ref, raw_chat(TEXTS)))

    assert "3 messages added; 3 in all." in page.get_text()
    assert [line.text for line in list_messages(ref, 1, 9)] == TEXTS


def test_a_pasted_chat_is_read(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    response = reader.post(
        reverse("memory:transcript-import", args=[ref]), {"text": json.dumps(raw_chat(TEXTS))}, follow=True
    )

    assert "Attach 3 messages" in response.content.decode()


def test_nothing_brought_in_is_said_so(reader: Client, discuss: Discuss) -> None:
    response = reader.post(reverse("memory:transcript-import", args=[discuss()]), {"text": " "})

    assert response.status_code == 422
    assert text_of(soup(response), ".note.is-error") == "Choose a file, or paste a chat."


def test_a_longer_file_adds_what_is_new(reader: Client, discuss: Discuss, public: Any) -> None:
    ref = attach_chat(public, "anna", TEXTS[:2])

    url = bring(reader, ref, raw_chat(TEXTS))

    assert text_of(fetch(reader, url), ".btn-primary") == "Add 1 message"
    assert "1 message added; 3 in all." in confirm(reader, url).get_text()


def test_an_edited_file_shows_the_difference_first(reader: Client, discuss: Discuss, public: Any) -> None:
    ref = attach_chat(public, "anna", TEXTS)
    url = bring(reader, ref, raw_chat(["message 1", "changed", "message 3"]))

    page = fetch(reader, url)

    assert texts(page, ".diff-line del") == ["message 2"]
    assert texts(page, ".diff-line ins") == ["changed"]
    assert text_of(page, ".btn-danger") == "Replace 1 message by 1 message"
    confirm(reader, url)
    assert [line.text for line in list_messages(ref, 1, 9)] == ["message 1", "changed", "message 3"]


def test_several_conversations_go_where_they_belong(reader: Client, discuss: Discuss, public: Any) -> None:
    ref, other = discuss(), build_discussion(public, "bela")
    chats = [{"title": "Mine", "messages": raw_chat(TEXTS)}, {"title": "Hers", "messages": raw_chat(["Hi", "Ho"])}]
    url = bring(reader, ref, chats)

    assert find(fetch(reader, url), "input[name=discussion-1]")["value"] == "anna"
    data = {"choose": ["1", "2"], "discussion-1": "anna", "discussion-2": "bela", "action": "import"}
    assert reader.post(url, data).status_code == 302
    assert [len(list_messages(one, 1, 9)) for one in (ref, other)] == [3, 2]


def test_one_that_is_refused_does_not_keep_the_others_back(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    url = bring(reader, ref, [{"messages": raw_chat(TEXTS)}, {"messages": raw_chat(["Hi"])}])

    data = {"choose": ["1", "2"], "discussion-1": "anna", "discussion-2": "nobody", "action": "import"}
    page = soup(reader.post(url, data, follow=True))

    assert texts(page, ".pill.is-error") == ["refused"]
    assert len(list_messages(ref, 1, 9)) == 3


@pytest.mark.parametrize(
    "data", [{}, {"choose": "1", "discussion-1": ""}, {"choose": "x"}, {"choose": "9", "discussion-9": "anna"}]
)
def test_choices_that_make_no_sense_are_refused(reader: Client, discuss: Discuss, data: dict[str, str]) -> None:
    url = bring(reader, discuss(), raw_chat(TEXTS))

    assert reader.post(url, {**data, "action": "import"}).status_code == 422


def test_the_tag_of_a_chat_is_offered(reader: Client, discuss: Discuss, public: Any) -> None:
    ref = discuss()
    build_discussion(public, "bela")
    url = bring(reader, ref, raw_chat(["[DiscussionId]bela[/DiscussionId]Hi"]))

    offer = find(fetch(reader, url), ".note.is-info a")["href"]

    assert "This goes to the discussion bela." in fetch(reader, str(offer)).get_text()


def test_what_is_no_chat_says_why(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, bring(reader, discuss(), b"nonsense"))

    assert text_of(page, ".state-title") == "No chat was found in this file"
    assert "This is no chat of a kind that is known" in text_of(page, ".problem-list")


def test_problems_are_listed_with_their_place(reader: Client, discuss: Discuss) -> None:
    data = b'{"name":"A","is_user":true,"mes":"Hi"}\n{"name":"B","mes\n'

    page = fetch(reader, bring(reader, discuss(), data))

    assert "line 2" in text_of(page, ".problem-list")
    assert text_of(page, ".btn-primary") == "Attach 1 message"


def test_a_file_is_forgotten(reader: Client, discuss: Discuss) -> None:
    url = bring(reader, discuss(), raw_chat(TEXTS))

    reader.post(url, {"action": "discard"})

    assert "That file is gone" in reader.get(url, follow=True).content.decode()


def test_a_file_of_another_discussion_is_not_shown(reader: Client, discuss: Discuss, public: Any) -> None:
    url = bring(reader, discuss(), raw_chat(TEXTS))
    other = build_discussion(public, "bela")

    upload_id = url.rstrip("/").rpartition("/")[2]

    assert reader.get(reverse("memory:transcript-review", args=[other, upload_id])).status_code == 302


def test_a_large_file_is_read_by_a_worker(
    reader: Client, discuss: Discuss, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(importing, "SMALL_BYTES", 10)
    monkeypatch.setattr("memory.jobs._upload_task", lambda upload_id: None)

    url = bring(reader, discuss(), raw_chat(TEXTS))
    waiting = find(fetch(reader, url), "#import-state")
    importing.work_on_upload(url.rstrip("/").rpartition("/")[2])

    assert waiting["hx-trigger"] == "load delay:1s"
    assert waiting.select("progress")
    assert text_of(fetch(reader, url), ".btn-primary") == "Attach 3 messages"


def test_a_failed_file_says_so(reader: Client, discuss: Discuss, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "SMALL_BYTES", 10)
    monkeypatch.setattr("memory.jobs._upload_task", lambda upload_id: None)
    url = bring(reader, discuss(), raw_chat(TEXTS))
    monkeypatch.setattr(importing, "read_upload", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        importing.work_on_upload(url.rstrip("/").rpartition("/")[2])

    assert "The console failed at this file" in text_of(fetch(reader, url), ".note.is-error")


def test_import_is_refused_when_read_only(reader: Client, discuss: Discuss, settings: Any) -> None:
    ref = discuss()
    settings.WILMER_READ_ONLY = True

    response = reader.post(reverse("memory:transcript-import", args=[ref]), {"text": json.dumps(raw_chat(TEXTS))})

    assert response.status_code == 403
    page = fetch(reader, reverse("memory:transcript-import", args=[ref]))
    assert "disabled" in find(page, "main .btn-primary").attrs
