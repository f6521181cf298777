from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory.engine.ranking import IndexSize
from memory.stores import vector_frequencies
from memory.stores.vector_frequencies import (
    FrequencyCache,
    count_phrases,
    find_longer_word,
    forget_counts,
    read_index_size,
    read_varints,
)
from memory.stores.vector_state import reading
from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories
from tests.memory.stores.vector_builders import DISCUSSION, NOW, build_database, build_metadata, run_sql


@pytest.fixture
def path(tmp_path: Path) -> Path:
    build_database(tmp_path / "vector_memory.db", ["heron tree", "heron"])
    return tmp_path / "vector_memory.db"


def count(path: Path, phrase: str) -> int:
    with reading(path) as connection:
        connection.execute("BEGIN")
        return count_phrases(connection, path, [phrase])[phrase]


def test_counts_follow_every_change(path: Path) -> None:
    before = count(path, '"heron"')
    add_memories(path, DISCUSSION, MemoryBatch((NewMemory("heron", build_metadata("heron")),)), now=NOW)

    assert (before, count(path, '"heron"')) == (2, 3)


def test_counts_of_an_unchanged_file_are_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_counts()
    count(path, '"heron"')
    monkeypatch.setattr(vector_frequencies, "count_matches", None)

    assert count(path, '"heron"') == 2


def test_nothing_is_kept_in_wal_mode(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        before = count(path, '"heron"')
        other.execute("DELETE FROM memories_fts WHERE rowid = 1")
        other.commit()

        assert (before, count(path, '"heron"')) == (2, 1)


def test_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_frequencies, "_MAX_FILES", 2)
    monkeypatch.setattr(vector_frequencies, "_MAX_PHRASES", 1)
    cache = FrequencyCache()
    stamps = [("file", 0, 0, number, b"") for number in range(3)]
    for stamp in stamps:
        cache.counts_of(stamp)["a"] = 1

    assert (cache.counts_of(stamps[2]), cache.counts_of(stamps[0])) == ({"a": 1}, {})
    cache.counts_of(stamps[2]).update(b=1)
    assert cache.counts_of(stamps[2]) == {}


def test_index_size_is_that_of_bm25(path: Path) -> None:
    with reading(path) as connection:
        assert read_index_size(connection) == IndexSize(rows=2, tokens=6)
    run_sql(path, "DELETE FROM memories_fts_data WHERE id = 1")
    with reading(path) as connection:
        assert read_index_size(connection) == IndexSize(0, 0)


def test_longer_words(path: Path) -> None:
    with reading(path) as connection:
        words = [find_longer_word(connection, token) for token in ("her", "heron", "zzz", "he%")]

    assert words == ["heron", None, None, None]


@pytest.mark.parametrize(
    ("data", "numbers"),
    [(b"\x05\x7f", [5, 127]), (b"\x81\x00\x01", [128, 1]), (b"\xff" * 9, [2**64 - 1]), (b"", []), (b"\x81", [])],
)
def test_varints(data: bytes, numbers: list[int]) -> None:
    assert list(read_varints(data)) == numbers
