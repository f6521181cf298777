from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory.queries.health import check_discussions_folder, iterate_checks, list_checks, list_problems
from memory.results import HealthLevel
from memory.types import DiscussionRef
from tests.builders import API_KEY, build_discussion, build_entry, key_hash_of, write_entries
from wilmer_site.lib.paging import PageRequest

LOG_TWICE = """
INSERT INTO vector_memory_hash_log (discussion_id, message_hash, timestamp)
SELECT discussion_id, message_hash, timestamp FROM vector_memory_hash_log
"""


def bad_codes(ref: DiscussionRef) -> set[str]:
    return {check.code for check in list_checks(ref, {}) if check.level is not HealthLevel.OK}


def execute(public: Path, statement: str) -> None:
    with closing(sqlite3.connect(public / "DiscussionIds/anna/vector_memory.db")) as connection, connection:
        connection.execute(statement)


def test_list_checks_of_a_sound_discussion_finds_nothing(public: Path) -> None:
    assert bad_codes(build_discussion(public, condensed_up_to=1)) == set()


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("DELETE FROM memories WHERE id = 2", "fts-orphans"),
        ("DELETE FROM memories WHERE id = 2", "embedding-orphans"),
        ("DELETE FROM memories_fts WHERE rowid = 2", "memories-without-index"),
        ("UPDATE memories SET memory_text = 'other words' WHERE id = 2", "fts-differs"),
        ("DELETE FROM memory_embeddings WHERE memory_id = 2", "embeddings-missing"),
        ("UPDATE memories SET metadata_json = '{' WHERE id = 2", "metadata-unreadable"),
        ("DROP TABLE memories_fts", "database-index-broken"),
        (LOG_TWICE, "duplicate-log-hashes"),
    ],
)
def test_list_checks_finds_database_traps(public: Path, statement: str, code: str) -> None:
    ref = build_discussion(public)

    execute(public, statement)

    assert code in bad_codes(ref)


def test_list_checks_finds_leftovers_older_than_a_minute(public: Path) -> None:
    ref = build_discussion(public)
    old, young = public / "DiscussionIds/anna/tmpa.tmp", public / "DiscussionIds/anna/tmpb.tmp"
    old.touch()
    young.touch()
    os.utime(old, (1, 1))

    check = next(check for check in list_checks(ref, {}) if check.code == "leftover-temp-files")

    assert check.evidence == "tmpa.tmp"


def test_list_checks_finds_a_flat_file_behind_the_nested_one(public: Path) -> None:
    ref = build_discussion(public)
    write_entries(public / "DiscussionIds/anna_memories.json", [build_entry(1)])

    assert bad_codes(ref) == {"several-generations"}


def test_list_checks_finds_names_that_differ_in_letter_case(public: Path) -> None:
    ref = build_discussion(public)
    write_entries(public / "DiscussionIds/anna/Memories.json", [build_entry(1)])

    assert bad_codes(ref) == {"case-variants"}


def test_list_checks_finds_a_link_out(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public)
    (tmp_path / "elsewhere.json").write_text("{}", encoding="utf-8")
    (public / "DiscussionIds/anna/timestamps.json").symlink_to(tmp_path / "elsewhere.json")

    assert "links-out" in bad_codes(ref)


def test_list_checks_of_a_locked_discussion_is_no_alarm(public: Path) -> None:
    assert bad_codes(build_discussion(public, api_key=API_KEY, encrypted=True)) == set()


def test_list_checks_with_the_key_looks_inside(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True, summary_up_to=99)

    checks = list_checks(ref, {key_hash_of(API_KEY): API_KEY})

    assert [check.code for check in checks if check.level is HealthLevel.WARNING] == ["summary-link-lost"]


@pytest.mark.django_db
def test_list_problems_gives_errors_first(public: Path) -> None:
    build_discussion(public, "anna", summary_up_to=99)
    build_discussion(public, "ben")
    (public / "DiscussionIds/ben/memories.json").write_text("[", encoding="utf-8")

    page = list_problems(PageRequest(1, 1))

    assert [(ref.text, check.code) for ref, check in page.items] == [("ben", "file-damaged")]
    assert page.total == 2


def test_iterate_checks_reads_every_discussion_in_order(public: Path) -> None:
    for name in ("ben", "anna"):
        build_discussion(public, name)

    assert [ref.text for ref, _ in iterate_checks()] == ["anna", "ben"]


def test_check_discussions_folder_finds_what_was_left_in_it(public: Path) -> None:
    leftover = public / "DiscussionIds/.anna_memories.json.x.tmp"
    leftover.touch()
    os.utime(leftover, (1, 1))

    bad = [check.code for check in check_discussions_folder() if check.level is not HealthLevel.OK]

    assert bad == ["leftover-temp-files"]


def test_every_check_is_documented(public: Path) -> None:
    text = (Path(__file__).parents[3] / "docs/storage.md").read_text(encoding="utf-8")

    checks = [*check_discussions_folder(), *list_checks(build_discussion(public), {})]

    assert [check.code for check in checks if f"`{check.code}`" not in text] == []
