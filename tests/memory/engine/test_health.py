from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory.engine.health import check_health, level_of, rank_of, worst_level
from memory.engine.health_facts import DatabaseFacts, FolderFacts, HealthFacts, RootFacts
from memory.engine.health_root import check_root
from memory.results import DatabaseState, HealthCheck, HealthLevel
from memory.types import (
    Artefact,
    DiscussionId,
    DiscussionRef,
    Entry,
    FileReport,
    FileStat,
    FileState,
    Generation,
    ListFile,
    ObjectFile,
    TextFile,
)


def report(artefact: Artefact, state: FileState = FileState.PRESENT, *, size: int = 9, mode: int = 0o600) -> FileReport:
    stat = None if state is FileState.ABSENT else FileStat(size, 1, 1, mode)
    return FileReport(artefact, Path(artefact.value), Generation.NESTED, state, stat)


def facts(discussion_id: str = "anna", **changes: Any) -> HealthFacts:
    memories = ListFile(report(Artefact.MEMORIES), (Entry("one", "a"), Entry("two", "b")))
    whole = HealthFacts(
        ref=DiscussionRef(DiscussionId(discussion_id)),
        files=(memories.report,),
        folder=FolderFacts(),
        memories=memories,
        summary=ListFile(report(Artefact.SUMMARY), (Entry("all", "b"),)),
        condensation=ObjectFile(report(Artefact.CONDENSATION_TRACKER), {"lastCondensationHash": "a"}),
        state_document=TextFile(report(Artefact.STATE_DOCUMENT), "text"),
        state_document_backup=TextFile(report(Artefact.STATE_DOCUMENT_BACKUP), "text"),
        database=DatabaseFacts(DatabaseState.READY, memory_count=2, schema_generation="embeddings"),
    )
    return replace(whole, **changes)


def find(code: str, found: HealthFacts) -> HealthCheck:
    return next(check for check in check_health(found) if check.code == code)


def database(**changes: Any) -> HealthFacts:
    return facts(database=replace(facts().database, **changes))


def test_check_health_of_a_sound_discussion_is_clean() -> None:
    checks = check_health(facts())

    assert worst_level(checks) is HealthLevel.OK
    assert all(check.count == 0 for check in checks)


def test_check_health_gives_every_code_once() -> None:
    codes = [check.code for check in check_health(facts())]

    assert len(codes) == len(set(codes))


def test_check_health_puts_the_worst_first() -> None:
    checks = check_health(database(index_rows_without_memory=1, unreadable_metadata=1))

    assert [check.level for check in checks[:3]] == [HealthLevel.ERROR, HealthLevel.WARNING, HealthLevel.OK]


@pytest.mark.parametrize(
    ("state", "code", "level"),
    [
        (FileState.DAMAGED, "file-damaged", HealthLevel.ERROR),
        (FileState.UNREADABLE, "file-unreadable", HealthLevel.ERROR),
        (FileState.TOO_LARGE, "file-too-large", HealthLevel.WARNING),
        (FileState.LOCKED, "file-locked", HealthLevel.OK),
    ],
)
def test_check_health_names_files_by_state(state: FileState, code: str, level: HealthLevel) -> None:
    check = find(code, facts(files=(report(Artefact.TIMESTAMPS, state),)))

    assert (check.level, check.count, check.artefact) == (level, 1, Artefact.TIMESTAMPS)
    assert "timestamps" in check.evidence


@pytest.mark.parametrize(
    ("changes", "code", "level"),
    [
        ({"index_rows_without_memory": 2}, "fts-orphans", HealthLevel.ERROR),
        ({"memories_without_index": 2}, "memories-without-index", HealthLevel.ERROR),
        ({"index_rows_that_differ": 2}, "fts-differs", HealthLevel.WARNING),
        ({"embeddings_without_memory": 2}, "embedding-orphans", HealthLevel.ERROR),
        ({"memories_without_embedding": {"m": 2}}, "embeddings-missing", HealthLevel.WARNING),
        ({"bad_vectors": 1, "mixed_dimensions": ("m",)}, "embeddings-odd", HealthLevel.WARNING),
        ({"unreadable_metadata": 2}, "metadata-unreadable", HealthLevel.WARNING),
        ({"repeated_log_hashes": 2}, "duplicate-log-hashes", HealthLevel.WARNING),
    ],
)
def test_check_health_counts_database_traps(changes: dict[str, Any], code: str, level: HealthLevel) -> None:
    check = find(code, database(**changes))

    assert (check.level, check.count) == (level, 2)
    assert check.advice


def test_check_health_reports_a_first_generation_tracker() -> None:
    assert find("tracker-only", database(schema_generation="tracker")).level is HealthLevel.WARNING


def test_check_health_reports_a_broken_index_and_leaves_out_what_needs_it() -> None:
    checks = check_health(database(state=DatabaseState.INDEX_BROKEN, problem="memories_fts is missing."))

    codes = {check.code for check in checks}
    assert checks[0].code == "database-index-broken"
    assert "fts-orphans" not in codes


