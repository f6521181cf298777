"""Traps F1, F2, F4, F6, F7: what is announced before a change of the ledger is what happens after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory.models import AuditEntry, Revision
from memory.types import DiscussionRef
from tests.builders import build_discussion, hash_of, write_entries
from tests.memory.api.calls import error_of, url
from tests.memory.api.editing import ANY, JSON, count_new, entries, numbers, post_page, send
from tests.memory.chats import attach_chat

Remove = Callable[..., None]


@pytest.fixture
def browser(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    """Six chunks that end with messages 1 to 6, the summary at 4, condensed up to 2; a chat of ten messages."""
    ref = build_discussion(public, chunks=6, summary_up_to=4, condensed_up_to=2)
    attach_chat(ref, 10)
    return ref


@pytest.fixture(params=["rest", "page"])
def remove(request: pytest.FixtureRequest, writer: Client, browser: Client) -> Remove:
    if request.param == "rest":

        def by_rest(ref: DiscussionRef, number: int, *, keep_links: bool = True) -> None:
            send(writer, "DELETE", f"{url(ref, 'chunks', number)}?keep_links={keep_links}".lower())

        return by_rest
    return lambda ref, number, *, keep_links=True: post_page(
        browser, "chunk-removal", ref, number, **({} if keep_links else {"keep_links": False})
    )


def hashes(public: Path, name: str = "memories") -> list[int]:
    """The numbers of the messages that entries end with."""
    known = {hash_of(f"message {number}"): number for number in range(20)}
    return [known[entry["hash"]] for entry in entries(public, name)]


def announce(writer: Client, ref: DiscussionRef, number: int) -> dict[str, int]:
    response = writer.delete(url(ref, "chunks", number) + "?dry_run=true")
    return numbers(response.json())


def test_f1_an_edit_changes_the_text_alone(public: Path, ref: DiscussionRef, writer: Client) -> None:
    before, new = entries(public), count_new(ref)

    answer = send(writer, "PATCH", url(ref, "chunks", 3), {"text": "Anna kept bees. ☃"})

    before[2]["text_block"] = "Anna kept bees. ☃"
    assert (entries(public), count_new(ref)) == (before, new)
    assert [item["text"] for item in answer["consequences"]] == ["Text only: nothing is processed again."]
    assert "\\u2603" in (public / "DiscussionIds/anna/memories.json").read_text()


def test_f2_the_newest_chunk_comes_again_as_announced(
    public: Path, ref: DiscussionRef, writer: Client, remove: Remove
) -> None:
    announced, before = announce(writer, ref, 6), count_new(ref)

    remove(ref, 6)

    assert hashes(public) == [1, 2, 3, 4, 5]
    assert (announced["messages_before"], announced["messages_after"]) == (before, count_new(ref))
    assert announced["messages_again"] == 1


def test_f2_a_middle_chunk_leaves_a_hole_as_announced(ref: DiscussionRef, writer: Client, remove: Remove) -> None:
    announced, before = announce(writer, ref, 3), count_new(ref)

    remove(ref, 3)

    assert count_new(ref) == before == announced["messages_after"]
    assert announced["messages_lost"] == 1


def test_f4_a_repeated_hash_keeps_the_boundary_as_announced(public: Path, writer: Client, remove: Remove) -> None:
    ref = build_discussion(public, chunks=0, summary_up_to=None)
    twice = [{"text_block": str(at), "hash": hash_of("message 3")} for at in range(2)]
    write_entries(public / "DiscussionIds/anna/memories.json", twice)
    attach_chat(ref, 10)
    announced, before = announce(writer, ref, 2), count_new(ref)

    remove(ref, 2)

    assert count_new(ref) == before == announced["messages_after"]


def test_f7_links_move_to_the_entry_before(public: Path, ref: DiscussionRef, remove: Remove, reader: Client) -> None:
    remove(ref, 4)

    assert hashes(public, "chat_summary") == [3]
    assert reader.get(url(ref, "summary")).json()["behind"] == 2


def test_f7_a_tracker_moves_to_the_entry_before(
    public: Path, ref: DiscussionRef, remove: Remove, reader: Client
) -> None:
    remove(ref, 2)

    assert reader.get(url(ref, "trackers")).json()["condensation"]["chunk_numbers"] == [1]


def test_f7_a_link_can_be_cut_as_announced(ref: DiscussionRef, writer: Client, remove: Remove, reader: Client) -> None:
    announced = numbers(writer.delete(url(ref, "chunks", 4) + "?dry_run=true&keep_links=false").json())

    remove(ref, 4, keep_links=False)

    summary = reader.get(url(ref, "summary")).json()
    assert (summary["link"], announced["chunks_fed"]) == ("lost", summary["total_chunks"])


@pytest.mark.parametrize("remainder", ["empty", "absent"])
def test_f6_delete_all_asks_what_is_left(public: Path, ref: DiscussionRef, writer: Client, remainder: str) -> None:
    address, path = url(ref, "chunks", "delete"), public / "DiscussionIds/anna/memories.json"
    unsaid = writer.post(address, {"all": True, "count": 6}, JSON, headers={"If-Match": "*"})

    answer = send(writer, "POST", address, {"all": True, "count": 6, "remainder": remainder})

    assert (unsaid.status_code, answer["action"]) == (422, "Deleted all chunks")
    assert path.exists() == (remainder == "empty")
    assert not path.exists() or path.read_text() == "[]"
    assert numbers(answer)["messages_after"] == count_new(ref)


def test_f6_on_the_page_a_choice_must_be_made(public: Path, ref: DiscussionRef, browser: Client) -> None:
    names = [f"{number}:" for number in range(1, 7)]
    address = f"/discussions/{ref.text}/chunks/removal/"

    unsaid = browser.post(address, {"number": names, "keep_links": "on", "count": "6"})
    miscounted = browser.post(address, {"number": names, "keep_links": "on", "count": "5", "remainder": "absent"})
    done = browser.post(address, {"number": names, "keep_links": "on", "count": "6", "remainder": "absent"})

    assert (unsaid.status_code, miscounted.status_code, done.status_code) == (422, 422, 302)
    assert not (public / "DiscussionIds/anna/memories.json").exists()


def test_bulk_deletion_needs_the_count(ref: DiscussionRef, public: Path, writer: Client) -> None:
    address = url(ref, "chunks", "delete")

    wrong = writer.post(address, {"numbers": [1, 2], "count": 3}, JSON, headers={"If-Match": "*"})
    answer = send(writer, "POST", address, {"numbers": [2, 4], "count": 2})

    assert (wrong.status_code, hashes(public), answer["action"]) == (422, [1, 3, 5, 6], "Deleted 2 chunks")
    assert hashes(public, "chat_summary") == [3]


def test_merge_keeps_the_hash_of_the_newer(public: Path, ref: DiscussionRef, writer: Client) -> None:
    before = count_new(ref)

    send(writer, "POST", url(ref, "chunks", 5, "merge"))

    assert (hashes(public), count_new(ref)) == ([1, 2, 3, 4, 6], before)
    assert entries(public)[4]["text_block"].count("Anna talked") == 2


def test_merge_of_the_newest_is_404(ref: DiscussionRef, writer: Client) -> None:
    response = writer.post(url(ref, "chunks", 6, "merge"), {}, JSON, headers={"If-Match": "*"})

    assert response.status_code == 404


def test_split_takes_a_message_of_the_chat(public: Path, writer: Client) -> None:
    ref = build_discussion(public, chunks=0, summary_up_to=None)
    entry = {"text_block": "First half. Second half.", "hash": hash_of("message 8")}
    write_entries(public / "DiscussionIds/anna/memories.json", [entry])
    attach_chat(ref, 12)
    before = count_new(ref)

    send(writer, "POST", url(ref, "chunks", 1, "split"), {"position": 12})

    assert hashes(public) == [4, 8]
    assert [item["text_block"] for item in entries(public)] == ["First half.", "Second half."]
    assert count_new(ref) == before


def test_split_without_a_chat_asks_for_the_hash(public: Path, writer: Client) -> None:
    ref = build_discussion(public)
    address = url(ref, "chunks", 2, "split")

    response = writer.post(address, {"position": 8}, JSON, headers={"If-Match": "*"})
    answer = send(writer, "POST", address, {"position": 8, "first_hash": hash_of("message 2")})

    error = error_of(response)
    assert (error["code"], error["details"]["shared"]) == ("split-needs-hash", hash_of("message 2"))
    assert (answer["is_changed"], hashes(public)) == (True, [1, 2, 2, 3])


def test_move_takes_the_hash_along(public: Path, ref: DiscussionRef, writer: Client) -> None:
    send(writer, "POST", url(ref, "chunks", 5, "move"), {"by": -1})

    assert (hashes(public), hashes(public, "chat_summary")) == ([1, 2, 3, 5, 4, 6], [3])


def test_a_change_is_signed_recorded_and_audited(public: Path, ref: DiscussionRef, writer: Client) -> None:
    answer = send(writer, "DELETE", url(ref, "chunks", 4))

    revisions = Revision.objects.filter(batch=answer["batch"]).order_by("id")
    assert [(row.artefact, row.actor, row.action) for row in revisions] == [
        ("chat_summary", "reader", "Deleted chunk 4"),
        ("memories", "reader", "Deleted chunk 4"),
    ]
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.action, entry.target, entry.details) == (
        "reader",
        "chunks-deleted",
        "anna",
        {"count": 1},
    )


def test_the_same_text_writes_nothing(public: Path, ref: DiscussionRef, writer: Client) -> None:
    answer = send(writer, "PATCH", url(ref, "chunks", 2), {"text": entries(public)[1]["text_block"]})

    assert (answer["is_changed"], answer["batch"], Revision.objects.count()) == (False, None, 0)


@pytest.mark.parametrize("text", ["", "  \n", "half \ud83d"])
def test_a_text_that_cannot_be_stored_is_422(public: Path, ref: DiscussionRef, writer: Client, text: str) -> None:
    before: Any = entries(public)

    response = writer.patch(url(ref, "chunks", 2), {"text": text}, JSON, headers={"If-Match": "*"})

    assert (response.status_code, entries(public)) == (422, before)


def test_a_chunk_that_moved_is_still_found_by_its_version(public: Path, ref: DiscussionRef, browser: Client) -> None:
    address = f"/discussions/{ref.text}/chunks/3/edit/"
    version = browser.get(address).context["page"].form["version"].value()
    write_entries(public / "DiscussionIds/anna/memories.json", entries(public)[1:])

    browser.post(address, {"text": "Moved on.", "version": version})

    assert entries(public)[1] == {"text_block": "Moved on.", "hash": hash_of("message 3")}


@pytest.mark.parametrize("name", ["dry-run", "dryrun", "dryRun"])
def test_a_dry_run_that_is_spelled_otherwise_changes_nothing(
    ref: DiscussionRef, public: Path, writer: Client, name: str
) -> None:
    before = entries(public)

    response = writer.delete(url(ref, "chunks", "3") + f"?{name}=true", headers=ANY)

    assert (response.status_code, entries(public)) == (422, before)
    assert "called dry_run" in response.json()["error"]["message"]
