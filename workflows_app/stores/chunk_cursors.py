"""How far a ConversationChunkProcessor has got in a discussion (workflows.md §5.2)."""

from __future__ import annotations

from pathlib import Path

from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import read_limited, write_atomic
from wilmer_site.lib.ids import child_path

_LIMIT_BYTES = 64 * 1024 * 1024


class ChunkCursor:
    """A text file with one message hash a line, the newest last. The folder is made when it is first written."""

    def __init__(self, folder: Path, processor_id: str, discussion_id: str) -> None:
        self._folder = folder
        self._name = f"chunk_cursor_{processor_id}_{discussion_id}.txt"

    def read(self) -> list[str]:
        """All stored hashes, oldest first; empty without a file."""
        try:
            data = read_limited(child_path(self._folder, self._name), limit_bytes=_LIMIT_BYTES)
        except NotFoundError:
            return []
        return data.decode("utf-8", "replace").split()

    def append(self, message_hash: str) -> None:
        """Remember one more block by the hash of its last message."""
        self._folder.mkdir(parents=True, exist_ok=True)
        lines = "\n".join([*self.read(), message_hash])
        write_atomic(child_path(self._folder, self._name), lines.encode())
