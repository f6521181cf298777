"""Reading what a test wrote."""

from __future__ import annotations

import io
import json
from typing import Any

from memory.engine.transcripts import Said
from memory.importers.events import ConversationStart, ImportProblem
from memory.importers.reading import FormatFound, ReadEvent, read_chats


def read(data: bytes | str) -> list[ReadEvent]:
    """Everything that comes out of a file."""
    return list(read_chats(io.BytesIO(data.encode() if isinstance(data, str) else data)))


def read_json(value: Any) -> list[ReadEvent]:
    """The same of a JSON file."""
    return read(json.dumps(value))


def said_in(events: list[ReadEvent]) -> list[tuple[str, str]]:
    """Roles and texts."""
    return [(event.role, event.content) for event in events if isinstance(event, Said)]


def messages_in(events: list[ReadEvent]) -> list[Said]:
    """Every message."""
    return [event for event in events if isinstance(event, Said)]


def starts_in(events: list[ReadEvent]) -> list[ConversationStart]:
    """Every conversation."""
    return [event for event in events if isinstance(event, ConversationStart)]


def problems_in(events: list[ReadEvent]) -> list[ImportProblem]:
    """Everything that was left out or mended."""
    return [event for event in events if isinstance(event, ImportProblem)]


def format_of(events: list[ReadEvent]) -> str:
    """The format that was found first; empty for none."""
    return next((event.format.name for event in events if isinstance(event, FormatFound)), "")
