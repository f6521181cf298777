"""Names and folders beyond the recorded cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.stores.layouts import create_folder, parse_flat_name
from memory.stores.public_folder import RootChoices, build_public_folder
from memory.types import Artefact, Generation
from tests.memory.stores.folders import a_ref


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("talk_memories.json", ("talk", Artefact.MEMORIES, Generation.FLAT, True)),
        ("talk_Memories.JSON", ("talk", Artefact.MEMORIES, Generation.FLAT, False)),
        ("talk_chat_summary.json", ("talk", Artefact.SUMMARY, Generation.FLAT, True)),
        ("a_b_context_compactor_old.json", ("a_b", Artefact.COMPACTOR_OLD, Generation.FLAT, True)),
        ("talk_summary.jsonl", ("talk", Artefact.SUMMARY, Generation.GUIDE_FLAT, True)),
        ("talk_vector_memory.db", ("talk", Artefact.VECTOR_MEMORY, Generation.FLAT, True)),
        ("talk_state_document.md", None),
        ("talk_memories.json.tmp", None),
        ("memories.json", None),
        ("_memories.json", None),
        ("a:b_memories.json", None),
        ("İ_memories.json", None),
    ],
)
def test_flat_names(name: str, expected: tuple[object, ...] | None) -> None:
    assert parse_flat_name(name) == expected


def test_a_folder_that_cannot_be_made_is_an_error_without_an_old_place(tmp_path: Path) -> None:
    (tmp_path / "DiscussionIds").touch()

    with pytest.raises(OSError, match="DiscussionIds"):
        create_folder(build_public_folder(RootChoices(public_directory=str(tmp_path))), a_ref())
