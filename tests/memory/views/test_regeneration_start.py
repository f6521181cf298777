"""The page that shows what a regeneration would send."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Job
from memory.types import DiscussionRef
from tests.html import fetch, find, soup, text_of, texts
from tests.memory.regenerating import MODEL, edit_outside, open_world

URL = "/discussions/anna/regenerate/"


@pytest.fixture
def ref(tmp_path: Path, settings: Any, db: None) -> DiscussionRef:
    return open_world(tmp_path, settings)


def test_kinds_are_offered(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, URL)

    assert len(texts(page, ".plan-kind strong")) == 9
    assert page.select("form[method=post] button.btn-primary") == []


def test_every_prompt_is_shown_and_nothing_is_spent(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, f"{URL}?kind=chunks&first=1&last=2")

    assert texts(page, ".plan-facts dd")[0] == "2"
    prompts = [element.get_text() for element in page.select(".prompt-text")]
    assert prompts[:2] == ["You remember.", "Before: No preceding memories to show Piece: aside 1\nmessage 1"]
    assert "Holds what earlier calls" in page.get_text()
    assert MODEL.calls == []
    assert not Job.objects.exists()


def test_the_button_starts_the_job(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, f"{URL}?kind=chunks&first=1")
    digest = find(page, "input[name=digest]")["value"]

    response = reader.post(URL, {"kind": "chunks", "first": "1", "digest": digest})

    job = Job.objects.get()
    assert (response.status_code, response["Location"]) == (302, reverse("memory:job-detail", args=[job.pk]))
    assert (job.state, job.requested_by, job.drafts.count()) == ("queued", "reader", 1)


def test_the_second_click_leads_to_the_open_job(reader: Client, ref: DiscussionRef) -> None:
    digest = find(fetch(reader, f"{URL}?kind=chunks&first=1"), "input[name=digest]")["value"]
    first = reader.post(URL, {"kind": "chunks", "first": "1", "digest": digest})

    again = reader.post(URL, {"kind": "chunks", "first": "1", "digest": digest}, follow=True)

    assert again.redirect_chain == [(first["Location"], 302)]
    assert "is open for the same part" in soup(again).get_text()
    assert Job.objects.count() == 1
    page = fetch(reader, f"{URL}?kind=everything")
    assert find(page, "form[method=post] button.btn-primary").has_attr("disabled")


def test_a_changed_plan_is_shown_again(reader: Client, ref: DiscussionRef, tmp_path: Path) -> None:
    digest = find(fetch(reader, f"{URL}?kind=chunks&first=2"), "input[name=digest]")["value"]
    edit_outside(tmp_path / "Public", 1, "changed meanwhile")

    response = reader.post(URL, {"kind": "chunks", "first": "2", "digest": digest})

    assert response.status_code == 409
    assert "has changed since you looked" in soup(response).get_text()
    assert not Job.objects.exists()


def test_without_a_chat_the_page_says_to_import_it(reader: Client, tmp_path: Path, settings: Any, db: None) -> None:
    open_world(tmp_path, settings, has_chat=False)

    page = fetch(reader, f"{URL}?kind=chunks&first=1")

    assert text_of(page, ".state-title") == "The chat is needed"
    assert find(page, ".state-box a.btn-primary").get_text() == "Import the chat"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("kind=chunks&first=9", "There is no chunk 9"),
        ("kind=chunks&first=3&last=2", "This must be 3 or more."),
        ("kind=chunks&first=none", "Enter a whole number."),
        ("kind=vector-memories&first=7&last=8", "No vector memories were made"),
    ],
)
def test_what_cannot_be_made_is_said_in_words(reader: Client, ref: DiscussionRef, query: str, words: str) -> None:
    assert words in fetch(reader, f"{URL}?{query}").get_text()


def test_an_unknown_kind_is_no_crash(reader: Client, ref: DiscussionRef) -> None:
    assert reader.get(f"{URL}?kind=nonsense").status_code == 200
    assert reader.post(URL, {"kind": "nonsense"}).status_code == 422


def test_nothing_starts_in_a_read_only_console(reader: Client, ref: DiscussionRef, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True

    assert reader.post(URL, {"kind": "chunks", "first": "1", "digest": ""}).status_code == 403
    assert not Job.objects.exists()


def test_hostile_texts_are_escaped(reader: Client, ref: DiscussionRef, tmp_path: Path) -> None:
    edit_outside(tmp_path / "Public", 1, "<script>alert(1)</script>")

    page = fetch(reader, f"{URL}?kind=chunks&first=2")

    assert not [script for script in page.select("script") if "alert" in script.get_text()]


def test_rows_lead_here(reader: Client, ref: DiscussionRef) -> None:
    for path in ("chunks/", "chunks/2/", "summary/", "state-document/", "vector-memories/"):
        links = [
            link["href"]
            for link in fetch(reader, f"/discussions/anna/{path}").select(
                "#main section a[href], #main article a[href]"
            )
        ]
        assert any(link.startswith(f"{URL}?kind=") for link in links), path


def test_chunks_that_were_ticked_are_made_anew(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, f"{URL}?kind=chunks&number=3:abc&number=1:def&number=junk")
    assert "Regenerate chunks 1, 3" in page.get_text()
    digest = find(page, "input[name=digest]")["value"]

    reader.post(URL, {"kind": "chunks", "number": ["1", "3"], "digest": digest})

    titles = [draft.target["title"] for draft in Job.objects.get().drafts.order_by("position")]
    assert titles == ["Chunk 1, messages 1 to 2", "Chunk 3, messages 5 to 6"]


def test_a_ticked_chunk_that_is_gone_is_named(reader: Client, ref: DiscussionRef) -> None:
    assert "There is no chunk 77" in fetch(reader, f"{URL}?kind=chunks&number=77:abc").get_text()
