from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from memory.stores.folder_facts import find_stamp, read_folder_facts, read_root_facts
from memory.stores.public_folder import PublicFolder
from memory.types import Artefact
from tests.builders import (
    API_KEY,
    base_folder,
    build_discussion,
    build_public_folder,
    build_ref,
    build_vector_database,
)

NOW = datetime(2100, 1, 1, tzinfo=UTC)


def folder_of(public: Path) -> PublicFolder:
    return PublicFolder(public, public / "Configs", public / "DiscussionIds")


def test_read_folder_facts_of_nothing_is_empty(tmp_path: Path) -> None:
    facts = read_folder_facts(folder_of(build_public_folder(tmp_path)), build_ref("nobody"), {}, now=NOW)

    assert (facts.leftovers, facts.case_variants, facts.ignored, facts.links_out) == ((), (), {}, ())


def test_read_folder_facts_names_an_old_database_that_is_not_used(tmp_path: Path) -> None:
    public = build_public_folder(tmp_path)
    ref = build_discussion(public)
    build_vector_database(public / "anna_vector_memory.db", "anna")
    used = {
        Artefact.VECTOR_MEMORY: public / "DiscussionIds/anna/vector_memory.db",
        Artefact.MEMORIES: public / "DiscussionIds/anna/memories.json",
        Artefact.SUMMARY: public / "DiscussionIds/anna/chat_summary.json",
        Artefact.STATE_DOCUMENT: public / "DiscussionIds/anna/state_document.md",
    }

    facts = read_folder_facts(folder_of(public), ref, used, now=NOW)

    assert facts.ignored == {Artefact.VECTOR_MEMORY: ("anna_vector_memory.db",)}


def test_read_folder_facts_keeps_links_that_stay_inside(tmp_path: Path) -> None:
    public = build_public_folder(tmp_path)
    ref = build_discussion(public)
    home = public / "DiscussionIds/anna"
    (home / "inside.json").symlink_to(home / "memories.json")
    (home / "loop.json").symlink_to(home / "loop.json")
    (home / "outside.json").symlink_to(tmp_path)

    facts = read_folder_facts(folder_of(public), ref, {}, now=NOW)

    assert "inside.json" not in facts.links_out
    assert "outside.json" in facts.links_out


def test_read_root_facts_says_why_a_folder_cannot_be_listed(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert read_root_facts(tmp_path / "file", now=NOW).problem
    assert read_root_facts(tmp_path / "absent", now=NOW).problem is None


def test_read_root_facts_finds_ids_that_differ_in_letter_case(tmp_path: Path) -> None:
    (tmp_path / "Anna").mkdir()
    (tmp_path / "anna").mkdir()

    assert read_root_facts(tmp_path, now=NOW).case_variants == (("Anna", "anna"),)


def test_find_stamp_of_an_absent_folder_is_zero(tmp_path: Path) -> None:
    assert find_stamp(tmp_path / "absent") == 0
    assert find_stamp(tmp_path) > 0


def test_read_folder_facts_tells_no_name_of_a_foreign_folder(tmp_path: Path) -> None:
    public = build_public_folder(tmp_path)
    build_foreign_folder(tmp_path, public / "DiscussionIds/anna")

    facts = read_folder_facts(folder_of(public), build_ref("anna"), {}, now=NOW)

    assert (facts.leftovers, facts.case_variants, facts.ignored) == ((), (), {})
    assert facts.links_out == ("anna",)


def test_read_folder_facts_follows_a_folder_link_inside_the_root(tmp_path: Path) -> None:
    public = build_public_folder(tmp_path)
    build_discussion(public, "berta")
    (public / "DiscussionIds/berta/private.tmp").touch()
    ref = build_ref("anna", API_KEY)
    base_folder(public, API_KEY).mkdir()
    (base_folder(public, API_KEY) / "anna").symlink_to(public / "DiscussionIds/berta")

    facts = read_folder_facts(folder_of(public), ref, {}, now=NOW)

    assert (facts.leftovers, facts.links_out) == (("private.tmp",), ())


def build_foreign_folder(tmp_path: Path, link: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    for name in ("private.tmp", "memories.json", "MEMORIES.json", "state_document.md"):
        (foreign / name).write_text("private")
    (foreign / "elsewhere").symlink_to("/etc/hostname")
    link.symlink_to(foreign)
