"""How the JSON of a recorded case becomes our values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memory.engine.messages import parse_messages
from memory.types import Entry, Message


def messages_of(raw: Iterable[Mapping[str, Any]]) -> list[Message]:
    return parse_messages(list(raw))


def entries_of(raw: Iterable[Mapping[str, str]] | None) -> list[Entry]:
    return [Entry(item["text_block"], item["hash"]) for item in raw or ()]


def entries_as_json(entries: Iterable[Entry]) -> list[dict[str, str]]:
    return [{"text_block": entry.text, "hash": entry.hash} for entry in entries]
