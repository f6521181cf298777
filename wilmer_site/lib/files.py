"""Files read with a limit, written whole or not at all, and locked across processes."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import filelock

from wilmer_site.lib.errors import (
    BusyError,
    ConflictError,
    NotFoundError,
    RefusedError,
    StorageError,
    TooLargeError,
    WilmerError,
)

NEW_FILE_MODE = 0o600
"""What WilmerAI's own temp-file writes leave behind (memory.md §3.7)."""

_TEMP_ENDING = ".tmp"


class FileTooLargeError(TooLargeError):
    """The file is larger than what the console is willing to load."""

    code = "file-too-large"


class FileUnreadableError(RefusedError):
    """The operating system does not let us read the file."""

    code = "file-unreadable"


class FileChangedError(ConflictError):
    """The file is no longer the version the caller saw. `extra` has `expected` and `found` ETags."""

    code = "file-changed"


class ReadOnlyFileError(RefusedError):
    """The file's mode, its folder or the whole disk forbids writing."""

    code = "file-read-only"


class DiscussionBusyError(BusyError):
    """The lock stayed taken for the whole waiting time."""

    code = "discussion-busy"


def etag_of(data: bytes) -> str:
    """The version of a file: SHA-256 of its bytes, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read_limited(path: Path, *, limit_bytes: int) -> bytes:
    """The bytes of a file of at most `limit_bytes`.

    Raises NotFoundError, FileTooLargeError (decided before loading) or FileUnreadableError, also for a pipe or device.
    """
    try:
        with open(path, "rb", opener=_open_at_once) as stream:
            facts = os.fstat(stream.fileno())
            if not stat.S_ISREG(facts.st_mode):
                raise FileUnreadableError(f"{path.name} is no ordinary file.", file=path.name)
            size = facts.st_size
            if size > limit_bytes:
                raise _too_large(path, size, limit_bytes)
            data = stream.read(limit_bytes + 1)
    except FileNotFoundError:
        raise NotFoundError(f"{path.name} does not exist.", file=path.name) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileUnreadableError(f"{path.name} cannot be read: {reason}.", file=path.name) from None
    if len(data) > limit_bytes:
        raise _too_large(path, len(data), limit_bytes)
    return data


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting for a writer, as opening a pipe would."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write_atomic(path: Path, data: bytes, *, expected_etag: str | None = None, new_mode: int = NEW_FILE_MODE) -> str:
    """Replace a file by new bytes in one step and return the new ETag.

    The bytes go to a temp file (`.tmp`) in the same folder, are flushed to disk and renamed over the target. The
    mode of an existing file is kept; a new one gets `new_mode`. Parent folders are created. With `expected_etag` (empty
    text: the file must not exist) a different version raises FileChangedError and nothing is written.
    """
    if expected_etag is not None:
        _check_version(path, expected_etag)
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else new_mode
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=_temp_prefix(path), suffix=_TEMP_ENDING)
    temp = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temp.chmod(mode)
        if expected_etag is not None:
            # Flushing takes long enough for a program that knows no lock of ours to write in between.
            _check_version(path, expected_etag)
        temp.replace(path)
    except BaseException:
        temp.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)
    return etag_of(data)


def delete_stale_temps(paths: Iterable[Path]) -> int:
    """Remove temp files that killed writers of these files left behind; returns how many.

    Only for a caller that keeps every other writer of these files out.
    """
    prefixes: dict[Path, list[str]] = {}
    for path in paths:
        prefixes.setdefault(path.parent, []).append(_temp_prefix(path))
    count = 0
    for folder, starts in prefixes.items():
        with contextlib.suppress(OSError):
            for temp in folder.glob(f".*{_TEMP_ENDING}"):
                if temp.name.startswith(tuple(starts)):
                    temp.unlink(missing_ok=True)
                    count += 1
    return count


@contextlib.contextmanager
def hold_lock(lock_file: Path, *, timeout_seconds: float, holder: str = "Another writer") -> Iterator[None]:
    """Hold a lock file across processes; the operating system frees it when a process dies.

    Raises DiscussionBusyError, which names the likely holder, when it stays taken for `timeout_seconds` (negative:
    wait for ever); ReadOnlyFileError or StorageError when the lock file cannot be made.
    """
    lock = filelock.FileLock(lock_file, timeout=timeout_seconds, mode=0o600)
    try:
        lock_file.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(poll_interval=0.02)
    except filelock.Timeout:
        raise DiscussionBusyError(
            f"{holder} was not done after {timeout_seconds:g} seconds. Nothing was changed; try again in a moment."
        ) from None
    except OSError as error:
        raise _no_lock(lock_file, error) from error
    try:
        yield
    finally:
        lock.release()


def _no_lock(lock_file: Path, error: OSError) -> WilmerError:
    folder, reason = lock_file.parent, error.strerror or str(error)
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return StorageError(f"{folder} takes no more: {reason}. Nothing was changed; make room and try again.")
    return ReadOnlyFileError(
        f"{folder} cannot be written: {reason}. Nothing was changed; give the console the right to write there."
    )


def _temp_prefix(path: Path) -> str:
    """What temp files of a file begin with; the digest tells long names apart that begin alike."""
    digest = hashlib.sha256(os.fsencode(path.name)).hexdigest()
    return f".{path.name[:40]}.{digest[:8]}."


def _too_large(path: Path, size: int, limit: int) -> FileTooLargeError:
    return FileTooLargeError(
        f"{path.name} has {size:,} bytes; the console reads at most {limit:,}.",
        file=path.name,
        size=size,
        limit=limit,
    )


def _check_version(path: Path, expected: str) -> None:
    found = etag_of(path.read_bytes()) if path.exists() else ""
    if found != expected:
        raise FileChangedError(
            f"{path.name} was changed by somebody else since you opened it.", expected=expected, found=found
        )


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable; not every file system can, and then nothing is lost but the guarantee."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