@pytest.mark.parametrize("state", [DatabaseState.ABSENT, DatabaseState.NOTHING_STORED])
def test_check_health_finds_nothing_wrong_with_nothing(state: DatabaseState) -> None:
    assert worst_level(check_health(facts(database=DatabaseFacts(state)))) is HealthLevel.OK


def test_check_health_reports_a_damaged_database() -> None:
    assert find("database-damaged", database(damage="row 3 missing from index")).level is HealthLevel.ERROR


def test_check_health_reports_a_lost_summary_link() -> None:
    lost = ListFile(report(Artefact.SUMMARY), (Entry("all", "x"),))

    assert find("summary-link-lost", facts(summary=lost)).level is HealthLevel.WARNING


def test_check_health_reports_a_lost_condensation_tracker() -> None:
    lost = ObjectFile(report(Artefact.CONDENSATION_TRACKER), {"lastCondensationHash": "x"})

    assert find("condensation-link-lost", facts(condensation=lost)).level is HealthLevel.WARNING


def test_check_health_reports_chunks_with_the_same_hash() -> None:
    doubled = ListFile(report(Artefact.MEMORIES), (Entry("one", "a"), Entry("two", "b"), Entry("three", "a")))

    check = find("duplicate-hashes", facts(memories=doubled))

    assert "1, 3" in check.evidence


def test_check_health_reports_skipped_entries() -> None:
    partial = ListFile(report(Artefact.MEMORIES), (), ("Element 2 is a number.",))

    assert "Element 2 is a number." in find("entries-skipped", facts(memories=partial)).evidence


def test_check_health_says_nothing_of_the_contents_of_locked_files() -> None:
    locked = ListFile(report(Artefact.MEMORIES, FileState.LOCKED))

    codes = {check.code for check in check_health(facts(memories=locked))}

    assert "summary-link-lost" not in codes


@pytest.mark.parametrize(
    ("now", "before", "is_bad"), [(" ", "x" * 9, True), ("x" * 200, "x" * 600, True), ("x", "xxx", False)]
)
def test_check_health_compares_the_state_document_with_its_backup(now: str, before: str, is_bad: bool) -> None:
    document = TextFile(report(Artefact.STATE_DOCUMENT), now)
    backup = TextFile(report(Artefact.STATE_DOCUMENT_BACKUP), before)

    check = find("state-document-shrunk", facts(state_document=document, state_document_backup=backup))

    assert (check.level is HealthLevel.WARNING) is is_bad


def test_check_health_tells_an_absent_ledger_from_an_empty_one() -> None:
    absent = facts(memories=ListFile(report(Artefact.MEMORIES, FileState.ABSENT)))
    empty = facts(memories=ListFile(report(Artefact.MEMORIES, FileState.EMPTY)))

    assert find("memories-file", absent).evidence != find("memories-file", empty).evidence


def test_check_health_reports_json_files_without_bytes() -> None:
    check = find("file-without-bytes", facts(files=(report(Artefact.MEMORIES, FileState.EMPTY, size=0),)))

    assert check.level is HealthLevel.WARNING


@pytest.mark.parametrize(
    ("mode", "level"), [(0o600, HealthLevel.OK), (0o644, HealthLevel.OK), (0o666, HealthLevel.WARNING)]
)
def test_check_health_warns_of_files_that_all_may_change(mode: int, level: HealthLevel) -> None:
    assert find("file-mode", facts(files=(report(Artefact.MEMORIES, mode=mode),))).level is level


@pytest.mark.parametrize(
    ("folder", "code"),
    [
        (FolderFacts(leftovers=("x.tmp",)), "leftover-temp-files"),
        (FolderFacts(case_variants=(("Memories.json", "memories.json"),)), "case-variants"),
        (FolderFacts(ignored={Artefact.MEMORIES: ("anna_memories.json",)}), "several-generations"),
        (FolderFacts(links_out=("memories.json",)), "links-out"),
    ],
)
def test_check_health_reports_what_lies_beside_the_files(folder: FolderFacts, code: str) -> None:
    check = find(code, facts(folder=folder))

    assert check.level is not HealthLevel.OK
    assert check.count == 1


@pytest.mark.parametrize("discussion_id", ["CON", "anna.", "a*b", "tab\there", "x" * 201])
def test_check_health_reports_ids_that_do_not_travel(discussion_id: str) -> None:
    assert find("unsafe-id", facts(discussion_id)).level is HealthLevel.WARNING


def test_check_root_reports_a_folder_that_cannot_be_listed() -> None:
    checks = check_root(RootFacts("/somewhere", problem="Permission denied"))

    assert worst_level(checks) is HealthLevel.ERROR


def test_level_of_reverses_rank_of() -> None:
    assert [level_of(rank_of(level)) for level in HealthLevel] == list(HealthLevel)
