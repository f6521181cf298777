"""Moving discussions to another key, or to plain text."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.engine.hashing import hash_api_key
from memory.errors import DiscussionNotFoundError
from memory.stores.encryption import derive_fernet_key, encrypt, is_token
from memory.stores.key_change import KeyChange, change_key
from memory.types import ApiKey, Entry
from tests.memory.stores.folders import LIMIT_BYTES, a_ref, open_files, public_folder, write_file
from wilmer_site.lib.errors import ConflictError

OLD, NEW = ApiKey("old-key"), ApiKey("new-key")
TO_NEW, TO_PLAIN = KeyChange(OLD, NEW, "recall"), KeyChange(OLD, None, "recall")
CONTENT = b'[{"text_block": "a", "hash": "1"}]'


def fill(root: Path, api_key: ApiKey = OLD) -> Path:
    home = f"{hash_api_key(api_key)}/talk-1"
    key = derive_fernet_key(api_key, "recall")
    write_file(root, f"{home}/memories.json", encrypt(CONTENT, key))
    write_file(root, f"{home}/state_document.md", encrypt(b"now", key))
    write_file(root, f"{home}/state_document.md.bak", encrypt(b"before", key))
    write_file(root, f"{home}/vector_memory.db", b"SQLite")
    return root / "DiscussionIds" / home


def test_every_file_opens_with_the_new_key(tmp_path: Path) -> None:
    home = fill(tmp_path)
    write_file(tmp_path, f"{hash_api_key(OLD)}/talk-1/timestamps.json", "{}")

    report = change_key(public_folder(tmp_path), TO_NEW, limit_bytes=LIMIT_BYTES)

    files = open_files(tmp_path, a_ref("talk-1", hash_api_key(NEW)), api_key=NEW, user_names=["recall"])
    assert files.read_memories().entries == (Entry("a", "1"),)
    assert files.read_state_document_backup().text == "before"
    assert files.read_timestamps().report.is_encrypted
    assert (len(report.changed), report.skipped) == (4, ())
    assert not home.parent.exists()
    assert files.vector_path().read_bytes() == b"SQLite"


def test_without_a_new_key_files_become_plain_in_place(tmp_path: Path) -> None:
    home = fill(tmp_path)

    report = change_key(public_folder(tmp_path), TO_PLAIN, limit_bytes=LIMIT_BYTES)

    assert report.folder == home.parent
    assert (home / "memories.json").read_bytes() == CONTENT
    assert (home / "state_document.md").read_bytes() == b"now"


def test_files_of_other_keys_and_damaged_ones_are_left_alone(tmp_path: Path) -> None:
    home = fill(tmp_path)
    foreign = encrypt(b"[]", derive_fernet_key("third-key", "recall"))
    (home / "timestamps.json").write_bytes(foreign)
    (home / "chat_summary.json").write_bytes(b"{")

    report = change_key(public_folder(tmp_path), TO_NEW, limit_bytes=LIMIT_BYTES)

    assert sorted(path.name for path in report.skipped) == ["chat_summary.json", "timestamps.json"]
    assert (report.folder / "talk-1/timestamps.json").read_bytes() == foreign
    assert (report.folder / "talk-1/chat_summary.json").read_bytes() == b"{"


def test_a_change_that_was_cut_short_is_finished_by_asking_again(tmp_path: Path) -> None:
    home = fill(tmp_path)
    done = encrypt(CONTENT, derive_fernet_key(NEW, "recall"))
    (home / "memories.json").write_bytes(done)

    report = change_key(public_folder(tmp_path), TO_NEW, limit_bytes=LIMIT_BYTES)

    assert (report.folder / "talk-1/memories.json").read_bytes() == done
    assert is_token((report.folder / "talk-1/state_document.md").read_bytes())
    assert report.skipped == ()


def test_a_key_that_has_discussions_already_is_refused(tmp_path: Path) -> None:
    home = fill(tmp_path)
    before = (home / "memories.json").read_bytes()
    fill(tmp_path, NEW)

    with pytest.raises(ConflictError, match="already holds"):
        change_key(public_folder(tmp_path), TO_NEW, limit_bytes=LIMIT_BYTES)

    assert (home / "memories.json").read_bytes() == before


def test_a_key_without_discussions_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(DiscussionNotFoundError):
        change_key(public_folder(tmp_path), TO_NEW, limit_bytes=LIMIT_BYTES)
