"""Chat files on their way, as rows that lead back to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.contexts.addresses import page_address
from memory.contexts.labels import Label, format_id
from memory.services.pending_imports import PendingImport
from memory.services.transcripts_importing import RUNNING, Phase, Progress


@dataclass(frozen=True, slots=True)
class PendingRow:
    """One file on its way."""

    url: str
    file_name: str
    discussion: str
    actor: str
    received_at: datetime
    state: Label
    action: str
    """What is to be done there, as a link."""
    text: str
    done: int
    total: int
    """0 while nothing is counted."""

    @classmethod
    def build(cls, pending: PendingImport) -> PendingRow:
        """Words for one file."""
        progress = pending.progress
        is_moving = progress.phase in RUNNING and not progress.is_stale
        state, action = _describe(progress)
        return cls(
            url=page_address("transcript-review", pending.ref, pending.upload_id),
            file_name=pending.file_name or "A chat without a name",
            discussion=format_id(pending.ref.discussion_id),
            actor=pending.actor,
            received_at=pending.received_at,
            state=state,
            action=action,
            text=progress.text if is_moving or progress.phase is Phase.FAILED else "",
            done=progress.done,
            total=progress.total if is_moving else 0,
        )


def build_pending_rows(pending: Sequence[PendingImport]) -> tuple[PendingRow, ...]:
    """One row for each file."""
    return tuple(PendingRow.build(one) for one in pending)


def _describe(progress: Progress) -> tuple[Label, str]:
    if progress.is_stale:
        return Label("stopped", "stale", "Nobody has worked on this file for a minute."), "Look, or try again"
    if progress.phase is Phase.READ and progress.text:
        return Label("no chat found", "error", progress.text), "See why"
    if progress.phase is Phase.READ:
        return Label("waits for you", "stale", "The file was read; nothing is imported yet."), "Look and decide"
    if progress.phase is Phase.FAILED:
        return Label("failed", "error", progress.text), "See why"
    if progress.phase in (Phase.IMPORTING, Phase.QUEUED):
        return Label("importing", "", "The messages are being stored."), "Watch"
    return Label("reading", "", "The file is being read."), "Watch"
