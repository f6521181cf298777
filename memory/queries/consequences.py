"""What other contents of a discussion's files would cause for WilmerAI, before anything is written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from memory.engine.blast_radius import BlastRadius, Change, Outlook, measure
from memory.engine.ledger_changes import Layers
from memory.engine.memory_settings import MemorySettings
from memory.queries.transcripts import has_transcript, load_conversation
from memory.stores.contents import read_whole
from memory.stores.discussion_files import CONDENSATION_KEY, DiscussionFiles
from memory.stores.json_files import JsonDamageError, parse_object
from memory.stores.past_contents import PastContent
from memory.stores.vector_db import VectorDatabase
from memory.types import Artefact, DiscussionRef, Entry, FileState
from memory.wiring import get_memory_settings
from wilmer_site.lib.errors import WilmerError

LAYERS = (Artefact.MEMORIES, Artefact.SUMMARY, Artefact.CONDENSATION_TRACKER)


def measure_contents(
    files: DiscussionFiles, contents: Mapping[Artefact, bytes | None], progress: tuple[str, ...] | None = None
) -> BlastRadius:
    """What follows when these files hold these bytes (None: are removed) and the hash log these hashes.

    Empty when they say nothing of how far memory has got, or cannot be read.
    """
    now = read_layers(files)
    then = read_layers(files, contents, progress)
    if now == then or (not set(contents).intersection(LAYERS) and progress is None):
        return BlastRadius()
    return measure(Change(now, then, _removed(now.ledger, then.ledger)), build_outlook(files.ref))


def read_layers(
    files: DiscussionFiles,
    contents: Mapping[Artefact, bytes | None] | None = None,
    progress: tuple[str, ...] | None = None,
) -> Layers:
    """How far memory has got, with other contents laid over what is there."""
    found = {name: _read(files, name, contents or {}) for name in LAYERS}
    return Layers(
        ledger=found[Artefact.MEMORIES].entries,
        summary=found[Artefact.SUMMARY].entries,
        tracker=_tracker_of(found[Artefact.CONDENSATION_TRACKER]),
        progress=_progress_of(files) if progress is None else progress,
        has_ledger_file=found[Artefact.MEMORIES].state is not FileState.ABSENT,
    )


def build_outlook(ref: DiscussionRef) -> Outlook:
    """The settings in force, and the conversation if it is known."""
    return Outlook(get_settings_in_force(), load_conversation(ref) if has_transcript(ref) else None)


def get_settings_in_force() -> MemorySettings:
    """The memory settings of the WilmerAI user, or WilmerAI's defaults when they cannot be read."""
    try:
        return get_memory_settings()
    except WilmerError:
        return MemorySettings()


def _read(files: DiscussionFiles, artefact: Artefact, contents: Mapping[Artefact, Any]) -> PastContent:
    if artefact in contents:
        return files.read_past(artefact, contents[artefact])
    try:
        return files.read_past(artefact, read_whole(files.place(artefact)))
    except WilmerError:
        return PastContent(FileState.UNREADABLE)


def _tracker_of(content: PastContent) -> str:
    try:
        return str(parse_object(content.text).get(CONDENSATION_KEY) or "") if content.text.strip() else ""
    except JsonDamageError:
        return ""


def _progress_of(files: DiscussionFiles) -> tuple[str, ...]:
    try:
        database = VectorDatabase(files.vector_path(), files.ref.discussion_id)
        return tuple(item.message_hash for item in database.list_progress())
    except WilmerError:
        return ()


def _removed(old: Collection[Entry], new: Collection[Entry]) -> tuple[int, ...]:
    """Numbers of chunks whose hash is nowhere in the new ledger."""
    kept = {entry.hash for entry in new}
    return tuple(number for number, entry in enumerate(old, 1) if entry.hash not in kept)
