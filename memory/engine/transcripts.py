"""Transcripts: what is kept of a message, and the forms of it that WilmerAI may have hashed (transcripts.md §0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.engine.braces import to_sentinels
from memory.engine.discussion_ids import remove_tags
from memory.engine.hashing import hash_message
from memory.engine.messages import ASSISTANT_LABEL, SYSTEM_ROLE, USER_LABEL
from memory.types import DiscussionRef, Message


class TextForm(StrEnum):
    """What was done to a text before it was hashed, besides what always happens."""

    RAW = "raw"
    STRIPPED = "stripped"
    ROLE_LABEL = "role-label"
    """`User: ` and `Assistant: ` in front (`chatCompleteAddUserAssistant`)."""
    NAME_LABEL = "name-label"
    """The speaker's name, a colon and a blank in front, as text completion sends it."""


class BraceForm(StrEnum):
    """What became of curly brackets."""

    SENTINELS = "sentinels"
    """The words that WilmerAI puts in their place."""
    BRACES = "braces"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way from the text of a message to the text that is hashed."""

    text: TextForm = TextForm.RAW
    braces: BraceForm = BraceForm.SENTINELS

    @property
    def code(self) -> str:
        """The name in the database, in the API and on the command line."""
        return f"{self.text.value}+{self.braces.value}"


VARIANTS = tuple(Variant(text, braces) for braces in BraceForm for text in TextForm)
"""All of them; the earlier one is preferred where several match equally well."""

DEFAULT_VARIANT = VARIANTS[0]


@dataclass(frozen=True, slots=True)
class Said:
    """One message as it was imported."""

    role: str
    content: str
    name: str = ""
    images: tuple[str, ...] = ()
    sent_at: datetime | None = None
    """Aware."""


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One message of a transcript and its place in it."""

    number: int
    """From 1, the oldest."""
    role: str
    name: str
    text: str
    """As imported: real braces, no label, and the tag if there is one."""
    sent_at: datetime | None
    hash: str
    """Identity in the transcript's variant; empty for messages that memory never sees."""
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TranscriptCard:
    """What is known of the transcript of a discussion."""

    ref: DiscussionRef
    id: int
    title: str
    format: str
    source_name: str
    source_digest: str
    variant: Variant
    message_count: int
    created_at: datetime
    updated_at: datetime
    imported_by: str


def find_variant(code: str) -> Variant | None:
    """The variant of that name; None when there is none."""
    return next((variant for variant in VARIANTS if variant.code == code), None)


def prepare_message(said: Said, variant: Variant) -> Message | None:
    """The message as the memory layer receives it (memory.md §1); None for a blank one, which is dropped (step 7).

    System messages are kept; they get no label.
    """
    content = remove_tags(_with_braces(_with_form(said, variant.text), variant.braces))
    return Message(said.role, content, said.images) if content.strip() or said.images else None


def hash_said(said: Said, variant: Variant) -> str:
    """The identity of a message in a variant; empty for what memory never sees: system and blank messages."""
    message = None if said.role == SYSTEM_ROLE else prepare_message(said, variant)
    return hash_message(message) if message else ""


def list_variant_hashes(said: Said) -> Iterator[tuple[Variant, str]]:
    """The identity of a message in every variant; a text is hashed once, however many variants share it."""
    known: dict[str, str] = {}
    for variant in VARIANTS:
        message = None if said.role == SYSTEM_ROLE else prepare_message(said, variant)
        if message is None:
            continue
        if message.text not in known:
            known[message.text] = hash_message(message)
        yield variant, known[message.text]


def _with_form(said: Said, form: TextForm) -> str:
    if said.role == SYSTEM_ROLE or form is TextForm.RAW:
        return said.content
    if form is TextForm.STRIPPED:
        return said.content.strip()
    if form is TextForm.NAME_LABEL:
        return f"{said.name}: {said.content}" if said.name else said.content
    label = {"user": USER_LABEL, "assistant": ASSISTANT_LABEL}.get(said.role, "")
    return label + said.content


def _with_braces(content: str, form: BraceForm) -> str:
    return to_sentinels(content) if form is BraceForm.SENTINELS else content
