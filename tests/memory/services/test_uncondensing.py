from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from memory import wiring
from memory.engine.originals import find_originals
from memory.journal.authorship import writing_as
from memory.services.editing import Clash, Edited, Editor
from memory.services.restoring import undo_batch
from memory.services.uncondensing import OriginalsNotFoundError, get_originals, uncondense
from memory.types import DiscussionRef, Entry
from tests.builders import build_discussion

pytestmark = pytest.mark.django_db

A, B, C, D = (Entry(f"text {name}", name * 64) for name in "abcd")


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    """Chunks 1 to 3 of four were condensed into one."""
    ref = build_discussion(public, chunks=0, summary_up_to=None)
    files = wiring.open_discussion(ref)
    with writing_as("WilmerAI", "Wrote"):
        files.write_memories([A, B, C, D])
        files.write_memories([Entry("all three", C.hash), D])
        files.write_condensation_tracker(C.hash)
        files.write_summary([Entry("summary", C.hash)])
    return ref


def test_the_originals_are_found_by_their_last_hash() -> None:
    merged = Entry("x", C.hash)

    assert find_originals([A, B, C, D], [merged, D], C.hash) == (A, B, C)
    assert find_originals([A, B, C, D], [Entry("ab", B.hash), Entry("cd", D.hash)], D.hash) == (C, D)
    assert find_originals([A, B, C], [A, B, Entry("edited", C.hash)], C.hash) == ()
    assert find_originals([A, B], [A, B, C], C.hash) == ()


def test_the_originals_are_put_back_and_links_stay(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    outcome = uncondense(Editor(ref, "mona"), 1)

    assert isinstance(outcome, Edited)
    assert files.read_memories().entries == (A, B, C, D)
    assert files.read_condensation_tracker().values["lastCondensationHash"] == C.hash
    assert files.read_summary().entries[0].hash == C.hash
    assert outcome.batch
    undo_batch(ref, outcome.batch, actor="mona", keys={})
    assert len(files.read_memories().entries) == 2


def test_a_chunk_that_was_edited_since_it_was_seen_is_a_clash(ref: DiscussionRef) -> None:
    assert isinstance(uncondense(Editor(ref, "mona"), 1, version="old"), Clash)


def test_chunks_without_known_originals_are_told(ref: DiscussionRef) -> None:
    with pytest.raises(OriginalsNotFoundError):
        get_originals(Editor(ref, "mona"), 2)


def test_a_dry_run_puts_nothing_back(ref: DiscussionRef) -> None:
    uncondense(Editor(ref, "mona", is_dry_run=True), 1)
    assert len(wiring.open_discussion(ref).read_memories().entries) == 2


def test_the_page_shows_and_puts_back(ref: DiscussionRef, admin_client: Client) -> None:
    url = reverse("memory:chunk-originals", args=[ref, 1])
    page = admin_client.get(url).content.decode()
    assert "Put back 3 chunks" in page
    assert "text b" in page

    assert admin_client.post(url, {"version": "old"}).status_code == 409
    assert admin_client.post(url).status_code == 302
    assert len(wiring.open_discussion(ref).read_memories().entries) == 4
    assert "not known" in admin_client.get(reverse("memory:chunk-originals", args=[ref, 4])).content.decode()


def test_the_api_shows_and_puts_back(ref: DiscussionRef, admin_client: Client) -> None:
    address = f"/api/v1/discussions/{ref.text}/chunks/1"
    body = admin_client.get(f"{address}/originals").json()
    assert [entry["text"] for entry in body["entries"]] == ["text a", "text b", "text c"]

    response = admin_client.post(
        f"{address}/uncondense", content_type="application/json", headers={"If-Match": f'"{body["version"]}"'}
    )
    assert response.json()["is_changed"]
