"""Where WilmerAI looks for files, and which folder a first write creates (memory.md §3.1, §3.2, §3.5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.errors import UnsafeDiscussionIdError
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.layouts import create_folder, find_folder, find_reference_path
from memory.stores.public_folder import PublicFolder, RootChoices, build_public_folder
from memory.types import Artefact, DiscussionRef
from tests.conformance.vectors import cases
from tests.memory.stores.folders import list_tree, make_tree


def a_folder(given: dict[str, Any], root: Path) -> PublicFolder:
    def placed(name: str) -> Any:
        return given[name] and given[name].replace("<ROOT>", str(root))

    return build_public_folder(
        RootChoices(
            install_root=Path(placed("install_folder")),
            working_folder=Path(placed("working_folder")),
            public_directory=placed("public_directory_flag"),
            discussion_directory=placed("discussion_directory_flag"),
            user_discussion_directory=placed("user_discussion_directory"),
        )
    )


def resolve(folder: PublicFolder, ref: DiscussionRef, wanted: str, root: Path) -> dict[str, str]:
    try:
        if wanted == "folder":
            return {"path": str(find_folder(folder, ref)).replace(str(root), "<ROOT>")}
        return {"path": str(find_reference_path(folder, ref, Artefact(wanted))).replace(str(root), "<ROOT>")}
    except UnsafeDiscussionIdError:
        return {"raises": "ValueError"}


@pytest.mark.parametrize("case", cases("memory", "paths"))
def test_paths(case: dict[str, Any], tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    make_tree(tmp_path, ["public/", "install/", "cwd/", *given["tree"]])
    folder = a_folder(given, tmp_path)
    # No id at all never reaches a store; the empty one is what comes closest.
    ref = DiscussionRef(given["discussion_id"] or "", given["api_key_hash"])
    if case.get("weakness") == "W24":
        with pytest.raises(UnsafeDiscussionIdError):
            DiscussionFolders(folder).open_or_create(ref, limit_bytes=1)
        return
    before = list_tree(tmp_path)

    if not any("raises" in wanted for wanted in expected["paths"].values()):
        create_folder(folder, ref)

    assert sorted(list_tree(tmp_path) - before) == sorted(expected["created"])
    assert {name: resolve(folder, ref, name, tmp_path) for name in given["wanted"]} == expected["paths"]


@pytest.mark.parametrize("case", [case for case in cases("memory", "paths") if case.values[0].get("weakness") == "W13"])
def test_files_in_another_letter_case_are_found(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    make_tree(tmp_path, given["tree"])
    ref = DiscussionRef(given["discussion_id"], given["api_key_hash"])

    scanned = DiscussionFolders(a_folder(given, tmp_path)).scan()[ref]

    assert sorted(str(path.relative_to(tmp_path)) for path, _, _ in scanned.values()) == sorted(given["tree"])
