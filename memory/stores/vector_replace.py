"""Some memories taken out and others put in their place, in one short transaction (traps V1, V2, V4)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memory.stores.vector_index_row import build_index_row, build_memory_text, format_metadata
from memory.stores.vector_rows import StoredMemory, insert_memory, put_index_row, read_stored_memory, remove_memory
from memory.stores.vector_writes import MemoryBatch, MemoryChangedError, changing
from memory.types import DiscussionId


def replace_memories(
    path: Path, discussion_id: DiscussionId, seen: Sequence[StoredMemory], batch: MemoryBatch, *, date: str
) -> tuple[StoredMemory, ...]:
    """Remove the memories that were seen and store new ones under one date; returns the new ones.

    Raises UnstorableMemoryError for a memory that cannot be stored, MemoryChangedError when a seen one is not as it
    was seen and MemoryNotFoundError when it is gone; then nothing is changed. The hash log stays as it is.
    """
    prepared = [
        (
            build_memory_text(memory.text),
            format_metadata(memory.metadata),
            build_index_row(memory.text, memory.metadata, index_topics=batch.index_topics),
        )
        for memory in batch.memories
    ]
    with changing(path) as connection:
        for memory in seen:
            if read_stored_memory(connection, memory.id) != memory:
                raise MemoryChangedError(
                    f"Vector memory {memory.id} was changed by somebody else just now. Look at it again.",
                    text=memory.text,
                    metadata_json=memory.metadata_json,
                )
            remove_memory(connection, memory.id)
        added = []
        for text, metadata_json, index_row in prepared:
            memory_id = insert_memory(connection, (discussion_id, text, date, metadata_json))
            put_index_row(connection, memory_id, index_row)
            added.append(read_stored_memory(connection, memory_id))
        return tuple(added)
