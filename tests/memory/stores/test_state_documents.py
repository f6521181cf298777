"""The state document: its backup, its encryption, and what is never overwritten (W25)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.engine.hashing import hash_api_key
from memory.errors import DiscussionLockedError
from memory.stores.encryption import derive_fernet_key, encrypt, find_decrypted
from memory.types import FileState
from tests.memory.stores.folders import a_ref, open_files, write_file, write_user
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.files import FileChangedError

KEY = "a-key"
FERNET_KEY = derive_fernet_key(KEY, "recall")
HOME = f"{hash_api_key(KEY)}/talk-1"
KEYED = a_ref("talk-1", hash_api_key(KEY))


def test_the_version_before_goes_into_the_backup(tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1/state_document.md", "# Mira\r\nold é")
    files = open_files(tmp_path)

    files.write_state_document("# Mira\nnew")

    assert files.read_state_document().text == "# Mira\nnew"
    assert files.read_state_document_backup().text == "# Mira\r\nold é"
    assert path.read_bytes() == b"# Mira\nnew"


def test_an_unexpected_version_changes_neither_document_nor_backup(tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1/state_document.md", "old")
    backup = write_file(tmp_path, "talk-1/state_document.md.bak", "older")

    with pytest.raises(FileChangedError):
        open_files(tmp_path).write_state_document("new", expected_etag="other")

    assert (path.read_text(), backup.read_text()) == ("old", "older")


@pytest.mark.parametrize("name", ["state_document.md", "state_document.md.bak"])
def test_tokens_of_another_key_are_never_overwritten(name: str, tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/state_document.md", "old")
    path = write_file(tmp_path, f"talk-1/{name}", encrypt(b"secret", FERNET_KEY))
    before = path.read_bytes()

    with pytest.raises(DiscussionLockedError):
        open_files(tmp_path).write_state_document("new")

    assert path.read_bytes() == before


def test_the_backup_of_a_plain_document_is_encrypted_too(tmp_path: Path) -> None:
    write_user(tmp_path, "recall", encryptUsingApiKey=True)
    path = write_file(tmp_path, f"{HOME}/state_document.md", "old")
    files = open_files(tmp_path, KEYED, api_key=KEY, user_names=["recall"])

    files.write_state_document("new")

    assert find_decrypted(path.read_bytes(), FERNET_KEY) == b"new"
    assert find_decrypted(path.with_name("state_document.md.bak").read_bytes(), FERNET_KEY) == b"old"


def test_an_encrypted_document_is_copied_as_it_is(tmp_path: Path) -> None:
    token = encrypt(b"old", FERNET_KEY)
    path = write_file(tmp_path, f"{HOME}/state_document.md", token)
    files = open_files(tmp_path, KEYED, api_key=KEY, user_names=["recall"])

    files.write_state_document("new")

    assert path.with_name("state_document.md.bak").read_bytes() == token
    assert files.read_state_document().text == "new"


def test_a_blank_document_is_empty(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/state_document.md", " \n")

    found = open_files(tmp_path).read_state_document()

    assert (found.report.state, found.text) == (FileState.EMPTY, " \n")


def test_text_that_is_no_unicode_is_refused(tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1/state_document.md", "old")

    with pytest.raises(InvalidError, match="character 1"):
        open_files(tmp_path).write_state_document("a\ud800")

    assert path.read_text() == "old"
