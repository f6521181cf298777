"""Chats attached to discussions, written straight into the tables."""

from __future__ import annotations

from datetime import datetime, timedelta

from memory import wiring
from memory.models import Transcript, TranscriptMessage
from memory.types import DiscussionRef
from tests.builders import hash_of
from wilmer_site.lib.clock import utc_now


def attach_chat(ref: DiscussionRef, count: int, *, started: datetime | None = None) -> Transcript:
    """Messages `message 1`, `message 2`, …, a minute apart, hashed as the ledgers of the builders are."""
    begun = started or utc_now() - timedelta(minutes=count)
    folder = str(wiring.get_public_folder().discussions_root)
    row = Transcript.objects.create(
        folder=folder, discussion=ref.text, format="openai", message_count=count, created_at=begun, updated_at=begun
    )
    TranscriptMessage.objects.bulk_create(
        TranscriptMessage(
            transcript=row,
            number=number,
            role="user",
            content=f"message {number}",
            sent_at=begun + timedelta(minutes=number - 1),
            hash=hash_of(f"message {number}"),
        )
        for number in range(1, count + 1)
    )
    return row
