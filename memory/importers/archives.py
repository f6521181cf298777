"""ZIP files: their members one by one, nothing unpacked to the disk, with limits (transcripts.md §8)."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import PurePosixPath
from typing import BinaryIO, cast

from memory.importers.events import ImportProblem
from memory.importers.formats import SourceFile

SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
MAX_MEMBERS = 10_000
MAX_TOTAL_BYTES = 2 * 1024**3
MAX_RATIO = 250
RATIO_FROM_BYTES = 16 * 1024**2
"""Smaller members may be packed as tightly as they like."""

ENDINGS = (".json", ".jsonl", ".txt", "")
_JUNK_FOLDERS = frozenset({"__MACOSX"})
_UNREADABLE = (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError)


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much a ZIP file may hold."""

    members: int = MAX_MEMBERS
    total_bytes: int = MAX_TOTAL_BYTES
    ratio: int = MAX_RATIO


def is_archive(head: bytes) -> bool:
    """Whether a file that begins like this is a ZIP file."""
    return head.startswith(SIGNATURES)


def list_members(stream: BinaryIO, limits: ArchiveLimits = ArchiveLimits()) -> Iterator[SourceFile | ImportProblem]:
    """The members that may be chats, and why others are left out. Names are never used as paths."""
    try:
        archive = zipfile.ZipFile(stream)
    except _UNREADABLE:
        yield ImportProblem("The ZIP file is damaged: its list of files cannot be read.")
        return
    infos = [info for info in archive.infolist() if not _is_junk(info)]
    problem = _find_bomb(infos, limits)
    if problem:
        yield problem
        return
    for info in sorted(infos, key=lambda info: info.filename):
        yield _check(info) or SourceFile(_opener(archive, info), info.filename)


def _is_junk(info: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(info.filename)
    is_hidden = path.name.startswith(".") and not path.name.startswith("..")
    return info.is_dir() or not _JUNK_FOLDERS.isdisjoint(path.parts) or is_hidden


def _find_bomb(infos: list[zipfile.ZipInfo], limits: ArchiveLimits) -> ImportProblem | None:
    total = sum(info.file_size for info in infos)
    if len(infos) > limits.members:
        return ImportProblem(f"The ZIP file holds {len(infos):,} files; at most {limits.members:,} are read.")
    if total > limits.total_bytes:
        return ImportProblem(f"Unpacked, the ZIP file has {total:,} bytes; at most {limits.total_bytes:,} are read.")
    for info in infos:
        if info.file_size > RATIO_FROM_BYTES and info.file_size > limits.ratio * max(1, info.compress_size):
            return ImportProblem("The ZIP file is packed far more tightly than chats are; refused.", file=info.filename)
    return None


def _check(info: zipfile.ZipInfo) -> ImportProblem | None:
    """Why a member is left out."""
    path = PurePosixPath(info.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts:
        return ImportProblem("This name leads out of the ZIP file; left out.", file=info.filename)
    if path.suffix.lower() == ".zip":
        return ImportProblem("A ZIP file inside a ZIP file is not opened; unpack it first.", file=info.filename)
    if info.flag_bits & 1:
        return ImportProblem("This file is encrypted; left out.", file=info.filename)
    return None


def _opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
    def open_member() -> BinaryIO:
        # zipfile itself reads no more than the size that the list of files names, which was checked.
        return cast(BinaryIO, BufferedReader(cast(BufferedReader, archive.open(info))))

    return open_member
