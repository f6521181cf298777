"""Keys, tokens, and files read and written with and without a key (memory.md §5)."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from memory.engine.hashing import hash_api_key
from memory.stores.contents import Access
from memory.stores.encryption import (
    FileKeys,
    derive_fernet_key,
    find_bearer_key,
    find_decrypted,
    find_key_for_new_files,
    is_token,
)
from memory.stores.layouts import Place
from memory.stores.ledger import read_list_file, write_list_file
from memory.stores.state_documents import read_text_file
from memory.stores.user_settings import parse_user_settings
from memory.types import Artefact, Entry, FileState, Generation
from tests.conformance.vectors import cases

CLOSED = {FileState.DAMAGED, FileState.LOCKED}


def a_place(tmp_path: Path, given: dict[str, Any], artefact: Artefact = Artefact.MEMORIES) -> Place:
    path = tmp_path / "memories.json"
    if "file_base64" in given:
        path.write_bytes(base64.b64decode(given["file_base64"]))
    return Place(artefact, path, Generation.NESTED, tmp_path)


def an_access(given: dict[str, Any]) -> Access:
    key = given["fernet_key"]
    keys = FileKeys.of(key.encode()) if key else FileKeys()
    return Access(limit_bytes=1_000_000, keys=keys, new_key=key.encode() if key else None)


def to_entries(objects: list[dict[str, str]]) -> tuple[Entry, ...]:
    return tuple(Entry(item["text_block"], item["hash"]) for item in objects)


@pytest.mark.parametrize("case", cases("memory", "encryption", "key"))
def test_key(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]

    assert derive_fernet_key(given["api_key"], given["username"]).decode() == expected["fernet_key"]
    assert hash_api_key(given["api_key"]) == expected["folder"]


@pytest.mark.parametrize("case", cases("memory", "encryption", "token"))
def test_token(case: dict[str, Any]) -> None:
    token = case["input"]["token"].encode()

    assert is_token(token)
    assert find_decrypted(token, case["input"]["fernet_key"].encode()) == case["expected"]["text"].encode()


@pytest.mark.parametrize("case", cases("memory", "encryption", "read"))
def test_read(case: dict[str, Any], tmp_path: Path) -> None:
    place = a_place(tmp_path, case["input"])
    before = place.path.read_bytes()

    found = read_list_file(place, an_access(case["input"]))

    assert place.path.read_bytes() == before
    if case.get("weakness"):
        check_improved(case, found.report.state, found.entries, found.skipped)
    elif "raises" in case["expected"]:
        assert found.report.state in CLOSED
        assert found.report.problem
    else:
        assert found.entries == to_entries(case["expected"]["entries"])


def check_improved(
    case: dict[str, Any], state: FileState, entries: tuple[Entry, ...], skipped: tuple[str, ...]
) -> None:
    """W26: the mark is skipped. W07: blank is empty, odd elements are left out, other things are damage."""
    data = base64.b64decode(case["input"]["file_base64"])
    if case["weakness"] == "W26":
        assert entries == to_entries(json.loads(data.decode("utf-8-sig")))
    elif not data.strip():
        assert state is FileState.EMPTY
    elif state is not FileState.DAMAGED:
        usable = [
            item for item in json.loads(data) if isinstance(item, dict) and isinstance(item.get("text_block"), str)
        ]
        assert [entry.text for entry in entries] == [item["text_block"] for item in usable]
        assert len(entries) + len(skipped) == len(json.loads(data))


@pytest.mark.parametrize("case", [*cases("memory", "encryption", "write"), *cases("memory", "encryption", "append")])
def test_write_and_append(case: dict[str, Any], tmp_path: Path) -> None:
    place, access = a_place(tmp_path, case["input"]), an_access(case["input"])

    before = read_list_file(place, access).entries
    write_list_file(place, access, [*before, *to_entries(case["input"]["entries"])])

    data = place.path.read_bytes()
    assert is_token(data) is case["expected"]["is_token"]
    plain = find_decrypted(data, access.new_key) if access.new_key else data
    assert plain == case["expected"]["text"].encode()


@pytest.mark.parametrize("case", cases("memory", "encryption", "text"))
def test_text(case: dict[str, Any], tmp_path: Path) -> None:
    place = a_place(tmp_path, case["input"], Artefact.STATE_DOCUMENT)

    found = read_text_file(place, an_access(case["input"]))

    if case.get("weakness") == "W25":
        assert (found.report.state, found.text) == (FileState.LOCKED, "")
    elif "raises" in case["expected"]:
        assert found.report.state in CLOSED
    else:
        assert found.text == case["expected"]["text"]


@pytest.mark.parametrize("case", cases("memory", "encryption", "header"))
def test_header(case: dict[str, Any]) -> None:
    assert find_bearer_key(case["input"]["authorization"]) == case["expected"]["api_key"]


@pytest.mark.parametrize("case", cases("memory", "encryption", "settings"))
def test_settings(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    user = parse_user_settings(given["username"], given["user_config"])

    key = find_key_for_new_files(given["api_key"], user.name, is_on=user.encrypt_using_api_key)

    assert (key.decode() if key else None) == expected["fernet_key"]
    assert (hash_api_key(given["api_key"]) if given["api_key"] else None) == expected["folder"]
