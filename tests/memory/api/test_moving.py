from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memory import wiring
from memory.types import DiscussionRef
from tests.builders import build_discussion
from tests.memory.api.calls import error_of, url
from tests.memory.chats import attach_chat


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    ref = build_discussion(public, chunks=4)
    attach_chat(ref, 5)
    return ref


def post(client: Client, address: str, body: dict[str, Any]) -> Any:
    return client.post(address, body, content_type="application/json")


def count(text: str) -> int:
    return len(wiring.open_discussion(DiscussionRef.parse(text)).read_memories().entries)


def test_a_dry_run_tells_what_a_rollback_leaves(writer: Client, ref: DiscussionRef) -> None:
    body = post(writer, f"{url(ref, 'rollback')}?dry_run=true", {"message": 3}).json()

    assert (body["chunks_kept"], body["chunks_removed"], body["batch"], count("anna")) == (2, 2, None, 4)
    done = post(writer, url(ref, "rollback"), {"message": 3, "digest": body["digest"]}).json()
    assert (done["chunks_kept"], count("anna")) == (2, 2)
    assert post(writer, url(ref, "batches", done["batch"], "undo"), {}).status_code == 200
    assert count("anna") == 4


def test_a_rollback_needs_one_point(writer: Client, ref: DiscussionRef) -> None:
    for body in ({}, {"message": 1, "chunk": 1}, {"message": 0}, {"chunk": 77}):
        assert post(writer, url(ref, "rollback"), body).status_code in {404, 422}
    assert error_of(post(writer, url(ref, "rollback"), {"chunk": 1, "digest": "x"}))["code"] == "rollback-changed"


def test_a_discussion_is_copied_and_renamed(writer: Client, ref: DiscussionRef) -> None:
    response = post(writer, url(ref, "copy"), {"new_id": "berta", "message": 3})
    assert (response.status_code, response.json()) == (
        201,
        {"ref": "berta", "files": 4, "messages": 2, "left_out": None},
    )

    assert post(writer, url("berta", "rename"), {"new_id": "clara"}).json()["ref"] == "clara"
    assert count("clara") == 2


@pytest.mark.parametrize(("new_id", "status"), [("anna", 409), ("CON", 422), ("a/b", 422), ("", 422)])
def test_ids_that_cannot_be_are_refused(writer: Client, ref: DiscussionRef, new_id: str, status: int) -> None:
    for name in ("copy", "rename"):
        assert post(writer, url(ref, name), {"new_id": new_id}).status_code == status


def test_readers_move_nothing(reader: Client, ref: DiscussionRef) -> None:
    for name, body in (("copy", {"new_id": "b"}), ("rename", {"new_id": "b"}), ("rollback", {"chunk": 1})):
        assert post(reader, url(ref, name), body).status_code == 403
    assert count("anna") == 4


def test_dry_runs_say_what_would_come_of_it(writer: Client, ref: DiscussionRef) -> None:
    copied = post(writer, f"{url(ref, 'copy')}?dry_run=true", {"new_id": "berta", "message": 3}).json()
    assert (copied["files"], copied["messages"], copied["left_out"]["chunks_removed"]) == (4, 2, 2)
    renamed = post(writer, f"{url(ref, 'rename')}?dry_run=true", {"new_id": "berta"}).json()
    assert renamed == {"ref": "berta", "files": 4}

    taken = post(writer, f"{url(ref, 'rename')}?dry_run=true", {"new_id": "anna"})
    assert error_of(taken)["code"] == "discussion-exists"
    assert wiring.get_discussion_folders().look(DiscussionRef.parse("berta")) is None


@pytest.mark.parametrize("name", ["version", "etag", "any"])
def test_if_match_may_name_the_whole_discussion(writer: Client, ref: DiscussionRef, name: str) -> None:
    read = writer.get(url(ref))
    match = {"etag": read["ETag"], "version": read.json()["version"], "any": "*"}[name]
    body = {"new_id": "berta"}
    response = writer.post(url(ref, "rename"), body, content_type="application/json", headers={"If-Match": match})
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("call", "body"), [("rename", {"new_id": "b"}), ("copy", {"new_id": "b"}), ("rollback", {"chunk": 1})]
)
def test_another_version_of_the_discussion_is_412(
    writer: Client, ref: DiscussionRef, call: str, body: dict[str, Any]
) -> None:
    headers = {"If-Match": writer.get(url(ref))["ETag"]}
    wiring.open_discussion(ref).write_state_document("another text by now")

    response = writer.post(url(ref, call), body, content_type="application/json", headers=headers)
    assert (response.status_code, error_of(response)["code"], count("anna")) == (412, "precondition-failed", 4)


def test_a_discussion_that_changed_is_not_deleted(writer: Client, ref: DiscussionRef) -> None:
    response = writer.delete(url(ref), headers={"If-Match": '"old"'})
    assert (response.status_code, count("anna")) == (412, 4)
    assert writer.delete(url(ref), headers={"If-Match": writer.get(url(ref))["ETag"]}).status_code == 200


@pytest.mark.parametrize("body", [{"chunk": True}, {"message": "3"}, {"message": 3.5}, {"chunk": None}, []])
def test_what_is_no_number_is_no_point(writer: Client, ref: DiscussionRef, body: Any) -> None:
    assert post(writer, url(ref, "rollback"), body).status_code == 422
    assert count("anna") == 4


def test_a_part_named_twice_is_copied_once(writer: Client, ref: DiscussionRef) -> None:
    body = post(writer, url(ref, "copy"), {"new_id": "berta", "groups": ["chunks", "chunks"]}).json()
    assert body["ref"] == "berta"
