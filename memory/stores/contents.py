"""One text file of a discussion: its state, its text, and a write that loses nothing."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field, replace
from pathlib import Path

from memory.errors import DamagedFileError, DiscussionLockedError
from memory.stores.encryption import FileKeys, encrypt, is_token
from memory.stores.journaling import NO_JOURNAL, FileJournal
from memory.stores.json_files import JsonDamageError, decode_text
from memory.stores.layouts import Place
from memory.types import FileReport, FileStat, FileState
from wilmer_site.lib.errors import NotFoundError, WilmerError
from wilmer_site.lib.files import (
    FileChangedError,
    FileTooLargeError,
    FileUnreadableError,
    etag_of,
    read_limited,
    write_atomic,
)

_ADVICE = "Mend it in a text editor or restore an earlier version."
_LOCKED = "{name} is encrypted, and the key is missing or wrong. Unlock the discussion with its API key."


@dataclass(frozen=True, slots=True)
class Access:
    """How files are read and written: at most so many bytes, with these keys."""

    limit_bytes: int
    keys: FileKeys = field(default_factory=FileKeys)
    new_key: bytes | None = None
    """Encrypts what is written where no token was; None for plain text."""
    journal: FileJournal = NO_JOURNAL
    """Is told of every write before it is made."""


@dataclass(frozen=True, slots=True)
class Content:
    """One file as it was read."""

    report: FileReport
    text: str = ""
    """Decrypted and decoded; empty unless the state is present or empty."""
    data: bytes = b""
    """The bytes on disk."""
    fernet_key: bytes | None = None
    """The key that opened it."""


def read_content(place: Place, access: Access) -> Content:
    """The file as it is; whatever is wrong with it is said in the report and nothing is raised or created."""
    report = inspect_place(place)
    if report.state is not FileState.PRESENT or report.stat is None:
        return Content(report)
    if report.stat.size_bytes > access.limit_bytes:
        return Content(_too_large(report, report.stat.size_bytes, access.limit_bytes))
    try:
        data = read_limited(place.path, limit_bytes=access.limit_bytes)
    except WilmerError as error:
        return Content(_failed(report, error))
    return _decode(Content(replace(report, etag=etag_of(data)), data=data), access.keys)


def inspect_place(place: Place) -> FileReport:
    """What can be said of a file without opening it: present, empty, absent or unreadable."""
    report = FileReport(place.artefact, place.path, place.generation, FileState.ABSENT)
    try:
        if not is_inside(place.root, place.path):
            return _unreadable(report, f"{place.path.name} is reached through a link that leads out of the folder")
        found = place.path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return report
    except (OSError, RuntimeError, ValueError) as error:
        # Without strerror it is a circle of links, whose own text would tell where the folder lies.
        reason = getattr(error, "strerror", None) or "its path cannot be followed"
        return _unreadable(report, f"{place.path.name} cannot be read: {reason}")
    file_stat = FileStat(found.st_size, found.st_mtime_ns, found.st_ino, stat.S_IMODE(found.st_mode))
    report = replace(report, stat=file_stat, state=FileState.PRESENT if found.st_size else FileState.EMPTY)
    if stat.S_ISREG(found.st_mode):
        return report if found.st_size else replace(report, etag=etag_of(b""))
    kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no ordinary file"
    return _unreadable(report, f"{place.path.name} is {kind}")


def is_inside(root: Path, path: Path) -> bool:
    """Whether a path stays below a root when every link is followed. Raises OSError or RuntimeError for a loop."""
    return path.resolve().is_relative_to(root.resolve())


def mark_damaged(report: FileReport, error: JsonDamageError) -> FileReport:
    """The same report for a file whose text cannot be used."""
    return replace(
        report,
        state=FileState.DAMAGED,
        problem=f"{report.path.name} is damaged: {error} {_ADVICE}",
        problem_line=error.line,
        problem_column=error.column,
    )


def check_usable(report: FileReport) -> None:
    """Raise what forbids to read or replace a file: damage, a lock, its size, the operating system (W07, W25)."""
    problem = report.problem or f"{report.path.name} cannot be used."
    facts = {"file": report.path.name}
    if report.state is FileState.DAMAGED:
        raise DamagedFileError(problem, line=report.problem_line, column=report.problem_column, **facts)
    if report.state is FileState.LOCKED:
        raise DiscussionLockedError(problem, **facts)
    if report.state is FileState.UNREADABLE:
        raise FileUnreadableError(problem, **facts)
    if report.state is FileState.TOO_LARGE:
        raise FileTooLargeError(problem, **facts)


def check_version(report: FileReport, expected_etag: str) -> None:
    """Raise FileChangedError unless the file is the expected version (empty text: does not exist)."""
    found = report.etag or ""
    if found != expected_etag:
        raise FileChangedError(
            f"{report.path.name} was changed by somebody else since you opened it.",
            expected=expected_etag,
            found=found,
        )


def write_content(now: Content, text: str, access: Access, *, expected_etag: str | None) -> str:
    """Replace a file that was just read and return its new ETag.

    It is encrypted when it was, or else when `access` has a key for new files. Raises FileChangedError if the file
    is not the expected version (by default: the one in `now`), and what `check_usable` raises.
    """
    check_usable(now.report)
    data = text.encode("utf-8")
    key = now.fernet_key or access.new_key
    expected = (now.report.etag or "") if expected_etag is None else expected_etag
    # The real path: renaming over a link would replace the link and leave its target behind.
    written = encrypt(data, key) if key else data
    with access.journal.recording(now.report.artefact, bytes_of(now), written):
        return write_atomic(now.report.path.resolve(), written, expected_etag=expected)


def read_whole(place: Place) -> bytes | None:
    """The bytes of a file whatever they are and however many; None when there is none.

    Raises FileUnreadableError when it is a link out of the folder or the operating system refuses.
    """
    report = inspect_place(place)
    check_usable(report)
    try:
        return None if report.state is FileState.ABSENT else place.path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileUnreadableError(f"{place.path.name} cannot be read: {error.strerror}.") from None


def bytes_of(content: Content) -> bytes | None:
    """The bytes on disk; None when there is no file."""
    return None if content.report.state is FileState.ABSENT else content.data


def _decode(content: Content, keys: FileKeys) -> Content:
    report, data, fernet_key = content.report, content.data, None
    if is_token(data):
        opened = keys.find_opened(data)
        if opened is None:
            problem = _LOCKED.format(name=report.path.name)
            return replace(content, report=replace(report, state=FileState.LOCKED, is_encrypted=True, problem=problem))
        data, fernet_key = opened.data, opened.fernet_key
        report = replace(report, is_encrypted=True)
    try:
        text = decode_text(data)
    except JsonDamageError as error:
        return Content(mark_damaged(report, error), data=content.data, fernet_key=fernet_key)
    state = FileState.PRESENT if text.strip() else FileState.EMPTY
    return Content(replace(report, state=state), text, content.data, fernet_key)


def _failed(report: FileReport, error: WilmerError) -> FileReport:
    if isinstance(error, NotFoundError):
        return replace(report, state=FileState.ABSENT, stat=None)
    if isinstance(error, FileTooLargeError):
        return replace(report, state=FileState.TOO_LARGE, problem=error.message)
    return _unreadable(report, error.message)


def _too_large(report: FileReport, size: int, limit: int) -> FileReport:
    problem = f"{report.path.name} has {size:,} bytes; the console reads at most {limit:,}."
    return replace(report, state=FileState.TOO_LARGE, problem=problem)


def _unreadable(report: FileReport, reason: str) -> FileReport:
    return replace(report, state=FileState.UNREADABLE, problem=f"{reason.rstrip('.')}.")
