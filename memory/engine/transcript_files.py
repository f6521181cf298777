"""What was found in a chat file, and what may become of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """One conversation of a file."""

    number: int
    """From 1."""
    title: str
    count: int
    """Messages."""
    first_at: str
    """ISO 8601; empty when no message has a time."""
    last_at: str
    discussion_id: str
    """What a `[DiscussionId]` tag names; empty for none."""
    opening: str
    """How its first message of a person begins."""


@dataclass(frozen=True, slots=True)
class FoundProblem:
    """Something that was left out or mended."""

    text: str
    line: int | None = None
    column: int | None = None
    file: str = ""


@dataclass(frozen=True, slots=True)
class FileContents:
    """Everything that was found in a file."""

    format: str
    """Empty when the file is no chat."""
    format_title: str
    conversations: tuple[FoundConversation, ...]
    problems: tuple[FoundProblem, ...]
    """The first of them."""
    problem_count: int

    @property
    def message_count(self) -> int:
        """Messages of all conversations."""
        return sum(conversation.count for conversation in self.conversations)

    def to_json(self) -> dict[str, Any]:
        """For keeping."""
        return asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> FileContents:
        """The reverse of `to_json`."""
        return cls(
            format=raw["format"],
            format_title=raw["format_title"],
            conversations=tuple(FoundConversation(**item) for item in raw["conversations"]),
            problems=tuple(FoundProblem(**item) for item in raw["problems"]),
            problem_count=raw["problem_count"],
        )
