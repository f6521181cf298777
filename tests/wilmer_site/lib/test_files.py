from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import filelock
import pytest

from wilmer_site.lib.errors import NotFoundError, StorageError
from wilmer_site.lib.files import (
    DiscussionBusyError,
    FileChangedError,
    FileTooLargeError,
    FileUnreadableError,
    ReadOnlyFileError,
    delete_stale_temps,
    etag_of,
    hold_lock,
    read_limited,
    write_atomic,
)


def test_write_atomic_round_trip_and_mode(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.json"

    assert write_atomic(path, b"[1]") == etag_of(b"[1]")

    assert read_limited(path, limit_bytes=3) == b"[1]"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["file.json"]


def test_write_atomic_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.touch(mode=0o640)
    path.chmod(0o640)

    write_atomic(path, b"x")

    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("expected", ["", "0" * 64])
def test_write_atomic_refuses_another_version(tmp_path: Path, expected: str) -> None:
    path = tmp_path / "file.json"
    write_atomic(path, b"old")

    with pytest.raises(FileChangedError) as caught:
        write_atomic(path, b"new", expected_etag=expected)

    assert path.read_bytes() == b"old"
    assert caught.value.extra == {"expected": expected, "found": etag_of(b"old")}


def test_interrupted_write_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.json"
    write_atomic(path, b"old")

    def fail(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomic(path, b"new")

    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_read_limited_names_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"12345")
    (tmp_path / "folder").mkdir()

    with pytest.raises(FileTooLargeError, match="5 bytes"):
        read_limited(tmp_path / "large", limit_bytes=4)
    with pytest.raises(NotFoundError, match="does not exist"):
        read_limited(tmp_path / "absent", limit_bytes=4)
    with pytest.raises(FileUnreadableError, match="cannot be read"):
        read_limited(tmp_path / "folder", limit_bytes=4)


def test_hold_lock_keeps_others_out(tmp_path: Path) -> None:
    told: list[Exception] = []

    def try_it() -> None:
        try:
            with hold_lock(tmp_path / "a.lock", timeout_seconds=0.05):
                told.append(AssertionError("both hold the lock"))
        except DiscussionBusyError as error:
            told.append(error)

    with hold_lock(tmp_path / "a.lock", timeout_seconds=5):
        other = threading.Thread(target=try_it)
        other.start()
        other.join()

    assert [type(error) for error in told] == [DiscussionBusyError]
    with hold_lock(tmp_path / "a.lock", timeout_seconds=5):
        pass


@pytest.mark.parametrize(("number", "kind"), [(errno.EROFS, ReadOnlyFileError), (errno.ENOSPC, StorageError)])
def test_a_lock_that_cannot_be_made_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[Exception]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)

    with pytest.raises(kind, match="Nothing was changed"), hold_lock(tmp_path / "a.lock", timeout_seconds=1):
        pass


def test_only_temp_files_of_the_named_files_are_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "a very long name that goes on beyond what a prefix holds "
    path, alike, foreign = tmp_path / f"{name}1", tmp_path / f"{name}2", tmp_path / "tmpx.tmp"
    foreign.touch()
    monkeypatch.setattr(Path, "replace", lambda *_: None)
    write_atomic(path, b"[")
    write_atomic(alike, b"[")

    assert delete_stale_temps([path, tmp_path / "absent" / "b"]) == 1

    assert len(list(tmp_path.iterdir())) == 2
    assert delete_stale_temps([alike]) == 1
    assert list(tmp_path.iterdir()) == [foreign]


def test_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")

    with pytest.raises(FileUnreadableError, match="no ordinary file"):
        read_limited(tmp_path / "pipe.json", limit_bytes=10)
