from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory import wiring
from memory.journal.authorship import writing_as
from memory.models import Revision
from memory.types import Artefact, DiscussionRef, Entry
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]


def write(ref: DiscussionRef, *entries: Entry, action: str = "Edited chunk 1") -> uuid.UUID:
    with writing_as("mona", action) as signed:
        wiring.open_discussion(ref).write_memories(entries)
    return signed.batch


def url(name: str, *args: Any, query: str = "") -> str:
    return reverse(f"memory:{name}", args=args) + query


def newest() -> int:
    return Revision.objects.latest("id").pk


def read(ref: DiscussionRef) -> list[str]:
    return [entry.text for entry in wiring.open_discussion(ref).read_memories().entries]


def test_the_first_visit_keeps_every_file(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url("history-list", discuss()))

    assert texts(page, ".history-action") == ["Seen for the first time"] * 4


def test_the_history_tells_who_wrote_what(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    write(ref, Entry("one", "a"), action="Edited <chunk> 1")

    row = find(fetch(reader, url("history-list", ref, query="?file=memories")), "tbody tr")
    assert text_of(row, ".history-action") == "Edited <chunk> 1"
    assert "mona" in row.text
    assert find(row, "form")["action"].endswith("/undo/")


def test_the_history_gives_htmx_only_the_table(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, url("history-list", discuss()))["id"] == "history-table"


@pytest.mark.parametrize("query", ["?file=nothing", "?page=0"])
def test_the_history_refuses_what_makes_no_sense(reader: Client, discuss: Discuss, query: str) -> None:
    fetch(reader, url("history-list", discuss(), query=query), status=422)


def test_undo_takes_back_and_can_be_taken_back(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    batch = write(ref, Entry("one", "a"))

    response = reader.post(url("revision-undo", ref, batch))
    assert response.status_code == 302
    assert len(read(ref)) == 3
    page = fetch(reader, response["Location"])
    reader.post(find(page, "#batch form")["action"])
    assert read(ref) == ["one"]


def test_undo_leads_back_to_where_it_was_asked_for(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    back = reverse("memory:chunk-list", args=[ref])
    first, second = write(ref, Entry("one", "a")), write(ref, Entry("two", "a"))

    response = reader.post(url("revision-undo", ref, second), headers={"Referer": f"http://testserver{back}?page=1"})
    assert response["Location"] == f"{back}?page=1"
    response = reader.post(url("revision-undo", ref, first), headers={"Referer": "http://elsewhere/x"})
    assert response["Location"].startswith(url("history-list", ref))


def test_undo_asks_when_somebody_wrote_since(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    batch = write(ref, Entry("one", "a"))
    write(ref, Entry("one", "a"), Entry("theirs", "b"))

    response = reader.post(url("revision-undo", ref, batch))
    page = fetch(reader, response["Location"])
    assert len(read(ref)) == 2
    assert "theirs" in page.text
    assert text_of(page, ".btn-danger") == "Take back anyway"
    reader.post(url("revision-undo", ref, batch), {"force": "yes"})
    assert len(read(ref)) == 3


def test_undo_from_a_toast_goes_to_the_page_that_asks(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    batch = write(ref, Entry("one", "a"))
    write(ref, Entry("two", "a"))

    response = reader.post(url("revision-undo", ref, batch), headers={"HX-Request": "true"})
    assert response["HX-Redirect"] == url("batch-detail", ref, batch)


def test_a_revision_shows_both_versions(reader: Client, discuss: Discuss) -> None:
    ref = discuss(chunks=1)
    write(
        ref,
        Entry(
            "<b>Chunk</b> 1: Anna talked about her house.", wiring.open_discussion(ref).read_memories().entries[0].hash
        ),
    )

    side = fetch(reader, url("revision-detail", ref, newest()))
    assert find(side, ".compare-side ins").get_text() == "<b>Chunk</b> 1: Anna talked about her house."
    assert "house" in texts(side, ".compare-side ins mark")
    inline = fetch(reader, url("revision-detail", ref, newest(), query="?look=inline"))
    assert find(inline, ".compare-inline del").get_text() == "Chunk 1: Anna talked about her garden."


def test_a_revision_is_compared_with_now(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    write(ref, Entry("one", "a"))
    first = newest()
    write(ref, Entry("two", "a"))

    page = fetch(reader, url("revision-detail", ref, first, query="?against=now"))
    assert text_of(page, ".compare-count") == "1 changed; 0 entries unchanged."


def test_a_revision_is_compared_with_any_other(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    write(ref, Entry("one", "a"))
    first = newest()
    write(ref, Entry("two", "a"), action="Second")

    page = fetch(reader, url("revision-detail", ref, first))
    (value,) = [option["value"] for option in page.select("#compare-other option") if "Second" in option.text]
    page = fetch(reader, url("revision-detail", ref, first, query=f"?against={value}"))
    assert find(page, ".compare-side ins").get_text() == "two"


def test_restore_asks_before_it_writes(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    write(ref, Entry("one", "a"))
    page = fetch(reader, url("revision-restore", ref, newest(), query="?side=before"))
    assert read(ref) == ["one"]
    assert texts(page, ".consequences li")

    form = find(page, "#revision-restore form")
    response = reader.post(form["action"], {"expected": find(form, "[name=expected]")["value"]})
    assert response.status_code == 302
    assert len(read(ref)) == 3


def test_restore_over_another_version_is_a_clash(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    write(ref, Entry("one", "a"))

    assert reader.post(url("revision-restore", ref, newest()), {"expected": "old"}).status_code == 409
    assert read(ref) == ["one"]


def test_a_damaged_file_is_put_back(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    write(ref, Entry("one", "a"))
    wiring.open_discussion(ref).place(Artefact.MEMORIES).path.write_text("[{]")

    fetch(reader, url("revision-restore", ref, newest(), query="?side=after"))
    reader.post(url("revision-restore", ref, newest(), query="?side=after"))
    assert read(ref) == ["one"]


def test_origins_name_the_write_of_each_chunk(reader: Client, discuss: Discuss) -> None:
    ref = discuss(chunks=1)
    old = wiring.open_discussion(ref).read_memories().entries
    write(ref, *old, Entry("two", "b"), action="Added a chunk")

    page = fetch(reader, url("blame-detail", ref, "memories"))
    assert [text.split(" mona")[0] for text in texts(page, ".blame-origin")] == [
        "before the history began",
        "Added a chunk",
    ]


def test_what_is_not_there_is_not_found(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    for name, number in (("revision-detail", 7), ("revision-restore", 7), ("batch-detail", uuid.uuid4())):
        fetch(reader, url(name, ref, number), status=404)
    assert reader.post(url("revision-undo", ref, uuid.uuid4())).status_code == 404


@pytest.mark.parametrize("name", ["revision-undo", "revision-restore"])
def test_read_only_takes_nothing_back(reader: Client, discuss: Discuss, settings: Any, name: str) -> None:
    ref = discuss()
    batch = write(ref, Entry("one", "a"))
    settings.WILMER_READ_ONLY = True

    target = batch if name == "revision-undo" else newest()
    assert reader.post(url(name, ref, target)).status_code == 403
    assert read(ref) == ["one"]


def test_a_stranger_takes_nothing_back(client: Client, discuss: Discuss) -> None:
    ref = discuss()
    batch = write(ref, Entry("one", "a"))

    assert client.post(url("revision-undo", ref, batch)).status_code == 302
    assert read(ref) == ["one"]
    assert Client(enforce_csrf_checks=True).post(url("revision-undo", ref, batch)).status_code in {302, 403}


def test_looking_creates_no_file(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    before = sorted(public.rglob("*"))
    fetch(reader, url("history-list", ref))
    fetch(reader, url("blame-detail", ref, "memories"))
    fetch(reader, url("revision-detail", ref, newest()))

    assert sorted(public.rglob("*")) == before
