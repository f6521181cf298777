from __future__ import annotations

from pathlib import Path

import pytest

from memory.errors import MemoryNotFoundError
from memory.queries.vector_memories import get_vector_memory, get_vector_store, list_vector_memories
from memory.results import DatabaseState
from tests.builders import API_KEY, MODEL, build_discussion
from wilmer_site.lib.paging import PageRequest


def test_get_vector_store_counts(public: Path) -> None:
    store = get_vector_store(build_discussion(public, memories=3))

    assert (store.state, store.memory_count, store.embedding_counts) == (DatabaseState.READY, 3, {MODEL: 3})
    assert store.schema_generation == "embeddings"


def test_get_vector_store_of_an_encrypted_discussion_needs_no_key(public: Path) -> None:
    store = get_vector_store(build_discussion(public, api_key=API_KEY, encrypted=True, memories=3))

    assert store.memory_count == 3


@pytest.mark.parametrize(
    ("data", "state"),
    [(None, DatabaseState.ABSENT), (b"", DatabaseState.NOTHING_STORED), (b"nonsense" * 99, DatabaseState.UNREADABLE)],
)
def test_get_vector_store_tells_the_kinds_of_nothing_apart(
    public: Path, data: bytes | None, state: DatabaseState
) -> None:
    ref = build_discussion(public, memories=None)
    if data is not None:
        (public / "DiscussionIds/anna/vector_memory.db").write_bytes(data)

    assert get_vector_store(ref).state is state
    assert list_vector_memories(ref, PageRequest()).total == 0


def test_get_vector_store_refuses_a_link_out_of_the_folder(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public, memories=None)
    (tmp_path / "outside.db").write_bytes(b"")
    (public / "DiscussionIds/anna/vector_memory.db").symlink_to(tmp_path / "outside.db")

    assert get_vector_store(ref).state is DatabaseState.UNREADABLE


def test_list_vector_memories_gives_pages_newest_first(public: Path) -> None:
    page = list_vector_memories(build_discussion(public, memories=5), PageRequest(1, 2))

    assert ([memory.id for memory in page.items], page.total) == ([5, 4], 5)


def test_list_vector_memories_can_filter(public: Path) -> None:
    page = list_vector_memories(build_discussion(public, memories=12), PageRequest(), contains="NUMBER 1")

    assert sorted(memory.id for memory in page.items) == [1, 10, 11, 12]
    assert page.total == 4


def test_get_vector_memory_raises_for_an_unknown_id(public: Path) -> None:
    ref = build_discussion(public, memories=1)

    assert get_vector_memory(ref, 1).title == "Tree 1"
    with pytest.raises(MemoryNotFoundError):
        get_vector_memory(ref, 2)
