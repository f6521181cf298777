"""Writing the same vector database as WilmerAI at the same time: neither loses a row."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from memory.services.embeddings import embed_everything
from memory.services.workshop import Workshop
from memory.stores.vector_reindex import reindex_memories
from memory.stores.vector_writes import (
    MemoryBatch,
    MemoryChange,
    NewMemory,
    add_memories,
    create_database,
    delete_memories,
    edit_memory,
)
from tests.builders import open_public_folder
from tests.memory.services.killing import ROOT
from tests.memory.services.test_embeddings import FakeEmbedder
from tests.memory.services.worlds import FakeModel, build_workshop
from wilmer_site.lib.sqlite import watch_transactions

THEIRS = 1500 if os.environ.get("WILMER_SOAK") else 60


@pytest.mark.slow
def test_neither_writer_loses_a_row(tmp_path: Path, settings: object) -> None:
    workshop = build_workshop(tmp_path, FakeModel(), {}, embedder=FakeEmbedder())
    create_database(workshop.database.path)
    kept: set[str] = set()

    with start_wilmer(workshop.database.path) as theirs:
        for number in our_turns(theirs):
            change_everything(workshop, number, kept)

    embed_everything(workshop)
    assert theirs.returncode == 0, "WilmerAI could not write"
    texts = [row.text for row in workshop.database.list_memories(offset=0, limit=100_000)]
    assert sorted(texts) == sorted([*kept, *(f"theirs {number}" for number in range(THEIRS))])
    assert workshop.database.count_progress() == THEIRS + len(kept)
    open_public_folder(settings, tmp_path)
    assert run_doctor() == "1 checked: 0 errors, 0 warnings.\n"


def run_doctor() -> str:
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    return out.getvalue()


def start_wilmer(path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.memory.services.wilmer_writer", str(path), str(THEIRS)], cwd=ROOT
    )


def our_turns(theirs: subprocess.Popen[bytes]) -> Iterator[int]:
    """Numbers for as long as the other program writes, a few at least."""
    number = 0
    while theirs.poll() is None or number < 5:
        yield number
        number += 1


def change_everything(workshop: Workshop, number: int, kept: set[str]) -> None:
    """Add three, edit one, delete one, embed, and sometimes make the whole index anew."""
    path, discussion_id = workshop.database.path, workshop.ref.discussion_id
    texts = [f"ours {number} {letter}" for letter in "abc"]
    memories = tuple(NewMemory(text, build_metadata(text)) for text in texts)
    batch = MemoryBatch(memories, message_hash=f"ours {number}")
    added = add_memories(path, discussion_id, batch, now=datetime.now(UTC))
    edit_memory(path, added.ids[0], MemoryChange(f"ours {number} edited", build_metadata("")))
    delete_memories(path, added.ids[1:])
    kept.add(f"ours {number} edited")
    if number % 5 == 0:
        list(reindex_memories(path, index_topics=False))
    embed_everything(workshop, replace=number % 5 == 1)


def build_metadata(text: str) -> dict[str, object]:
    return {"title": "", "summary": text, "entities": [], "key_phrases": []}


def test_the_time_others_wait_is_told(tmp_path: Path) -> None:
    held: list[float] = []

    with watch_transactions(held.append):
        create_database(tmp_path / "vector_memory.db")
    create_database(tmp_path / "vector_memory.db")

    assert len(held) == 1


def test_work_on_a_large_database_is_done_in_bounded_pieces(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    workshop = build_workshop(tmp_path, FakeModel(), {}, embedder=embedder)
    path, held = workshop.database.path, list[float]()
    memories = tuple(NewMemory(str(number), build_metadata(str(number))) for number in range(2000))
    add_memories(path, workshop.ref.discussion_id, MemoryBatch(memories), now=datetime.now(UTC))

    with watch_transactions(held.append):
        list(reindex_memories(path, index_topics=False))
        reindexed = len(held)
        embed_everything(workshop)

    assert reindexed >= 4
    assert max(map(len, embedder.requests)) == 32
    assert len(held) - reindexed == len(embedder.requests)
