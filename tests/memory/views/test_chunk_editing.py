"""Editing on the page: the box, what follows, the question after a clash, the way back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder, build_entry, hash_of, write_entries
from tests.html import fetch, fetch_partial, find, text_of, texts
from tests.memory.chats import attach_chat

Discuss = Callable[..., DiscussionRef]
HTMX = {"HX-Request": "true"}


def edit_url(ref: DiscussionRef, number: int = 2, name: str = "edit") -> str:
    return reverse(f"memory:chunk-{name}", args=[ref, number])


def stored(public: Path) -> list[str]:
    return [entry["text_block"] for entry in json.loads((base_folder(public) / "anna/memories.json").read_text())]


def version_of(reader: Client, address: str) -> str:
    return str(reader.get(address).context["page"].form["version"].value())


def test_the_list_offers_to_edit_in_place(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, reverse("memory:chunk-list", args=[discuss()]))

    link = find(page, "#chunk-2 [data-key=e]")
    assert link["hx-get"] == link["href"]
    assert find(page, link["hx-target"]).get("data-edit-slot") is not None
    assert texts(page, "#chunk-2 .menu-items a") == ["Merge with the newer one", "Split", "Move", "Delete …"]


def test_read_only_pages_offer_nothing(reader: Client, discuss: Discuss, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True

    page = fetch(reader, reverse("memory:chunk-list", args=[discuss()]))

    assert not page.select("[data-key=e], [data-pick-bar]")


def test_the_box_holds_the_text_and_says_what_follows(reader: Client, discuss: Discuss) -> None:
    box = fetch_partial(reader, edit_url(discuss()))

    assert box["id"] == "edit-box-chunk-2"
    assert text_of(box, "textarea") == "Chunk 2: Anna talked about her garden."
    assert texts(box, ".effect") == ["Text only: nothing is processed again."]


def test_saving_writes_and_offers_undo(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    address = edit_url(ref)

    response = reader.post(address, {"text": "New.\r\nLine.", "version": version_of(reader, address)}, follow=True)

    assert stored(public)[1] == "New.\nLine."
    assert "Edited chunk 2." in response.content.decode()
    assert '/undo/"' in response.content.decode()


def test_undo_brings_it_back(reader: Client, discuss: Discuss, public: Path) -> None:
    ref, before = discuss(), None
    before = stored(public)
    page = reader.post(edit_url(ref), {"text": "New."}, follow=True).content.decode()
    undo = page.split('class="toast-action" method="post" action="')[1].split('"')[0]

    reader.post(undo)

    assert stored(public) == before


def test_htmx_is_sent_back_to_the_page_it_was_on(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    listed = f"http://testserver{reverse('memory:chunk-list', args=[ref])}?page=1"

    response = reader.post(edit_url(ref), {"text": "New."}, headers={**HTMX, "HX-Current-URL": listed})

    assert response.headers["HX-Refresh"] == "true"


@pytest.mark.parametrize("where", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_nobody_is_sent_to_another_host(reader: Client, discuss: Discuss, where: str) -> None:
    ref = discuss()

    response = reader.post(edit_url(ref), {"text": "New.", "next": where})

    assert response.headers["Location"] == reverse("memory:chunk-list", args=[ref])


def test_a_blank_text_is_422_with_the_box(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    before = stored(public)

    response = reader.post(edit_url(ref), {"text": " "}, headers=HTMX)

    assert (response.status_code, stored(public)) == (422, before)
    assert "A chunk needs a text" in response.content.decode()


def test_a_clash_shows_both_texts(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    address = edit_url(ref)
    version = version_of(reader, address)
    write_entries(
        base_folder(public) / "anna/memories.json", [build_entry(1), {**build_entry(2), "text_block": "Theirs."}]
    )

    response = reader.post(address, {"text": "Mine.", "version": version}, headers=HTMX)

    body = response.content.decode()
    assert (response.status_code, response.headers["HX-Retarget"]) == (409, "#edit-box-chunk-2")
    assert "Theirs." in body
    assert "Mine." in body
    assert stored(public)[1] == "Theirs."


@pytest.mark.parametrize(("choice", "text"), [("Take mine", "Mine."), ("Save this text", "Both.")])
def test_after_a_clash_mine_or_both_can_be_stored(
    reader: Client, discuss: Discuss, public: Path, choice: str, text: str
) -> None:
    address = edit_url(discuss())
    write_entries(
        base_folder(public) / "anna/memories.json", [build_entry(1), {**build_entry(2), "text_block": "Theirs."}]
    )
    page = reader.post(address, {"text": "Mine.", "version": "old"}).context["page"]

    again = {**dict(page.hidden), page.text_name: text}

    assert reader.post(address, again).status_code == 302, choice
    assert stored(public)[1] == text


def test_a_chunk_that_went_leaves_the_typed_text_to_copy(reader: Client, discuss: Discuss, public: Path) -> None:
    address = edit_url(discuss(), 3)
    write_entries(base_folder(public) / "anna/memories.json", [build_entry(1)])

    response = reader.post(address, {"text": "Typed for an hour.", "version": "old"})

    assert response.status_code == 409
    assert "Typed for an hour." in response.content.decode()
    assert "Copy my text" in response.content.decode()


def test_effects_follow_the_choices(reader: Client, discuss: Discuss) -> None:
    ref = discuss(chunks=3, summary_up_to=2)
    attach_chat(ref, 8)
    sent = {"keep_links": "on", "version": "", "preview": "1"}

    kept = reader.post(edit_url(ref, 2, "removal"), sent, headers=HTMX).content.decode()
    cut = reader.post(edit_url(ref, 2, "removal"), {**sent, "keep_links": ""}, headers=HTMX).content.decode()

    assert "The rolling summary is linked to chunk 1" in kept
    assert "link is cut: the next summary run is fed 2 chunks again" in cut
    assert kept.strip().startswith('<div id="effects-chunk-2"')


def test_a_preview_writes_nothing(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    before = stored(public)

    reader.post(edit_url(ref, 2, "removal"), {"keep_links": "on", "preview": "1"}, headers=HTMX)

    assert stored(public) == before


def test_split_offers_the_messages_inside(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss(chunks=0)
    write_entries(
        base_folder(public) / "anna/memories.json", [{"text_block": "One. Two.", "hash": hash_of("message 3")}]
    )
    attach_chat(ref, 6)

    page = fetch(reader, edit_url(ref, 1, "split"))

    assert texts(page, "select[name=place] option")[:2] == ["message 1: message 1", "message 2: message 2"]


def test_split_by_hand_wants_a_hash(reader: Client, discuss: Discuss) -> None:
    sent = {"position": "8", "place": "by-hand", "first_hash": "abc"}

    response = reader.post(edit_url(discuss(), 2, "split"), sent)

    assert response.status_code == 422
    assert "64 hexadecimal digits" in response.content.decode()


def test_several_are_chosen_by_what_was_seen(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss(chunks=4)
    page = fetch(reader, reverse("memory:chunk-list", args=[ref]))
    chosen = [box["value"] for box in page.select("input[name=number]")][:2]
    address = reverse("memory:chunk-bulk-removal", args=[ref])
    form = reader.get(address, {"number": chosen}).context["page"]

    sent = {"number": [value for _, value in form.frame.picked], "keep_links": "on", "count": "2"}

    assert reader.post(address, sent).status_code == 302
    assert len(stored(public)) == 2


def test_a_post_in_read_only_mode_is_403(reader: Client, discuss: Discuss, public: Path, settings: Any) -> None:
    ref = discuss()
    before = stored(public)
    settings.WILMER_READ_ONLY = True

    assert reader.post(edit_url(ref), {"text": "New."}).status_code == 403
    assert stored(public) == before


def test_hostile_text_stays_text(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    evil = "</textarea><script>alert(1)</script>\"'{{7*7}}"
    reader.post(edit_url(ref), {"text": evil})

    page = fetch(reader, edit_url(ref))

    assert text_of(page, "textarea") == evil
    assert not [tag for tag in page.select("script") if "alert" in tag.text]


def test_what_is_deleted_is_shown_first(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    several = f"{reverse('memory:chunk-bulk-removal', args=[ref])}?number=1&number=2"

    one, many = fetch(reader, edit_url(ref, name="removal")), fetch(reader, several)

    assert text_of(one, ".edit-original") == "Chunk 2: Anna talked about her garden."
    assert text_of(many, ".edit-original").startswith("1: Chunk 1")
    assert texts(one, ".breadcrumb a") == ["Discussions", "Chunks"]


def test_a_form_sent_twice_asks_nothing(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    sent = {"text": "New.", "version": version_of(reader, edit_url(ref))}

    answers = [reader.post(edit_url(ref), sent).status_code for _ in range(2)]

    assert (answers, stored(public)[1]) == ([302, 302], "New.")


def test_a_damaged_ledger_is_told_and_earlier_versions_are_offered(
    reader: Client, discuss: Discuss, public: Path
) -> None:
    ref = discuss()
    (base_folder(public) / "anna/memories.json").write_text('[{"text_block": "cut')

    response = reader.get(edit_url(ref))
    listed = fetch(reader, reverse("memory:chunk-list", args=[ref]))

    assert response.status_code == 422
    assert "unterminated string at line 1" in response.content.decode()
    assert find(listed, ".state-actions a.btn-primary")["href"].endswith("/history/?file=memories")
