"""Revisions of vector memories: the rows of the memories concerned, before and after, byte for byte."""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction

from memory.journal.authorship import current_authorship
from memory.journal.contents import keep_content
from memory.journal.permission import check_may_write
from memory.models import Revision
from memory.stores.journaling import RowRecord, RowState
from memory.stores.vector_rows import StoredMemory
from memory.types import Artefact, DiscussionRef
from wilmer_site.lib.clock import utc_now


@contextlib.contextmanager
def recording_rows(
    discussions_root: object, ref: DiscussionRef, before: RowState, *, is_read_only: bool = False
) -> Iterator[RowRecord]:
    """Keep rows before they are changed inside the block.

    The block sets `record.after`; a block that raises leaves no revision. Raises RefusedError when the console may
    change nothing. Hold the discussion's lock around it.
    """
    check_may_write(is_read_only=is_read_only)
    signed = current_authorship()
    with transaction.atomic():  # The content must not be dropped before the revision names it.
        revision = Revision.objects.create(
            folder=str(discussions_root),
            discussion=ref.text,
            artefact=Artefact.VECTOR_MEMORY.value,
            created_at=utc_now(),
            actor=signed.actor,
            origin=signed.origin,
            action=signed.action,
            batch=signed.batch,
            undoes=signed.undoes,
            before=keep_content(format_rows(before)),
        )
    record = RowRecord()
    try:
        yield record
    except BaseException:
        revision.delete()
        raise
    with transaction.atomic():
        revision.after = keep_content(format_rows(record.after)) if record.after is not None else None
        revision.state = Revision.State.DONE
        revision.save(update_fields=["after", "state"])


def format_rows(state: RowState) -> bytes:
    """Rows as JSON that `parse_rows` reads."""
    value = {
        "memories": [_to_object(memory) for memory in state.memories],
        "absent": list(state.absent),
        "progress": [dict(row) for row in state.progress],
    }
    return json.dumps(value, sort_keys=True).encode()


def parse_rows(data: bytes) -> RowState:
    """The rows that `format_rows` wrote."""
    value = json.loads(data)
    memories = tuple(_to_memory(item) for item in value["memories"])
    return RowState(memories, tuple(value["absent"]), tuple(value["progress"]))


def _to_object(memory: StoredMemory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "discussion_id": memory.discussion_id,
        "text": memory.text,
        "date_added": memory.date_added,
        "metadata_json": memory.metadata_json,
        "index_row": None if memory.index_row is None else list(memory.index_row),
        "embeddings": [[model, dim, base64.b64encode(blob).decode()] for model, dim, blob in memory.embeddings],
    }


def _to_memory(item: Mapping[str, Any]) -> StoredMemory:
    index_row = item["index_row"]
    return StoredMemory(
        id=item["id"],
        discussion_id=item["discussion_id"],
        text=item["text"],
        date_added=item["date_added"],
        metadata_json=item["metadata_json"],
        index_row=None if index_row is None else tuple(index_row),
        embeddings=tuple((model, dim, base64.b64decode(blob)) for model, dim, blob in item["embeddings"]),
    )


__all__ = ["RowRecord", "RowState", "format_rows", "parse_rows", "recording_rows"]
