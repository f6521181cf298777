"""Nodes that were taken out of workflows and may be put back, in files of the console's own."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import hold_lock, read_limited, write_atomic

LIMIT_BYTES = 16 * 1024 * 1024
MAX_ITEMS = 100


@dataclass(frozen=True, slots=True)
class ShelfItem:
    """One node on the shelf."""

    key: str
    position: int
    """Where it stood, from 0."""
    node: Any


@dataclass(frozen=True, slots=True)
class ShelfFile:
    """The shelf of one workflow file."""

    path: Path

    @classmethod
    def of(cls, folder: Path, owner: str) -> ShelfFile:
        """The shelf that belongs to a file, named by its whole path."""
        return cls(folder / f"{hashlib.sha256(owner.encode('utf-8', 'replace')).hexdigest()[:32]}.json")

    def read(self) -> tuple[ShelfItem, ...]:
        """What is on the shelf, the newest first; a damaged shelf is empty."""
        try:
            rows = json.loads(read_limited(self.path, limit_bytes=LIMIT_BYTES))
            return tuple(ShelfItem(str(row["key"]), int(row["position"]), row["node"]) for row in rows)
        except (NotFoundError, ValueError, KeyError, TypeError):
            return ()

    def put(self, item: ShelfItem) -> None:
        """Put a node on the shelf; the oldest falls off a full one."""
        with self._lock():
            self._write((item, *self.read())[:MAX_ITEMS])

    def take(self, key: str) -> None:
        """Take a node off the shelf; nothing when it is not there."""
        with self._lock():
            self._write(tuple(item for item in self.read() if item.key != key))

    def _lock(self) -> Any:
        return hold_lock(self.path.with_suffix(".lock"), timeout_seconds=5, holder="Another change of the shelf")

    def _write(self, items: tuple[ShelfItem, ...]) -> None:
        rows = [{"key": item.key, "position": item.position, "node": item.node} for item in items]
        write_atomic(self.path, json.dumps(rows).encode())
