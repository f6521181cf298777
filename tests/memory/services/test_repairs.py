from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from memory import wiring
from memory.models import Revision
from memory.queries.health import list_checks
from memory.results import HealthLevel
from memory.services.repairs import NothingToRepairError, Repairer, may_repair, plan_repair, repair
from memory.services.restoring import undo_batch
from memory.stores.vector_restore import read_progress
from memory.stores.vector_rows import StoredMemory
from memory.stores.vector_writes import get_stored_memory
from memory.types import DiscussionRef, Entry
from tests.builders import build_discussion, hash_of
from wilmer_site.lib.errors import InvalidError, NotFoundError, RefusedError

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public)


def run_sql(ref: DiscussionRef, statement: str) -> None:
    with closing(sqlite3.connect(wiring.open_discussion(ref).vector_path())) as connection, connection:
        connection.execute(statement)


def problems(ref: DiscussionRef) -> set[str]:
    return {check.code for check in list_checks(ref, {}) if check.level is not HealthLevel.OK}


def memory(ref: DiscussionRef, number: int) -> StoredMemory:
    return get_stored_memory(wiring.open_discussion(ref).vector_path(), number)


@pytest.mark.parametrize(
    ("code", "statement"),
    [
        ("fts-orphans", "INSERT INTO memories_fts (rowid, title) VALUES (9, 'x')"),
        ("memories-without-index", "DELETE FROM memories_fts WHERE rowid = 1"),
        ("fts-differs", "UPDATE memories_fts SET summary = 'old words' WHERE rowid = 1"),
        ("database-index-broken", "DROP TABLE memories_fts"),
        ("embedding-orphans", "INSERT INTO memory_embeddings VALUES (9, 'm', 2, x'0000000000000000')"),
    ],
)
def test_databases_are_mended(ref: DiscussionRef, code: str, statement: str) -> None:
    before = memory(ref, 1)
    run_sql(ref, statement)
    assert code in problems(ref)

    assert not plan_repair(Repairer(ref, "mona"), code).problem
    done = repair(Repairer(ref, "mona"), code)
    assert code not in problems(ref)
    assert memory(ref, 1) == before
    assert Revision.objects.get(batch=done.batch).origin == "repair"


def test_a_lost_summary_link_is_set_to_a_chunk(public: Path) -> None:
    ref = build_discussion(public, chunks=3, summary_up_to=9)
    repairer = Repairer(ref, "mona", chunk=2)
    assert plan_repair(repairer, "summary-link-lost").radius.consequences

    done = repair(repairer, "summary-link-lost")
    (entry,) = wiring.open_discussion(ref).read_summary().entries
    assert (entry.text, entry.hash) == ("The story so far.", hash_of("message 2"))
    assert done.batch
    undo_batch(ref, done.batch, actor="mona", keys={})
    assert "summary-link-lost" in problems(ref)


def test_a_lost_tracker_is_set_or_removed(public: Path) -> None:
    ref = build_discussion(public, chunks=3, condensed_up_to=9)
    repair(Repairer(ref, "mona", chunk=1), "condensation-link-lost")

    assert wiring.open_discussion(ref).read_condensation_tracker().values["lastCondensationHash"] == hash_of(
        "message 1"
    )
    assert "condensation-link-lost" not in problems(ref)


def test_links_need_a_chunk(public: Path) -> None:
    ref = build_discussion(public, chunks=3, summary_up_to=9)
    with pytest.raises(InvalidError, match="which chunk"):
        repair(Repairer(ref, "mona"), "summary-link-lost")
    assert plan_repair(Repairer(ref, "mona", chunk=7), "summary-link-lost").problem


def test_a_lost_state_document_comes_back_from_its_backup(public: Path) -> None:
    ref, home = build_discussion(public, state_document=" "), public / "DiscussionIds/anna"
    (home / "state_document.md.bak").write_text("# People\n\nAnna.")

    repair(Repairer(ref, "mona"), "state-document-shrunk")
    assert (home / "state_document.md").read_text() == "# People\n\nAnna."


