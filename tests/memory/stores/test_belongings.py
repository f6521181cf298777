from __future__ import annotations

from pathlib import Path

import pytest

from memory.stores.belongings import LinkedFolderError, find_home, find_place, list_belongings, list_others
from memory.stores.public_folder import PublicFolder
from memory.types import Artefact
from tests.builders import API_KEY, build_discussion, build_public_folder, build_ref, build_vector_database


@pytest.fixture
def folder(tmp_path: Path) -> PublicFolder:
    public = build_public_folder(tmp_path)
    install = tmp_path / "install"
    (install / "Public/DiscussionIds").mkdir(parents=True)
    return PublicFolder(public, public / "Configs", public / "DiscussionIds", install)


def names(folder: PublicFolder, discussion_id: str) -> list[str]:
    return sorted(item.path.name for item in list_belongings(folder, build_ref(discussion_id)))


def test_every_generation_belongs(folder: PublicFolder) -> None:
    build_discussion(folder.public_root)
    root = folder.discussions_root
    for name in ("anna/anna_memories.jsonl", "anna_timestamps.json", "anna_summary.jsonl", "anna/MEMORIES.JSON"):
        (root / name).write_text("")
    build_vector_database(folder.public_root / "anna_vector_memory.db", "anna")
    assert folder.install_root
    build_vector_database(folder.install_root / "Public/anna_vector_memory.db", "anna")

    assert len(names(folder, "anna")) == 4 + 4 + 2


def test_only_what_lies_beside_a_file_of_its_own_belongs(folder: PublicFolder) -> None:
    build_discussion(folder.public_root)
    home = folder.discussions_root / "anna"
    for name in (
        "vector_memory.db-wal",
        "memories.json.damaged2",
        "memories.json-wal",
        "x.damaged",
        "notes.txt",
        "a.tmp",
    ):
        (home / name).write_text("")

    own = names(folder, "anna")
    assert {"vector_memory.db-wal", "memories.json.damaged2"} <= set(own)
    assert list_others(folder, build_ref("anna")) == ("a.tmp", "memories.json-wal", "notes.txt", "x.damaged")


def test_ids_that_begin_alike_are_told_apart(folder: PublicFolder) -> None:
    for name in ("anna_memories.json", "anna_b_memories.json", "annabel_memories.json"):
        (folder.discussions_root / name).write_text("[]")

    assert names(folder, "anna") == ["anna_memories.json"]
    assert names(folder, "anna_b") == ["anna_b_memories.json"]


def test_discussions_under_a_key_have_nothing_outside(folder: PublicFolder) -> None:
    build_vector_database(folder.public_root / "anna_vector_memory.db", "anna")
    ref = build_discussion(folder.public_root, api_key=API_KEY)

    assert all(ref.key_hash in item.path.parts for item in list_belongings(folder, ref) if ref.key_hash)


def test_the_old_place_counts_while_there_is_no_new_one(folder: PublicFolder) -> None:
    assert folder.install_root
    build_discussion(folder.install_root / "Public")

    assert {item.root for item in list_belongings(folder, build_ref("anna"))} == {"old-discussions"}


def test_folders_that_are_links_are_refused(folder: PublicFolder, tmp_path: Path) -> None:
    (folder.discussions_root / "anna").symlink_to(tmp_path)
    with pytest.raises(LinkedFolderError):
        find_home(folder, build_ref("anna"))


@pytest.mark.parametrize(
    ("root", "path"),
    [
        ("discussions", "anna/memories.json"),
        ("discussions", "anna/anna_memories.jsonl"),
        ("discussions", "anna_memories.json"),
        ("discussions", "anna/memories.json.damaged"),
        ("public", "anna_vector_memory.db"),
    ],
)
def test_places_of_its_own_are_known(folder: PublicFolder, root: str, path: str) -> None:
    assert find_place(folder, build_ref("anna"), root, path)


@pytest.mark.parametrize(
    ("root", "path"),
    [
        ("discussions", ""),
        ("discussions", "ben/memories.json"),
        ("discussions", "ben_memories.json"),
        ("discussions", "anna/../anna_memories.json"),
        ("discussions", "/anna/memories.json"),
        ("discussions", "anna/sub/memories.json"),
        ("discussions", "anna/run.sh"),
        ("public", "anna/memories.json"),
        ("public", "anna_memories.json"),
        ("nowhere", "anna/memories.json"),
    ],
)
def test_other_places_are_not(folder: PublicFolder, root: str, path: str) -> None:
    assert find_place(folder, build_ref("anna"), root, path) is None


def test_places_behind_a_link_are_not(folder: PublicFolder, tmp_path: Path) -> None:
    (folder.discussions_root / "anna").symlink_to(tmp_path)
    assert find_place(folder, build_ref("anna"), "discussions", "anna/memories.json") is None


def test_artefacts_are_told(folder: PublicFolder) -> None:
    build_discussion(folder.public_root)
    found = {item.artefact for item in list_belongings(folder, build_ref("anna"))}
    assert found == {Artefact.MEMORIES, Artefact.SUMMARY, Artefact.STATE_DOCUMENT, Artefact.VECTOR_MEMORY}
