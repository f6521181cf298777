"""The nodes of a workflow, read for showing what it asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.errors import DamagedFileError
from memory.stores.user_settings import UserSettings
from memory.stores.workflow_nodes import read_workflow_nodes
from tests.builders import write_json
from wilmer_site.lib.errors import InvalidError, NotFoundError

USER = UserSettings("ann", workflow_folder="ann")


def folder(tmp_path: Path) -> Path:
    return tmp_path / "Workflows" / "ann"


@pytest.mark.parametrize(
    ("document", "titles"),
    [
        ([{"title": "a"}, "no node", {"title": "b"}], ["a", "b"]),
        ({"nodes": [{"title": "c"}]}, ["c"]),
        ({}, []),
        (7, []),
    ],
)
def test_both_forms_of_a_workflow_are_read(tmp_path: Path, document: object, titles: list[str]) -> None:
    write_json(folder(tmp_path) / "Flow.json", document)

    assert [node["title"] for node in read_workflow_nodes(tmp_path, USER, "Flow")] == titles


def test_damage_is_told_with_its_place(tmp_path: Path) -> None:
    folder(tmp_path).mkdir(parents=True)
    (folder(tmp_path) / "Flow.json").write_text('[{"title": "a",\n oops}]')

    with pytest.raises(DamagedFileError) as caught:
        read_workflow_nodes(tmp_path, USER, "Flow")

    assert caught.value.extra["line"] == 2


def test_absent_and_unsafe_names_are_refused(tmp_path: Path) -> None:
    folder(tmp_path).mkdir(parents=True)

    with pytest.raises(NotFoundError):
        read_workflow_nodes(tmp_path, USER, "Nothing")
    with pytest.raises(InvalidError):
        read_workflow_nodes(tmp_path, USER, "../../secret")
