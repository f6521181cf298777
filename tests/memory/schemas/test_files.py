from __future__ import annotations

from pathlib import Path

import pytest

from memory.schemas.files import shown_path
from memory.types import Generation

ROOT = Path("/home/ann/Public/DiscussionIds")


@pytest.mark.parametrize(
    ("path", "generation", "shown"),
    [
        (ROOT / "trip/memories.json", Generation.NESTED, "DiscussionIds/trip/memories.json"),
        (ROOT / "0123456789abcdef/trip/a.db", Generation.NESTED, "DiscussionIds/0123456789abcdef/trip/a.db"),
        (ROOT / "0123456789abcdef/a.db", Generation.NESTED, "DiscussionIds/0123456789abcdef/a.db"),
        (ROOT / "trip_memories.json", Generation.FLAT, "DiscussionIds/trip_memories.json"),
        (ROOT / "0123456789abcdef/a.jsonl", Generation.GUIDE_FLAT, "DiscussionIds/0123456789abcdef/a.jsonl"),
        (ROOT.parent / "trip_vector_memory.db", Generation.LEGACY_PUBLIC, "trip_vector_memory.db"),
        (Path("/a.json"), Generation.NESTED, "a.json"),
    ],
)  # fmt: skip
def test_shown_path_starts_at_the_folder_of_discussions(path: Path, generation: Generation, shown: str) -> None:
    assert shown_path(path, generation) == shown
