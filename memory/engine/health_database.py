"""Health checks of the vector database (traps V1 to V9)."""

from __future__ import annotations

from collections.abc import Iterator

from memory.engine.health_facts import DatabaseFacts
from memory.engine.wording import format_count
from memory.results import DatabaseState, HealthCheck, HealthLevel
from memory.types import Artefact


def database_checks(facts: DatabaseFacts) -> Iterator[HealthCheck]:
    """Whether it opens; and if it does, whether its tables agree."""
    yield _state(facts)
    if facts.state not in {DatabaseState.READY, DatabaseState.INDEX_BROKEN}:
        return
    if facts.state is DatabaseState.READY:
        yield _index_rows_without_memory(facts)
        yield _memories_without_index(facts)
        yield _index_rows_that_differ(facts)
    yield _damage(facts)
    yield _embeddings_without_memory(facts)
    yield _memories_without_embedding(facts)
    yield _odd_vectors(facts)
    yield _unreadable_metadata(facts)
    yield _duplicate_log_hashes(facts)
    yield _tracker_only(facts)


def _counted(code: str, level: HealthLevel, title: str, count: int, advice: str) -> HealthCheck:
    """A check that is clean when nothing is counted."""
    if not count:
        return HealthCheck(code, HealthLevel.OK, title, "None found.", artefact=Artefact.VECTOR_MEMORY)
    evidence = f"{count:,} found."
    return HealthCheck(code, level, title, evidence, advice, count, Artefact.VECTOR_MEMORY)


def _state(facts: DatabaseFacts) -> HealthCheck:
    title = "Vector database opens"
    if facts.state in {DatabaseState.INDEX_BROKEN, DatabaseState.UNREADABLE}:
        return HealthCheck(
            f"database-{facts.state.value}",
            HealthLevel.ERROR,
            title,
            facts.problem or facts.state.value,
            "WilmerAI would only say that nothing matched. Rebuild the index, or restore the file from a backup.",
            1,
            Artefact.VECTOR_MEMORY,
        )
    evidence = {
        DatabaseState.ABSENT: "There is no vector database.",
        DatabaseState.NOTHING_STORED: facts.problem or "Nothing is stored in it.",
    }.get(facts.state, f"{format_count(facts.memory_count, 'memory', 'memories')}.")
    return HealthCheck("database-state", HealthLevel.OK, title, evidence, artefact=Artefact.VECTOR_MEMORY)


def _damage(facts: DatabaseFacts) -> HealthCheck:
    title = "Vector database file is whole"
    if not facts.damage:
        return HealthCheck("database-damaged", HealthLevel.OK, title, "SQLite finds no damage.")
    advice = "Copy the file, then restore a backup; what can still be read can be exported first."
    return HealthCheck("database-damaged", HealthLevel.ERROR, title, facts.damage, advice, 1, Artefact.VECTOR_MEMORY)


def _index_rows_without_memory(facts: DatabaseFacts) -> HealthCheck:
    """The id is used again and the insertion then fails for ever (traps V1)."""
    return _counted(
        "fts-orphans",
        HealthLevel.ERROR,
        "Index rows without their memory",
        facts.index_rows_without_memory,
        "A new memory that gets the same id cannot be stored, and WilmerAI tries again for ever. Rebuild the index.",
    )


def _memories_without_index(facts: DatabaseFacts) -> HealthCheck:
    return _counted(
        "memories-without-index",
        HealthLevel.ERROR,
        "Memories that search cannot find",
        facts.memories_without_index,
        "They have no row in the search index. Rebuild the index.",
    )


def _index_rows_that_differ(facts: DatabaseFacts) -> HealthCheck:
    return _counted(
        "fts-differs",
        HealthLevel.WARNING,
        "Memories found by old words",
        facts.index_rows_that_differ,
        "The text was changed without its index row, so search works on what it was before. Rebuild the index.",
    )


def _embeddings_without_memory(facts: DatabaseFacts) -> HealthCheck:
    return _counted(
        "embedding-orphans",
        HealthLevel.ERROR,
        "Embeddings without their memory",
        facts.embeddings_without_memory,
        "A new memory that gets the same id would inherit a foreign vector. Delete these rows.",
    )


def _memories_without_embedding(facts: DatabaseFacts) -> HealthCheck:
    title = "Memories without an embedding"
    missing = {model: count for model, count in facts.memories_without_embedding.items() if count}
    if not missing:
        evidence = "None found." if facts.embedding_counts else "No embeddings are stored."
        return HealthCheck("embeddings-missing", HealthLevel.OK, title, evidence, artefact=Artefact.VECTOR_MEMORY)
    return HealthCheck(
        "embeddings-missing",
        HealthLevel.WARNING,
        title,
        "; ".join(f"{model}: {count:,} of {facts.memory_count:,}" for model, count in missing.items()),
        "Search by meaning cannot find them. They are filled in by the next search of that kind, or by a backfill.",
        max(missing.values()),
        Artefact.VECTOR_MEMORY,
    )


def _odd_vectors(facts: DatabaseFacts) -> HealthCheck:
    title = "Embeddings that cannot be compared"
    found = [f"{model} has vectors of several lengths" for model in facts.mixed_dimensions]
    if facts.bad_vectors:
        found.append(f"vectors of the wrong size: {facts.bad_vectors:,}")
    if not found:
        return HealthCheck("embeddings-odd", HealthLevel.OK, title, "None found.", artefact=Artefact.VECTOR_MEMORY)
    advice = "Search by meaning leaves them out. Embed the memories again."
    return HealthCheck(
        "embeddings-odd", HealthLevel.WARNING, title, "; ".join(found), advice, len(found), Artefact.VECTOR_MEMORY
    )


def _unreadable_metadata(facts: DatabaseFacts) -> HealthCheck:
    return _counted(
        "metadata-unreadable",
        HealthLevel.WARNING,
        "Memories whose metadata cannot be read",
        facts.unreadable_metadata,
        "Title, entities and key phrases are lost for them. Edit the memory to write them anew.",
    )


def _duplicate_log_hashes(facts: DatabaseFacts) -> HealthCheck:
    return _counted(
        "duplicate-log-hashes",
        HealthLevel.WARNING,
        "Messages logged more than once",
        facts.repeated_log_hashes,
        "A message was equal to an old one, or a chunk was processed twice. Look for doubled memories.",
    )


def _tracker_only(facts: DatabaseFacts) -> HealthCheck:
    """WilmerAI does not read the first generation's tracker and starts over (traps V9, W09)."""
    is_old = facts.schema_generation == "tracker" or facts.unlogged_trackers > 0
    return _counted(
        "tracker-only",
        HealthLevel.WARNING,
        "Progress kept only in the first generation's table",
        int(is_old),
        "Today's WilmerAI ignores that table and would process the whole conversation again. "
        "The console reads it and logs the hash at the next success.",
    )
