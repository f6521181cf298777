"""Discussions that a WilmerAI server recorded, in every layout, compared with the table of their README."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from memory.stores.discussion_files import DiscussionFiles
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.user_settings import list_salt_names
from memory.types import ApiKey, Artefact, DiscussionRef, FileState, Generation
from tests.conftest import SHARED
from tests.memory.stores.folders import a_ref, list_tree, public_folder

RECORDED = SHARED / "discussions"
MARTAS_KEY, SECOND_KEY = "marta-bearer-key-2024", "second-person-key"
KEYS = {"92080d86fad5f695": ApiKey(MARTAS_KEY), "152d9d6491878b0d": ApiKey(SECOND_KEY)}
CHUNKS = {"house-move-marta": 7, "stock-sync-refactor": 8, "lantern-of-ferrow": 7, "výlet-京都": 5}
SUMMARY_BEHIND = {"house-move-marta": 1, "stock-sync-refactor": 0, "lantern-of-ferrow": 1, "výlet-京都": 1}
LAYOUTS = {
    "nested": [(name, None) for name in CHUNKS],
    "keyed": [("stock-sync-refactor", "92080d86fad5f695")],
    "encrypted": [
        ("house-move-marta", "92080d86fad5f695"),
        ("výlet-京都", "92080d86fad5f695"),
        ("stock-sync-refactor", "152d9d6491878b0d"),
    ],
    "flat": [("house-move-marta", None), ("lantern-of-ferrow", None)],
    "jsonl": [("house-move-marta", None), ("stock-sync-refactor", None)],
}
ALL = [pytest.param(layout, a_ref(*ref), id=f"{layout}-{ref[0]}") for layout, refs in LAYOUTS.items() for ref in refs]

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="the recordings are not beside the checkout")


def open_recorded(layout: str, ref: DiscussionRef, root: Path | None = None) -> DiscussionFiles:
    folder = public_folder(root or RECORDED / layout / "Public")
    key = KEYS.get(ref.key_hash or "")
    names = list_salt_names(folder.config_root)
    return DiscussionFolders(folder).open(ref, api_key=key, user_names=names, limit_bytes=10_000_000)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_discussion_is_listed(layout: str) -> None:
    public = RECORDED / layout / "Public"
    before = list_tree(public)

    scanned = DiscussionFolders(public_folder(public)).scan()

    assert set(scanned) == {a_ref(*ref) for ref in LAYOUTS[layout]}
    assert list_tree(public) == before


@pytest.mark.parametrize(("layout", "ref"), ALL)
def test_counts_are_those_of_the_table(layout: str, ref: DiscussionRef) -> None:
    files = open_recorded(layout, ref)

    memories, summary = files.read_memories(), files.read_summary()

    hashes = [entry.hash for entry in memories.entries]
    assert len(hashes) == CHUNKS[ref.discussion_id]
    assert len(summary.entries) == 1
    assert len(hashes) - 1 - hashes.index(summary.entries[0].hash) == SUMMARY_BEHIND[ref.discussion_id]


@pytest.mark.parametrize(("layout", "ref"), ALL)
def test_no_file_has_a_problem(layout: str, ref: DiscussionRef) -> None:
    files = open_recorded(layout, ref)
    scanned = DiscussionFolders(public_folder(RECORDED / layout / "Public")).scan()[ref]

    reports = files.reports()

    assert {report.artefact: report.path for report in reports if report.state is not FileState.ABSENT} == {
        artefact: path for artefact, (path, _, _) in scanned.items()
    }
    assert [report.problem for report in reports if report.problem] == []
    assert any(report.is_encrypted for report in reports) is (layout == "encrypted")


@pytest.mark.parametrize(("layout", "ref"), ALL)
def test_what_is_written_back_is_what_wilmerai_wrote(layout: str, ref: DiscussionRef, tmp_path: Path) -> None:
    shutil.copytree(RECORDED / layout / "Public", tmp_path / "Public")
    files = open_recorded(layout, ref, tmp_path / "Public")
    place = files.place(Artefact.MEMORIES)
    before, entries = place.path.read_bytes(), files.read_memories().entries

    files.write_memories(entries)

    assert files.read_memories().entries == entries
    if layout in {"nested", "keyed", "flat"}:
        assert place.path.read_bytes() == before


@pytest.mark.parametrize("key", [None, SECOND_KEY], ids=["no key", "wrong key"])
def test_encrypted_discussions_are_locked_without_their_key(key: str | None) -> None:
    ref = a_ref("house-move-marta", "92080d86fad5f695")
    folder = public_folder(RECORDED / "encrypted" / "Public")

    files = DiscussionFolders(folder).open(
        ref, api_key=ApiKey(key) if key else None, user_names=["sealed"], limit_bytes=10_000_000
    )

    states = {report.artefact: report.state for report in files.reports()}
    assert states.pop(Artefact.VECTOR_MEMORY) is FileState.PRESENT
    assert set(states.values()) == {FileState.LOCKED}
    assert files.read_state_document().text == ""


def test_lines_stay_lines(tmp_path: Path) -> None:
    shutil.copytree(RECORDED / "jsonl" / "Public", tmp_path / "Public")
    files = open_recorded("jsonl", a_ref("house-move-marta"), tmp_path / "Public")
    place = files.place(Artefact.MEMORIES)

    files.write_memories(files.read_memories().entries[:2])

    assert place.generation is Generation.GUIDE_FLAT
    assert [sorted(json.loads(line)) for line in place.path.read_text().splitlines()] == [["hash", "text_block"]] * 2


def test_the_compactor_and_the_trackers_are_read() -> None:
    files = open_recorded("nested", a_ref("house-move-marta"))
    hashes = [entry.hash for entry in files.read_memories().entries]

    assert files.read_compactor_old().entries[1].text == "__boundary__"
    assert files.read_condensation_tracker().values["lastCondensationHash"] in hashes
    assert "PLACEHOLDER_TIMESTAMP_HASH_0000" in files.read_timestamps().values
    assert len(files.read_vision_responses().values) == 1
    assert files.read_state_document().text != files.read_state_document_backup().text


def test_every_hash_names_a_message() -> None:
    files = open_recorded("nested", a_ref("stock-sync-refactor"))
    times = files.read_timestamps().values

    missing = [entry.hash for entry in files.read_memories().entries if entry.hash not in times]

    assert missing == []
