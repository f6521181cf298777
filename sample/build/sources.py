"""Reads what people wrote by hand: transcripts, memories, summaries and state documents."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_WRITING_SPEED = 45
"""Characters a second; an answer appears when it has been written."""


class SourceError(Exception):
    """A source that does not fit the others; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """One conversation: raw messages, system message first, and the local time of each message but that one."""

    messages: tuple[Mapping[str, str], ...]
    times: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Everything that is written by hand about one discussion."""

    discussion_id: str
    options: Mapping[str, Any]
    """`discussion.json`: layout, workflow whose summary node was used, generation of the vector database."""
    transcript: Transcript
    ledger: Mapping[str, str]
    """Covered messages such as `1-24` to the text of that memory."""
    summary: Mapping[str, str]
    memories: Mapping[str, Sequence[Mapping[str, Any]]]
    """Covered messages to the metadata objects made from them."""
    state_documents: Mapping[str, str]
    """File name to text."""


def read_source(folder: Path) -> Source:
    """The source of one discussion; its folder has the name of the discussion."""
    return Source(
        folder.name,
        json.loads(_read(folder / "discussion.json")),
        _parse_transcript(_read(folder / "transcript.md")),
        dict(_parse_sections(_read(folder / "memories.md"))),
        dict(_parse_sections(_read(folder / "summary.md"))),
        json.loads(_read(folder / "vector_memories.json")),
        {path.name: _read(path).strip() for path in sorted(folder.glob("state_document.md*"))},
    )


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _parse_sections(text: str) -> list[tuple[str, str]]:
    """Heading and trimmed text of every second-level section."""
    parts = _HEADING.split(text)[1:]
    return [(heading.strip(), body.strip()) for heading, body in zip(parts[::2], parts[1::2], strict=True)]


def _parse_transcript(text: str) -> Transcript:
    messages: list[Mapping[str, str]] = []
    times: list[datetime] = []
    for heading, body in _parse_sections(text):
        role, _, stamp = heading.partition(", ")
        messages.append({"role": role, "content": body})
        if role == "user":
            times.append(datetime.fromisoformat(stamp))
        elif role == "assistant":
            times.append(times[-1] + timedelta(seconds=6 + len(body) // _WRITING_SPEED))
    return Transcript(tuple(messages), tuple(times))
