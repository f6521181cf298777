from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memory.types import DiscussionRef
from tests.builders import build_discussion, hash_of
from tests.memory.api.calls import error_of, url

JSON = "application/json"
CHAT = [{"role": "user", "content": "message 1"}, {"role": "assistant", "content": "message 2"}]
LONGER = [*CHAT, {"role": "user", "content": "message 3"}]


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public)


def send(client: Client, ref: DiscussionRef, chat: Any, query: str = "") -> Any:
    return client.post(url(ref, "transcript") + query, json.dumps(chat), content_type=JSON)


def test_import_attaches_a_chat(writer: Client, ref: DiscussionRef) -> None:
    body = send(writer, ref, CHAT).json()

    assert (body["outcome"], body["added"], body["total"], body["format"]) == ("new", 2, 2, "openai")
    assert body["variant"] == "raw+sentinels"
    assert (body["matches"][0]["ledger"], body["matches"][0]["log"]) == (2, 1)
    card = writer.get(url(ref, "transcript")).json()
    assert (card["message_count"], card["imported_by"]) == (2, "reader")


def test_import_takes_a_form_with_a_file(writer: Client, ref: DiscussionRef) -> None:
    file = SimpleUploadedFile("chat.json", json.dumps({"messages": CHAT}).encode())

    assert writer.post(url(ref, "transcript"), {"file": file}).json()["added"] == 2
    assert writer.get(url(ref, "transcript")).json()["source_name"] == "chat.json"


def test_import_of_a_form_without_a_file_is_refused(writer: Client, ref: DiscussionRef) -> None:
    assert error_of(writer.post(url(ref, "transcript"), {"x": "y"}))["details"]["field"] == "file"


def test_import_twice_adds_nothing_and_a_longer_chat_the_rest(writer: Client, ref: DiscussionRef) -> None:
    send(writer, ref, CHAT)

    assert send(writer, ref, CHAT).json()["outcome"] == "same"
    longer = send(writer, ref, LONGER).json()
    assert (longer["outcome"], longer["kept"], longer["added"]) == ("longer", 2, 1)


def test_import_replaces_only_if_asked_to(writer: Client, ref: DiscussionRef) -> None:
    send(writer, ref, LONGER)

    assert error_of(send(writer, ref, CHAT))["status"] == 409
    assert send(writer, ref, CHAT, "?replace=true").json()["removed"] == 1
    assert writer.get(url(ref, "transcript")).json()["message_count"] == 2


def test_dry_run_changes_nothing(writer: Client, ref: DiscussionRef) -> None:
    assert send(writer, ref, CHAT, "?dry_run=true").json()["is_dry_run"]
    assert writer.get(url(ref, "transcript")).status_code == 404


def test_dry_run_is_allowed_when_nothing_may_be_changed(writer: Client, ref: DiscussionRef, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True

    assert send(writer, ref, CHAT, "?dry_run=true").json()["added"] == 2


def test_several_conversations_are_named(writer: Client, ref: DiscussionRef) -> None:
    chats = [{"title": "One", "messages": CHAT}, {"title": "Two", "messages": LONGER}]

    error = error_of(send(writer, ref, chats))

    assert error["status"] == 422
    assert [one["title"] for one in error["details"]["conversations"]] == ["One", "Two"]
    assert send(writer, ref, chats, "?conversation=2").json()["added"] == 3


@pytest.mark.parametrize("body", ["", "nonsense", "[]", '{"a": 1}'])
def test_what_is_no_chat_is_refused(writer: Client, ref: DiscussionRef, body: str) -> None:
    response = writer.post(url(ref, "transcript"), body, content_type=JSON)

    assert error_of(response)["status"] == 422


def test_messages_come_in_pages(writer: Client, ref: DiscussionRef) -> None:
    send(writer, ref, LONGER)

    body = writer.get(url(ref, "transcript", "messages") + "?size=2&page=2").json()

    assert (body["total"], [item["text"] for item in body["items"]]) == (3, ["message 3"])
    assert body["items"][0]["hash"] == hash_of("message 3")
    assert writer.get(url(ref, "transcript", "messages") + "?contains=MESSAGE 2").json()["total"] == 1


def test_another_form_hashes_anew(writer: Client, ref: DiscussionRef) -> None:
    send(writer, ref, CHAT)

    answer = writer.patch(url(ref, "transcript"), {"variant": "role-label+sentinels"}, content_type=JSON).json()

    assert answer == {"variant": "role-label+sentinels", "messages": 2}
    items = writer.get(url(ref, "transcript", "messages")).json()["items"]
    assert items[0]["hash"] == hash_of("User: message 1")
    assert error_of(writer.patch(url(ref, "transcript"), {"variant": "x"}, content_type=JSON))["status"] == 422


def test_a_transcript_is_detached(writer: Client, ref: DiscussionRef) -> None:
    send(writer, ref, CHAT)

    assert writer.delete(url(ref, "transcript") + "?dry_run=true").json() == {"messages": 2}
    assert writer.delete(url(ref, "transcript")).json() == {"messages": 2}
    assert writer.delete(url(ref, "transcript")).status_code == 404


def test_only_writers_may_import(reader: Client, writer: Client, ref: DiscussionRef, settings: Any) -> None:
    assert send(reader, ref, CHAT).status_code == 403
    settings.WILMER_READ_ONLY = True
    assert send(writer, ref, CHAT).status_code == 403


def test_an_unknown_discussion_gets_no_chat(writer: Client, public: Path) -> None:
    response = writer.post(url("nobody", "transcript"), json.dumps(CHAT), content_type=JSON)

    assert error_of(response)["code"] == "discussion-not-found"
