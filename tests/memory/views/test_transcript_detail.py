from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from memory.engine.transcripts import Said
from memory.types import DiscussionRef
from tests.builders import hash_of
from tests.chats import attach, build_chat
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]


@pytest.fixture
def ref(discuss: Discuss) -> DiscussionRef:
    """Three chunks that end with messages 1 to 3 of five; the summary reaches message 2."""
    ref = discuss(chunks=3)
    attach(ref, [Said("system", "Be kind."), *build_chat([f"message {number}" for number in range(1, 5)])])
    return ref


def url_of(ref: DiscussionRef, query: str = "") -> str:
    return reverse("memory:transcript-detail", args=[ref]) + query


def test_a_chat_can_be_dropped_on_the_transcript(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    form = find(fetch(reader, url_of(ref)), "form[data-drop-page]")

    assert form["action"] == reverse("memory:transcript-import", args=[ref])
    assert find(form, "input[type=file]")["name"] == "file"


def test_transcript_detail_shows_messages_with_hash_and_chunk(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, url_of(ref))

    rows = page.select(".message")
    assert [text_of(row, ".message-text") for row in rows][:2] == ["Be kind.", "message 1"]
    assert find(rows[1], ".copy")["data-copy"] == hash_of("message 1")
    assert find(rows[2], ".text-facts a").get_text() == "chunk 2"
    assert "memory never sees it" in rows[0].get_text()


def test_transcript_detail_draws_how_far_memory_has_got(reader: Client, ref: DiscussionRef) -> None:
    rows = fetch(reader, url_of(ref)).select(".message")

    assert [texts(row, ".divider") for row in rows] == [
        [],
        ["Vector memory: remembered up to here"],
        ["The rolling summary: remembered up to here"],
        ["File memory: remembered up to here"],
        [],
    ]


def test_transcript_detail_goes_to_a_message(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, url_of(ref, "?at=4&size=2"))

    assert texts(page, ".message .text-number") == ["3", "4"]
    assert find(page, ".message.is-target")["id"] == "message-4"


def test_transcript_detail_finds_text(reader: Client, ref: DiscussionRef) -> None:
    part = fetch_partial(reader, url_of(ref, "?contains=SAGE 3"))

    assert part["id"] == "message-list"
    assert texts(part, ".message .text-number") == ["4"]


@pytest.mark.parametrize(
    ("query", "title"), [("?contains=zebra", "No message holds this text"), ("?at=900", "There is no such message")]
)
def test_transcript_detail_says_when_nothing_is_there(
    reader: Client, ref: DiscussionRef, query: str, title: str
) -> None:
    assert text_of(fetch(reader, url_of(ref, query)), ".state-title") == title


def test_transcript_detail_without_a_chat_says_what_to_do(reader: Client, discuss: Discuss) -> None:
    ref = discuss()

    page = fetch(reader, url_of(ref))

    assert text_of(page, ".state-title") == "No chat is attached yet"
    assert find(page, ".state-box a")["href"] == reverse("memory:transcript-import", args=[ref])


def test_transcript_detail_escapes_texts_and_names(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    attach(ref, [Said("user", "<script>alert(1)</script>", "<b>CON.</b>", ("data:image/png;base64,AA",))])

    page = fetch(reader, url_of(ref))

    assert text_of(page, ".message-text") == "<script>alert(1)</script>"
    assert text_of(page, ".message-name") == "<b>CON.</b>"
    assert not page.select(".message b")


@pytest.mark.parametrize("query", ["?at=x", "?at=0", "?page=0", "?at=99999999999999999999"])
def test_transcript_detail_refuses_what_makes_no_sense(reader: Client, ref: DiscussionRef, query: str) -> None:
    fetch(reader, url_of(ref, query), status=422)


def test_transcript_settings_show_how_forms_agree(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:transcript-settings", args=[ref]))

    assert texts(page.select(".match-table tbody tr")[0], "td.num") == ["3 of 3", "1 of 1", "none stored", "100 %"]
    assert find(page, "input[checked]")["value"] == "raw+sentinels"


def test_transcript_settings_hash_anew(reader: Client, ref: DiscussionRef) -> None:
    url = reverse("memory:transcript-settings", args=[ref])

    assert reader.post(url, {"variant": "role-label+braces"}).status_code == 302
    assert find(fetch(reader, url), "input[checked]")["value"] == "role-label+braces"
    assert reader.post(url, {"variant": "x"}).status_code == 422


def test_transcript_delete_detaches_and_leaves_the_files(reader: Client, ref: DiscussionRef, public: Path) -> None:
    before = {path: path.read_bytes() for path in (public / "DiscussionIds").rglob("*.json")}

    response = reader.post(reverse("memory:transcript-delete", args=[ref]), follow=True)

    assert "The transcript of 5 messages is detached." in response.content.decode()
    assert {path: path.read_bytes() for path in before} == before


def test_transcript_changes_are_refused_when_read_only(reader: Client, ref: DiscussionRef, settings: object) -> None:
    settings.WILMER_READ_ONLY = True  # type: ignore[attr-defined]

    assert reader.post(reverse("memory:transcript-delete", args=[ref])).status_code == 403
    variant = {"variant": "raw+braces"}
    assert reader.post(reverse("memory:transcript-settings", args=[ref]), variant).status_code == 403
