"""Storing memories, ranking vectors and deciding a turn, each beside the plain way of doing it in the same run.

The plain ways are written here: a connection and a commit per memory, cosine in Python, hashing every message at every
turn. Peaks are of memory that Python and NumPy allocate, from a run of their own.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import shutil
import sqlite3
import struct
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from operator import mul
from pathlib import Path

from benchmarks import Cell, Table, best_milliseconds
from memory.engine.hashing import hash_message
from memory.engine.memory_settings import MemorySettings
from memory.engine.new_messages import build_trail
from memory.engine.triggers import Decision, WriterPath
from memory.services.creation import create_memories
from memory.services.results import CreationStatus
from memory.services.workshop import Workshop
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.stores.vector_embeddings import EmbeddingRow, store_embeddings
from memory.stores.vector_matrices import forget_matrices, list_nearest
from memory.stores.vector_reindex import reindex_memories
from memory.stores.vector_schema import create_missing_tables
from memory.stores.vector_state import reading
from memory.stores.vector_writes import (
    MemoryBatch,
    MemoryChange,
    NewMemory,
    add_memories,
    delete_memories,
    edit_memory,
    log_progress,
)
from memory.types import Artefact, DiscussionId, DiscussionRef, Entry, Message
from wilmer_site.lib.sqlite import watch_transactions

MEMORIES = int(os.environ.get("BENCH_ADDED", "1000"))
VECTORS = int(os.environ.get("BENCH_VECTORS", "50000"))
DIMENSIONS = 384
MESSAGES = (1_000, 10_000, 30_000)
STORED = 20_000
NOW = datetime(2026, 3, 1, tzinfo=UTC)
ID = DiscussionId("bench")


def measure() -> Table:
    """One row per comparison, and one for the longest time our writing keeps others waiting."""
    folder = Path(tempfile.mkdtemp(prefix="wilmer-bench-"))
    try:
        rows = [measure_adding(folder), *measure_ranking(folder), *measure_turns(folder), measure_waiting(folder)]
    finally:
        shutil.rmtree(folder)
    setup = (
        f"{MEMORIES:,} memories; {VECTORS:,} vectors of {DIMENSIONS}, 10 wanted; turns with 6 new messages; best of 3"
    )
    return Table("Memory work, milliseconds", setup, rows)


def measure_adding(folder: Path) -> Mapping[str, Cell]:
    """Memories of one call, into a new file each time."""
    made = iter(range(1000))
    memories = [build_metadata(f"Memory {number} about pots and rain") for number in range(MEMORIES)]
    batch = MemoryBatch(tuple(NewMemory(item["summary"], item) for item in memories), message_hash="0" * 64)

    def plain() -> None:
        add_plainly(folder / f"plain{next(made)}.db", memories)

    def ours() -> None:
        add_memories(folder / f"ours{next(made)}.db", ID, batch, now=NOW)

    return compare(f"add {MEMORIES:,} memories in one call", plain, ours, target=15)


def add_plainly(path: Path, memories: Sequence[Mapping[str, object]]) -> None:
    """A connection and a commit per memory."""
    for item in memories:
        with closing(sqlite3.connect(path)) as connection, connection:
            create_missing_tables(connection)
            values = (ID, item["summary"], NOW.isoformat(), json.dumps(item))
            statement = (
                "INSERT INTO memories (discussion_id, memory_text, date_added, metadata_json) VALUES (?, ?, ?, ?)"
            )
            row_id = connection.execute(statement, values).lastrowid
            columns = (row_id, item["title"], item["summary"], "Ada", "clay pots", item["summary"])
            connection.execute(
                "INSERT INTO memories_fts (rowid, title, summary, entities, key_phrases, memory_text_unweighted)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                columns,
            )


def measure_ranking(folder: Path) -> list[Mapping[str, Cell]]:
    """The same question to a file whose vectors are known, and to one that was never asked."""
    path = folder / "ranking.db"
    build_vectors(path)
    choose = random.Random(7)
    query = [choose.gauss(0, 1) for _ in range(DIMENSIONS)]

    def ours() -> list[int]:
        with reading(path) as connection:
            connection.execute("BEGIN")
            return [found for found, _ in list_nearest(connection, path, "bench", query, limit=10)]

    def cold() -> list[int]:
        forget_matrices()
        return ours()

    def plain() -> list[int]:
        return rank_plainly(path, query)

    assert plain() == cold() == ours()
    name = f"rank {VECTORS:,} vectors"
    return [
        compare(f"{name}, warm", plain, ours, target=50, rounds=2),
        compare(f"{name}, cold file", plain, cold, target=8, rounds=2),
    ]


def rank_plainly(path: Path, query: Sequence[float]) -> list[int]:
    """Cosine in Python over every stored vector."""
    length = math.sqrt(sum(map(mul, query, query)))
    scored = []
    with closing(sqlite3.connect(path)) as connection:
        for memory_id, blob in connection.execute("SELECT memory_id, vector FROM memory_embeddings"):
            vector = struct.unpack(f"<{DIMENSIONS}f", blob)
            norm = length * math.sqrt(sum(map(mul, vector, vector)))
            scored.append((-sum(map(mul, query, vector)) / norm, memory_id))
    return [memory_id for _, memory_id in sorted(scored)[:10]]


def measure_turns(folder: Path) -> list[Mapping[str, Cell]]:
    """A turn that is too early for a memory, in conversations of several lengths."""
    return [measure_turn(folder, count, path) for path in WriterPath for count in MESSAGES]


def measure_turn(folder: Path, count: int, path: WriterPath) -> Mapping[str, Cell]:
    """Deciding one turn; both ways read what is known of earlier ones: the ledger or the hash log."""
    messages = [Message("user", f"message {number} " + "and so it goes on " * 12) for number in range(count)]
    workshop = build_workshop(folder / f"{path}turns{count}")
    done = count - 9
    trail = build_trail(messages, done)
    remember(workshop, messages[:done])
    workshop.log.save_trail(workshop.ref, path, trail)

    def plain() -> int:
        if path is WriterPath.VECTOR:
            known = workshop.database.list_progress()[0].message_hash
        else:
            known = json.loads(workshop.files.place(Artefact.MEMORIES).path.read_bytes())[-1]["hash"]
        hashes = [hashlib.sha256((message.content or "").encode()).hexdigest() for message in messages]
        return 1 + {text: at for at, text in enumerate(hashes)}[known]

    def ours() -> Decision:
        result = create_memories(workshop, messages, path=path)
        assert result.status is CreationStatus.NOTHING_TO_DO
        return result.decision

    decided = ours()
    assert decided.new
    assert decided.new.span
    assert plain() == decided.new.span.start == done
    what = f"a turn after {count:,} messages, {path} path"
    return compare(what, plain, ours, target=10 if count == max(MESSAGES) else 0)


def remember(workshop: Workshop, messages: Sequence[Message]) -> None:
    """What earlier turns left: a memory for every ninth message and a hash log, long enough ago to have settled."""
    newest_first = [Entry("It rained on the pots. " * 20, hash_message(message)) for message in messages[::-9]]
    workshop.files.write_memories(newest_first[::-1])
    log_progress(workshop.database.path, ID, hash_message(messages[-1]), now=NOW)
    long_ago = time.time() - 60
    os.utime(workshop.files.place(Artefact.MEMORIES).path, (long_ago, long_ago))


def measure_waiting(folder: Path) -> Mapping[str, Cell]:
    """The longest write transaction while a large database is added to, edited, cleaned, embedded and indexed anew."""
    path, held = folder / "waiting.db", list[float]()
    fill(path, STORED)
    batch = MemoryBatch(tuple(NewMemory(f"new {number}", build_metadata(f"new {number}")) for number in range(10)))
    with watch_transactions(held.append):
        for _ in range(50):
            added = add_memories(path, ID, batch, now=NOW)
            edit_memory(path, added.ids[0], MemoryChange("edited", build_metadata("edited")))
            delete_memories(path, added.ids[1:])
            store_embeddings(path, "m", [EmbeddingRow(number, [0.5] * DIMENSIONS) for number in range(1, 33)])
        list(reindex_memories(path, index_topics=False))
    longest = round(max(held) * 1000, 1)
    what = f"longest of {len(held)} write transactions"
    return {"what": what, "ours": longest, "target": "<= 250", "reached": "yes" if longest <= 250 else "NO"}


def compare(
    what: str, plain: Callable[[], object], ours: Callable[[], object], *, target: int, rounds: int = 3
) -> Mapping[str, Cell]:
    """One row: both times, how many times faster, and both peaks of memory in MB."""
    slow, fast = best_milliseconds(plain, rounds=rounds), best_milliseconds(ours, rounds=rounds)
    times = round(slow / fast, 1)
    goal = {"target": f">= {target}x", "reached": "yes" if times >= target else "NO"} if target else {}
    peaks = {"plain peak MB": find_peak(plain), "peak MB": find_peak(ours)}
    return {"what": what, "plain": slow, "ours": fast, "times faster": times, **goal, **peaks}


def find_peak(work: Callable[[], object]) -> float:
    """Megabytes that the work had at most at one time beyond what was there before."""
    tracemalloc.start()
    try:
        work()
        return round(tracemalloc.get_traced_memory()[1] / 1e6, 1)
    finally:
        tracemalloc.stop()


def build_workshop(folder: Path) -> Workshop:
    """A discussion whose next memory needs more than the new messages."""
    folders = DiscussionFolders(PublicFolder(folder, folder / "Configs", folder / "DiscussionIds"))
    files = folders.open_or_create(DiscussionRef(ID), limit_bytes=50_000_000)
    settings = {
        "vectorMemoryMaxMessagesBetweenChunks": 50,
        "vectorMemoryChunkEstimatedTokenSize": 100_000,
        "chunkEstimatedTokenSize": 100_000,
        "maxMessagesBetweenChunks": 50,
    }
    return Workshop(files, MemorySettings(settings), Nobody())


class Nobody:
    """A model that is never needed here."""

    def ask(self, call: object) -> str | None:
        """Refuse."""
        raise AssertionError(f"A turn that is too early asked a model: {call!r}.")


def build_vectors(path: Path) -> None:
    """Memories with random vectors."""
    choose = random.Random(3)
    fill(path, VECTORS)
    rows = [EmbeddingRow(number, [choose.gauss(0, 1) for _ in range(DIMENSIONS)]) for number in range(1, VECTORS + 1)]
    for start in range(0, len(rows), 1000):
        store_embeddings(path, "bench", rows[start : start + 1000])


def fill(path: Path, count: int) -> None:
    """That many memories."""
    for start in range(0, count, 1000):
        texts = [f"memory {number} about pots and rain" for number in range(start, min(count, start + 1000))]
        memories = tuple(NewMemory(text, build_metadata(text)) for text in texts)
        add_memories(path, ID, MemoryBatch(memories), now=NOW)


def build_metadata(text: str) -> dict[str, object]:
    """A complete metadata object."""
    return {"title": "Pots", "summary": text, "entities": ["Ada"], "key_phrases": ["clay pots"]}