def test_leftovers_go_and_nothing_else(public: Path, tmp_path: Path) -> None:
    ref, home = build_discussion(public), public / "DiscussionIds/anna"
    (home / "old.tmp").write_text("x")
    os.utime(home / "old.tmp", (0, 0))
    (home / "young.tmp").write_text("x")
    (tmp_path / "outside").write_text("x")
    (home / "link.tmp").symlink_to(tmp_path / "outside")
    os.utime(home / "link.tmp", (0, 0), follow_symlinks=False)

    repair(Repairer(ref, "mona"), "leftover-temp-files")
    assert sorted(path.name for path in home.glob("*.tmp")) == ["young.tmp"]
    assert (tmp_path / "outside").exists()


def test_what_is_fine_or_has_no_repair_is_told(ref: DiscussionRef) -> None:
    for code in ("fts-orphans", "file-damaged", "unsafe-id", "nonsense"):
        with pytest.raises(NothingToRepairError):
            repair(Repairer(ref, "mona"), code)
    assert not any(may_repair(check) for check in list_checks(ref, {}))


def test_rights_of_everybody_are_taken_away(public: Path) -> None:
    ref, path = build_discussion(public), public / "DiscussionIds/anna/memories.json"
    path.chmod(0o666)
    assert plan_repair(Repairer(ref, "mona"), "file-mode").steps == ("memories.json: 0666 becomes 0664.",)

    repair(Repairer(ref, "mona"), "file-mode")
    assert (path.stat().st_mode & 0o777, "file-mode" in problems(ref)) == (0o664, False)


def test_files_without_bytes_become_empty_ones(public: Path) -> None:
    ref, home = build_discussion(public), public / "DiscussionIds/anna"
    names = ("memories.json", "chat_summary.json", "timestamps.json", "condensation_tracker.json")
    for name in names:
        (home / name).write_bytes(b"")
    done = repair(Repairer(ref, "mona"), "file-without-bytes")

    assert "file-without-bytes" not in problems(ref)
    assert [json.loads((home / name).read_bytes()) for name in names[:3]] == [[], [], {}]
    assert done.batch
    undo_batch(ref, done.batch, actor="mona", keys={})
    assert [(home / name).read_bytes() for name in names] == [b""] * 4


def test_a_damaged_file_comes_back_from_the_history(public: Path) -> None:
    ref, path = build_discussion(public), public / "DiscussionIds/anna/memories.json"
    wiring.open_discussion(ref).write_memories([Entry("kept", "a")])
    good = path.read_bytes()
    path.write_bytes(b"[{")
    assert plan_repair(Repairer(ref, "mona"), "file-damaged").steps[0].startswith("memories.json: ")

    done = repair(Repairer(ref, "mona"), "file-damaged")
    assert (path.read_bytes(), "file-damaged" in problems(ref)) == (good, False)
    assert done.batch
    undo_batch(ref, done.batch, actor="mona", keys={})
    assert path.read_bytes() == b"[{"


def test_without_a_readable_version_damage_stays(public: Path) -> None:
    ref, path = build_discussion(public), public / "DiscussionIds/anna/memories.json"
    path.write_bytes(b"[{")

    assert "no version" in plan_repair(Repairer(ref, "mona"), "file-damaged").problem
    with pytest.raises(NotFoundError):
        repair(Repairer(ref, "mona"), "file-damaged")
    assert path.read_bytes() == b"[{"


LOG_ROW = (
    "INSERT INTO vector_memory_hash_log (discussion_id, message_hash, timestamp) VALUES ('anna', '{}', '2026-03-0{}')"
)


def log_of(ref: DiscussionRef) -> list[tuple[int, str]]:
    files = wiring.open_discussion(ref)
    return [(row["id"], row["message_hash"]) for row in read_progress(files.vector_path(), ref.discussion_id)]


