"""A ZIP that is written while it is sent, so that no archive is ever whole in memory."""

from __future__ import annotations

import hashlib
import io
import json
import stat
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from memory.errors import DamagedFileError
from memory.stores.belongings import Belonging
from memory.stores.staging import copy_file, snapshot_database
from memory.types import Artefact
from wilmer_site.lib.errors import WilmerError

MANIFEST = "manifest.json"
FORM = 1
"""Of the layout inside the ZIP; a higher number is not read."""

CHUNK_BYTES = 256 * 1024
_MODE = stat.S_IFREG | 0o600


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """One file of a discussion inside an archive."""

    name: str
    """Of the entry in the ZIP."""
    root: str
    path: str
    """Where it lay below its root."""
    size: int
    sha256: str
    mode: int


@dataclass(slots=True)
class ArchivedDiscussion:
    """One discussion inside an archive."""

    ref: str
    files: list[ArchivedFile] = field(default_factory=list)
    transcript: dict[str, Any] | None = None
    """Facts of the transcript; its messages are lines of `transcript.jsonl`."""
    revisions: int = 0
    contents: list[str] = field(default_factory=list)
    """Digests of the contents of the history."""
    problems: list[str] = field(default_factory=list)
    """What could not be read and is not in the archive."""


class ArchiveWriter:
    """Puts entries into a ZIP and gives its bytes as they come."""

    def __init__(self, moment: tuple[int, int, int, int, int, int]) -> None:
        self._sink = _Sink()
        self._zip = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
        self._moment = moment

    def add(self, name: str, parts: Iterable[bytes]) -> Iterator[bytes]:
        """One entry, in parts."""
        info = zipfile.ZipInfo(name, self._moment)
        info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, _MODE << 16
        with self._zip.open(info, "w", force_zip64=True) as entry:
            for part in parts:
                entry.write(part)
                yield from self._sink.take()
        yield from self._sink.take()

    def add_file(self, belonging: Belonging, name: str, path: str, into: ArchivedDiscussion) -> Iterator[bytes]:
        """One file of a discussion, as it is at one moment; a file that cannot be read is told in `into`."""
        with tempfile.TemporaryDirectory(prefix="wilmer-archive-") as folder:
            copy = Path(folder) / "copy"
            try:
                _snapshot(belonging, copy)
                mode = stat.S_IMODE(copy.stat().st_mode)
            except (WilmerError, OSError) as error:
                into.problems.append(f"{belonging.path.name}: {getattr(error, 'message', error.__class__.__name__)}")
                return
            digest = hashlib.sha256()
            yield from self.add(name, _read(copy, digest))
            into.files.append(ArchivedFile(name, belonging.root, path, copy.stat().st_size, digest.hexdigest(), mode))

    def finish(self, discussions: Iterable[ArchivedDiscussion], made_at: str) -> Iterator[bytes]:
        """The list of everything, and the end of the ZIP."""
        value = {"form": FORM, "made_at": made_at, "discussions": [asdict(item) for item in discussions]}
        yield from self.add(MANIFEST, [json.dumps(value, indent=1).encode()])
        self._zip.close()
        yield from self._sink.take()


def _snapshot(belonging: Belonging, copy: Path) -> None:
    if belonging.artefact is Artefact.VECTOR_MEMORY:
        try:
            snapshot_database(belonging.path, copy)
        except DamagedFileError:
            copy_file(belonging.path, copy)
    else:
        copy_file(belonging.path, copy)


def _read(path: Path, digest: Any) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while part := stream.read(CHUNK_BYTES):
            digest.update(part)
            yield part


class _Sink(io.RawIOBase):
    """Takes bytes and hands them on; cannot seek, which zipfile copes with."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def take(self) -> Iterator[bytes]:
        """Everything written since the last time."""
        parts, self._parts = self._parts, []
        if parts:
            yield b"".join(parts)
