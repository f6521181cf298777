"""File rules that are not about encryption (memory.md §3.7, §17)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory.stores.contents import Access
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.layouts import CURRENT_NAMES, Place
from memory.stores.ledger import write_list_file
from memory.stores.state_documents import write_text_file
from memory.types import Artefact, FileState, Generation
from tests.conformance.vectors import cases
from tests.memory.stores.folders import a_ref, list_tree, make_tree, open_files, public_folder

ACCESS = Access(limit_bytes=1_000_000)
BY_NAME = {name: artefact for artefact, name in CURRENT_NAMES.items()}


@pytest.mark.parametrize("case", cases("memory", "storage", "lookup"))
def test_lookup(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    make_tree(tmp_path, [f"DiscussionIds/talk-1/{name}" for name in ["", *given["files"]]])

    folders = DiscussionFolders(public_folder(tmp_path))
    report = folders.open_or_create(a_ref(), limit_bytes=1_000).report(BY_NAME[given["wanted"].lower()])

    found = report.path.name if report.state is not FileState.ABSENT else None
    assert found == case["expected"]["read_from"]
    # Only the writer creates a file (W27); the reference does it on reading.
    assert {path.name for path in (tmp_path / "DiscussionIds/talk-1").iterdir()} == set(given["files"])


@pytest.mark.parametrize("case", cases("memory", "storage", "create"))
def test_create(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / case["input"]["path"]
    place = Place(Artefact.MEMORIES, path, Generation.NESTED, tmp_path)

    write_list_file(place, ACCESS, [])

    assert path.read_text() == case["expected"]["text_after"]


@pytest.mark.parametrize("case", cases("memory", "storage", "text_write"))
def test_text_write(case: dict[str, Any], tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    path, backup = tmp_path / "state_document.md", tmp_path / f"state_document.md{given['backup_suffix']}"
    if given["before"] is not None:
        path.write_bytes(given["before"].encode())
    place = Place(Artefact.STATE_DOCUMENT, path, Generation.NESTED, tmp_path)
    spare = Place(Artefact.STATE_DOCUMENT_BACKUP, backup, Generation.NESTED, tmp_path)

    for number in range(1, given["times"] + 1):
        write_text_file(place, ACCESS, given["content"] * number, backup=spare if given["backup_suffix"] else None)

    assert path.read_bytes().decode() == expected["text"]
    assert (backup.read_bytes().decode() if backup.exists() else None) == expected["backup"]
    assert sorted(list_tree(tmp_path)) == expected["files"]


def open_small_file(case: dict[str, Any], root: Path, name: str) -> DiscussionFiles:
    content = case["input"]["content"]
    make_tree(root, ["DiscussionIds/talk-1/"])
    if content is not None:
        text = content if isinstance(content, str) else json.dumps(content)
        (root / "DiscussionIds/talk-1" / name).write_text(text)
    return open_files(root)


@pytest.mark.parametrize(
    ("case", "name"),
    [
        pytest.param(case.values[0], name, id=case.id)
        for kind, name in (("tracker", "condensation_tracker.json"), ("timestamps", "timestamps.json"))
        for case in cases("memory", "storage", kind)
    ],
)
def test_small_files(case: dict[str, Any], name: str, tmp_path: Path) -> None:
    files = open_small_file(case, tmp_path, name)

    found = files.read_timestamps() if name == "timestamps.json" else files.read_condensation_tracker()

    if case.get("weakness"):
        assert found.report.state is FileState.DAMAGED
        assert found.values == {}
    else:
        assert found.values == case["expected"]["value"]
