"""Public folders written by hand: every layout, plain and encrypted, whole and broken.

Nothing here uses the product's own writers, so that a test of the readers does not lean on them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet

from memory.types import ApiKey, DiscussionId, DiscussionRef, Generation, KeyHash

USER = "recall"
API_KEY = ApiKey("a-key-of-the-tests")
MODEL = "test-embedder"

SCHEMA = """
CREATE TABLE memories (
    id INTEGER PRIMARY KEY, discussion_id TEXT NOT NULL, memory_text TEXT NOT NULL,
    date_added TEXT NOT NULL, metadata_json TEXT);
CREATE VIRTUAL TABLE memories_fts USING fts5(
    title, summary, entities, key_phrases, memory_text_unweighted, tokenize='porter');
CREATE TABLE vector_memory_hash_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT, discussion_id TEXT NOT NULL,
    message_hash TEXT NOT NULL, timestamp DATETIME NOT NULL);
CREATE TABLE memory_embeddings (
    memory_id INTEGER NOT NULL, model TEXT NOT NULL, dim INTEGER NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (memory_id, model));
"""
"""The tables of a vector database, as of 2026 (memory.md §6)."""

_JSON_NAMES = {
    Generation.NESTED: ("{id}/memories.json", "{id}/chat_summary.json", "{id}/{name}.json"),
    Generation.GUIDE_NESTED: ("{id}/{id}_memories.jsonl", "{id}/{id}_summary.jsonl", "{id}/{name}.json"),
    Generation.FLAT: ("{id}_memories.json", "{id}_chat_summary.json", "{id}_{name}.json"),
    Generation.GUIDE_FLAT: ("{id}_memories.jsonl", "{id}_summary.jsonl", "{id}_{name}.json"),
}
_DATABASE_NAMES = {
    Generation.NESTED: "{id}/vector_memory.db",
    Generation.GUIDE_NESTED: "{id}/{id}_vector_memory.db",
    Generation.FLAT: "{id}_vector_memory.db",
    Generation.GUIDE_FLAT: "{id}_vector_memory.db",
}


def build_public_folder(tmp_path: Path, *, user: str = USER, **user_settings: Any) -> Path:
    """A public folder with one user, who is the current one, and no discussion."""
    public = tmp_path / "Public"
    (public / "DiscussionIds").mkdir(parents=True)
    users = public / "Configs" / "Users"
    users.mkdir(parents=True)
    write_json(users / "_current-user.json", {"currentUser": user})
    write_json(users / f"{user}.json", {"currentWorkflow": user, **user_settings})
    return public


def open_public_folder(settings: Any, public: Path) -> None:
    """Point the settings of a test at a public folder."""
    settings.WILMER_PUBLIC_DIR = public
    settings.WILMER_CONFIG_DIR = public / "Configs"
    settings.WILMER_DISCUSSIONS_DIR_SETTING = None
    settings.WILMER_DISCUSSIONS_DIR = public / "DiscussionIds"
    settings.WILMER_USER = ""


def build_discussion(
    public: Path,
    discussion_id: str = "anna",
    *,
    layout: Generation = Generation.NESTED,
    api_key: ApiKey | None = None,
    encrypted: bool = False,
    chunks: int = 3,
    summary_up_to: int | None = 2,
    condensed_up_to: int | None = None,
    memories: int | None = 2,
    state_document: str | None = "# People\n\nAnna lives in Brno.",
    user: str = USER,
) -> DiscussionRef:
    """A discussion with so many chunks and memories; what is None is not written."""
    base = base_folder(public, api_key)
    token = _fernet(api_key, user) if encrypted and api_key else None
    ledger, summary, other = (name.replace("{id}", discussion_id) for name in _JSON_NAMES[layout])
    write_entries(base / ledger, [build_entry(number) for number in range(1, chunks + 1)], token=token)
    if summary_up_to is not None:
        entry = {"text_block": "The story so far.", "hash": hash_of(f"message {summary_up_to}")}
        write_entries(base / summary, [entry], token=token)
    if condensed_up_to is not None:
        tracker = {"lastCondensationHash": hash_of(f"message {condensed_up_to}")}
        write_json(base / other.replace("{name}", "condensation_tracker"), tracker, token=token)
    if state_document is not None:
        _write(base / discussion_id / "state_document.md", state_document.encode(), token)
    if memories is not None:
        build_vector_database(
            base / _DATABASE_NAMES[layout].replace("{id}", discussion_id), discussion_id, memories=memories
        )
    return build_ref(discussion_id, api_key)


def build_ref(discussion_id: str, api_key: ApiKey | None = None) -> DiscussionRef:
    """The name of a discussion kept with or without a key."""
    return DiscussionRef(DiscussionId(discussion_id), key_hash_of(api_key) if api_key else None)


def build_entry(number: int) -> dict[str, str]:
    """A ledger entry as it is on disk: chunk `number`, ending with `message number`."""
    return {"text_block": f"Chunk {number}: Anna talked about her garden.", "hash": hash_of(f"message {number}")}


def build_vector_database(
    path: Path, discussion_id: str, *, memories: int = 2, embeddings: bool = True, log: Sequence[str] = ("message 1",)
) -> Path:
    """A vector database as WilmerAI makes it today."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(SCHEMA)
        for number in range(1, memories + 1):
            _insert_memory(connection, discussion_id, number, embeddings=embeddings)
        connection.executemany(
            "INSERT INTO vector_memory_hash_log (discussion_id, message_hash, timestamp) VALUES (?, ?, ?)",
            [(discussion_id, hash_of(message), "2026-01-01T10:00:00+00:00") for message in log],
        )
    return path


