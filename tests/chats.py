"""Chats that tests attach to discussions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memory.engine.transcripts import Said, Variant
from memory.services.transcripts import ImportChoices, ImportFacts, import_transcript
from memory.types import DiscussionRef
from tests.builders import build_discussion, build_ref

ROLES = ("user", "assistant")


def build_chat(texts: Sequence[str]) -> list[Said]:
    """User and assistant in turn."""
    return [Said(ROLES[at % 2], text) for at, text in enumerate(texts)]


def attach(ref: DiscussionRef, chat: Sequence[Said], variant: Variant | None = None) -> None:
    """Make a chat the transcript of a discussion."""
    import_transcript(ref, chat, ImportFacts("openai", "chat.json", imported_by="reader"), ImportChoices(variant))


def attach_chat(public: Path, discussion_id: str, texts: Sequence[str]) -> DiscussionRef:
    """A discussion whose transcript says these texts."""
    ref = build_ref(discussion_id)
    if not (public / "DiscussionIds" / discussion_id).exists():
        build_discussion(public, discussion_id)
    attach(ref, build_chat(texts))
    return ref
