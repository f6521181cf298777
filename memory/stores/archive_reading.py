"""Archives that somebody brings in: nothing in them is trusted, everything is checked before anything is written."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import stat
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from memory.stores.archive_writing import CHUNK_BYTES, FORM, MANIFEST, ArchivedDiscussion, ArchivedFile
from memory.stores.layouts import is_usable_name
from memory.types import DiscussionRef
from wilmer_site.lib.errors import InvalidError

MAX_ENTRIES = 200_000
MAX_MANIFEST_BYTES = 64 * 1024 * 1024
MAX_LINE_BYTES = 64 * 1024 * 1024
FREE_BYTES = 256 * 1024 * 1024
"""So much any archive may unpack to."""
MAX_RATIO = 100
"""Beyond that, unpacked bytes may be at most so many times the packed ones; memories shrink to a fifth."""

_KEY_HASH = re.compile(r"[0-9a-f]{16}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ENTRY = re.compile(
    r"manifest\.json|discussions/\d{1,6}/(files/\d{1,6}|transcript\.jsonl|history\.jsonl|contents/[0-9a-f]{64})"
)


class ArchiveRefusedError(InvalidError):
    """The file is no archive of ours, or is made to do harm. `extra` has the name of the entry, where there is one."""

    code = "archive-refused"


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive whose list was checked against what is in it."""

    made_at: str
    discussions: tuple[ArchivedDiscussion, ...]
    _zip: zipfile.ZipFile

    def read_file(self, file: ArchivedFile, target: BinaryIO) -> None:
        """Unpack a file of a discussion; raises ArchiveRefusedError when it is not what the list says."""
        digest, size = hashlib.sha256(), 0
        for part in self._parts(file.name):
            size += len(part)
            if size > file.size:
                break
            digest.update(part)
            target.write(part)
        if size != file.size or digest.hexdigest() != file.sha256:
            raise _refuse(f"{file.path} is not what the archive's list says: it is damaged or was changed.", file.name)

    def read_lines(self, number: int, name: str) -> Iterator[dict[str, Any]]:
        """The objects of `transcript.jsonl` or `history.jsonl` of a discussion; none when there is no such entry."""
        entry = entry_name(number, name)
        if entry not in self._zip.NameToInfo:
            return
        with self._opened(entry) as stream:
            while line := stream.readline(MAX_LINE_BYTES):
                yield _parse_object(line, entry)

    def read_content(self, number: int, digest: str) -> bytes:
        """One content of the history; raises ArchiveRefusedError unless it has that digest."""
        entry = entry_name(number, f"contents/{digest}")
        data = b"".join(self._parts(entry))
        if hashlib.sha256(data).hexdigest() != digest:
            raise _refuse("A content of the history is not what its name says.", entry)
        return data

    def _parts(self, entry: str) -> Iterator[bytes]:
        with self._opened(entry) as stream:
            while part := stream.read(CHUNK_BYTES):
                yield part

    @contextlib.contextmanager
    def _opened(self, entry: str) -> Iterator[Any]:
        try:
            with self._zip.open(entry) as stream:
                yield stream
        except (KeyError, zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError) as error:
            raise _refuse(f"{entry} cannot be unpacked: {error}.", entry) from None


@contextlib.contextmanager
def opening_archive(path: Path) -> Iterator[Archive]:
    """An archive, checked: no entry that leads anywhere, no link, no doubles, no bomb, and a list that fits.

    Raises ArchiveRefusedError with the reason.
    """
    try:
        with zipfile.ZipFile(path) as opened:
            _check_entries(opened, path.stat().st_size)
            yield _read_manifest(opened)
    except zipfile.BadZipFile:
        raise _refuse("This is no ZIP file, or it was cut off.", "") from None


def entry_name(number: int, name: str) -> str:
    """Where something of a discussion stands in the ZIP."""
    return f"discussions/{number}/{name}"


def _check_entries(opened: zipfile.ZipFile, packed: int) -> None:
    infos = opened.infolist()
    if len(infos) > MAX_ENTRIES:
        raise _refuse(f"It has {len(infos):,} entries; at most {MAX_ENTRIES:,} are read.", "")
    names: set[str] = set()
    for info in infos:
        _check_entry(info)
        if info.filename.lower() in names:
            raise _refuse(f"{info.filename[:80]!r} is in it twice.", info.filename)
        names.add(info.filename.lower())
    total = sum(info.file_size for info in infos)
    if total > FREE_BYTES and total > MAX_RATIO * packed:
        raise _refuse(f"It would unpack to {total:,} bytes from {packed:,}, as only bombs do.", "")


