"""Gathers what the health checks look at: opens the files of one discussion, and its database, once."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock

from memory.engine.health_facts import DatabaseFacts, HealthFacts
from memory.results import DatabaseState
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.folder_facts import read_folder_facts
from memory.stores.public_folder import PublicFolder
from memory.stores.readings import recall_list, recall_object, recall_report, recall_text
from memory.stores.vector_db import VectorDatabase
from memory.types import Artefact, FileReport, FileStat, FileState
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import WilmerError

_REMEMBERED_DATABASES = 512

PAUSE_FACTOR = 10.0
"""A database that could not be read within one second is left alone for ten: no lock may hold up every page."""


def gather_facts(discussion: DiscussionFiles, folder: PublicFolder) -> HealthFacts:
    """Everything the checks need, each file read once. Damage, locks and absence are in the facts, not raised."""
    memories = recall_list(discussion, Artefact.MEMORIES)
    summary = recall_list(discussion, Artefact.SUMMARY)
    condensation = recall_object(discussion, Artefact.CONDENSATION_TRACKER)
    document = recall_text(discussion, Artefact.STATE_DOCUMENT)
    backup = recall_text(discussion, Artefact.STATE_DOCUMENT_BACKUP)
    read = {file.report.artefact: file.report for file in (memories, summary, condensation, document, backup)}
    files = tuple(read.get(artefact) or recall_report(discussion, artefact) for artefact in Artefact)
    paths = {report.artefact: report.path for report in files}
    return HealthFacts(
        ref=discussion.ref,
        files=files,
        folder=read_folder_facts(folder, discussion.ref, paths, now=utc_now()),
        memories=memories,
        summary=summary,
        condensation=condensation,
        state_document=document,
        state_document_backup=backup,
        database=_database_facts(discussion),
    )


class _DatabaseMemory:
    """The last databases that were checked, by path and stat: a check reads every row, a header needs it each time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[tuple[str, FileStat], tuple[DatabaseFacts, float]] = OrderedDict()

    def find(self, report: FileReport) -> DatabaseFacts | None:
        """What was found when the file had the same stat."""
        if report.stat is None:
            return None
        with self._lock:
            facts, kept_until = self._known.get((str(report.path), report.stat), (None, 0.0))
        return facts if time.monotonic() < kept_until else None

    def keep(self, report: FileReport, facts: DatabaseFacts, *, cost_seconds: float) -> None:
        """Remember; what cannot be read now may be readable a moment later, so that is not kept for long."""
        if report.stat is None:
            return
        kept_for = cost_seconds * PAUSE_FACTOR if facts.state is DatabaseState.UNREADABLE else float("inf")
        with self._lock:
            self._known[(str(report.path), report.stat)] = (facts, time.monotonic() + kept_for)
            while len(self._known) > _REMEMBERED_DATABASES:
                self._known.popitem(last=False)


_memory = _DatabaseMemory()


def _database_facts(discussion: DiscussionFiles) -> DatabaseFacts:
    report = discussion.report(Artefact.VECTOR_MEMORY)
    known = _memory.find(report)
    if report.state is FileState.UNREADABLE:
        return DatabaseFacts(DatabaseState.UNREADABLE, report.problem)
    if known is None:
        start = time.monotonic()
        known = _check_quietly(discussion)
        _memory.keep(report, known, cost_seconds=time.monotonic() - start)
    return known


def _check_quietly(discussion: DiscussionFiles) -> DatabaseFacts:
    try:
        return _check(VectorDatabase(discussion.vector_path(), discussion.ref.discussion_id))
    except WilmerError as error:
        return DatabaseFacts(DatabaseState.UNREADABLE, error.message)


def _check(database: VectorDatabase) -> DatabaseFacts:
    found = database.describe()
    if found.state in {DatabaseState.ABSENT, DatabaseState.UNREADABLE}:
        return DatabaseFacts(found.state, found.problem)
    checked = database.check()
    index_damage = checked.index_problem if found.state is DatabaseState.READY else None
    return DatabaseFacts(
        state=found.state,
        problem=found.problem,
        damage=checked.problem or checked.file_damage or index_damage,
        memory_count=found.memory_count,
        memories_without_index=checked.unindexed.count,
        index_rows_without_memory=checked.index_orphans.count,
        index_rows_that_differ=checked.stale_index.count,
        embeddings_without_memory=checked.embedding_orphans.count,
        embedding_counts=found.embedding_counts,
        memories_without_embedding=checked.missing_embeddings,
        mixed_dimensions=tuple(checked.mixed_dimensions),
        bad_vectors=checked.bad_vectors.count,
        unreadable_metadata=checked.bad_metadata.count,
        repeated_log_hashes=len(checked.repeated_log_hashes),
        schema_generation=found.schema_generation,
        unlogged_trackers=checked.unlogged_trackers,
    )
