"""A creation that is killed again and again ends as one that nobody disturbed."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory.engine.triggers import WriterPath
from tests.memory.services.killing import CHUNKS, ROOT, Nursery, create_all, open_nursery

KILLS = 200 if os.environ.get("WILMER_SOAK") else 6
SHARE_OF_A_RUN = 0.3
"""A process lives for at most this part of an undisturbed creation."""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with open_nursery() as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("path", list(WriterPath))
def test_killed_creations_end_as_an_undisturbed_one(path: WriterPath, nursery: Nursery, tmp_path: Path) -> None:
    started = time.monotonic()
    assert nursery.run(tmp_path / "undisturbed", path)
    longest = SHARE_OF_A_RUN * (time.monotonic() - started)
    expected = read_all(tmp_path / "undisturbed")
    kills = 0

    while kills < KILLS:
        folder = tmp_path / f"after {kills} kills"
        while not nursery.run(folder, path, kill_after_seconds=random.uniform(0, longest)):
            kills += 1
            check_after_kill(folder, expected)
        assert read_all(folder) == expected
        assert list_leftovers(folder) == []
        shutil.rmtree(folder)


def test_temp_files_of_a_killed_writer_go_when_the_next_one_starts(nursery: Nursery, tmp_path: Path) -> None:
    create_all(tmp_path, WriterPath.FILE)
    ledger = next(tmp_path.rglob("memories.json"))
    before = ledger.read_bytes()
    ledger.unlink()
    left = leave_temp_file(ledger)
    foreign = ledger.with_name("tmp12345.tmp")
    foreign.touch()

    create_all(tmp_path, WriterPath.FILE)

    assert ledger.read_bytes() == before
    assert (left.exists(), foreign.exists()) == (False, True)


DIE_BEFORE_RENAMING = """
import os, sys
from pathlib import Path
from wilmer_site.lib import files
files.os.fsync = lambda descriptor: os._exit(0)
files.write_atomic(Path(sys.argv[1]), b"[half")
"""


def leave_temp_file(path: Path) -> Path:
    """What `write_atomic` leaves when its process is killed before the rename."""
    subprocess.run([sys.executable, "-c", DIE_BEFORE_RENAMING, str(path)], cwd=ROOT, check=True)
    (left,) = path.parent.glob(".*.tmp")
    return left


def check_after_kill(folder: Path, expected: dict[str, Any]) -> None:
    """At any moment: every file whole, and nothing but a beginning of what it will be."""
    found = read_all(folder)
    for name, value in found.items():
        assert value == expected[name][: len(value)], name
    if "log" in found:
        assert len(found["memories"]) == 2 * len(found["log"])


def read_all(folder: Path) -> dict[str, Any]:
    """Every list file and every table, without times; an unfinished transaction is undone in a copy."""
    found: dict[str, Any] = {path.name: json.loads(path.read_bytes()) for path in folder.rglob("*.json")}
    for path in folder.rglob("vector_memory.db"):
        found |= read_database(path)
    return found


def read_database(path: Path) -> dict[str, Any]:
    copy = path.with_name("copy.db")
    try:
        for ending in ("", "-journal"):
            source = path.with_name(path.name + ending)
            if source.exists():
                shutil.copy(source, copy.with_name(copy.name + ending))
        with closing(sqlite3.connect(copy)) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            return {name: connection.execute(text).fetchall() for name, text in TABLES.items() if "memories" in tables}
    finally:
        for left in path.parent.glob("copy.db*"):
            left.unlink()


TABLES = {
    "memories": "SELECT id, discussion_id, memory_text, metadata_json FROM memories ORDER BY id",
    "index": "SELECT rowid, * FROM memories_fts ORDER BY rowid",
    "log": "SELECT id, discussion_id, message_hash FROM vector_memory_hash_log ORDER BY id",
}


def list_leftovers(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix == ".tmp" or path.name.endswith("-journal")]


def test_the_creation_is_as_long_as_it_should_be(tmp_path: Path) -> None:
    assert create_all(tmp_path, WriterPath.FILE).stored_chunks == CHUNKS
