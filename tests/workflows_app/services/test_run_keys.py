"""Runs on encrypted discussions get the keys of the person who started them, in memory alone."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from memory.engine.hashing import hash_api_key
from memory.types import ApiKey, DiscussionId, DiscussionRef
from tests.builders import build_discussion
from tests.workflows_app.builders import USER, write
from tests.workflows_app.runs import note_run
from workflows_app.queries.runs import get_run
from workflows_app.results import RunState
from workflows_app.run_results import RunDetail
from workflows_app.services import run_keys
from workflows_app.services.execution import execute_run
from workflows_app.services.run_keys import lend_keys, take_keys

KEY = ApiKey("sk-her-own-key")
REF = DiscussionRef(DiscussionId("diary"), hash_api_key(KEY))
READ = {"type": "GetCurrentMemoryFromFile"}
WRITE = {"type": "WriteCurrentSummaryToFileAndReturnIt", "input": "They kept a diary."}


@pytest.fixture
def locked(opened: Path) -> Path:
    """A folder with one encrypted discussion."""
    write(opened / "Configs/Users/ann.json", {**USER, "encryptUsingApiKey": True})
    write(opened / "Configs/Users/_current-user.json", {"currentUser": "ann"})
    build_discussion(opened, REF.discussion_id, api_key=KEY, encrypted=True, user="ann")
    return opened


def run(public: Path, *nodes: dict[str, Any], key: str | None = KEY, **values: Any) -> RunDetail:
    run_id = note_run(public, *nodes, discussion=REF.text, **values)
    if key:
        lend_keys(run_id, {REF.key_hash or "": ApiKey(key)})  # type: ignore[dict-item]
    execute_run(run_id)
    return get_run(run_id)


def test_run_reads_an_encrypted_discussion_with_its_key(locked: Path) -> None:
    found = run(locked, READ)

    assert (found.card.state, found.card.error) == (RunState.FINISHED, "")
    assert "There are not yet any memories" not in found.answer


@pytest.mark.parametrize("is_sandbox", [True, False])
def test_what_a_run_writes_is_encrypted(locked: Path, tmp_path: Path, is_sandbox: bool) -> None:
    assert run(locked, WRITE, is_sandbox=is_sandbox).card.state is RunState.FINISHED

    written = [path.read_bytes() for path in tmp_path.rglob("chat_summary.json")]
    assert written
    assert not any(b"kept a diary" in data for data in written)


@pytest.mark.parametrize(("key", "words"), [(None, "does not have its key"), ("sk-wrong", "does not open its files")])
def test_run_without_the_right_key_says_so_and_runs_nothing(locked: Path, key: str | None, words: str) -> None:
    found = run(locked, WRITE, key=key)

    assert (found.card.state, found.card.error_code, found.nodes) == (RunState.FAILED, "discussion-locked", ())
    assert words in found.card.error


def test_keys_are_in_no_file(locked: Path, tmp_path: Path, settings: Any, db: None) -> None:
    from django.db import connection

    run(locked, READ)
    dump = "\n".join(connection.connection.iterdump()) if isinstance(connection.connection, sqlite3.Connection) else ""
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]

    assert KEY not in dump
    assert not any(KEY.encode() in data for data in files)


def test_keys_are_given_once_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    lend_keys(1, {hash_api_key(KEY): KEY})
    assert (dict(take_keys(1)), dict(take_keys(1))) == ({hash_api_key(KEY): KEY}, {})

    lend_keys(1, {hash_api_key(KEY): KEY})
    monkeypatch.setattr(run_keys, "KEEP_SECONDS", -1)
    lend_keys(2, {})
    assert dict(take_keys(1)) == {}


def test_deleted_discussion_needs_no_key(locked: Path) -> None:
    shutil.rmtree(locked / "DiscussionIds")

    assert run(locked, READ, key=None).card.state is RunState.FINISHED
