"""Short texts that change whenever a thing does: for hidden fields of forms and If-Match."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from memory.types import Entry

_LENGTH = 32


def chunk_version(entry: Entry) -> str:
    """Of a chunk: its text and its hash."""
    return _digest(entry.text, entry.hash)


def summary_version(summary: Sequence[Entry]) -> str:
    """Of a rolling summary; empty when there is none."""
    return _digest(*(part for entry in summary for part in (entry.text, entry.hash))) if summary else ""


def memory_version(text: str, metadata_json: str | None) -> str:
    """Of a vector memory: its text and its metadata as stored."""
    return _digest(text, metadata_json or "")


def log_version(count: int, newest_id: int | None, newest_hash: str) -> str:
    """Of a hash log: how many rows it has, and its newest one."""
    return _digest(str(count), str(newest_id), newest_hash)


def _digest(*parts: str) -> str:
    data = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:_LENGTH]
