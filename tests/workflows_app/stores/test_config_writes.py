"""Config files are found below their folder only, and written whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from wilmer_site.lib.errors import ConflictError
from wilmer_site.lib.files import FileTooLargeError
from wilmer_site.lib.ids import UnsafeNameError
from workflows_app.errors import ConfigNotFoundError
from workflows_app.stores.config_writes import LIMIT_BYTES, ConfigWriter, decode, encode, version_of

HOSTILE = [
    "../a.json",
    "a/../../b.json",
    "/a.json",
    "a",
    ".json",
    ".a.json",
    "a/.b/c.json",
    "a\n.json",
    "x" * 300 + ".json",
]


@pytest.fixture
def writer(tmp_path: Path) -> ConfigWriter:
    """A configs folder of its own."""
    (tmp_path / "Configs").mkdir()
    return ConfigWriter(tmp_path / "Configs", tmp_path / "locks/configs.lock")


def test_a_file_is_written_and_read(writer: ConfigWriter) -> None:
    etag = writer.write("Users/ann.json", b"{}")
    assert (writer.read("Users/ann.json"), version_of(b"{}")) == (b"{}", etag)
    assert writer.list_paths() == ["Users/ann.json"]


@pytest.mark.parametrize("path", HOSTILE)
def test_unusable_paths_are_never_written(writer: ConfigWriter, path: str) -> None:
    with pytest.raises(UnsafeNameError):
        writer.write(path, b"{}")
    with pytest.raises(ConfigNotFoundError):
        writer.read(path)
    assert list(writer.root.rglob("*")) == []


def test_links_out_of_the_folder_are_not_followed(writer: ConfigWriter, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (writer.root / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(UnsafeNameError):
        writer.write("link/a.json", b"{}")
    assert writer.list_paths() == []


def test_too_large_a_file_is_not_loaded(writer: ConfigWriter) -> None:
    (writer.root / "a.json").write_bytes(b" " * (LIMIT_BYTES + 1))
    with pytest.raises(FileTooLargeError):
        writer.find("a.json")


def test_renaming_replaces_nothing(writer: ConfigWriter) -> None:
    writer.write("a.json", b"1")
    writer.write("b.json", b"2")
    with pytest.raises(ConflictError):
        writer.rename("a.json", "b.json")
    writer.rename("a.json", "deeper/c.json")
    assert (writer.find("a.json"), writer.read("deeper/c.json")) == (None, b"1")


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf{}", "ünï".encode(), b"caf\xe9\x80\xff"])
def test_bytes_survive_being_shown_as_text(data: bytes) -> None:
    text, encoding = decode(data)
    assert encode(text, encoding) == data


def test_a_character_that_the_old_encoding_lacks_makes_the_file_utf8() -> None:
    assert encode("é日", "latin-1") == "é日".encode()
