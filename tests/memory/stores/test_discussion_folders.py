"""Which discussions a public folder holds, and opening one of them."""

from __future__ import annotations

import builtins
import os
from pathlib import Path

import pytest

from memory.errors import DiscussionNotFoundError, UnsafeDiscussionIdError
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder, RootChoices, build_public_folder
from memory.types import Artefact, DiscussionRef, FileState, Generation
from tests.memory.stores.folders import LIMIT_BYTES, a_ref, list_tree, make_tree, open_files, public_folder, write_file

HEX = "0123456789abcdef"


def scan_texts(root: Path) -> set[str]:
    return {ref.text for ref in DiscussionFolders(public_folder(root)).scan()}


def an_installation(root: Path) -> PublicFolder:
    """A public folder elsewhere, and the one WilmerAI was installed with."""
    return build_public_folder(
        RootChoices(install_root=root / "install", working_folder=root / "cwd", public_directory=str(root / "public"))
    )


@pytest.mark.parametrize(
    ("tree", "listed"),
    [
        ([], set()),
        (["talk-1/memories.json", "talk-2_memories.json", "talk-3_summary.jsonl"], {"talk-1", "talk-2", "talk-3"}),
        (["empty/"], {"empty"}),
        (["notes/readme.txt", "readme.txt", "talk_memories.txt", "_memories.json"], set()),
        ([".wilmer-console/locks/x.lock", ".wilmer-console/memories.json"], set()),
        ([f"{HEX}/talk-1/memories.json", f"{HEX}/talk-2_memories.jsonl"], {f"{HEX}:talk-1", f"{HEX}:talk-2"}),
        ([f"{HEX}/memories.json"], {HEX}),
        ([f"{HEX}/memories.json", f"{HEX}/talk-1/timestamps.json"], {HEX, f"{HEX}:talk-1"}),
        ([f"{HEX}/{HEX}_memories.jsonl", f"{HEX}/{HEX}_summary.jsonl"], {HEX}),
        ([f"{HEX}/"], set()),
        ([f"{HEX}_memories.json"], {HEX}),
        (["0123456789ABCDEF/talk-1/memories.json"], set()),
        (["talk_memories_memories.json"], {"talk_memories"}),
    ],
)
def test_what_is_listed(tree: list[str], listed: set[str], tmp_path: Path) -> None:
    make_tree(tmp_path / "DiscussionIds", tree)

    assert scan_texts(tmp_path) == listed


@pytest.mark.parametrize(
    "name", ["CON", "dot.", " blank ", "new\nline", "a*b?", "%2e%2e", "番茄", "...", ".hidden", "~"]
)
def test_odd_ids_are_listed_and_open(name: str, tmp_path: Path) -> None:
    write_file(tmp_path, f"{name}/memories.json")

    assert scan_texts(tmp_path) == {name}
    assert open_files(tmp_path, a_ref(name)).read_memories().report.state is FileState.EMPTY


def test_names_that_no_id_can_have_are_not_listed(tmp_path: Path) -> None:
    write_file(tmp_path, "a:b/memories.json")
    write_file(tmp_path, "a\\b/memories.json")
    os.mkdir(os.fsencode(tmp_path / "DiscussionIds") + b"/caf\xe9")

    assert scan_texts(tmp_path) == set()


@pytest.mark.parametrize(
    "text", ["", ".", "..", "../x", "a/b", "a\\b", f"{HEX}:", "..:talk", "a/b:talk", "a\x00b", "\udcff"]
)
def test_unsafe_ids_are_refused(text: str, tmp_path: Path) -> None:
    make_tree(tmp_path / "DiscussionIds", ["talk-1/"])

    with pytest.raises(UnsafeDiscussionIdError):
        open_files(tmp_path, DiscussionRef.parse(text))


@pytest.mark.parametrize("text", ["talk-2", ".wilmer-console", HEX, f"{HEX}:talk-2", "nohex:talk-1", "x" * 300])
def test_unknown_ids_are_not_found(text: str, tmp_path: Path) -> None:
    make_tree(tmp_path / "DiscussionIds", ["talk-1/", ".wilmer-console/locks/", f"{HEX}/talk-1/", "nohex/talk-1/"])

    with pytest.raises(DiscussionNotFoundError, match="There is no discussion"):
        open_files(tmp_path, DiscussionRef.parse(text))


def test_a_missing_root_holds_nothing(tmp_path: Path) -> None:
    assert scan_texts(tmp_path / "nowhere") == set()


def test_scanning_opens_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tree(tmp_path / "DiscussionIds", ["talk-1/memories.json", "talk-2_memories.json"])
    monkeypatch.setattr(builtins, "open", lambda *_, **__: pytest.fail("a file was opened"))
    monkeypatch.setattr(Path, "open", lambda *_, **__: pytest.fail("a file was opened"))

    assert scan_texts(tmp_path) == {"talk-1", "talk-2"}


def test_a_scan_tells_path_generation_and_stat(tmp_path: Path) -> None:
    path = write_file(tmp_path, "talk-1_memories.json", b"[ ]")

    found, generation, stat = DiscussionFolders(public_folder(tmp_path)).scan()[a_ref()][Artefact.MEMORIES]

    assert (found, generation) == (path, Generation.FLAT)
    assert (stat.size_bytes, stat.modified_ns) == (3, path.stat().st_mtime_ns)


