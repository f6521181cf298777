"""Files that people brought in and have not decided about yet, kept below the console's own state folder.

Each has a folder of its own: the file as it came, what was found in it, and each conversation as JSON Lines, so that
no step needs a conversation in memory.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from memory.engine.transcripts import Said
from wilmer_site.lib.files import FileTooLargeError, write_atomic

KEPT_SECONDS = 24 * 3600
SOURCE = "source"
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """Messages that were laid down; each iteration reads them anew."""

    path: Path

    def __iter__(self) -> Iterator[Said]:
        with self.path.open(encoding="utf-8") as lines:
            for line in lines:
                yield _parse(json.loads(line))


@dataclass(frozen=True, slots=True)
class Upload:
    """One file that was brought in."""

    folder: Path

    @property
    def id(self) -> str:
        """Cannot be guessed."""
        return self.folder.name

    @property
    def size_bytes(self) -> int:
        """How large the file is."""
        return (self.folder / SOURCE).stat().st_size

    @property
    def received_at(self) -> float:
        """When it was brought in, in seconds since 1970; 0 when it is gone by now."""
        try:
            return (self.folder / SOURCE).stat().st_mtime
        except FileNotFoundError:
            return 0.0

    @contextmanager
    def open_source(self) -> Iterator[BinaryIO]:
        """The file as it came."""
        with (self.folder / SOURCE).open("rb") as stream:
            yield stream

    def read_notes(self, name: str) -> dict[str, Any]:
        """What was noted under a name; empty if nothing was."""
        try:
            return dict(json.loads((self.folder / f"{name}.json").read_bytes()))
        except FileNotFoundError:
            return {}

    def write_notes(self, name: str, values: dict[str, Any]) -> None:
        """Note something down, whole or not at all."""
        write_atomic(self.folder / f"{name}.json", json.dumps(values).encode("ascii"))

    @contextmanager
    def writing(self, number: int) -> Iterator[ConversationWriter]:
        """Lay down the messages of a conversation."""
        with self._path(number).open("w", encoding="utf-8") as stream:
            yield ConversationWriter(stream)

    def conversation(self, number: int) -> StoredConversation:
        """The messages of a conversation that was laid down."""
        return StoredConversation(self._path(number))

    def delete(self) -> None:
        """Forget the file and everything found in it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, number: int) -> Path:
        return self.folder / f"conversation-{number}.jsonl"


@dataclass(frozen=True, slots=True)
class ConversationWriter:
    """Takes messages one by one."""

    stream: TextIO

    def add(self, said: Said) -> None:
        """Write one message."""
        time = said.sent_at.isoformat() if said.sent_at else None
        self.stream.write(json.dumps([said.role, said.content, said.name, said.images, time]) + "\n")


def limit_parts(parts: Iterable[bytes], limit_bytes: int) -> Iterator[bytes]:
    """The same parts; raises FileTooLargeError as soon as they are more than the limit."""
    size = 0
    for part in parts:
        size += len(part)
        if size > limit_bytes:
            raise FileTooLargeError(
                f"The file is larger than {limit_bytes // (1024 * 1024):,} MiB, the most this console takes.",
                limit_bytes=limit_bytes,
            )
        yield part


class UploadFolder:
    """All files that people brought in."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def create(self, parts: Iterable[bytes]) -> Upload:
        """Keep a file that comes in parts; its digest is noted under `file`. Old ones are forgotten."""
        self.delete_old()
        upload = Upload(self._root / secrets.token_hex(16))
        upload.folder.mkdir(parents=True, mode=0o700)
        digest = hashlib.sha256()
        try:
            with (upload.folder / SOURCE).open("wb") as stream:
                for part in parts:
                    digest.update(part)
                    stream.write(part)
            upload.write_notes("file", {"digest": digest.hexdigest()})
        except BaseException:
            upload.delete()
            raise
        return upload

    def find(self, upload_id: str) -> Upload | None:
        """The file of that id; None when it is gone or was never there."""
        upload = Upload(self._root / upload_id) if _ID.fullmatch(upload_id) else None
        return upload if upload and (upload.folder / "file.json").is_file() else None

    def list_all(self) -> list[Upload]:
        """Every file that is kept, the newest first."""
        kept = [Upload(folder) for folder in self._root.glob("*/") if self.find(folder.name)]
        return sorted(kept, key=lambda upload: (upload.received_at, upload.id), reverse=True)

    def delete_old(self) -> None:
        """Forget what nobody decided about for a day."""
        border = time.time() - KEPT_SECONDS
        for folder in self._root.glob("*/"):
            if _ID.fullmatch(folder.name) and folder.stat().st_mtime < border:
                Upload(folder).delete()


def _parse(raw: list[Any]) -> Said:
    role, content, name, images, time = raw
    return Said(role, content, name, tuple(images), datetime.fromisoformat(time) if time else None)
