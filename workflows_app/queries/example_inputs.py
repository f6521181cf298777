"""What a memory workflow would be given for a discussion, as an example (configs.md §9)."""

from __future__ import annotations

from collections.abc import Sequence

from memory import wiring as memory_wiring
from memory.queries import retrieval
from memory.results import ApiKeys
from memory.types import DiscussionRef
from wilmer_site.lib.errors import WilmerError
from workflows_app.engine.conversation import text_of
from workflows_app.engine.variables import build_inputs
from workflows_app.types import ChatMessage

CHUNK_MESSAGES = 5
"""So many of the newest messages stand for the chunk."""
NEWEST_MEMORIES = 3


def build_example_inputs(ref: DiscussionRef, messages: Sequence[ChatMessage], keys: ApiKeys) -> dict[str, str]:
    """Four inputs: a chunk of messages, the newest three memories, all memories, and the rolling summary."""
    chunk = "\n".join(text_of(message) for message in messages[-CHUNK_MESSAGES:])
    try:
        files = memory_wiring.open_discussion(ref, keys)
    except WilmerError:
        return build_inputs([chunk])
    recent = retrieval.RecentMemoryRequest(max_turns=0, max_chunks=NEWEST_MEMORIES)
    return build_inputs(
        [
            chunk,
            retrieval.get_recent_memories(files, (), recent),
            retrieval.get_all_memories(files),
            retrieval.get_current_summary(files),
        ]
    )