def test_exact_names_come_before_other_letter_cases(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/Memories.JSON")
    write_file(tmp_path, "talk-1_memories.json")
    write_file(tmp_path, "talk-1/CHAT_SUMMARY.json")
    write_file(tmp_path, "talk-1/Chat_summary.json")
    files = open_files(tmp_path)

    assert files.place(Artefact.MEMORIES).path.name == "talk-1_memories.json"
    assert files.place(Artefact.SUMMARY).path.name == "CHAT_SUMMARY.json"


def test_ids_that_differ_in_letter_case_are_two_discussions(tmp_path: Path) -> None:
    write_file(tmp_path, "Talk-1_memories.json", b'[{"text_block": "T", "hash": ""}]')
    write_file(tmp_path, "talk-1_Memories.json", b'[{"text_block": "t", "hash": ""}]')

    assert scan_texts(tmp_path) == {"Talk-1", "talk-1"}
    assert open_files(tmp_path, a_ref("talk-1")).read_memories().entries[0].text == "t"


def test_a_folder_that_leads_out_of_the_root_is_listed_and_unreadable(tmp_path: Path) -> None:
    make_tree(tmp_path, ["private/memories.json", "DiscussionIds/"])
    (tmp_path / "DiscussionIds/talk-1").symlink_to(tmp_path / "private")

    assert scan_texts(tmp_path) == {"talk-1"}
    files = open_files(tmp_path)
    assert {report.state for report in files.reports()} == {FileState.UNREADABLE}
    with pytest.raises(Exception, match="leads out"):
        files.vector_path()


def test_a_key_folder_that_leads_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    make_tree(tmp_path, ["private/talk-1/memories.json", "DiscussionIds/"])
    (tmp_path / f"DiscussionIds/{HEX}").symlink_to(tmp_path / "private")

    with pytest.raises(DiscussionNotFoundError):
        open_files(tmp_path, a_ref("talk-1", HEX))
    assert f"{HEX}:talk-1" not in scan_texts(tmp_path)


def test_loops_of_links_are_survived(tmp_path: Path) -> None:
    make_tree(tmp_path, ["DiscussionIds/talk-1/memories.json"])
    (tmp_path / "DiscussionIds/loop").symlink_to("loop")
    (tmp_path / "DiscussionIds/up").symlink_to("..")

    assert "talk-1" in scan_texts(tmp_path)


@pytest.mark.parametrize("place", ["public", "install/Public", "cwd/Public"])
def test_a_database_alone_in_a_public_folder_is_a_discussion(place: str, tmp_path: Path) -> None:
    make_tree(tmp_path, [f"{place}/talk-1_vector_memory.db"])
    folders = DiscussionFolders(an_installation(tmp_path))

    files = folders.open(a_ref(), limit_bytes=LIMIT_BYTES)

    assert set(folders.scan()) == {a_ref()}
    assert files.vector_path() == tmp_path / place / "talk-1_vector_memory.db"
    assert files.place(Artefact.VECTOR_MEMORY).generation is Generation.LEGACY_PUBLIC


def test_the_old_place_counts_while_the_new_one_has_no_folder(tmp_path: Path) -> None:
    old = "install/Public/DiscussionIds"
    make_tree(tmp_path, [f"{old}/talk-1/memories.json", f"{old}/talk-2/memories.json", "public/DiscussionIds/talk-2/"])
    folders = DiscussionFolders(an_installation(tmp_path))

    scanned = folders.scan()

    assert scanned[a_ref("talk-1")][Artefact.MEMORIES][0] == tmp_path / old / "talk-1/memories.json"
    assert scanned[a_ref("talk-2")] == {}
    first = folders.open(a_ref("talk-1"), limit_bytes=LIMIT_BYTES)
    assert first.place(Artefact.SUMMARY).path == tmp_path / old / "talk-1/chat_summary.json"


def test_a_discussion_is_created_by_its_first_write_only(tmp_path: Path) -> None:
    make_tree(tmp_path, ["DiscussionIds/"])
    files = DiscussionFolders(public_folder(tmp_path)).open_or_create(a_ref("new"), limit_bytes=LIMIT_BYTES)
    before = list_tree(tmp_path)

    assert {report.state for report in files.reports()} == {FileState.ABSENT}
    assert before == {"DiscussionIds/"}
    files.write_memories([])
    assert (tmp_path / "DiscussionIds/new/memories.json").read_text() == "[]"


@pytest.mark.parametrize("name", ["CON", "a*", "dot.", "x" * 201])
def test_ids_that_are_unsafe_to_create_may_still_be_opened(name: str, tmp_path: Path) -> None:
    folders = DiscussionFolders(public_folder(tmp_path))
    with pytest.raises(UnsafeDiscussionIdError):
        folders.open_or_create(a_ref(name), limit_bytes=LIMIT_BYTES)

    write_file(tmp_path, f"{name}/memories.json")

    assert folders.open_or_create(a_ref(name), limit_bytes=LIMIT_BYTES).read_memories().report.state is FileState.EMPTY


def test_new_flat_files_are_seen_at_once(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1_memories.json")
    root = tmp_path / "DiscussionIds"
    os.utime(root, (1, 1))
    folders = DiscussionFolders(public_folder(tmp_path))
    for name in ("talk-1_memories.json", "talk-1_chat_summary.json"):
        write_file(tmp_path, name)
        found = [report.path.name for report in folders.open(a_ref(), limit_bytes=9).reports() if report.stat]
        assert name in found
