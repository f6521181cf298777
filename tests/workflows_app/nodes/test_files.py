"""File nodes stay in their folders and never leave half a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows_app.nodes.running import output_of
from workflows_app.errors import SwitchedOffError


@pytest.mark.parametrize("path", ["/etc/hostname", "../outside.txt", "notes/../../outside.txt"])
@pytest.mark.parametrize("kind", ["GetCustomFile", "SaveCustomFile"])
def test_outside_of_the_allowed_folders_is_refused(public: Path, kind: str, path: str) -> None:
    with pytest.raises(SwitchedOffError, match="WILMER_NODE_FILE_FOLDERS"):
        output_of(public, {"type": kind, "filepath": path, "content": "x"})


def test_link_to_the_outside_is_refused_under_any_spelling(
    public: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("hush", encoding="utf-8")
    (public / "notes.txt").symlink_to(secret)

    with pytest.raises(SwitchedOffError):
        output_of(public, {"type": "GetCustomFile", "filepath": "NOTES.txt"})


def test_text_that_is_not_utf8_is_not_edited(public: Path) -> None:
    (public / "latin.txt").write_bytes(b"caf\xe9 one\n")

    result = output_of(public, {"type": "SaveCustomFile", "filepath": "latin.txt", "mode": "append", "content": "two"})

    assert result.startswith("Error saving file: ")
    assert "no UTF-8 text" in result
    assert (public / "latin.txt").read_bytes() == b"caf\xe9 one\n"


def test_editing_turns_line_ends_and_keeps_odd_separators(public: Path) -> None:
    (public / "a.txt").write_bytes("one\r\n\r\ntwo\u2028x\n".encode())

    output_of(public, {"type": "SaveCustomFile", "filepath": "a.txt", "mode": "trim"})

    assert (public / "a.txt").read_bytes() == "one\ntwo\u2028x\n".encode()


def test_no_temp_files_stay_behind(public: Path) -> None:
    output_of(public, {"type": "SaveCustomFile", "filepath": "new/a.txt", "content": "x"})

    assert [path.name for path in (public / "new").iterdir()] == ["a.txt"]