def test_repeated_log_rows_go_and_the_newest_stay(ref: DiscussionRef) -> None:
    run_sql(ref, "DELETE FROM vector_memory_hash_log")
    for day, name in enumerate("abac", 1):
        run_sql(ref, LOG_ROW.format(name, day))
    before = log_of(ref)
    done = repair(Repairer(ref, "mona"), "duplicate-log-hashes")

    assert [name for _, name in log_of(ref)] == ["b", "a", "c"]
    assert done.batch
    undo_batch(ref, done.batch, actor="mona", keys={})
    assert log_of(ref) == before


def test_the_older_tracker_is_logged(ref: DiscussionRef) -> None:
    run_sql(ref, "DROP TABLE vector_memory_hash_log")
    run_sql(ref, "DROP TABLE memory_embeddings")
    run_sql(ref, "CREATE TABLE vector_memory_tracker (discussion_id, last_checked_message_hash, last_updated)")
    run_sql(ref, "INSERT INTO vector_memory_tracker VALUES ('anna', 'old', '2025-08-20 10:00:00')")
    assert "tracker-only" in problems(ref)

    done = repair(Repairer(ref, "mona"), "tracker-only")
    assert "tracker-only" not in problems(ref)
    assert [name for _, name in log_of(ref)] == ["old", "old"]
    assert done.batch
    undo_batch(ref, done.batch, actor="mona", keys={})
    assert log_of(ref) == [(None, "old")]


def test_an_empty_log_beside_the_older_tracker_is_noticed(ref: DiscussionRef) -> None:
    """WilmerAI makes missing tables when it opens a database, and would then process everything again."""
    run_sql(ref, "DELETE FROM vector_memory_hash_log")
    run_sql(ref, "CREATE TABLE vector_memory_tracker (discussion_id, last_checked_message_hash, last_updated)")
    run_sql(ref, "INSERT INTO vector_memory_tracker VALUES ('anna', 'old', '2025-08-20 10:00:00')")
    assert "tracker-only" in problems(ref)

    repair(Repairer(ref, "mona"), "tracker-only")
    assert "tracker-only" not in problems(ref)


def test_doctor_mends_all_that_is_safe(public: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref = build_discussion(public, chunks=3, summary_up_to=9)
    run_sql(ref, "DELETE FROM memories_fts WHERE rowid = 1")
    with pytest.raises(SystemExit):
        call_command("doctor", "--fix", "--dry-run")
    assert capsys.readouterr().out.count("would    ") == 1
    assert "memories-without-index" in problems(ref)

    with pytest.raises(SystemExit):
        call_command("doctor", "--fix")
    told = capsys.readouterr().out
    assert ("mended " in told, "--chunk" in told, problems(ref)) == (True, True, {"summary-link-lost"})


def test_doctor_knows_its_checks(public: Path) -> None:
    with pytest.raises(CommandError, match="no check with a repair"):
        call_command("doctor", "--fix", "nonsense")


def test_doctor_mends_one_kind_everywhere(public: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refs = [build_discussion(public, name) for name in ("a", "b")]
    for ref in refs:
        run_sql(ref, "DELETE FROM memories_fts WHERE rowid = 1")

    with pytest.raises(SystemExit) as caught:
        call_command("doctor", "--fix", "memories-without-index")
    assert caught.value.code == 0
    assert capsys.readouterr().out.count("mended") == 2


def test_read_only_mends_nothing(ref: DiscussionRef) -> None:
    run_sql(ref, "DELETE FROM memories_fts WHERE rowid = 1")
    with override_settings(WILMER_READ_ONLY=True):
        with pytest.raises(RefusedError):
            repair(Repairer(ref, "mona"), "memories-without-index")
        with pytest.raises(CommandError):
            call_command("doctor", "--fix", "memories-without-index")
    assert "memories-without-index" in problems(ref)
