"""Descriptions of pictures are kept beside each other, and never over a file that cannot be read."""

from __future__ import annotations

from pathlib import Path

from memory.services.vision import find_vision_responses, save_vision_response
from tests.memory.services.worlds import open_files


def test_descriptions_are_kept(tmp_path: Path) -> None:
    files = open_files(tmp_path)

    assert find_vision_responses(files) == {}
    assert [save_vision_response(files, key, f"text {key}") for key in "ab"] == [True, True]
    assert find_vision_responses(files) == {"a": "text a", "b": "text b"}


def test_nothing_is_kept_without_a_place_or_words(tmp_path: Path) -> None:
    assert not save_vision_response(None, "a", "text")
    assert not save_vision_response(open_files(tmp_path), "a", " ")
    assert find_vision_responses(None) == {}
    assert list(tmp_path.iterdir()) == []


def test_unreadable_file_stays_as_it_is(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    save_vision_response(files, "a", "text")
    path = files.read_vision_responses().report.path
    path.write_text("{", encoding="utf-8")

    assert not save_vision_response(files, "b", "text")
    assert path.read_text(encoding="utf-8") == "{"
