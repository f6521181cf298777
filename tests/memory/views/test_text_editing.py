from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder, hash_of
from tests.html import fetch, texts

Discuss = Callable[..., DiscussionRef]


def summary(public: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((base_folder(public) / "anna/chat_summary.json").read_text())
    return found


def send(reader: Client, name: str, ref: DiscussionRef, **typed: str) -> int:
    address = reverse(f"memory:{name}", args=[ref])
    form = reader.get(address).context["page"].form
    shown = {bound.name: bound.value() or "" for bound in form}
    return reader.post(address, {**shown, **typed}).status_code


def test_summary_text_keeps_its_link(reader: Client, discuss: Discuss, public: Path) -> None:
    assert send(reader, "summary-edit", discuss(summary_up_to=2), text="Another story.") == 302

    assert summary(public) == [{"text_block": "Another story.", "hash": hash_of("message 2")}]


def test_summary_is_linked_to_another_chunk(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss(summary_up_to=2)
    address = reverse("memory:summary-edit", args=[ref])
    sent = {"text": "The story so far.", "covers": "1", "preview": "1", "version": ""}

    effects = reader.post(address, {**sent, "version": reader.get(address).context["page"].form["version"].value()})
    send(reader, "summary-edit", ref, covers="1")

    assert "is linked to chunk 1: the next summary run is fed 2 chunks" in effects.content.decode()
    assert summary(public)[0]["hash"] == hash_of("message 1")


def test_summary_link_to_nothing_feeds_all_again(reader: Client, discuss: Discuss, public: Path) -> None:
    assert send(reader, "summary-edit", discuss(summary_up_to=2), covers="0") == 302

    assert summary(public)[0]["hash"] == ""


def test_summary_is_begun_where_there_is_none(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss(summary_up_to=None)
    assert "Write a summary" in reader.get(reverse("memory:summary-detail", args=[ref])).content.decode()

    assert send(reader, "summary-edit", ref, text="By hand.") == 302

    assert summary(public) == [{"text_block": "By hand.", "hash": hash_of("message 3")}]


def test_summary_is_deleted(reader: Client, discuss: Discuss, public: Path) -> None:
    assert send(reader, "summary-removal", discuss(summary_up_to=2)) == 302

    assert not (base_folder(public) / "anna/chat_summary.json").exists()


def test_state_document_goes_into_the_backup(reader: Client, discuss: Discuss, public: Path) -> None:
    ref, folder = discuss(), base_folder(public) / "anna"
    before = (folder / "state_document.md").read_text()

    assert send(reader, "state-document-edit", ref, text="# New\r\n\r\ntext") == 302

    assert (folder / "state_document.md").read_text() == "# New\n\ntext"
    assert (folder / "state_document.md.bak").read_text() == before


def test_state_document_and_backup_change_places(reader: Client, discuss: Discuss, public: Path) -> None:
    ref, folder = discuss(), base_folder(public) / "anna"
    (folder / "state_document.md.bak").write_text("older")
    now = (folder / "state_document.md").read_text()

    assert send(reader, "state-document-restore", ref) == 302

    texts_now = [(folder / name).read_text() for name in ("state_document.md", "state_document.md.bak")]
    assert texts_now == ["older", now]


def test_state_document_explains_the_guard(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, reverse("memory:state-document-edit", args=[discuss(state_document="x" * 1000)]))

    assert "The next update by WilmerAI is refused if it is shorter than 500 characters." in texts(page, ".effect")


def test_state_document_clash_shows_both(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    address = reverse("memory:state-document-edit", args=[ref])
    version = reader.get(address).context["page"].form["version"].value()
    (base_folder(public) / "anna/state_document.md").write_text("theirs")

    response = reader.post(address, {"text": "mine", "version": version})

    assert response.status_code == 409
    assert "theirs" in response.content.decode()
    assert (base_folder(public) / "anna/state_document.md").read_text() == "theirs"


@pytest.mark.parametrize("name", ["summary-edit", "state-document-edit"])
def test_a_form_sent_twice_asks_nothing(reader: Client, discuss: Discuss, name: str) -> None:
    address = reverse(f"memory:{name}", args=[discuss()])
    form = reader.get(address).context["page"].form
    sent = {bound.name: bound.value() for bound in form} | {"text": "Mine."}

    assert [reader.post(address, sent).status_code for _ in range(2)] == [302, 302]
    assert reader.post(address, {**sent, "text": "Other."}).status_code == 409
