"""The chats of the sample workspace, attached once, so that a first start shows discussions with their messages."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.engine.transcripts import Said
from memory.importers.openai_parts import parse_message
from memory.models import Transcript
from memory.queries.transcripts import folder_key
from memory.services.transcripts import ImportFacts, import_transcript
from memory.types import DiscussionId, DiscussionRef
from memory.wiring import get_limit_bytes, is_read_only
from wilmer_site.lib.errors import NotFoundError, WilmerError
from wilmer_site.lib.files import etag_of, read_limited

MESSAGES, TIMES = "messages.json", "times.json"
SYSTEM = "system"


def attach_sample_transcripts(source: Path) -> int:
    """Import the chats of a folder, one folder each, unless a transcript was ever attached; returns how many.

    A discussion that is not there any more is left out.
    """
    if is_read_only() or not source.is_dir() or Transcript.objects.filter(folder=folder_key()).exists():
        return 0
    return sum(_attach(folder) for folder in sorted(source.iterdir()) if folder.is_dir())


def _attach(folder: Path) -> int:
    ref = DiscussionRef(DiscussionId(folder.name))
    try:
        data = read_limited(folder / MESSAGES, limit_bytes=get_limit_bytes())
        facts = ImportFacts("openai", MESSAGES, etag_of(data), imported_by="the sample workspace")
        import_transcript(ref, _parse(json.loads(data), _read_times(folder / TIMES)), facts)
    except WilmerError:
        return 0
    return 1


def _read_times(path: Path) -> list[str]:
    try:
        return list(json.loads(read_limited(path, limit_bytes=get_limit_bytes())))
    except NotFoundError:
        return []


def _parse(raw: list[dict[str, Any]], times: list[str]) -> list[Said]:
    """Times belong to the messages that are not system messages, in order."""
    waiting = iter(times)
    said = [parse_message(item, None if item.get("role") == SYSTEM else _time(next(waiting, ""))) for item in raw]
    return [message for message in said if message]


def _time(text: str) -> datetime | None:
    return datetime.fromisoformat(text).astimezone() if text else None
