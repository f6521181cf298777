from __future__ import annotations

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
from memory.stores.vector_rows import StoredMemory
from memory.stores.vector_writes import get_stored_memory
from memory.types import DiscussionRef
from tests.builders import build_discussion, hash_of
from wilmer_site.lib.errors import InvalidError, RefusedError

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
    for code in ("fts-orphans", "file-damaged", "nonsense"):
        with pytest.raises(NothingToRepairError):
            repair(Repairer(ref, "mona"), code)
    assert not any(may_repair(check) for check in list_checks(ref, {}))


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
