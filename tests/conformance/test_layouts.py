"""Which file is used when several generations of names are present, and how each form is read (memory.md §3.6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.stores.contents import Access
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.layouts import Place
from memory.stores.ledger import read_list_file
from memory.stores.public_folder import PublicFolder
from memory.types import Artefact, DiscussionRef, Entry, Generation
from tests.conformance.vectors import cases
from tests.memory.stores.folders import list_tree, make_tree


def a_folder(root: Path) -> PublicFolder:
    return PublicFolder(
        public_root=root / "public",
        config_root=root / "public" / "Configs",
        discussions_root=root / "discussions",
        install_root=root / "install",
        working_folder=root / "cwd",
    )


@pytest.mark.parametrize("case", cases("memory", "layouts", "lookup"))
def test_lookup(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    make_tree(tmp_path, given["tree"])
    before = list_tree(tmp_path)
    ref = DiscussionRef(given["discussion_id"], given["api_key_hash"])

    files = DiscussionFolders(a_folder(tmp_path)).open_or_create(ref, limit_bytes=1_000)

    found = {name: files.place(Artefact(name)).path.relative_to(tmp_path).as_posix() for name in case["expected"]}
    assert found == case["expected"]
    assert list_tree(tmp_path) == before


@pytest.mark.parametrize("case", cases("memory", "layouts", "lookup"))
def test_scan_agrees_with_lookup(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    make_tree(tmp_path, given["tree"])
    ref = DiscussionRef(given["discussion_id"], given["api_key_hash"])

    scanned = DiscussionFolders(a_folder(tmp_path)).scan().get(ref, {})

    for artefact, (path, _, _) in scanned.items():
        assert path.relative_to(tmp_path).as_posix() == case["expected"][artefact.value]


@pytest.mark.parametrize("case", cases("memory", "layouts", "contents"))
def test_contents(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / case["input"]["file"]
    path.write_bytes(case["input"]["text"].encode())
    place = Place(Artefact.MEMORIES, path, Generation.GUIDE_NESTED, tmp_path)

    found = read_list_file(place, Access(limit_bytes=1_000_000))

    assert found.entries == tuple(Entry(item["text_block"], item["hash"]) for item in case["expected"]["entries"])
    assert found.skipped == ()
    assert found.report.problem is None
