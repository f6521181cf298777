"""What cannot be written is refused in words, and every byte stays."""

from __future__ import annotations

import errno
import os
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memory.models import AuditEntry, Revision
from memory.stores import vector_writes
from memory.types import DiscussionRef
from tests.builders import API_KEY, build_discussion
from tests.memory.api.calls import error_of, url
from tests.memory.api.editing import ANY, JSON, send
from wilmer_site.lib import files as floor


def snapshot(public: Path) -> dict[str, bytes]:
    """Every file below the discussions, without the console's own lock files."""
    found = (path for path in (public / "DiscussionIds").rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in found if ".wilmer-console" not in path.parts}


def patch(client: Client, ref: DiscussionRef, text: str = "New.", **headers: str) -> Any:
    return client.patch(url(ref, "chunks", 2), {"text": text}, JSON, headers={**ANY, **headers})


def test_a_damaged_ledger_is_never_written_over(public: Path, writer: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").write_text('[{"text_block": "cut')
    before = snapshot(public)

    response = patch(writer, ref)

    assert (response.status_code, error_of(response)["code"], snapshot(public)) == (422, "damaged-file", before)


def test_a_damaged_summary_forbids_what_it_must_follow(public: Path, writer: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/chat_summary.json").write_text("{")
    before = snapshot(public)

    refused = writer.delete(url(ref, "chunks", 2), headers=ANY)

    assert (refused.status_code, snapshot(public)) == (422, before)
    assert patch(writer, ref).status_code == 200


def test_a_locked_discussion_is_403_and_opens_with_its_key(public: Path, writer: Client) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True)
    before = snapshot(public)

    refused = patch(writer, ref)
    assert (refused.status_code, error_of(refused)["code"], snapshot(public)) == (403, "discussion-locked", before)

    key = {"X-Discussion-Key": API_KEY}
    assert patch(writer, ref, **key).status_code == 200
    assert writer.get(url(ref, "chunks", 2), headers=key).json()["text"] == "New."
    assert all(data.startswith(b"gAAAAA") for path, data in snapshot(public).items() if path.endswith("memories.json"))


@pytest.mark.parametrize(
    ("name", "act"),
    [
        ("memories.json", lambda client, ref: patch(client, ref)),
        ("chat_summary.json", lambda client, ref: client.delete(url(ref, "chunks", 2), headers=ANY)),
        ("vector_memory.db", lambda client, ref: client.delete(url(ref, "vector-memories", 1), headers=ANY)),
        (
            "state_document.md",
            lambda client, ref: client.put(url(ref, "state-document"), {"text": "x"}, JSON, headers=ANY),
        ),
    ],
)
def test_a_file_marked_read_only_is_refused(public: Path, writer: Client, name: str, act: Callable[..., Any]) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna" / name).chmod(0o444)
    before = snapshot(public)

    response = act(writer, ref)

    error = error_of(response)
    assert (response.status_code, error["code"], snapshot(public)) == (403, "file-read-only", before)
    assert f"{name} is marked read-only (mode 0444)" in error["message"]


def test_a_ledger_behind_a_link_out_of_the_folder_is_refused(public: Path, writer: Client, tmp_path: Path) -> None:
    ref = build_discussion(public)
    path, outside = public / "DiscussionIds/anna/memories.json", tmp_path / "outside.json"
    path.rename(outside)
    path.symlink_to(outside)
    before = outside.read_bytes()

    response = patch(writer, ref)

    assert (response.status_code, outside.read_bytes()) == (403, before)


@contextmanager
def tiny_disk(limit: int) -> Iterator[None]:
    """The operating system itself refuses files of more than so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_takes_no_more_is_507(public: Path, writer: Client) -> None:
    ref = build_discussion(public)
    writer.get(url(ref))  # What is only loaded when it is asked for wants to write, too.
    before = snapshot(public)

    with tiny_disk(2_000):
        response = patch(writer, ref, "long " * 2_000)

    error = error_of(response)
    assert (response.status_code, error["code"], snapshot(public)) == (507, "storage", before)
    assert "Nothing was changed" in error["message"]
    assert not Revision.objects.exists()
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("name", ["chat_summary.json", "memories.json", "condensation_tracker.json"])
def test_a_disk_that_fills_up_half_way_leaves_every_layer_as_it_was(
    public: Path, writer: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    ref = build_discussion(public, chunks=4, summary_up_to=3, condensed_up_to=3)
    before, real = snapshot(public), floor.tempfile.mkstemp

    def fail(*args: Any, **options: Any) -> Any:
        if name in options["prefix"] and not full:
            full.append(name)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*args, **options)

    full: list[str] = []
    monkeypatch.setattr(floor.tempfile, "mkstemp", fail)
    response = writer.delete(url(ref, "chunks", 3), headers=ANY)

    assert (response.status_code, full, snapshot(public)) == (507, [name], before)


def test_a_full_disk_leaves_the_database_as_it_was(
    public: Path, writer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = build_discussion(public)
    before = snapshot(public)

    def fail(*args: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(vector_writes, "put_index_row", fail)
    response = writer.patch(url(ref, "vector-memories", 1), {"text": "x"}, JSON, headers=ANY)

    assert (response.status_code, error_of(response)["code"], snapshot(public)) == (507, "storage", before)
    assert not Revision.objects.exists()


def test_a_folder_without_the_right_to_write_is_403(
    public: Path, writer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = build_discussion(public)
    before = snapshot(public)

    def refuse(*args: Any, **options: Any) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(floor.tempfile, "mkstemp", refuse)
    response = patch(writer, ref)

    assert (response.status_code, error_of(response)["code"], snapshot(public)) == (403, "file-read-only", before)


def test_an_unreadable_element_is_kept_in_a_copy(public: Path, writer: Client) -> None:
    ref = build_discussion(public, chunks=2)
    path = public / "DiscussionIds/anna/memories.json"
    odd = path.read_text()[:-1] + ', "no object"]'
    path.write_text(odd)

    send(writer, "PATCH", url(ref, "chunks", 2), {"text": "New."})

    assert path.with_name("memories.json.damaged").read_text() == odd


@pytest.mark.parametrize(("number", "status"), [(errno.EROFS, 403), (errno.ENOSPC, 507)])
def test_a_disk_that_takes_not_even_a_lock_is_told_and_can_still_be_read(
    public: Path, writer: Client, monkeypatch: pytest.MonkeyPatch, number: int, status: int
) -> None:
    ref = build_discussion(public)
    writer.patch(url(ref, "chunks", 1), {"text": "makes the lock file"}, JSON, headers=ANY)

    def refuse(*args: Any, **options: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(floor.filelock.FileLock, "acquire", refuse)

    assert patch(writer, ref).status_code == status
    assert writer.get(url(ref, "history")).status_code == 200
