"""Reading and writing the files of one discussion."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from memory.engine.hashing import hash_api_key
from memory.errors import DamagedFileError, DiscussionLockedError
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.encryption import derive_fernet_key, encrypt, is_token
from memory.types import Artefact, Entry, FileState
from tests.memory.stores.folders import (
    LIMIT_BYTES,
    a_ref,
    entries,
    list_tree,
    open_files,
    public_folder,
    write_file,
    write_user,
)
from wilmer_site.lib.files import DiscussionBusyError, FileChangedError

KEY = "a-key"
KEY_HASH = hash_api_key(KEY)
KEYED = a_ref("talk-1", KEY_HASH)


def test_every_artefact_is_reported_in_order(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json", entries("a"))

    reports = open_files(tmp_path).reports()

    assert [report.artefact for report in reports] == list(Artefact)
    assert [report.state for report in reports] == [FileState.PRESENT, *[FileState.ABSENT] * 9]


def test_every_list_and_object_is_written_and_read(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json")
    files, some = open_files(tmp_path), [Entry("a", "1")]

    files.write_summary(some)
    files.write_compactor_old(some)
    files.write_compactor_oldest(some)
    files.write_condensation_tracker("abc")
    files.write_timestamps({"h": "(Sunday, 2026-03-01 08:30:00)"})
    files.write_vision_responses({"h": "a picture"})

    lists = (files.read_summary(), files.read_compactor_old(), files.read_compactor_oldest())
    assert [list(found.entries) for found in lists] == [some] * 3
    assert files.read_condensation_tracker().values == {"lastCondensationHash": "abc"}
    assert files.read_timestamps().values == {"h": "(Sunday, 2026-03-01 08:30:00)"}
    assert files.read_vision_responses().values == {"h": "a picture"}


@pytest.mark.parametrize("content", ["[]", "3", "null", '"x"', "{", '{"a": 1} {}'])
def test_an_object_file_must_hold_one_object(content: str, tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1/timestamps.json", content)
    files = open_files(tmp_path)

    assert files.read_timestamps().report.state is FileState.DAMAGED
    with pytest.raises(DamagedFileError):
        files.write_timestamps({})
    assert path.read_text() == content


def test_an_empty_object_is_empty(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/timestamps.json", "{}")

    assert open_files(tmp_path).read_timestamps().report.state is FileState.EMPTY


def test_version_changes_with_every_file(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json")
    files = open_files(tmp_path)
    seen = {files.version(), files.version()}

    write_file(tmp_path, "talk-1/memories.json", entries("a"))
    seen.add(files.version())
    write_file(tmp_path, "talk-1/vector_memory.db", b"x")
    seen.add(files.version())

    assert len(seen) == 3


def test_raw_bytes_are_those_on_disk_cut_at_the_limit(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json", b"[\xff broken")
    files = open_files(tmp_path, limit_bytes=4)

    assert files.raw_bytes(Artefact.MEMORIES) == b"[\xff b"
    assert files.raw_bytes(Artefact.SUMMARY) == b""


def test_the_lock_lies_in_our_own_folder_and_only_writes_make_it(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json")
    files = open_files(tmp_path)
    files.reports()
    assert not (tmp_path / "DiscussionIds/.wilmer-console").exists()

    files.write_memories([])

    locks = [name for name in list_tree(tmp_path) if name.endswith(".lock")]
    assert len(locks) <= 1
    assert (tmp_path / "DiscussionIds/.wilmer-console/locks").is_dir()


def test_a_discussion_that_somebody_writes_is_busy(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json")
    write_file(tmp_path, "talk-2/memories.json")
    first, second = open_files(tmp_path), open_files(tmp_path)

    with first.lock(1):
        with pytest.raises(DiscussionBusyError), second.lock(0.05):
            pass
        first.write_memories([Entry("a", "1")])
        open_files(tmp_path, a_ref("talk-2")).write_memories([])
    with second.lock(1):
        assert len(second.read_memories().entries) == 1


def test_writers_that_hold_the_lock_lose_nothing(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json")

    def append(name: str) -> None:
        files = open_files(tmp_path)
        for number in range(5):
            with files.lock(30):
                files.write_memories([*files.read_memories().entries, Entry(f"{name}{number}", "h")])

    threads = [threading.Thread(target=append, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({entry.text for entry in open_files(tmp_path).read_memories().entries}) == 15


def test_deleting_and_putting_back(tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1/memories.json", entries("a"))
    files = open_files(tmp_path)
    before, etag = path.read_bytes(), files.report(Artefact.MEMORIES).etag

    with pytest.raises(FileChangedError):
        files.delete_file(Artefact.MEMORIES, expected_etag="other")
    files.delete_file(Artefact.MEMORIES, expected_etag=etag)
    files.delete_file(Artefact.MEMORIES)

    assert files.read_memories().report.state is FileState.ABSENT
    assert files.restore_bytes(Artefact.MEMORIES, before, expected_etag="") == etag
    assert path.read_bytes() == before


@pytest.mark.parametrize(("is_on", "is_encrypted"), [(True, True), (False, False)])
def test_new_files_follow_the_current_users_setting(is_on: bool, is_encrypted: bool, tmp_path: Path) -> None:
    write_user(tmp_path, "Recall", encryptUsingApiKey=is_on)
    path = write_file(tmp_path, f"{KEY_HASH}/talk-1/memories.json", entries("a"))
    files = open_files(tmp_path, KEYED, api_key=KEY, user_names=["Recall"])

    files.write_memories([])

    assert is_token(path.read_bytes()) is is_encrypted
    assert files.read_memories().report.is_encrypted is is_encrypted


def test_a_key_of_another_discussion_encrypts_nothing(tmp_path: Path) -> None:
    write_user(tmp_path, "recall", encryptUsingApiKey=True)
    path = write_file(tmp_path, "talk-1/memories.json", entries("a"))

    open_files(tmp_path, api_key=KEY, user_names=["recall"]).write_memories([])

    assert path.read_text() == "[]"


@pytest.mark.parametrize("user", [None, "nobody"])
def test_without_usable_settings_new_files_are_plain(user: str | None, tmp_path: Path) -> None:
    if user:
        write_user(tmp_path, user)
        (tmp_path / "Configs/Users/nobody.json").write_text("{")
    path = write_file(tmp_path, f"{KEY_HASH}/talk-1/memories.json")

    open_files(tmp_path, KEYED, api_key=KEY).write_memories([])

    assert path.read_text() == "[]"


def test_new_files_are_encrypted_as_their_neighbours_are(tmp_path: Path) -> None:
    token = encrypt(json.dumps(entries("a")).encode(), derive_fernet_key(KEY, None))
    path = write_file(tmp_path, f"{KEY_HASH}/talk-1/memories.json", token)
    files = open_files(tmp_path, KEYED, api_key=KEY, user_names=["recall"])

    files.write_summary([Entry("s", "hash-a")])

    assert is_token(path.with_name("chat_summary.json").read_bytes())
    assert files.read_summary().entries == (Entry("s", "hash-a"),)


def test_no_plain_file_appears_among_locked_ones(tmp_path: Path) -> None:
    token = encrypt(b"[]", derive_fernet_key("another key", "recall"))
    path = write_file(tmp_path, f"{KEY_HASH}/talk-1/memories.json", token)
    files = open_files(tmp_path, KEYED)

    with pytest.raises(DiscussionLockedError):
        files.write_summary([])

    assert not path.with_name("chat_summary.json").exists()


def test_a_token_of_damaged_json_is_damage_not_a_lock(tmp_path: Path) -> None:
    key = derive_fernet_key(KEY, "recall")
    write_file(tmp_path, f"{KEY_HASH}/talk-1/memories.json", encrypt(b"[{", key))

    report = open_files(tmp_path, KEYED, api_key=KEY, user_names=["recall"]).report(Artefact.MEMORIES)

    assert (report.state, report.is_encrypted) == (FileState.DAMAGED, True)


def test_opening_an_encrypted_discussion_twice_derives_once(tmp_path: Path) -> None:
    token = encrypt(b"[]", derive_fernet_key(KEY, "recall"))
    write_file(tmp_path, f"{KEY_HASH}/talk-1/memories.json", token)
    folders = DiscussionFolders(public_folder(tmp_path))
    before = derive_fernet_key.cache_info().misses

    for _ in range(2):
        files = folders.open(KEYED, api_key=KEY, user_names=["recall"], limit_bytes=LIMIT_BYTES)
        assert files.read_memories().report.state is FileState.EMPTY

    assert derive_fernet_key.cache_info().misses == before