def base_folder(public: Path, api_key: ApiKey | None = None) -> Path:
    """Where the discussions of one key, or of none, lie."""
    root = public / "DiscussionIds"
    return root / key_hash_of(api_key) if api_key else root


def hash_of(content: str) -> str:
    """The identity of a message with that content."""
    return hashlib.sha256(content.encode()).hexdigest()


def key_hash_of(api_key: ApiKey) -> KeyHash:
    """The name of the folder that a key's discussions lie in."""
    return KeyHash(hash_of(api_key)[:16])


def write_entries(path: Path, entries: list[dict[str, str]], *, token: Fernet | None = None) -> None:
    """A list file: JSON lines if the name says so, else as WilmerAI writes it."""
    if path.suffix == ".jsonl":
        _write(path, "".join(json.dumps(entry) + "\n" for entry in entries).encode(), token)
    else:
        write_json(path, entries, token=token)


def write_json(path: Path, value: object, *, token: Fernet | None = None) -> None:
    """A JSON file as WilmerAI writes it."""
    _write(path, json.dumps(value, indent=4).encode(), token)


def _write(path: Path, data: bytes, token: Fernet | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(token.encrypt(data) if token else data)
    path.chmod(0o600)


def _fernet(api_key: str, user: str) -> Fernet:
    salt = f"WilmerAI-v1-{hash_of(user)}".encode()
    return Fernet(base64.urlsafe_b64encode(hashlib.pbkdf2_hmac("sha256", api_key.encode(), salt, 100_000, 32)))


def _insert_memory(connection: sqlite3.Connection, discussion_id: str, number: int, *, embeddings: bool) -> None:
    text = f"Anna planted tree number {number}."
    metadata = {"title": f"Tree {number}", "summary": text, "entities": ["Anna"], "key_phrases": ["garden"]}
    connection.execute(
        "INSERT INTO memories VALUES (?, ?, ?, ?, ?)",
        (number, discussion_id, text, f"2026-01-{number % 28 + 1:02}T10:00:00+00:00", json.dumps(metadata)),
    )
    connection.execute(
        "INSERT INTO memories_fts (rowid, title, summary, entities, key_phrases, memory_text_unweighted) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (number, metadata["title"], text, "Anna", "garden", text),
    )
    if embeddings:
        connection.execute("INSERT INTO memory_embeddings VALUES (?, ?, 2, ?)", (number, MODEL, b"\0" * 8))
