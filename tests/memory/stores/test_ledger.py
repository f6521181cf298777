"""List files: forms that are kept, and what a rewrite must not lose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory.errors import DiscussionLockedError
from memory.stores.encryption import derive_fernet_key, encrypt
from memory.types import Entry
from tests.memory.stores.folders import entries, open_files, write_file
from wilmer_site.lib.files import FileChangedError, etag_of

NEW = [Entry("zażółć", "h1"), Entry("b", "h2")]
LINES = '{"text_block": "za\\u017c\\u00f3\\u0142\\u0107", "hash": "h1"}\n{"text_block": "b", "hash": "h2"}\n'


@pytest.mark.parametrize(
    ("before", "is_lines"),
    [
        ('{"text_block": "a", "hash": "1"}', True),
        ('\ufeff{"text_block": "a", "hash": "1"}\r\n', True),
        ('[{"text_block": "a", "hash": "1"}]', False),
        ('[]\n{"text_block": "a", "hash": "1"}\n', False),
        ("[]", False),
        ("", False),
    ],
)
def test_jsonl_files_keep_their_form(before: str, is_lines: bool, tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1_memories.jsonl", before)

    open_files(tmp_path).write_memories(NEW)

    array = json.dumps([json.loads(line) for line in LINES.splitlines()], indent=4)
    assert path.read_text() == (LINES if is_lines else array)


def test_the_mode_of_a_file_is_kept_and_a_new_one_is_private(tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1/memories.json", entries("a"))
    path.chmod(0o640)
    files = open_files(tmp_path)

    files.write_memories(NEW)
    files.write_summary(NEW[:1])

    assert path.stat().st_mode & 0o777 == 0o640
    assert (path.parent / "chat_summary.json").stat().st_mode & 0o777 == 0o600


def test_elements_that_were_left_out_are_kept_in_a_copy(tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1/memories.json", ["loose", *entries("a")])
    before = path.read_bytes()
    files = open_files(tmp_path)

    files.write_memories(NEW)
    path.write_bytes(before)
    files.write_memories(NEW)
    path.write_text('["another"]')
    files.write_memories(NEW)

    assert path.with_name("memories.json.damaged").read_bytes() == before
    assert path.with_name("memories.json.damaged2").read_text() == '["another"]'
    assert len(list(path.parent.iterdir())) == 3


def test_a_whole_file_gets_no_copy(tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1/memories.json", entries("a"))

    open_files(tmp_path).write_memories(NEW)

    assert [entry.name for entry in path.parent.iterdir()] == ["memories.json"]


def test_another_version_than_expected_is_not_replaced(tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1/memories.json", entries("a"))
    files = open_files(tmp_path)
    seen = files.read_memories().report.etag
    path.write_text("[]")

    with pytest.raises(FileChangedError) as caught:
        files.write_memories(NEW, expected_etag=seen)

    assert caught.value.extra == {"expected": seen, "found": etag_of(b"[]")}
    assert path.read_text() == "[]"


def test_a_write_returns_the_new_version(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json", entries("a"))
    files = open_files(tmp_path)

    etag = files.write_memories(NEW, expected_etag=files.read_memories().report.etag)

    assert etag == files.read_memories().report.etag
    assert files.read_memories().entries == tuple(NEW)


def test_an_absent_file_is_created_only_if_that_was_expected(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json", entries("a"))
    files = open_files(tmp_path)

    files.write_summary(NEW[:1], expected_etag="")

    with pytest.raises(FileChangedError):
        files.write_summary(NEW[:1], expected_etag="")


def test_an_encrypted_file_stays_encrypted_with_the_same_key(tmp_path: Path) -> None:
    key = derive_fernet_key("a-key", "Recall")
    token = encrypt(json.dumps(entries("a")).encode(), key)
    path = write_file(tmp_path, "talk-1/memories.json", token)
    files = open_files(tmp_path, api_key="a-key", user_names=["recall", "Recall"])

    files.write_memories([*files.read_memories().entries, *NEW])

    assert path.read_bytes().startswith(b"gAAAAA")
    assert len(open_files(tmp_path, api_key="a-key", user_names=["Recall"]).read_memories().entries) == 3
    with pytest.raises(DiscussionLockedError):
        open_files(tmp_path, api_key="a-key", user_names=["recall"]).write_memories([])
