"""Descriptions of pictures, kept for a discussion so that a picture is described once (memory.md §3.3, §4)."""

from __future__ import annotations

from memory.services.workshop import SAFE_STATES
from memory.stores.discussion_files import DiscussionFiles


def find_vision_responses(files: DiscussionFiles | None) -> dict[str, str]:
    """Descriptions by hash of text and pictures; none without a discussion or when the file cannot be read."""
    if files is None:
        return {}
    return {key: text for key, text in files.read_vision_responses().values.items() if isinstance(text, str)}


def save_vision_response(files: DiscussionFiles | None, key: str, text: str) -> bool:
    """Keep one description beside the others; False when there is no place for it, or an unreadable file (W07).

    A blank description is not kept, so that the picture is asked about again.
    """
    if files is None or not text.strip():
        return False
    with files.lock():
        stored = files.read_vision_responses()
        if stored.report.state not in SAFE_STATES:
            return False
        files.write_vision_responses({**stored.values, key: text})
    return True
