"""Chat files that were brought in and not decided about yet, so that a page that was left is found again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from memory.services.transcripts_importing import FILE, Phase, Progress, get_progress
from memory.stores.uploads import Upload
from memory.types import DiscussionRef
from memory.wiring import get_uploads
from wilmer_site.lib.errors import WilmerError


@dataclass(frozen=True, slots=True)
class PendingImport:
    """One file on its way."""

    upload_id: str
    ref: DiscussionRef
    file_name: str
    actor: str
    received_at: datetime
    progress: Progress


def list_pending(ref: DiscussionRef | None = None) -> tuple[PendingImport, ...]:
    """Files that are read, wait for a decision, are imported or failed, the newest first; of all discussions without
    a `ref`. What was imported is no longer pending.
    """
    found = (_find_pending(upload) for upload in get_uploads().list_all())
    return tuple(one for one in found if one is not None and ref in (None, one.ref))


def _find_pending(upload: Upload) -> PendingImport | None:
    """None when it is done, or was forgotten while it was looked at."""
    facts, progress = upload.read_notes(FILE), get_progress(upload)
    if progress.phase is Phase.IMPORTED or "discussion" not in facts:
        return None
    try:
        ref = DiscussionRef.parse(str(facts["discussion"]))
    except WilmerError:
        return None
    received = datetime.fromtimestamp(upload.received_at, UTC)
    return PendingImport(upload.id, ref, str(facts["name"]), str(facts["actor"]), received, progress)
