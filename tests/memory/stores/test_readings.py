from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memory.stores import readings
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.stores.readings import Readings, recall_list, recall_report
from memory.types import Artefact, DiscussionRef
from tests.builders import API_KEY, USER, build_discussion, build_entry, build_public_folder, write_entries

LIMIT = 1_000_000


@pytest.fixture
def public(tmp_path: Path) -> Path:
    return build_public_folder(tmp_path)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Readings:
    known = Readings()
    monkeypatch.setattr(readings, "_readings", known)
    return known


def open_files(public: Path, ref: DiscussionRef) -> DiscussionFiles:
    folder = PublicFolder(public, public / "Configs", public / "DiscussionIds")
    key = API_KEY if ref.key_hash else None
    return DiscussionFolders(folder).open(ref, api_key=key, user_names=(USER,), limit_bytes=LIMIT)


def settle(path: Path) -> None:
    """Give a file the time of an hour ago."""
    then = time.time() - 3600
    os.utime(path, (then, then))


def test_a_settled_file_is_parsed_once(public: Path) -> None:
    files = open_files(public, build_discussion(public, chunks=3))
    settle(files.place(Artefact.MEMORIES).path)

    first = recall_list(files, Artefact.MEMORIES)

    assert recall_list(files, Artefact.MEMORIES) is first
    assert recall_report(files, Artefact.MEMORIES) is first.report
    assert len(first.entries) == 3


def test_a_changed_file_is_parsed_again(public: Path) -> None:
    files = open_files(public, build_discussion(public, chunks=3))
    path = files.place(Artefact.MEMORIES).path
    settle(path)
    recall_list(files, Artefact.MEMORIES)

    write_entries(path, [build_entry(1)])

    assert len(recall_list(files, Artefact.MEMORIES).entries) == 1
    path.unlink()
    assert recall_list(files, Artefact.MEMORIES).entries == ()


def test_a_file_that_was_just_written_is_not_trusted_by_its_time(public: Path) -> None:
    files = open_files(public, build_discussion(public, chunks=3))

    first = recall_list(files, Artefact.MEMORIES)

    assert recall_list(files, Artefact.MEMORIES) is not first


def test_what_a_key_opened_is_not_kept(public: Path) -> None:
    files = open_files(public, build_discussion(public, api_key=API_KEY, encrypted=True))
    settle(files.place(Artefact.MEMORIES).path)

    first = recall_list(files, Artefact.MEMORIES)

    assert first.entries
    assert recall_list(files, Artefact.MEMORIES) is not first


def test_only_so_many_bytes_are_kept(public: Path) -> None:
    anna, ben = (open_files(public, build_discussion(public, name, chunks=3)) for name in ("anna", "ben"))
    for files in (anna, ben):
        settle(files.place(Artefact.MEMORIES).path)
    size = anna.place(Artefact.MEMORIES).path.stat().st_size
    known = Readings(budget_bytes=size + size // 2)

    first = known.recall(anna, Artefact.MEMORIES, anna.read_memories)
    second = known.recall(ben, Artefact.MEMORIES, ben.read_memories)

    assert known.recall(ben, Artefact.MEMORIES, ben.read_memories) is second
    assert known.recall(anna, Artefact.MEMORIES, anna.read_memories) is not first
