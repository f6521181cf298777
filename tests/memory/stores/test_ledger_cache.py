"""Ledgers kept in memory: never older than the file."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory.stores import ledger_cache
from memory.stores.contents import Access
from memory.stores.encryption import derive_fernet_key, encrypt
from memory.stores.layouts import Place
from memory.stores.ledger import read_list_file
from memory.stores.ledger_cache import SETTLED_NS, LedgerCache
from memory.types import Artefact, FileState
from tests.memory.stores.folders import entries, open_files, write_file

ACCESS = Access(limit_bytes=1_000_000)


class Reads:
    """Counts how often a list file is really read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        monkeypatch.setattr(ledger_cache, "read_list_file", self)

    def __call__(self, place: Place, access: Access) -> Any:
        self.count += 1
        return read_list_file(place, access)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(monkeypatch)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    write_file(tmp_path, "talk-1/memories.json", entries("a"))
    return open_files(tmp_path).place(Artefact.MEMORIES)


def later(nanoseconds: int = 2 * SETTLED_NS) -> LedgerCache:
    """A cache to which every file seems that much older."""
    return LedgerCache(lambda: time.time_ns() + nanoseconds)


def test_a_settled_file_is_read_once(place: Place, reads: Reads) -> None:
    cache = later()

    assert cache.read(place, ACCESS) == cache.read(place, ACCESS)
    assert reads.count == 1


def test_a_file_that_has_just_changed_is_read_every_time(place: Place, reads: Reads) -> None:
    cache = later(0)

    cache.read(place, ACCESS)
    cache.read(place, ACCESS)

    assert reads.count == 2


def test_a_write_of_the_same_length_with_the_old_time_is_noticed(place: Place) -> None:
    cache = later()
    before = cache.read(place, ACCESS)
    found = place.path.stat()

    place.path.write_bytes(place.path.read_bytes().replace(b"a", b"z"))
    os.utime(place.path, ns=(found.st_atime_ns, found.st_mtime_ns))

    assert cache.read(place, ACCESS).entries != before.entries


def test_a_file_that_is_gone_or_too_large_is_not_answered_from_memory(place: Place) -> None:
    cache = later()
    cache.read(place, ACCESS)

    assert cache.read(place, Access(limit_bytes=1)).report.state is FileState.TOO_LARGE
    place.path.unlink()
    assert cache.read(place, ACCESS).report.state is FileState.ABSENT


def test_nothing_decrypted_is_kept(place: Place, reads: Reads) -> None:
    place.path.write_bytes(encrypt(place.path.read_bytes(), derive_fernet_key("key", "salt")))
    cache = later()

    cache.read(place, ACCESS)
    cache.read(place, ACCESS)

    assert reads.count == 2


def test_kept_files_have_a_limit_together(
    tmp_path: Path, place: Place, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(place, path=write_file(tmp_path, "talk-2/memories.json", entries("b")))
    monkeypatch.setattr(ledger_cache, "MAX_BYTES", place.path.stat().st_size)
    cache = later()

    for asked in (place, other, place):
        cache.read(asked, ACCESS)

    assert reads.count == 3
