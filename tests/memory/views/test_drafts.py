"""The page of a draft: read, edited, accepted, rejected, compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memory.engine.regeneration import Kind
from memory.types import DiscussionRef
from tests.html import fetch, find, soup, text_of, texts
from tests.memory.regenerating import MODEL, edit_outside, finish, open_world, read_texts


@pytest.fixture
def ref(tmp_path: Path, settings: Any, db: None) -> DiscussionRef:
    return open_world(tmp_path, settings)


@pytest.fixture
def public(tmp_path: Path) -> Path:
    return tmp_path / "Public"


def box_of(page: Any) -> str:
    """The text of the box as a browser reads it: without the first line feed."""
    return str(find(page, "#draft-text").get_text()).removeprefix("\n")


def test_old_and_new_stand_side_by_side(reader: Client, ref: DiscussionRef) -> None:
    MODEL.answer = lambda _: "Chunk 2: Bert talked about 3 gardens."
    page = fetch(reader, f"/jobs/{finish(ref, Kind.CHUNKS, 2)}/drafts/1/")

    assert texts(page, ".draft-sides del") == ["Anna", "her garden"]
    assert texts(page, ".draft-sides ins") == ["Bert", "3 gardens"]
    assert texts(page, ".fact.is-error") == ["Anna"]
    assert texts(page, ".fact.is-ok") == ["Bert", "3"]
    assert box_of(page) == "Chunk 2: Bert talked about 3 gardens."
    assert "aside 2" in page.get_text()


def test_the_box_is_saved_and_the_next_draft_follows(reader: Client, ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1, 2)
    seen = find(fetch(reader, f"/jobs/{job_id}/drafts/1/"), "input[name=seen]")["value"]

    response = reader.post(f"/jobs/{job_id}/drafts/1/accept/", {"text": "one\r\ntwo", "seen": seen})

    assert response["Location"] == f"/jobs/{job_id}/drafts/2/"
    assert read_texts(public)[0] == "one\ntwo"


def test_a_text_that_cannot_be_stored_stays_in_the_box(reader: Client, ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.VECTOR_MEMORIES, 1, 2)

    response = reader.post(f"/jobs/{job_id}/drafts/1/accept/", {"text": '[{"title": "no more"}]'})

    assert response.status_code == 422
    assert box_of(soup(response)) == '[{"title": "no more"}]'
    assert "needs the keys" in text_of(soup(response), ".form-errors")


def test_a_first_line_that_is_empty_is_kept(reader: Client, ref: DiscussionRef) -> None:
    MODEL.answer = lambda _: "\n\nlate"
    assert box_of(fetch(reader, f"/jobs/{finish(ref, Kind.CHUNKS, 1)}/drafts/1/")) == "\n\nlate"


def test_a_clash_shows_three_texts_and_a_choice(reader: Client, ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 2)
    edit_outside(public, 2, "written by WilmerAI meanwhile")

    clash = reader.post(f"/jobs/{job_id}/drafts/1/accept/", {"text": "mine"})

    assert clash.status_code == 409
    page = soup(clash)
    assert texts(page, ".draft-sides h2") == ["Made to replace", "Stored now", "Your draft"]
    assert box_of(page) == "mine"
    assert read_texts(public)[1] == "written by WilmerAI meanwhile"
    seen = find(page, "input[name=seen]")["value"]
    reader.post(f"/jobs/{job_id}/drafts/1/accept/", {"text": "both", "seen": seen})
    assert read_texts(public)[1] == "both"


def test_a_clash_that_was_left_is_shown_again(reader: Client, ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 2)
    edit_outside(public, 2, "other")
    reader.post(f"/jobs/{job_id}/accept/")

    assert texts(fetch(reader, f"/jobs/{job_id}/drafts/1/"), ".draft-sides h2")[1] == "Stored now"
    reader.post(f"/jobs/{job_id}/drafts/1/reject/")
    assert read_texts(public)[1] == "other"


def test_drafts_of_a_whole_are_only_kept_here(reader: Client, ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.EVERYTHING)
    page = fetch(reader, f"/jobs/{job_id}/drafts/1/")
    assert texts(page, ".draft-form button") == ["Keep for later", "Reject"]

    assert reader.post(f"/jobs/{job_id}/drafts/1/keep/", {"text": "kept"}).status_code == 302

    assert box_of(fetch(reader, f"/jobs/{job_id}/drafts/1/")) == "kept"
    assert reader.post(f"/jobs/{job_id}/drafts/1/accept/", {"text": "kept"}).status_code == 409


def test_an_unusable_answer_is_shown_raw(reader: Client, ref: DiscussionRef) -> None:
    MODEL.answer = lambda _: "Sorry <b>no</b> JSON"
    page = fetch(reader, f"/jobs/{finish(ref, Kind.VECTOR_MEMORIES, 1, 2)}/drafts/1/")

    assert "could not be read as JSON" in text_of(page, ".note.is-stale")
    assert box_of(page) == "Sorry <b>no</b> JSON"
    assert page.select(".prompt-text b") == []


def test_what_is_not_there_is_said_to_be_so(reader: Client, ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1)

    assert reader.get(f"/jobs/{job_id}/drafts/9/").status_code == 404
    assert reader.get("/jobs/77/drafts/1/").status_code == 404


def test_the_comparison_follows_what_is_typed(reader: Client, ref: DiscussionRef, public: Path) -> None:
    MODEL.answer = lambda _: "Chunk 2: Bert talked about 3 gardens."
    job_id, before = finish(ref, Kind.CHUNKS, 2), read_texts(public)
    address = f"/jobs/{job_id}/drafts/1/compare/"
    assert find(fetch(reader, f"/jobs/{job_id}/drafts/1/"), "#draft-text")["hx-post"] == address

    typed = soup(reader.post(address, {"text": "Chunk 2: Clara\r\nsowed."}, headers={"HX-Request": "true"}))

    assert texts(typed, ".fact.is-error") == ["Anna"]
    assert texts(typed, ".fact.is-ok") == ["Clara"]
    assert not typed.select("html, textarea")
    assert read_texts(public) == before
    assert box_of(fetch(reader, f"/jobs/{job_id}/drafts/1/")) == "Chunk 2: Bert talked about 3 gardens."
