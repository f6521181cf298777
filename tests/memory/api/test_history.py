from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memory import wiring
from memory.journal.authorship import writing_as
from memory.models import Revision
from memory.types import Artefact, DiscussionRef, Entry
from tests.builders import build_discussion
from tests.memory.api.calls import error_of, url


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public)


def write(ref: DiscussionRef, *entries: Entry) -> uuid.UUID:
    with writing_as("mona", "Edited chunk 1") as signed:
        wiring.open_discussion(ref).write_memories(entries)
    return signed.batch


def newest() -> int:
    return Revision.objects.latest("id").pk


def post(client: Client, address: str, body: dict[str, Any], **headers: str) -> Any:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(address, body, content_type="application/json", headers=names)


def count(ref: DiscussionRef) -> int:
    return len(wiring.open_discussion(ref).read_memories().entries)


def test_writes_are_listed(reader: Client, ref: DiscussionRef) -> None:
    write(ref, Entry("one", "a"))
    body = reader.get(url(ref, "history"), {"file": "memories"}).json()

    assert [item["action"] for item in body["items"]] == ["Edited chunk 1"]
    assert body["writers"]["mona"] == 1


def test_a_revision_is_compared(reader: Client, ref: DiscussionRef) -> None:
    write(ref, Entry("one", "a"))
    body = reader.get(url(ref, "history", newest())).json()

    assert [item["change"] for item in body["entries"]] == ["removed", "added", "removed", "removed"]
    assert reader.get(url(ref, "history", newest()), {"against": "x"}).status_code == 422


def test_a_batch_is_undone(writer: Client, ref: DiscussionRef) -> None:
    batch = write(ref, Entry("one", "a"))

    tried = post(writer, url(ref, "batches", batch, "undo") + "?dry_run=true", {}).json()
    assert (tried["batch"], count(ref)) == (None, 1)
    done = writer.post(url(ref, "batches", batch, "undo"), content_type="application/json").json()
    assert count(ref) == 3
    assert error_of(post(writer, url(ref, "batches", batch, "undo"), {}))["code"] == "taken-back-already"
    assert writer.get(url(ref, "batches", batch)).json()["undone_by"] == done["batch"]


def test_undo_is_a_clash_when_somebody_wrote_since(writer: Client, ref: DiscussionRef) -> None:
    batch = write(ref, Entry("one", "a"))
    write(ref, Entry("two", "a"))

    response = post(writer, url(ref, "batches", batch, "undo"), {})
    assert (response.status_code, error_of(response)["code"]) == (409, "undo-conflict")
    assert post(writer, url(ref, "batches", batch, "undo"), {"force": True}).status_code == 200
    assert count(ref) == 3


def test_restore_needs_the_version_that_was_read(writer: Client, ref: DiscussionRef) -> None:
    write(ref, Entry("one", "a"))
    address, etag = url(ref, "history", newest(), "restore"), wiring.open_discussion(ref).report(Artefact.MEMORIES).etag

    assert post(writer, address, {}).status_code == 428
    assert post(writer, address, {}, If_Match='"old"').status_code == 412
    assert post(writer, address, {"side": "before"}, If_Match=f'"{etag}"').status_code == 200
    assert count(ref) == 3


def test_a_dry_restore_tells_what_follows(writer: Client, ref: DiscussionRef) -> None:
    write(ref, Entry("one", "a"))
    body = post(writer, url(ref, "history", newest(), "restore") + "?dry_run=true", {}).json()

    assert (body["batch"], count(ref)) == (None, 1)
    assert body["consequences"]


def test_origins_are_told(reader: Client, ref: DiscussionRef) -> None:
    old = wiring.open_discussion(ref).read_memories().entries
    write(ref, *old, Entry("four", "d"))

    lines = reader.get(url(ref, "origins", "memories")).json()["lines"]
    assert [line["revision"] for line in lines] == [None, None, None, Revision.objects.earliest("id").pk]
    assert reader.get(url(ref, "origins", "vector_memory")).status_code == 422


def test_readers_take_nothing_back(reader: Client, ref: DiscussionRef) -> None:
    batch = write(ref, Entry("one", "a"))

    assert post(reader, url(ref, "batches", batch, "undo"), {}).status_code == 403
    assert post(reader, url(ref, "history", newest(), "restore"), {}, If_Match="*").status_code == 403
    assert count(ref) == 1


@pytest.mark.parametrize("parts", [("history", 7), ("batches", uuid.UUID(int=7))])
def test_what_is_not_there_is_not_found(reader: Client, ref: DiscussionRef, parts: tuple[Any, ...]) -> None:
    assert error_of(reader.get(url(ref, *parts)))["code"] == "revision-not-found"
