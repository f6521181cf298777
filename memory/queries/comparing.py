"""Two versions of a file or of rows side by side, decrypted only with a key at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memory.engine.differences import Change, compare_entries, compare_fields, compare_texts
from memory.engine.history import Comparison, LogDiff, MemoryDiff, VersionFacts
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.past_contents import LISTS, PastContent
from memory.stores.vector_metadata import parse_metadata
from memory.stores.vector_rows import StoredMemory
from memory.types import Artefact, FileState
from wilmer_site.lib.files import etag_of

DROPPED = object()
"""Stands for bytes that are no longer kept."""


def compare_files(files: DiscussionFiles, artefact: Artefact, old: tuple[str, Any], new: tuple[str, Any]) -> Comparison:
    """Two contents of one file, each with its label: bytes, None for no file, or DROPPED.

    Entries are compared for ledgers and their like, lines for everything else; damaged files as the text they are.
    """
    before, after = _open(files, artefact, old[1]), _open(files, artefact, new[1])
    facts = (_facts(old, before), _facts(new, after))
    if not all(side.is_readable for side in facts):
        return Comparison(artefact, *facts)
    if artefact in LISTS and FileState.DAMAGED not in {before.state, after.state}:
        return Comparison(artefact, *facts, entries=compare_entries(before.entries, after.entries))
    return Comparison(artefact, *facts, text=compare_texts(before.text, after.text))


def compare_rows(old: tuple[str, RowState], new: tuple[str, RowState]) -> Comparison:
    """Two states of vector memories, field by field, and the log rows that are on one side only."""
    before, after = ({memory.id: memory for memory in state.memories} for _, state in (old, new))
    ids = sorted({*before, *after})
    changes = [_compare_memory(before.get(memory_id), after.get(memory_id)) for memory_id in ids]
    return Comparison(
        artefact=Artefact.VECTOR_MEMORY,
        old=VersionFacts(old[0], FileState.PRESENT, None, ""),
        new=VersionFacts(new[0], FileState.PRESENT, None, ""),
        memories=tuple(change for change in changes if change.kind is not Change.SAME),
        log=tuple(_compare_log(old[1].progress, new[1].progress)),
    )


def _open(files: DiscussionFiles, artefact: Artefact, content: Any) -> PastContent:
    return PastContent(FileState.ABSENT) if content is DROPPED else files.read_past(artefact, content)


def _facts(side: tuple[str, Any], content: PastContent) -> VersionFacts:
    label, data = side
    if data is DROPPED:
        return VersionFacts(label, FileState.ABSENT, None, "", "Dropped to save space.", is_dropped=True)
    size, etag = (None, "") if data is None else (len(data), etag_of(data))
    return VersionFacts(label, content.state, size, etag, content.problem)


def _compare_memory(old: StoredMemory | None, new: StoredMemory | None) -> MemoryDiff:
    kind = Change.ADDED if old is None else Change.REMOVED if new is None else Change.CHANGED
    if old == new:
        kind = Change.SAME
    shown = new or old
    title = parse_metadata(shown.metadata_json)[0].get("title") if shown else ""
    return MemoryDiff(
        id=shown.id if shown else 0,
        kind=kind,
        title="" if title is None else str(title),
        fields=compare_fields(_fields(old), _fields(new)),
        embeddings=compare_fields(_embeddings(old), _embeddings(new)),
    )


def _fields(memory: StoredMemory | None) -> dict[str, Any]:
    if memory is None:
        return {}
    metadata, problem = parse_metadata(memory.metadata_json)
    fields = {"text": memory.text, "date added": memory.date_added, **metadata}
    # WilmerAI repeats the text there (traps V4).
    if fields.get("summary") == memory.text:
        del fields["summary"]
    return {**fields, "metadata": memory.metadata_json} if problem else fields


def _embeddings(memory: StoredMemory | None) -> dict[str, Any]:
    found = memory.embeddings if memory else ()
    return {model: f"{dim} dimensions, {etag_of(blob)[:8]}" for model, dim, blob in found}


def _compare_log(old: Iterable[Mapping[str, Any]], new: Iterable[Mapping[str, Any]]) -> Iterable[LogDiff]:
    before, after = ({_log_key(row): row for row in rows} for rows in (old, new))
    for key, row in before.items():
        if key not in after:
            yield LogDiff(Change.REMOVED, str(row["message_hash"]), str(row["timestamp"]), row["id"])
    for key, row in after.items():
        if key not in before:
            yield LogDiff(Change.ADDED, str(row["message_hash"]), str(row["timestamp"]), row["id"])


def _log_key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row["id"], row["message_hash"], row["timestamp"]
