"""Nodes stay below the allowed folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from workflows_app.errors import NodeFailedError, SwitchedOffError
from workflows_app.stores.file_access import FileAccess


@pytest.fixture
def access(tmp_path: Path) -> FileAccess:
    (tmp_path / "work").mkdir()
    return FileAccess((tmp_path / "work",), tmp_path)


def test_relative_paths_start_at_the_working_folder(access: FileAccess, tmp_path: Path) -> None:
    assert access.locate("work/notes.md") == tmp_path / "work" / "notes.md"


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "work/../secret", "~/x"])
def test_outside_is_refused(access: FileAccess, path: str) -> None:
    with pytest.raises(SwitchedOffError, match="outside"):
        access.locate(path)


def test_links_that_lead_out_are_refused(access: FileAccess, tmp_path: Path) -> None:
    (tmp_path / "work" / "link").symlink_to(tmp_path)

    with pytest.raises(SwitchedOffError):
        access.locate("work/link/secret")


def test_impossible_path(access: FileAccess) -> None:
    with pytest.raises(NodeFailedError):
        access.locate("work/\x00")


def test_line_ends_and_absence(access: FileAccess, tmp_path: Path) -> None:
    path = tmp_path / "work" / "a.txt"
    path.write_bytes(b"a\r\nb\rc")

    assert access.find_text(path) == "a\nb\nc"
    assert access.find_text(tmp_path / "work" / "none") is None


def test_read_only_console_writes_nothing(tmp_path: Path) -> None:
    access = FileAccess((tmp_path,), tmp_path, is_read_only=True)

    with pytest.raises(SwitchedOffError, match="WILMER_READ_ONLY"):
        access.write_text(access.locate("a.txt"), "x")
    assert list(tmp_path.iterdir()) == []
