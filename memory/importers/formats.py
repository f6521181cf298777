"""What a format is, and the file it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from memory.importers.events import ImportEvent
from memory.importers.json_stream import JsonCursor
from memory.importers.text import TextSource


@dataclass(slots=True)
class SourceFile:
    """One file, or one member of a ZIP file, that may be read several times from its beginning."""

    reopen: Callable[[], BinaryIO]
    """Opens it anew."""
    name: str = ""
    source: TextSource | None = None
    """What is being read."""

    def text(self) -> TextSource:
        """Its text from the beginning."""
        self.source = TextSource(self.reopen())
        return self.source

    def cursor(self) -> JsonCursor:
        """Its JSON from the beginning."""
        return JsonCursor(self.text())


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """One way in which programs keep chats."""

    name: str
    """Stored with the transcript."""
    title: str
    """For people."""
    recognises: Callable[[Any], bool]
    """Whether a file whose first value shows this much is of this format; the value may be cut."""
    read: Callable[[SourceFile], Iterator[ImportEvent]]
    """Everything in the file; each conversation begins with a ConversationStart."""


def first_of(value: Any) -> Any:
    """The first element of a list that is an object or a list; the value itself if it is no list."""
    if not isinstance(value, list):
        return value
    return next((item for item in value if isinstance(item, dict | list)), None)


def dict_of(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """The value if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""