def _check_entry(info: zipfile.ZipInfo) -> None:
    name, shown = info.filename, repr(info.filename[:80])
    kind = stat.S_IFMT(info.external_attr >> 16)
    if name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name):
        raise _refuse(f"{shown} is an absolute path.", name)
    if "\\" in name or ".." in name.split("/") or "\x00" in info.orig_filename:
        raise _refuse(f"{shown} leads out of the archive.", name)
    if kind not in (0, stat.S_IFREG):
        raise _refuse(f"{shown} is no ordinary file; links are not followed.", name)
    if info.flag_bits & 0x1:
        raise _refuse(f"{shown} is protected by a password.", name)
    if not _ENTRY.fullmatch(name):
        raise _refuse(f"{shown} is nothing that an archive of this console has.", name)


def _read_manifest(opened: zipfile.ZipFile) -> Archive:
    info = opened.NameToInfo.get(MANIFEST)
    if info is None:
        raise _refuse("It has no manifest.json, so it is no archive of this console.", MANIFEST)
    if info.file_size > MAX_MANIFEST_BYTES:
        raise _refuse("Its manifest.json is too large.", MANIFEST)
    archive = Archive("", (), opened)
    value = _parse_object(b"".join(archive._parts(MANIFEST)), MANIFEST)
    try:
        if int(value["form"]) > FORM:
            raise _refuse("It was made by a newer console. Update this one first.", MANIFEST)
        discussions = tuple(_parse_discussion(item) for item in value["discussions"])
        made_at = str(value["made_at"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise _refuse("Its manifest.json does not say what is in it.", MANIFEST) from None
    _check_fit(opened, discussions)
    return Archive(made_at, discussions, opened)


def _parse_discussion(value: Mapping[str, Any]) -> ArchivedDiscussion:
    if not isinstance(value["ref"], str):
        raise TypeError
    ref = DiscussionRef.parse(value["ref"])
    if not is_usable_name(ref.discussion_id) or (ref.key_hash is not None and not _KEY_HASH.fullmatch(ref.key_hash)):
        raise _refuse(f"{value['ref']!r} names no discussion.", MANIFEST)
    files = [_parse_file(item) for item in value["files"]]
    transcript, contents = value["transcript"], [str(item) for item in value["contents"]]
    if not (transcript is None or isinstance(transcript, dict)) or not all(map(_DIGEST.fullmatch, contents)):
        raise ValueError
    problems = [str(item) for item in value["problems"]]
    return ArchivedDiscussion(ref.text, files, transcript, int(value["revisions"]), contents, problems)


def _parse_file(value: Mapping[str, Any]) -> ArchivedFile:
    file = ArchivedFile(
        str(value["name"]),
        str(value["root"]),
        str(value["path"]),
        int(value["size"]),
        str(value["sha256"]),
        int(value["mode"]),
    )
    if file.size < 0 or not _DIGEST.fullmatch(file.sha256):
        raise ValueError
    return file


def _check_fit(opened: zipfile.ZipFile, discussions: tuple[ArchivedDiscussion, ...]) -> None:
    """Every entry is told of, and everything told of is there, once."""
    told = [MANIFEST]
    for number, discussion in enumerate(discussions):
        told += [file.name for file in discussion.files]
        told += [entry_name(number, f"contents/{digest}") for digest in discussion.contents]
        told += [entry_name(number, "transcript.jsonl")] if discussion.transcript is not None else []
        told += [entry_name(number, "history.jsonl")] if discussion.revisions else []
    if sorted(told) != sorted(opened.NameToInfo):
        odd = sorted(set(told).symmetric_difference(opened.NameToInfo))
        raise _refuse(
            f"Its list and its entries differ: {', '.join(odd[:3]) or 'an entry is told of twice'}.", MANIFEST
        )
    sizes = {file.name: file.size for discussion in discussions for file in discussion.files}
    wrong = next((name for name, size in sizes.items() if opened.NameToInfo[name].file_size != size), None)
    if wrong is not None:
        raise _refuse(f"{wrong} has another size than its list says.", wrong)


def _parse_object(data: bytes, entry: str) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise _refuse(f"{entry} is no JSON.", entry) from None
    if not isinstance(value, dict):
        raise _refuse(f"{entry} holds something else than objects.", entry)
    return value


def _refuse(reason: str, entry: str) -> ArchiveRefusedError:
    return ArchiveRefusedError(f"This archive is not imported. {reason}", entry=entry)
