"""Packing messages into chunks, newest first, so that the oldest chunk holds what is left (memory.md §8.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.engine.hashing import hash_message
from memory.engine.messages import join_contents
from memory.engine.tokens import estimate_tokens
from memory.types import Message

FILL_RATIO = 0.8
"""How much of the chunk size is packed before a new chunk begins."""

_ROLE_LABELS = ("User: ", "USER: ", "Assistant: ", "ASSISTANT: ", "systemMes: ", "SYSTEMMES: ")


@dataclass(frozen=True, slots=True)
class Span:
    """Positions `[start, end)` in a list of messages."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def shift(self, by: int) -> Span:
        """The same stretch in a longer list that has `by` more messages in front."""
        return Span(self.start + by, self.end + by)


@dataclass(frozen=True, slots=True)
class PackedChunk:
    """A run of consecutive messages that becomes one memory."""

    messages: tuple[Message, ...]
    span: Span

    @property
    def text(self) -> str:
        """The contents joined by line feeds."""
        return join_contents(self.messages)

    @property
    def hash(self) -> str:
        """The identity of its last message; raises MissingContentError if that has no content."""
        return hash_message(self.messages[-1])

    @property
    def first_hash(self) -> str:
        """The identity of its first message."""
        return hash_message(self.messages[0])


def list_spans(messages: Sequence[Message], chunk_size: int) -> list[Span]:
    """The spans of the chunks in chronological order. No message is dropped; a long one stands alone."""
    limit = FILL_RATIO * chunk_size
    spans: list[Span] = []
    end, size = len(messages), 0
    for position in range(len(messages) - 1, -1, -1):
        tokens = estimate_tokens(messages[position].text)
        if position + 1 < end and size + tokens > limit:
            spans.append(Span(position + 1, end))
            end, size = position + 1, 0
        size += tokens
    if end:
        spans.append(Span(0, end))
    return spans[::-1]


def pack_messages(messages: Sequence[Message], chunk_size: int, *, offset: int = 0) -> list[PackedChunk]:
    """The chunks of these messages in chronological order; `offset` is the position of the first message."""
    return [
        PackedChunk(tuple(messages[span.start : span.end]), span.shift(offset))
        for span in list_spans(messages, chunk_size)
    ]


def list_recent_texts(messages: Sequence[Message], count: int, chunk_size: int) -> list[str]:
    """Text chunks of the last `count` messages; with 0, of all but the last message."""
    recent = messages[-count:] if count > 0 else messages[:-1]
    return [chunk.text for chunk in pack_messages(recent, chunk_size)]


def remove_role_labels(texts: Iterable[str | None]) -> list[str]:
    """The texts without role labels, anywhere in them; null elements are dropped."""
    return [_without_labels(text) for text in texts if text is not None]


def _without_labels(text: str) -> str:
    for label in _ROLE_LABELS:
        text = text.replace(label, "")
    return text
