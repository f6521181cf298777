from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder, build_vector_database, hash_of, write_json
from tests.html import fetch, texts
from tests.memory.chats import attach_chat

Discuss = Callable[..., DiscussionRef]


@pytest.fixture
def ref(discuss: Discuss, public: Path) -> DiscussionRef:
    """A log of messages 2, 4 and 6, and a chat of ten."""
    ref = discuss(memories=None, condensed_up_to=2)
    build_vector_database(
        base_folder(public) / "anna/vector_memory.db", "anna", log=("message 2", "message 4", "message 6")
    )
    attach_chat(ref, 10)
    return ref


def log(public: Path) -> list[str]:
    with closing(sqlite3.connect(base_folder(public) / "anna/vector_memory.db")) as connection:
        rows = connection.execute("SELECT message_hash FROM vector_memory_hash_log ORDER BY id")
        known = {hash_of(f"message {number}"): f"message {number}" for number in range(20)}
        return [known[row[0]] for row in rows]


def send(reader: Client, name: str, ref: DiscussionRef, *args: object, **typed: str) -> int:
    address = reverse(f"memory:{name}", args=[ref, *args])
    form = reader.get(address).context["page"].form
    shown = {bound.name: bound.value() or "" for bound in form}
    return reader.post(address, {**shown, **typed}).status_code


def test_the_boundary_moves_back_to_a_logged_message(reader: Client, ref: DiscussionRef, public: Path) -> None:
    assert send(reader, "tracker-vector-edit", ref, target=hash_of("message 4")) == 302

    assert log(public) == ["message 2", "message 4"]


def test_the_boundary_moves_to_any_message_by_its_number(reader: Client, ref: DiscussionRef, public: Path) -> None:
    assert send(reader, "tracker-vector-edit", ref, target="3") == 302

    assert log(public) == ["message 2", "message 4", "message 6", "message 3"]


def test_what_follows_is_told_in_messages(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:tracker-log-cut", args=[ref, 1]))

    told = texts(page, ".effect")[0]
    assert told.startswith("The next turn will process 4 messages again (5 in all)")


def test_the_log_is_cut_back(reader: Client, ref: DiscussionRef, public: Path) -> None:
    assert send(reader, "tracker-log-cut", ref, 1) == 302
    assert log(public) == ["message 2"]

    assert send(reader, "tracker-log-cut", ref, 0) == 302
    assert log(public) == []


def test_a_log_that_grew_meanwhile_is_asked_about(reader: Client, ref: DiscussionRef, public: Path) -> None:
    address = reverse("memory:tracker-log-cut", args=[ref, 1])
    version = reader.get(address).context["page"].form["version"].value()
    with closing(sqlite3.connect(base_folder(public) / "anna/vector_memory.db")) as connection, connection:
        connection.execute(
            "INSERT INTO vector_memory_hash_log (discussion_id, message_hash, timestamp) VALUES ('anna', ?, 'x')",
            (hash_of("message 7"),),
        )

    assert reader.post(address, {"version": version}).status_code == 409
    assert len(log(public)) == 4


@pytest.mark.parametrize("target", ["99", "abc", "g" * 64])
def test_what_names_no_message_is_422(reader: Client, ref: DiscussionRef, public: Path, target: str) -> None:
    assert send(reader, "tracker-vector-edit", ref, target=target) == 422
    assert len(log(public)) == 3


def test_the_condensation_tracker_moves_and_goes(reader: Client, ref: DiscussionRef, public: Path) -> None:
    path = base_folder(public) / "anna/condensation_tracker.json"

    assert send(reader, "tracker-condensation-edit", ref, chunk="3") == 302
    assert json.loads(path.read_text()) == {"lastCondensationHash": hash_of("message 3")}

    assert send(reader, "tracker-condensation-edit", ref, chunk="0") == 302
    assert not path.exists()


def test_the_pending_timestamp_goes(reader: Client, ref: DiscussionRef, public: Path) -> None:
    path = base_folder(public) / "anna/timestamps.json"
    kept = {hash_of("message 1"): "(Monday, 2026-01-05 10:00:00)"}
    write_json(path, {**kept, "PLACEHOLDER_TIMESTAMP_HASH_0000": "(Monday, 2026-01-05 10:01:00)"})

    assert send(reader, "pending-timestamp-removal", ref) == 302

    assert json.loads(path.read_text()) == kept
